// Benchmarks of the aggregation algorithms on domains of several sizes.

package brokering

import (
	"fmt"
	"testing"

	"gridsweep/model/brokering/information"
	"gridsweep/model/rng"
)

// BenchmarkAggregate aggregates all computers of a domain, as a broker does when one has changed:
// 12 computers are a large domain.
func BenchmarkAggregate(b *testing.B) {
	for _, computers := range []int64{12, 10_000} {
		p := aggregationDefaults
		p.Computers = computers
		if computers == 12 {
			p.Vendors, p.Systems = 3, 3
		}
		info := drawComputers(b.Context(), p, rng.New("benchmark").Stream("computers"))
		var a information.Aggregator
		for _, form := range []struct {
			name string
			by   information.Split
		}{{"simple", information.Whole}, {"own", information.Own}, {"each", information.Each},
			{"paired", information.Paired}, {"joint", information.Joint}} {
			b.Run(fmt.Sprintf("%s/%d", form.name, computers), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					a.Aggregate(info, form.by)
				}
				b.ReportMetric(float64(computers)*float64(b.N)/b.Elapsed().Seconds(), "computers/s")
			})
		}
	}
}
