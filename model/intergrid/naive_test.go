// Naive simulator: the state of Grids as lists of bookings, and searches through all of them.

package intergrid

import (
	"math"
	"slices"
)

// naive is a second implementation of the study, from docs/explanation/papers/intergrid.md alone,
// with lists of bookings and intervals that every computation scans. It shares only the parameters,
// the Grids and the types of rows with the simulator.
type naive struct {
	p        Parameters
	grids    []*naiveGrid
	last     int64 // arrival
	messages []naiveMessage
	offers   []*naiveOffer // all that were sent, with their answers

	// Under the negotiation tick: what was sent in the last instant.
	offered, answered, replied []*naiveOffer

	met       map[string]int // how often each branch was taken
	ambiguous bool           // a comparison of two numbers depended on rounding
	endless   bool           // the negotiation does not end
}

type naiveGrid struct {
	name      string
	providers []provider
	requests  []*naiveRequest
	dropped   int64
	queue     []*naiveRequest // in the order of arrival, with those that are being negotiated
	bookings  []*naiveBooking // of own and others' requests, tickets included
}

type naiveRequest struct {
	request
	home        *naiveGrid
	number      int // from 1
	booking     *naiveBooking
	redirected  bool
	price       float64 // of a unit, if redirected
	rejected    bool
	negotiating bool
	considered  map[*naiveGrid]bool // sellers whose contract was tried for it
}

type naiveBooking struct {
	at         *naiveGrid
	provider   int
	start, end int64
	procs      int64
}

type naiveMessage struct {
	name string
	sent int64
}

func newNaive(p Parameters, grids []grid) *naive {
	n := &naive{p: p, last: -1, met: map[string]int{}}
	for _, g := range grids {
		home := &naiveGrid{name: g.name, providers: g.providers, dropped: g.dropped}
		for i, r := range g.requests {
			home.requests = append(home.requests, &naiveRequest{request: r, home: home, number: i + 1,
				considered: map[*naiveGrid]bool{}})
			n.last = max(n.last, r.submit)
		}
		n.grids = append(n.grids, home)
	}
	return n
}

// interval returns the number of the provider's interval that holds at second t.
func (p provider) interval(t int64) int {
	for i, interval := range p.supply {
		if t < interval.until {
			return i
		}
	}
	return len(p.supply) - 1 // the last is for ever
}

// known returns the CPUs that a provider offers at second t as its gateway knows it at second now.
func (n *naive) known(v provider, now, t int64) int64 {
	if n.p.Slots == "current" && !v.dedicated && v.interval(t) != v.interval(now) {
		n.met["unknown slots"]++
		return 0
	}
	return int64(v.supply[v.interval(t)].cpus)
}

// booked returns the CPUs of a provider that are booked at second t.
func (g *naiveGrid) booked(v int, t int64) int64 {
	var procs int64
	for _, b := range g.bookings {
		if b.provider == v && b.start <= t && t < b.end {
			procs += b.procs
		}
	}
	return procs
}

// unitPrice is cp(t). The load in it, by the parameter price_load, is in the interval.
func (p provider) unitPrice(t int64) float64 {
	return p.cost * (1 + p.supply[p.interval(t)].load)
}

// cuts returns from, to, and the seconds between them in which an interval or a booking of the Grid
// begins or ends.
func (g *naiveGrid) cuts(from, to int64) []int64 {
	cuts := []int64{from, to}
	add := func(t int64) {
		if from < t && t < to {
			cuts = append(cuts, t)
		}
	}
	for _, v := range g.providers {
		for _, interval := range v.supply {
			add(interval.until)
		}
	}
	for _, b := range g.bookings {
		add(b.start)
		add(b.end)
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}

// integral returns the integral over [from, to) of f summed over the Grid's providers. f may change
// at cuts only.
func (g *naiveGrid) integral(from, to int64, f func(v int, t int64) float64) float64 {
	if from >= to {
		return 0
	}
	total, cuts := 0.0, g.cuts(from, to)
	for i := range len(cuts) - 1 {
		for v := range g.providers {
			total += f(v, cuts[i]) * float64(cuts[i+1]-cuts[i])
		}
	}
	return total
}

// offeredUnits returns the CPU·s O offered in [from, to), as it is known at second now, and the
// price p of Equation 1.
func (n *naive) offeredUnits(g *naiveGrid, now, from, to int64) (o, p float64) {
	o = g.integral(from, to, func(v int, t int64) float64 { return float64(n.known(g.providers[v], now, t)) })
	paid := g.integral(from, to, func(v int, t int64) float64 {
		return g.providers[v].unitPrice(t) * float64(n.known(g.providers[v], now, t))
	})
	return o, paid / o
}

// eligible reports whether a provider has as many CPUs as the request.
func (r *naiveRequest) eligible(v provider) bool { return v.cpus >= r.procs }

// earliest returns the earliest slot of a request from second from on, as the gateway sees it at
// second now; nil if there is none.
func (n *naive) earliest(g *naiveGrid, r *naiveRequest, now, from int64) *naiveBooking {
	cuts := g.cuts(from, never)
	for _, start := range cuts[:len(cuts)-1] { // the free CPUs grow at these seconds only
		for v := range g.providers {
			if r.eligible(g.providers[v]) && n.fits(g, v, r, now, start) {
				return &naiveBooking{at: g, provider: v, start: start, end: start + r.run, procs: int64(r.procs)}
			}
		}
	}
	return nil
}

func (n *naive) fits(g *naiveGrid, v int, r *naiveRequest, now, start int64) bool {
	free := func(t int64) bool { return n.known(g.providers[v], now, t)-g.booked(v, t) >= int64(r.procs) }
	if !free(start) {
		return false
	}
	for _, t := range g.cuts(start, start+r.run) {
		if t < start+r.run && !free(t) {
			return false
		}
	}
	return true
}

func (g *naiveGrid) free(b *naiveBooking) {
	g.bookings = slices.DeleteFunc(g.bookings, func(other *naiveBooking) bool { return other == b })
}

// above reports whether x > y, and sets ambiguous if another order of additions could change the
// answer.
func (n *naive) above(x, y float64) bool {
	if naiveClose(x, y) {
		n.ambiguous = true
	}
	return x > y
}

func naiveClose(x, y float64) bool {
	return !math.IsInf(x, 0) && !math.IsInf(y, 0) && math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
}
