// The memory limit of a process: that of its control group, and how runs that need too much are
// stopped and retried alone.

package pipeline

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/dustin/go-humanize"
	"github.com/sourcegraph/conc"
	"golang.org/x/sync/semaphore"
)

// memory keeps the process below Options.Memory. The garbage collector has a limit of at most
// 90 % of it. If the process exceeds Options.Memory all the same, the runs under way need too much:
// they are stopped, and retried alone when all others are done. From then on one run fewer is under
// way, so that it does not happen to every run of a plan.
//
// All memory counts that Go got from the system and did not return, as for a batch system.
type memory struct {
	limit int64
	// one for each run that may be under way; first come, first served, so that relieve gets all
	slots     *semaphore.Weighted
	slotCount int64 // only relieve changes it

	mu   sync.Mutex
	ctx  context.Context // context of the runs under way
	stop context.CancelCauseFunc
}

// outOfMemory is the cause of a context that ended because the process used too much memory.
type outOfMemory struct {
	over <-chan struct{} // closed when memory is free again, or all work has stopped
}

func (outOfMemory) Error() string { return "there is no memory left" }

// newMemory returns nil, which limits nothing, for a limit of 0.
func newMemory(ctx context.Context, limit int64, workers int) *memory {
	if limit <= 0 {
		return nil
	}
	m := &memory{limit: limit, slots: semaphore.NewWeighted(int64(workers)), slotCount: int64(workers)}
	m.renew(ctx)
	return m
}

// renew makes the context of the runs that begin from now on.
func (m *memory) renew(ctx context.Context) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ctx, m.stop = context.WithCancelCause(ctx)
}

// begin waits for a slot. The context that it returns ends when ctx does or when memory is short.
// The caller calls end when the run has ended, once or more.
func (m *memory) begin(ctx context.Context) (runCtx context.Context, end func()) {
	if m == nil {
		return ctx, func() {}
	}
	for m.slots.Acquire(ctx, 1) == nil {
		m.mu.Lock()
		runCtx = m.ctx
		m.mu.Unlock()
		if runCtx.Err() == nil || ctx.Err() != nil {
			return runCtx, sync.OnceFunc(func() { m.slots.Release(1) })
		}
		// relieve is waiting for slots: a run that begins now would be stopped at once
		m.slots.Release(1)
	}
	return ctx, func() {}
}

// used returns the bytes of memory that this process has from the system.
func (m *memory) used() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// watchMemory keeps the process below the limit, if there is one, and garbage small until end is
// called.
func (r *runner) watchMemory(ctx context.Context) (end func()) {
	m := r.memory
	before := debug.SetMemoryLimit(-1)
	most, between := before, time.Second/2
	if m != nil {
		// reading the metrics takes some microseconds
		most, between = min(most, m.limit/10*9), time.Second/20
	}
	limitGarbage(most)
	ctx, cancel := context.WithCancel(ctx)
	var watch conc.WaitGroup
	watch.Go(func() {
		tick := time.NewTicker(between)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				limitGarbage(most)
				if m != nil && m.used() > m.limit {
					r.relieve(ctx)
				}
			}
		}
	})
	return func() {
		cancel()
		watch.Wait()
		debug.SetMemoryLimit(before)
	}
}

// limitGarbage sets the limit of the garbage collector to `most` bytes or less. By default the heap
// grows to twice what was in use at the last collection. From `ample` bytes on it grows by a third:
// workloads, of which most of the memory consists, take next to no time to collect.
func limitGarbage(most int64) {
	const ample = 240 << 20
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(samples)
	limit := min(most, max(ample, int64(samples[0].Value.Uint64())/3*4))
	if limit != debug.SetMemoryLimit(-1) { // setting it stops all goroutines for a moment
		debug.SetMemoryLimit(limit)
	}
}

// relieve stops the runs under way, frees their memory and that of the memo, and lets other runs
// begin. If too much memory is still in use, it stops all work.
func (r *runner) relieve(ctx context.Context) {
	m := r.memory
	over := make(chan struct{})
	defer close(over)
	m.mu.Lock()
	m.stop(outOfMemory{over})
	m.mu.Unlock()
	// waits until all runs have ended, and keeps others waiting
	if m.slots.Acquire(ctx, m.slotCount) != nil {
		return
	}
	r.flush()
	r.shared.empty()
	debug.FreeOSMemory()
	if used := m.used(); used > m.limit {
		r.check(fmt.Errorf("%s of memory are in use while no run is under way, more than the %s of --memory: "+
			"allow more, then run the same command again", humanize.IBytes(uint64(used)), humanize.IBytes(uint64(m.limit))))
	}
	m.renew(ctx)
	m.slotCount = max(1, m.slotCount-1)
	m.slots.Release(m.slotCount)
}

// tooLarge is the error of a run that exceeded Options.Memory although it was alone.
func (r *runner) tooLarge() string {
	return fmt.Sprintf("needs more than %s of memory (--memory), alone and without memo",
		humanize.IBytes(uint64(r.memory.limit)))
}

// GroupMemory returns how many bytes Go may allocate within the limit of this process' control
// group (cgroup), or 0 without a limit. It is 85 % of the limit, as for jobs that are submitted to
// clusters, since the group also counts the program and the files that it reads.
func GroupMemory() int64 {
	limit, err := memlimit.FromCgroup()
	if err != nil || limit > math.MaxInt64 {
		return 0
	}
	return int64(limit / 100 * 85)
}

// SetMemoryLimit sets the limit of the garbage collector to GroupMemory, so that it works harder
// before the system kills the process. GOMEMLIMIT in the environment has precedence.
func SetMemoryLimit() {
	if limit := GroupMemory(); limit > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}
