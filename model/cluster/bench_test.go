package cluster

import (
	"context"
	"fmt"
	"testing"

	"gridsweep/model/rng"
	"gridsweep/model/workload"
)

// lublinJobs are jobs of the Lublin–Feitelson model.
func lublinJobs(b *testing.B, procs int32, jobs int64, load float64) []Job {
	b.Helper()
	model, err := workload.Find("lublin")
	if err != nil {
		b.Fatal(err)
	}
	drawn, err := model.Generate(context.Background(), workload.Options{Procs: procs, Jobs: jobs, Load: load}, rng.New("benchmark"))
	if err != nil {
		b.Fatal(err)
	}
	list := make([]Job, len(drawn))
	for i := range drawn {
		list[i] = Job{Submit: drawn[i].Submit, Run: drawn[i].Run, Procs: drawn[i].Procs}
	}
	return list
}

func parsePolicy(b *testing.B, name string) Policy {
	b.Helper()
	policy, err := ParsePolicy(name)
	if err != nil {
		b.Fatal(err)
	}
	return policy
}

// A whole workload on a machine of 1,024 processors.
func BenchmarkSimulate(b *testing.B) {
	for _, load := range []float64{0.7, 0.95} {
		jobs := lublinJobs(b, 1024, 100_000, load)
		for _, name := range []string{"fcfs", "easy", "easy:4", "conservative", "conservative:fixed"} {
			config := Config{Procs: 1024, Policy: parsePolicy(b, name)}
			b.Run(fmt.Sprintf("load=%g/%s", load, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Simulate(context.Background(), config, jobs); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(jobs))*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
			})
		}
	}
}

// What a job costs while so many wait: a new one comes for each that starts.
func BenchmarkQueue(b *testing.B) {
	const procs = 1024
	jobs := lublinJobs(b, procs, 1_000_000, 1)
	for _, name := range []string{"easy", "conservative:fixed"} {
		for _, waiting := range []int{100, 1_000, 10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/waiting=%d", name, waiting), func(b *testing.B) {
				s, err := New(Config{Procs: procs, Policy: parsePolicy(b, name)})
				if err != nil {
					b.Fatal(err)
				}
				next := 0
				submit := func(now int64) {
					for ; s.queue.size+len(s.fresh) < waiting; next++ {
						if _, err := s.Submit(now, jobs[next%len(jobs)]); err != nil {
							b.Fatal(err)
						}
					}
					s.Pass(now)
				}
				submit(0)
				b.ResetTimer()
				for from := next; next-from < b.N; {
					now := s.Next()
					s.Finish(now)
					s.Pass(now)
					submit(now)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/job")
			})
		}
	}
}
