// Oracle: the forecast of the local load by the work of local jobs in the base run.

package multisite

import (
	"cmp"
	"slices"
)

// oracle predicts the local load of a provider as it is in the base run, in which its local jobs
// have these starts.
func oracle(p *Parameters, v *provider, starts []int64) func(now int64, loads []float64) float64 {
	demand, interval := newDemand(v.localJobs, starts, p.ForecastLoad == "running"), int64(p.Interval)
	return func(now int64, _ []float64) float64 {
		return float64(demand.between(now, now+interval)) / (float64(v.procs) * float64(interval))
	}
}

// demand is the work of the local jobs of a provider in a run, in processors × seconds, as a
// function of time: of jobs that wait or run, or only of those that run.
type demand struct {
	times []int64 // ascending
	procs []int64 // of the jobs that count, from each time to the next
	work  []int64 // before each time
}

// newDemand returns the demand of local jobs with these starts; with running, only while they run.
func newDemand(local []job, starts []int64, running bool) *demand {
	type change struct{ at, procs int64 }
	changes := make([]change, 0, 2*len(local))
	for i := range local {
		j := &local[i]
		from := j.Submit
		if running {
			from = starts[i]
		}
		changes = append(changes, change{from, int64(j.Procs)}, change{starts[i] + j.Run, -int64(j.Procs)})
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	d := &demand{times: []int64{0}, procs: []int64{0}, work: []int64{0}}
	for _, c := range changes {
		if last := len(d.times) - 1; c.at > d.times[last] {
			d.times, d.procs, d.work = append(d.times, c.at), append(d.procs, d.procs[last]), append(d.work, d.until(c.at))
		}
		d.procs[len(d.procs)-1] += c.procs
	}
	return d
}

// until returns the work before a time, which is at least 0.
func (d *demand) until(t int64) int64 {
	i, found := slices.BinarySearch(d.times, t)
	if !found {
		i--
	}
	return d.work[i] + d.procs[i]*(t-d.times[i])
}

// between returns the work in [from, to).
func (d *demand) between(from, to int64) int64 { return d.until(to) - d.until(from) }
