package multisite

// Forecast options: the assumptions of a point on Algorithm 1, and the demand of local jobs for the
// oracle.

import (
	"cmp"
	"slices"
)

// optionsOf returns the assumptions on Algorithm 1 for a provider.
func optionsOf(p Parameters, v *provider, base *baseRun, index int) forecastOptions {
	options := forecastOptions{
		from: int64(p.Warmup - p.Training), byActual: p.Line8 == "actual", running: p.ForecastLoad == "running",
	}
	if p.Forecast == "oracle" {
		demand, interval := newDemand(v.local, base.local[index], options.running), int64(p.Interval)
		options.predict = func(now int64, _ []float64) float64 {
			return float64(demand.between(now, now+interval)) / (float64(v.procs) * float64(interval))
		}
	}
	return options
}

// demand is the processors × seconds that local jobs waited and ran in a run, or only ran, as a
// function of time.
type demand struct {
	times []int64 // ascending
	procs []int64 // of the jobs that are there from that time on
	area  []int64 // up to that time
}

// newDemand returns the demand of jobs that start so.
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
	d := &demand{times: []int64{0}, procs: []int64{0}, area: []int64{0}}
	for _, c := range changes {
		if last := len(d.times) - 1; c.at > d.times[last] {
			d.times, d.procs, d.area = append(d.times, c.at), append(d.procs, d.procs[last]), append(d.area, d.until(c.at))
		}
		d.procs[len(d.procs)-1] += c.procs
	}
	return d
}

// until returns the processors × seconds up to a time from 0 on.
func (d *demand) until(t int64) int64 {
	i, found := slices.BinarySearch(d.times, t)
	if !found {
		i--
	}
	return d.area[i] + d.procs[i]*(t-d.times[i])
}

// between returns the processors × seconds in [from, to).
func (d *demand) between(from, to int64) int64 { return d.until(to) - d.until(from) }
