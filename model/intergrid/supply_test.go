// Supply tests: intervals and costs of providers against the bounds and means of Table 1, and
// independence from the order of Grids.

package intergrid

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
	"gridsweep/model/rng"
)

// supplied returns Grids of one request each, the last Grid's at a second, with their providers'
// supply and costs of a seed.
func supplied(p Parameters, last int64, seed string) []grid {
	grids := newGrids(p)
	for i := range grids {
		grids[i].requests = []request{{submit: last / int64(len(grids)-i), run: 1, deadline: never, procs: 1}}
	}
	drawSupply(p, grids, rng.New(seed))
	return grids
}

// Intervals follow one another, ON and OFF in turn, within the bounds of Table 1, up to a year
// after the last arrival and no further; then everything is offered.
func TestIntervals(t *testing.T) {
	p := defaults
	p.PriceLoad = "offered"
	const last = 100 * day
	for _, g := range supplied(p, last, "intervals") {
		for k, v := range g.providers {
			end := v.supply[len(v.supply)-1]
			if end != (supplyInterval{until: never, cpus: v.cpus, load: 1}) {
				t.Errorf("provider %d of %s ends with %+v", k+1, g.name, end)
			}
			if v.dedicated != (len(v.supply) == 1) {
				t.Errorf("provider %d of %s has %d intervals", k+1, g.name, len(v.supply))
				continue
			}
			on, from := v.supply[0].load >= 0.5, int64(0)
			for _, interval := range v.supply[:len(v.supply)-1] {
				length, bounds, shares := interval.until-from, [2]int64{12 * hour, 48 * hour}, [2]float64{0.2, 0.5}
				if on {
					bounds, shares = [2]int64{24 * hour, 72 * hour}, [2]float64{0.5, 1}
				}
				if length < bounds[0] || length > bounds[1] || interval.load < shares[0] || interval.load > shares[1] ||
					interval.cpus != int32(math.Round(interval.load*float64(v.cpus))) || from >= last+year {
					t.Fatalf("provider %d of %s: ON %t from %d: %+v", k+1, g.name, on, from, interval)
				}
				from, on = interval.until, !on
			}
			if !v.dedicated && from < last+year {
				t.Errorf("provider %d of %s: the last interval ends at %d", k+1, g.name, from)
			}
		}
	}
}

// Lengths and shares that do not vary show how times and CPUs are rounded, and that the bounds are
// reached.
func TestFixedIntervals(t *testing.T) {
	p := defaults
	p.DAS2OnOff, p.OnMin, p.OnMax, p.OffMin, p.OffMax = "5", 100*day, 100*day, 50*day, 50*day
	p.OnShareMin, p.OnShareMax, p.OffShareMin, p.OffShareMax, p.PriceLoad = 0.5, 0.5, 0.25, 0.25, "none"
	v := supplied(p, 85*day, "ON first")[0].providers[3]
	// 2.5 CPUs are 3, 1.25 are 1; the third cycle ends on the second itself
	want := []supplyInterval{
		{until: 100 * day, cpus: 3}, {until: 150 * day, cpus: 1}, {until: 250 * day, cpus: 3}, {until: 300 * day, cpus: 1},
		{until: 400 * day, cpus: 3}, {until: 450 * day, cpus: 1}, {until: never, cpus: 5},
	}
	if diff := cmp.Diff(want, v.supply, unexported); diff != "" {
		t.Errorf("supply (-want +have):\n%s", diff)
	}
}

// Lengths are rounded, so that both ends of U(100 d, 100 d + 1 s) occur. No two providers of any
// Grids share a draw.
func TestDrawsOfProviders(t *testing.T) {
	p := defaults
	p.AuverGridDedicated, p.AuverGridOnOff = p.DAS2Dedicated, p.DAS2OnOff
	p.OnMin, p.OnMax, p.OffMin, p.OffMax = 100*day, 100*day+1, 100*day, 100*day+1
	lengths := map[int64]bool{}
	costs, loads := map[float64]bool{}, map[float64]bool{}
	providers, onOff := 0, 0
	for _, g := range supplied(p, 0, "providers") {
		for _, v := range g.providers {
			providers++
			costs[v.cost] = true
			if !v.dedicated {
				onOff++
				lengths[v.supply[0].until], loads[v.supply[0].load] = true, true
			}
		}
	}
	if len(costs) != providers || len(loads) != onOff {
		t.Errorf("%d costs of %d providers, %d first loads of %d", len(costs), providers, len(loads), onOff)
	}
	if !lengths[100*day] || !lengths[100*day+1] || len(lengths) != 2 {
		t.Errorf("lengths %v, want both 100 d and 100 d + 1 s", lengths)
	}
}

// Table 1: an on-off provider offers 59.6 % in the mean, and is ON first in 48 of 78 cases. Costs
// are uniform.
func TestMeanSupply(t *testing.T) {
	const replications, window = 300, 121 * day
	first, onOff, costs, providers := 0, 0, 0.0, 0
	offered := [3]float64{}
	for replication := range replications {
		for i, g := range supplied(defaults, window, "round "+strconv.Itoa(replication)) {
			for k := range g.providers {
				v := &g.providers[k]
				providers++
				costs += v.cost
				if v.cost < 0.9 || v.cost >= 1 {
					t.Fatalf("a cost of %v", v.cost)
				}
				offered[i] += meanOffered(v, window) / replications
				if v.dedicated {
					continue
				}
				onOff++
				if v.supply[0].load <= 0.5 {
					first++
				}
			}
		}
	}
	// 316, 378 and 1,044
	for i, want := range []float64{192 + 0.596*208, 234 + 0.596*241, 648 + 0.596*664} {
		if math.Abs(offered[i]-want) > 0.005*want {
			t.Errorf("%s offers %.1f CPUs, want %.1f", gridNames[i], offered[i], want)
		}
	}
	share, sd := 48.0/78, math.Sqrt(48.0/78*30/78/float64(onOff))
	if have := float64(first) / float64(onOff); math.Abs(have-share) > 4*sd {
		t.Errorf("%.3f of %d begin ON, want %.3f", have, onOff, share)
	}
	if mean := costs / float64(providers); math.Abs(mean-0.95) > 4*0.1/math.Sqrt(12*float64(providers)) {
		t.Errorf("the mean cost is %v, want 0.95", mean)
	}
}

func TestPriceLoad(t *testing.T) {
	loads := map[string][]supplyInterval{}
	for _, assumption := range []string{"local", "offered", "none"} {
		p := defaults
		p.PriceLoad = assumption
		grids := supplied(p, 0, "price")
		loads[assumption] = grids[0].providers[3].supply
		if dedicated := grids[0].providers[0].supply; (dedicated[0].load == 1) != (assumption == "offered") {
			t.Errorf("%s: a dedicated provider has %+v", assumption, dedicated)
		}
	}
	for i, offered := range loads["offered"] {
		local, none := loads["local"][i], loads["none"][i]
		if local.load != 1-offered.load || none.load != 0 || local.cpus != offered.cpus || local.until != offered.until {
			t.Errorf("interval %d: %+v, %+v, %+v", i+1, offered, local, none)
		}
	}
}

// Draws depend neither on the order of the Grids nor on later providers.
func TestOrderOfGrids(t *testing.T) {
	p := quick()
	env := environment(0, nil)
	shuffled := func(order []int) []grid {
		grids := newGrids(p)
		permuted := []grid{grids[order[0]], grids[order[1]], grids[order[2]]}
		if err := takeRequests(context.Background(), p, permuted, env); err != nil {
			t.Fatal(err)
		}
		drawSupply(p, permuted, env.Seed)
		ends, err := runBase(context.Background(), permuted)
		if err != nil {
			t.Fatal(err)
		}
		drawDeadlines(p, permuted, ends, env.Seed)
		return permuted
	}
	want := drawn(t, p, env)
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}, {1, 0, 2}} {
		for i, g := range shuffled(order) {
			if !same(want[order[i]], g) {
				t.Errorf("in the order %v, %s has other draws", order, g.name)
			}
		}
	}
	p.DAS2Dedicated += ",7"
	p.AuverGridOnOff += ",20"
	more := drawn(t, p, env)
	if diff := cmp.Diff(want[0].providers, slices.Delete(slices.Clone(more[0].providers), 3, 4), unexported); diff != "" {
		t.Errorf("one more provider changes others:\n%s", diff)
	}
	if diff := cmp.Diff(want[1].providers, more[1].providers[:5], unexported); diff != "" {
		t.Errorf("one more provider changes others:\n%s", diff)
	}
	if !same(want[2], more[2]) {
		t.Error("one more provider changes another Grid")
	}
}

func TestValidateProviders(t *testing.T) {
	for _, c := range []struct {
		change      func(*Parameters)
		field, text string
	}{
		{func(p *Parameters) { p.DAS2OnOff = "64,536870912" }, "das2_on_off",
			"a provider of 536870912 CPUs: take at most 268435456"},
		{func(p *Parameters) { p.Months, p.OnMin, p.OnMax, p.OffMin, p.OffMax = 24, 1, 1, 1, 1 }, "on_max",
			"12 on-off providers would have 1.14e+09 ON and OFF intervals together"},
	} {
		p := defaults
		c.change(&p)
		if !slices.ContainsFunc(validate(p), func(problem model.Problem) bool {
			return problem.Field == c.field && strings.Contains(problem.Text, c.text)
		}) {
			t.Errorf("problems %q, want one of %s that says: %s", validate(p), c.field, c.text)
		}
	}
	p := defaults
	p.OnMin, p.OnMax, p.OffMin, p.OffMax = 3000, 3000, 3000, 3000 // some 170,000
	if problems := validate(p); len(problems) > 0 {
		t.Errorf("problems %q", problems)
	}
}

// forEver returns the supply of a provider that always offers so many CPUs.
func forEver(cpus int32) []supplyInterval { return []supplyInterval{{until: never, cpus: cpus}} }
