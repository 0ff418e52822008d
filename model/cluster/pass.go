// Schedulers of users: the interface, what a pass shows them, and how they start and book jobs.

package cluster

import (
	"fmt"
	"iter"
	"math"
)

// Scheduler is a policy of your own at work in one simulation. It gets the machine, then the events
// of each pass, and answers by the jobs to start. It must depend on nothing else: equal runs must
// give equal results. An error ends the simulation.
type Scheduler interface {
	// Begin is called once, before the first pass, with the machine and its rules.
	Begin(machine Config) error
	// Schedule is called in each pass. It starts and books jobs by the methods of the pass, which
	// is valid until it returns.
	Schedule(pass *Pass) error
}

// NewPolicy returns a policy of your own. It calls begin once for each simulation.
func NewPolicy(name string, begin func() Scheduler) Policy {
	return Policy{name: name}.With(begin)
}

// With returns the policy with a scheduler, which begin returns for each simulation. Policies
// exec:PROGRAM, whose programs ParsePolicy does not start, need it.
func (p Policy) With(begin func() Scheduler) Policy {
	p.scheduler = func(s *Site) scheduler { return newCustom(s, begin()) }
	return p
}

// EventType is what happened in an event.
type EventType uint8

const (
	Submitted        EventType = iota // a job joined the queue
	Ended                             // a job ended
	ReservationEnded                  // at Reservation.To
	// at Reservation.From, which may be before the pass: it has no pass of its own
	ReservationBegan
	Woken // the pass was requested by Pass.Wake
)

// Event is one of the things that happened since the last pass.
type Event struct {
	Type        EventType
	Job         int         // its number, of Submitted and Ended
	Reservation Reservation // of ReservationBegan and ReservationEnded
}

// Pass is what a scheduler sees of the machine during a pass, and how it acts. Jobs are named by
// their numbers: their index in the trace.
type Pass struct {
	site   *Site
	events []Event
	booked []int32 // jobs that the scheduler has booked
	wake   int64   // s, the requested pass; Never: none
}

// Now returns the second of the pass.
func (p *Pass) Now() int64 { return p.site.now }

// Events returns what happened since the last pass: ends of jobs, ends and beginnings of
// reservations, submits, and the wake-up.
func (p *Pass) Events() []Event { return p.events }

// Free returns how many processors are free now: beside running jobs, reservations and bookings.
func (p *Pass) Free() int32 { return p.site.plan.total.FreeAt(p.Now()) }

// Job returns a job that was submitted. Its Estimate is the one to plan with, its Run is 0: no
// scheduler knows it. Like Fits, EarliestFit and Book, it panics for a number that no job has.
func (p *Pass) Job(number int) Job {
	job := p.site.jobs[number]
	job.Run = 0
	return job
}

// Waiting returns the jobs that wait, in queue order, with their numbers. The loop may start and
// book jobs.
func (p *Pass) Waiting() iter.Seq2[int, Job] {
	s := p.site
	queue := make([]int32, 0, s.queue.size) // a copy: starts change the queue
	for w := range s.queue.all() {
		queue = append(queue, w.number)
	}
	return func(yield func(int, Job) bool) {
		for _, number := range queue {
			if s.ends[number] == Never && !yield(int(number), p.Job(int(number))) {
				return
			}
		}
	}
}

// EarliestFit returns the first second from now on at which the job fits into the plan: beside
// running jobs, reservations and bookings.
func (p *Pass) EarliestFit(number int) int64 {
	job := &p.site.jobs[number]
	return p.site.plan.earliest(p.Now(), job.Procs, job.Estimate)
}

// Fits reports whether a waiting job fits into the plan now. A booking of its own is in its way.
func (p *Pass) Fits(number int) bool {
	job := &p.site.jobs[number]
	return p.site.plan.fits(p.Now(), job.Procs, job.Estimate)
}

// Start starts a waiting job. The error is a *RuleError if the job cannot start now; nothing has
// changed then, and the pass may go on.
func (p *Pass) Start(number int) error {
	s := p.site
	if number < 0 || number >= len(s.jobs) {
		return p.broken(UnknownJob, number, "no job of this number has been submitted")
	}
	n := int32(number)
	if s.ends[n] != Never {
		return p.broken(StartedTwice, number, "it started at %d s", s.starts[n])
	}
	isBooked := s.starts[n] != Never
	if isBooked {
		s.release(n)
	}
	if job := &s.jobs[n]; !s.plan.fits(s.now, job.Procs, job.Estimate) {
		err := p.misfit(number, job)
		if isBooked {
			s.restore(n)
		}
		return err
	}
	w := s.waiting(n)
	s.startWaiting(&w)
	return nil
}

func (p *Pass) misfit(number int, job *Job) error {
	free := p.Free()
	if job.Procs > free {
		return p.broken(TooManyProcs, number, "it needs %d processors, and %d are free", job.Procs, free)
	}
	until := p.Now() + job.Estimate
	for slot := range p.site.Slots(p.Now(), until) {
		if slot.Free < job.Procs {
			return p.broken(BeyondReservation, number, "it needs %d processors until %d s, by its estimate, and from "+
				"%d s on %d are free beside reservations and bookings", job.Procs, until, slot.From, slot.Free)
		}
	}
	return p.broken(BeyondReservation, number, "it needs %d processors until %d s, by its estimate, and as many are "+
		"free, but not the same ones throughout", job.Procs, until)
}

// Book enters a waiting job into the plan at its earliest fit until the pass ends, and returns that
// second. A job that is booked or runs keeps its start.
func (p *Pass) Book(number int) int64 {
	s, n := p.site, int32(number)
	if s.starts[n] == Never {
		s.book(n, p.EarliestFit(number))
		p.booked = append(p.booked, n)
	}
	return s.starts[n]
}

// Wake requests a pass at a later second, if jobs wait then and no pass comes before. The last call
// of a pass counts. The error is a *RuleError.
func (p *Pass) Wake(at int64) error {
	if at <= p.Now() || at-p.Now() > MaxSeconds {
		return p.broken(InThePast, NoJob, "a pass is requested at %d s; want a later second than now, by at most 2^32 s",
			at)
	}
	p.wake = at
	return nil
}

// Rule is a rule for schedulers. Its name says how it is broken, its comment what a scheduler does.
type Rule uint8

const (
	UnknownJob        Rule = iota // it starts jobs that have been submitted
	StartedTwice                  // it starts a job once
	TooManyProcs                  // a job starts on processors that are free
	BeyondReservation             // a job ends, by its estimate, before its processors are reserved
	InThePast                     // it starts jobs now, and requests passes later
	Deadlock                      // it starts each job at last
)

// NoJob stands in RuleError.Job where a rule is not about one job.
const NoJob = math.MinInt

// RuleError is a rule that the answer of a scheduler breaks.
type RuleError struct {
	Rule Rule
	Time int64  // of the pass, in s
	Job  int    // its number, from 0, or NoJob
	Text string // what is wrong
}

func (e *RuleError) Error() string {
	if e.Job == NoJob {
		return fmt.Sprintf("at %d s: %s", e.Time, e.Text)
	}
	return fmt.Sprintf("at %d s: job %d cannot start: %s", e.Time, e.Job+1, e.Text)
}

// broken returns the error of an answer to the pass.
func (p *Pass) broken(rule Rule, number int, format string, args ...any) error {
	return &RuleError{Rule: rule, Time: p.Now(), Job: number, Text: fmt.Sprintf(format, args...)}
}
