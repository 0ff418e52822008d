package brokering

// grade is what bestBrokerRank finds of a broker for a job (Listing 6).
type grade struct {
	matches  bool
	slowness float64 // the average bounded slowdown where that comes first; else 0
	score    float64
}

// better reports whether a broker comes before another one; ties are left to who is asked.
func (g *grade) better(other *grade) bool {
	if g.slowness != other.slowness {
		return g.slowness < other.slowness
	}
	return g.score > other.score
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
func (s *system) gradeOf(r *request, d int32) grade {
	var found ranks
	if s.known == nil {
		for _, i := range s.ofKind(r.kind, d) {
			if m := &s.machines[i]; m.fits(r) {
				found.add(m.rank)
			}
		}
	} else {
		offers := s.knownOf(d).offers[r.kind]
		for i := range offers {
			if o := &offers[i]; o.matches(r) {
				found.add(o.rank)
			}
		}
	}
	if found.count == 0 {
		return grade{}
	}
	g := grade{matches: true}
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
func (s *system) attempt(r *request) placement {
	made := placement{keeper: absent, resource: absent}
	s.grade(r)
	for {
		d := s.bestBroker(r.origin)
		switch {
		case d == absent:
			return made
		case s.keeps(r, d):
			made.keeper, made.resource, made.score = d, s.choose(r, d), s.grades[d].score
			return made
		}
		made.handedBack = true
		s.grades[d] = grade{}
	}
}

// grade grades the brokers for a job. Those that cannot be the best, nor be asked before it, are left out.
func (s *system) grade(r *request) {
	clear(s.grades)
	switch {
	case s.p.Preference == "none":
		s.grades[r.origin] = s.gradeOf(r, r.origin)
	case s.known == nil || s.slow:
		for d := range s.domains {
			s.grades[d] = s.gradeOf(r, int32(d))
		}
	default:
		best := -1.0 // score of a broker that keeps the job
		for _, next := range s.inOrder(r.kind) {
			if next.most < best {
				return
			}
			g := s.gradeOf(r, next.broker)
			s.grades[next.broker] = g
			if g.matches && g.score > best && s.keeps(r, next.broker) {
				best = g.score
			}
		}
	}
}

// bestBroker returns the broker of the best grade: of equal ones the originator, then the first; absent if none matches.
func (s *system) bestBroker(origin int32) int32 {
	best := int32(absent)
	if s.grades[origin].matches {
		best = origin
	}
	for d := range s.grades {
		if g := &s.grades[d]; g.matches && (best == absent || g.better(&s.grades[best])) {
			best = int32(d)
		}
	}
	return best
}

// keeps reports whether a broker has a resource that could hold the job, which aggregated data does not tell.
func (s *system) keeps(r *request, d int32) bool {
	for _, i := range s.ofKind(r.kind, d) {
		if s.machines[i].couldHold(r) {
			return true
		}
	}
	return false
}

// choose returns the resource that a broker gives a job: the best that fits. Under SLOW it is else the one with the
// shortest queue of those that could hold it.
func (s *system) choose(r *request, d int32) int32 {
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
