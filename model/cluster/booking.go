// Bookings: entering jobs into a site's plan, removing them, and the start of jobs that are due.

package cluster

import "slices"

// A waiting job is booked, which enters it into the plan, and begins at its booked start. Policies
// go from one to the other by the methods in this file.

// startNow books a waiting job for now and begins it.
func (s *Site) startNow(number int32) {
	s.book(number, s.now)
	s.begin(number)
}

// book enters a job into the plan. Its processors must be free from start on for its estimate.
func (s *Site) book(number int32, start int64) {
	job := &s.jobs[number]
	s.plan.book(number, s.partition(number), start, job.Procs, job.Estimate)
	s.starts[number] = start
}

func (s *Site) unbook(number int32) {
	s.release(number)
	s.starts[number] = Never
}

// release takes the booking of a waiting job out of the plan. The job keeps its start, with which
// restore enters the same booking again.
func (s *Site) release(number int32) { s.changeBooking(number, 1) }

func (s *Site) restore(number int32) { s.changeBooking(number, -1) }

// keepsProcessors reports whether a job that is booked for now would get the processors that it
// holds if it were booked anew.
func (s *Site) keepsProcessors(number int32) bool {
	job := &s.jobs[number]
	return s.plan.keeps(number, s.partition(number), s.now, job.Procs, job.Estimate)
}

func (s *Site) changeBooking(number, sign int32) {
	job, start := &s.jobs[number], s.starts[number]
	s.plan.add(number, start, start+job.Estimate, sign*job.Procs)
}

// begin makes a waiting job that is booked for now a running one.
func (s *Site) begin(number int32) {
	job := &s.jobs[number]
	run := job.Run
	if s.config.Overrun == Kill {
		run = min(run, s.estimate(number))
	}
	s.load.started(s, number)
	s.ends[number] = s.now + run
	if s.tracksOverruns() {
		s.overruns.begin(s, number)
	}
	s.running.Push(s.now+run, 0, number)
}

// noteBooking adds the booked start of a job to those that Next returns.
func (s *Site) noteBooking(number int32) { s.bookings.Push(s.starts[number], 0, number) }

// nextBooking returns the second of the next booked start that was noted, or Never.
func (s *Site) nextBooking() int64 {
	for {
		t, _, number, ok := s.bookings.Peek()
		if !ok {
			return Never
		}
		if s.starts[number] == t && s.ends[number] == Never {
			return t
		}
		s.bookings.Drop()
	}
}

// takeBookedNow appends the jobs whose booked start is now to a list, and removes them from the
// bookings. A job that was moved away and back comes twice.
func (s *Site) takeBookedNow(list []int32) []int32 {
	for s.bookings.Time() <= s.now {
		if number, _ := s.bookings.Next(); s.starts[number] == s.now && s.ends[number] == Never {
			list = append(list, number)
		}
	}
	return list
}

// waiting returns the entry of a job in the queue, with its score at now.
func (s *Site) waiting(number int32) waiting {
	job := &s.jobs[number]
	w := waiting{number: number, procs: job.Procs, estimate: job.Estimate, start: s.starts[number]}
	if s.config.Order.Score != nil {
		w.score = s.score(number)
	}
	return w
}

// compare orders waiting jobs by their positions in the queue, also those that are not in it.
func (s *Site) compare(a, b *waiting) int { return a.compare(b, s.queue.ties) }

// compareTies compares two jobs of equal scores by the further keys of the order, at now. Where
// these change with time, the queue was sorted in this second.
func (s *Site) compareTies(a, b int32) int {
	return s.config.Order.compareTies(s.scored(a), s.scored(b), s.now)
}

// inQueueOrder sorts waiting jobs by their position in the queue, also those that are not in it.
func (s *Site) inQueueOrder(numbers []int32) []int32 {
	if s.config.Order.Score == nil {
		slices.Sort(numbers)
	} else {
		slices.SortFunc(numbers, func(a, b int32) int {
			v, w := s.waiting(a), s.waiting(b)
			return s.compare(&v, &w)
		})
	}
	return numbers
}
