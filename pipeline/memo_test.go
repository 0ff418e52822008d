// The memo of shared values: compared with a list of the most recently used keys, with builders
// that fail, panic or are cancelled under a simulated clock. Sections of runs, which exclude its
// time, are compared with sums; the queue of runs with their order and its share of the work.

package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"gridsweep/sweeps"
)

type anyBuild = func(context.Context) (any, error)

func constant(value any, builds *atomic.Int64) anyBuild {
	return func(context.Context) (any, error) {
		builds.Add(1)
		return value, nil
	}
}

func TestMemoBuildsOnceForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemo(1)
		var builds atomic.Int64
		slow := func(context.Context) (any, error) {
			time.Sleep(time.Minute)
			return builds.Add(1), nil
		}
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				if value, err := m.value(t.Context(), "key", slow); value != int64(1) || err != nil {
					t.Errorf("value %v, error %v, want 1", value, err)
				}
			})
		}
		group.Wait()
	})
}

// If a builder fails, panics or is cancelled, one of the waiting workers builds the value.
func TestMemoBuilderThatFails(t *testing.T) {
	for name, build := range map[string]func(context.Context) (any, error){
		"error":  func(context.Context) (any, error) { return nil, errors.New("failed") },
		"panic":  func(context.Context) (any, error) { panic("failed") },
		"cancel": func(ctx context.Context) (any, error) { <-ctx.Done(); return nil, ctx.Err() },
	} {
		synctest.Test(t, func(t *testing.T) {
			m := newMemo(1)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var group sync.WaitGroup
			group.Go(func() {
				defer func() {
					if caught := recover(); (caught != nil) != (name == "panic") {
						t.Errorf("%s: panic %v", name, caught)
					}
				}()
				_, err := m.value(ctx, "key", func(ctx context.Context) (any, error) {
					time.Sleep(time.Second)
					return build(ctx)
				})
				if err == nil {
					t.Errorf("%s: no error", name)
				}
			})
			synctest.Wait()
			var builds atomic.Int64
			for range 5 {
				group.Go(func() {
					if value, err := m.value(t.Context(), "key", constant(7, &builds)); value != 7 || err != nil {
						t.Errorf("%s: value %v, error %v, want 7", name, value, err)
					}
				})
			}
			time.Sleep(time.Hour)
			cancel()
			group.Wait()
			if builds.Load() != 1 {
				t.Errorf("%s: built %d times, want once", name, builds.Load())
			}
		})
	}
}

// Waiting ends when the context of the waiting worker is cancelled.
func TestMemoWaiterIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemo(1)
		go m.value(t.Context(), "key", func(context.Context) (any, error) {
			time.Sleep(time.Hour)
			return 1, nil
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := m.value(ctx, "key", nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		time.Sleep(time.Hour)
	})
}

// commonKey is the key of a value that all replications share.
type commonKey int

func (commonKey) Common() bool { return true }

// The memo keeps the values that lists of the most recently used keys would keep, one of single
// replications and one, twice as long, of all.
func TestMemoKeepsTheMostRecentlyUsed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.IntRange(1, 5).Draw(t, "capacity")
		m := newMemo(capacity)
		var recent, common []any // the naive memo: keys, most recently used last
		for _, n := range rapid.SliceOf(rapid.IntRange(0, 19)).Draw(t, "keys") {
			key, list, most := any(n), &recent, capacity
			if n >= 8 {
				key, list, most = commonKey(n), &common, 2*capacity
			}
			var builds atomic.Int64
			if value, err := m.value(context.Background(), key, constant(10*n, &builds)); value != 10*n || err != nil {
				t.Fatalf("value %v, error %v, want %d", value, err, 10*n)
			}
			wantBuilds := int64(1)
			if i := slices.Index(*list, key); i >= 0 {
				*list, wantBuilds = slices.Delete(*list, i, i+1), 0
			}
			if *list = append(*list, key); len(*list) > most {
				*list = (*list)[1:]
			}
			if builds.Load() != wantBuilds {
				t.Fatalf("key %v was built %d times, want %d", key, builds.Load(), wantBuilds)
			}
		}
	})
}

func TestMemoValueThatNeedsItselfPanics(t *testing.T) {
	for _, shared := range []*memo{nil, newMemo(5)} {
		h := &host{memo: shared}
		var again anyBuild
		again = func(ctx context.Context) (any, error) { return h.Memo(ctx, "key", again) }
		caught := func() (caught any) {
			defer func() { caught = recover() }()
			h.Memo(t.Context(), "key", again)
			return nil
		}()
		if want := "memo: building key needs itself"; fmt.Sprint(caught) != want {
			t.Errorf("panic %v, want %s", caught, want)
		}
	}
}

// A section does not count the time in Memo, nested or not; sections of one name add up.
func TestSpan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &host{}
		sleep := func(d time.Duration) anyBuild {
			return func(context.Context) (any, error) {
				time.Sleep(d)
				return nil, nil
			}
		}
		nested := func(ctx context.Context) (any, error) {
			time.Sleep(time.Minute)
			return h.Memo(ctx, "inner", sleep(time.Hour))
		}
		for range 2 {
			end := h.Span("outer", 3)
			time.Sleep(time.Second)
			h.Memo(t.Context(), "value", nested)
			inner := h.Span("inner", 1)
			time.Sleep(2 * time.Second)
			inner()
			end()
		}
		got := fmt.Sprint(h.timings("m", true, time.Hour))
		if want := "[{m true run 3600 1} {m true inner 4 2} {m true outer 6 6}]"; got != want {
			t.Errorf("timings %s, want %s", got, want)
		}
	})
}

// The queue hands out every run once and in order, in chunks of one run or of at most its share of
// the remaining work.
func TestQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var runs []sweeps.Run
		for i, cost := range rapid.SliceOf(rapid.Float64Range(0, 10)).Draw(t, "costs") {
			runs = append(runs, sweeps.Run{Replication: i, Cost: cost})
		}
		workers := rapid.IntRange(1, 9).Draw(t, "workers")
		q := newQueue(runs, workers)
		next := 0
		for chunk := q.take(); len(chunk) > 0; chunk = q.take() {
			left := sweeps.Cost(runs[next:])
			for _, run := range chunk {
				if run.Replication != next {
					t.Fatalf("run %d, want %d", run.Replication, next)
				}
				next++
			}
			if cost := sweeps.Cost(chunk); len(chunk) > 1 && cost > left/float64(4*workers)+1e-6 {
				t.Fatalf("chunk of cost %g of %g left for %d workers", cost, left, workers)
			}
		}
		if next != len(runs) {
			t.Fatalf("%d of %d runs", next, len(runs))
		}
	})
}
