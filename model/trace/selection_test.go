// Selection tests: jobs chosen by time and attribute, and scaled times against exact products.

package trace

import (
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Tests of the selection of jobs by time and attribute, and of scaled submit times.

func TestSelect(t *testing.T) {
	trace := func() []Job {
		jobs := []Job{
			job(1, 100, 10, 1), job(2, 100+Month-1, 11, 1), job(3, 100+Month, 13, 1), job(4, 100+2*Month, 15, 1),
			job(5, 100+3*Month, 17, 1),
		}
		for i := range jobs {
			j := &jobs[i]
			j.User, j.Site, j.Queue, j.Partition, j.ReqTime = int32(i%2), int32(i%3), int32(i), 7, 20
		}
		jobs[4].Status, jobs[4].ReqTime = 0, -1
		return jobs
	}
	for _, c := range []struct {
		s    Selection
		want []int64
	}{
		{Selection{}, []int64{1, 2, 3, 4, 5}},
		{Selection{Months: [2]int{1, 1}}, []int64{1, 2}},
		{Selection{Months: [2]int{2, 3}}, []int64{3, 4}},
		{Selection{Months: [2]int{5, 9}}, nil},
		{Selection{From: Month - 1, To: Month}, []int64{2}},
		{Selection{From: Month}, []int64{3, 4, 5}},
		{Selection{To: 1}, []int64{1}},
		{Selection{User: []int32{1}}, []int64{2, 4}},
		{Selection{Site: []int32{0, 2}}, []int64{1, 3, 4}},
		{Selection{Queue: []int32{4, 0}}, []int64{1, 5}},
		{Selection{Partition: []int32{8}}, nil},
		{Selection{Status: []int32{0, 5}}, []int64{5}},
		{Selection{Months: [2]int{2, 4}, User: []int32{0}, Status: []int32{1}}, []int64{3}},
	} {
		jobs, report, err := c.s.Apply(trace())
		if err != nil || !gocmp.Equal(ids(jobs), c.want) || report.Read != 5 {
			t.Errorf("%+v: jobs %v, want %v; report %+v, error %v", c.s, ids(jobs), c.want, report, err)
		}
	}
	s := Selection{Months: [2]int{2, 4}, Status: []int32{1}, ShiftToZero: true, ScaleArrivals: 0.5, ScaleRuntimes: 0.5}
	jobs, report, err := s.Apply(trace())
	if err != nil {
		t.Fatal(err)
	}
	wanted := Report{Read: 5, Shifted: 100 + Month, Steps: []Step{
		{"not in months 2 to 4: left out", 2, 1}, {"of another status: left out", 1, 5},
	}}
	if diff := gocmp.Diff(wanted, report); diff != "" {
		t.Error(diff)
	}
	// 6.5 and 7.5 go away from zero
	for i, want := range [][3]int64{{0, 7, 10}, {Month / 2, 8, 10}} {
		if have := [3]int64{jobs[i].Submit, jobs[i].Run, jobs[i].ReqTime}; have != want {
			t.Errorf("job %d: submit, run, requested %v, want %v", jobs[i].ID, have, want)
		}
	}
	shrunk, _, err := (&Selection{ScaleRuntimes: 1e-3}).Apply(trace())
	if err != nil || shrunk[0].Run != 1 || shrunk[0].ReqTime != 1 || shrunk[4].ReqTime != -1 {
		t.Errorf("shrunk to %+v, error %v", shrunk, err)
	}
	if jobs, _, err := (&Selection{Months: [2]int{1, 2}, ShiftToZero: true}).Apply(nil); len(jobs) > 0 || err != nil {
		t.Errorf("of nothing: %v, error %v", jobs, err)
	}
}

func TestSelectErrors(t *testing.T) {
	for _, c := range []struct {
		s    Selection
		want string
	}{
		{Selection{Months: [2]int{0, 3}}, "months 0-3"}, {Selection{Months: [2]int{4, 3}}, "months 4-3"},
		{Selection{Months: [2]int{1, 3}, To: 5}, "write one of them"}, {Selection{From: 5, To: 5}, "from 5 to 5"},
		{Selection{From: -1}, "from -1"}, {Selection{ScaleArrivals: -1}, "scale by -1"},
		{Selection{ScaleRuntimes: 2e6}, "scale by 2e+06"},
		{Selection{ScaleArrivals: 1e6}, "job 2: submit time 4611686018427387904 scaled by 1e+06 is too large"},
		{Selection{ScaleRuntimes: 1e6}, "job 2: time 4611686018427387904 scaled by 1e+06 is too large"},
	} {
		jobs, _, err := c.s.Apply([]Job{job(1, 0, 1, 1), job(2, 1<<62, 1<<62, 1)})
		if jobs != nil {
			t.Errorf("%+v: returns jobs beside an error", c.s)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %s", c.s, err, c.want)
		}
	}
}

// Scaled submits stay in order and differ from the exact product by at most half a second. Scaling
// by a whole number and back changes nothing.
func TestScaleAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var jobs []Job
		submit := rapid.Int64Range(0, 1e9).Draw(t, "first")
		for i := range rapid.IntRange(1, 40).Draw(t, "n") {
			jobs = append(jobs, job(int64(i), submit, rapid.Int64Range(1, 1e6).Draw(t, "run"), 1))
			submit += rapid.Int64Range(0, 1e5).Draw(t, "gap")
		}
		factor := rapid.Float64Range(0.01, 100).Draw(t, "factor")
		scaled, _, err := (&Selection{ScaleArrivals: factor}).Apply(slices.Clone(jobs))
		if err != nil {
			t.Fatal(err)
		}
		for i := range scaled {
			exact := float64(jobs[i].Submit-jobs[0].Submit) * factor
			if d := float64(scaled[i].Submit-scaled[0].Submit) - exact; d < -0.5 || d > 0.5 {
				t.Fatalf("job %d is %g s from its exact submit, want at most 0.5", i, d)
			}
			if i > 0 && scaled[i].Submit < scaled[i-1].Submit {
				t.Fatalf("job %d is submitted before job %d", i, i-1)
			}
		}
		n := float64(rapid.IntRange(2, 9).Draw(t, "n"))
		up, _, err1 := (&Selection{ScaleArrivals: n, ScaleRuntimes: n}).Apply(slices.Clone(jobs))
		down, _, err2 := (&Selection{ScaleArrivals: 1 / n, ScaleRuntimes: 1 / n}).Apply(up)
		if err1 != nil || err2 != nil || !slices.Equal(down, jobs) {
			t.Fatalf("scaled by %g and back: %s", n, gocmp.Diff(jobs, down))
		}
	})
}
