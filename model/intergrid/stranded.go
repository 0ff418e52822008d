// Stranded requests: those that no Grid can serve for now. Under slots current hundreds of them
// wait, each offered in every instant, so they are offered and rejected all at once.

package intergrid

import (
	"cmp"
	"math"
	"slices"
)

// stranded are requests of a gateway whose unit cost is infinite there and at every Grid that sells
// to it. It stays infinite until CPUs become available: a slot that a best-effort request could
// have later would have been free before, too.
type stranded struct {
	requests []*queued
	counted  int64 // of them, those submitted after the warm-up
}

// strand reports whether a best-effort request without a slot at its own gateway is stranded, and
// if so adds it. Under negotiation tick none is, as requests are offered there one by one.
func (w *world) strand(g *gateway, q *queued, now int64) bool {
	r := &g.requests[q.number]
	if w.p.Negotiation != "instant" || slices.ContainsFunc(g.contracts, func(c *contract) bool {
		return c.seller.canServe(r, now)
	}) {
		return false
	}
	g.stranded.requests = append(g.stranded.requests, q)
	if r.submit >= int64(w.p.Warmup) {
		g.stranded.counted++
	}
	return true
}

// queueStranded returns stranded requests to their queues if CPUs have become available anywhere on
// a provider that is large enough for them.
func (w *world) queueStranded() {
	freed := int32(0)
	for _, g := range w.gateways {
		freed = max(freed, g.freed)
		g.freed = 0
	}
	if freed == 0 {
		return
	}
	for _, g := range w.gateways {
		waiting := len(g.queue)
		g.stranded.requests = slices.DeleteFunc(g.stranded.requests, func(q *queued) bool {
			r := &g.requests[q.number]
			if r.procs > freed {
				return false
			}
			g.queue = append(g.queue, q)
			if r.submit >= int64(w.p.Warmup) {
				g.stranded.counted--
			}
			return true
		})
		if len(g.queue) > waiting {
			slices.SortFunc(g.queue, func(a, b *queued) int { return cmp.Compare(a.number, b.number) })
		}
	}
}

// offerStranded puts the stranded requests of the buyer into the next offer under a contract. Their
// unit cost is infinite at both Grids: the buyer offers them at any price, and the seller rejects
// them.
func (c *contract) offerStranded() {
	if s := &c.buyer.stranded; !math.IsInf(c.priceMin, 1) {
		c.stranded = len(s.requests)
		c.row.Offered += s.counted
		c.row.Rejected += s.counted
	}
}
