// Simulation tests: properties of whole runs, such as conserved requests and money, isolated Grids
// without contracts, and permuted Grids.

package intergrid

import (
	"cmp"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"gridsweep/model"
	"gridsweep/model/rng"
)

// weeks returns the Grids of the site models over some three weeks, of which the first day is a
// warm-up.
func weeks(t *testing.T, seed string, set ...func(*Parameters)) (Parameters, []grid) {
	t.Helper()
	p := defaults
	p.Trace, p.Months, p.Warmup, p.K = model.TraceModel, 0.7, day, 0.2
	for _, change := range set {
		change(&p)
	}
	grids, err := draw(t.Context(), p, model.Env{Seed: rng.New(seed)})
	if err != nil {
		t.Fatal(err)
	}
	return p, grids
}

func simulated(t *testing.T, p Parameters, grids []grid) (*world, Outcome) {
	t.Helper()
	w := newWorld(&p, grids)
	if err := w.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w, w.outcome()
}

// assumptions change the parameters; the rules must hold under each.
var assumptions = map[string]func(*Parameters){
	"default":      func(*Parameters) {},
	"no contracts": func(p *Parameters) { p.Contracts = false },
	"finish":       func(p *Parameters) { p.Horizon = "finish" },
	"current":      func(p *Parameters) { p.Slots = "current" },
	"above":        func(p *Parameters) { p.Queue = "above" },
	"tick":         func(p *Parameters) { p.Negotiation = "tick" },
	"buyer, steep": func(p *Parameters) { p.PriceOf, p.Beta = "buyer", 1 },
}

// TestRules checks rules of every run: requests are conserved, bookings are within the supply, no
// ticket is left, and the money and load that Grids give equal those that Grids get.
func TestRules(t *testing.T) {
	p, grids := weeks(t, "rules")
	for name, read := range assumptions {
		t.Run(name, func(t *testing.T) {
			p := p
			read(&p)
			w, out := simulated(t, p, grids)
			checkBookings(t, w)
			var away, hosted, messages int64
			var spent, earned float64
			for i, row := range out.Grids {
				if row.Served+row.Rejected+row.Waiting != row.Requests {
					t.Errorf("%s: %d requests: %d served, %d rejected, %d waiting", row.Grid, row.Requests, row.Served, row.Rejected,
						row.Waiting)
				}
				away, hosted = away+row.RedirectedJobs, hosted+row.HostedJobs
				spent, earned = spent+row.Spent, earned+row.Earned
				if *row.Utilisation > 100 || *row.BothWays > min(*row.Redirected, *row.Hosted) {
					t.Errorf("utilisation above 100 %%, or both ways above redirected or hosted: %+v", row)
				}
				for _, f := range w.gateways[i].results {
					if f.rejected && f.by != nil {
						t.Errorf("%s: rejected and served: %+v", row.Grid, f)
					}
				}
			}
			for _, row := range out.Contracts {
				if row.Offered != row.Accepted+row.Taken+row.Refused+row.Rejected {
					t.Errorf("offered is not the sum of the answers: %+v", row)
				}
				away -= row.Accepted + row.Taken
				spent -= row.Paid
			}
			if away != 0 || hosted != out.RedirectedJobs || math.Abs(spent) > 1e-6*earned ||
				math.Abs(earned-out.Paid) > 1e-6*earned {
				t.Errorf("away %d, hosted %d of %d, spent %v, earned %v of %v", away, hosted, out.RedirectedJobs, spent, earned,
					out.Paid)
			}
			for _, row := range out.MessagesByName {
				messages += row.Count
			}
			if messages != out.Messages || (messages > 0) != p.Contracts || (out.RedirectedJobs > 0) != p.Contracts {
				t.Errorf("%d messages of %d, %d requests redirected", messages, out.Messages, out.RedirectedJobs)
			}
		})
	}
}

// TestIsolated simulates Grids without contracts together and each alone: their rows are equal.
func TestIsolated(t *testing.T) {
	p, grids := weeks(t, "isolated")
	p.Contracts = false
	_, together := simulated(t, p, grids)
	for i := range grids {
		// The run ends with the last arrival at any Grid, so a second Grid has the last request of
		// the others.
		alone := []grid{grids[i], {name: "z", providers: grids[i].providers}}
		for k := range grids {
			if n := len(grids[k].requests); n > 0 {
				last := grids[k].requests[n-1]
				if len(alone[1].requests) == 0 || last.submit > alone[1].requests[0].submit {
					last.procs = 1
					alone[1].requests = []request{last}
				}
			}
		}
		_, out := simulated(t, p, alone)
		if diff := gocmp.Diff(together.Grids[i], out.Grids[0]); diff != "" {
			t.Error(diff)
		}
	}
}

// TestPermuted simulates the Grids in two orders: the rows are the same, in another order.
func TestPermuted(t *testing.T) {
	p, grids := weeks(t, "permuted")
	for name, read := range assumptions {
		t.Run(name, func(t *testing.T) {
			p := p
			read(&p)
			_, want := simulated(t, p, grids)
			_, got := simulated(t, p, []grid{grids[2], grids[0], grids[1]})
			byName := func(a, b GridRow) int { return cmp.Compare(a.Grid, b.Grid) }
			slices.SortFunc(want.Grids, byName)
			slices.SortFunc(got.Grids, byName)
			byPair := func(a, b ContractRow) int {
				return cmp.Or(cmp.Compare(a.Buyer, b.Buyer), cmp.Compare(a.Seller, b.Seller))
			}
			slices.SortFunc(want.Contracts, byPair)
			slices.SortFunc(got.Contracts, byPair)
			for i := range want.Grids { // sums of money in another order
				want.Grids[i].Earned, got.Grids[i].Earned = math.Round(want.Grids[i].Earned), math.Round(got.Grids[i].Earned)
			}
			if diff := gocmp.Diff([]any{want.Grids, want.Contracts, want.MessagesByName},
				[]any{got.Grids, got.Contracts, got.MessagesByName}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWithoutDeadlines checks that no request is rejected and all are run where none has a
// deadline. If the run lasts until all have ended, the points of utilisation times CPUs that one
// Grid loses are those that the others gain.
func TestWithoutDeadlines(t *testing.T) {
	p, grids := weeks(t, "balance", func(p *Parameters) { p.DeadlineShare = 0 })
	for i := range grids {
		late := request{submit: 300 * day, run: 1, procs: 1, deadline: never}
		grids[i].requests = append(slices.Clone(grids[i].requests), late)
	}
	p.Warmup = 0
	_, with := simulated(t, p, grids)
	p.Contracts = false
	_, without := simulated(t, p, grids)
	var lost, gained float64
	for i, row := range with.Grids {
		if row.Rejected+row.Waiting+without.Grids[i].Rejected+without.Grids[i].Waiting != 0 {
			t.Errorf("%s: %d and %d of %d requests served", row.Grid, row.Served, without.Grids[i].Served, row.Requests)
		}
		points := (*row.Utilisation - *without.Grids[i].Utilisation) * *row.Offered
		lost, gained = lost-min(points, 0), gained+max(points, 0)
	}
	if lost == 0 || math.Abs(lost-gained) > 1e-9*lost {
		t.Errorf("lost %v points x CPUs, gained %v", lost, gained)
	}
}
