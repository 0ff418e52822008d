// Package pipeline runs the simulations of a plan and puts what they produce into a dataset, on all
// processors and in any order: the rows are the same whatever the workers, shards, interruptions
// and memo. What is in the dataset is not run again, so to resume a plan is to run it once more.
// The wall clock lives here and nowhere below.
//
//	snapshot, err := dataset.Snapshot(ctx, 0)
//	summary, err := pipeline.Run(ctx, plan, plan.Shard(shard), snapshot, pipeline.Options{Workers: 8})
//
// Finished runs are written every five seconds; a run that fails is recorded and the others go on.
// [Status], [Explain] and [Estimate] say what of a plan is still to be done, why, and how long it
// takes.
package pipeline

import (
	"context"
	"time"

	"gridsweep/model/trace"
	"gridsweep/results"
	"gridsweep/sweeps"
)

const (
	// batchSeconds is how long a finished run may wait for being written.
	batchSeconds = 5
	// batchBytes bounds the rows of a part, as sizeOf estimates them. One part is written while the
	// next is filled, and encoding doubles what it holds: with long tables a process stays below
	// 200 MB, with 64 MB parts it does not.
	batchBytes = 16 << 20
)

// Options say how a plan is run. None of them changes a row of the dataset.
type Options struct {
	Workers  int  // simulations at a time; 0 means one per processor
	Memo     int  // shared values kept in memory, see DefaultMemo; 0 keeps none
	FailFast bool // stop at the first run that fails

	// RunTimeout is how long a run may take: one that takes longer fails, also where it does not
	// look at its context, and what it still computes is left behind. 0 means for ever.
	RunTimeout time.Duration
	// Memory is how many bytes the process may use: when it uses more, the runs under way are
	// stopped and tried again alone when all others are done, and one that needs more alone fails.
	// 0 means all there is.
	Memory int64

	// Trace reads the file of one reference of the parameter trace, see model.TraceParameter. It is
	// asked once for the runs that share a memo. Nil fails the runs that read traces.
	Trace func(ctx context.Context, reference string) (*trace.Log, error)

	// PlanFile is where the plan is recorded for Explain, such as out/STUDY/plan.json; empty
	// records nothing. Who runs a part of the plan records it only where there is no record: others
	// may run other parts at the same time.
	PlanFile string
	// Running is the folder for the heartbeat of this process, such as out/STUDY/running; empty for
	// none.
	Running string
	// Job is what the batch system calls this process, for its heartbeat; empty outside of one.
	Job string
	// Rerun returns the command that runs one run, for the record of its failure. Nil leaves it
	// out.
	Rerun func(sweeps.Run) string
	// Provenance is stored with every part.
	Provenance results.Provenance
	// Progress is called at the start, after every run, every second while unmeasured runs are
	// under way, and at the end; never twice at once. Nil shows nothing.
	Progress func(Progress)
}

// DefaultMemo is a good number of shared values for a number of workers: each is inside one round,
// with its workload, its background load and what it derives from them.
func DefaultMemo(workers int) int { return max(16, 4*workers) }

// Summary is what became of the runs that were asked for.
type Summary struct {
	Total       int               // runs asked for
	Skipped     int               // of them, in the dataset before
	Finished    int               // of them, run and committed
	Failures    []results.Failure // one each of them that failed, in the order in which they did
	Interrupted bool              // ctx was cancelled while runs were left
}

// Left returns the number of runs that are neither in the dataset nor failed.
func (s Summary) Left() int { return s.Total - s.Skipped - s.Finished - len(s.Failures) }

// Run runs those of the runs that are not in the snapshot: the measured ones first, one at a time
// and without memo, then the others. runs are the plan's or a shard of them. They are written into
// the dataset that the snapshot is of, which finds them when it is updated.
//
// When ctx is cancelled, Run takes no more work, abandons the simulations under way, writes what is
// finished and returns a Summary that says Interrupted. Failed runs are in the Summary too. The
// error is of reading or writing the dataset; what was committed before it stays.
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
