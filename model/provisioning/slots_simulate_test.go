// Tests of the study of static slots: distributions of drawn slots, independent sites, effects of
// parameters, and shared searches.

package provisioning

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"gridsweep/model"
)

// Gaps, durations and processors of slots have the means of the parameters, within four standard
// deviations.
func TestSlotsDistributions(t *testing.T) {
	p := slotsDefaults
	p.Sites, p.SlotGap, p.SlotLength, p.Until = "40", 500, 2000, 10_000_000
	slots := drawSlots(p, model.New(SlotsSpec).Env(1, 0, nil).Seed)
	n, lengths, procs := float64(len(slots)), 0.0, 0.0
	for _, s := range slots {
		lengths += float64(s.end - s.start)
		procs += float64(s.procs)
	}
	near := func(what string, got, want, deviation float64) {
		if math.Abs(got-want) > 4*deviation {
			t.Errorf("%s: %v, want %v ± %v", what, got, want, 4*deviation)
		}
	}
	near("mean gap", float64(slots[len(slots)-1].start)/(n-1), 500, 500/math.Sqrt(n))
	near("mean duration", lengths/n, 2000, 2000/math.Sqrt(n))
	near("mean processors", procs/n, 20.5, 40/math.Sqrt(12*n))
}

// Each site draws its own slots, independent of other sites, and so does each replication.
func TestSitesDrawAlone(t *testing.T) {
	draw := func(sites string, replication int) (all [][]slot) {
		p := slotsDefaults
		p.Sites = sites
		for _, s := range drawSlots(p, model.New(SlotsSpec).Env(1, replication, nil).Seed) {
			for len(all) <= int(s.site) {
				all = append(all, nil)
			}
			s.site = 0
			all[len(all)-1] = append(all[len(all)-1], s)
		}
		return all
	}
	two, other := draw("40,40", 0), draw("7,40", 0)
	if slices.Equal(two[0], two[1]) || slices.Equal(two[0], draw("40", 1)[0]) {
		t.Error("two sites or two replications have the same slots")
	}
	if !slices.Equal(two[1], other[1]) {
		t.Error("the slots of the second site depend on the first one")
	}
}

// TestSlotsOutcome checks the report of a run of static slots except for its plans.
func TestSlotsOutcome(t *testing.T) {
	p := slotsDefaults
	p.Population, p.Generations = 20, 4
	env := model.New(SlotsSpec).Env(1, 0, nil)
	o, err := simulateSlots(t.Context(), p, env)
	if err != nil {
		t.Fatal(err)
	}
	if want := float64(slotsWorkflow(p, env).work()) / 3600; o.LeastCost != want {
		t.Errorf("least cost %v SU, want %v", o.LeastCost, want)
	}
	for i, g := range o.Generations {
		if g.Generation != int64(i) {
			t.Errorf("generation %d is %+v", i, g)
		}
	}
	for _, c := range o.Choices {
		isChosen := func(row SlotsPlanRow) bool { return row.Makespan == *c.Makespan && row.Cost == *c.Cost }
		at := slices.IndexFunc(o.Plans, isChosen)
		if at < 0 || *c.Slots != o.Plans[at].Slots {
			t.Errorf("for α %v %d slots are chosen, of %+v", c.Alpha, *c.Slots, o.Plans)
		}
	}
}

// Each parameter of the search changes the plans that it meets.
func TestParametersReachTheSlotsSearch(t *testing.T) {
	met := func(p SlotsParameters) []string {
		o, err := simulateSlots(t.Context(), p, model.New(SlotsSpec).Env(1, 0, nil))
		if err != nil {
			t.Fatal(err)
		}
		var plans []string
		for _, row := range o.Plans {
			plans = append(plans, row.Plan)
		}
		slices.Sort(plans)
		return plans
	}
	base := slotsDefaults
	base.Population, base.Generations, base.AllPlans = 12, 4, true
	want := met(base)
	for name, change := range map[string]func(*SlotsParameters){
		"population":  func(p *SlotsParameters) { p.Population++ },
		"generations": func(p *SlotsParameters) { p.Generations++ },
		"crossover":   func(p *SlotsParameters) { p.Crossover = 3 }, "mutation": func(p *SlotsParameters) { p.Mutation = 2 },
		"elitism": func(p *SlotsParameters) { p.Elitism = "breeding" },
	} {
		p := base
		if change(&p); slices.Equal(want, met(p)) {
			t.Errorf("%s changes nothing", name)
		}
	}
}

// sharing is a host that keeps the values of Memo.
type sharing struct {
	model.Host
	kept map[any]any
}

func (s sharing) Memo(ctx context.Context, key any, build func(context.Context) (any, error)) (any, error) {
	if value, ok := s.kept[key]; ok {
		return value, nil
	}
	value, err := build(ctx)
	s.kept[key] = value
	return value, err
}

// The runs of a replication search once for each scheduler, whichever plans they report, and have
// the same outcome as without sharing.
func TestSlotsRunsShareSearches(t *testing.T) {
	p := slotsDefaults
	p.Population, p.Generations = 10, 2
	shared := sharing{kept: map[any]any{}}
	for _, p.AllPlans = range []bool{false, true} {
		for _, p.Scheduler = range schedulers {
			have, err := simulateSlots(t.Context(), p, model.New(SlotsSpec).Env(1, 0, shared))
			if err != nil {
				t.Fatal(err)
			}
			want, err := simulateSlots(t.Context(), p, model.New(SlotsSpec).Env(1, 0, nil))
			if err != nil || !reflect.DeepEqual(want, have) {
				t.Errorf("%s: %+v with shared searches, %+v alone (%v)", p.Scheduler, have, want, err)
			}
		}
	}
	if len(shared.kept) != len(schedulers) {
		t.Errorf("%d searches, want %d", len(shared.kept), len(schedulers))
	}
}
