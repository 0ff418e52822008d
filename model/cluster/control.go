// Control: how many jobs EASY with kept pivots books, the sizes of partitions, and their load.

package cluster

// PlanAll books all waiting jobs of the partitions in a pass, and from then on all that arrive in
// them, until LimitPivots. Bookings stay. The site must have EASY with kept pivots.
func (s *Site) PlanAll(now int64, partitions ...int) {
	s.scheduler.(*easy).allow(unlimited, partitions...)
	s.Pass(now)
}

// LimitPivots gives all partitions the number of pivots of the policy again. What is booked beyond
// that stays. The site must have EASY with kept pivots.
func (s *Site) LimitPivots() {
	e := s.scheduler.(*easy)
	for q := range e.quotas {
		e.allow(e.pivotsOfPolicy, q)
	}
}

// Resize gives the partitions other processors from now on, which sum to those of the machine.
func (s *Site) Resize(now int64, shares []int32) {
	s.advance(now)
	s.plan.resize(now, shares)
	s.scheduler.changed()
}

// Work returns Σ processors × seconds until now in which jobs of a partition have waited or run,
// and in which they have run.
func (s *Site) Work(now int64, partition int) (present, running int64) {
	s.advance(now)
	p := &s.load.partitions[partition]
	return p.present.until(now), p.running.until(now)
}
