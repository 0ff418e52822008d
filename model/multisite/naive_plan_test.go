// Naive plan: earliest fits and free slots of a provider, found by looking through all of its jobs.

package multisite

import "slices"

// plan returns all holdings of processors, those of the past included.
func (s *naiveProvider) plan() []*naiveHeld {
	var plan []*naiveHeld
	for _, j := range s.jobs {
		if j.held != nil {
			plan = append(plan, j.held)
		}
	}
	return plan
}

// earliest returns the processors of a job's earliest fit from now on. A job that does not fit now
// first fits when some other job ends.
func (s *naiveProvider) earliest(now int64, j *naiveJob) *naiveHeld {
	times := []int64{now}
	for _, h := range s.plan() {
		if h.to > now {
			times = append(times, h.to)
		}
	}
	slices.Sort(times)
	for _, at := range times {
		if held := s.fit(int(j.Procs), j.partition, at, j.Run); held != nil {
			return held
		}
	}
	panic("a job does not fit on an empty machine")
}

// fit returns processors for [from, from + run), the own partition's first, or nil if there are not
// enough.
func (s *naiveProvider) fit(procs, own int, from, run int64) *naiveHeld {
	held := &naiveHeld{from: from, to: from + run}
	order := []int{own}
	for partition := range s.partitions {
		if partition != own {
			order = append(order, partition)
		}
	}
	if s.world.p.Placement == "fixed" {
		held.numbers = s.fitNumbers(procs, order, from, from+run)
		if held.numbers == nil {
			return nil
		}
		return held
	}
	sum := 0
	for _, partition := range order {
		sum += s.least(partition, from, from+run)
	}
	if sum < procs {
		return nil
	}
	held.counts = make([]int, len(s.partitions))
	for _, partition := range order {
		taken := max(0, min(procs, s.least(partition, from, from+run)))
		held.counts[partition] = taken
		procs -= taken
	}
	return held
}

// least returns the least number of free processors of a partition in [from, to). The number falls
// only where a holding begins.
func (s *naiveProvider) least(partition int, from, to int64) int {
	plan := s.plan()
	free := func(at int64) int {
		free := s.partitions[partition]
		for _, h := range plan {
			if h.from <= at && at < h.to {
				free -= h.counts[partition]
			}
		}
		return free
	}
	least := free(from)
	for _, h := range plan {
		if from < h.from && h.from < to {
			least = min(least, free(h.from))
		}
	}
	return least
}

// fitNumbers returns the lowest-numbered processors that are free in [from, to), partition by
// partition in the order, or nil.
func (s *naiveProvider) fitNumbers(procs int, order []int, from, to int64) []int {
	var numbers []int
	for _, partition := range order {
		first := 0
		for _, size := range s.partitions[:partition] {
			first += size
		}
		for number := first; number < first+s.partitions[partition] && len(numbers) < procs; number++ {
			if s.isFree(number, from, to) {
				numbers = append(numbers, number)
			}
		}
	}
	if len(numbers) < procs {
		return nil
	}
	return numbers
}

func (s *naiveProvider) isFree(number int, from, to int64) bool {
	for _, h := range s.plan() {
		if h.from < to && from < h.to && slices.Contains(h.numbers, number) {
			return false
		}
	}
	return true
}

// slots returns the free processors that the provider publishes, from now up to a horizon.
func (s *naiveProvider) slots(now, until int64) naiveSlots {
	slots := naiveSlots{until: until, fixed: s.world.p.Placement == "fixed"}
	times := []int64{now}
	for _, h := range s.plan() {
		times = append(times, h.from, h.to)
	}
	slices.Sort(times)
	for _, at := range slices.Compact(times) {
		if now <= at && at < until {
			slots.free = append(slots.free, s.free(at))
		}
	}
	return slots
}

// free returns the free processors that are published for a second: under ArEbMf no more than the
// Grid partition, which is the last one.
func (s *naiveProvider) free(at int64) naiveFree {
	free, offered := naiveFree{from: at}, s.procs
	if s.world.p.Provider == "ArEbMf" {
		offered = s.partitions[1]
	}
	if s.world.p.Placement == "fixed" {
		for number := s.procs - offered; number < s.procs; number++ {
			if s.isFree(number, at, at+1) {
				free.numbers = append(free.numbers, number)
			}
		}
		free.procs = len(free.numbers)
		return free
	}
	free.procs = s.procs
	for _, h := range s.plan() {
		if h.from <= at && at < h.to {
			for _, count := range h.counts {
				free.procs -= count
			}
		}
	}
	free.procs = max(0, min(free.procs, offered))
	return free
}
