package cluster

import (
	"fmt"
	"slices"

	"gridsweep/model/des"
	"gridsweep/model/profile"
)

// Never is the time of what does not happen.
const Never = profile.Never

// farthest bounds submits, run times and estimates, in s: 136 years. So the times of a billion
// jobs, one after the other, are int64.
const farthest = 1 << 32

// Site is a machine with its queue. A driver tells it what happens in a second, in the order that
// docs/reference/scheduling.md or its study states, and asks with Next when it has something to do:
//
//	site.Finish(now)      // ends free their processors
//	site.Submit(now, job) // joins the queue
//	site.Pass(now)        // starts what can start
//
// A driver that keeps the queue itself has the site Run jobs in place of the latter two.
// Time never goes back. A Site is not safe for concurrent use.
type Site struct {
	config Config
	shares []int32  // processors of each partition
	demand []demand // of the jobs of each partition that wait or run, where there are several partitions
	used   []demand // of those that run

	jobs   []Job   // by number, in the order of submission; Estimate is what is planned with
	starts []int64 // of the jobs: when they started, or are booked to start
	ends   []int64 // of the jobs that started, else Never
	driven bool    // all jobs were started by Run
	spare  []int32 // then, numbers of those that have ended, for others
	ended  int     // jobs
	wanted int64   // processors of the jobs that wait

	now   int64
	plan  plan
	queue queue
	fresh []int32 // jobs that have come since the last pass; it puts into the queue those that it does not start

	running  des.Queue[int32]    // by their end; of one second, in the order in which they started
	due      des.Queue[int32]    // booked starts; a job may have been moved or started since
	releases des.Queue[struct{}] // ends of reservations
	drops    []int64             // starts of reservations to come, ascending
	longest  int64               // estimate of all jobs that have come

	// settled says that a search would find nothing: for policies that book at arrival, that no
	// waiting job can be moved; for others, that no job that was there at the last pass can start.
	settled bool
	pivots  []waiting // of EASY, in queue order; the plan has them during a pass, or always if they are kept
	most    []int     // of EASY: how many pivots each partition may have
	booked  []int     // how many it has
	waits   []int     // of EASY: how many of its jobs are in the queue
	limits  []limit   // of EASY: what fits from the second `limited` on, if it ends by the horizon; with partitions, what may
	limited int64
	horizon int64
	overrun overrun

	// Scratch of a pass.
	ahead []int // pivots passed in each partition
	left  []int // jobs of each partition that wait behind the cursor and are no pivots
	times []int64
	ready []int32

	dueNow         []int32   // pivots that are booked for now
	soon, soonRoom []waiting // pivots that are booked soon
}

// New returns a machine at time 0 with an empty queue and its reservations booked. It returns an
// error for a config that breaks the rules of docs/reference/scheduling.md.
func New(config Config) (*Site, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	shares := config.shares()
	s := &Site{
		config: config, shares: slices.Clone(shares), demand: make([]demand, len(shares)),
		used: make([]demand, len(shares)), plan: newPlan(config.Procs, shares, config.Placement),
		ahead: make([]int, len(shares)), left: make([]int, len(shares)), most: make([]int, len(shares)),
		booked: make([]int, len(shares)), waits: make([]int, len(shares)), overrun: overrun{busy: make([]int32, len(shares))},
	}
	s.queue.plain = config.Policy.kind != easy
	for q := range shares {
		s.most[q] = config.Policy.pivots
	}
	for i, r := range config.Reservations {
		if err := s.Reserve(r); err != nil {
			return nil, fmt.Errorf("reservation %d: %w", i+1, err)
		}
	}
	return s, nil
}

// Submit adds a job to the queue at now, whatever its Submit says, and returns its number. Nothing
// starts before the next pass. It returns an error for a job that breaks the rules of
// docs/reference/scheduling.md.
func (s *Site) Submit(now int64, job Job) (number int, err error) {
	job.Submit = now
	if err := s.check(&job); err != nil {
		return 0, err
	}
	if err := s.checkQueue(); err != nil {
		return 0, err
	}
	s.turn(now)
	s.enqueue(job)
	return len(s.jobs) - 1, nil
}

// check returns an error that says what of the job cannot be.
func (s *Site) check(job *Job) error {
	switch {
	case job.Procs < 1:
		return fmt.Errorf("%d processors, want at least 1", job.Procs)
	case job.Procs > s.config.Procs:
		return fmt.Errorf("%d processors, the machine has %d", job.Procs, s.config.Procs)
	case job.Run < 1 || job.Run > farthest || job.Estimate > farthest:
		return fmt.Errorf("a run time of %d s and an estimate of %d s, want a run time of at least 1 s and both at most 2^32", job.Run, job.Estimate)
	case job.Submit < 0 || job.Submit > farthest:
		return fmt.Errorf("submitted at %d s, want 0 to 2^32 s", job.Submit)
	case len(s.config.Boundaries) == 0 && (job.Partition < 0 || int(job.Partition) >= len(s.shares)):
		return fmt.Errorf("partition %d, want 0 to %d", job.Partition, len(s.shares)-1)
	}
	return nil
}

// enqueue adds a job that has been checked to those that the next pass starts or puts into the
// queue.
func (s *Site) enqueue(job Job) {
	number := int32(len(s.jobs))
	s.jobs, s.starts, s.ends = append(s.jobs, job), append(s.starts, Never), append(s.ends, Never)
	s.fresh = append(s.fresh, number)
	s.take(number)
}

// take counts a job that has come.
func (s *Site) take(number int32) {
	job := &s.jobs[number]
	job.Estimate = job.planned(s.config.Overrun)
	s.longest = max(s.longest, job.Estimate)
	s.wanted += int64(job.Procs)
	if len(s.shares) > 1 {
		s.demand[s.partition(number)].change(s.now, job.Procs)
	}
}

// waiting returns the entry of a job in the queue, as it stands there now.
func (s *Site) waiting(number int32) waiting {
	job := &s.jobs[number]
	w := waiting{number: number, procs: job.Procs, estimate: job.Estimate, start: s.starts[number]}
	if s.config.Order.Score != nil {
		w.score = s.config.Order.Score(job, s.now)
	}
	return w
}

// partition returns the partition of a job.
func (s *Site) partition(number int32) int32 {
	if len(s.shares) == 1 {
		return 0
	}
	job := &s.jobs[number]
	if len(s.config.Boundaries) == 0 {
		return job.Partition
	}
	q := int32(0)
	for int(q) < len(s.config.Boundaries) && job.Estimate >= s.config.Boundaries[q] {
		q++
	}
	return q
}

// Next returns the next second in which something ends or is booked to start, or Never.
func (s *Site) Next() int64 {
	next := Never
	if t, _, _, ok := s.running.Peek(); ok {
		next = t
	}
	if t, _, _, ok := s.releases.Peek(); ok {
		next = min(next, t)
	}
	return min(next, s.nextDue())
}

// nextDue returns the second of the next booked start, or Never.
func (s *Site) nextDue() int64 {
	for {
		t, _, number, ok := s.due.Peek()
		if !ok {
			return Never
		}
		if s.starts[number] == t && s.ends[number] == Never {
			return t
		}
		s.due.Drop()
	}
}

// startIsDue reports whether a job that still waits is booked to start now.
func (s *Site) startIsDue() bool {
	return s.nextDue() == s.now || len(s.overrun.late) > 0 ||
		s.config.Pivot == Kept && slices.ContainsFunc(s.pivots, func(w waiting) bool { return s.starts[w.number] == s.now })
}

// Start returns when a job started, and when it ended or will end: Never while it waits.
func (s *Site) Start(number int) (start, end int64) {
	if s.ends[number] == Never {
		return Never, Never
	}
	return s.starts[number], s.ends[number]
}

// Finish frees the processors of what ends at now and compresses the plan, where the policy does.
// It must be called at each second that Next names.
func (s *Site) Finish(now int64) {
	s.turn(now)
	any := false
	for s.finishOne() {
		any = true
	}
	s.endReservations()
	if any {
		s.compress()
	}
}

// turn makes now the current second.
func (s *Site) turn(now int64) {
	if now < s.now {
		panic(fmt.Sprintf("cluster: time goes from %d back to %d", s.now, now))
	}
	if now == s.now {
		return
	}
	s.now = now
	s.plan.advance(now)
	for len(s.drops) > 0 && s.drops[0] <= now {
		s.drops = s.drops[1:]
	}
	s.overrun.closeSecond()
}

// finishOne ends the first of the jobs that end now, and reports whether there was one.
func (s *Site) finishOne() bool {
	t, _, number, ok := s.running.Peek()
	if !ok || t > s.now {
		return false
	}
	s.running.Next()
	job := &s.jobs[number]
	planned := s.starts[number] + job.Estimate
	if s.config.Overrun == RunOn {
		planned = s.overrun.end(s, number)
	}
	if planned > s.now {
		s.plan.add(number, s.now, planned, job.Procs, 1)
		s.settled = false
	}
	if !s.config.Policy.books() {
		s.settled = false
	}
	if len(s.shares) > 1 {
		q := s.partition(number)
		s.demand[q].change(s.now, -job.Procs)
		s.used[q].change(s.now, -job.Procs)
	}
	if s.driven {
		s.spare = append(s.spare, number)
	}
	s.ended++
	return true
}

// Pass starts what can start at now, as the policy does it.
func (s *Site) Pass(now int64) {
	s.turn(now)
	s.extend()
	switch s.config.Policy.kind {
	case fcfs:
		s.startBeforeQueue()
		s.admit()
		s.passFCFS()
	case easy:
		s.passEasy()
	case conservative, fixed:
		s.admit()
		s.passBooked()
	case custom:
		s.admit()
		s.passCustom()
	}
	s.fresh = s.fresh[:0]
}

// startBeforeQueue starts those of the new jobs that fit and before which nobody waits.
func (s *Site) startBeforeQueue() {
	if s.queue.size > 0 {
		return
	}
	fresh := s.inQueueOrder(s.fresh)
	for len(fresh) > 0 {
		number := fresh[0]
		if job := &s.jobs[number]; !s.plan.fits(s.now, job.Procs, job.Estimate) {
			break
		}
		s.startNow(number)
		fresh = fresh[1:]
	}
	s.fresh = append(s.fresh[:0], fresh...)
}

// admit puts the new jobs into the queue.
func (s *Site) admit() {
	for _, number := range s.fresh {
		s.enter(s.waiting(number))
	}
	s.resort()
}

// enter puts a job into the queue.
func (s *Site) enter(w waiting) {
	s.queue.insert(w)
	s.waits[s.partition(w.number)]++
}

// resort sorts the queue, and the pivots like it, where scores change with time.
func (s *Site) resort() {
	if !s.config.Order.Changes {
		return
	}
	s.queue.sort(func(w *waiting) float64 { return s.config.Order.Score(&s.jobs[w.number], s.now) })
	for i := range s.pivots {
		s.pivots[i] = s.waiting(s.pivots[i].number)
	}
	slices.SortFunc(s.pivots, func(a, b waiting) int { return a.compare(&b) })
}

// passFCFS starts jobs from the head of the queue until one does not fit.
func (s *Site) passFCFS() {
	c := s.queue.first()
	for w := s.queue.at(c); w != nil && s.plan.fits(s.now, w.procs, w.estimate); w = s.queue.at(c) {
		c = s.startHere(c)
	}
}

// leave takes the job under the cursor out of the queue. It returns the cursor of the next.
func (s *Site) leave(c cursor) cursor {
	s.waits[s.partition(s.queue.at(c).number)]--
	return s.queue.remove(c)
}

// startHere books the job under the cursor for now and starts it. It returns the cursor of the
// next.
func (s *Site) startHere(c cursor) cursor {
	s.startNow(s.queue.at(c).number)
	return s.leave(c)
}

// startNow books a job for now and starts it.
func (s *Site) startNow(number int32) {
	s.book(number, s.now)
	s.begin(number)
}

// book enters a job into the plan.
func (s *Site) book(number int32, start int64) {
	job := &s.jobs[number]
	own := int32(0)
	if len(s.shares) > 1 {
		own = s.partition(number)
	}
	s.plan.book(number, own, start, job.Procs, job.Estimate)
	s.starts[number] = start
}

// unbook takes a waiting job out of the plan.
func (s *Site) unbook(number int32) {
	s.hold(number, -1)
	s.starts[number] = Never
}

// hold enters the booking of a waiting job into the plan again, sign 1, or takes it out, -1. Of a
// booking that was missed there may be nothing left.
func (s *Site) hold(number, sign int32) {
	job, start := &s.jobs[number], s.starts[number]
	s.plan.add(number, start, start+job.Estimate, job.Procs, -sign)
}

// begin makes a job that is booked for now a running one.
func (s *Site) begin(number int32) {
	job := &s.jobs[number]
	run := job.Run
	switch s.config.Overrun {
	case Kill:
		run = min(run, job.Estimate)
	case RunOn:
		s.overrun.begin(s, number)
	}
	s.wanted -= int64(job.Procs)
	if len(s.shares) > 1 {
		s.used[s.partition(number)].change(s.now, job.Procs)
	}
	s.ends[number] = s.now + run
	s.running.Push(s.now+run, 0, number)
}
