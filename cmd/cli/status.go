// Command status: the progress of a study on all machines.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/pipeline"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
)

// statusOptions are the flags of status.
type statusOptions struct {
	format   string
	portion  workspace.Portion // only its Plan, as of run: Runs rejects another plan
	watch    bool
	complete time.Duration // how long to look again while runs are missing or running
}

const (
	// watchPause is the time between two updates of status --watch.
	watchPause = 5 * time.Second
	// cacheTime is the time after which a machine sees the files that another one wrote into a
	// shared folder: by default NFS refreshes the names in a folder after at most a minute.
	cacheTime = "90s"
)

func newStatus(t *terminal) *cobra.Command {
	var s selection
	var o statusOptions
	c := &cobra.Command{
		Use:   "status PAPER-or-STUDY...",
		Short: "Show how many runs are done, running, failed and missing",
		Long: `Show how many runs of each experiment are done, running, failed and missing, the rate of the processes at work
and the predicted time. The numbers come from the files of the dataset, so they cover all machines that share the
folder, while they run. A process without a heartbeat for a minute is named, and its unfinished runs count as
missing. For incomplete submissions of gridsweep submit, Slurm's accounting, if available, shows how the tasks
ended.`,
		Example: `  gridsweep status coallocation
  gridsweep status coallocation --watch
  gridsweep status coallocation --complete && gridsweep report coallocation
  gridsweep status coallocation --format json | jq '.[].missing'`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			studies, err := t.open(c.Context(), &s, args)
			if err != nil {
				return err
			}
			if _, err := o.portion.Runs(studies); err != nil {
				return usageError(err)
			}
			if err := t.noteNoDataset(studies); err != nil {
				return err
			}
			if c.Flags().Changed("complete") { // the commands after it would refuse stale runs
				err = t.refuseStale(c.Context(), studies)
			} else {
				err = t.noteStale(c.Context(), s, studies)
			}
			if err != nil {
				return err
			}
			if o.watch {
				return t.watch(c.Context(), studies)
			}
			statuses, err := t.statusesOf(c.Context(), studies, o.complete)
			if err != nil {
				return err
			}
			if err := t.printStatuses(studies, statuses, o.format); err != nil {
				return err
			}
			if o.format == "table" {
				t.printReasons(c.Context(), s, studies, statuses) // how tasks of the cluster ended
			}
			if !c.Flags().Changed("complete") {
				return nil
			}
			// the script of the submission prints the command for the rest
			if o.portion.OfSubmission() {
				return incomplete(statuses, "")
			}
			return incomplete(statuses, workspace.Typed(args...)+s.Flags())
		},
	}
	s.addFlags(t, c)
	flags := c.Flags()
	addFormat(c, &o.format)
	flags.BoolVar(&o.watch, "watch", false, "show it again every few seconds until every run is done or failed")
	flags.Var((*duration)(&o.complete), "complete",
		"exit with 1 unless every run is done; while runs are missing or running, look again "+
			"for this `time`, since machines that share a folder may see new files late")
	flags.Lookup("complete").NoOptDefVal = cacheTime
	flags.StringVar(&o.portion.Plan, "plan", "",
		"fail unless this is the plan: a `CHECKSUM`, or the plan file of gridsweep submit")
	return c
}

// noteNoDataset names the datasets that do not exist: --out may be another folder than that of the
// runs.
func (t *terminal) noteNoDataset(studies []*workspace.Study) error {
	for _, study := range studies {
		_, err := results.ListFolder(study.Dir)
		if errors.Is(err, fs.ErrNotExist) {
			t.note("there is no folder %s: no run was stored with this --out", study.Dir)
		} else if err != nil {
			return fmt.Errorf("status of %s: %w", study.Name, err)
		}
	}
	return nil
}

func (o *statusOptions) check() error {
	switch {
	case o.complete < 0:
		return usageErrorf("--complete=%s: write a time from 0s, such as 90s", o.complete)
	case o.watch && (o.complete > 0 || o.format != "table"):
		return usageErrorf(
			"--watch shows a table until every run is done or failed, so it goes with neither --complete nor --format")
	}
	return nil
}

// statusesOf returns the status of each study. While runs are missing or running it looks again,
// for the time patience, and prints a note before it waits.
func (t *terminal) statusesOf(
	ctx context.Context, studies []*workspace.Study, patience time.Duration,
) ([]pipeline.Status, error) {
	return workspace.Statuses(ctx, studies, patience, func(left, runs int) {
		t.note("%s of %s are not there yet; looking again for %s", count(left), things(runs, "run"), patience)
	})
}

// incomplete returns an error with the number of runs that are not done, nil if there are none.
// Arguments are those of the commands that execute the runs, with flags; without them the error
// names no command.
func incomplete(statuses []pipeline.Status, arguments string) error {
	left, runs := 0, 0
	for _, status := range statuses {
		runs += status.Runs()
		left += status.Runs() - status.Done
	}
	if left == 0 {
		return nil
	}
	if arguments == "" {
		return fmt.Errorf("%s of %s are not done", count(left), things(runs, "run"))
	}
	return fmt.Errorf("%s of %s are not done; they are run by\n    gridsweep run%s\nor on a cluster by\n    "+
		"gridsweep submit%[3]s --missing", count(left), things(runs, "run"), arguments)
}

// watch shows the statuses until every run is done or failed, or ctx is done.
func (t *terminal) watch(ctx context.Context, studies []*workspace.Study) error {
	for {
		statuses, err := t.statusesOf(ctx, studies, 0)
		if err != nil {
			return err
		}
		awaited := 0
		for _, status := range statuses {
			awaited += status.Awaited()
		}
		if t.isScreen() {
			fmt.Fprint(t.out, "\x1b[H\x1b[2J") // move to the upper left corner and clear the screen
			if err := t.printStatuses(studies, statuses, "table"); err != nil {
				return err
			}
		} else {
			for i, status := range statuses {
				fmt.Fprintf(t.out, "%s %s: %s\n", time.Now().Format(time.TimeOnly), studies[i].Dir, inWords(status))
			}
		}
		if awaited == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil // a watch that is stopped has not failed
		case <-time.After(watchPause): // look again
		}
	}
}

func (t *terminal) printStatuses(studies []*workspace.Study, statuses []pipeline.Status, format string) error {
	type record struct {
		Study  string `json:"study"`
		Folder string `json:"folder"`
		pipeline.Status
	}
	records := []record{}
	for i, status := range statuses {
		records = append(records, record{studies[i].Plan.Study.Name, studies[i].Dir, status})
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
	if status.Left != nil && status.Awaited() > 0 {
		line += fmt.Sprintf(", %.3g runs/s, about %s left", *status.Rate, timeText(*status.Left))
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
