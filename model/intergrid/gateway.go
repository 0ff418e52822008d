// Gateway: a Grid's bookings and free slots, and the quotes for requests.

package intergrid

import (
	"math"
	"sort"

	"gridsweep/model/profile"
)

// gateway is a Grid's gateway: the bookings and free slots of its providers, and its queue.
type gateway struct {
	*grid
	p         *Parameters
	providers []knownProvider // in place of those of grid
	booked    ledger
	capacity  capacity
	version   int // rises with seconds and bookings: a quote is valid in one version
	// CPUs of the largest provider on which some became available; see queueStranded
	freed int32

	arrived  int       // how many of its requests have arrived
	queue    []*queued // of those, in the order of their arrival
	spare    []*queued // of requests that have left the queue; see newQueued
	stranded stranded  // not in the queue
	results  []result  // of its requests

	contracts []*contract // as a buyer, in the order in which it deals with them
	updated   int64       // number of the last update of the contracts, -1 before the first
	offers    []*contract // as a seller, those under which it was sent an offer
	refusals  []refusal

	tally tally
}

// knownProvider is a provider as its gateway knows it.
type knownProvider struct {
	*provider
	free    *profile.Profile
	current int // under slots current, the index of the present interval of its supply
}

// slot is where and when a request may run; provider -1 is none.
type slot struct {
	provider int
	start    int64
}

// newGateway returns the gateway of a Grid at second 0, with nothing booked.
func newGateway(own *grid, p *Parameters) *gateway {
	g := &gateway{
		grid: own, p: p, capacity: newCapacity(own.providers), results: make([]result, len(own.requests)),
		updated: -1,
	}
	for i := range own.providers {
		v := knownProvider{provider: &own.providers[i], free: profile.New(own.providers[i].cpus)}
		from := int64(0)
		for k, interval := range v.supply {
			known := interval.cpus
			if k > 0 && p.Slots == "current" {
				known = 0
			}
			if known != v.cpus {
				v.free.Add(from, interval.until, known-v.cpus)
			}
			from = interval.until
		}
		g.providers = append(g.providers, v)
	}
	return g
}

// advance moves the gateway's information to a second: what is over is dropped, and under slots
// current the intervals that have begun since become known.
func (g *gateway) advance(now int64) {
	g.version++
	g.booked.advance(now)
	if g.p.Slots == "all" {
		return
	}
	for i := range g.providers {
		v := &g.providers[i]
		for v.supply[v.current].until <= now {
			from := v.supply[v.current].until
			v.current++
			if interval := v.supply[v.current]; interval.cpus > 0 {
				v.free.Add(from, interval.until, interval.cpus)
				g.freed = max(g.freed, v.cpus)
			}
		}
	}
}

// earliest returns the earliest slot of a request from a second on. Mostly one begins then, so all
// providers are tried for that before any is searched for a later slot.
func (g *gateway) earliest(r *request, from int64) slot {
	for i := range g.providers {
		v := &g.providers[i]
		if r.procs > v.cpus {
			continue
		}
		v.free.Advance(g.booked.now) // here, so that providers without a search cost nothing
		if v.free.Fits(from, r.procs, r.run) {
			return slot{i, from}
		}
	}
	best := slot{-1, never}
	for i := range g.providers {
		v := &g.providers[i]
		if r.procs > v.cpus {
			continue
		}
		if start := v.free.EarliestFit(from, r.procs, r.run); start < best.start {
			best = slot{i, start}
		}
	}
	return best
}

// inTime reports whether a request that gets a slot ends by its deadline, if it has one.
func (at slot) inTime(r *request) bool {
	return at.provider >= 0 && (r.deadline == never || at.start+r.run <= r.deadline)
}

// book gives a request a slot.
func (g *gateway) book(r *request, at slot) {
	g.version++
	g.providers[at.provider].free.Reserve(at.start, r.procs, r.run)
	g.booked.add(at.start, at.start+r.run, int64(r.procs))
}

// unbook cancels a booking.
func (g *gateway) unbook(r *request, at slot) {
	g.version++
	v := &g.providers[at.provider]
	v.free.Release(at.start, r.procs, r.run)
	g.freed = max(g.freed, v.cpus)
	g.booked.add(at.start, at.start+r.run, -int64(r.procs))
}

// quote is what a request costs a Grid, and the slot that it would get.
type quote struct {
	unit     float64 // unit cost; infinite if the Grid cannot serve the request
	load     float64 // with the request; infinite as the unit cost
	slot     slot    // valid if searched
	searched bool    // the slot was searched for
}

// quote returns what a request costs at a second, with slots from `from` on, as
// docs/explanation/papers/intergrid.md has it. No slot is searched for a request with a deadline
// that costs more than the limit, so that its unit cost may be finite although it has no slot in
// time.
func (g *gateway) quote(r *request, now, from int64, limit float64) quote {
	var q quote
	h := r.deadline
	if h == never {
		h, q.slot, q.searched = g.horizonWithSlot(r, now, from)
	}
	q.unit, q.load = g.cost(r, now, h)
	if r.deadline != never && q.unit <= limit {
		if q.slot, q.searched = g.earliest(r, from), true; !q.slot.inTime(r) {
			q.unit, q.load = math.Inf(1), math.Inf(1)
		}
	}
	return q
}

// cost returns the unit cost of a request and the load with it, of the period [now, h).
func (g *gateway) cost(r *request, now, h int64) (unit, load float64) {
	if h <= now {
		return math.Inf(1), math.Inf(1)
	}
	offered, cost := g.offeredUnits(now, h)
	if offered == 0 {
		return math.Inf(1), math.Inf(1)
	}
	booked, added := float64(g.booked.until(h))/offered, float64(r.units())/offered
	return unitCost(g.p.Beta, cost/offered, booked, added), booked + added
}

// horizonWithSlot returns the end of the period whose load makes the unit cost of a best-effort
// request; -1 if it has no slot. It searches for a slot only where the horizon depends on one, and
// returns that slot.
func (g *gateway) horizonWithSlot(r *request, now, from int64) (h int64, at slot, searched bool) {
	if g.p.Horizon == "latest" {
		latest, holds := now, false
		for i := range g.providers {
			if v := &g.providers[i]; v.dedicated && r.procs <= v.cpus {
				latest, holds = max(latest, v.free.LastStep()), true
			}
		}
		if holds {
			return latest + r.run, slot{}, false
		}
	}
	if at = g.earliest(r, from); at.provider < 0 {
		return -1, at, true
	}
	return at.start + r.run, at, true
}

// canServe reports whether the Grid has a slot for a best-effort request, now or later: whether its
// unit cost is finite.
func (g *gateway) canServe(r *request, now int64) bool {
	h, _, _ := g.horizonWithSlot(r, now, now)
	return h >= 0
}

// offeredUnits returns the CPU·s offered in [now, h) by the gateway's information, and their cost.
func (g *gateway) offeredUnits(now, h int64) (units, cost float64) {
	if g.p.Slots == "all" {
		return g.capacity.offeredUnits(now, h)
	}
	for i := range g.providers {
		v := &g.providers[i]
		interval := v.supply[sort.Search(len(v.supply), func(k int) bool { return v.supply[k].until > now })]
		known := float64(float64(interval.cpus) * float64(min(h, interval.until)-now))
		units += known
		cost += float64(known * v.price(interval))
	}
	return units, cost
}

// result is the outcome of a request.
type result struct {
	by       *gateway // that runs it; nil if none does
	slot     slot
	price    float64 // paid for a unit, of one that was redirected
	rejected bool
}
