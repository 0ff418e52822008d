// Metrics: counts of requests and of used CPUs by Grid and day, after the warm-up.

package intergrid

import (
	"math"

	"gridsweep/model/metrics"
)

// tally counts a Grid's requests that were submitted after the warm-up and the use of its CPUs in
// the window.
type tally struct {
	row GridRow // the counts of requests, and what was earned and spent
	// CPU·s of own requests, of those that run elsewhere, and of others' that run here
	units, redirectedUnits, hostedUnits int64
	bothWays                            int64   // CPU·s
	wait                                float64 // s, of own requests served

	ran           int64   // CPU·s that requests run here within the window
	all           int64   // CPU·s of all CPUs within the window
	offered, cost float64 // CPU·s offered within the window, and their cost
	days          []dayTally
}

// dayTally is a day of a Grid.
type dayTally struct {
	units, redirectedUnits, hostedUnits int64 // CPU·s of requests submitted on the day
	ran                                 int64 // CPU·s within the day and the window
}

// window returns what of [from, to) lies between the warm-up and the last arrival, the window of
// the metrics.
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
		g.tally.offered, g.tally.cost = g.capacity.offeredUnits(from, to)
		for i := range g.providers {
			g.tally.all += int64(g.providers[i].cpus) * (to - from)
		}
	}
	for _, g := range w.gateways {
		for i := range g.requests {
			r, result := &g.requests[i], &g.results[i]
			if result.by != nil {
				w.addRun(result.by, r, result.slot.start)
			}
			if r.submit >= warmup {
				g.addRequest(r, result, r.submit/day-first)
			}
		}
	}
	for _, g := range w.gateways {
		for _, d := range g.tally.days {
			g.tally.bothWays += min(d.redirectedUnits, d.hostedUnits)
		}
	}
}

// addRun adds the CPU·s of a request to the Grid that runs it, day by day.
func (w *world) addRun(g *gateway, r *request, start int64) {
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

// addRequest counts a request of the Grid that was submitted after the warm-up, on a day numbered
// from the first one of the window.
func (g *gateway) addRequest(r *request, result *result, day int64) {
	t, units := &g.tally, r.units()
	t.row.Requests++
	t.units += units
	t.days[day].units += units
	if r.deadline != never {
		t.row.DeadlineRequests++
	}
	switch {
	case result.rejected:
		t.row.Rejected++
	case result.by == nil:
		t.row.Waiting++
	default:
		t.row.Served++
		t.wait += float64(result.slot.start - r.submit)
	}
	if result.by == nil || result.by == g {
		return
	}
	host, paid := &result.by.tally, float64(result.price*float64(units))
	t.row.RedirectedJobs++
	t.redirectedUnits += units
	t.days[day].redirectedUnits += units
	t.row.Spent += paid
	host.row.HostedJobs++
	host.hostedUnits += units
	host.days[day].hostedUnits += units
	host.row.Earned += paid
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
