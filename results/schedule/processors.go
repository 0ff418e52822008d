// The processors of each job of a schedule, for drawing, and how many are busy at once.

package schedule

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gridsweep/model/metrics"
)

// Interval is the processors First to Last, both included, numbered from 0.
type Interval struct{ First, Last int32 }

// Processors are the processors of each job of a schedule.
type Processors struct {
	intervals []Interval // intervals of all jobs, one after the other
	ends      []int32    // index after the last interval of each job
}

// Of returns the processors of the i-th job, ascending. The caller must not change them.
func (p *Processors) Of(i int) []Interval {
	from := int32(0)
	if i > 0 {
		from = p.ends[i-1]
	}
	return p.intervals[from:p.ends[i]]
}

// Assign gives each job the lowest processors that are free at its start, for drawing: schedules
// only count processors. Jobs that start in the same second are served in the order of the trace.
// It returns an error that names the first job, by its number from 1, for which the machine is too
// small.
func Assign(s metrics.Schedule, machine int32) (*Processors, error) {
	n := s.Len()
	starts, ends := sortedBy(s.Start), sortedBy(s.End)
	held := make([][]Interval, n)
	free := freeList{{0, machine - 1}}
	total, next := 0, 0
	for _, i := range starts {
		for ; next < n && s.End[ends[next]] <= s.Start[i]; next++ {
			for _, interval := range held[ends[next]] {
				free.add(interval)
			}
		}
		taken, enough := free.take(s.Procs[i])
		if !enough {
			return nil, fmt.Errorf("job %d of the schedule: there are not %d free processors of %d at its start at %d",
				i+1, s.Procs[i], machine, s.Start[i])
		}
		held[i] = taken
		total += len(taken)
	}
	processors := &Processors{intervals: make([]Interval, 0, total), ends: make([]int32, n)}
	for i, intervals := range held {
		processors.intervals = append(processors.intervals, intervals...)
		processors.ends[i] = int32(len(processors.intervals))
	}
	return processors, nil
}

// sortedBy returns the indexes of the jobs in the order of the times, equal ones in the order of
// the trace.
func sortedBy(times []int64) []int32 {
	order := make([]int32, len(times))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Or(cmp.Compare(times[i], times[j]), cmp.Compare(i, j)) })
	return order
}

// freeList is the free processors: ascending intervals with gaps between them.
type freeList []Interval

// take removes the n lowest processors and returns them; false if there are fewer.
func (f *freeList) take(n int32) ([]Interval, bool) {
	var taken []Interval
	used := 0
	for n > 0 && used < len(*f) {
		interval := &(*f)[used]
		have := interval.Last - interval.First + 1
		if have > n {
			taken = append(taken, Interval{interval.First, interval.First + n - 1})
			interval.First += n
			n = 0
			break
		}
		taken = append(taken, *interval)
		n -= have
		used++
	}
	*f = slices.Delete(*f, 0, used)
	return taken, n == 0
}

// add adds processors that were taken.
func (f *freeList) add(interval Interval) {
	list := *f
	at, _ := slices.BinarySearchFunc(list, interval.First, func(i Interval, first int32) int {
		return cmp.Compare(i.First, first)
	})
	before := at > 0 && list[at-1].Last+1 == interval.First
	after := at < len(list) && interval.Last+1 == list[at].First
	switch {
	case before && after:
		list[at-1].Last = list[at].Last
		*f = slices.Delete(list, at, at+1)
	case before:
		list[at-1].Last = interval.Last
	case after:
		list[at].First = interval.First
	default:
		*f = slices.Insert(list, at, interval)
	}
}

// MostBusy returns the largest number of processors that are busy at once.
func (s *Schedule) MostBusy() int32 {
	type change struct {
		at    int64
		procs int64
	}
	changes := make([]change, 0, 2*s.Len())
	for i, procs := range s.Procs {
		changes = append(changes, change{s.Start[i], int64(procs)}, change{s.End[i], -int64(procs)})
	}
	slices.SortFunc(changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.procs, b.procs)) // ends before starts
	})
	busy, most := int64(0), int64(0)
	for _, c := range changes {
		busy += c.procs
		most = max(most, busy)
	}
	return int32(min(most, math.MaxInt32))
}
