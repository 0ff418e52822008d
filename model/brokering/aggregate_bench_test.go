package brokering

import (
	"fmt"
	"testing"

	"gridsweep/model/rng"
)

// A broker's resources are aggregated anew whenever one has changed: 12 computers are a large domain.
func BenchmarkAggregate(b *testing.B) {
	for _, computers := range []int64{12, 10_000} {
		p := aggregationDefaults
		p.Computers = computers
		if computers == 12 {
			p.Vendors, p.Systems = 3, 3
		}
		info := drawComputers(b.Context(), p, rng.New("benchmark").Stream("computers"))
		var a aggregator
		for _, form := range []struct {
			name string
			by   split
		}{{"simple", whole}, {"own", own}, {"each", each}, {"paired", paired}, {"joint", joint}} {
			b.Run(fmt.Sprintf("%s/%d", form.name, computers), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					a.aggregate(info, form.by)
				}
				b.ReportMetric(float64(computers)*float64(b.N)/b.Elapsed().Seconds(), "computers/s")
			})
		}
	}
}
