// Command run: the missing runs of a plan.

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gridsweep/cmd/internal/interrupt"
	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// runOptions are the flags of execution, none of which changes a result.
type runOptions struct {
	pipeline.Options
	fresh bool
}

// memoForWorkers is the default of --memo: as many values as the workers need.
const memoForWorkers = math.MinInt

func (o *runOptions) addFlags(c *cobra.Command) {
	flags := c.Flags()
	addWorkers(c, &o.Workers)
	flags.IntVar(&o.Memo, "memo", memoForWorkers,
		"keep `N` values that runs share, such as workloads, in memory; 0 keeps none")
	flags.Lookup("memo").DefValue = "enough for the workers"
	flags.BoolVar(&o.fresh, "fresh", false, "remove all runs of the study first")
	flags.BoolVar(&o.FailFast, "fail-fast", false, "stop at the first run that fails")
	addRunTimeout(c, &o.RunTimeout)
	flags.Var((*byteSize)(&o.Memory), "memory",
		"use no more memory than `SIZE`, such as 500M or 2G; a run that alone needs more is a failed run")
	flags.Lookup("memory").DefValue = "85 % of the limit of the process's control group"
	beforeRun(c, func(*cobra.Command) error {
		if o.Memo < 0 && o.Memo != memoForWorkers {
			return usageErrorf("--memo %d: write a number from 0", o.Memo)
		}
		return nil
	})
}

// addWorkers adds the flag --workers, which is checked before the command runs.
func addWorkers(c *cobra.Command, workers *int) {
	c.Flags().IntVar(workers, "workers", defaultWorkers(), "simulations at a time")
	// the help is the same on all machines
	c.Flags().Lookup("workers").DefValue = "one per processor"
	beforeRun(c, func(*cobra.Command) error {
		if *workers < 1 {
			return usageErrorf("--workers %d: write a number from 1, or leave it out for one per processor", *workers)
		}
		return nil
	})
}

// defaultWorkers is the default of --workers: one simulation for each processor.
func defaultWorkers() int { return runtime.GOMAXPROCS(0) }

// addRunTimeout adds the flag --run-timeout, which is checked before the command runs.
func addRunTimeout(c *cobra.Command, timeout *time.Duration) {
	c.Flags().Var((*duration)(timeout), "run-timeout",
		"a run that takes longer than `D`, such as 90s or 1h30m, is a failed run")
	beforeRun(c, func(*cobra.Command) error {
		if *timeout < 0 {
			return usageErrorf("--run-timeout %s: write a duration above 0, such as 90s or 1h30m", *timeout)
		}
		return nil
	})
}

func newRun(t *terminal) *cobra.Command {
	var s selection
	var o runOptions
	var portion workspace.Portion
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
			if o.fresh && (portion.Shard != "" || portion.Plan != "" || len(portion.IDs) > 0) {
				return usageErrorf("--fresh removes all runs of a study, so it goes with neither --shard, --plan nor --id")
			}
			if portion.Plan != "" && len(s.Until) > 0 {
				return usageErrorf("--until adds runs to the plan, so it does not go with --plan")
			}
			s.Fresh = o.fresh
			studies, err := t.open(c.Context(), &s, args)
			if err != nil {
				return err
			}
			if portion.OfSubmission() { // a task of an array cannot be rerun from the command line
				portion.Rest = "gridsweep submit" + workspace.Typed(args...) + s.Flags() + " --missing"
			}
			chosen, err := t.choose(c.Context(), studies, portion, o)
			if err != nil {
				return err
			}
			if !o.fresh {
				for i, study := range studies {
					if err := study.Verify(c.Context(), chosen[i]); err != nil {
						return err
					}
				}
			}
			nothing := func(*workspace.Study) error { return nil }
			failed, err := t.execute(c.Context(), studies, chosen, portion, o, nothing)
			return cmp.Or(err, failed)
		},
	}
	s.addFlags(t, c)
	o.addFlags(c)
	flags := c.Flags()
	flags.StringVar(&portion.Shard, "shard", "",
		"run the `i/n`-th shard of the plan; env or env/n takes i from the variables of a cluster's scheduler")
	flags.StringVar(&portion.Plan, "plan", "",
		"fail unless this is the plan: a `CHECKSUM` (see gridsweep plan), or the plan file of gridsweep submit, "+
			"which also defines the shards")
	flags.StringArrayVar(&portion.IDs, "id", nil,
		"run only the run with this `ID`, in any of the studies (may be repeated)")
	return c
}

// choose returns the runs of the portion, by study. It returns an error for wrong flags, for stale
// runs without --fresh or --stale, and for traces that are none or with which runs must fail.
func (t *terminal) choose(
	ctx context.Context, studies []*workspace.Study, portion workspace.Portion, o runOptions,
) ([][]sweeps.Run, error) {
	chosen, err := portion.Runs(studies)
	if err != nil {
		return nil, usageError(err)
	}
	if !o.fresh {
		if err := t.refuseStale(ctx, studies); err != nil {
			return nil, err
		}
	}
	for i, study := range studies {
		if err := study.CheckTraces(ctx, chosen[i]); err != nil {
			return nil, usageUnlessDone(ctx, err)
		}
	}
	return chosen, nil
}

// execute executes the chosen runs of each study, those of the portion, then calls after with the
// study. It returns the errors of failed runs as failed and goes on; with --fail-fast they are err,
// and it ends.
func (t *terminal) execute(
	ctx context.Context, studies []*workspace.Study, chosen [][]sweeps.Run, portion workspace.Portion, o runOptions,
	after func(*workspace.Study) error,
) (failed, err error) {
	for i, study := range studies {
		if len(portion.IDs) > 0 && len(chosen[i]) == 0 {
			continue // the ids are of other studies
		}
		err := t.runLooks(ctx, study, chosen[i], portion, o)
		if err != nil && (!errors.As(err, new(runsFailed)) || o.FailFast) {
			return nil, err
		}
		failed = errors.Join(failed, err)
		if err := after(study); err != nil {
			return failed, err
		}
	}
	return failed, nil
}

// runPlan executes the missing ones of the runs, all with --fresh, and prints progress and
// failures. The command rest executes those that are left; empty, the same command does. The error
// has the exit code 1 if runs failed and 130 after an interruption.
func (t *terminal) runPlan(
	ctx context.Context, study *workspace.Study, runs []sweeps.Run, rest string, o runOptions,
) error {
	if o.fresh {
		if err := study.Clear(); err != nil {
			return err
		}
	}
	t.noteWorkloads(study, runs)
	o.Job, o.Progress = batch.JobName(), t.progress()
	if o.Memo == memoForWorkers {
		o.Memo = pipeline.DefaultMemo(o.Workers)
	}
	if o.Memory == 0 {
		o.Memory = pipeline.GroupMemory()
	}
	summary, err := study.Run(ctx, runs, o.Options)
	if err != nil && o.fresh {
		return fmt.Errorf("%w (without --fresh)", err) // errors say to run the same command again
	}
	if err != nil {
		return err
	}
	if len(summary.Failures) > 0 {
		t.printFailures(summary.Failures, study.Dir)
	}
	if summary.Interrupted {
		how, command := "continue with", t.commandLine("--fresh")
		if rest != "" {
			how, command = "submit them with", rest
		}
		fmt.Fprintf(t.err, "%s: %s; finished runs are stored, %s runs are left; %s\n    %s\n",
			study.Name, interrupt.Reason(ctx), count(summary.Left()), how, command)
		return exitError{exitInterrupted, nil}
	}
	if n := len(summary.Failures); n > 0 {
		again := cmp.Or(rest, "the same command")
		text := fmt.Sprintf("%s of %s runs of %s failed; %s tries them again, and the others are kept",
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
		t.note("    %s %s, replication %d; run it again with", which, runs[0].Cell, runs[0].Replication)
		t.note("    %s", runs[0].Command)
	}
	if more := len(causes) - most; more > 0 {
		t.note("and failures of %s", things(more, "more cause"))
	}
	t.note("the record of each failed run is in %s", filepath.Join(dir, results.FailedFolder))
}

// commandLine returns the command line without some switches.
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
