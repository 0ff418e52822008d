// Comparison test: jobs that differ between two schedules, or are in one of them alone.

package schedule

import (
	"slices"
	"strings"
	"testing"

	"gridsweep/model/metrics"
)

// TestCompare checks which jobs differ between two schedules, and which are in one of them alone.
func TestCompare(t *testing.T) {
	made := func(ids, starts, ends []int64, procs ...int32) *Schedule {
		submits := make([]int64, len(ids))
		return &Schedule{ID: ids, Schedule: metrics.Schedule{Submit: submits, Start: starts, End: ends, Procs: procs}}
	}
	a := made([]int64{1, 2, 3, 4}, []int64{0, 5, 5, 9}, []int64{5, 9, 10, 12}, 2, 1, 1, 3)
	c, err := Compare([2]string{"a", "a"}, [2]*Schedule{a, a})
	if err != nil || !c.Equal || c.Same != 4 || c.First != nil {
		t.Errorf("with itself: %+v, %v", c, err)
	}
	b := made([]int64{5, 4, 3, 1}, []int64{0, 9, 6, 0}, []int64{1, 13, 11, 5}, 1, 3, 2, 2)
	c, err = Compare([2]string{"a", "b"}, [2]*Schedule{a, b})
	if err != nil || c.Equal || c.Same != 1 || c.StartsDiffer != 1 || c.EndsDiffer != 2 || c.JobsDiffer != 1 ||
		c.First.ID != 3 || c.First.A != 5 || c.First.B != 6 ||
		!slices.Equal(c.OnlyA, []int64{2}) || !slices.Equal(c.OnlyB, []int64{5}) {
		t.Errorf("%+v, %v", c, err)
	}
	// The processors of a job that ends are free for one that starts in that second.
	if most := a.MostBusy(); most != 4 {
		t.Errorf("%d processors are busy at once, want 4", most)
	}
	b.ID[1] = 5
	_, err = Compare([2]string{"a", "b.csv"}, [2]*Schedule{a, b})
	if err == nil || !strings.Contains(err.Error(), "b.csv: job 5 comes twice") {
		t.Errorf("an id that comes twice gives error %v", err)
	}
}
