package metrics

// Load over time: offered load, utilisation and queue in equal intervals of the makespan.

import (
	"fmt"
	"slices"
)

// Interval has the load of a machine in [From, To), in s.
type Interval struct {
	From, To    int64
	Offered     float64 // processor-seconds of the jobs submitted then / (processors * length)
	Utilisation float64 // processor-seconds that jobs ran then / (processors * length)
	Queue       float64 // jobs that wait, the mean over time
}

// OverTime divides the time from the first submit to the last end of all jobs into so many
// intervals of equal length, up to the rounding of their ends to seconds; those of no second are
// left out. It returns an error for a schedule that breaks its rules, and for one without jobs.
func OverTime(s Schedule, machine int32, intervals int) ([]Interval, error) {
	switch {
	case intervals < 1 || intervals > mostIntervals:
		return nil, fmt.Errorf("measure a schedule: %d intervals, want 1 to %d", intervals, mostIntervals)
	case machine < 1:
		return nil, fmt.Errorf("measure a schedule: a machine of %d processors must have at least 1", machine)
	case s.Len() == 0:
		return nil, fmt.Errorf("measure a schedule: it has no jobs")
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	o := overTime{first: slices.Min(s.Submit)}
	o.span = slices.Max(s.End) - o.first
	o.bounds = make([]int64, intervals+1)
	for k := range o.bounds {
		o.bounds[k] = o.first + o.bound(int64(k), int64(intervals))
	}
	offered := make([]float64, intervals)
	busy, waiting := make(amounts, intervals+1), make(amounts, intervals+1)
	for i, procs := range s.Procs {
		submit, start, end := s.Submit[i], s.Start[i], s.End[i]
		at := o.of(submit)
		offered[at] += float64(float64(procs) * float64(end-start))
		o.add(busy, start, end, float64(procs))
		o.add(waiting, submit, start, 1)
	}
	rows := make([]Interval, 0, intervals)
	running, queued := 0.0, 0.0 // through a whole interval
	for k := range intervals {
		running += busy[k].through
		queued += waiting[k].through
		length := float64(o.bounds[k+1] - o.bounds[k])
		if length == 0 {
			continue
		}
		capacity := float64(float64(machine) * length)
		rows = append(rows, Interval{
			From: o.bounds[k], To: o.bounds[k+1], Offered: offered[k] / capacity,
			Utilisation: (float64(running*length) + busy[k].partial) / capacity,
			Queue:       (float64(queued*length) + waiting[k].partial) / length,
		})
	}
	return rows, nil
}

// mostIntervals bounds the intervals, so that positions of bounds are exact.
const mostIntervals = 10_000

// overTime is the intervals that time is divided into.
type overTime struct {
	first, span int64
	bounds      []int64
}

// bound returns how many seconds after the first submit the k-th of n intervals begins. The span,
// which may be up to 2^53 s, is divided in two steps, so that no product overflows.
func (o *overTime) bound(k, n int64) int64 { return o.span/n*k + o.span%n*k/n }

// of returns the interval of a second that is not behind the last end.
func (o *overTime) of(second int64) int {
	n := len(o.bounds) - 1
	at := min(int(float64(second-o.first)/float64(o.span)*float64(n)), n-1) // but for rounding
	for at > 0 && o.bounds[at] > second {
		at--
	}
	for at < n-1 && o.bounds[at+1] <= second {
		at++
	}
	return at
}

// amounts has for each interval the integral of quantities over time: partial, of those that begin
// or end in it, and through, the change of the sum of those that last through whole intervals.
type amounts []struct{ partial, through float64 }

// add adds a quantity that lasts for [from, to).
func (o *overTime) add(to amounts, from, until int64, quantity float64) {
	if from == until {
		return
	}
	first, last := o.of(from), o.of(until)
	if first == last {
		to[first].partial += float64(quantity * float64(until-from))
		return
	}
	to[first].partial += float64(quantity * float64(o.bounds[first+1]-from))
	to[last].partial += float64(quantity * float64(until-o.bounds[last]))
	to[first+1].through += quantity
	to[last].through -= quantity
}
