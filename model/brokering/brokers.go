// The selection of a broker: bestBrokerRank and its variants (section 4).

package brokering

import (
	"slices"

	"gridsweep/model/brokering/grid"
)

// placement is how an attempt to place a job ends.
type placement struct {
	keeper     int32   // broker that keeps the job; absent if none does
	resource   int32   // that it chose; absent if the job has to wait
	score      float64 // of the keeper
	handedBack bool    // by a broker none of whose resources could run the job
}

// attempt ranks the brokers and asks them in the order of their scores until one keeps the job.
func (s *system) attempt(r *grid.Requirement) placement {
	made := placement{keeper: absent, resource: absent}
	for s.gradeBrokers(r); len(s.grades) > 0; made.handedBack = true {
		i := s.bestBroker(r.Origin)
		if best := &s.grades[i]; s.keeps(r, best.broker) {
			made.keeper, made.resource, made.score = best.broker, s.choose(r, best.broker), best.score
			return made
		}
		s.grades = slices.Delete(s.grades, i, i+1)
	}
	return made
}

// keeps reports whether a broker has a resource that could run the job, which aggregated
// information does not tell.
func (s *system) keeps(r *grid.Requirement, d int32) bool {
	for _, i := range s.resourcesOf(r.Kind, d) {
		if s.resources[i].couldRun(r) {
			return true
		}
	}
	return false
}

// choose returns the resource that a broker gives a job: the best that fits. Under SLOW it is else
// the one with the shortest queue of those that could run it.
func (s *system) choose(r *grid.Requirement, d int32) int32 {
	best := s.bestFit(r, d)
	if best != absent || !s.slow {
		return best
	}
	for _, i := range s.resourcesOf(r.Kind, d) {
		if !s.resources[i].couldRun(r) {
			continue
		}
		if best == absent || s.local[i].queued() < s.local[best].queued() ||
			s.local[i].queued() == s.local[best].queued() && s.resources[i].Rank > s.resources[best].Rank {
			best = i
		}
	}
	return best
}

// bestFit returns the resource of a domain with the highest rank that fits a job, of equal ones the
// first; absent if none fits.
func (s *system) bestFit(r *grid.Requirement, d int32) int32 {
	best, resources := absent, s.pool.Of(r.Kind, d)
	for i := range resources {
		if m := &resources[i]; m.Fits(r) && (best == absent || m.Rank > resources[best].Rank) {
			best = i
		}
	}
	if best == absent {
		return absent
	}
	return s.resourcesOf(r.Kind, d)[best]
}

// grade is the rank of a broker for a job.
type grade struct {
	broker   int32
	matches  bool
	slowness float64 // the average bounded slowdown where that comes first; else 0
	score    float64
}

// better reports whether a broker comes before another one for jobs of an origin: of equal ones the
// origin, then the first.
func (g *grade) better(other *grade, origin int32) bool {
	switch {
	case g.slowness != other.slowness:
		return g.slowness < other.slowness
	case g.score != other.score:
		return g.score > other.score
	}
	return g.broker == origin || other.broker != origin && g.broker < other.broker
}

// bestBroker returns the index of the best grade.
func (s *system) bestBroker(origin int32) int {
	best := 0
	for i := 1; i < len(s.grades); i++ {
		if s.grades[i].better(&s.grades[best], origin) {
			best = i
		}
	}
	return best
}

// gradeOf grades a broker for a job by the resources, or the aggregated computers, that match it.
func (s *system) gradeOf(r *grid.Requirement, d int32) grade {
	var ranks grid.Ranks
	if s.information == nil {
		resources := s.pool.Of(r.Kind, d)
		for i := range resources {
			if m := &resources[i]; m.Fits(r) {
				ranks.Add(m.Rank)
			}
		}
	} else {
		offers := s.information.Offers(d, r.Kind).List
		for i := range offers {
			if o := &offers[i]; o.Matches(r) {
				ranks.Add(o.Rank)
			}
		}
	}
	if ranks.Count == 0 {
		return grade{}
	}
	g := grade{broker: d, matches: true, score: s.score(d, r.Origin, &ranks)}
	if s.slow && s.p.Slow == "lexicographic" {
		g.slowness = s.slowdowns[d]
	}
	return g
}

// score returns the score of a broker for jobs of an origin, given the ranks of what matches them.
func (s *system) score(d, origin int32, ranks *grid.Ranks) float64 {
	return float64(s.priority(d, origin) * s.brokerRank(ranks))
}

// brokerRank is computeBrokerRank of Listing 6. Service.Bound relies on it: no rank of a broker is
// above the sum for "sum", and above the best for the others.
func (s *system) brokerRank(ranks *grid.Ranks) float64 {
	switch s.p.Rank {
	case "mean":
		return ranks.Sum / float64(ranks.Count)
	case "best":
		return ranks.Best
	}
	return ranks.Sum
}

// priority returns the priority of a broker for jobs of an origin.
func (s *system) priority(d, origin int32) float64 {
	priority := 1.0
	if d == origin {
		priority = s.originPriority
	}
	if s.slow && s.p.Slow == "inverse" {
		priority *= 1 / s.slowdowns[d]
	}
	return priority
}

// setPriority finds the priority of the origin of a job, which is the highest one.
func (s *system) setPriority() {
	s.originPriority = 1
	if s.p.Preference == "own" && !s.originFirst() {
		s.originPriority = 2
	}
}

// originFirst reports whether local jobs come first in queues, instead of in the ranking.
func (s *system) originFirst() bool { return s.p.Preference == "own" && s.p.OwnAs == "queue" }

// gradeBrokers grades the brokers that match a job. It leaves out brokers that can neither be the
// best nor be asked before it.
func (s *system) gradeBrokers(r *grid.Requirement) {
	s.grades = s.grades[:0]
	switch {
	case s.p.Preference == "none":
		s.addGrade(r, r.Origin)
	case s.information == nil || s.slow && s.p.Slow == "lexicographic":
		for d := range s.domains {
			s.addGrade(r, int32(d))
		}
	default:
		best := -1.0 // score of a broker that keeps the job
		for _, next := range s.information.Brokers(r.Kind) {
			if next.Score < best {
				return
			}
			if s.slow && next.Score/s.slowdowns[next.Broker] < best {
				continue
			}
			if g := s.addGrade(r, next.Broker); g.matches && g.score > best && s.keeps(r, next.Broker) {
				best = g.score
			}
		}
	}
}

// addGrade grades a broker.
func (s *system) addGrade(r *grid.Requirement, d int32) grade {
	g := s.gradeOf(r, d)
	if g.matches {
		s.grades = append(s.grades, g)
	}
	return g
}

// updateSlowdown computes the average bounded slowdown of a broker again: "the mean of the average
// bounded slowdown of its resources". A resource that has finished no job counts as 1.
func (s *system) updateSlowdown(d int32) {
	sum := 0.0
	for i := s.first[d]; i < s.first[d+1]; i++ {
		if done := &s.resources[i].slowdown; done.count > 0 {
			sum += done.sum / float64(done.count)
		} else {
			sum++
		}
	}
	s.slowdowns[d] = sum / float64(s.first[d+1]-s.first[d])
}
