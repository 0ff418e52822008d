// Plan files of array jobs: the shards of all tasks together are compared with the plan's runs, for
// all small numbers of shards and tasks and for random work. Other plans and damaged files are
// refused.

package pipeline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/sweeps"
)

// writePlanFile writes a submission's plan file into the folder of its name and returns its path.
func writePlanFile(t *testing.T, s *Submission) string {
	t.Helper()
	text, name := s.Encode()
	path := filepath.Join(t.TempDir(), name, "plan.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// costs returns the cost of each run in the model's unit.
func costs(plan *sweeps.Plan) []float64 {
	var work []float64
	for _, run := range plan.Runs {
		work = append(work, run.Cost)
	}
	return work
}

// submissionOf returns the submission of a plan of which every run is executed.
func submissionOf(program string, plan *sweeps.Plan, shards, mostTasks int) *Submission {
	return NewSubmission(program, []*sweeps.Plan{plan}, [][]float64{costs(plan)}, shards, mostTasks)
}

// For all numbers of shards and tasks, the tasks together have each run of the plan once, in its
// order.
func TestTasksPartitionThePlan(t *testing.T) {
	plan := smallPlan(queueingModel(nil))
	for shards := 1; shards <= len(plan.Runs)+3; shards++ {
		for most := 1; most <= shards+1; most++ {
			s := submissionOf("p", plan, shards, most)
			read, err := ReadSubmission(writePlanFile(t, s))
			if err != nil {
				t.Fatal(err)
			}
			var union []sweeps.Run
			for task := range read.Tasks {
				from, to := read.Task(task)
				if to <= from {
					t.Errorf("%d shards, at most %d tasks: task %d has no shard", shards, most, task)
				}
				runs, err := read.Runs(plan, "p", from, to)
				if err != nil {
					t.Fatal(err)
				}
				union = append(union, runs...)
			}
			same := func(a, b sweeps.Run) bool { return a.ID == b.ID }
			if !slices.EqualFunc(union, plan.Runs, same) || read.Tasks > most {
				t.Errorf("%d shards in %d tasks: %v", shards, read.Tasks, union)
			}
		}
	}
}

// Shards without a missing run in any study are dropped; all others keep their missing runs.
func TestIdleShardsAreDropped(t *testing.T) {
	plan := smallPlan(queueingModel(nil))
	n := len(plan.Runs)
	rapid.Check(t, func(t *rapid.T) {
		shards := rapid.IntRange(1, n+3).Draw(t, "shards")
		most := rapid.IntRange(1, shards).Draw(t, "most tasks")
		var plans []*sweeps.Plan
		var works [][]float64
		wanted := 0
		for range rapid.IntRange(1, 3).Draw(t, "studies") {
			work := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0, 0, 1, 50}), n, n).Draw(t, "work")
			for _, w := range work {
				if w > 0 {
					wanted++
				}
			}
			plans, works = append(plans, plan), append(works, work)
		}
		s := NewSubmission("p", plans, works, shards, most)
		if hasWork := s != nil; hasWork != (wanted > 0) {
			t.Fatalf("some shard is left: %t, but %d runs are wanted", hasWork, wanted)
		}
		if wanted == 0 {
			return
		}
		if err := s.check(); err != nil {
			t.Fatal(err)
		}
		busy := 0
		for shard := range shards {
			wants := func(work []float64) bool {
				cuts := sweeps.Cuts(work, shards)
				return slices.Max(append([]float64{0}, work[cuts[shard]:cuts[shard+1]]...)) > 0
			}
			if slices.ContainsFunc(works, wants) {
				busy++
			}
		}
		if s.Shards != busy || s.Shards > min(shards, wanted) || s.Tasks != min(s.Shards, most) {
			t.Errorf("%d tasks of at most %d for %d shards of %d", s.Tasks, most, s.Shards, shards)
		}
		for _, study := range s.Studies {
			if study.Cuts[s.Shards] != n {
				t.Errorf("cuts %v leave out runs of %d", study.Cuts, n)
			}
		}
		for shard := range s.Shards {
			sum := 0.0
			for i, study := range s.Studies {
				for _, w := range works[i][study.Cuts[shard]:study.Cuts[shard+1]] {
					sum += w
				}
			}
			if sum == 0 {
				t.Errorf("shard %d of %d has no work", shard, s.Shards)
			}
		}
	})
}

// A task refuses a plan or program that would give its shard other runs, and the error says what
// has changed.
func TestSubmissionRefusesAnotherPlan(t *testing.T) {
	m := queueingModel(nil)
	plan := newPlan(m, 1, 5, []float64{1, 2}, 3)
	s := submissionOf("program 1", plan, 4, 4)
	raised := *m
	raised.Version++
	other := newPlan(m, 1, 5, []float64{1}, 3)
	renamed := *other
	study := *plan.Study
	study.Name = "another"
	renamed.Study = &study
	for _, c := range []struct {
		plan    *sweeps.Plan
		program string
		want    string
	}{
		{plan, "program 2", "the program was program 1 and is program 2"},
		{newPlan(m, 2, 5, []float64{1, 2}, 3), "program 1", "the seed was 1 and is 2"},
		{newPlan(&raised, 1, 5, []float64{1, 2}, 3), "program 1", "the model's version was 1 and is 2"},
		{newPlan(m, 1, 6, []float64{1, 2}, 3), "program 1", "the plan's checksum was " + plan.Checksum()},
		{other, "program 1", "the plan's checksum was "},
		{&renamed, "program 1", "study another was not submitted"},
	} {
		if _, err := s.Runs(c.plan, c.program, 0, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one that says %q", err, c.want)
		}
	}
}

// The checksum of the plan covers the runs, so only a plan file made by hand has another number of
// them.
func TestSubmissionOfOtherRuns(t *testing.T) {
	plan := smallPlan(queueingModel(nil))
	s := submissionOf("p", plan, 2, 2)
	s.Studies[0].Cuts[2]--
	const want = "has 36 runs, the shards that were submitted 35"
	if _, err := s.Runs(plan, "p", 0, 1); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A plan file with a changed byte is refused, since it could cut the plan otherwise than the other
// tasks do.
func TestDamagedSubmissionIsRefused(t *testing.T) {
	plan := smallPlan(queueingModel(nil))
	s := submissionOf("p", plan, 3, 3)
	path := writePlanFile(t, s)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		for bit := range 8 {
			flipped := slices.Clone(whole)
			flipped[i] ^= 1 << bit
			for _, damaged := range [][]byte{flipped, whole[:i]} {
				if err := os.WriteFile(path, damaged, 0o666); err != nil {
					t.Fatal(err)
				}
				if _, err := ReadSubmission(path); err == nil || !strings.Contains(err.Error(), path+" is damaged") {
					t.Fatalf("byte %d, bit %d: error %v", i, bit, err)
				}
			}
		}
	}
	one := []SubmittedStudy{{Cuts: []int{0, 3}}}
	for _, wrong := range []Submission{
		{Format: 2, Shards: 1, Tasks: 1, Studies: one}, {Format: 1, Shards: 1, Tasks: 2, Studies: one},
		{Format: 1, Shards: 1, Tasks: 0, Studies: one}, {Format: 1, Shards: 1, Tasks: 1},
		{Format: 1, Shards: 2, Tasks: 1, Studies: one},
		{Format: 1, Shards: 2, Tasks: 1, Studies: []SubmittedStudy{{Cuts: []int{0, 3, 2}}}},
		{Format: 1, Shards: 1, Tasks: 1, Studies: []SubmittedStudy{{Cuts: []int{1, 3}}}},
	} {
		_, err := ReadSubmission(writePlanFile(t, &wrong))
		if err == nil || !strings.Contains(err.Error(), "is no plan file") {
			t.Errorf("%+v: error %v", wrong, err)
		}
	}
}
