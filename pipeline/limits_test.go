// Limits of time and memory: runs and builders of shared values that exceed their time, stop late
// or never, and runs that allocate too much alone or together. Times are of a simulated clock; rows
// are compared by digest with those without limits.

package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gridsweep/model"
)

// slow returns the fake study in which the runs of one policy take an hour. They return when their
// context ends, or ignore it if they hang.
func slow(policy string, hangs bool) *model.Model {
	return queueingModel(func(ctx context.Context, p queueing) error {
		if p.Policy != policy {
			return nil
		}
		done := ctx.Done()
		if hangs {
			done = nil
		}
		select {
		case <-done:
			return fmt.Errorf("at job 7: %w", ctx.Err())
		case <-time.After(time.Hour):
			return nil
		}
	})
}

// A run that takes too long fails and frees its worker, even if it ignores its context. The others
// are done. With more time all are done, with the rows of a run without a limit.
func TestRunsThatTakeTooLong(t *testing.T) {
	for name, c := range map[string]struct{ hangs, measure bool }{
		"returns": {false, false}, "hangs": {true, false},
		"returns-measured": {false, true}, "hangs-measured": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			if !alone(t) {
				return
			}
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) { checkTimeouts(t, dir, c.hangs, c.measure) })
		})
	}
}

func checkTimeouts(t *testing.T, dir string, hangs, measure bool) {
	plan := smallPlan(slow("easy", hangs))
	workers := time.Duration(2)
	if measure {
		workers = 1
	}
	for i := range plan.Runs {
		plan.Runs[i].Measure = measure
	}
	dataset := openDataset(t, dir, plan.Model)
	start := time.Now()
	summary := mustRun(t, plan, dataset, Options{Workers: 2, Memo: 8, RunTimeout: 10 * time.Minute})
	spent := time.Since(start)
	if len(summary.Failures) != 12 || summary.Finished != 24 || summary.Left() != 0 {
		t.Fatalf("%+v", summary)
	}
	if want := 12 / workers * (10*time.Minute + grace); spent > want {
		t.Errorf("took %s, want at most %s", spent, want)
	}
	want := "took longer than 10m (--run-timeout)"
	if hangs {
		want += ": it does not stop when its context ends"
	}
	for _, f := range summary.Failures {
		if f.Error != want || f.Parameters["policy"] != "easy" || f.Panicked {
			t.Errorf("failure %+v, want %s", f, want)
		}
	}
	time.Sleep(2 * time.Hour) // the abandoned runs return, and are not stored
	if finished := snapshotOf(t, dataset).Finished(); len(finished) != 24 {
		t.Errorf("%d runs in the dataset, want 24", len(finished))
	}
	if summary := mustRun(t, plan, dataset, Options{RunTimeout: 2 * time.Hour}); summary.Finished != 12 {
		t.Errorf("with more time %+v", summary)
	}
	if got, want := digestOf(t, plan, dataset), referenceDigest(t, smallPlan(queueingModel(nil))); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

// A run that returns within the grace is stored.
func TestRunThatReturnsWithinTheGrace(t *testing.T) {
	if !alone(t) {
		return
	}
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		m := queueingModel(func(context.Context, queueing) error {
			time.Sleep(time.Minute + grace/2)
			return nil
		})
		plan := smallPlan(m)
		if s := mustRun(t, plan, openDataset(t, dir, m), Options{RunTimeout: time.Minute}); s.Finished != len(plan.Runs) {
			t.Errorf("%+v", s)
		}
	})
}

// An interrupt does not wait for a run that ignores its context. The run counts as neither failed
// nor finished, also when it returns later.
func TestInterruptAbandonsRunsThatHang(t *testing.T) {
	if !alone(t) {
		return
	}
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		plan := smallPlan(slow("easy", true))
		dataset := openDataset(t, dir, plan.Model)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		summary, err := Run(ctx, plan, plan.Runs, snapshotOf(t, dataset), Options{Workers: 1})
		if err != nil || !summary.Interrupted || len(summary.Failures) > 0 || summary.Finished != 1 {
			t.Errorf("%+v, %v", summary, err)
		}
		if spent := time.Since(start); spent != time.Minute+grace {
			t.Errorf("took %s, want %s", spent, time.Minute+grace)
		}
		time.Sleep(2 * time.Hour)
		if finished := snapshotOf(t, dataset).Finished(); len(finished) != 1 {
			t.Errorf("%d runs in the dataset, want 1", len(finished))
		}
	})
}

// No worker waits for a builder whose context has ended, even if it never returns. A value that it
// builds late does no harm.
func TestMemoBuilderThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemo(1)
		late, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		go m.value(late, "key", func(context.Context) (any, error) {
			time.Sleep(2 * time.Hour)
			return 7, nil
		})
		synctest.Wait()
		start := time.Now()
		for range 5 {
			value, err := m.value(t.Context(), "key", func(context.Context) (any, error) {
				time.Sleep(time.Second)
				return 7, nil
			})
			if value != 7 || err != nil {
				t.Errorf("value %v, error %v, want 7", value, err)
			}
		}
		if spent := time.Since(start); spent != time.Minute+time.Second {
			t.Errorf("took %s, want %s", spent, time.Minute+time.Second)
		}
		time.Sleep(3 * time.Hour)
		if value, err := m.value(t.Context(), "key", nil); value != 7 || err != nil || len(m.pending) > 0 {
			t.Errorf("value %v, error %v, want 7; %d values are being built, want none", value, err, len(m.pending))
		}
	})
}

// A builder that ends late does not disturb the one that builds the value instead.
func TestMemoBuilderThatEndsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemo(1)
		late, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		go m.value(late, "key", func(context.Context) (any, error) {
			time.Sleep(time.Minute)
			return nil, late.Err()
		})
		time.Sleep(30 * time.Second)
		go m.value(t.Context(), "key", func(context.Context) (any, error) {
			time.Sleep(time.Hour)
			return 7, nil
		})
		time.Sleep(time.Minute)
		value, err := m.value(t.Context(), "key", func(context.Context) (any, error) {
			return nil, errors.New("it is built a second time")
		})
		if value != 7 || err != nil {
			t.Errorf("value %v, error %v, want 7", value, err)
		}
	})
}

// allocating returns the fake study in which the runs of one policy allocate that many bytes, piece
// by piece, and hold them until wait returns.
func allocating(policy string, bytes int, wait func(context.Context)) *model.Model {
	return queueingModel(func(ctx context.Context, p queueing) error {
		if p.Policy != policy {
			return nil
		}
		var held [][]byte
		for len(held)<<20 < bytes {
			piece := make([]byte, 1<<20)
			for i := 0; i < len(piece); i += 4096 {
				piece[i] = 1
			}
			held = append(held, piece)
			if ctx.Err() != nil {
				return fmt.Errorf("after %d pieces: %w", len(held), ctx.Err())
			}
		}
		wait(ctx)
		runtime.KeepAlive(held)
		return ctx.Err()
	})
}

// A run that needs too much memory even alone fails. The others are done.
func TestMemoryThatOneRunExceeds(t *testing.T) {
	const limit = 192 << 20
	untilStopped := func(ctx context.Context) { <-ctx.Done() }
	for _, measure := range []bool{false, true} {
		plan := newPlan(allocating("easy", 4*limit, untilStopped), 1, 5, []float64{1}, 2)
		for i := range plan.Runs {
			plan.Runs[i].Measure = measure
		}
		dataset := openDataset(t, t.TempDir(), plan.Model)
		summary := mustRun(t, plan, dataset, Options{Workers: 2, Memo: 8, Memory: limit})
		if len(summary.Failures) != 2 || summary.Finished != 4 {
			t.Fatalf("measured %t: %+v", measure, summary)
		}
		for _, f := range summary.Failures {
			if f.Error != "needs more than 192 MiB of memory (--memory), alone and without memo" || f.Panicked {
				t.Errorf("failure %+v", f)
			}
		}
	}
}

// Runs that need too much memory together are done one by one, and none fails.
func TestMemoryThatRunsExceedTogether(t *testing.T) {
	const limit = 256 << 20
	var underWay, stopped atomic.Int64
	var met atomic.Bool
	// Two runs hold their bytes at the same time and are stopped for it. After that each run goes
	// on as soon as it is the only one.
	allocate := allocating("easy", limit/8*5, func(ctx context.Context) {
		for ctx.Err() == nil && (!met.Load() || underWay.Load() > 1) {
			time.Sleep(time.Millisecond)
		}
	})
	m := queueingModel(func(ctx context.Context, p queueing) error {
		if p.Policy != "easy" {
			return nil
		}
		defer underWay.Add(-1)
		if underWay.Add(1) > 1 {
			met.Store(true)
		}
		point := model.Point{model.FloatValue(p.Load), model.StringValue("easy"), model.IntValue(1)}
		_, err := allocate.Simulate(ctx, point, allocate.Env(1, 0, &host{}))
		if err != nil {
			stopped.Add(1)
		}
		return err
	})
	plan := newPlan(m, 1, 5, []float64{1}, 2)
	dataset := openDataset(t, t.TempDir(), m)
	const before = 1 << 40
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(before))
	summary := mustRun(t, plan, dataset, Options{Workers: 3, Memo: 8, Memory: limit})
	if after := debug.SetMemoryLimit(-1); after != before {
		t.Errorf("the collector is left with a limit of %d bytes, before it was %d", after, int64(before))
	}
	if len(summary.Failures) != 0 || summary.Finished != len(plan.Runs) || !met.Load() || stopped.Load() == 0 {
		t.Errorf("%+v, met: %t, %d stopped", summary, met.Load(), stopped.Load())
	}
	want := referenceDigest(t, newPlan(queueingModel(nil), 1, 5, []float64{1}, 2))
	if got := digestOf(t, plan, dataset); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

// If too much memory is in use without any run, all work stops with an error, and no run fails.
func TestMemoryThatIsUsedUpWithoutRuns(t *testing.T) {
	for _, measure := range []bool{false, true} {
		plan := smallPlan(slow("fcfs", false))
		for i := range plan.Runs {
			plan.Runs[i].Measure = measure
		}
		dataset := openDataset(t, t.TempDir(), plan.Model)
		summary, err := Run(t.Context(), plan, plan.Runs, snapshotOf(t, dataset), Options{Memory: 1 << 20, Workers: 2})
		const want = "are in use while no run is under way, more than the 1.0 MiB of --memory"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("measured %t: error %v", measure, err)
		}
		if len(summary.Failures) > 0 || summary.Left() == 0 {
			t.Errorf("measured %t: %+v", measure, summary)
		}
	}
}

// A run that waits for a slot while others are stopped because memory is short is not stopped.
func TestRunsWaitForFreeMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(t.Context(), 1, 2)
		_, endFirst := m.begin(t.Context())
		_, endSecond := m.begin(t.Context())
		began := make(chan context.Context, 1)
		go func() {
			running, _ := m.begin(t.Context())
			began <- running
		}()
		synctest.Wait()
		m.stop(outOfMemory{})
		freed := make(chan bool)
		go func() {
			if err := m.slots.Acquire(t.Context(), 2); err != nil {
				t.Error(err)
			}
			close(freed)
		}()
		synctest.Wait()
		endFirst()
		synctest.Wait()
		if len(began) > 0 {
			t.Error("a run began while there was no memory")
		}
		endSecond()
		<-freed
		m.renew(t.Context())
		m.slots.Release(2)
		if running := <-began; running.Err() != nil {
			t.Error("a run began that was stopped before:", running.Err())
		}
	})
}

// Each time that memory is short, one run fewer may be under way, but always at least one.
func TestMemoryAllowsFewerRuns(t *testing.T) {
	r := &runner{memory: newMemory(t.Context(), 1<<60, 3), writer: &writer{}, shared: newMemo(1)}
	for _, want := range []int{2, 1, 1} {
		if _, err := r.shared.value(t.Context(), want, func(context.Context) (any, error) { return want, nil }); err != nil {
			t.Fatal(err)
		}
		r.relieve(t.Context())
		free := 0
		for r.memory.slots.TryAcquire(1) {
			free++
		}
		r.memory.slots.Release(int64(free))
		if free != want || r.shared.single.Len() != 0 {
			t.Errorf("room for %d runs, want %d; %d values are kept", free, want, r.shared.single.Len())
		}
	}
}

func TestShort(t *testing.T) {
	for text, want := range map[string]string{
		"10m": "10m", "1h": "1h", "1h10m": "1h10m", "10s": "10s", "1h0m10s": "1h0m10s", "100h": "100h", "1m30.5s": "1m30.5s",
	} {
		d, err := time.ParseDuration(text)
		if err != nil || short(d) != want {
			t.Errorf("%s is shown as %s, want %s (%v)", text, short(d), want, err)
		}
	}
}

// The limit of the garbage collector grows with the memory in use, not beyond the one of before,
// which comes back when the work is done.
func TestGarbageLimit(t *testing.T) {
	const whole = 1 << 40
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(whole))
	limit := func() int64 { return debug.SetMemoryLimit(-1) }

	end := new(runner).watchMemory(t.Context())
	small := limit()
	end()
	if small >= whole || limit() != whole {
		t.Errorf("the limit was %d during the work and %d after it; want less than %d, then %[3]d", small, limit(), whole)
	}

	held := make([]byte, 2*small)
	runtime.GC()
	limitGarbage(whole)
	runtime.KeepAlive(held)
	if got := limit(); got <= int64(len(held)) || got >= 2*int64(len(held)) {
		t.Errorf("with %d bytes in use the limit is %d; want more, but less than twice as many", len(held), got)
	}
	limitGarbage(small / 2)
	if got := limit(); got != small/2 {
		t.Errorf("the limit is %d, beyond the most, %d", got, small/2)
	}
}
