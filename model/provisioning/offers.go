// Offers: the slots that a cluster offers beside its reservations (section 4).

package provisioning

import (
	"cmp"
	"math/bits"
	"slices"
)

// A freeInterval is a time in which a processor has no reservation, from 0 to the horizon.
type freeInterval struct {
	from, to  int64 // s
	processor int32 // from 0
}

// offers returns the slots of a site schedule and the processors that make up each of them,
// numbered from 0 and ascending (section 4). The horizon is the first multiple of a period after
// the last reservation. Reservations are in the order of submission, times are in s from now.
func offers(live []reservation, nodes int32, period int64, extension bool) (slots []slot, processors [][]int32) {
	horizon := period * (lastEnd(live)/period + 1)
	intervals := freeIntervals(live, nodes, horizon)
	slices.SortFunc(intervals, func(a, b freeInterval) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.processor, b.processor))
	})
	numbers := make([]int32, len(intervals))
	first := 0
	for i, f := range intervals {
		numbers[i] = f.processor
		if past := i + 1; past == len(intervals) || intervals[past].from != f.from || intervals[past].to != f.to {
			open := f.to == horizon
			slots = append(slots, slot{
				procs: int32(past - first), start: f.from, end: f.to, unit: 1, divisible: open, extensible: open && extension,
			})
			processors = append(processors, numbers[first:past:past])
			first = past
		}
	}
	return slots, processors
}

// freeIntervals returns the free intervals of all processors up to the horizon, which is after the
// last reservation. A reservation has the processors that it was booked with; else, in the order of
// (start, submission), it gets the lowest-numbered that are free from its start on.
func freeIntervals(live []reservation, nodes int32, horizon int64) []freeInterval {
	order := make([]int, len(live))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(live[a].start, live[b].start) })
	freeFrom := make([]int64, nodes)
	var intervals []freeInterval
	take := func(processor int32, from, to int64) {
		if from > freeFrom[processor] {
			intervals = append(intervals, freeInterval{from: freeFrom[processor], to: from, processor: processor})
		}
		freeFrom[processor] = to
	}
	for _, i := range order {
		r := &live[i]
		for w, word := range r.processors {
			for ; word != 0; word &= word - 1 {
				take(int32(w*64+bits.TrailingZeros64(word)), r.start, r.end)
			}
		}
		if r.processors == nil {
			left := r.procs
			for n := int32(0); left > 0; n++ { // the site has booked no more than it has
				if freeFrom[n] <= max(r.start, 0) {
					take(n, r.start, r.end)
					left--
				}
			}
		}
	}
	for n := range nodes {
		take(n, horizon, horizon)
	}
	return intervals
}
