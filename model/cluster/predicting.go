// Predicting: EASY++, which backfills the jobs of the shortest predictions first.

package cluster

import (
	"cmp"
	"slices"
)

// predicting is EASY++: EASY that plans with predictions and backfills the jobs of the shortest
// first. A job's prediction is that of its user, or its estimate if that is less. When a job ends,
// the prediction of its user changes. So each user has queues of the waiting jobs with the user's
// estimates, which stay in order then.
type predicting struct {
	*easy
	predictions *predictions
	users       map[int32]*userJobs
	nonempty    []*userJobs // users with waiting jobs, in no order
}

// userJobs are the waiting jobs of a user, with the user's estimates, and what predicts their run
// times.
//
// Invariant: both queues hold the same jobs.
type userJobs struct {
	// run times of the last two jobs to have ended, in s; 0 where there is none
	last, previous int64
	byEstimate     queue
	inOrder        queue

	next  waiting // in a pass: the first job, by prediction, within the limits; valid if found
	found bool
}

func newPredicting(s *Site, inSteps bool) *predicting {
	s.predictions = &predictions{inSteps: inSteps}
	p := &predicting{easy: newEasy(s, 1), predictions: s.predictions, users: map[int32]*userJobs{}}
	s.queue.summarised = false
	return p
}

// user returns the jobs of a user. Unknown users are one, whose jobs do not predict each other.
func (p *predicting) user(id int32) *userJobs {
	id = max(id, -1)
	u := p.users[id]
	if u == nil {
		ties := p.site.queue.ties
		u = &userJobs{
			byEstimate: queue{summarised: true, byEstimate: true, ties: ties},
			inOrder:    queue{summarised: true, ties: ties},
		}
		p.users[id] = u
	}
	return u
}

// prediction returns what limits the estimates of the user's jobs: the mean of the last two run
// times, rounded down, or Never while there are fewer.
func (u *userJobs) prediction() int64 {
	if u.previous == 0 {
		return Never
	}
	return (u.last + u.previous) / 2
}

func (p *predicting) ended(number int32, _ int64) {
	job := &p.site.jobs[number]
	if job.User < 0 {
		return
	}
	u := p.user(job.User)
	u.last, u.previous = p.site.now-p.site.starts[number], u.last
}

func (p *predicting) pass() {
	s := p.site
	if s.config.Order.Changes {
		s.sortQueue()
		for _, u := range p.nonempty {
			u.byEstimate.sort(s.score)
			u.inOrder.sort(s.score)
		}
	}
	for _, number := range s.arrivals {
		p.insert(number)
	}
	p.forgetPivots()
	if s.plan.total.FreeAt(s.now) > 0 && p.startHeads() {
		p.findLimits()
		p.backfill()
		p.unbookPivots()
	}
}

func (p *predicting) insert(number int32) {
	w := p.waiting(number)
	p.site.enqueue(w)
	u := p.user(p.site.jobs[number].User)
	if u.inOrder.size == 0 {
		p.nonempty = append(p.nonempty, u)
	}
	u.byEstimate.insert(w)
	u.inOrder.insert(w)
}

// waiting returns the entry of a job in the queues, which has the user's estimate.
func (p *predicting) waiting(number int32) waiting {
	w := p.site.waiting(number)
	w.estimate = p.predictions.jobs[number].Estimate
	return w
}

// predict sets the prediction of a waiting job in Site.jobs, and returns it.
func (p *predicting) predict(number int32) int64 {
	job := &p.site.jobs[number]
	job.Estimate = min(p.predictions.jobs[number].Estimate, p.user(job.User).prediction())
	return job.Estimate
}

// start starts a waiting job, whose prediction is set.
func (p *predicting) start(number int32) {
	w := p.waiting(number)
	p.site.startWaiting(&w)
	u := p.user(p.site.jobs[number].User)
	u.byEstimate.remove(u.byEstimate.find(&w))
	u.inOrder.remove(u.inOrder.find(&w))
	if u.inOrder.size == 0 {
		i := slices.Index(p.nonempty, u)
		p.nonempty = slices.Delete(p.nonempty, i, i+1)
	}
}

// startHeads starts the head of the queue while it fits, then makes it the pivot. It reports
// whether there is one.
func (p *predicting) startHeads() bool {
	s := p.site
	for w := s.queue.at(s.queue.first()); w != nil; w = s.queue.at(s.queue.first()) {
		predicted := p.predict(w.number)
		if start := s.plan.earliest(s.now, w.procs, predicted); start > s.now {
			pivot := *w
			pivot.estimate = predicted
			p.addPivot(0, &pivot, start)
			return true
		}
		p.start(w.number)
	}
	return false
}

// backfill starts, shortest prediction first and in queue order among equal ones, each job that
// fits beside the pivot.
func (p *predicting) backfill() {
	for _, u := range p.nonempty {
		u.find(p.limits)
	}
	for u := p.first(); u != nil; u = p.first() {
		p.limits.lower(u.next.procs, u.next.estimate)
		p.predict(u.next.number)
		p.start(u.next.number)
		u.find(p.limits)
	}
}

// first returns the user whose next job is ahead of those of the others, or nil.
func (p *predicting) first() (first *userJobs) {
	for _, u := range p.nonempty {
		if !p.isAhead(u, first) {
			continue
		}
		if !u.next.within(p.limits) {
			u.find(p.limits)
		}
		if p.isAhead(u, first) {
			first = u
		}
	}
	return first
}

// isAhead reports whether a user has a next job, ahead of that of another one, if not nil.
func (p *predicting) isAhead(u, other *userJobs) bool {
	return u.found && (other == nil || p.compare(&u.next, &other.next) < 0)
}

// compare orders jobs by prediction, then in queue order.
func (p *predicting) compare(a, b *waiting) int {
	if c := cmp.Compare(a.estimate, b.estimate); c != 0 {
		return c
	}
	return p.site.compare(a, b)
}

// find finds the next job of the user: of the jobs within the limits, the one of the shortest
// estimate below the prediction, or else the first of those whose prediction is the user's.
func (u *userJobs) find(within limits) {
	predicted := u.prediction()
	w := u.byEstimate.at(u.byEstimate.nextWithin(u.byEstimate.first(), within))
	if w != nil && w.estimate < predicted {
		u.next, u.found = *w, true
		return
	}
	// All jobs within the limits have the same prediction, and thus the same limit: the first that
	// is long enough.
	at := slices.IndexFunc(within, func(l limit) bool { return l.estimate >= predicted })
	procs := [...]limit{{unlimitedTime, within[at].procs}}
	w = u.inOrder.at(u.inOrder.nextWithin(u.inOrder.first(), procs[:]))
	if u.found = w != nil; u.found {
		u.next = *w
		u.next.estimate = predicted
	}
}
