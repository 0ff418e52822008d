package brokering

import (
	"context"
	"slices"

	"gridsweep/model/des"
)

// player runs the jobs of a system from the first submit to the last end.
type player struct {
	*system
	ctx     context.Context
	ends    des.Queue[int32] // of running jobs, by their numbers
	waiting *waiting         // where later jobs may pass
	queues  *queues          // where they may not
	ended   []int32          // jobs that end now
	touched []int32          // resources on which one did
	course  course
}

// play runs the jobs of the domains. Its errors are the context's, and that of a course that is too long to be kept.
func play(ctx context.Context, p Parameters, domains []domain) (Outcome, error) {
	pl := newPlayer(ctx, p, domains)
	if err := pl.run(); err != nil {
		return Outcome{}, err
	}
	pl.centres = nil // the rows of jobs, which may be asked for later, hold the rest of the system
	return pl.outcome(&pl.course), nil
}

func newPlayer(ctx context.Context, p Parameters, domains []domain) *player {
	s := newSystem(p, domains)
	pl := &player{system: s, ctx: ctx, course: newCourse(s)}
	switch {
	case s.slow:
		pl.openCentres()
	case p.BrokerQueue == "fcfs":
		pl.queues = newQueues(len(domains))
	default:
		pl.waiting = newWaiting(s, pl.cancelled)
	}
	return pl
}

// run handles one second after another in which something happens. A second may have a million attempts: once the context is
// cancelled, what is left of it places no job and counts for nothing.
func (p *player) run() error {
	for next := 0; !p.cancelled(); {
		end, _, _, ending := p.ends.Peek()
		switch {
		case next < len(p.requests) && (!ending || p.submit(next) <= end):
			p.now = p.submit(next)
		case ending:
			p.now = end
		default:
			return p.course.note(p.system, p.last+1)
		}
		if err := p.course.note(p.system, p.now); err != nil {
			return err
		}
		p.finish()
		for next < len(p.requests) && p.submit(next) == p.now && !p.cancelled() {
			p.arrive(int32(next))
			next++
		}
	}
	return p.ctx.Err()
}

// submit returns when a job arrives.
func (p *player) submit(number int) int64 { return p.job(&p.requests[number]).submit }

func (p *player) cancelled() bool { return p.ctx.Err() != nil }

// finish ends the jobs that end now; then centres, or brokers, try what waits.
func (p *player) finish() {
	p.ended, p.touched = p.ended[:0], p.touched[:0]
	for {
		end, _, number, ok := p.ends.Peek()
		if !ok || end > p.now {
			break
		}
		p.ends.Next()
		p.ended = append(p.ended, number)
	}
	if len(p.ended) == 0 {
		return
	}
	p.last = p.now
	slices.Sort(p.ended)
	for _, number := range p.ended {
		if p.cancelled() {
			return
		}
		p.end(&p.requests[number])
	}
	slices.Sort(p.touched)
	p.touched = slices.Compact(p.touched)
	switch {
	case p.slow:
		p.passCentres()
	case p.queues != nil:
		p.queues.pass(p.tryBlocking)
	default:
		if p.localFirst() {
			p.waiting.tryHome(p.startAtHome)
		}
		p.waiting.pass(p.try)
	}
}

// end ends a job.
func (p *player) end(r *request) {
	m := &p.machines[r.resource]
	slowdown := slowdownOf(p.job(r), r)
	m.slowdown.add(slowdown)
	p.course.add(slowdown, m)
	p.change(m, p.needOf(r), -1)
	p.touched = append(p.touched, r.resource)
}

// passCentres lets the centres where a job has ended start others.
func (p *player) passCentres() {
	for _, i := range p.touched {
		p.reviseSlowdown(p.machines[i].domain)
	}
	for _, i := range p.touched {
		if p.cancelled() {
			return
		}
		p.centres[i].finish()
	}
}

// arrive makes the first attempt to place a job.
func (p *player) arrive(number int32) {
	r := &p.requests[number]
	if p.queues != nil && len(p.queues.waiting[r.origin]) > 0 {
		p.queues.join(r.origin, number)
		return
	}
	required := p.requirementOf(r)
	met, hopeless := p.foresee(&required)
	r.tally.count(&met, 1)
	if hopeless {
		r.tally.rescheduled = true
		p.waiting.join(number, &met)
		return
	}
	made := p.attempt(&required)
	r.tally.rescheduled = made.handedBack || made.resource == absent
	switch {
	case made.resource == absent && p.queues != nil:
		p.queues.join(p.keeperOr(made, r.origin), number)
	case made.resource == absent:
		p.waiting.join(number, &met)
	case p.slow:
		p.centres[made.resource].submit(number)
	default:
		p.begin(number, made.resource)
	}
}

// foresee returns what conflicts a job that arrives will meet, and whether it is known that it cannot start: where others wait
// that are like it, what is known of them is true of it.
func (p *player) foresee(r *requirement) (met counts, hopeless bool) {
	if p.waiting != nil {
		if c := p.waiting.like(r); c != nil {
			return c.now, !p.waiting.mayStart(c)
		}
	}
	return p.conflictsOf(r), false
}

// keeperOr returns the broker where a job waits whose attempt has failed: the one that keeps it, else where it was.
func (p *player) keeperOr(made placement, at int32) int32 {
	if made.keeper == absent {
		return at
	}
	return made.keeper
}

// try makes another attempt to place a job.
func (p *player) try(number int32) placement {
	required := p.requirementOf(&p.requests[number])
	made := p.attempt(&required)
	if made.resource != absent {
		p.waiting.leave(number)
		p.begin(number, made.resource)
	}
	return made
}

// startAtHome starts a job at its originator if a resource there fits.
func (p *player) startAtHome(number int32) {
	required := p.requirementOf(&p.requests[number])
	if resource := p.bestFit(&required, required.origin); resource != absent && !p.cancelled() {
		p.waiting.leave(number)
		p.begin(number, resource)
	}
}

// tryBlocking makes another attempt to place a job that waits at a broker. It returns where it waits then.
func (p *player) tryBlocking(number, at int32) int32 {
	if p.cancelled() {
		return at
	}
	r := &p.requests[number]
	required := p.requirementOf(r)
	met := p.conflictsOf(&required)
	r.tally.count(&met, 1)
	made := p.attempt(&required)
	r.tally.rescheduled = r.tally.rescheduled || made.handedBack || made.resource == absent
	if made.resource == absent {
		return p.keeperOr(made, at)
	}
	p.begin(number, made.resource)
	return absent
}

// begin starts a job at a resource.
func (p *player) begin(number, resource int32) {
	r := &p.requests[number]
	m := &p.machines[resource]
	r.start, r.resource = p.now, resource
	m.ran++
	run, needed := p.job(r).run, p.needOf(r)
	m.worked += run * needed.cpus
	p.ends.Push(p.now+run, 0, number)
	p.change(m, needed, 1)
}

// change makes a resource use sign times as much more as a job needs, and tells all who have to know.
func (p *player) change(m *machine, n need, sign int64) {
	m.used.add(&n, sign)
	m.free = m.total.without(&m.used)
	p.rerank(m)
	if p.known != nil {
		p.tell(m)
	}
	if p.waiting != nil {
		p.waiting.changed(m)
	}
}

// openCentres makes a centre of each resource.
func (p *player) openCentres() {
	p.centres = make([]*centre, len(p.machines))
	spare := new([]chunk)
	for i := range p.machines {
		p.centres[i] = newCentre(p.system, &p.machines[i], spare, func(number int32) { p.begin(number, int32(i)) })
	}
}
