// Holes: what has been freed in a plan since its bookings were tried, which bounds how far they can
// move.

package cluster

import (
	"math/bits"

	"gridsweep/model/profile"
)

// freedHoles finds earlier fits of jobs that are all booked in one profile. When a job is booked or
// tried, it fits at no earlier time. Where it fits earlier at the next compression, something has
// been freed in between: in a hole before its booking that is long enough, or in the seconds just
// before its booking, from which it can run on into that.
type freedHoles struct {
	plan      *profile.Profile
	queue     *queue
	sinceLast holes          // since the last compression began
	sinceThis holes          // since this compression began: what the next one needs; else unused
	few       int            // while so many jobs wait or fewer, a search of the plan is faster
	runs      []profile.Slot // scratch
}

func newFreedHoles(s *Site) *freedHoles {
	classes := sizeClass(s.config.Procs) + 1
	f := &freedHoles{plan: s.plan.sum, queue: &s.queue, few: 32}
	for _, h := range []*holes{&f.sinceLast, &f.sinceThis} {
		h.begin = make([][durationClasses]int64, classes)
		h.reset()
	}
	return f
}

// beginCompression comes before the jobs are tried, each once, and endCompression after.
func (f *freedHoles) beginCompression() { f.sinceThis.reset() }

func (f *freedHoles) endCompression() { f.sinceLast, f.sinceThis = f.sinceThis, f.sinceLast }

// add notes that processors have become free in [from, to).
func (f *freedHoles) add(from, to int64, procs int32) {
	if f.queue.size <= f.few {
		f.addAll()
		return
	}
	f.runs = f.plan.Opened(f.runs[:0], from, to, procs)
	f.sinceLast.add(f.runs, to)
	f.sinceThis.add(f.runs, to)
}

// addAll notes that anything may have become free.
func (f *freedHoles) addAll() { f.sinceLast.unknown, f.sinceThis.unknown = true, true }

// earlierFit returns the earliest fit of a booked job without its booking.
func (f *freedHoles) earlierFit(now int64, w *waiting) int64 {
	from := now
	if !f.sinceLast.unknown {
		from = max(now, f.sinceLast.earliest(w.procs, w.estimate))
		if from >= w.start-w.estimate { // in no hole would it end before its booking
			if w.start > f.sinceLast.end { // and nothing was freed just before it
				return w.start
			}
			return f.plan.FreeSince(w.procs, w.start)
		}
	}
	return f.plan.EarlierFit(from, w.procs, w.estimate, w.start)
}

// holes bound the holes that have been freed. Bookings into holes do not change the bounds.
type holes struct {
	// begin is, for each class of sizes and of durations, the earliest beginning, in s, of a hole
	// that the smallest job of both classes fits into. It does not fall from a class to the next.
	begin   [][durationClasses]int64
	end     int64 // of the last interval in which processors were freed, in s
	unknown bool  // there are others, anywhere
}

// durationClasses is the number of classes of durations: powers of two, the last without a bound.
const durationClasses = 24

func durationClass(duration int64) int {
	return min(bits.Len64(uint64(duration))-1, durationClasses-1)
}

func (h *holes) reset() {
	var none [durationClasses]int64
	for duration := range none {
		none[duration] = Never
	}
	for size := range h.begin {
		h.begin[size] = none
	}
	h.end, h.unknown = 0, false
}

// add adds the runs that were opened by freeing processors until a time.
func (h *holes) add(runs []profile.Slot, end int64) {
	h.end = max(h.end, end)
	for _, run := range runs {
		longest := durationClass(run.To - run.From)
		for size := sizeClass(run.Free); size >= 0 && h.begin[size][longest] > run.From; size-- {
			begin := &h.begin[size]
			for duration := longest; duration >= 0 && begin[duration] > run.From; duration-- {
				begin[duration] = run.From
			}
		}
	}
}

// earliest returns a lower bound of the beginnings of holes that a job fits into.
func (h *holes) earliest(procs int32, duration int64) int64 {
	return h.begin[sizeClass(procs)][durationClass(duration)]
}
