package cli

// Notes of submit on what a cluster may do to the tasks.

import (
	"context"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/workspace"
)

// noteAtWork says that other processes are doing a part of what is submitted.
func (t *terminal) noteAtWork(studies []*workspace.Study) error {
	for _, study := range studies {
		processes, err := pipeline.Heartbeats(study.Running())
		if err != nil {
			return err
		}
		if alive := len(pipeline.Living(processes, time.Now())); alive > 0 {
			t.note("%s: %s at work already; what these are running is submitted all the same", study.Name,
				english.Plural(alive, "process is", "processes are"))
		}
	}
	return nil
}

// noteQueued says which jobs of the submission in a folder, whose array has the name, the cluster
// has not ended yet; also those of a submit that was killed before it recorded them. It is advice:
// a queue that gives no answer is left out.
func (t *terminal) noteQueued(ctx context.Context, dir, name string) {
	for cluster, ids := range batch.ByCluster(batch.QueuedFor(ctx, dir, name)) {
		scancel := "scancel "
		if cluster != "" {
			scancel += "--clusters=" + cluster + " "
		}
		t.note("%s %s of this plan %s in the queue already; %s%s takes %s back", english.PluralWord(len(ids), "job", ""),
			english.WordSeries(ids, "and"), english.PluralWord(len(ids), "is", "are"), scancel, strings.Join(ids, " "),
			english.PluralWord(len(ids), "it", "them"))
	}
}

// noteTooLong says how many tasks are predicted to take longer than the time limit.
func (t *terminal) noteTooLong(d *workspace.Division, limit batch.TimeLimit, o submitOptions) {
	if limit.Seconds == 0 || !d.IsSeconds {
		return
	}
	tooLong, longest, most := d.TooLong(float64(limit.Seconds), o.workers)
	if tooLong == 0 {
		return
	}
	advice := "more --shards"
	if d.Submission.Shards > d.Submission.Tasks { // more of them would be more of them in a task
		advice = "a longer --time or more --workers"
	}
	t.note("%s predicted to take more than --time %s, task %d the longest, %s: give %s; afterwards, "+
		"submit --missing runs what the limit cut off",
		english.Plural(tooLong, "task is", "tasks are"), o.time, longest, forPeople(most), advice)
}
