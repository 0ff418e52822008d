// One attempt at a run: its simulation within the time limit.

package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sourcegraph/conc/panics"

	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// grace is how long a run may go on after its context is done.
const grace = 5 * time.Second

// errLate is the cause of a context that ended because a run took too long; see also outOfMemory.
var errLate = errors.New("it takes too long")

// attempt is the result of simulating a run. All rows are made, so that no code of the model is
// called after it.
type attempt struct {
	run     results.Run
	batch   *results.Batch // the encoded rows of a run with lazy tables, see model.Table; else nil
	err     error
	caught  *panics.Recovered
	stopped error // the cause of its context's end; nil if that had not ended
}

// try simulates a run on a goroutine of its own. If the run is stopped and does not end within the
// grace, the worker goes on without it, and its result is dropped.
//
// The time limit includes the time in which a run waits for a value that another run builds: to
// build it itself would take no less, and a build that hangs would hang in each run that needs it.
func (r *runner) try(ctx context.Context, run sweeps.Run, shared *memo) attempt {
	if limit := r.options.RunTimeout; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, errLate)
		defer cancel()
	}
	done := make(chan attempt, 1)
	go func() { done <- r.compute(ctx, run, shared) }()
	select {
	case a := <-done:
		return a
	case <-ctx.Done(): // from here on it has the grace
	}
	select {
	case a := <-done:
		return a
	case <-time.After(grace):
		return attempt{err: errors.New("it does not stop when its context ends"), stopped: context.Cause(ctx)}
	}
}

// compute simulates a run and makes the rows of its lazy tables. It writes no file and does not
// change the runner.
func (r *runner) compute(ctx context.Context, run sweeps.Run, shared *memo) (a attempt) {
	h := &host{memo: shared, traces: tracesOf(r.plan.Model, run.Point, r.options.Trace), program: r.options.Program}
	var outcome model.Outcome
	start := time.Now()
	a.caught = panics.Try(func() { outcome, a.err = r.outcome(ctx, run, h) })
	spent := time.Since(start)
	if a.stopped = context.Cause(ctx); a.caught != nil || a.err != nil {
		return a
	}
	a.run = results.Run{
		ID: run.ID, Seed: r.plan.Seed, Replication: run.Replication, Point: run.Point, Outcome: outcome,
		Timings: h.timings(r.machine, run.Measure, spent),
	}
	if a.err = results.Check(r.plan.Model, a.run.Outcome); a.err == nil && a.run.Outcome.Lazy() {
		a.caught = panics.Try(func() { a.batch, a.err = r.dataset.Encode([]results.Run{a.run}, r.options.Provenance) })
	}
	return a
}

// equalRuns is the memo's key of the outcome of runs with the same replication and
// sweeps.Run.Equal.
type equalRuns struct{ replication, equal int }

// outcome returns the outcome of a run without the tables that are not written. One simulation
// serves runs with equal outcomes, unless it has lazy tables, whose rows can be made only once.
func (r *runner) outcome(ctx context.Context, run sweeps.Run, h *host) (model.Outcome, error) {
	simulate := func(ctx context.Context) (any, error) {
		outcome, err := r.plan.Model.Simulate(ctx, run.Point, r.plan.Model.Env(r.plan.Seed, run.Replication, h))
		return r.dataset.Trim(outcome), err
	}
	var value any
	var err error
	if run.Equal > 0 && h.memo != nil && !r.dataset.WritesLazily() {
		value, err = h.memo.value(ctx, equalRuns{run.Replication, run.Equal}, simulate)
	} else {
		value, err = simulate(ctx)
	}
	if err != nil {
		return model.Outcome{}, err
	}
	return value.(model.Outcome), nil
}

// tooLong is the error of a run that was stopped by Options.RunTimeout; err is what it returned.
func (r *runner) tooLong(err error) string {
	text := fmt.Sprintf("took longer than %s (--run-timeout)", short(r.options.RunTimeout))
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return text
	}
	return fmt.Sprintf("%s: %v", text, err)
}

// short returns a duration without units that are 0: 10m, not 10m0s.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
