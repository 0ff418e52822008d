package cli

// Command run: the missing runs of a plan.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"gridsweep/cmd/internal/interrupt"
	"gridsweep/cmd/internal/progress"
	"gridsweep/model/trace"
	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// runOptions are the flags of execution, none of which changes a result.
type runOptions struct {
	workers  int
	memo     int
	fresh    bool
	failFast bool
	timeout  time.Duration
	memory   byteSize
	rest     string // command that executes the remaining runs; empty for the same command
}

// memoForWorkers is the default of --memo: as many values as the workers need.
const memoForWorkers = math.MinInt

func (o *runOptions) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&o.workers, "workers", defaultWorkers(), "simulations at a time")
	flags.Lookup("workers").DefValue = "one per processor" // the help is the same on all machines
	flags.IntVar(&o.memo, "memo", memoForWorkers, "workloads and base runs kept in memory; 0 keeps none")
	flags.Lookup("memo").DefValue = "enough for the workers"
	flags.BoolVar(&o.fresh, "fresh", false, "remove all runs of the study first")
	flags.BoolVar(&o.failFast, "fail-fast", false, "stop at the first run that fails")
	flags.Var((*duration)(&o.timeout), "run-timeout",
		"a run that takes longer than `D`, such as 90s or 1h30m, is a failed run")
	flags.Var(&o.memory, "memory",
		"use no more memory than `SIZE`, such as 500M or 2G; a run that alone needs more is a failed run")
	flags.Lookup("memory").DefValue = "85 % of the limit of the process's control group"
}

func (o *runOptions) check() error {
	if o.workers < 1 {
		return usageErrorf("--workers %d: write a number from 1, or leave it out for one per processor", o.workers)
	}
	if o.memo < 0 && o.memo != memoForWorkers {
		return usageErrorf("--memo %d: write a number from 0", o.memo)
	}
	return checkRunTimeout(o.timeout)
}

func checkRunTimeout(timeout time.Duration) error {
	if timeout < 0 {
		return usageErrorf("--run-timeout %s: write a duration above 0, such as 90s or 1h30m", timeout)
	}
	return nil
}

func newRun(t *terminal) *cobra.Command {
	var s selection
	var o runOptions
	var share portion
	c := &cobra.Command{
		Use:   "run PAPER-or-STUDY...",
		Short: "Run the missing runs of a plan",
		Long: `Run the simulations of the plan that the dataset does not have, and write them as Parquet. Rerun the command
to continue after ctrl-C or a kill. The first ctrl-C writes the finished runs and stops; a second one stops at
once and loses at most the last seconds. SIGTERM, SIGHUP and SIGUSR1 do the same.`,
		Example: `  gridsweep run coallocation
  gridsweep run coallocation --quick --workers 4
  gridsweep run coallocation --experiment readings
  gridsweep run coallocation --shard 2/7         # one of seven machines
  gridsweep run coallocation --shard env/7       # the shard of a task of a cluster's array (docs/how-to/cluster.md)
  gridsweep run coallocation --rounds 10 --until 'blocking ±1%' --max-rounds 500`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			if o.fresh && (share.Shard != "" || share.Plan != "" || len(share.IDs) > 0) {
				return usageErrorf("--fresh removes all runs of a study, so it goes with neither --shard, --plan nor --id")
			}
			if share.Plan != "" && len(s.Until) > 0 {
				return usageErrorf("--until adds runs to the plan, so it does not go with --plan")
			}
			s.IsEmpty = o.fresh
			studies, err := t.open(c.Context(), &s, args)
			if err != nil {
				return err
			}
			if share.OfSubmission() { // a task of an array cannot be rerun from the command line
				share.Rest = "gridsweep submit" + workspace.Typed(args...) + s.Flags() + " --missing"
				o.rest = share.Rest
			}
			chosen, err := t.runs(share.Portion, studies)
			if err != nil {
				return err
			}
			if !o.fresh {
				if err := t.refuseStale(c.Context(), studies); err != nil {
					return err
				}
			}
			for i, study := range studies {
				if err := t.checkTraces(c.Context(), study, chosen[i]); err != nil {
					return err
				}
			}
			var failed error
			for i, study := range studies {
				if len(share.IDs) > 0 && len(chosen[i]) == 0 {
					continue // the ids are of other studies
				}
				if !o.fresh {
					if err := study.Verify(c.Context(), chosen[i]); err != nil {
						return err
					}
				}
				err := t.runLooks(c.Context(), study, chosen[i], o, func() ([]sweeps.Run, error) {
					chosen, err := t.runs(share.Portion, []*workspace.Study{study})
					if err != nil {
						return nil, err
					}
					return chosen[0], nil
				})
				if !errors.As(err, new(runsFailed)) || o.failFast {
					if err != nil {
						return err
					}
					continue
				}
				failed = errors.Join(failed, err)
			}
			return failed
		},
	}
	s.addFlags(t, c)
	s.addUntil()
	o.addFlags(c)
	share.addFlags(c)
	return c
}

// checkTraces returns an error if a file that the runs read is not a trace.
func (t *terminal) checkTraces(ctx context.Context, study *workspace.Study, runs []sweeps.Run) error {
	err := study.CheckTraces(ctx, runs)
	if err != nil && ctx.Err() == nil {
		return usageError(err)
	}
	return err
}

// runPlan executes the missing ones of the runs and prints progress and failures. The error has the
// exit code 1 if runs failed and 130 after an interruption.
func (t *terminal) runPlan(ctx context.Context, study *workspace.Study, runs []sweeps.Run, o runOptions) error {
	if o.fresh {
		if err := study.Clear(); err != nil {
			return err
		}
	}
	t.noteWorkloads(study, runs)
	options := pipeline.Options{
		Workers: o.workers, Memo: o.memo, FailFast: o.failFast, RunTimeout: o.timeout, Memory: int64(o.memory),
		Job: batch.JobName(os.LookupEnv), Progress: t.progress(),
	}
	if o.memo == memoForWorkers {
		options.Memo = pipeline.DefaultMemo(o.workers)
	}
	if o.memory == 0 {
		options.Memory = pipeline.GroupMemory()
	}
	summary, err := study.Run(ctx, runs, options)
	if err != nil && o.fresh {
		return fmt.Errorf("%w (without --fresh)", err)
	}
	if err != nil {
		return err
	}
	if len(summary.Failures) > 0 {
		t.printFailures(summary.Failures, study.Dir)
	}
	if summary.Interrupted {
		how, command := "continue with", t.commandLine("--fresh")
		if o.rest != "" {
			how, command = "submit them with", o.rest
		}
		fmt.Fprintf(t.err, "%s: %s; finished runs are stored, %s runs are left; %s\n    %s\n",
			study.Name, interrupt.Reason(ctx), count(summary.Left()), how, command)
		return exitError{exitInterrupted, nil}
	}
	if n := len(summary.Failures); n > 0 {
		again := cmp.Or(o.rest, "the same command")
		text := fmt.Sprintf("%s of %s runs of %s failed; the others are kept, and %s tries them again",
			count(n), count(summary.Total), study.Name, again)
		if left := summary.Left(); left > 0 {
			text = fmt.Sprintf("%s of %s runs of %s failed and %s were not tried; %s goes on",
				count(n), count(summary.Total), study.Name, count(left), again)
		}
		return runsFailed{text}
	}
	return nil
}

// runsFailed is the error of a plan with failed runs, after which other studies continue.
type runsFailed struct{ text string }

func (e runsFailed) Error() string { return e.text }

// printFailures prints the first causes of failed runs, each with the number of runs and the
// command that reruns one of them. The folder dir has the records of all failed runs.
func (t *terminal) printFailures(failures []results.Failure, dir string) {
	const most = 20
	causes := results.ByCause(failures)
	for _, runs := range causes[:min(most, len(causes))] {
		message, _, _ := strings.Cut(runs[0].Error, "\n")
		which := "it is"
		if len(runs) > 1 {
			which = "one is"
		}
		t.note("%s failed: %s", things(len(runs), "run"), message)
		t.note("    %s %s, replication %d; run it again with", which, runs[0].Cell, runs[0].Round)
		t.note("    %s", runs[0].Command)
	}
	if more := len(causes) - most; more > 0 {
		t.note("and others for %s", things(more, "more cause"))
	}
	t.note("the record of each failed run is in %s", filepath.Join(dir, results.FailedFolder))
}

// progress returns the hook that shows progress: a bar on a terminal, lines elsewhere.
func (t *terminal) progress() func(pipeline.Progress) {
	if columns := t.columns(); columns != nil {
		return progress.Bar(t.err, columns)
	}
	return progress.Lines(t.err)
}

// showLate returns the hook that shows the progress of some work once it has taken two seconds.
// Total is its number of items, 0 if unknown. The caller calls end when the work ends.
func (t *terminal) showLate(work, item string, total int) (progress func(done, total int), end func(error)) {
	const quiet = 2 * time.Second
	begun := time.Now()
	show := t.progress()
	now := pipeline.Progress{Study: work, Item: item, Total: total, Cost: float64(total)}
	progress = func(done, total int) {
		now.Finished, now.Total, now.CostDone, now.Cost = done, total, float64(done), float64(total)
		show(now)
	}
	return progress, func(err error) {
		if time.Since(begun) >= quiet && err == nil {
			now.Finished, now.Ended = max(now.Finished, total), true
			show(now)
		}
	}
}

// columns returns a function for the width of the terminal that shows messages, 0 if unknown; nil
// if messages do not go to a terminal.
func (t *terminal) columns() func() int {
	file, isFile := t.err.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return func() int {
		columns, _, err := term.GetSize(int(file.Fd()))
		if err != nil {
			return 0
		}
		return columns
	}
}

// commandLine returns the command line without some flags.
func (t *terminal) commandLine(without ...string) string {
	line := "gridsweep"
	for _, arg := range t.args {
		flag, _, _ := strings.Cut(arg, "=")
		if !slices.Contains(without, flag) {
			line += workspace.Typed(arg)
		}
	}
	return line
}

// note prints a message on stderr; results go to stdout.
func (t *terminal) note(format string, args ...any) {
	fmt.Fprintln(t.err, printable(fmt.Sprintf(format, args...)))
}

// printable returns a text of several lines, in which control characters that come from a quoted
// file are escaped.
func printable(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = trace.Printable(line)
	}
	return strings.Join(lines, "\n")
}

// count returns a number with thousands separators: 4,080.
func count(n int) string { return humanize.Comma(int64(n)) }

// things returns a number of things with their name: 1 run, 4,080 runs.
func things(n int, name string) string { return count(n) + " " + english.PluralWord(n, name, "") }

// took returns a duration in tenths of a second.
func took(d time.Duration) string { return d.Round(100 * time.Millisecond).String() }

// atLeastOneStudy is the cobra.PositionalArgs of commands about studies.
func atLeastOneStudy(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageErrorf("%s needs a paper, a study or a study file; gridsweep list shows the built-in ones",
			c.CommandPath())
	}
	return nil
}
