// The note on tasks that are predicted to exceed their time limit, for divisions with known times.

package cli

import (
	"strings"
	"testing"

	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/workspace"
)

// The note counts tasks that are predicted to exceed the limit, and advises more shards or a longer
// limit. Runs in the dataset take no time.
func TestNoteTooLong(t *testing.T) {
	// seconds of the runs of a study, of which two tasks have two each
	two := []float64{3600, 3600, 3600, 7200}
	done := []float64{0, 0, 3600, 7200}
	for _, c := range []struct {
		ahead          []float64
		shards         int
		time           string
		workers        int
		isSeconds      bool
		want, advising string
	}{
		{two, 2, "1h", 1, true, "2 tasks are predicted to take more than --time 1h, task 1 the longest, 3h0m0s",
			"more --shards"},
		{two, 4, "2h", 1, true, "1 task is predicted to take more than --time 2h, task 1 the longest, 3h0m0s",
			"a longer --time"},
		{done, 2, "1h", 1, true, "1 task is predicted", "more --shards"},
		{two, 2, "1h", 2, true, "1 task is predicted to take more than --time 1h, task 1 the longest, 1h30m0s",
			"more --shards"},
		{two, 2, "3h", 1, true, "", ""},
		{two, 2, "", 1, true, "", ""},
		{two, 2, "1h", 1, false, "", ""},
	} {
		limit, err := batch.ParseTime(c.time)
		if err != nil {
			t.Fatal(err)
		}
		submission := &pipeline.Submission{Shards: c.shards, Tasks: 2, Studies: []pipeline.SubmittedStudy{{Cuts: []int{0, 2,
			4}}}}
		if c.shards == 4 {
			submission.Studies[0].Cuts = []int{0, 1, 2, 3, 4}
		}
		var messages strings.Builder
		d := &workspace.Division{Submission: submission, Remaining: [][]float64{c.ahead}, IsSeconds: c.isSeconds}
		o := submitOptions{Scripts: batch.Scripts{CPUs: c.workers, Time: limit}, time: c.time}
		(&terminal{err: &messages}).noteTooLong(d, o)
		if c.want == "" && messages.Len() > 0 || !strings.Contains(messages.String(), c.want) ||
			!strings.Contains(messages.String(), c.advising) {
			t.Errorf("%+v:\n%q, want %q", c, messages.String(), c.want)
		}
	}
}
