// Benchmarks of whole runs of the scaling experiment under each strategy.

package brokering

import (
	"context"
	"fmt"
	"testing"

	"gridsweep/model"
)

// BenchmarkSimulation runs the scaling experiment, up to 224,000 jobs of 18 domains. Under the two
// aggregations thousands of jobs wait although some resource fits them, since aggregated
// information shows free resources that do not exist.
func BenchmarkSimulation(b *testing.B) {
	for _, strategy := range []string{"REGULAR", "AGGR_SIMP", "AGGR_CAT", "SLOW"} {
		for _, n := range []int64{3, 9, 18} {
			b.Run(fmt.Sprintf("%s/%d", strategy, n), func(b *testing.B) {
				p := scaling(n)
				p.Strategy = strategy
				domains := drawDomains(b, p)
				b.ReportAllocs()
				jobs := 0
				for b.Loop() {
					out, err := runJobs(context.Background(), p, domains)
					if err != nil {
						b.Fatal(err)
					}
					jobs += int(out.Jobs)
				}
				b.ReportMetric(float64(jobs)/b.Elapsed().Seconds(), "jobs/s")
			})
		}
	}
}

// scaling returns the parameters of the scaling experiment.
func scaling(domains int64) Parameters {
	p := defaults
	p.Domains, p.Load, p.Trace = domains, 0.84, model.TraceModel
	p.MediumClusters = "Intel/Linux 146,128,79,48; AMD/Linux 128,40,24; AMD/AIX 106; AMD/AIX 96; AMD/Linux 94; " +
		"Intel/AIX 64,32"
	return p
}

// drawDomains returns the domains of a replication.
func drawDomains(tb testing.TB, p Parameters) []domain {
	domains, err := draw(context.Background(), p, model.New(Spec).Env(1, 0, nil))
	if err != nil {
		tb.Fatal(err)
	}
	return domains
}
