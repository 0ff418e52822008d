package brokering

import "slices"

// grade is what bestBrokerRank finds of a broker for a job (Listing 6).
type grade struct {
	broker   int32
	matches  bool
	slowness float64 // the average bounded slowdown where that comes first; else 0
	score    float64
}

// better reports whether a broker comes before another one for the jobs of a domain's users: of equal ones this domain, then the
// first.
func (g *grade) better(other *grade, origin int32) bool {
	switch {
	case g.slowness != other.slowness:
		return g.slowness < other.slowness
	case g.score != other.score:
		return g.score > other.score
	}
	return g.broker == origin || other.broker != origin && g.broker < other.broker
}

// ranks are those of what matches at a broker, in the making.
type ranks struct {
	count     int
	sum, best float64
}

func (r *ranks) add(rank float64) {
	if r.count == 0 || rank > r.best {
		r.best = rank
	}
	r.count++
	r.sum += rank
}

// of returns the broker's rank as the parameter rank says.
func (r *ranks) of(rule string) float64 {
	switch rule {
	case "mean":
		return r.sum / float64(r.count)
	case "best":
		return r.best
	}
	return r.sum
}

// priority returns that of a broker for the jobs of a domain's users.
func (s *system) priority(d, origin int32) float64 {
	if s.p.Preference == "own" && !s.localFirst() && d == origin {
		return 2
	}
	return 1
}

// gradeOf computes the rank of a broker for a job.
func (s *system) gradeOf(r *requirement, d int32) grade {
	var found ranks
	if s.known == nil {
		vacant := s.vacant(r.kind, d)
		for i := range vacant {
			if v := &vacant[i]; v.fits(r) {
				found.add(v.rank)
			}
		}
	} else {
		offers := s.knownOf(d).kinds[r.kind].offers
		for i := range offers {
			if o := &offers[i]; o.matches(r) {
				found.add(o.rank)
			}
		}
	}
	if found.count == 0 {
		return grade{}
	}
	g := grade{broker: d, matches: true}
	priority := s.priority(d, r.origin)
	if s.slow {
		if slowdown := s.slowdowns[d]; s.p.Slow == "lexicographic" {
			g.slowness = slowdown
		} else {
			priority *= 1 / slowdown
		}
	}
	g.score = float64(priority * found.of(s.p.Rank))
	return g
}

// placement is how an attempt ends.
type placement struct {
	keeper     int32   // broker that keeps the job; absent
	resource   int32   // that it chose; absent
	score      float64 // of the one that keeps it
	handedBack bool    // by a broker none of whose resources could hold it
}

// attempt ranks the brokers and asks them one after the other until one keeps the job.
func (s *system) attempt(r *requirement) placement {
	made := placement{keeper: absent, resource: absent}
	for s.grade(r); len(s.grades) > 0; made.handedBack = true {
		i := s.bestBroker(r.origin)
		if best := &s.grades[i]; s.keeps(r, best.broker) {
			made.keeper, made.resource, made.score = best.broker, s.choose(r, best.broker), best.score
			return made
		}
		s.grades = slices.Delete(s.grades, i, i+1)
	}
	return made
}

// grade grades the brokers that match a job. Those that cannot be the best, nor be asked before it, are left out.
func (s *system) grade(r *requirement) {
	s.grades = s.grades[:0]
	switch {
	case s.p.Preference == "none":
		s.gradeOne(r, r.origin)
	case s.known == nil || s.slow && s.p.Slow == "lexicographic":
		for d := range s.domains {
			s.gradeOne(r, int32(d))
		}
	default:
		best := -1.0 // score of a broker that keeps the job
		for _, next := range s.inOrder(r.kind) {
			if next.most < best {
				return
			}
			if s.slow && next.most/s.slowdowns[next.broker] < best {
				continue
			}
			if g := s.gradeOne(r, next.broker); g.matches && g.score > best && s.keeps(r, next.broker) {
				best = g.score
			}
		}
	}
}

// gradeOne grades a broker.
func (s *system) gradeOne(r *requirement, d int32) grade {
	g := s.gradeOf(r, d)
	if g.matches {
		s.grades = append(s.grades, g)
	}
	return g
}

// bestBroker returns the place of the best grade.
func (s *system) bestBroker(origin int32) int {
	best := 0
	for i := 1; i < len(s.grades); i++ {
		if s.grades[i].better(&s.grades[best], origin) {
			best = i
		}
	}
	return best
}

// keeps reports whether a broker has a resource that could hold the job, which aggregated data does not tell.
func (s *system) keeps(r *requirement, d int32) bool {
	for _, i := range s.ofKind(r.kind, d) {
		if s.machines[i].couldHold(r) {
			return true
		}
	}
	return false
}

// choose returns the resource that a broker gives a job: the best that fits. Under SLOW it is else the one with the
// shortest queue of those that could hold it.
func (s *system) choose(r *requirement, d int32) int32 {
	best := s.bestFit(r, d)
	if best != absent || !s.slow {
		return best
	}
	for _, i := range s.ofKind(r.kind, d) {
		if !s.machines[i].couldHold(r) {
			continue
		}
		if best == absent || s.centres[i].queued() < s.centres[best].queued() ||
			s.centres[i].queued() == s.centres[best].queued() && s.machines[i].rank > s.machines[best].rank {
			best = i
		}
	}
	return best
}

// reviseSlowdown computes the average bounded slowdown of a broker anew: "the mean of the average bounded slowdown of its
// resources", of which those that have finished no job count as 1.
func (s *system) reviseSlowdown(d int32) {
	sum := 0.0
	for i := s.first[d]; i < s.first[d+1]; i++ {
		if done := &s.machines[i].slowdown; done.count > 0 {
			sum += done.sum / float64(done.count)
		} else {
			sum++
		}
	}
	s.slowdowns[d] = sum / float64(s.first[d+1]-s.first[d])
}
