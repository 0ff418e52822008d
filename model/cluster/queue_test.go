// The queue is compared with a sorted slice on random insertions, removals and searches.

package cluster

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// check returns an error if the queue breaks its invariants.
func (q *queue) check() error {
	size := 0
	var last *waiting
	for at, b := range q.blocks {
		if len(b.jobs) == 0 || len(b.jobs) > blockSize {
			return fmt.Errorf("block %d has %d jobs", at, len(b.jobs))
		}
		size += len(b.jobs)
		for i := range b.jobs {
			w := &b.jobs[i]
			if last != nil && q.compare(last, w) >= 0 {
				return fmt.Errorf("%v stands before %v", *last, *w)
			}
			last = w
			if !q.summarised {
				continue
			}
			class := sizeClass(w.procs)
			shortest, g := int32(min(w.estimate, maxEstimate)), &q.groups[at/groupSize]
			if b.summary[class] > shortest || g.summary[class] > shortest {
				return fmt.Errorf("a summary hides %v", *w)
			}
		}
	}
	if size != q.size {
		return fmt.Errorf("%d jobs are counted as %d", size, q.size)
	}
	return nil
}

func drawWaiting(t *rapid.T, number int32) waiting {
	return waiting{
		number:   number,
		procs:    rapid.Int32Range(1, 40).Draw(t, "procs"),
		estimate: rapid.OneOf(rapid.Int64Range(1, 50), rapid.Int64Range(1<<30, 1<<33)).Draw(t, "estimate"),
		score:    float64(rapid.IntRange(0, 3).Draw(t, "score")),
	}
}

// The queue does what a sorted slice does, also over many blocks and groups.
func TestQueueIsASortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := queue{summarised: rapid.Bool().Draw(t, "summarised"), byEstimate: rapid.Bool().Draw(t, "by estimate")}
		var naive []waiting
		number := int32(0)
		insert := func() {
			w := drawWaiting(t, number)
			number++
			q.insert(w)
			at, _ := slices.BinarySearchFunc(naive, w, func(a, b waiting) int { return q.compare(&a, &b) })
			naive = slices.Insert(naive, at, w)
		}
		for range rapid.IntRange(0, 5000).Draw(t, "jobs") {
			w := waiting{number: number, procs: 1 + number*7%39, estimate: int64(1 + number*13%997), score: float64(number % 5)}
			number++
			q.insert(w)
			at, _ := slices.BinarySearchFunc(naive, w, func(a, b waiting) int { return q.compare(&a, &b) })
			naive = slices.Insert(naive, at, w)
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				insert()
			case 1: // a run of removals empties blocks
				for range min(len(naive), rapid.IntRange(1, 300).Draw(t, "removals")) {
					at := rapid.IntRange(0, len(naive)-1).Draw(t, "removed")
					c := q.remove(q.find(&naive[at]))
					naive = slices.Delete(naive, at, at+1)
					if next := q.at(c); next == nil != (at == len(naive)) || next != nil && *next != naive[at] {
						t.Fatalf("after removal %d comes %v", at, next)
					}
				}
			case 2:
				if !q.summarised {
					continue
				}
				limits := limits{{rapid.Int64Range(1, 1<<33).Draw(t, "estimate"), rapid.Int32Range(0, 40).Draw(t, "procs")}}
				limits = append(limits, limit{1 << 62, rapid.Int32Range(0, limits[0].procs).Draw(t, "rest")})
				from := rapid.IntRange(0, len(naive)).Draw(t, "from")
				c := cursor{len(q.blocks), 0}
				if from < len(naive) {
					c = q.find(&naive[from])
				}
				want := slices.IndexFunc(naive[from:], func(w waiting) bool { return w.within(limits) })
				got := q.at(q.nextWithin(c, limits))
				if got == nil != (want < 0) || got != nil && *got != naive[from+want] {
					t.Fatalf("within %v from %d: %v, want place %d", limits, from, got, want)
				}
			case 3:
				score := func(number int32) float64 { return float64((number*31 + int32(len(naive))) % 11) }
				q.sort(score)
				for i := range naive {
					naive[i].score = score(naive[i].number)
				}
				slices.SortFunc(naive, func(a, b waiting) int { return q.compare(&a, &b) })
			}
			if err := q.check(); err != nil {
				t.Fatal(err)
			}
			var all []waiting
			for c := q.first(); q.at(c) != nil; c = q.after(c) {
				all = append(all, *q.at(c))
			}
			if !slices.Equal(all, naive) {
				t.Fatalf("the queue is %v, want %v", all, naive)
			}
		}
	})
}
