package workload

import (
	"context"
	"testing"

	"gridsweep/model/rng"
)

func BenchmarkLublin(b *testing.B) {
	for _, name := range []string{"lublin", "lublin-mixed", "das2", "ctc-sp2"} {
		b.Run(name, func(b *testing.B) {
			m, err := Find(name)
			if err != nil {
				b.Fatal(err)
			}
			const jobs = 1_000_000
			o := Options{Jobs: jobs}
			if m.Scalable {
				o.Procs, o.Load = 1024, 0.95
			}
			for b.Loop() {
				if _, err := m.Generate(context.Background(), o, rng.New("bench")); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(jobs*b.N)/b.Elapsed().Seconds()/1e6, "Mjobs/s")
		})
	}
}
