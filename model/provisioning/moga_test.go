// Search tests: fair selection, shuffled parents, cancellation, and the effect of each parameter.

package provisioning

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"

	"gridsweep/model"
	"gridsweep/model/rng"
)

// pointed returns a search whose members have one slot each and equal results; some are infeasible.
func pointed(seed int, feasible ...bool) *search {
	s := &search{slots: len(feasible), random: rng.New("pointed").Child(strconv.Itoa(seed)).Stream("selection")}
	s.population = len(feasible)
	for i, ok := range feasible {
		p := newPlan(len(feasible))
		p.flip(i)
		s.members = append(s.members, member{plan: p, costs: costs{makespan: 1}, feasible: ok})
	}
	return s
}

// A member is a parent in proportion to its fitness.
func TestSelectionIsFair(t *testing.T) {
	const draws = 6000
	parents := [3]int{}
	for seed := range draws {
		s := pointed(seed, true, false, false) // fitness 3, 1.5, 1.5
		s.assignFitness()
		s.sample()
		for _, p := range s.parents {
			for i := range parents {
				if p.has(i) {
					parents[i]++
				}
			}
		}
	}
	for i, share := range [3]float64{1.5, 0.75, 0.75} {
		if have := float64(parents[i]) / draws; have < share-0.04 || have > share+0.04 {
			t.Errorf("member %d is a parent %v times, want %v", i, have, share)
		}
	}
}

// Every order of the parents is equally likely.
func TestParentsAreShuffled(t *testing.T) {
	const draws = 6000
	orders := map[string]int{}
	for seed := range draws {
		s := pointed(seed, true, true, true)
		s.assignFitness()
		s.sample()
		order := ""
		for _, p := range s.parents {
			order += p.list()
		}
		orders[order]++
	}
	for _, order := range []string{"123", "132", "213", "231", "312", "321"} {
		if n := orders[order]; n < draws/6-150 || n > draws/6+150 {
			t.Errorf("the order %s comes %d times, want some %d: %v", order, n, draws/6, orders)
		}
	}
}

// A plan that is in the archive alone is a parent under breeding only.
func TestArchiveBreedsUnderBreeding(t *testing.T) {
	for _, breeding := range []bool{false, true} {
		bred := 0
		for seed := range 100 {
			s := pointed(seed, true, true)
			s.breeding, s.population, s.seen = breeding, 1, map[string]member{}
			archived := s.members[0]
			archived.makespan = 0 // dominates the other one
			s.front.add(solution{plan: archived.plan, costs: archived.costs})
			s.members = s.members[1:]
			s.schedule = func(plan) (costs, bool) { return costs{makespan: 1}, true }
			if err := s.nextGeneration(t.Context()); err != nil {
				t.Fatal(err)
			}
			if len(s.members) != 1 {
				t.Fatalf("%d members, want 1", len(s.members))
			}
			if s.members[0].plan.has(0) {
				bred++
			}
		}
		if (bred > 0) != breeding {
			t.Errorf("breeding %t: the archive's plan is a parent in %d of 100 populations", breeding, bred)
		}
	}
}

// A search ends with its context before the next plan, in the first population as in a generation:
// a plan alone can take seconds.
func TestSearchEnds(t *testing.T) {
	for plans := 1; plans <= 7; plans++ {
		ctx, cancel := context.WithCancel(t.Context())
		slots := make([]slot, 64) // of which no two plans are equal
		s := newSearch(genetics{population: 3, generations: 2, mutation: 32},
			&scheduler{slots: slots, workflow: cyberShake()},
			rng.New("ends"))
		left := plans
		s.schedule = func(plan) (costs, bool) {
			if left--; left == 0 {
				cancel()
			}
			return costs{}, false
		}
		if err := s.run(ctx); !errors.Is(err, context.Canceled) || left != 0 {
			t.Errorf("cancelled in plan %d: %v after %d", plans, err, plans-left)
		}
	}
}

// Each parameter of the search changes the plans that it meets, and so does the replication.
func TestParametersReachTheSearch(t *testing.T) {
	met := func(p Parameters, replication int) []string {
		var plans []string
		for row := range run(t, p, replication).Plans {
			plans = append(plans, row.Plan)
		}
		slices.Sort(plans)
		return plans
	}
	base := small()
	base.Window = 12 * day // of few slots
	want := met(base, 0)
	for name, change := range map[string]func(*Parameters){
		"population": func(p *Parameters) { p.Population++ }, "generations": func(p *Parameters) { p.Generations++ },
		"crossover": func(p *Parameters) { p.Crossover = 3 }, "mutation": func(p *Parameters) { p.Mutation = 2 },
		"elitism":    func(p *Parameters) { p.Elitism = "breeding" },
		"scheduler":  func(p *Parameters) { p.Scheduler = "max-min" },
		"cross_slot": func(p *Parameters) { p.CrossSlot = "only_if_needed" },
	} {
		p := base
		if change(&p); slices.Equal(want, met(p, 0)) {
			t.Errorf("%s changes nothing", name)
		}
	}
	env := func(replication int) model.Env { return model.New(Spec).Env(1, replication, nil) }
	slots, w := []slot{{procs: 100, end: 1, unit: 1, divisible: true, extensible: true}}, workflowOf(base, env(0))
	slots = slices.Repeat(slots, 70)
	var first [2]plan
	for replication := range first {
		s, err := searchOffers(t.Context(), base, env(replication), slots, w)
		if err != nil {
			t.Fatal(err)
		}
		first[replication] = s.solutions[1].plan
	}
	if first[0].compare(first[1]) == 0 {
		t.Error("two replications draw the same plans")
	}
}
