// Naive gateway: its information about free slots as a list, and the choice of a provider.

package multisite

import "slices"

// naiveFree is a step of free processors, which lasts until the next step; with fixed placement it
// has their numbers.
type naiveFree struct {
	from    int64
	procs   int
	numbers []int
}

// naiveSlots is the gateway's information about a provider: free processors up to a second, less
// the gateway's bookings.
type naiveSlots struct {
	fixed  bool
	free   []naiveFree
	booked []naiveBooking
	until  int64
}

type naiveBooking struct {
	from, to int64
	procs    int
	numbers  []int
}

// show replaces the gateway's information by the free processors from now up to a horizon.
func (s *naiveProvider) show(now, until int64) {
	s.known = s.slots(now, until)
	s.most = 0
	for _, f := range s.known.free {
		s.most = max(s.most, f.procs)
	}
}

// least returns how many processors are known to be free in all of [from, to).
func (k naiveSlots) least(from, to int64) int {
	if to > k.until {
		return 0
	}
	if k.fixed {
		return len(k.numbers(from, to))
	}
	least := k.at(from)
	for _, f := range k.free {
		if from < f.from && f.from < to {
			least = min(least, k.at(f.from))
		}
	}
	for _, b := range k.booked {
		if from < b.from && b.from < to {
			least = min(least, k.at(b.from))
		}
	}
	return least
}

// at returns how many processors are known to be free in a second.
func (k naiveSlots) at(second int64) int {
	free := 0
	for _, f := range k.free {
		if f.from <= second {
			free = f.procs
		}
	}
	for _, b := range k.booked {
		if b.from <= second && second < b.to {
			free -= b.procs
		}
	}
	return free
}

// numbers returns, for fixed placement, which processors are known to be free in all of [from, to),
// in order.
func (k naiveSlots) numbers(from, to int64) []int {
	var numbers []int
	for i, f := range k.free {
		switch {
		case f.from >= to:
		case f.from <= from:
			numbers = slices.Clone(f.numbers)
		default:
			numbers = slices.DeleteFunc(numbers, func(n int) bool { return !slices.Contains(k.free[i].numbers, n) })
		}
	}
	for _, b := range k.booked {
		if b.from < to && from < b.to {
			numbers = slices.DeleteFunc(numbers, func(n int) bool { return slices.Contains(b.numbers, n) })
		}
	}
	return numbers
}

// start returns the first second from now on at which processors are free for a run, or never.
func (k naiveSlots) start(now int64, procs int, run int64) int64 {
	start := int64(never)
	times := []int64{now}
	for _, f := range k.free {
		times = append(times, f.from)
	}
	for _, b := range k.booked {
		times = append(times, b.to)
	}
	for _, at := range times {
		if now <= at && at < start && k.least(at, at+run) >= procs {
			start = at
		}
	}
	return start
}

// decide chooses the provider of a Grid job and sends it there.
func (n *naiveWorld) decide(now int64, i int) {
	g := &n.gridJobs[i]
	g.provider, g.expected = -1, never
	var eligible []*naiveProvider
	for _, s := range n.providers {
		if s.procs >= int(n.jobs.gridJobs[i].Procs) {
			eligible = append(eligible, s)
		}
	}
	if n.p.Gateway == "least-load" {
		least := eligible[0]
		for _, s := range eligible[1:] {
			if s.reported < least.reported {
				least = s
			}
		}
		n.submit(now, i, least)
		return
	}
	if n.p.Gateway == "earliest-ask" {
		for _, s := range n.providers {
			n.send(now, "slot request", "slots")
			s.show(now, never)
		}
	}
	if n.jobs.deadlines != nil && n.jobs.deadlines[i] != never {
		n.withDeadline(now, i, eligible)
		return
	}
	first, start := n.earliest(now, i, eligible)
	if first == nil {
		g.withoutSlot = true
		first = eligible[0]
		for _, s := range eligible[1:] {
			if s.most > first.most {
				first = s
			}
		}
	} else {
		g.expected = start
		n.book(i, first, start)
	}
	n.submit(now, i, first)
}

// earliest returns the provider of the earliest start, which is nil if there is none.
func (n *naiveWorld) earliest(now int64, i int, eligible []*naiveProvider) (*naiveProvider, int64) {
	var first *naiveProvider
	start := int64(never)
	for _, s := range eligible {
		at := s.known.start(now, int(n.jobs.gridJobs[i].Procs), n.jobs.gridJobs[i].Run)
		for slices.Contains(n.gridJobs[i].refused, [2]int64{int64(s.index), at}) {
			at = s.known.start(at+1, int(n.jobs.gridJobs[i].Procs), n.jobs.gridJobs[i].Run)
		}
		if at < start {
			first, start = s, at
		}
	}
	return first, start
}

// book takes the processors of a job from the gateway's information about a provider.
func (n *naiveWorld) book(i int, s *naiveProvider, start int64) {
	j := n.jobs.gridJobs[i]
	b := naiveBooking{from: start, to: start + j.Run, procs: int(j.Procs)}
	if s.known.fixed {
		b.numbers = s.known.numbers(b.from, b.to)[:b.procs]
	}
	s.known.booked = append(s.known.booked, b)
}

// submit sends a job to a provider.
func (n *naiveWorld) submit(now int64, i int, s *naiveProvider) {
	n.send(now, "submit")
	n.gridJobs[i].provider = s.index
	n.gridJobs[i].job = s.submit(now, n.jobs.gridJobs[i], false)
}

// withDeadline is Algorithm 2 for a job with a deadline. It is rejected where it returns without a
// provider.
func (n *naiveWorld) withDeadline(now int64, i int, eligible []*naiveProvider) {
	g, j := &n.gridJobs[i], n.jobs.gridJobs[i]
	for g.refusals < max(1, len(eligible)-1) {
		s, start := n.earliest(now, i, eligible)
		if s == nil {
			g.withoutSlot = true
			return
		}
		if n.p.Deadline == "reject_late" && start+j.Run > n.jobs.deadlines[i] {
			return
		}
		n.send(now, "reserve")
		if g.job = s.reserve(now, j, start); g.job != nil {
			n.send(now, "offer", "commit", "acknowledge", "submit")
			n.book(i, s, start)
			g.provider, g.expected = s.index, start
			return
		}
		n.send(now, "refuse")
		g.refusals++
		g.refused = append(g.refused, [2]int64{int64(s.index), start})
		if n.p.Gateway == "earliest-ask" {
			s.show(now, never)
		} else {
			s.show(now, n.horizon(now))
		}
	}
}
