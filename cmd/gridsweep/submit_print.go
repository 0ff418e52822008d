package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
)

// printShards prints how much of each study each shard has.
func (t *terminal) printShards(targets []*target, p *parts) {
	writer := t.table()
	header := table.Row{"shard", "task"}
	total := make([]float64, len(targets))
	for i, target := range targets {
		header = append(header, target.name, "predicted")
		for _, work := range p.work[i] {
			total[i] += work
		}
	}
	writer.AppendHeader(header)
	for task := range p.submission.Tasks {
		from, to := p.submission.Task(task)
		for shard := from; shard < to; shard++ {
			row := table.Row{shard + 1, task}
			for i := range targets {
				cuts := p.submission.Studies[i].Cuts
				runs, work := 0, 0.0
				for _, w := range p.work[i][cuts[shard]:cuts[shard+1]] {
					if work += w; w > 0 {
						runs++
					}
				}
				row = append(row, things(runs, "run"), p.forPeople(work, total[i]))
			}
			writer.AppendRow(row)
		}
	}
	writer.Render()
	fmt.Fprintf(t.out, "%s in %s; nothing was written or submitted\n",
		things(p.submission.Shards, "shard"), things(p.submission.Tasks, "task"))
}

// forPeople returns the work of a shard as a time on one processor or, where that cannot be predicted, as a part of the
// study's.
func (p *parts) forPeople(work, total float64) string {
	switch {
	case work == 0:
		return ""
	case p.isSeconds:
		return forPeople(work)
	default:
		return fmt.Sprintf("%.1f %%", 100*work/total)
	}
}
