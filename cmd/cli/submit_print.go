package cli

// Output of submit --dry-run: the shards.

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"gridsweep/pipeline/workspace"
)

// printShards prints the runs and predicted work of each study in each shard.
func (t *terminal) printShards(d *workspace.Division) {
	writer := t.table()
	header := table.Row{"shard", "task"}
	total := make([]float64, len(d.Studies))
	for i, study := range d.Studies {
		header = append(header, study.Name, "predicted")
		_, total[i] = d.Wanted(i, 0, d.Submission.Shards)
	}
	writer.AppendHeader(header)
	for task := range d.Submission.Tasks {
		from, to := d.Submission.Task(task)
		for shard := from; shard < to; shard++ {
			row := table.Row{shard + 1, task}
			for i := range d.Studies {
				runs, work := d.Wanted(i, shard, shard+1)
				row = append(row, things(runs, "run"), workInWords(d, work, total[i]))
			}
			writer.AppendRow(row)
		}
	}
	writer.Render()
	fmt.Fprintf(t.out, "%s in %s; nothing was written or submitted\n",
		things(d.Submission.Shards, "shard"), things(d.Submission.Tasks, "task"))
}

// workInWords returns the work of a shard as a time on one processor or, if that cannot be
// predicted, as a percentage of the study's.
func workInWords(d *workspace.Division, work, total float64) string {
	switch {
	case work == 0:
		return ""
	case d.IsSeconds:
		return timeText(work)
	default:
		return fmt.Sprintf("%.1f %%", 100*work/total)
	}
}
