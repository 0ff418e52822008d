// The event loop: jobs end, waiting jobs are retried, jobs arrive. See "Event order" in
// docs/explanation/papers/brokering.md.

package brokering

import (
	"context"
	"fmt"
	"slices"

	"gridsweep/model"
	"gridsweep/model/brokering/pool"
	"gridsweep/model/brokering/retry"
	"gridsweep/model/des"
)

// simulation runs the jobs of a system from the first submit to the last end.
type simulation struct {
	*system
	ctx     context.Context
	ends    des.Queue[int32] // of running jobs, by their numbers
	waiting retryIndex       // broker_queue first-fit: the jobs that wait at brokers
	queues  *brokerQueues    // broker_queue fcfs: the same
	ended   []int32          // jobs that end now
	changed []int32          // resources where a job ends now
	samples samples
}

// retryIndex has the jobs that wait at brokers under broker_queue first-fit. All brokers compute
// the same ranking for a job, so it does not matter at which of them the job waits.
//
// The contract, which [retry.Index] fulfils: Retry has the effect of an attempt to place each
// waiting job, in the order of arrival. It adds the attempt and its conflicts to the tally of each
// job, but calls attempt only for jobs that may start: it may leave out those whose attempt would
// fail. For a job that has not started, attempt returns the score of the broker where it waits.
// Update is called after each change of what is free of a resource, also in the middle of a pass.
type retryIndex interface {
	// Add adds a job whose attempt on arrival has failed.
	Add(job int32, r pool.Requirement, conflicts pool.Counts)
	// Remove removes a job that starts.
	Remove(job int32)
	// Update is called when more or less is free of a resource.
	Update(at pool.Position)
	// Retry is the pass when a job has ended.
	Retry(attempt func(job int32) (started bool, score float64))
	// RetryAtOrigin calls attempt for the jobs that a resource at their origin fits, in the order
	// of arrival. Under own_as queue it is called before Retry.
	RetryAtOrigin(attempt func(job int32))
}

// simulate runs a replication of a design point. Its errors are those of draw, of the samples and
// of the context.
func simulate(ctx context.Context, p Parameters, env model.Env) (Outcome, error) {
	domains, err := draw(ctx, p, env)
	if err != nil {
		return Outcome{}, err
	}
	jobs := 0
	for i := range domains {
		jobs += len(domains[i].jobs)
	}
	end := env.Span("job", jobs)
	defer end()
	return runJobs(ctx, p, domains)
}

// runJobs runs the jobs of the domains. Its errors are that of the context and one for too many
// samples.
func runJobs(ctx context.Context, p Parameters, domains []domain) (Outcome, error) {
	s := newSimulation(ctx, p, domains)
	if err := s.run(); err != nil {
		return Outcome{}, err
	}
	s.local = nil // the rows of jobs, which may be read later, hold the rest of the system
	return s.outcome(), nil
}

func newSimulation(ctx context.Context, p Parameters, domains []domain) *simulation {
	s := &simulation{
		system: newSystem(p, domains), ctx: ctx,
		samples: samples{next: p.Sample * hour, domains: make([]average, len(domains))},
	}
	switch {
	case s.slow:
		s.openLocalSchedulers()
	case p.BrokerQueue == "fcfs":
		s.queues = newBrokerQueues(len(domains))
	default:
		s.waiting = retry.New(retry.Config{
			Pool: &s.pool, Tallies: s.tallies, Policy: s.retryPolicy(),
			Information: s.information, Score: s.score, Cancelled: s.cancelled,
		})
	}
	return s
}

// retryPolicy returns what the parameters preference and own_as mean for waiting jobs.
func (s *system) retryPolicy() retry.Policy {
	switch {
	case s.p.Preference == "none":
		return retry.OriginOnly
	case s.p.Preference == "equal":
		return retry.Equal
	case s.originFirst():
		return retry.OriginFirst
	}
	return retry.Preferred
}

// run goes from one second with events to the next. A second may have a million attempts: once the
// context is cancelled, the rest of the second places no job, and its counts mean nothing.
func (s *simulation) run() error {
	for next := 0; !s.cancelled(); {
		switch end := s.ends.Time(); {
		case next < len(s.requests) && s.submitTime(next) <= end:
			s.now = s.submitTime(next)
		case end < des.Never:
			s.now = end
		default:
			s.checkNoneWaits()
			return s.sample(s.lastEnd + 1)
		}
		if err := s.sample(s.now); err != nil {
			return err
		}
		s.finish()
		for next < len(s.requests) && s.submitTime(next) == s.now && !s.cancelled() {
			s.arrive(int32(next))
			next++
		}
	}
	return s.ctx.Err()
}

// checkNoneWaits panics if a job has not run when no event is left. Each job has a resource that
// could run it (workload.go), so a strategy or an index is wrong.
func (s *simulation) checkNoneWaits() {
	for i := range s.requests {
		if r := &s.requests[i]; r.resource == absent {
			panic(fmt.Sprintf("brokering: job %d of domain %s still waits: %s breaks a condition of strategies.go",
				r.index+1, s.domains[r.origin].name, s.p.Strategy))
		}
	}
}

// submitTime returns when a job arrives, in s.
func (s *simulation) submitTime(number int) int64 { return s.job(&s.requests[number]).submit }

func (s *simulation) cancelled() bool { return s.ctx.Err() != nil }

// finish ends the jobs that end now. Then the waiting jobs are retried, or under SLOW the local
// schedulers start others.
func (s *simulation) finish() {
	s.ended, s.changed = s.ended[:0], s.changed[:0]
	for s.ends.Time() <= s.now {
		number, _ := s.ends.Next()
		s.ended = append(s.ended, number)
	}
	if len(s.ended) == 0 {
		return
	}
	s.lastEnd = s.now
	slices.Sort(s.ended)
	for _, number := range s.ended {
		if s.cancelled() {
			return
		}
		s.end(number)
	}
	slices.Sort(s.changed)
	s.changed = slices.Compact(s.changed)
	switch {
	case s.slow:
		s.passLocalSchedulers()
	case s.queues != nil:
		s.queues.retry(s.retryBlocking)
	default:
		if s.originFirst() {
			s.waiting.RetryAtOrigin(s.startAtOrigin)
		}
		s.waiting.Retry(s.retry)
	}
}

// end ends a job.
func (s *simulation) end(number int32) {
	r := &s.requests[number]
	at := &s.resources[r.resource]
	slowdown := slowdownOf(s.job(r), r)
	at.slowdown.add(slowdown)
	s.samples.domains[at.Domain].add(slowdown)
	needs := s.needs(r)
	s.reserve(at, &needs, -1)
	s.changed = append(s.changed, r.resource)
}

// arrive makes the first attempt to place a job, at its origin.
func (s *simulation) arrive(number int32) {
	r := &s.requests[number]
	if s.queues != nil && len(s.queues.waiting[r.origin]) > 0 {
		s.queues.join(r.origin, number)
		return
	}
	required := s.requirement(r)
	result, conflicts := s.countedAttempt(number, &required, r.origin)
	switch {
	case result.resource == absent && s.queues != nil:
		s.queues.join(result.broker, number)
	case result.resource == absent:
		s.waiting.Add(number, required, conflicts)
	case s.slow:
		s.local[result.resource].submit(number)
	default:
		s.start(number, result.resource)
	}
}

// countedAttempt makes an attempt to place a job that is at a broker and counts it with its
// conflicts, which it also returns.
func (s *simulation) countedAttempt(number int32, r *pool.Requirement, at int32) (placement, pool.Counts) {
	conflicts, tally := s.conflictsOf(r), &s.tallies[number]
	tally.Include(&pool.Tally{Attempts: 1, Conflicts: conflicts})
	result := placement{broker: at, resource: absent}
	if s.information != nil || conflicts[pool.NoConflict] > 0 { // else no broker matches the job
		result = s.attempt(r, at)
	}
	tally.Rescheduled = tally.Rescheduled || result.handedBack || result.resource == absent
	return result, conflicts
}

// retry makes another attempt to place a job, which the index counts. It reports whether the job
// has started, and returns the score of the broker where it waits.
func (s *simulation) retry(number int32) (started bool, score float64) {
	required := s.requirement(&s.requests[number])
	result := s.attempt(&required, required.Origin)
	if result.resource != absent {
		s.waiting.Remove(number)
		s.start(number, result.resource)
	}
	return result.resource != absent, result.score
}

// startAtOrigin starts a job at its origin if a resource there fits.
func (s *simulation) startAtOrigin(number int32) {
	required := s.requirement(&s.requests[number])
	if resource := s.bestFit(&required, required.Origin); resource != absent && !s.cancelled() {
		s.waiting.Remove(number)
		s.start(number, resource)
	}
}

// retryBlocking makes another attempt to place a job that waits at a broker under broker_queue
// fcfs. It returns the broker where the job waits then; absent if it has started.
func (s *simulation) retryBlocking(number, at int32) int32 {
	if s.cancelled() {
		return at
	}
	required := s.requirement(&s.requests[number])
	result, _ := s.countedAttempt(number, &required, at)
	if result.resource == absent {
		return result.broker
	}
	s.start(number, result.resource)
	return absent
}

// start starts a job at a resource.
func (s *simulation) start(number, resource int32) {
	r, at := &s.requests[number], &s.resources[resource]
	r.start, r.resource = s.now, resource
	run, needs := s.job(r).run, s.needs(r)
	at.worked += run * needs.CPUs
	s.ends.Push(s.now+run, 0, number)
	s.reserve(at, &needs, 1)
}

// reserve reserves at a resource what jobs need, or releases it if their number is negative, and
// publishes what is free then.
func (s *simulation) reserve(at *resource, needs *pool.Amount, jobs int64) {
	at.used.Add(needs, jobs)
	at.Free = at.total.Without(&at.used)
	s.rerank(at)
	if s.information != nil {
		s.information.Update(at.Domain, at.inDomain, &at.Free)
	}
	if s.waiting != nil {
		s.waiting.Update(at.Position)
	}
}

// openLocalSchedulers makes the local scheduler of each resource.
func (s *simulation) openLocalSchedulers() {
	for i := range s.resources {
		begin := func(number int32) { s.start(number, int32(i)) }
		s.local = append(s.local, &localScheduler{sys: s.system, resource: &s.resources[i], begin: begin})
	}
}

// passLocalSchedulers makes a pass of the local scheduler of each resource where a job has ended.
func (s *simulation) passLocalSchedulers() {
	for _, i := range s.changed {
		s.updateSlowdown(s.resources[i].Domain)
	}
	for _, i := range s.changed {
		if s.cancelled() {
			return
		}
		s.local[i].finish()
	}
}
