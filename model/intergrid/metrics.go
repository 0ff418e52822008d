package intergrid

// Metrics: counts of requests and of used CPUs by Grid and day, after the warm-up.

import (
	"math"

	"gridsweep/model/metrics"
)

// tally counts a Grid's requests that were submitted after the warm-up and the use of its CPUs in
// the window.
type tally struct {
	requests, deadlines, served, rejected, waiting int64
	redirected, hosted                             int64 // requests

	// CPU·s of own requests, of those that run elsewhere and of others' that run here.
	units, away, foreign int64
	bothWays             int64   // CPU·s
	wait                 float64 // s, of own requests served

	ran, all      int64   // CPU·s within the window
	offered       float64 // CPU·s within the window
	cost          float64 // of the CPU·s offered
	earned, spent float64
	days          []dayTally
}

// dayTally is a day of a Grid.
type dayTally struct {
	units, away, foreign int64 // CPU·s of requests submitted on the day
	ran                  int64 // CPU·s within the day and the window
}

// window returns the part of [from, to) between the warm-up and the last arrival, the window of the
// metrics.
func (w *world) window(from, to int64) (int64, int64) {
	from, to = max(from, int64(w.p.Warmup)), min(to, w.last)
	return from, max(from, to)
}

// days returns how many days count, from the one in which the warm-up ends to that of the last
// arrival.
func (w *world) days() int64 { return max(0, w.last/day-int64(w.p.Warmup)/day+1) }

// tally counts the outcomes of all requests.
func (w *world) tally() {
	warmup := int64(w.p.Warmup)
	first := warmup / day
	for _, g := range w.gateways {
		g.tally.days = make([]dayTally, w.days())
		from, to := w.window(0, never)
		g.tally.offered, g.tally.cost = g.capacity.over(from, to)
		for i := range g.providers {
			g.tally.all += int64(g.providers[i].cpus) * (to - from)
		}
	}
	for _, g := range w.gateways {
		for i := range g.requests {
			r, f := &g.requests[i], &g.results[i]
			if f.by != nil {
				w.ran(f.by, r, f.slot.start)
			}
			if r.submit >= warmup {
				g.submitted(r, f, r.submit/day-first)
			}
		}
	}
	for _, g := range w.gateways {
		for _, d := range g.tally.days {
			g.tally.bothWays += min(d.away, d.foreign)
		}
	}
}

// ran adds the CPU·s of a request to the Grid that runs it, day by day.
func (w *world) ran(g *gateway, r *request, start int64) {
	first := int64(w.p.Warmup) / day
	from, to := w.window(start, start+r.run)
	for from < to {
		next := min(to, (from/day+1)*day)
		ran := int64(r.procs) * (next - from)
		g.tally.ran += ran
		g.tally.days[from/day-first].ran += ran
		from = next
	}
}

// submitted counts a request of the Grid that was submitted after the warm-up, on a day numbered
// from the first one of the window.
func (g *gateway) submitted(r *request, f *result, day int64) {
	t, units := &g.tally, r.units()
	t.requests++
	t.units += units
	t.days[day].units += units
	if r.deadline != never {
		t.deadlines++
	}
	switch {
	case f.rejected:
		t.rejected++
	case f.by == nil:
		t.waiting++
	default:
		t.served++
		t.wait += float64(f.slot.start - r.submit)
	}
	if f.by == nil || f.by == g {
		return
	}
	other, paid := &f.by.tally, float64(f.price*float64(units))
	t.redirected++
	t.away += units
	t.days[day].away += units
	t.spent += paid
	other.hosted++
	other.foreign += units
	other.days[day].foreign += units
	other.earned += paid
}

// priceMeans returns the means of a contract's prices over the updates that overlap the window and
// have finite prices.
func (w *world) priceMeans(c *contract) (priceMin, priceMax *float64) {
	from, to := w.window(0, never)
	if from == to {
		return nil, nil
	}
	first, last := from/int64(w.p.Update), (to-1)/int64(w.p.Update)
	var low, high float64
	priced := int64(0)
	for update := first; update <= last; update++ {
		if l, h := c.prices(update); !math.IsInf(h, 1) {
			low += l
			high += h
			priced++
		}
	}
	return metrics.Mean(low, priced), metrics.Mean(high, priced)
}
