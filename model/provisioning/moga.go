// MOGA: the multi-objective genetic algorithm that searches for plans.

package provisioning

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"gridsweep/model/rng"
)

// genetics are the settings of the genetic algorithm.
type genetics struct {
	population, generations int
	crossover               int     // points
	mutation                float64 // expected flips in a plan
	breeding                bool    // the archive's plans may be parents
}

// A search is a run of MOGA, the multi-objective genetic algorithm of Fonseca & Fleming (ICGA
// 1993), over the plans of the slots on offer. It keeps all feasible plans that it has met, and the
// front of them, its archive.
type search struct {
	genetics
	slots    int
	schedule func(plan) (costs, bool)
	random   *rng.Stream

	evaluations int64
	seen        map[string]member // each plan that was evaluated, by its bits
	key         []byte            // scratch
	solutions   []solution        // the feasible ones of them
	front       front
	corner      costs // of the hypervolume
	history     []generation

	members []member // of the population, and of the archive if that breeds
	order   []int32  // of the members, by rank
	parents []plan   // selected
}

// generation is the front after a generation of plans.
type generation struct {
	plans       int64
	hypervolume float64 // %
	least       *costs  // least makespan and least cost, not of one plan; nil if the front is empty
}

// member is a plan of the population. Its rank and fitness are those of the current generation.
type member struct {
	plan plan
	costs
	feasible bool
	rank     int32 // see rankOf
	fitness  float64
}

// newSearch returns a search that has met no plan of the scheduler's slots.
func newSearch(g genetics, s *scheduler, seed rng.Source) *search {
	return &search{genetics: g, slots: len(s.slots), schedule: s.schedule, corner: corner(s.slots, s.workflow),
		random: seed.Stream("genetic algorithm"), seen: map[string]member{}}
}

// run makes the first population and all generations. Its error is that of ctx.
func (s *search) run(ctx context.Context) error {
	for i := range s.population {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.members = append(s.members, s.evaluate(s.firstPlan(i)))
	}
	s.record()
	for range s.generations {
		if err := s.nextGeneration(ctx); err != nil {
			return err
		}
		s.record()
	}
	return nil
}

// record adds the front after a generation to the history.
func (s *search) record() {
	g := generation{plans: int64(len(s.front)), hypervolume: s.front.hypervolume(s.corner)}
	if len(s.front) > 0 {
		g.least = &costs{makespan: s.front[0].makespan, cost: s.front[len(s.front)-1].cost}
	}
	s.history = append(s.history, g)
}

// firstPlan returns plan i of the first population.
//
// Deviation: the paper draws all of them; one is the plan of all slots, without which some fronts
// would be empty.
func (s *search) firstPlan(i int) plan {
	if i == 0 {
		return planOfAll(s.slots)
	}
	p := newPlan(s.slots)
	for word := range p {
		p[word] = s.random.Uint64()
	}
	if rest := s.slots % 64; rest != 0 {
		p[len(p)-1] &= 1<<rest - 1
	}
	return p
}

// nextGeneration replaces the population by its children. Its error is that of ctx.
func (s *search) nextGeneration(ctx context.Context) error {
	if s.breeding {
		s.admitArchive()
	}
	s.assignFitness()
	s.sample()
	s.vary()
	s.members = s.members[:0]
	for _, p := range s.parents {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.members = append(s.members, s.evaluate(p))
	}
	return nil
}

// evaluate schedules the workflow on a plan, unless the plan was evaluated before. It keeps the
// plan.
func (s *search) evaluate(p plan) member {
	s.evaluations++
	s.key = s.key[:0]
	for _, word := range p {
		s.key = binary.LittleEndian.AppendUint64(s.key, word)
	}
	m, known := s.seen[string(s.key)]
	if known {
		return m
	}
	m.plan = p
	if m.costs, m.feasible = s.schedule(p); m.feasible {
		s.solutions = append(s.solutions, solution{plan: p, costs: m.costs})
		s.front.add(s.solutions[len(s.solutions)-1])
	}
	s.seen[string(s.key)] = m
	return m
}

// admitArchive adds the plans of the archive to the members that lack them.
func (s *search) admitArchive() {
	population := s.members
	for _, m := range s.front {
		if !slices.ContainsFunc(population, func(o member) bool { return o.plan.compare(m.plan) == 0 }) {
			s.members = append(s.members, member{plan: m.plan, costs: m.costs, feasible: true})
		}
	}
}

// assignFitness ranks the members and gives each its fitness. Positions in the order of ranks have
// fitness n, n-1, …, 1; members of equal rank have the mean of their positions, which share then
// changes.
func (s *search) assignFitness() {
	s.order = s.order[:0]
	for i := range s.members {
		s.members[i].rank = s.rankOf(&s.members[i])
		s.order = append(s.order, int32(i))
	}
	slices.SortStableFunc(s.order, func(a, b int32) int { return cmp.Compare(s.members[a].rank, s.members[b].rank) })
	low, high := s.extremes()
	for from := 0; from < len(s.order); {
		first := &s.members[s.order[from]]
		past := from + 1
		for past < len(s.order) && s.members[s.order[past]].rank == first.rank {
			past++
		}
		// the mean of n−from, …, n−past+1
		mean := float64(2*len(s.order)-from-past+1) / 2
		for _, i := range s.order[from:past] {
			s.members[i].fitness = mean
		}
		if first.feasible {
			s.share(s.order[from:past], low, high)
		}
		from = past
	}
}

// rankOf returns the rank of a member: 1 plus the number of members that dominate it; infeasible
// ones come after all feasible ones.
func (s *search) rankOf(m *member) int32 {
	if !m.feasible {
		return int32(len(s.members)) + 1
	}
	rank := int32(1)
	for i := range s.members {
		if o := &s.members[i]; o.feasible && o.dominates(m.costs) {
			rank++
		}
	}
	return rank
}

// share divides the fitness of members of equal rank by their niche counts (fitness sharing), and
// scales it so that its sum stays.
func (s *search) share(equals []int32, low, high costs) {
	sigma := 1.0
	if n := len(s.members); n > 3 {
		sigma = 2 / float64(n-1) // Fonseca & Fleming's niche size for two costs in [0, 1]
	}
	before, after := 0.0, 0.0
	for _, i := range equals {
		niche := 0.0
		for _, j := range equals {
			if d := s.members[i].distance(&s.members[j], low, high); d < sigma {
				niche += 1 - d/sigma
			}
		}
		m := &s.members[i]
		before += m.fitness
		m.fitness /= niche
		after += m.fitness
	}
	for _, i := range equals {
		s.members[i].fitness *= before / after
	}
}

// extremes returns the least and the largest of both costs among feasible members.
func (s *search) extremes() (low, high costs) {
	low = costs{makespan: never, cost: math.Inf(1)}
	for i := range s.members {
		if m := &s.members[i]; m.feasible {
			low = costs{makespan: min(low.makespan, m.makespan), cost: min(low.cost, m.cost)}
			high = costs{makespan: max(high.makespan, m.makespan), cost: max(high.cost, m.cost)}
		}
	}
	return low, high
}

// distance returns how far two members lie from each other: the larger of the differences of their
// two costs, scaled.
func (m *member) distance(o *member, low, high costs) float64 {
	sc := scaled(float64(max(m.makespan, o.makespan)-min(m.makespan, o.makespan)), 0, float64(high.makespan-low.makespan))
	ac := scaled(max(m.cost, o.cost)-min(m.cost, o.cost), 0, high.cost-low.cost)
	return max(sc, ac)
}

// sample selects as many parents as the population has members, by stochastic universal sampling:
// equidistant pointers on the line of all members' fitness (Baker, ICGA 1987). They come in random
// order.
func (s *search) sample() {
	total := 0.0
	for i := range s.members {
		total += s.members[i].fitness
	}
	gap := total / float64(s.population)
	pointer := float64(s.random.Float64() * gap)
	s.parents = s.parents[:0]
	sum, last := 0.0, len(s.members)-1
	for i := range s.members {
		sum += s.members[i].fitness
		for len(s.parents) < s.population && (pointer < sum || i == last) {
			s.parents = append(s.parents, slices.Clone(s.members[i].plan))
			pointer += gap
		}
	}
	for i := len(s.parents) - 1; i > 0; i-- {
		j := s.random.Intn(i + 1)
		s.parents[i], s.parents[j] = s.parents[j], s.parents[i]
	}
}

// vary makes children of the parents: it crosses them two by two and then flips bits, each with a
// probability of at most one half.
func (s *search) vary() {
	for i := 0; i+1 < len(s.parents); i += 2 {
		s.cross(s.parents[i], s.parents[i+1])
	}
	probability := min(s.mutation/float64(s.slots), 0.5)
	for _, p := range s.parents {
		for bit := range s.slots {
			if s.random.Float64() < probability {
				p.flip(bit)
			}
		}
	}
}

// cross exchanges the slots of two plans from the first cut to the second and from the third on.
func (s *search) cross(a, b plan) {
	var cuts []int
	for want := min(s.crossover, s.slots-1); len(cuts) < want; {
		if cut := 1 + s.random.Intn(s.slots-1); !slices.Contains(cuts, cut) {
			cuts = append(cuts, cut)
		}
	}
	slices.Sort(cuts)
	for i := 0; i < len(cuts); i += 2 {
		past := s.slots
		if i+1 < len(cuts) {
			past = cuts[i+1]
		}
		for bit := cuts[i]; bit < past; bit++ {
			if a.has(bit) != b.has(bit) {
				a.flip(bit)
				b.flip(bit)
			}
		}
	}
}

// inOrder returns all feasible plans that were met, by makespan, then cost, then plan.
func (s *search) inOrder() []solution {
	all := slices.Clone(s.solutions)
	slices.SortFunc(all, func(a, b solution) int {
		return cmp.Or(cmp.Compare(a.makespan, b.makespan), cmp.Compare(a.cost, b.cost), a.plan.compare(b.plan))
	})
	return all
}
