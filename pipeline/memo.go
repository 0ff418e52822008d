// The cache of the values that the simulations of a process share.

package pipeline

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// memo is a least-recently-used cache of the values that the simulations of a process share. While
// one worker builds a value, others that need it wait. If the builder returns an error, panics or
// is cancelled, each of these builds the value itself. The memo is safe for concurrent use.
type memo struct {
	mu   sync.Mutex
	kept *simplelru.LRU[any, any] // values of single replications
	// values of all replications, such as a log: among the others, of which each replication adds
	// some, they would be dropped before the next replication uses them
	common  *simplelru.LRU[any, any]
	pending map[any]*pendingValue
}

// pendingValue is a value that is being built. built and value may be read after done is closed.
type pendingValue struct {
	// closed when the context of the builder has ended: others wait no longer, since it may hang
	builderEnded <-chan struct{}
	done         chan struct{} // closed when the builder has returned or panicked
	built        bool          // whether it has returned a value
	value        any
}

// newMemo returns a memo of at most capacity values of single replications, and twice as many of
// all replications; capacity is positive.
func newMemo(capacity int) *memo {
	cache := func(capacity int) *simplelru.LRU[any, any] {
		kept, err := simplelru.NewLRU[any, any](capacity, nil)
		if err != nil {
			panic(fmt.Sprintf("pipeline: memo of %d values: %v", capacity, err))
		}
		return kept
	}
	return &memo{kept: cache(capacity), common: cache(2 * capacity), pending: map[any]*pendingValue{}}
}

// cache returns the cache for the value of a key. The keys of model.Memo tell by a method Common
// whether it is one of all replications; other keys are of single replications.
func (m *memo) cache(key any) *simplelru.LRU[any, any] {
	if k, ok := key.(interface{ Common() bool }); ok && k.Common() {
		return m.common
	}
	return m.kept
}

// value returns the value of key, or what build returns. It waits for another builder of the key
// until ctx is done. build is called on the caller's goroutine.
func (m *memo) value(ctx context.Context, key any, build func(context.Context) (any, error)) (any, error) {
	for ctx.Err() == nil {
		m.mu.Lock()
		if value, ok := m.cache(key).Get(key); ok {
			m.mu.Unlock()
			return value, nil
		}
		other := m.pending[key]
		if other == nil || isClosed(other.builderEnded) {
			mine := &pendingValue{builderEnded: ctx.Done(), done: make(chan struct{})}
			m.pending[key] = mine
			m.mu.Unlock()
			return m.build(ctx, key, mine, build)
		}
		m.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-other.builderEnded: // this or another waiting worker builds the value
		case <-other.done:
			// The value comes from its builder, since a small memo may have dropped it already.
			if other.built {
				return other.value, nil
			}
		}
	}
	return nil, ctx.Err()
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// empty drops all values, so that their memory is free when no run uses them. A nil memo has none.
func (m *memo) empty() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept.Purge()
	m.common.Purge()
}

func (m *memo) build(
	ctx context.Context, key any, mine *pendingValue, build func(context.Context) (any, error),
) (value any, err error) {
	// Deferred, so that the others go on if build panics.
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if mine.built {
			m.cache(key).Add(key, mine.value)
		}
		if m.pending[key] == mine {
			delete(m.pending, key)
		}
		close(mine.done)
	}()
	value, err = build(ctx)
	if err != nil {
		return nil, err
	}
	mine.value, mine.built = value, true
	return value, nil
}
