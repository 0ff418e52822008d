// Comparison with the naive simulator: whole outcomes of drawn worlds under all combinations of
// assumptions. Each branch of the rules must occur.

package intergrid

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// branches are the branches that the compared worlds must take, each at least once.
var branches = []string{
	"accept", "counter taken", "counter refused", "reject", "rejected deadline", "stays in the queue", "waiting", "booked",
	"ticket freed instant", "ticket freed tick", "several offers", "not above the price", "below the threshold",
	"booked at arrival", "queued at arrival", "horizon latest", "horizon finish", "unknown slots",
	"runs in the warm-up", "runs on a later day",
}

// TestRunEqualsNaive compares whole outcomes under all combinations of assumptions. With
// -rapid.checks=10000 it compares more.
func TestRunEqualsNaive(t *testing.T) {
	met := map[string]int{}
	for _, negotiation := range []string{"instant", "tick"} {
		for _, queue := range []string{"all", "above"} {
			for _, slots := range []string{"all", "current"} {
				for _, horizon := range []string{"latest", "finish"} {
					for _, trigger := range []string{"price", "price-and-threshold"} {
						p := defaults
						p.Negotiation, p.Queue, p.Slots, p.Horizon, p.Trigger = negotiation, queue, slots, horizon, trigger
						t.Run(strings.Join([]string{negotiation, queue, slots, horizon, trigger}, " "), func(t *testing.T) {
							rapid.Check(t, func(t *rapid.T) { compareRun(t, p, met) })
						})
					}
				}
			}
		}
	}
	for _, branch := range branches {
		if met[branch] == 0 {
			t.Errorf("no world had the branch %q", branch)
		}
	}
	if left := met["worlds that depend on rounding"]; 5*left > met["worlds"] {
		t.Errorf("%d of %d worlds depend on rounding and were not compared, want at most a fifth", left, met["worlds"])
	}
	for _, branch := range slices.Sorted(maps.Keys(met)) {
		t.Logf("%9d %s", met[branch], branch)
	}
}

func compareRun(t *rapid.T, p Parameters, met map[string]int) {
	unit := rapid.SampledFrom([]int64{1, 1, 1, 20, 5000}).Draw(t, "unit of time")
	drawParameters(t, &p, unit)
	p.PriceLoad = rapid.SampledFrom([]string{"local", "offered", "none"}).Draw(t, "price_load")
	grids := drawWorld(t, unit, p.PriceLoad)
	drawWorldDeadlines(t, grids)
	n := newNaive(p, grids)
	if n.last < 0 {
		t.Skip("no request")
	}
	n.run()
	met["worlds"]++
	switch {
	case n.ambiguous:
		met["worlds that depend on rounding"]++
		return
	case n.endless:
		met["worlds without end"]++
		return
	}
	n.note(met)
	requireSameOutcome(t, n, grids)
}

// requireSameOutcome compares the outcome of the simulator, under canonical parameters, with that
// of the naive one.
func requireSameOutcome(t rapid.TB, n *naive, grids []grid) {
	t.Helper()
	p, want := n.p, n.outcome()
	out, err := simulateGrids(context.Background(), canonical(p), grids)
	if err != nil {
		t.Fatalf("simulate: %v\n%+v\n%s", err, p, describeGrids(grids))
	}
	got := naiveOutcome{Outcome: out, Rows: slices.Collect(out.Requests)}
	got.Requests = nil
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateApprox(1e-9, 1e-9)); diff != "" {
		t.Fatalf("outcomes differ (-naive +simulator):\n%s\n%+v\n%s", diff, p, describeGrids(grids))
	}
}

// TestTickEndsWithItsNegotiations has a counter-offer refused in the instant in which the last
// negotiation ends: the ticket is not freed, and a request without a slot waits for ever, though
// one opens a second later.
func TestTickEndsWithItsNegotiations(t *testing.T) {
	p := defaults
	p.Negotiation, p.Slots, p.Interval, p.Update, p.Warmup = "tick", "current", 8, 1, 0
	p.Beta, p.K = 1.5, 0.8
	always := forEver(1)
	grids := []grid{
		{name: "AuverGrid", providers: []provider{
			{cpus: 2, dedicated: true, cost: 1, supply: forEver(2)},
		}},
		{
			name: "DAS-2",
			providers: []provider{
				{cpus: 1, cost: 0.98, supply: always}, {cpus: 1, cost: 0.93, supply: always},
				{cpus: 4, cost: 0.94, supply: []supplyInterval{{until: 17}, {until: never, cpus: 4}}},
			},
			requests: []request{
				{run: 1, deadline: never, procs: 1},
				{run: 1, deadline: never, procs: 1},
				{run: 1, deadline: never, procs: 4},
			},
		},
	}
	n := newNaive(p, grids)
	n.run()
	refused, freed, waiting := n.met["counter refused"], n.met["ticket freed tick"], len(n.grids[1].queue)
	if refused != 1 || freed != 0 || waiting != 1 {
		t.Fatalf("%d counter-offers refused, %d tickets freed, %d requests waiting, want 1, 0 and 1", refused, freed, waiting)
	}
	requireSameOutcome(t, n, grids)
}

// note counts the branches that a world took.
func (n *naive) note(met map[string]int) {
	out := n.outcome()
	for branch, times := range n.met {
		met[branch] += times
	}
	for _, row := range out.Grids {
		met["waiting"] += int(row.Waiting)
	}
	if n.p.Warmup > 0 && len(out.Rows) > 0 {
		met["runs in the warm-up"]++
	}
	if len(out.Days) > len(n.grids) {
		met["runs on a later day"]++
	}
}
