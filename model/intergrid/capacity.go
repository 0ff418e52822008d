// Capacity: the CPU·s that a Grid's providers offer up to a time, and their cost, for Equation 1.

package intergrid

import (
	"cmp"
	"slices"
)

// capacity is what the providers of a Grid offer together over time, and its cost. It has the sums
// up to each change of supply, so that Equation 1 takes two searches and two differences.
type capacity struct {
	steps []step
	// the step in which the last query began; the next query begins there or a little later
	near int
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

// newCapacity returns the sum of the supply of providers.
func newCapacity(providers []provider) capacity {
	type edge struct {
		at    int64
		cpus  int64
		price float64
	}
	var edges []edge
	for i := range providers {
		v := &providers[i]
		from, cpus, price := int64(0), int64(0), 0.0
		for _, interval := range v.supply {
			next := float64(float64(interval.cpus) * v.price(interval))
			edges = append(edges, edge{from, int64(interval.cpus) - cpus, next - price})
			from, cpus, price = interval.until, int64(interval.cpus), next
		}
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	steps := []step{{}}
	for _, e := range edges {
		last := &steps[len(steps)-1]
		if e.at > last.at {
			units, cost := last.until(e.at)
			steps = append(steps, step{at: e.at, cpus: last.cpus, price: last.price, units: units, cost: cost})
			last = &steps[len(steps)-1]
		}
		last.cpus += e.cpus
		last.price += e.price
	}
	return capacity{steps: steps}
}

// price returns what a CPU·s of an interval costs.
func (p *provider) price(interval supplyInterval) float64 { return p.cost * (1 + interval.load) }

// until returns the sums over [0, at) for a time within the step.
func (s *step) until(at int64) (units, cost float64) {
	return s.units + float64(float64(s.cpus)*float64(at-s.at)), s.cost + float64(s.price*float64(at-s.at))
}

// offeredUnits returns the CPU·s offered in [from, to), and what they cost. A query that begins
// before the last one is slower.
func (c *capacity) offeredUnits(from, to int64) (units, cost float64) {
	for c.near+1 < len(c.steps) && c.steps[c.near+1].at <= from {
		c.near++
	}
	if c.steps[c.near].at > from {
		c.near = c.last(0, from)
	}
	unitsBefore, costBefore := c.steps[c.near].until(from)
	units, cost = c.steps[c.last(c.near, to)].until(to)
	return units - unitsBefore, cost - costBefore
}

// last returns the last step that begins at a time or before, one from first on. It is mostly near,
// so the stride is doubled before it is halved.
func (c *capacity) last(first int, at int64) int {
	stride := 1
	for ; first+stride < len(c.steps) && c.steps[first+stride].at <= at; stride *= 2 {
		first += stride
	}
	for ; stride > 0; stride /= 2 {
		if first+stride < len(c.steps) && c.steps[first+stride].at <= at {
			first += stride
		}
	}
	return first
}
