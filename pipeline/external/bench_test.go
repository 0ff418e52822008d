// Benchmark of the protocol between the engine and a scheduler in another process.

package external

import (
	"testing"

	"gridsweep/model/cluster"
	"gridsweep/model/rng"
	"gridsweep/model/workload"
)

// BenchmarkProgram simulates jobs of Lublin and Feitelson's model under a compiled scheduler,
// first-come-first-served. An event is a submit or an end of a job; the time includes that of the
// engine and of the scheduler itself.
func BenchmarkProgram(b *testing.B) {
	model, err := workload.Find("lublin")
	if err != nil {
		b.Fatal(err)
	}
	options := workload.Options{Jobs: 20_000, Procs: 128, Load: 0.6}
	drawn, err := model.Generate(b.Context(), options, rng.New("external"))
	if err != nil {
		b.Fatal(err)
	}
	jobs := make([]cluster.Job, len(drawn))
	for i := range drawn {
		jobs[i] = cluster.Job{Submit: drawn[i].Submit, Run: drawn[i].Run, Procs: drawn[i].Procs}
	}
	programs, reference := asFake(b, usualLimits, "fcfs")
	for b.Loop() {
		if _, err := simulateBy(b.Context(), programs, reference, cluster.Config{Procs: 128}, jobs); err != nil {
			b.Fatal(err)
		}
	}
	events := float64(2*len(jobs)) * float64(b.N)
	b.ReportMetric(b.Elapsed().Seconds()*1e6/events, "µs/event")
	b.ReportMetric(events/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(0, "ns/op")
}
