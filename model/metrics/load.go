// Load over time: offered load, utilisation and queue in equal intervals of the makespan.

package metrics

import (
	"fmt"
	"slices"

	"gridsweep/model"
)

// Interval has the load of a machine in an interval of the makespan. Its tags are those of a row of
// a model.
type Interval struct {
	Number      int64         `name:"interval" key:"" doc:"number of the interval, from 0"`
	From        model.Seconds `name:"from" doc:"beginning, from the first submit on"`
	To          model.Seconds `name:"to" doc:"end"`
	Offered     float64       `name:"offered_load" doc:"work of the jobs submitted then over processors times length"`
	Utilisation float64       `name:"utilisation" range:"[0,1]" doc:"share of processor-seconds that jobs ran"`
	Queue       float64       `name:"queue" doc:"waiting jobs, the mean over time"`
}

// OverTime divides the time from the first submit to the last end of all jobs into so many
// intervals of equal length, up to the rounding of their ends to seconds; those of no second are
// left out. It returns an error for a number of intervals that is not in [1, 10,000], for a machine
// without processors, and for a schedule that breaks its rules or has no jobs.
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
	ends := divide(slices.Min(s.Submit), slices.Max(s.End), intervals)
	offered := make([]float64, intervals)
	busy, waiting := make(amounts, intervals), make(amounts, intervals)
	for i, procs := range s.Procs {
		submit, start, end := s.Submit[i], s.Start[i], s.End[i]
		offered[ends.interval(submit)] += float64(float64(procs) * float64(end-start))
		busy.add(ends, start, end, float64(procs))
		waiting.add(ends, submit, start, 1)
	}
	rows := make([]Interval, 0, intervals)
	running, queued := 0.0, 0.0 // through a whole interval
	for k := range intervals {
		running += busy[k].through
		queued += waiting[k].through
		length := float64(ends[k+1] - ends[k])
		if length == 0 {
			continue
		}
		capacity := float64(float64(machine) * length)
		rows = append(rows, Interval{
			Number: int64(len(rows)), From: model.Seconds(ends[k] - ends[0]), To: model.Seconds(ends[k+1] - ends[0]),
			Offered:     offered[k] / capacity,
			Utilisation: (float64(running*length) + busy[k].partial) / capacity,
			Queue:       (float64(queued*length) + waiting[k].partial) / length,
		})
	}
	return rows, nil
}

// mostIntervals bounds the rows of the table.
const mostIntervals = 10_000

// intervalEnds are the beginning of the first interval and then the end of each, in s.
type intervalEnds []int64

// divide returns the ends of so many intervals of [first, last). The span, which may be up to
// 2^53 s, is divided in two steps, so that no product overflows.
func divide(first, last int64, intervals int) intervalEnds {
	e, span, n := make(intervalEnds, intervals+1), last-first, int64(intervals)
	for k := range e {
		e[k] = first + span/n*int64(k) + span%n*int64(k)/n
	}
	return e
}

// interval returns the interval of a second that is not behind the last end.
func (e intervalEnds) interval(second int64) int {
	n := len(e) - 1
	at := min(int(float64(second-e[0])/float64(e[n]-e[0])*float64(n)), n-1) // nearly
	for at > 0 && e[at] > second {
		at--
	}
	for at < n-1 && e[at+1] <= second {
		at++
	}
	return at
}

// amounts sum quantities over time, by interval: partial is the integral of those that begin or end
// in it; through is by how much the sum of those that last through it exceeds that of the interval
// before.
type amounts []struct{ partial, through float64 }

// add adds a quantity that lasts for [from, to).
func (a amounts) add(e intervalEnds, from, to int64, quantity float64) {
	if from == to {
		return
	}
	first, last := e.interval(from), e.interval(to)
	if first == last {
		a[first].partial += float64(quantity * float64(to-from))
		return
	}
	a[first].partial += float64(quantity * float64(e[first+1]-from))
	a[last].partial += float64(quantity * float64(to-e[last]))
	a[first+1].through += quantity
	a[last].through -= quantity
}
