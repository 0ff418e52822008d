package pipeline

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// memo keeps the values that the simulations of a process share, least recently used out first. A
// value that one worker is building is not built by another, which waits for it; an error, a panic
// or a cancellation of the builder is its own alone: it is not kept, and whoever waited builds for
// itself. So does whoever waited for a builder whose context is over, even if that goes on
// building. It is safe for concurrent use.
type memo struct {
	mu       sync.Mutex
	kept     *simplelru.LRU[any, any]
	building map[any]*building
}

// building is a value on its way. built and value may be read once done is closed.
type building struct {
	over  <-chan struct{} // closed when the builder should have stopped: it may hang
	done  chan struct{}
	built bool
	value any
}

// newMemo returns a memo of at most the given number of values, which is positive.
func newMemo(capacity int) *memo {
	kept, err := simplelru.NewLRU[any, any](capacity, nil)
	if err != nil {
		panic(fmt.Sprintf("pipeline: memo of %d values: %v", capacity, err))
	}
	return &memo{kept: kept, building: map[any]*building{}}
}

// value returns what is kept under key, or what build returns. It waits for another builder of the
// key until ctx is done. The builder runs on the caller's goroutine, with the caller's context.
func (m *memo) value(ctx context.Context, key any, build func(context.Context) (any, error)) (any, error) {
	for ctx.Err() == nil {
		m.mu.Lock()
		if value, ok := m.kept.Get(key); ok {
			m.mu.Unlock()
			return value, nil
		}
		other := m.building[key]
		if other == nil || isClosed(other.over) {
			mine := &building{over: ctx.Done(), done: make(chan struct{})}
			m.building[key] = mine
			m.mu.Unlock()
			return m.build(ctx, key, mine, build)
		}
		m.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-other.over:
		case <-other.done:
			// The value is taken from its builder: a small memo may have dropped it already.
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

// empty drops all values, so that their memory is free once no run uses them. A nil memo has none.
func (m *memo) empty() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept.Purge()
}

func (m *memo) build(
	ctx context.Context, key any, mine *building, build func(context.Context) (any, error),
) (value any, err error) {
	// Deferred, so that a builder that panics lets the others go on too.
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if mine.built {
			m.kept.Add(key, mine.value)
		}
		if m.building[key] == mine {
			delete(m.building, key)
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
