package schedule

// The comparison of two schedules job by job.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Comparison is how two schedules of the same jobs, A and B, differ.
type Comparison struct {
	Same   int         // jobs in both with the same start and end
	Starts int         // jobs in both with different starts
	Ends   int         // jobs in both with different ends
	Jobs   int         // jobs in both with different submits or numbers of processors
	First  *Difference // nil if all starts are the same
	Only   [2][]int64  // ids of the jobs in A alone and in B alone
}

// Difference is a job with different starts in A and B.
type Difference struct {
	ID     int64
	Starts [2]int64
}

// Equal reports whether the schedules have the same jobs with the same starts and ends.
func (c *Comparison) Equal() bool {
	return c.Starts == 0 && c.Ends == 0 && c.Jobs == 0 && len(c.Only[0]) == 0 && len(c.Only[1]) == 0
}

// Compare compares schedules job by job, matched by id, in the order of the first. It returns an
// error that names the schedule and the id if one occurs twice.
func Compare(names [2]string, schedules [2]*Schedule) (*Comparison, error) {
	var index [2]map[int64]int
	for k, s := range schedules {
		index[k] = make(map[int64]int, s.Len())
		for i, id := range s.ID {
			if _, twice := index[k][id]; twice {
				return nil, fmt.Errorf("%s: job %d comes twice: ids must tell jobs apart", names[k], id)
			}
			index[k][id] = i
		}
	}
	c := &Comparison{}
	a, b := schedules[0], schedules[1]
	for i, id := range a.ID {
		j, both := index[1][id]
		if !both {
			c.Only[0] = append(c.Only[0], id)
			continue
		}
		sameStart, sameEnd := a.Start[i] == b.Start[j], a.End[i] == b.End[j]
		if sameStart && sameEnd {
			c.Same++
		}
		if !sameStart {
			c.Starts++
			if c.First == nil {
				c.First = &Difference{id, [2]int64{a.Start[i], b.Start[j]}}
			}
		}
		if !sameEnd {
			c.Ends++
		}
		if a.Submit[i] != b.Submit[j] || a.Procs[i] != b.Procs[j] {
			c.Jobs++
		}
	}
	for _, id := range b.ID {
		if _, both := index[0][id]; !both {
			c.Only[1] = append(c.Only[1], id)
		}
	}
	return c, nil
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
