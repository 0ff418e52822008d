// Comparison of the genetic algorithm's ranks, niches and variation with a naive implementation and
// with their distributions.

package provisioning

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model/rng"
)

// naiveMember is a member of a population: a point if it is feasible.
type naiveMember struct {
	naivePoint
	Feasible bool
}

// naiveFitness returns the fitness of all members of a population after sharing.
func naiveFitness(members []naiveMember) []float64 {
	n := len(members)
	ranks := make([]int, n)
	for i, m := range members {
		ranks[i] = 1
		for _, o := range members {
			if !m.Feasible || o.Feasible && o.dominates(m.naivePoint) {
				ranks[i]++ // an infeasible one has n + 1, more than any other can
			}
		}
	}
	sorted := slices.Sorted(slices.Values(ranks))
	fitness := make([]float64, n)
	for i, rank := range ranks {
		first, last := slices.Index(sorted, rank), n-1
		for sorted[last] != rank {
			last--
		}
		fitness[i] = (float64(n-first) + float64(n-last)) / 2
	}
	shared := slices.Clone(fitness)
	for i, m := range members {
		if m.Feasible {
			shared[i] /= naiveNiche(members, ranks, i)
		}
	}
	scaled := make([]float64, n)
	for i := range members {
		was, is := 0.0, 0.0
		for j := range members {
			if ranks[j] == ranks[i] {
				was += fitness[j]
				is += shared[j]
			}
		}
		scaled[i] = shared[i] * was / is
	}
	return scaled
}

// naiveNiche returns the niche count of a feasible member.
func naiveNiche(members []naiveMember, ranks []int, i int) float64 {
	sigma := 1.0
	if n := len(members); n > 3 {
		sigma = 2 / float64(n-1)
	}
	apart := func(cost func(m naiveMember) float64, a, b naiveMember) float64 {
		least, largest := math.Inf(1), math.Inf(-1)
		for _, m := range members {
			if m.Feasible {
				least, largest = min(least, cost(m)), max(largest, cost(m))
			}
		}
		if least == largest {
			return 0
		}
		return math.Abs(cost(a)-cost(b)) / (largest - least)
	}
	niche := 0.0
	for j, o := range members {
		if ranks[j] == ranks[i] {
			ac := apart(func(m naiveMember) float64 { return m.AC }, members[i], o)
			sc := apart(func(m naiveMember) float64 { return float64(m.SC) }, members[i], o)
			niche += max(0, 1-max(ac, sc)/sigma)
		}
	}
	return niche
}

// drawPopulation draws members with different plans, many with equal costs, and a search with these
// members.
func drawPopulation(t *rapid.T) ([]naiveMember, *search) {
	members := make([]naiveMember, rapid.IntRange(1, 25).Draw(t, "members"))
	most := rapid.Int64Range(0, 30).Draw(t, "largest cost")
	s := &search{genetics: genetics{population: len(members)}, slots: len(members),
		random: drawSeed(t).Stream("population")}
	for i := range members {
		m := &members[i]
		m.Feasible = rapid.IntRange(0, 4).Draw(t, "feasible") > 0
		m.SC, m.AC = rapid.Int64Range(0, most).Draw(t, "SC"), float64(rapid.Int64Range(0, most).Draw(t, "AC"))
		m.Plan = make([]bool, len(members))
		m.Plan[i] = true
		s.members = append(s.members, member{plan: corePlan(m.Plan), costs: costs{m.SC, m.AC}, feasible: m.Feasible})
	}
	return members, s
}

// Fitness after ranking and sharing is that of the reference. Each member is drawn as a parent in
// proportion to its fitness, rounded down or up.
func TestFitnessEqualsNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members, s := drawPopulation(t)
		want := naiveFitness(members)
		s.assignFitness()
		s.sample()
		total := 0.0
		for _, f := range want {
			total += f
		}
		for i, m := range s.members {
			if math.Abs(m.fitness-want[i]) > 1e-9*total {
				t.Fatalf("member %d of %v has fitness %v, want %v", i, members, m.fitness, want[i])
			}
			parents := 0
			for _, p := range s.parents {
				if p.compare(m.plan) == 0 {
					parents++
				}
			}
			if expected := float64(len(members)) * want[i] / total; math.Abs(float64(parents)-expected) > 1+1e-6 {
				t.Fatalf("member %d is %d parents, expected are %v", i, parents, expected)
			}
		}
		if len(s.parents) != len(members) {
			t.Fatalf("%d parents of %d members", len(s.parents), len(members))
		}
	})
}

// Two parents without a common slot cross at as many points as the parameter says, at most all, and
// each slot stays in one of them. The last parent of an odd number is copied.
func TestVariationEqualsNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slots, points := rapid.IntRange(1, 130).Draw(t, "slots"), rapid.IntRange(1, 3).Draw(t, "points")
		s := &search{genetics: genetics{crossover: points}, slots: slots, random: drawSeed(t).Stream("variation")}
		s.parents = []plan{newPlan(slots), planOfAll(slots), planOfAll(slots)}
		s.vary()
		a, b := naiveBits(s.parents[0], slots), naiveBits(s.parents[1], slots)
		cuts := 0
		for i := range slots {
			if a[i] == b[i] {
				t.Fatalf("slot %d is in both or none of %v and %v", i, a, b)
			}
			if i > 0 && a[i] != a[i-1] {
				cuts++
			}
		}
		if want := min(points, slots-1); cuts != want {
			t.Fatalf("%d cuts in %v, want %d", cuts, a, want)
		}
		if s.parents[2].compare(planOfAll(slots)) != 0 {
			t.Fatalf("the last of three is %v", naiveBits(s.parents[2], slots))
		}
	})
}

// Cuts are equally likely at all positions, and bits flip with the probability of the parameter.
// The seed is fixed; the bounds are five standard deviations.
func TestVariationDistribution(t *testing.T) {
	const slots, draws = 11, 20_000
	near := func(what string, got int, probability float64) {
		want, deviation := draws*probability, math.Sqrt(draws*probability*(1-probability))
		if math.Abs(float64(got)-want) > 5*deviation {
			t.Errorf("%s: %d of %d, want %v ± %v", what, got, draws, want, 5*deviation)
		}
	}
	for points := 1; points <= 3; points++ {
		s := &search{genetics: genetics{crossover: points}, slots: slots, random: rng.New("variation").Stream("cuts")}
		cuts := make([]int, slots)
		for range draws {
			s.parents = []plan{newPlan(slots), planOfAll(slots)}
			s.vary()
			for i := 1; i < slots; i++ {
				if s.parents[0].has(i) != s.parents[0].has(i-1) {
					cuts[i]++
				}
			}
		}
		for i := 1; i < slots; i++ {
			near("cuts at a position", cuts[i], float64(points)/(slots-1))
		}
	}
	for _, mutation := range []float64{0, 1, 3, 100} {
		s := &search{slots: slots, random: rng.New("variation").Stream("flips")}
		s.mutation = mutation
		flips := make([]int, slots)
		for range draws {
			s.parents = []plan{newPlan(slots)} // a single parent, without crossover
			s.vary()
			for i := range slots {
				if s.parents[0].has(i) {
					flips[i]++
				}
			}
		}
		for _, n := range flips {
			near("flips of a bit", n, min(mutation/slots, 0.5))
		}
	}
}
