// Queue tests: drawn operations against a sorted list, errors and panics, no allocations, and a
// benchmark.

package des_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gridsweep/model/des"
	"gridsweep/model/rng"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// pushed is an event with its time, class and sequence.
type pushed struct {
	Time            int64
	Class, Sequence int
}

func compare(a, b pushed) int {
	return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Sequence, b.Sequence))
}

// TestQueueAgreesWithSorting compares the queue with a list that is sorted after each push.
func TestQueueAgreesWithSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var queue des.Queue[pushed]
		var list []pushed
		sequence := 0
		now := int64(0)
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				for range rapid.IntRange(1, 20).Draw(t, "events") {
					event := pushed{now + rapid.Int64Range(0, 5).Draw(t, "after"), rapid.IntRange(0, 3).Draw(t, "class"), sequence}
					sequence++
					queue.Push(event.Time, event.Class, event)
					list = append(list, event)
				}
				slices.SortFunc(list, compare)
			},
			"next": func(t *rapid.T) {
				for range rapid.IntRange(1, 20).Draw(t, "events") {
					time, class, peeked, some := queue.Peek()
					first := queue.Time()
					event, ok := queue.Next()
					if some != (len(list) > 0) || ok != some || some != (first < des.Never) {
						t.Fatalf("Peek says %t, Next %t and Time %d with %d events", some, ok, first, len(list))
					}
					if !ok {
						break
					}
					now = list[0].Time
					if event != list[0] || peeked != event || first != event.Time || time != first ||
						class != event.Class || queue.Now() != now {
						t.Fatalf("at %d: Next is %v, Peek %v at %d of class %d; want %v",
							queue.Now(), event, peeked, time, class, list[0])
					}
					list = list[1:]
				}
			},
			"reset": func(t *rapid.T) {
				if rapid.IntRange(0, 9).Draw(t, "often") == 0 {
					queue.Reset()
					list, now = nil, 0
				}
			},
			"": func(t *rapid.T) {
				if queue.Len() != len(list) || queue.Now() != now {
					t.Fatalf("%d events at %d, want %d at %d", queue.Len(), queue.Now(), len(list), now)
				}
			},
		})
	})
}

// A single server: events push further events, of their own second too.
func ExampleQueue() {
	const (
		ends = iota
		arrivals
	)
	var queue des.Queue[string]
	queue.Push(5, arrivals, "b arrives")
	queue.Push(0, arrivals, "a arrives")
	for event, ok := queue.Next(); ok; event, ok = queue.Next() {
		fmt.Println(queue.Now(), event)
		if name, arrived := strings.CutSuffix(event, " arrives"); arrived {
			queue.Push(queue.Now()+5, ends, name+" ends")
		}
	}
	// Output:
	// 0 a arrives
	// 5 a ends
	// 5 b arrives
	// 10 b ends
}

func TestPushPanics(t *testing.T) {
	for name, push := range map[string]func(*des.Queue[int]){
		"des: an event at 4 is pushed at 5": func(q *des.Queue[int]) { q.Push(4, 0, 0) },
		"des: class -1 is not in [0, 256)":  func(q *des.Queue[int]) { q.Push(5, -1, 0) },
		"des: class 256 is not in [0, 256)": func(q *des.Queue[int]) { q.Push(5, 256, 0) },
	} {
		var queue des.Queue[int]
		queue.Push(5, 255, 0)
		queue.Next()
		func() {
			defer func() {
				if diff := gocmp.Diff(any(name), recover()); diff != "" {
					t.Error(diff)
				}
			}()
			push(&queue)
		}()
	}
}

func TestQueueAllocatesNothing(t *testing.T) {
	var queue des.Queue[pushed]
	work := func() {
		queue.Reset()
		for i := range int64(100) {
			queue.Push(i*7%13, 0, pushed{})
		}
		for queue.Len() > 0 {
			queue.Next()
		}
	}
	work()
	if n := testing.AllocsPerRun(10, work); n > 0 {
		t.Errorf("%.0f allocations", n)
	}
}

// BenchmarkQueue takes the next event out and pushes another one some time later, with so many
// events to come.
func BenchmarkQueue(b *testing.B) {
	for _, events := range []int{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprint(events), func(b *testing.B) {
			r := rng.New("benchmark").Stream("times")
			var queue des.Queue[int32]
			for i := range events {
				queue.Push(int64(r.Intn(events)), 0, int32(i))
			}
			later := make([]int64, 1<<16)
			for i := range later {
				later[i] = int64(r.Intn(events))
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				event, _ := queue.Next()
				queue.Push(queue.Now()+later[i&(len(later)-1)], 0, event)
			}
		})
	}
}

// Until yields the same events as a scan of all.
func TestUntil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q des.Queue[int]
		times := rapid.SliceOf(rapid.Int64Range(0, 20)).Draw(t, "times")
		for i, time := range times {
			q.Push(time, rapid.IntRange(0, 3).Draw(t, "class"), i)
		}
		until := rapid.Int64Range(0, 20).Draw(t, "until")
		want := map[int]int64{}
		for i, time := range times {
			if time <= until {
				want[i] = time
			}
		}
		have := map[int]int64{}
		for time, i := range q.Until(until) {
			if _, twice := have[i]; twice {
				t.Fatalf("event %d comes twice", i)
			}
			have[i] = time
		}
		if diff := gocmp.Diff(want, have); diff != "" {
			t.Fatalf("events until %d (-want +have):\n%s", until, diff)
		}
		for range q.Until(20) { // stops with the loop
			break
		}
	})
}
