// Naive provider: a cluster's queue and its passes under all policies.

package multisite

import (
	"cmp"
	"slices"
)

// naiveJob is a job at a provider, in the queue, running, ended or reserved.
type naiveJob struct {
	job
	isLocal   bool
	partition int
	held      *naiveHeld // its processors in the plan: booked, reserved, running or ended
	start     int64      // never while it waits; the start of a reservation from the beginning
}

// naiveHeld are processors held in [from, to): the count in each partition or, with fixed
// placement, their numbers.
type naiveHeld struct {
	from, to int64
	counts   []int
	numbers  []int
}

// naiveProvider is a cluster.
type naiveProvider struct {
	world      *naiveWorld
	index      int
	procs      int
	partitions []int // processors of each
	jobs       []*naiveJob
	local      map[int]*naiveJob // by index in the local workload
	unlimited  bool              // any number of pivots

	// The gateway's information about it.
	reported float64
	known    naiveSlots
	most     int // largest number of processors free at once when it last sent slots

	naiveForecast
}

func newNaiveProvider(n *naiveWorld, index, procs int) *naiveProvider {
	s := &naiveProvider{world: n, index: index, procs: procs, local: map[int]*naiveJob{}}
	weights := []int{1}
	switch n.p.Provider {
	case "ArEbM", "ArCbM":
		weights = naiveNumbers(n.p.Shares)
	case "ArEbMf":
		weights = []int{1, 1}
	}
	sum, assigned := 0, 0
	for _, weight := range weights {
		sum += weight
	}
	for _, weight := range weights {
		s.partitions = append(s.partitions, procs*weight/sum)
		assigned += procs * weight / sum
	}
	s.partitions[0] += procs - assigned
	s.windowFrom = never
	return s
}

// partitionOf returns the partition of a job: Equation 1, or local and Grid.
func (s *naiveProvider) partitionOf(j job, isLocal bool) int {
	switch {
	case len(s.partitions) == 1:
		return 0
	case len(s.partitions) == 2:
		if isLocal {
			return 0
		}
		return 1
	case j.Run < 1000:
		return 0
	case j.Run < 10000:
		return 1
	}
	return 2
}

// isEvent reports whether a job ends now or is booked to start now.
func (s *naiveProvider) isEvent(now int64) bool {
	return slices.ContainsFunc(s.jobs, func(j *naiveJob) bool {
		return j.held != nil && (j.held.from == now || j.held.to == now)
	})
}

// submit puts a job into the queue and makes a pass.
func (s *naiveProvider) submit(now int64, j job, isLocal bool) *naiveJob {
	n := &naiveJob{job: j, isLocal: isLocal, partition: s.partitionOf(j, isLocal), start: never}
	s.jobs = append(s.jobs, n)
	s.pass(now)
	return n
}

// reserve makes an advance reservation for a job, if it fits, and then a pass. Processors are taken
// from the partitions in their order.
func (s *naiveProvider) reserve(now int64, j job, from int64) *naiveJob {
	held := s.fit(int(j.Procs), 0, from, j.Run)
	if held == nil {
		return nil
	}
	n := &naiveJob{job: j, held: held, start: from}
	s.jobs = append(s.jobs, n)
	s.pass(now)
	return n
}

// queue returns the waiting jobs in the order of the queue.
func (s *naiveProvider) queue() []*naiveJob {
	var queue []*naiveJob
	for _, j := range s.jobs {
		if j.start == never {
			queue = append(queue, j)
		}
	}
	if s.world.p.Provider == "ArEbM" {
		localFirst(queue)
	}
	return queue
}

func localFirst(queue []*naiveJob) {
	rank := func(j *naiveJob) int {
		if j.isLocal {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(queue, func(a, b *naiveJob) int { return cmp.Compare(rank(a), rank(b)) })
}

// pass follows docs/reference/scheduling.md, "Policies".
func (s *naiveProvider) pass(now int64) {
	queue := s.queue()
	switch p := s.world.p; {
	case p.Provider == "ArCb" || p.Provider == "ArCbM":
		s.conservative(now, queue)
	case p.Provider == "ArEbMf" || p.Pivot == "kept":
		s.kept(now, queue)
	default:
		s.replanned(now, queue)
	}
}

func (s *naiveProvider) conservative(now int64, queue []*naiveJob) {
	for _, j := range queue {
		if j.held == nil {
			j.held = s.earliest(now, j)
		}
	}
	for _, j := range queue {
		if j.held.from == now {
			j.start = now
		}
	}
}

func (s *naiveProvider) replanned(now int64, queue []*naiveJob) {
	booked := make([]int, len(s.partitions))
	for _, j := range queue {
		if s.startNow(now, j) {
			continue
		}
		if booked[j.partition] < 1 {
			j.held = s.earliest(now, j)
			booked[j.partition]++
		}
	}
	for _, j := range queue {
		if j.start == never {
			j.held = nil
		}
	}
}

// kept is a pass over the waiting jobs in queue order, whose pivots keep their bookings.
func (s *naiveProvider) kept(now int64, queue []*naiveJob) {
	for i, j := range queue {
		if j.held != nil { // a pivot
			booked := j.held
			if booked.from == now && s.world.p.Placement == "fixed" {
				j.start = now
				continue
			}
			j.held = nil
			if s.startNow(now, j) {
				continue
			}
			j.held = booked
			if booked.from == now {
				j.start = now
			}
			continue
		}
		if s.startNow(now, j) {
			continue
		}
		if !s.unlimited {
			if len(s.pivots(queue[:i], j.partition)) >= 1 {
				continue
			}
			if behind := s.pivots(queue[i:], j.partition); len(behind) > 0 {
				behind[len(behind)-1].held = nil
			}
		}
		j.held = s.earliest(now, j)
		if j.held.from == now {
			j.start = now
		}
	}
}

// pivots returns those of waiting jobs that are booked in a partition.
func (s *naiveProvider) pivots(queue []*naiveJob, partition int) []*naiveJob {
	var pivots []*naiveJob
	for _, j := range queue {
		if j.start == never && j.held != nil && j.partition == partition {
			pivots = append(pivots, j)
		}
	}
	return pivots
}

// startNow starts a job that fits now.
func (s *naiveProvider) startNow(now int64, j *naiveJob) bool {
	held := s.fit(int(j.Procs), j.partition, now, j.Run)
	if held == nil {
		return false
	}
	j.held, j.start = held, now
	return true
}

// load is the share of the processors that is in use.
func (s *naiveProvider) load(now int64, countsWaiting bool) float64 {
	busy := 0
	for _, j := range s.jobs {
		running := j.start <= now && now < j.start+j.Run
		if running || (countsWaiting && j.start == never) {
			busy += int(j.Procs)
		}
	}
	return float64(busy) / float64(s.procs)
}
