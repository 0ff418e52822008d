// The selection of a broker, bestBrokerRank of Listing 6, and the broker's choice of a resource.

package brokering

import (
	"slices"

	"gridsweep/model/brokering/pool"
)

// placement is the result of an attempt to place a job.
type placement struct {
	// broker where the job is afterwards: the best one that could run it; if none could, where it
	// was before
	broker int32
	// resource where the job starts or, under SLOW, is queued; absent if the attempt has failed
	resource   int32
	score      float64 // of that broker; 0 if no broker could run the job
	handedBack bool    // whether a broker has handed the job back
}

// attempt tries to place a job that is at a broker. The job goes to the broker with the highest
// score. A broker none of whose resources could run the job hands it back, and the next one is
// tried.
func (s *system) attempt(r *pool.Requirement, at int32) placement {
	result := placement{broker: at, resource: absent}
	s.findCandidates(r)
	for len(s.candidates) > 0 {
		i := s.bestCandidate(r.Origin)
		if best := &s.candidates[i]; s.couldRun(r, best.broker) {
			result.broker, result.resource, result.score = best.broker, s.choose(r, best.broker), best.score
			return result
		}
		result.handedBack = true
		s.candidates = slices.Delete(s.candidates, i, i+1)
	}
	return result
}

// couldRun reports whether a broker has a resource that could run the job. Aggregated information
// does not show that.
func (s *system) couldRun(r *pool.Requirement, d int32) bool {
	for _, i := range s.resourcesOf(r.Platform, d) {
		if s.resources[i].couldRun(r) {
			return true
		}
	}
	return false
}

// choose returns the resource that a broker chooses for a job: the best one that fits. If none
// fits, it is absent, and the job waits at the broker, except under SLOW: then it is, of those that
// could run the job, the one with the shortest queue, of equal ones the one with the highest rank.
func (s *system) choose(r *pool.Requirement, d int32) int32 {
	best := s.bestFit(r, d)
	if best != absent || !s.slow {
		return best
	}
	for _, i := range s.resourcesOf(r.Platform, d) {
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
func (s *system) bestFit(r *pool.Requirement, d int32) int32 {
	best, resources := absent, s.pool.Of(r.Platform, d)
	for i := range resources {
		if m := &resources[i]; m.Fits(r) && (best == absent || m.Rank > resources[best].Rank) {
			best = i
		}
	}
	if best == absent {
		return absent
	}
	return s.resourcesOf(r.Platform, d)[best]
}

// candidate is a broker that matches a job, with its score.
type candidate struct {
	broker   int32
	score    float64
	slowdown float64 // S under slow lexicographic, which comes before the score; else 0
}

// precedes reports whether a broker is better than another one for jobs of an origin: of equal ones
// the origin, then the first.
func (c *candidate) precedes(other *candidate, origin int32) bool {
	switch {
	case c.slowdown != other.slowdown:
		return c.slowdown < other.slowdown
	case c.score != other.score:
		return c.score > other.score
	}
	return c.broker == origin || other.broker != origin && c.broker < other.broker
}

// bestCandidate returns the index of the best candidate (getMaxValueIndex).
func (s *system) bestCandidate(origin int32) int {
	best := 0
	for i := 1; i < len(s.candidates); i++ {
		if s.candidates[i].precedes(&s.candidates[best], origin) {
			best = i
		}
	}
	return best
}

// findCandidates finds the candidates for a job. Where scores have bounds and decide, it goes down
// from the highest bound and skips brokers that are worse than one that could run the job. Bounds
// are without the priority under SLOW, which is at most 1.
func (s *system) findCandidates(r *pool.Requirement) {
	s.candidates = s.candidates[:0]
	switch {
	case s.p.Preference == "none":
		s.addCandidate(r, r.Origin)
	case s.information == nil || s.slow && s.p.Slow == "lexicographic":
		for d := range s.domains {
			s.addCandidate(r, int32(d))
		}
	default:
		best := -1.0 // score of the best broker so far that could run the job
		for _, next := range s.information.Brokers(r.Platform) {
			if next.Bound < best {
				return
			}
			if s.slow && next.Bound*s.slowPriority(next.Broker) < best {
				continue
			}
			if score := s.addCandidate(r, next.Broker); score > best && s.couldRun(r, next.Broker) {
				best = score
			}
		}
	}
}

// addCandidate returns the score of a broker for a job, and makes it a candidate if it matches the
// job; else it returns -1.
func (s *system) addCandidate(r *pool.Requirement, d int32) float64 {
	ranks := s.matchingRanks(r, d)
	if ranks.Count == 0 {
		return -1
	}
	c := candidate{broker: d, score: s.score(d, r.Origin, &ranks)}
	if s.slow && s.p.Slow == "lexicographic" {
		c.slowdown = s.slowdowns[d]
	}
	s.candidates = append(s.candidates, c)
	return c.score
}
