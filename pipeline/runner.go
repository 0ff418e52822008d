// The workers of a process, which simulate the unfinished runs of a plan.

package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/sourcegraph/conc"

	"gridsweep/results"
	"gridsweep/sweeps"
)

// runner is one call of Run under way.
type runner struct {
	plan    *sweeps.Plan
	dataset *results.Dataset
	options Options
	machine string
	todo    []sweeps.Run
	writer  *writer
	shared  *memo              // memo of all workers; nil shares nothing
	memory  *memory            // nil limits nothing
	stop    context.CancelFunc // stops all workers
	// cells returns the name of a cell for each run, by its id. It is computed for the first
	// failure.
	cells func() map[string]string

	identity Heartbeat // the fields of the heartbeat that do not change

	mu        sync.Mutex // held while Options.Progress is called
	progress  Progress
	underWay  map[string]bool // runs being simulated, by their ids
	failures  []results.Failure
	postponed []sweeps.Run // stopped because memory was short, to be run alone
	err       error        // the first that stopped all work
}

// newRunner finds out which runs are missing and records the plan. It removes records of failure of
// runs that were committed since.
func newRunner(
	ctx context.Context, plan *sweeps.Plan, runs []sweeps.Run, snapshot *results.Snapshot, options Options,
) (*runner, error) {
	dataset := snapshot.Dataset()
	finished, err := Finished(ctx, plan, snapshot)
	if err != nil {
		return nil, err
	}
	failures, err := dataset.Failures()
	if err != nil {
		return nil, err
	}
	failed := failedRuns(failures)
	if options.Record != "" {
		write := RecordPlan
		if len(runs) < len(plan.Runs) {
			write = createRecord
		}
		if err := write(options.Record, plan, finished); err != nil {
			return nil, err
		}
	}
	r := &runner{
		plan: plan, dataset: dataset, options: options, machine: Machine(),
		writer:   &writer{dataset: dataset, provenance: options.Provenance, failed: failed},
		cells:    sync.OnceValue(func() map[string]string { return firstCells(plan) }),
		progress: Progress{Study: plan.Study.Name, Total: len(runs)},
		underWay: map[string]bool{},
	}
	for _, run := range runs {
		if !finished[run.ID] {
			r.todo = append(r.todo, run)
			continue
		}
		r.progress.Skipped++
		// A process was killed after it committed the run and before it removed this record.
		if failed[run.ID] {
			if err := dataset.RemoveFailure(run.ID); err != nil {
				return nil, err
			}
		}
	}
	if options.Memo > 0 {
		r.shared = newMemo(options.Memo)
	}
	r.progress.Cost = sweeps.Cost(r.todo)
	r.identity = newHeartbeat(r)
	return r, nil
}

// firstCells returns the name of the first cell of each run, by its id.
func firstCells(plan *sweeps.Plan) map[string]string {
	cells := make(map[string]string, len(plan.Runs))
	for i, names := range plan.CellNames() {
		if len(names) > 0 {
			cells[plan.Runs[i].ID] = names[0]
		}
	}
	return cells
}

// failedRuns returns the ids of the runs of the failures.
func failedRuns(failures []results.Failure) map[string]bool {
	failed := map[string]bool{}
	for _, failure := range failures {
		failed[failure.ID] = true
	}
	return failed
}

// run executes the runs and returns the error that stopped all work, if any.
func (r *runner) run(ctx context.Context) error {
	ctx, r.stop = context.WithCancel(ctx)
	defer r.stop()
	r.report(nil)
	if r.options.Running != "" && len(r.todo) > 0 {
		done := make(chan struct{})
		var heartbeat conc.WaitGroup
		heartbeat.Go(func() { r.beat(done) })
		defer heartbeat.Wait()
		defer close(done)
	}
	r.work(ctx)
	r.flush()
	r.mu.Lock()
	r.progress.Finished = r.writer.written
	r.progress.Ended = true
	r.mu.Unlock()
	r.report(nil)
	return r.err
}

// work executes the runs within the limit of memory. No other goroutine writes runs after it.
func (r *runner) work(ctx context.Context) {
	r.memory = newMemory(ctx, r.options.Memory, r.workers())
	defer r.watchMemory(ctx)()
	var measured, others []sweeps.Run
	for _, run := range r.todo {
		if run.Measure {
			measured = append(measured, run)
		} else {
			others = append(others, run)
		}
	}
	r.alone(ctx, measured)
	r.share(ctx, others)
	r.shared.empty()
	r.alone(ctx, r.postponed)
}

// workers returns how many runs are simulated at a time.
func (r *runner) workers() int {
	if r.options.Workers > 0 {
		return r.options.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// alone executes the runs one by one, without memo and with the rest of the program idle. Batches
// are written between runs: when finished runs would wait too long for the next run to end, if it
// takes as long as the last one.
func (r *runner) alone(ctx context.Context, runs []sweeps.Run) {
	written := time.Now()
	for _, run := range runs {
		start := time.Now()
		if ctx.Err() != nil {
			return
		}
		r.simulate(ctx, run, true)
		if last := time.Since(start); time.Since(written)+last >= batchSeconds*time.Second {
			r.flush()
			written = time.Now()
		}
	}
	r.flush()
}

// share lets the workers execute the runs, with a common memo.
func (r *runner) share(ctx context.Context, runs []sweeps.Run) {
	workers := r.workers()
	queue := newQueue(runs, workers)
	var group conc.WaitGroup
	for range min(workers, len(runs)) {
		group.Go(func() {
			for chunk := queue.take(); len(chunk) > 0; chunk = queue.take() {
				for _, run := range chunk {
					if ctx.Err() != nil {
						return
					}
					r.simulate(ctx, run, false)
				}
			}
		})
	}
	done := make(chan struct{})
	var clock conc.WaitGroup
	clock.Go(func() { r.tick(done) })
	// Deferred, so that a panic of a worker ends the program instead of leaving it waiting.
	defer clock.Wait()
	defer close(done)
	group.Wait()
}

// tick reports every second and writes finished runs every few seconds, until done is closed.
func (r *runner) tick(done <-chan struct{}) {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for n := 1; ; n++ {
		select {
		case <-done:
			return
		case <-second.C:
			r.report(nil)
			if n%batchSeconds == 0 {
				r.flush()
			}
		}
	}
}

// flush writes the finished runs.
func (r *runner) flush() { r.check(r.writer.flush()) }

// check stops all work if err is not nil.
func (r *runner) check(err error) {
	if err == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
	r.stop()
}

// simulate executes one run and keeps its outcome. An error after ctx was cancelled is no failure
// of the run.
func (r *runner) simulate(ctx context.Context, run sweeps.Run, alone bool) {
	shared := r.shared
	if alone {
		shared = nil
	}
	runCtx, end := r.memory.begin(ctx)
	defer end()
	defer r.track(run)()
	a := r.try(runCtx, run, shared)
	var scarce outOfMemory
	switch {
	case a.caught != nil:
		r.fail(run, fmt.Sprint("panic: ", a.caught.Value), string(a.caught.Stack))
	case a.err == nil:
		r.keep(a)
		r.count(run, nil)
	case ctx.Err() != nil: // the run stays missing
	case errors.Is(a.stopped, errLate):
		r.fail(run, r.tooLong(a.err), "")
	case errors.As(a.stopped, &scarce) && alone:
		end() // relieve waits for it
		<-scarce.over
		if ctx.Err() == nil { // otherwise all work was stopped, such as by relieve
			r.fail(run, r.tooLarge(), "")
		}
	case errors.As(a.stopped, &scarce):
		r.postpone(run)
	default:
		r.fail(run, a.err.Error(), "")
	}
}

// track adds a run to those that the heartbeat lists as under way, until end is called.
func (r *runner) track(run sweeps.Run) (end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.underWay[run.ID] = true
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.underWay, run.ID)
	}
}

// keep writes a finished run, or adds it to the batch.
func (r *runner) keep(a attempt) {
	if a.batch != nil {
		r.check(r.writer.addAlone(a.run, a.batch))
		return
	}
	r.check(r.writer.add(a.run))
}

// postpone keeps a run for later, when all others are done.
func (r *runner) postpone(run sweeps.Run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.postponed = append(r.postponed, run)
}

// fail records a failure; stack is that of a panic, else empty.
func (r *runner) fail(run sweeps.Run, text, stack string) {
	failure := results.Failure{
		ID: run.ID, Cell: r.cells()[run.ID], Seed: r.plan.Seed, Replication: run.Replication, Parameters: map[string]string{},
		Error: text, Panicked: stack != "", Stack: stack,
		Time: time.Now().UTC().Truncate(time.Second), Machine: r.machine, Version: r.options.Provenance.Version,
	}
	for i, p := range r.plan.Model.Parameters {
		failure.Parameters[p.Name] = run.Point[i].String()
	}
	if r.options.Rerun != nil {
		failure.Command = r.options.Rerun(run)
	}
	r.count(run, &failure)
	r.check(r.dataset.WriteFailure(failure))
	if r.options.FailFast {
		r.stop()
	}
}

// count counts a run that finished, or failed where failure is not nil, and reports it.
func (r *runner) count(run sweeps.Run, failure *results.Failure) {
	r.mu.Lock()
	r.progress.CostDone += run.Cost
	if failure == nil {
		r.progress.Finished++
	} else {
		r.progress.Failed++
		r.failures = append(r.failures, *failure)
	}
	r.mu.Unlock()
	r.report(failure)
}

// report calls Options.Progress, unless that is nil.
func (r *runner) report(failure *results.Failure) {
	if r.options.Progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	progress := r.progress
	progress.Failure = failure
	r.options.Progress(progress)
}
