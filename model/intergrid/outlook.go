package intergrid

import (
	"cmp"
	"slices"
	"sort"
)

// outlook is what the providers of a Grid offer together in time, and what it costs. Sums up to
// each second in which an offer changes lie ready, so that Equation 1 is two searches and two
// differences.
type outlook struct {
	changes []step
	near    int // the change that the last question began at: the next one begins there or a little later
}

// step is what is offered from a second on until that of the next change.
type step struct {
	at    int64
	cpus  int64   // CPUs on offer
	price float64 // of all of them for a second: the sum of their prices
	// The sums over [0, at).
	units float64 // CPU·s: whole numbers, which up to a far deadline are more than an int64 takes
	worth float64 // what these cost
}

// newOutlook adds up the offers of providers.
func newOutlook(providers []provider) outlook {
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
	o := outlook{changes: []step{{}}}
	for _, e := range edges {
		last := &o.changes[len(o.changes)-1]
		if e.at > last.at {
			o.changes = append(o.changes, last.until(e.at))
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
func (s *step) until(at int64) step {
	u := *s
	u.at = at
	u.units += float64(float64(s.cpus) * float64(at-s.at))
	u.worth += float64(s.price * float64(at-s.at))
	return u
}

// over returns the CPU·s offered in [from, to), and what they cost. A question that begins before
// the last one is slower.
func (o *outlook) over(from, to int64) (units, worth float64) {
	for o.near+1 < len(o.changes) && o.changes[o.near+1].at <= from {
		o.near++
	}
	if o.changes[o.near].at > from {
		o.near = o.before(from)
	}
	first := o.near
	last := first
	if last+1 < len(o.changes) && o.changes[last+1].at <= to {
		last = o.before(to)
	}
	begin, end := o.changes[first].until(from), o.changes[last].until(to)
	return end.units - begin.units, end.worth - begin.worth
}

// before returns the last change at or before a time.
func (o *outlook) before(at int64) int {
	return sort.Search(len(o.changes), func(i int) bool { return o.changes[i].at > at }) - 1
}
