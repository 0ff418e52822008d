package intergrid

// Capacity: the CPU·s that a Grid's providers offer up to a time, and their cost, for Equation 1.

import (
	"cmp"
	"slices"
)

// capacity is what the providers of a Grid offer together over time, and its cost. It has the sums
// up to each change of an offer, so that Equation 1 takes two searches and two differences.
type capacity struct {
	changes []step
	near    int // the change at which the last query began; the next query begins there or a little later
}

// step is what is offered from a second on until the next change.
type step struct {
	at    int64
	cpus  int64   // CPUs on offer
	price float64 // of all of them for a second: the sum of their prices
	// The sums over [0, at).
	units float64 // CPU·s: whole numbers, which up to a far deadline are more than an int64 takes
	cost  float64 // their cost
}

// newCapacity returns the sum of the offers of providers.
func newCapacity(providers []provider) capacity {
	type edge struct {
		at    int64
		cpus  int64
		price float64
	}
	var edges []edge
	for i := range providers {
		p := &providers[i]
		from, cpus, price := int64(0), int64(0), 0.0
		for _, o := range p.offers {
			more := float64(float64(o.cpus) * p.price(o))
			edges = append(edges, edge{from, int64(o.cpus) - cpus, more - price})
			from, cpus, price = o.until, int64(o.cpus), more
		}
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	o := capacity{changes: []step{{}}}
	for _, e := range edges {
		last := &o.changes[len(o.changes)-1]
		if e.at > last.at {
			units, cost := last.until(e.at)
			o.changes = append(o.changes, step{at: e.at, cpus: last.cpus, price: last.price, units: units, cost: cost})
			last = &o.changes[len(o.changes)-1]
		}
		last.cpus += e.cpus
		last.price += e.price
	}
	return o
}

// price returns what a CPU·s of an offer costs.
func (p *provider) price(o offer) float64 { return p.cost * (1 + o.load) }

// until returns the sums over [0, at) for a time before the next change.
func (s *step) until(at int64) (units, cost float64) {
	return s.units + float64(float64(s.cpus)*float64(at-s.at)), s.cost + float64(s.price*float64(at-s.at))
}

// over returns the CPU·s offered in [from, to), and what they cost. A query that begins before the
// last one is slower.
func (o *capacity) over(from, to int64) (units, cost float64) {
	for o.near+1 < len(o.changes) && o.changes[o.near+1].at <= from {
		o.near++
	}
	if o.changes[o.near].at > from {
		o.near = o.last(0, from)
	}
	unitsBefore, costBefore := o.changes[o.near].until(from)
	units, cost = o.changes[o.last(o.near, to)].until(to)
	return units - unitsBefore, cost - costBefore
}

// last returns the last change at or before a time, one from first on. It is mostly near.
func (o *capacity) last(first int, at int64) int {
	stride := 1
	for ; first+stride < len(o.changes) && o.changes[first+stride].at <= at; stride *= 2 {
		first += stride
	}
	for ; stride > 0; stride /= 2 {
		if first+stride < len(o.changes) && o.changes[first+stride].at <= at {
			first += stride
		}
	}
	return first
}
