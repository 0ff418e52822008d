package cli

// Notes of submit on other processes, queued jobs and time limits.

import (
	"context"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/workspace"
)

// noteAtWork notes that other processes are executing some of the runs that are submitted.
func (t *terminal) noteAtWork(studies []*workspace.Study) error {
	for _, study := range studies {
		processes, err := pipeline.Heartbeats(study.Running())
		if err != nil {
			return err
		}
		if alive := len(pipeline.Living(processes, time.Now())); alive > 0 {
			t.note("%s: %s at work already; their unfinished runs are submitted too", study.Name,
				english.Plural(alive, "process is", "processes are"))
		}
	}
	return nil
}

// noteQueued names the jobs of the submission in a folder, whose array has the name, that are still
// in the queue, also if submit was killed before it recorded them. It is advice: errors of the
// queue are ignored.
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

// noteTooLong notes how many tasks are predicted to take longer than the time limit.
func (t *terminal) noteTooLong(d *workspace.Division, limit batch.TimeLimit, o submitOptions) {
	if limit.Seconds == 0 || !d.IsSeconds {
		return
	}
	tooLong, longest, most := d.TooLong(float64(limit.Seconds), o.workers)
	if tooLong == 0 {
		return
	}
	advice := "more --shards"
	if d.Submission.Shards > d.Submission.Tasks { // the array has its largest number of tasks
		advice = "a longer --time or more --workers"
	}
	t.note("%s predicted to take more than --time %s, task %d the longest, %s: give %s; afterwards, "+
		"submit --missing runs what the limit cut off",
		english.Plural(tooLong, "task is", "tasks are"), o.time, longest, timeText(most), advice)
}
