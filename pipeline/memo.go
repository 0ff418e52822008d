// The memo of a process, in which one worker builds a value that many need.

package pipeline

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// memo is a least-recently-used cache of the values that the simulations of a process share. While
// one worker builds a value, others that need it wait. If the builder returns an error, panics or
// is cancelled, one of these builds the value. The memo is safe for concurrent use.
type memo struct {
	mu     sync.Mutex
	single *simplelru.LRU[any, any] // values of single replications
	// values of all replications, such as a log; apart, so that the many values of single
	// replications do not displace them
	common  *simplelru.LRU[any, any]
	pending map[any]*pendingValue
}

// pendingValue is a value that is being built. built and value may be read after done is closed.
type pendingValue struct {
	builderCtx context.Context // context of the builder, which may hang after its end
	done       chan struct{}   // closed when the builder has returned or panicked
	built      bool            // whether the builder has returned a value
	value      any
}

// newMemo returns a memo of at most capacity values of single replications, and twice as many of
// all replications; capacity is positive.
func newMemo(capacity int) *memo {
	newCache := func(capacity int) *simplelru.LRU[any, any] {
		cache, err := simplelru.NewLRU[any, any](capacity, nil)
		if err != nil {
			panic(fmt.Sprintf("pipeline: memo of %d values: %v", capacity, err))
		}
		return cache
	}
	return &memo{single: newCache(capacity), common: newCache(2 * capacity), pending: map[any]*pendingValue{}}
}

// cache returns the cache for the value of a key. The keys of model.Memo tell by a method Common
// whether it is one of all replications; other keys are of single replications.
func (m *memo) cache(key any) *simplelru.LRU[any, any] {
	if k, ok := key.(interface{ Common() bool }); ok && k.Common() {
		return m.common
	}
	return m.single
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
		if other == nil || other.builderCtx.Err() != nil {
			mine := &pendingValue{builderCtx: ctx, done: make(chan struct{})}
			m.pending[key] = mine
			m.mu.Unlock()
			return m.build(key, mine, build)
		}
		m.mu.Unlock()
		if value, built := other.wait(ctx); built { // the cache may have dropped it already
			return value, nil
		}
	}
	return nil, ctx.Err()
}

// wait returns the value when it is built. If its builder fails, or its builder's context or ctx
// ends, it returns false.
func (p *pendingValue) wait(ctx context.Context) (value any, built bool) {
	select {
	case <-p.done:
		return p.value, p.built
	case <-p.builderCtx.Done():
		return nil, false
	case <-ctx.Done():
		return nil, false
	}
}

// build builds the value that is pending as mine, and adds it to the cache.
func (m *memo) build(key any, mine *pendingValue, build func(context.Context) (any, error)) (value any, err error) {
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
	value, err = build(mine.builderCtx)
	if err != nil {
		return nil, err
	}
	mine.value, mine.built = value, true
	return value, nil
}

// empty drops all values, so that their memory is free when no run uses them. A nil memo has none.
func (m *memo) empty() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.single.Purge()
	m.common.Purge()
}
