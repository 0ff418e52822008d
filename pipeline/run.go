// Package pipeline runs the simulations of a plan on all processors and adds them to a dataset. The
// rows, except timings, do not depend on the order of runs, workers, shards, interruptions or the
// memo. Runs that are in the dataset are not run again, so a plan is resumed by running it once
// more. The wall clock is read here; no package below takes a result from it.
//
// Finished runs are written every five seconds. A run that fails is recorded, and the others go on.
// [StatusOf], [Explain] and [Estimate] return which runs of a plan are missing, why, and how long
// they take.
package pipeline

import (
	"context"
	"time"

	"gridsweep/model"
	"gridsweep/model/trace"
	"gridsweep/results"
	"gridsweep/sweeps"
)

const (
	// batchSeconds is how long a finished run may wait to be written.
	batchSeconds = 5
	// batchBytes bounds the rows of a batch, as the writer estimates them. One batch is written
	// while the next is filled, and encoding doubles the memory. With long tables a process stays
	// below 200 MB; with batches of 64 MB it does not.
	batchBytes = 16 << 20
)

// Options say how a plan is run. None of them changes a row of the dataset, except timings.
type Options struct {
	Workers  int  // simulations at a time; 0 means one per processor
	Memo     int  // shared values kept in memory, see DefaultMemo; 0 keeps none
	FailFast bool // stop at the first run that fails

	// RunTimeout is how long a run may take. One that takes longer is stopped and fails, unless it
	// still succeeds within 5 s. If it goes on even then, its goroutine is abandoned. 0 means no
	// limit.
	RunTimeout time.Duration
	// Memory is how many bytes the process may use. When it uses more, the runs under way are
	// stopped and retried alone when all others are done; a run that needs more alone fails. 0
	// means no limit.
	Memory int64

	// Trace reads the file of one reference in the parameter trace, see model.TraceParameter. It is
	// called once while the memo that runs share keeps the trace. If it is nil, runs that read
	// traces fail.
	Trace func(ctx context.Context, reference string) (*trace.Log, error)

	// Program opens the program of a reference, see model.Spec.Program. If it is nil, runs that
	// need one fail.
	Program func(ctx context.Context, reference string) (model.Program, error)

	// Record is the file in which the plan is recorded for Explain, such as out/STUDY/plan.json;
	// empty for none. A call that runs a shard creates the file but does not replace one, since
	// other processes may run other shards at the same time.
	Record string
	// Running is the folder for the heartbeat of this process, such as out/STUDY/running; empty for
	// none.
	Running string
	// Job is the batch system's name of this process, for its heartbeat; empty outside of one.
	Job string
	// Rerun returns the command that executes one run, for the record of its failure. Nil leaves it
	// out.
	Rerun func(sweeps.Run) string
	// Provenance is stored with every batch.
	Provenance results.Provenance
	// Progress is called at the start, after every run, every second while workers share the runs,
	// and at the end; never concurrently. Nil shows nothing.
	Progress func(Progress)
}

// DefaultMemo returns a good number of shared values: four for each worker, at least 16. A worker
// is within one replication and shares its workload, background load and what is derived from them.
func DefaultMemo(workers int) int { return max(16, 4*workers) }

// Summary counts the runs that Run was called with by their outcome.
type Summary struct {
	Total       int
	Skipped     int               // runs that needed no more work before, see Finished
	Finished    int               // runs that were executed and committed
	Failures    []results.Failure // failures of runs, in the order in which they failed
	Interrupted bool              // ctx was cancelled while runs were left
}

// Left returns the number of runs that still need work and have not failed.
func (s Summary) Left() int { return s.Total - s.Skipped - s.Finished - len(s.Failures) }

// Run executes the runs that Finished does not return: first those to be measured (timed), one at a
// time and without memo, then the others. runs are all runs of the plan or some of them. They are
// added to the dataset of the snapshot; the snapshot has them after its Update.
//
// When ctx is cancelled, Run starts no more runs, stops those under way, writes those that are
// finished and returns a Summary with Interrupted set if runs are left. Failed runs are in the
// Summary and are no error. The error is of reading or writing the dataset or Options.Record, or
// says that memory is short although no run is under way; committed runs stay.
func Run(
	ctx context.Context, plan *sweeps.Plan, runs []sweeps.Run, snapshot *results.Snapshot, options Options,
) (Summary, error) {
	summary := Summary{Total: len(runs)}
	r, err := newRunner(ctx, plan, runs, snapshot, options)
	if err != nil {
		if ctx.Err() != nil {
			summary.Interrupted = true
			return summary, nil
		}
		return summary, err
	}
	err = r.run(ctx)
	summary.Skipped = r.progress.Skipped
	summary.Finished = r.writer.written
	summary.Failures = r.failures
	summary.Interrupted = ctx.Err() != nil && summary.Left() > 0
	return summary, err
}
