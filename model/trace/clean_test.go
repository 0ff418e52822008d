// Cleaning tests: each rule on a dirty log, drawn jobs against the rules applied one by one, and
// windows of a log that stays unchanged.

package trace

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// job returns a job that no rule of cleaning drops, unless its arguments do.
func job(id, submit, run int64, procs int32) Job {
	return one(func(j *Job) { j.ID, j.Submit, j.Run, j.Procs, j.Status = id, submit, run, procs, 1 })
}

func ids(jobs []Job) []int64 {
	var all []int64
	for i := range jobs {
		all = append(all, jobs[i].ID)
	}
	return all
}

func TestClean(t *testing.T) {
	dirty := func() []Job {
		jobs := []Job{
			job(1, 10, 60, 4), job(2, 10, 0, 4), job(3, 20, -1, 4), job(4, -1, 60, 4), job(5, 20, 60, 0), job(6, 20, 60, -1),
			job(7, 20, 60, 129), job(8, 20, 60, 128), job(9, 5, 60, 1), job(10, 5, 60, 1), job(11, 30, 60, 1), job(12, 30, 60,
				1),
			job(13, 30, 60, 1), job(14, 10, 60, 1),
		}
		jobs[5].ReqProcs = 2 // allocated processors unknown: the requested ones count
		jobs[10].Status, jobs[11].Status, jobs[12].Status = 2, 4, 5
		return jobs
	}
	kept, report := Clean(dirty(), Rules{Procs: 128})
	if want := []int64{9, 10, 1, 14, 6, 8, 13}; !gocmp.Equal(ids(kept), want) {
		t.Errorf("kept %v, want %v", ids(kept), want)
	}
	want := Report{Read: 14, Steps: []Step{
		{ruleTexts[dropPartialOnly], 2, 11}, {ruleTexts[dropSubmit], 1, 4}, {ruleTexts[dropRun], 2, 2},
		{ruleTexts[dropProcs], 1, 5}, {ruleTexts[dropLarge], 1, 7}, {ruleTexts[moved], 2, 9},
	}}
	if diff := gocmp.Diff(want, report); diff != "" {
		t.Error(diff)
	}
	// The record of the whole job 11 is dropped for its run time.
	_, report = Clean(append(dirty(), job(11, 30, 0, 1)), Rules{Procs: 128})
	steps := []Step{{ruleTexts[dropPartial], 1, 11}, {ruleTexts[dropPartialOnly], 1, 12}}
	if diff := gocmp.Diff(steps, report.Steps[:2]); diff != "" {
		t.Error(diff)
	}
	again := append(dirty(), job(9, 40, 60, 1), job(13, 40, 60, 1), job(9, 40, 60, 1), job(7, 40, 0, 1))
	want.Read, want.Steps[2].Count = 18, 3
	want.Steps = append(want.Steps, Step{ruleTexts[repeated], 3, 9})
	if _, report := Clean(again, Rules{Procs: 128}); !gocmp.Equal(report, want) {
		t.Errorf("numbers that repeat: %s", gocmp.Diff(want, report))
	}
	kept, _ = Clean(dirty(), Rules{KeepPartial: true})
	if want := []int64{9, 10, 1, 14, 6, 7, 8, 11, 12, 13}; !gocmp.Equal(ids(kept), want) {
		t.Errorf("without a machine, partial records kept: %v, want %v", ids(kept), want)
	}
}

// A window has the jobs that cleaning and cutting a copy of the whole trace leave, and the trace
// does not change.
func TestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var jobs []Job
		for i := range rapid.IntRange(0, 30).Draw(t, "n") {
			jobs = append(jobs, job(int64(i), rapid.Int64Range(-2, 30).Draw(t, "submit"), rapid.Int64Range(0, 2).Draw(t, "run"),
				rapid.Int32Range(0, 9).Draw(t, "procs")))
		}
		machine := Rules{Procs: rapid.Int64Range(0, 9).Draw(t, "machine")}
		from := rapid.Int64Range(0, 30).Draw(t, "from")
		to := rapid.Int64Range(from+1, 40).Draw(t, "to")
		want, _ := Clean(slices.Clone(jobs), machine)
		first := int64(0)
		if len(want) > 0 {
			first = want[0].Submit
		}
		selection := Selection{From: from, To: to}
		want, _, err := selection.Apply(want)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			want[i].Submit -= first + from
		}
		before := slices.Clone(jobs)
		if have := Window(jobs, machine, from, to); !slices.Equal(have, want) {
			t.Errorf("[%d, %d) of %v: %v, want %v", from, to, jobs, have, want)
		}
		if !slices.Equal(jobs, before) {
			t.Error("Window changed the jobs")
		}
	})
}

// Cleaning keeps exactly the jobs that can be simulated, sorted, counts the others once each and
// changes nothing when repeated.
func TestCleanAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var jobs []Job
		for i := range rapid.IntRange(0, 40).Draw(t, "n") {
			j := job(int64(i), rapid.Int64Range(-2, 9).Draw(t, "submit"), rapid.Int64Range(-1, 2).Draw(t, "run"),
				rapid.Int32Range(-1, 9).Draw(t, "procs"))
			j.Status = rapid.Int8Range(-1, 6).Draw(t, "status")
			j.ReqProcs = rapid.Int32Range(-1, 9).Draw(t, "reqprocs")
			jobs = append(jobs, j)
		}
		machine := Rules{Procs: rapid.Int64Range(0, 9).Draw(t, "machine"), KeepPartial: rapid.Bool().Draw(t, "partial")}
		var want []Job
		for _, j := range jobs {
			size := j.Procs
			if size <= 0 {
				size = j.ReqProcs
			}
			partial := j.Status == 2 || j.Status == 3 || j.Status == 4
			fits := machine.Procs == 0 || int64(size) <= machine.Procs
			if (!partial || machine.KeepPartial) && j.Submit >= 0 && j.Run > 0 && size > 0 && fits {
				want = append(want, j)
			}
		}
		slices.SortStableFunc(want, func(a, b Job) int { return cmp.Compare(a.Submit, b.Submit) })
		kept, report := Clean(slices.Clone(jobs), machine)
		if !slices.Equal(kept, want) {
			t.Fatalf("kept %v, want %v", ids(kept), ids(want))
		}
		dropped := 0
		for _, step := range report.Steps {
			if step.What != ruleTexts[moved] {
				dropped += step.Count
			}
		}
		if report.Read != len(jobs) || dropped != len(jobs)-len(kept) {
			t.Fatalf("report %+v, want %d jobs, %d kept", report, len(jobs), len(kept))
		}
		if again, report := Clean(slices.Clone(kept), machine); !slices.Equal(again, kept) || report.Steps != nil {
			t.Fatalf("cleaning again changes the jobs: %+v", report)
		}
	})
}

// Order returns the order of Clean, which moves the jobs themselves.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Job {
			return Job{
				Submit: rapid.Int64Range(-1, 5).Draw(t, "submit"), Run: rapid.Int64Range(0, 3).Draw(t, "run"),
				Procs: rapid.Int32Range(-1, 3).Draw(t, "procs"), Status: rapid.SampledFrom([]int8{0, 1, 1, 1, 3, 5}).Draw(t,
					"status"),
			}
		}), 50, 100).Draw(t, "jobs")
		for i := range jobs {
			jobs[i].ID = int64(i) + 1
		}
		var have []Job
		for _, i := range Order(jobs, Rules{}) {
			have = append(have, jobs[i])
		}
		if want, _ := Clean(slices.Clone(jobs), Rules{}); !slices.Equal(want, have) {
			t.Fatalf("have %v, want %v", have, want)
		}
	})
}
