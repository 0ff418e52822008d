package cli

// Output of status: a table, JSON or CSV.

import (
	"fmt"
	"strconv"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/jedib0t/go-pretty/v6/table"

	"gridsweep/pipeline"
	"gridsweep/pipeline/workspace"
)

func (t *terminal) printStatuses(studies []*workspace.Study, statuses []pipeline.Status, format string) error {
	records := []pipeline.StatusRecord{}
	for i, status := range statuses {
		records = append(records, status.Record(studies[i].Plan.Study.Name, studies[i].Dir))
	}
	return t.print(format, records, statusRows(studies, statuses), func() {
		for i, status := range statuses {
			t.statusTable(studies[i], status)
		}
	})
}

func (t *terminal) statusTable(study *workspace.Study, status pipeline.Status) {
	fmt.Fprintln(t.out, study.Dir)
	writer := t.table()
	writer.AppendHeader(table.Row{"experiment", "runs", "done", "running", "missing", "failed"})
	writer.ShowCounts(2, 3, 4, 5, 6)
	for _, x := range status.Experiments {
		writer.AppendRow(table.Row{x.Experiment, x.Runs(), x.Done, x.Running, x.Missing, x.Failed})
	}
	writer.Render()
	fmt.Fprintln(t.out, inWords(status))
	now := time.Now()
	for _, process := range status.Dead(now) {
		fmt.Fprintf(t.out, "process %d on %s%s has sent no heartbeat for %s and does not count as at work\n",
			process.PID, process.Host, inJob(process), process.Silent(now).Round(time.Second))
	}
	if len(status.Failures) > 0 {
		t.printFailures(status.Failures, study.Dir)
	}
}

// inWords returns a status as one line.
func inWords(status pipeline.Status) string {
	line := fmt.Sprintf("%s of %s done", count(status.Done), things(status.Runs(), "run"))
	for _, state := range []struct {
		count int
		name  string
	}{{status.Running, "running"}, {status.Failed, "failed"}, {status.Missing, "missing"}} {
		if state.count > 0 {
			line += fmt.Sprintf(", %s %s", count(state.count), state.name)
		}
	}
	if alive := len(pipeline.Living(status.Processes, time.Now())); alive > 0 {
		line += "; " + english.Plural(alive, "process", "") + " at work"
	}
	if status.LeftKnown && status.Awaited() > 0 {
		line += fmt.Sprintf(", %.3g runs/s, about %s left", status.Rate, timeText(status.Left.Seconds()))
	}
	return line
}

// inJob names the job of a batch system that a process belongs to.
func inJob(process pipeline.Heartbeat) string {
	if process.Job == "" {
		return ""
	}
	return " (" + process.Job + ")"
}

// statusRows returns rows of CSV: a header, then one for each experiment of each study.
func statusRows(studies []*workspace.Study, statuses []pipeline.Status) [][]string {
	rows := [][]string{{"study", "experiment", "runs", "done", "running", "missing", "failed"}}
	for i, status := range statuses {
		for _, x := range status.Experiments {
			row := []string{studies[i].Plan.Study.Name, x.Experiment}
			for _, n := range []int{x.Runs(), x.Done, x.Running, x.Missing, x.Failed} {
				row = append(row, strconv.Itoa(n))
			}
			rows = append(rows, row)
		}
	}
	return rows
}
