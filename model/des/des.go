// Package des is the event queue of a simulation: a clock in whole seconds and the events to come.
// Events come in the order of (time, class, sequence), so that ties are broken explicitly. The
// class orders the events of one second, such as ends before submits; of equal class, what was
// pushed first comes first. So a simulation is the same in every run and on every machine.
//
// Events are kept by value; small ones, such as the number of a job, are the fastest. A cancelled
// event stays in the queue. Its handler must recognise it, for example by a start of the job that
// has changed since.
package des

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
)

// classes is how many classes there are. A class and a sequence number share one word of an item:
// 2^56 events suffice.
const classes = 256

// Queue is a clock and the events to come, a heap of four children a node: half as deep as a binary
// one, and the children lie side by side. Its zero value is empty, at time 0. In steady state it
// allocates nothing.
type Queue[E any] struct {
	now      int64
	sequence uint64 // of the next push
	heap     []item[E]
}

type item[E any] struct {
	time  int64
	order uint64 // class and sequence
	event E
}

// earlier returns 1 if an item comes before another one, else 0. The answer is hard to predict in a
// heap, so the comparison does not branch: no time is negative, so the two words are compared as
// one number, by the borrow of their subtraction.
func (a *item[E]) earlier(b *item[E]) uint64 {
	_, borrow := bits.Sub64(a.order, b.order, 0)
	_, borrow = bits.Sub64(uint64(a.time), uint64(b.time), borrow)
	return borrow
}

// Now returns the time of the last event that Next returned, in s; 0 before the first.
func (q *Queue[E]) Now() int64 { return q.now }

// Len returns the number of events to come.
func (q *Queue[E]) Len() int { return len(q.heap) }

// Reset empties the queue and sets its clock to 0. It keeps the memory.
func (q *Queue[E]) Reset() {
	clear(q.heap) // what the events point to
	q.now, q.sequence, q.heap = 0, 0, q.heap[:0]
}

// Push adds an event at a time in s, which may be now, with a class in [0, 256). It panics if the
// time is before now.
func (q *Queue[E]) Push(time int64, class int, event E) {
	if time < q.now {
		panic(fmt.Sprintf("des: an event at %d is pushed at %d", time, q.now))
	}
	if class < 0 || class >= classes {
		panic(fmt.Sprintf("des: class %d is not in [0, %d)", class, classes))
	}
	added := item[E]{time, uint64(class)<<56 | q.sequence, event}
	q.sequence++
	q.heap = append(q.heap, added)
	i := len(q.heap) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if added.earlier(&q.heap[parent]) == 0 {
			break
		}
		q.heap[i] = q.heap[parent]
		i = parent
	}
	q.heap[i] = added
}

// Never is the time of the next event where there is none.
const Never int64 = math.MaxInt64

// Time returns the time of the next event, or Never.
func (q *Queue[E]) Time() int64 {
	if len(q.heap) == 0 {
		return Never
	}
	return q.heap[0].time
}

// Peek returns the next event with its time and class, and false if there is none. It leaves the
// event and the clock.
func (q *Queue[E]) Peek() (time int64, class int, event E, ok bool) {
	if len(q.heap) == 0 {
		return 0, 0, event, false
	}
	first := &q.heap[0]
	return first.time, int(first.order >> 56), first.event, true
}

// Next takes the next event out and sets the clock to its time. It returns false if there is none.
func (q *Queue[E]) Next() (event E, ok bool) {
	if len(q.heap) == 0 {
		return event, false
	}
	q.now = q.heap[0].time
	event = q.heap[0].event
	q.Drop()
	return event, true
}

// Until yields the events up to a time, that second included, with their times but in no order.
// Beside the first event it looks at no more than four for each that it yields. The queue must not
// change meanwhile.
func (q *Queue[E]) Until(time int64) iter.Seq2[int64, E] {
	return func(yield func(int64, E) bool) { q.until(0, time, yield) }
}

// until yields the events up to a time in the subtree of heap index i, and reports whether to
// continue.
func (q *Queue[E]) until(i int, time int64, yield func(int64, E) bool) bool {
	if i >= len(q.heap) || q.heap[i].time > time {
		return true
	}
	if !yield(q.heap[i].time, q.heap[i].event) {
		return false
	}
	for child := 4*i + 1; child <= 4*i+4; child++ {
		if !q.until(child, time, yield) {
			return false
		}
	}
	return true
}

// Drop takes out the next event, of which there must be one, and leaves the clock: for events that
// Peek shows to be out of date.
func (q *Queue[E]) Drop() {
	last := len(q.heap) - 1
	moved := q.heap[last]
	q.heap[last] = item[E]{} // what the event points to
	q.heap = q.heap[:last]
	if last > 0 {
		q.sink(moved)
	}
}

// sink puts an item into the heap whose root was taken out.
func (q *Queue[E]) sink(moved item[E]) {
	heap, i := q.heap, 0
	for {
		child := 4*i + 1
		if child >= len(heap) {
			break
		}
		least := child
		if child+4 <= len(heap) {
			four := (*[4]item[E])(heap[child:])
			// The earlier one of each pair, then of these two, without a branch. & 3 spares the
			// bounds check.
			first, second := four[1].earlier(&four[0]), 2+four[3].earlier(&four[2])
			least += int(first + (second-first)*four[second&3].earlier(&four[first&3]))
		} else {
			for c := child + 1; c < len(heap); c++ {
				if heap[c].earlier(&heap[least]) == 1 {
					least = c
				}
			}
		}
		if heap[least].earlier(&moved) == 0 {
			break
		}
		heap[i] = heap[least]
		i = least
	}
	heap[i] = moved
}
