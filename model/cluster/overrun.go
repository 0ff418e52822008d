package cluster

import (
	"slices"

	"gridsweep/model/des"
)

// overrun is what a machine keeps where jobs may run on over their estimates, and the plan and the
// machine differ.
type overrun struct {
	busy    []int32          // processors of each partition that are physically in use
	planned []int64          // until when the plan has the processors of each running job, by number
	expiry  des.Queue[int32] // running jobs that reach their estimates, by then
	past    []int32          // running jobs past their estimates
	late    []int32          // booked starts of this second whose processors are busy
	void    bool             // such a start was missed: the plan must be made anew
}

// begin notes a job that starts now.
func (o *overrun) begin(s *Site, number int32) {
	job := &s.jobs[number]
	for len(o.planned) <= int(number) {
		o.planned = append(o.planned, 0)
	}
	o.planned[number] = s.now + job.Estimate
	o.use(s, number, 1)
	if job.Run >= job.Estimate { // also one that ends exactly then: a pass may come before its end is handled
		o.expiry.Push(o.planned[number], 0, number)
	}
}

// gone stands in place of the planned end of a job that has ended.
const gone int64 = -1

// end notes a job that ends now, and returns until when the plan has its processors.
func (o *overrun) end(s *Site, number int32) int64 {
	o.use(s, number, -1)
	planned := o.planned[number]
	o.planned[number] = gone
	return planned
}

// use changes the processors in use by those of a job, sign 1 or -1.
func (o *overrun) use(s *Site, number, sign int32) {
	if !s.plan.split() {
		o.busy[0] += sign * s.jobs[number].Procs
		return
	}
	for q, held := range s.plan.holds(number) {
		o.busy[q] += sign * held
	}
}

// free reports whether the processors of a booked job are physically free.
func (o *overrun) free(s *Site, number int32) bool {
	if !s.plan.split() {
		return o.busy[0]+s.jobs[number].Procs <= s.shares[0]
	}
	for q, held := range s.plan.holds(number) {
		if held > 0 && o.busy[q]+held > s.shares[q] {
			return false
		}
	}
	return true
}

// closeSecond looks whether a booked start was missed in the second that is over.
func (o *overrun) closeSecond() {
	if len(o.late) > 0 {
		o.void, o.late = true, o.late[:0]
	}
}

// extend plans the end of each running job that is past its estimate one second from now.
func (s *Site) extend() {
	if s.config.Overrun != RunOn {
		return
	}
	o := &s.overrun
	for {
		t, _, _, ok := o.expiry.Peek()
		if !ok || t > s.now {
			break
		}
		number, _ := o.expiry.Next()
		o.past = append(o.past, number)
	}
	o.past = slices.DeleteFunc(o.past, func(number int32) bool { return o.planned[number] == gone })
	for _, number := range o.past {
		if o.planned[number] <= s.now {
			s.plan.add(number, s.now, s.now+1, s.jobs[number].Procs, -1)
			o.planned[number] = s.now + 1
		}
	}
}

// replan takes all booked jobs out of the plan and books them anew in queue order from now on.
func (s *Site) replan() {
	for _, b := range s.queue.blocks {
		for i := range b.jobs {
			if w := &b.jobs[i]; w.start != Never {
				s.unbook(w.number)
			}
		}
	}
	for _, b := range s.queue.blocks {
		for i := range b.jobs {
			s.bookEarliest(&b.jobs[i])
		}
	}
	s.overrun.void, s.settled = false, false
}
