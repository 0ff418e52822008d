package provisioning

// MOGA: the multi-objective genetic algorithm that searches for plans.

import (
	"cmp"
	"context"
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
	schedule func(plan) (result, bool)
	random   *rng.Stream

	evaluations int64
	seen        map[string]int32 // index in met of each plan that was evaluated; infeasible ones have notFeasible
	key         []byte
	met         []met
	front       front
	corner      result // of the hypervolume
	growth      []growth

	members []member // of the population, and of the archive if that breeds
	order   []int32  // scratch
	parents []plan   // selected
}

const notFeasible = -1

// growth is the front after a generation.
type growth struct {
	plans       int64
	hypervolume float64 // %
	least       *result // least makespan and least cost, not of one plan; nil if the front is empty
}

// member is a plan of the population.
type member struct {
	plan plan
	result
	feasible bool
	rank     int32 // 1 + the members that dominate it
	fitness  float64
}

// newSearch returns a search that has met no plan of the scheduler's slots.
func newSearch(g genetics, s *scheduler, seed rng.Source) *search {
	return &search{genetics: g, slots: len(s.slots), schedule: s.schedule, corner: corner(s.slots, s.flow),
		random: seed.Stream("genetic algorithm"), seen: map[string]int32{}}
}

// run makes the first population and all generations. Its error is that of ctx.
func (s *search) run(ctx context.Context) error {
	for i := range s.population {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.members = append(s.members, s.evaluate(s.first(i)))
	}
	s.grow()
	for range s.generations {
		if err := s.step(ctx); err != nil {
			return err
		}
		s.grow()
	}
	return nil
}

// grow records the front after a generation.
func (s *search) grow() {
	g := growth{plans: int64(len(s.front)), hypervolume: s.front.hypervolume(s.corner)}
	if len(s.front) > 0 {
		g.least = &result{makespan: s.front[0].makespan, cost: s.front[len(s.front)-1].cost}
	}
	s.growth = append(s.growth, g)
}

// first returns a plan of the first population.
//
// Deviation: the paper draws all of them; one is the plan of all slots, without which some fronts
// would be empty.
func (s *search) first(i int) plan {
	if i == 0 {
		return whole(s.slots)
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

// step replaces the population by its children. Its error is that of ctx.
func (s *search) step(ctx context.Context) error {
	if s.breeding {
		s.admitArchive()
	}
	s.rank()
	s.share()
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
		for shift := 0; shift < 64; shift += 8 {
			s.key = append(s.key, byte(word>>shift))
		}
	}
	index, known := s.seen[string(s.key)]
	if !known {
		index = notFeasible
		if r, ok := s.schedule(p); ok {
			index = int32(len(s.met))
			s.met = append(s.met, met{plan: p, result: r})
			s.front.add(s.met[index])
		}
		s.seen[string(s.key)] = index
	}
	if index == notFeasible {
		return member{plan: p}
	}
	return member{plan: p, result: s.met[index].result, feasible: true}
}

// admitArchive adds the plans of the archive to the members that lack them.
func (s *search) admitArchive() {
	population := s.members
	for _, m := range s.front {
		if !slices.ContainsFunc(population, func(o member) bool { return o.plan.compare(m.plan) == 0 }) {
			s.members = append(s.members, member{plan: m.plan, result: m.result, feasible: true})
		}
	}
}

// rank ranks the members: 1 plus the number of members that dominate it; infeasible ones come after
// all feasible ones. The fitness of a member is the mean over its rank of a fitness that is linear
// in the position.
func (s *search) rank() {
	s.order = s.order[:0]
	for i := range s.members {
		m := &s.members[i]
		m.rank = int32(len(s.members)) + 1
		if m.feasible {
			m.rank = 1
			for j := range s.members {
				if o := &s.members[j]; o.feasible && o.dominates(m.result) {
					m.rank++
				}
			}
		}
		s.order = append(s.order, int32(i))
	}
	slices.SortStableFunc(s.order, func(a, b int32) int { return cmp.Compare(s.members[a].rank, s.members[b].rank) })
	for from := 0; from < len(s.order); {
		past := s.rankEnd(from)
		// Positions from, …, past−1 have fitness n−from, …, n−past+1: on average that of the
		// middle.
		mean := float64(2*len(s.order)-from-past+1) / 2
		for _, i := range s.order[from:past] {
			s.members[i].fitness = mean
		}
		from = past
	}
}

// rankEnd returns where in the order the rank ends that begins there.
func (s *search) rankEnd(from int) int {
	past := from + 1
	for past < len(s.order) && s.members[s.order[past]].rank == s.members[s.order[from]].rank {
		past++
	}
	return past
}

// share divides the fitness of feasible members by their niche count among those of their rank
// (fitness sharing), and scales it so that the sum over the rank stays.
func (s *search) share() {
	low, high := s.extremes()
	sigma := 1.0
	if n := len(s.members); n > 3 {
		sigma = 2 / float64(n-1)
	}
	for from := 0; from < len(s.order); {
		past := s.rankEnd(from)
		rank := s.order[from:past]
		from = past
		if !s.members[rank[0]].feasible {
			return
		}
		before, after := 0.0, 0.0
		for _, i := range rank {
			niche := 0.0
			for _, j := range rank {
				if d := s.members[i].distance(&s.members[j], low, high); d < sigma {
					niche += 1 - d/sigma
				}
			}
			m := &s.members[i]
			before += m.fitness
			m.fitness /= niche
			after += m.fitness
		}
		for _, i := range rank {
			s.members[i].fitness *= before / after
		}
	}
}

// extremes returns the least and the largest of both costs among feasible members.
func (s *search) extremes() (low, high result) {
	found := false
	for i := range s.members {
		m := &s.members[i]
		switch {
		case !m.feasible:
		case !found:
			found, low, high = true, m.result, m.result
		default:
			low = result{makespan: min(low.makespan, m.makespan), cost: min(low.cost, m.cost)}
			high = result{makespan: max(high.makespan, m.makespan), cost: max(high.cost, m.cost)}
		}
	}
	return low, high
}

// distance returns how far two members lie from each other: the larger of the differences of their
// two costs, scaled.
func (m *member) distance(o *member, low, high result) float64 {
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

// vary makes children of the parents, two by two.
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

// cross exchanges every second part of two plans between different cuts.
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
func (s *search) inOrder() []met {
	all := slices.Clone(s.met)
	slices.SortFunc(all, func(a, b met) int {
		return cmp.Or(cmp.Compare(a.makespan, b.makespan), cmp.Compare(a.cost, b.cost), a.plan.compare(b.plan))
	})
	return all
}
