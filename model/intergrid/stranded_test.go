// Tests of stranded requests: what is counted for them while they wait, and when they get a slot.

package intergrid

import (
	"context"
	"slices"
	"testing"
)

// TestStranded has requests of 40 CPUs that only an on-off provider of A can run, which offers none
// before second 150. Until then they are offered to B in each instant and rejected; only the second
// one counts, as the first is submitted in the warm-up. The last arrival keeps the instants going.
func TestStranded(t *testing.T) {
	p := scenario()
	p.Slots, p.Warmup = "current", 30
	grids := twoGrids(0, 0)
	grids[0].providers = append(grids[0].providers, provider{
		cpus: 400, cost: 1, supply: []supplyInterval{{until: 150}, {until: never, cpus: 400}},
	})
	grids[0].requests = []request{
		{submit: 10, run: 5, procs: 40, deadline: never},
		{submit: 60, run: 5, procs: 40, deadline: never},
		{submit: 300, run: 5, procs: 1, deadline: never},
	}
	w := newWorld(&p, grids)
	if err := w.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	// Of the instants 60 and 120 after the warm-up; at 180 they cost A less than B asks.
	if messages := []int64{2, 0, 0, 2, 0}; !slices.Equal(w.messages[:], messages) {
		t.Errorf("%d messages, want %d", w.messages, messages)
	}
	a := w.gateways[0]
	if want := (ContractRow{Offered: 2, Rejected: 2}); a.contracts[0].row != want {
		t.Errorf("counts %+v, want %+v", a.contracts[0].row, want)
	}
	for i, start := range []int64{180, 180} {
		if r := a.results[i]; r.by != a || r.slot != (slot{1, start}) {
			t.Errorf("request %d at %+v, want on provider 2 at %d", i+1, r.slot, start)
		}
	}
	if len(a.stranded.requests) > 0 {
		t.Errorf("%d requests are still stranded", len(a.stranded.requests))
	}
}
