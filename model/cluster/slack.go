// Slack: backfilling that may delay jobs up to a latest start.

package cluster

import (
	"errors"
	"strconv"
)

// maxSlackFactor bounds F of slack:F.
const maxSlackFactor = 1e6

// slack gives each arrival that does not fit a latest start and books it there. Other jobs may
// delay it up to then. The latest start is the first fit, beside the bookings of the jobs before
// it, from F times its estimate after its earliest fit on (after Talby & Feitelson, Supporting
// priorities and improving utilization of the IBM SP scheduler using slack-based backfilling, IPPS
// 1999).
//
// The paper derives the slack of a job from its priority and the load, and searches for the
// schedule of least cost in which no job starts after its latest start. Here F sets the slack, and
// jobs are tried in queue order.
type slack struct {
	site   *Site
	factor float64
}

func parseSlack(argument string) (Policy, error) {
	factor, err := strconv.ParseFloat(argument, 64)
	if err != nil || !(factor >= 0 && factor <= maxSlackFactor) {
		return Policy{}, errors.New("write slack:F with the slack of a job in estimates, a number from 0 to a " +
			"million, such as slack:0.5")
	}
	return Policy{
		scheduler: func(s *Site) scheduler { return newGuaranteeing(s, &slack{s, factor}) },
		needs:     simple | endInTime,
	}, nil
}

func (*slack) arrived(int32) bool                { return true }
func (*slack) due(list []int32, _ int32) []int32 { return list }
func (*slack) ended(int32)                       {}

// bookedStart returns the latest start.
func (k *slack) bookedStart(job *Job) int64 {
	plan := &k.site.plan
	earliest := plan.earliest(k.site.now, job.Procs, job.Estimate)
	if extra := int64(k.factor * float64(job.Estimate)); extra > 0 {
		return plan.earliest(earliest+extra, job.Procs, job.Estimate)
	}
	return earliest
}
