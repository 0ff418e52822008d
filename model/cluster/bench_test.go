// Benchmarks of whole workloads, of a gateway's questions, and of a job while 10² to 10⁵ others
// wait.

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
	options := workload.Options{Procs: procs, Jobs: jobs, Load: load}
	drawn, err := model.Generate(context.Background(), options, rng.New("benchmark"))
	if err != nil {
		b.Fatal(err)
	}
	list := make([]Job, len(drawn))
	for i := range drawn {
		list[i] = Job{Submit: drawn[i].Submit, Run: drawn[i].Run, Procs: drawn[i].Procs, User: int32(i % 100)}
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

// A workload of a cluster of the size of DAS-2's under both placements.
func BenchmarkPlacement(b *testing.B) {
	const procs = 144
	jobs := lublinJobs(b, procs, 57_000, 0.7)
	for _, placement := range []Placement{Count, Fixed} {
		for _, c := range []struct {
			name       string
			pivot      Pivot
			boundaries []int64
		}{
			{"easy", Kept, nil}, {"easy", Kept, []int64{1000, 10000}}, {"conservative:fixed", Replanned, nil},
			{"conservative:fixed", Replanned, []int64{1000, 10000}}, {"conservative", Replanned, nil},
		} {
			config := Config{Procs: procs, Policy: parsePolicy(b, c.name), Pivot: c.pivot, Placement: placement}
			config.Boundaries = c.boundaries
			name := fmt.Sprintf("%s/partitions=%d/%s", c.name, len(c.boundaries)+1, [...]string{"count", "fixed"}[placement])
			b.Run(name, func(b *testing.B) {
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

// A gateway's copy of a site's availability with some bookings (show), and the earliest fit in the
// site's own plan (ask).
func BenchmarkAvailability(b *testing.B) {
	const procs = 144
	jobs := lublinJobs(b, procs, 20_000, 1)
	for placement, name := range []string{Count: "count", Fixed: "fixed"} {
		s, err := New(Config{Procs: procs, Policy: parsePolicy(b, "conservative:fixed"), Placement: Placement(placement)})
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; s.queue.size < 500; i++ { // all in one second
			if _, err := s.Submit(0, jobs[i]); err != nil {
				b.Fatal(err)
			}
			s.Pass(0)
		}
		steps := 0
		for range s.Slots(0, Never) {
			steps++
		}
		a := s.NewAvailability()
		b.Run("show/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Show(a, 0, Never, procs)
				for _, job := range jobs[:10] {
					a.Book(a.EarliestFit(0, job.Procs, job.Run), job.Procs, job.Run)
				}
			}
			b.ReportMetric(float64(steps), "steps")
		})
		b.Run("ask/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				job := &jobs[i%len(jobs)]
				s.EarliestFit(0, job.Procs, job.Run)
			}
		})
	}
}

// The time of a job while so many wait: one is submitted for each that starts.
func BenchmarkQueue(b *testing.B) {
	const procs = 1024
	jobs := lublinJobs(b, procs, 1_000_000, 1)
	for _, name := range []string{
		"easy", "sjbf", "easy++", "lookahead", "selective", "selective:2", "slack:0.5", "multifactor",
		"queues:1h:512:512+any:any:any", "conservative:fixed",
	} {
		for _, waiting := range []int{100, 1_000, 10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/waiting=%d", name, waiting), func(b *testing.B) {
				s, err := New(Config{Procs: procs, Policy: parsePolicy(b, name)})
				if err != nil {
					b.Fatal(err)
				}
				next := 0
				submit := func(now int64) {
					for ; s.queue.size+len(s.arrivals) < waiting; next++ {
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
