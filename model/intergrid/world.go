// World: the event loop of a run over all gateways and the messages between them.

package intergrid

import (
	"context"
	"slices"

	"gridsweep/model"
)

// world is the state of a run.
type world struct {
	p        *Parameters
	gateways []*gateway
	last     int64               // s, the last arrival
	messages [messageCount]int64 // sent after the warm-up, by name
	visits   int                 // of requests; see cancelled
	stopped  bool                // the context was found cancelled
}

// newWorld returns the run at second 0, with a contract for each ordered pair of Grids.
func newWorld(p *Parameters, grids []grid) *world {
	w := &world{p: p, last: lastArrival(grids)}
	for i := range grids {
		w.gateways = append(w.gateways, newGateway(&grids[i], p))
	}
	if !p.Contracts {
		return w
	}
	for _, buyer := range w.gateways {
		for _, seller := range w.gateways {
			if buyer != seller {
				buyer.contracts = append(buyer.contracts, &contract{buyer: buyer, seller: seller})
			}
		}
	}
	return w
}

// run simulates the instants, which are the multiples of the interval, until the last arrival is
// over and no message is under way.
func (w *world) run(ctx context.Context) error {
	interval := int64(w.p.Interval)
	for now := int64(0); ; {
		for _, g := range w.gateways {
			w.arrive(ctx, g, now)
		}
		w.decide(ctx, now)
		if err := ctx.Err(); err != nil {
			return err
		}
		next := w.next(now)
		if next == never {
			return nil
		}
		now = (next + interval - 1) / interval * interval // the first instant at next or later
	}
}

// next returns the second of the next arrival, or now + 1 while requests are negotiated or, before
// the last arrival, wait; never if the run is over.
func (w *world) next(now int64) int64 {
	next, waiting, negotiating := never, false, false
	for _, g := range w.gateways {
		if g.arrived < len(g.requests) {
			next = min(next, g.requests[g.arrived].submit)
		}
		negotiating = negotiating || slices.ContainsFunc(g.queue, func(q *queued) bool { return q.contract != nil })
		waiting = waiting || len(g.queue)+len(g.stranded.requests)+len(g.refusals) > 0
	}
	if negotiating || waiting && now < w.last {
		return min(next, now+1)
	}
	return next
}

// cancelled counts a visit of a request and reports whether ctx was cancelled, which it checks
// every model.CancelEvery visits: hundreds of thousands may wait in one instant.
func (w *world) cancelled(ctx context.Context) bool {
	if w.stopped {
		return true
	}
	w.visits++
	w.stopped = model.Cancelled(ctx, w.visits)
	return w.stopped
}

// arrive puts a gateway's requests that arrive up to an instant into its queue.
func (w *world) arrive(ctx context.Context, g *gateway, now int64) {
	for ; g.arrived < len(g.requests) && g.requests[g.arrived].submit <= now; g.arrived++ {
		if w.cancelled(ctx) {
			return
		}
		q := g.newQueued(g.arrived)
		if g.p.Queue == "above" && g.bookAtOnce(q) {
			continue
		}
		g.queue = append(g.queue, q)
	}
}

// bookAtOnce books or rejects a request as it arrives, unless its unit cost is above the minimum
// price of a contract, and reports whether it did.
func (g *gateway) bookAtOnce(q *queued) bool {
	now := g.requests[q.number].submit
	g.advance(now)
	g.updatePrices(now)
	g.requote(q, now)
	if slices.ContainsFunc(g.contracts, func(c *contract) bool { return q.quote.unit > c.priceMin }) {
		return false
	}
	return g.bookOrReject(q, now)
}

// decide lets all gateways negotiate about their queues in an instant and book the rest of them.
func (w *world) decide(ctx context.Context, now int64) {
	for _, g := range w.gateways {
		g.advance(now)
		g.updatePrices(now)
	}
	if w.p.Contracts {
		if w.p.Negotiation == "instant" {
			w.negotiateAtOnce(ctx, now)
		} else {
			w.negotiateOverInstants(ctx, now)
		}
	}
	w.queueStranded()
	for _, g := range w.gateways {
		g.queue = slices.DeleteFunc(g.queue, func(q *queued) bool {
			if w.cancelled(ctx) || q.contract != nil {
				return false
			}
			if now < w.last { // later, requests that fit nowhere would be offered again for ever
				q.tried = q.tried[:0]
			}
			return g.bookOrReject(q, now) || w.strand(g, q, now)
		})
	}
}

// bookOrReject books a request at its earliest slot here, or rejects it if it has a deadline that
// no slot meets. It reports whether it did one of the two.
func (g *gateway) bookOrReject(q *queued, now int64) bool {
	r := &g.requests[q.number]
	at := q.quote.slot
	if !q.quote.searched || q.quotedAt != g.version {
		at = g.earliest(r, now)
	}
	switch {
	case at.inTime(r):
		g.book(r, at)
		g.results[q.number] = result{by: g, slot: at}
	case r.deadline != never:
		g.results[q.number] = result{rejected: true}
	default:
		return false
	}
	g.spare = append(g.spare, q)
	return true
}

// newQueued returns the state of a request that has arrived, in the memory of one that has left the
// queue.
func (g *gateway) newQueued(number int) *queued {
	n := len(g.spare)
	if n == 0 {
		return &queued{number: number}
	}
	q := g.spare[n-1]
	g.spare = g.spare[:n-1]
	*q = queued{number: number, tried: q.tried[:0]}
	return q
}

// count counts a message, unless it is sent within the warm-up.
func (w *world) count(m message, now int64) {
	if now >= int64(w.p.Warmup) {
		w.messages[m]++
	}
}
