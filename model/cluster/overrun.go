// Overruns: jobs that run past their estimates, where the plan and the machine differ.

package cluster

import "gridsweep/model/des"

// overruns is what a site keeps where jobs may run past what was planned for them, so that the plan
// and the machine differ.
//
// Invariants: busy is the sum over running jobs; the plan holds the processors of running job n
// until planned[n].
type overruns struct {
	busy []int32 // processors of each partition that running jobs use
	// by job: until when the plan holds its processors; jobEnded after its end
	planned []int64
	// running jobs that outlive what is planned, by its end; some have ended
	expiry des.Queue[int32]
}

// jobEnded stands in overruns.planned for a job that has ended.
const jobEnded int64 = -1

// tracksOverruns reports whether a job may run past what was planned for it: under RunOn, and with
// predictions. Elsewhere overruns are unused.
func (s *Site) tracksOverruns() bool { return s.config.Overrun == RunOn || s.predictions != nil }

// begin notes a job that starts now.
func (o *overruns) begin(s *Site, number int32) {
	for len(o.planned) <= int(number) {
		o.planned = append(o.planned, 0)
	}
	o.use(s, number, 1)
	o.holdUntil(s, number, s.now+s.jobs[number].Estimate)
}

// holdUntil notes until when the plan holds the processors of a running job. Under RunOn a job that
// ends then is an overrun too: a pass may come before the end within its second.
func (o *overruns) holdUntil(s *Site, number int32, until int64) {
	o.planned[number] = until
	if end := s.ends[number]; end > until || end == until && s.config.Overrun == RunOn {
		o.expiry.Push(until, 0, number)
	}
}

// end notes a job that ends now, and returns until when the plan holds its processors.
func (o *overruns) end(s *Site, number int32) int64 {
	o.use(s, number, -1)
	planned := o.planned[number]
	o.planned[number] = jobEnded
	return planned
}

// use changes the busy processors by those of a job, sign 1 or -1.
func (o *overruns) use(s *Site, number, sign int32) {
	for q, held := range s.plan.allocation(number, s.jobs[number].Procs) {
		o.busy[q] += sign * held
	}
}

// idle reports whether no running job uses the processors of a booked job.
func (o *overruns) idle(s *Site, number int32) bool {
	for q, held := range s.plan.allocation(number, s.jobs[number].Procs) {
		if held > 0 && o.busy[q]+held > s.plan.shares[q] {
			return false
		}
	}
	return true
}

// planOverruns plans anew each running job that outlives its plan: up to its next prediction or,
// past its estimate, up to one second from now.
func (s *Site) planOverruns() {
	if !s.tracksOverruns() {
		return
	}
	o := &s.overruns
	for o.expiry.Time() <= s.now {
		t, _, number, _ := o.expiry.Peek()
		o.expiry.Drop()
		if o.planned[number] != t {
			continue // it has ended
		}
		until := s.now + 1
		if latest := s.starts[number] + s.estimate(number); t < latest {
			until = s.predictions.correct(&s.jobs[number], number, s.starts[number], latest)
			s.scheduler.changed()
		}
		if until > s.now {
			s.plan.add(number, s.now, until, -s.jobs[number].Procs)
		}
		o.holdUntil(s, number, until) // if that is not after now, it is planned once more
	}
}
