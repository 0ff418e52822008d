package cluster

// Overruns: jobs that run past their estimates, where the plan and the machine differ.

import (
	"slices"

	"gridsweep/model/des"
)

// overruns is what a site keeps under RunOn, where jobs may run on over their estimates and the
// plan and the machine differ. It is unused under the other rules.
//
// Invariants: busy is the sum over running jobs; the plan holds the processors of running job n
// until planned[n].
type overruns struct {
	busy    []int32          // processors of each partition that running jobs use
	planned []int64          // by job: until when the plan holds its processors; jobEnded after its end
	expiry  des.Queue[int32] // running jobs that reach their estimates, by the end of these
	past    []int32          // running jobs that are past their estimates
}

// jobEnded stands in overruns.planned for a job that has ended.
const jobEnded int64 = -1

// begin notes a job that starts now.
func (o *overruns) begin(s *Site, number int32) {
	job := &s.jobs[number]
	for len(o.planned) <= int(number) {
		o.planned = append(o.planned, 0)
	}
	o.planned[number] = s.now + job.Estimate
	o.use(s, number, 1)
	if job.Run >= job.Estimate { // if equal too: a pass may come before the end within its second
		o.expiry.Push(o.planned[number], 0, number)
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

// planOverruns plans each running job that is past its estimate to end one second from now.
func (s *Site) planOverruns() {
	if s.config.Overrun != RunOn {
		return
	}
	o := &s.overruns
	for {
		t, _, _, ok := o.expiry.Peek()
		if !ok || t > s.now {
			break
		}
		number, _ := o.expiry.Next()
		o.past = append(o.past, number)
	}
	o.past = slices.DeleteFunc(o.past, func(number int32) bool { return o.planned[number] == jobEnded })
	for _, number := range o.past {
		if o.planned[number] <= s.now {
			s.plan.add(number, s.now, s.now+1, s.jobs[number].Procs, -1)
			o.planned[number] = s.now + 1
		}
	}
}
