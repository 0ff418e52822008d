// Site: the machine, its queue and its policy, and the steps by which a driver advances them.

package cluster

import (
	"fmt"
	"slices"

	"gridsweep/model/des"
	"gridsweep/model/profile"
)

// Never is the time of what does not happen.
const Never = profile.Never

// MaxSeconds bounds submits, run times and estimates: 2^32 s are 136 years. The sum of those of a
// billion jobs is an int64.
const MaxSeconds = 1 << 32

// Site is a machine with its queue and policy. A driver calls it in each second that [Site.Next]
// returns and in each second with a submit, in the order that docs/reference/scheduling.md or its
// study defines: Finish, by which jobs that end free their processors, Submit for each job that
// joins the queue, and Pass, which starts what can start. Time never goes back. A Site is not safe
// for concurrent use.
type Site struct {
	config    Config
	scheduler scheduler // the policy at work, with what it keeps between passes
	now       int64     // s

	jobTable
	plan plan // processors that are free from now on
	backlog
	load load // processors that jobs request and use

	events
	reservations reservations
	overruns     overruns     // jobs that run past what the plan holds for them
	predictions  *predictions // nil where the scheduler plans with estimates
	custom       *custom      // the scheduler, where a user wrote it
}

// jobTable has the jobs of a site by number, which counts them in the order in which they came.
type jobTable struct {
	jobs    []Job   // Estimate is the one that the scheduler plans with
	starts  []int64 // when a job started or is booked to start, in s, else Never
	ends    []int64 // when a job that has started ends or will end, in s; Never while it waits
	ended   int     // number of jobs that have ended
	longest int64   // longest estimate of all jobs, in s
}

// add adds a job that waits, and returns its number.
func (t *jobTable) add(job Job) int32 {
	number := int32(len(t.jobs))
	t.jobs, t.starts, t.ends = append(t.jobs, job), append(t.starts, Never), append(t.ends, Never)
	t.longest = max(t.longest, job.Estimate)
	return number
}

// backlog is the waiting jobs of a site.
type backlog struct {
	queue    queue
	shortest *queue // the same jobs by their estimates, where the policy needs it
	// jobs that have come since the last pass; the next one puts them into the queue or starts them
	arrivals []int32
}

// events are what happens at a site at a known time.
type events struct {
	// running jobs by their ends; of one second, in the order of their starts
	running des.Queue[int32]
	// booked jobs by their starts; a job may have started or moved since
	bookings des.Queue[int32]
}

// New returns a machine at time 0 with an empty queue and its reservations booked. It returns an
// error for a config that breaks the rules of docs/reference/scheduling.md.
func New(config Config) (*Site, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	shares := config.shares()
	s := &Site{
		config:   config,
		plan:     newPlan(config.Procs, shares, config.Placement),
		load:     load{partitions: make([]partitionLoad, len(shares))},
		overruns: overruns{busy: make([]int32, len(shares))},
	}
	if len(config.Order.Then) > 0 { // a further key may change although the first does not
		s.config.Order.Changes = config.Order.changes()
		s.queue.ties = s.compareTies
	}
	s.scheduler = config.Policy.scheduler(s)
	for i, r := range config.Reservations {
		if err := s.Reserve(r); err != nil {
			return nil, fmt.Errorf("reservation %d: %w", i+1, err)
		}
	}
	return s, nil
}

// Submit adds a job to the queue at now, whatever its Submit is, and returns its number. Nothing
// starts before the next pass. It returns an error for a job that breaks the rules of
// docs/reference/scheduling.md.
func (s *Site) Submit(now int64, job Job) (number int, err error) {
	job.Submit = now
	if err := s.checkJob(&job); err != nil {
		return 0, err
	}
	s.advance(now)
	return int(s.arrive(job)), nil
}

// checkJob returns an error that names the first rule that the job breaks.
func (s *Site) checkJob(job *Job) error {
	switch {
	case job.Procs < 1:
		return fmt.Errorf("%d processors, want at least 1", job.Procs)
	case job.Procs > s.config.Procs:
		return fmt.Errorf("%d processors, the machine has %d", job.Procs, s.config.Procs)
	case job.Run < 1 || job.Run > MaxSeconds:
		return fmt.Errorf("a run time of %d s, want 1 to 2^32 s", job.Run)
	case job.Estimate > MaxSeconds:
		return fmt.Errorf("an estimate of %d s, want at most 2^32 s", job.Estimate)
	case job.Submit < 0 || job.Submit > MaxSeconds:
		return fmt.Errorf("submitted at %d s, want 0 to 2^32 s", job.Submit)
	case len(s.config.Boundaries) == 0 && (job.Partition < 0 || int(job.Partition) >= len(s.plan.shares)):
		return fmt.Errorf("partition %d, want 0 to %d", job.Partition, len(s.plan.shares)-1)
	}
	return nil
}

// arrive adds a job that has been checked, for the next pass, and returns its number.
func (s *Site) arrive(job Job) int32 {
	job.Estimate = job.planned(s.config.Overrun)
	number := s.jobTable.add(job)
	if s.predictions != nil {
		s.predictions.add(job)
	}
	s.load.submitted(s, number)
	s.arrivals = append(s.arrivals, number)
	return number
}

// Grow makes room for so many more jobs, so that their lists are not copied as jobs come.
func (s *Site) Grow(jobs int) {
	s.jobs, s.starts, s.ends = slices.Grow(s.jobs, jobs), slices.Grow(s.starts, jobs), slices.Grow(s.ends, jobs)
}

// partition returns the partition of a job.
func (s *Site) partition(number int32) int32 {
	if len(s.plan.shares) == 1 {
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

// Next returns the next second in which something ends or is booked to start, or for which a
// scheduler has requested a pass, or Never.
func (s *Site) Next() int64 {
	return min(s.running.Time(), s.reservations.ends.Time(), s.nextBooking(), s.custom.next())
}

// Start returns when a job started, and when it ended or will end: Never while it waits.
func (s *Site) Start(number int) (start, end int64) {
	if s.ends[number] == Never {
		return Never, Never
	}
	return s.starts[number], s.ends[number]
}

// Finish frees the processors of what ends at now and compresses the plan, where the policy does.
// A driver calls it in each second that Next returns.
func (s *Site) Finish(now int64) {
	s.advance(now)
	ended := false
	for s.finishOne() {
		ended = true
	}
	s.endReservations()
	if ended {
		s.scheduler.compress()
	}
}

// advance makes now the current second.
func (s *Site) advance(now int64) {
	if now < s.now {
		panic(fmt.Sprintf("cluster: time goes from %d back to %d", s.now, now))
	}
	if now > s.now {
		s.now = now
		s.plan.advance(now)
		s.reservations.advance(now)
	}
}

// finishOne ends the first of the jobs that end now, and reports whether there was one.
func (s *Site) finishOne() bool {
	if s.running.Time() > s.now {
		return false
	}
	number, _ := s.running.Next()
	job := &s.jobs[number]
	planned := s.starts[number] + job.Estimate
	if s.tracksOverruns() {
		planned = s.overruns.end(s, number)
	}
	if planned > s.now {
		s.plan.add(number, s.now, planned, job.Procs)
	}
	s.scheduler.ended(number, planned)
	s.load.ended(s, number)
	s.ended++
	return true
}

// Pass starts what the policy starts at now.
func (s *Site) Pass(now int64) {
	s.advance(now)
	s.planOverruns()
	s.scheduler.pass()
	s.arrivals = s.arrivals[:0]
}
