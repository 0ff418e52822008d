// The slow reference scheduler, which the engine is compared with, and its order of events.

package cluster_test

import (
	"fmt"
	"slices"

	"gridsweep/model/cluster"
	"gridsweep/model/cluster/conformance"
)

// reference is the slow, obvious scheduler: it walks second by second, keeps lists of jobs, and
// counts free processors anew from these lists whenever it wants to know them. It was written from
// docs/reference/scheduling.md and shares nothing with the engine but the types of a job and a
// reservation.
type reference struct {
	words  conformance.Configuration
	shares []int // processors of each partition
	// processors of each unit: a unit is a partition, or under placement=fixed a single processor
	units        []int
	owners       []int // the partition of each unit
	reservations []hold
	jobs         []*job // the whole trace
	queue        []*job // submitted and not started, in the order of the trace
	running      []*job // in the order in which they started
	ended        []*job // in the order in which they ended
	now          int64
	isVoid       bool // a booked start was missed: the next submit or end books all anew

	// Of multifactor: when fair shares were computed, and those of the last time.
	computed []int64
	fair     map[int32]float64

	pivots []pivot // of all passes of EASY, for properties
}

// job is a job and where it is.
type job struct {
	number                int // in the trace
	submit, run, estimate int64
	procs, partition      int
	priority, user        int32
	planned               int64 // how long the scheduler plans it to run, from its start on
	corrections           int   // how often planned was too short

	booking *hold // nil where it has none
	first   int64 // the first booked start of policies that keep bookings
	start   int64
	end     int64
	takes   []int // processors of each unit, from the start on
}

// hold is what takes processors in [from, to).
type hold struct {
	from, to int64
	takes    []int // of each unit
}

// pivot is what a pass of EASY booked first.
type pivot struct{ job, at int64 }

// refer simulates a workload that the engine would accept; it returns an error where reservations
// do not fit.
func refer(
	procs int32, reservations []cluster.Reservation, jobs []cluster.Job, words conformance.Configuration,
) (*reference, error) {
	r := &reference{words: words}
	count := len(words.Partitions) + 1
	for range count {
		r.shares = append(r.shares, int(procs)/count)
	}
	r.shares[0] += int(procs) % count
	for i, share := range r.shares {
		if words.Placement == "fixed" {
			r.units = append(r.units, slices.Repeat([]int{1}, share)...)
			r.owners = append(r.owners, slices.Repeat([]int{i}, share)...)
		} else {
			r.units, r.owners = append(r.units, share), append(r.owners, i)
		}
	}
	for i, reservation := range reservations {
		if err := r.reserve(reservation); err != nil {
			return nil, fmt.Errorf("reservation %d: %w", i+1, err)
		}
	}
	for i, j := range jobs {
		r.jobs = append(r.jobs, r.accept(i, j))
	}
	left := len(jobs)
	for r.now = jobs[0].Submit; left > 0; r.now++ {
		left -= r.second()
	}
	return r, nil
}

// accept applies the estimate's rules, which depend on nothing that happens later.
func (r *reference) accept(number int, from cluster.Job) *job {
	j := &job{
		number: number, submit: from.Submit, run: from.Run, estimate: from.Estimate,
		procs: int(from.Procs), priority: from.Priority, user: from.User, first: -1,
	}
	if j.estimate <= 0 {
		j.estimate = j.run
	}
	switch r.words.Overrun {
	case "":
		j.run = min(j.run, j.estimate)
	case "raise":
		j.estimate = max(j.estimate, j.run)
	}
	j.planned = j.estimate
	for _, boundary := range r.words.Partitions {
		if j.estimate >= boundary {
			j.partition++
		}
	}
	return j
}

// second does all that happens at one second, and returns how many jobs ended.
func (r *reference) second() int {
	var submits, ends []*job
	for _, j := range r.jobs {
		if j.submit == r.now {
			submits = append(submits, j)
		}
	}
	for _, j := range r.running {
		if j.end == r.now {
			ends = append(ends, j)
		}
	}
	released := slices.ContainsFunc(r.reservations, func(h hold) bool { return h.to == r.now })
	if r.words.Instant == "each" {
		r.each(submits, ends, released)
	} else {
		r.batch(submits, ends, released)
	}
	r.findMissed()
	return len(ends)
}

func (r *reference) batch(submits, ends []*job, released bool) {
	for _, j := range ends {
		r.free(j)
	}
	if len(ends) > 0 {
		r.compress()
	}
	r.queue = append(r.queue, submits...)
	if len(submits) > 0 {
		r.rebookIfVoid()
	}
	if len(submits) > 0 || len(ends) > 0 || released || r.isDue() {
		r.pass()
	}
}

func (r *reference) each(submits, ends []*job, released bool) {
	for _, j := range submits {
		r.queue = append(r.queue, j)
		r.rebookIfVoid()
		r.pass()
	}
	for _, j := range ends {
		r.free(j)
		r.compress()
		r.pass()
	}
	if released || r.isDue() {
		r.pass()
	}
}

// isDue reports whether the booked start of a job that still waits is this second.
func (r *reference) isDue() bool {
	return slices.ContainsFunc(r.queue, func(j *job) bool { return j.booking != nil && j.booking.from == r.now })
}

// findMissed looks for conservative bookings that could not start. The plan is void then, though
// other bookings stand.
func (r *reference) findMissed() {
	if r.isConservative() && r.isDue() {
		if r.words.Overrun != "run" {
			panic("a booking without overruns was missed")
		}
		r.isVoid = true
	}
}

func (r *reference) free(j *job) {
	r.running = without(r.running, j)
	r.ended = append(r.ended, j)
}

// start starts a job now on so many processors of each unit.
func (r *reference) start(j *job, takes []int) {
	j.start, j.end, j.takes, j.booking = r.now, r.now+j.run, takes, nil
	r.queue = without(r.queue, j)
	r.running = append(r.running, j)
}

func (r *reference) schedule() cluster.Schedule {
	var schedule cluster.Schedule
	for _, j := range r.jobs {
		schedule.Start = append(schedule.Start, j.start)
		schedule.End = append(schedule.End, j.end)
	}
	return schedule
}

// without returns a new list, since callers walk the old one.
func without(list []*job, j *job) []*job {
	var left []*job
	for _, other := range list {
		if other != j {
			left = append(left, other)
		}
	}
	return left
}
