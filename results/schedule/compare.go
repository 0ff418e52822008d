// The comparison of two schedules job by job.

package schedule

import "fmt"

// Comparison is how two schedules of the same jobs, A and B, differ.
type Comparison struct {
	Equal        bool        `json:"equal"`         // the same jobs with the same starts and ends
	Same         int         `json:"same"`          // jobs in both with the same start and end
	StartsDiffer int         `json:"starts_differ"` // jobs in both with different starts
	EndsDiffer   int         `json:"ends_differ"`   // jobs in both with different ends
	JobsDiffer   int         `json:"jobs_differ"`   // jobs in both with another submit or size
	First        *Difference `json:"first"`         // nil if all starts are the same
	OnlyA        []int64     `json:"only_a"`        // ids of the jobs in A alone; never nil
	OnlyB        []int64     `json:"only_b"`        // ids of the jobs in B alone; never nil
}

// Difference is a job with different starts, in seconds: that in A and that in B.
type Difference struct {
	ID int64 `json:"id"`
	A  int64 `json:"a"`
	B  int64 `json:"b"`
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
	c := &Comparison{OnlyA: []int64{}, OnlyB: []int64{}}
	a, b := schedules[0], schedules[1]
	for i, id := range a.ID {
		j, both := index[1][id]
		if !both {
			c.OnlyA = append(c.OnlyA, id)
			continue
		}
		sameStart, sameEnd := a.Start[i] == b.Start[j], a.End[i] == b.End[j]
		if sameStart && sameEnd {
			c.Same++
		}
		if !sameStart {
			c.StartsDiffer++
			if c.First == nil {
				c.First = &Difference{id, a.Start[i], b.Start[j]}
			}
		}
		if !sameEnd {
			c.EndsDiffer++
		}
		if a.Submit[i] != b.Submit[j] || a.Procs[i] != b.Procs[j] {
			c.JobsDiffer++
		}
	}
	for _, id := range b.ID {
		if _, both := index[0][id]; !both {
			c.OnlyB = append(c.OnlyB, id)
		}
	}
	c.Equal = c.StartsDiffer == 0 && c.EndsDiffer == 0 && c.JobsDiffer == 0 && len(c.OnlyA) == 0 && len(c.OnlyB) == 0
	return c, nil
}
