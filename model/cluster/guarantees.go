// Guarantees: policies under which waiting jobs get a booking by a rule, keep it, and start earlier
// where they fit.

package cluster

// guaranteeing is a policy whose pass starts, in queue order, each job that fits beside the
// bookings of the others, and books each other job to which its rule gives a guarantee. A booked
// job starts at its booking or before.
type guaranteeing struct {
	*easy
	rule guarantee
}

// guarantee is the rule by which jobs get bookings.
type guarantee interface {
	// arrived reports whether a job that has come, and waits, gets a booking now. It notes one that
	// does not.
	arrived(number int32) bool
	// due appends the jobs that have waited and get a booking now. The jobs from firstArrival on
	// have come since the last pass.
	due(list []int32, firstArrival int32) []int32
	// bookedStart returns the second, from now on, for which to book a job.
	bookedStart(job *Job) int64
	// ended notes a job that has ended.
	ended(number int32)
}

func newGuaranteeing(s *Site, rule guarantee) *guaranteeing {
	g := &guaranteeing{easy: newEasy(s, 0), rule: rule}
	g.kept, g.bookGuaranteed = true, g.book
	g.steps = 256 // where all waiting jobs are booked, steps are short
	return g
}

func (g *guaranteeing) ended(number int32, _ int64) {
	g.unchanged = false
	g.rule.ended(number)
}

func (g *guaranteeing) startIsDue() bool { return g.site.nextBooking() == g.site.now }

func (g *guaranteeing) pass() {
	s := g.site
	g.toBook = g.rule.due(g.toBook[:0], int32(len(s.jobs)-len(s.arrivals)))
	if len(g.toBook) == 0 && g.nothingHasChanged() {
		g.startOrBookArrivals()
		return
	}
	s.startBeforeQueue()
	g.unchanged = true
	if s.queue.size == 0 && len(s.arrivals) == 0 {
		return
	}
	s.admit()
	for _, number := range s.arrivals {
		if g.rule.arrived(number) {
			g.toBook = append(g.toBook, number)
		}
	}
	g.due = s.takeBookedNow(g.due[:0])
	g.backfillExactly(s.queue.first())
}

// startOrBookArrivals starts the arrivals that fit, where no other job can start, and books those
// others to which the rule gives a guarantee.
func (g *guaranteeing) startOrBookArrivals() {
	s := g.site
	for _, number := range s.inQueueOrder(s.arrivals) {
		w := s.waiting(number)
		if s.plan.fits(s.now, w.procs, w.estimate) {
			s.startNow(number)
			continue
		}
		s.enqueue(w)
		if g.rule.arrived(number) {
			g.book(&w)
		}
	}
}

func (g *guaranteeing) book(w *waiting) {
	s := g.site
	s.book(w.number, g.rule.bookedStart(&s.jobs[w.number]))
	s.noteBooking(w.number)
}
