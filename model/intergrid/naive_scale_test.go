// Comparison with the naive simulator on the clusters, intervals and requests of the study.

package intergrid

import (
	"context"
	"slices"
	"testing"

	"gridsweep/model"
)

// TestRunEqualsNaiveAtScale compares runs with the clusters and intervals of the study and its
// first requests. Their run times are longer, so that Grids negotiate.
func TestRunEqualsNaiveAtScale(t *testing.T) {
	p := defaults
	p.Trace, p.Months, p.Warmup, p.Update = model.TraceModel, 0.02, hour, 4*hour
	p.Level, p.K, p.Beta = 0.5, 0.45, 0.5
	grids, err := draw(context.Background(), p, environment(0, nil))
	if err != nil {
		t.Fatal(err)
	}
	for i := range grids {
		g := &grids[i]
		g.requests = slices.Clone(g.requests[:min(100, len(g.requests))])
		for k := range g.requests {
			r := &g.requests[k]
			r.run *= []int64{80, 60, 400}[i]
			if r.deadline != never {
				r.deadline = r.submit + 3*r.run
			}
		}
	}
	for _, negotiation := range []string{"instant", "tick"} {
		for _, assumptions := range [][3]string{{"all", "latest", "all"}, {"current", "finish", "above"}} {
			t.Run(negotiation+" "+assumptions[0], func(t *testing.T) {
				p := p
				p.Negotiation, p.Slots, p.Horizon, p.Queue = negotiation, assumptions[0], assumptions[1], assumptions[2]
				n := newNaive(p, grids)
				n.run()
				if n.ambiguous || n.endless || n.met["accept"]+n.met["counter taken"] == 0 {
					t.Fatalf("no request is redirected, or the result depends on rounding, or the run does not end: %v", n.met)
				}
				requireSameOutcome(t, n, grids)
				t.Log(n.met)
			})
		}
	}
}
