package intergrid

// World: the event loop of a run over all gateways and the messages between them.

import (
	"context"
	"slices"
)

// world is a run: the gateways, and what has been sent.
type world struct {
	p        *Parameters
	gateways []*gateway
	last     int64 // s, the last arrival
	messages [messages]int64
	looks    int  // at requests
	stopped  bool // the context was found cancelled
}

// simulateGrids runs the requests of Grids, whose deadlines are known. Its error is that of ctx.
func simulateGrids(ctx context.Context, p Parameters, grids []grid) (Outcome, error) {
	w := newWorld(&p, grids)
	if err := w.run(ctx); err != nil {
		return Outcome{}, err
	}
	return w.outcome(), nil
}

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

// run goes from instant to instant, until the last arrival is over and no message is under way.
func (w *world) run(ctx context.Context) error {
	interval := int64(w.p.Interval)
	for now := int64(0); ; {
		for _, g := range w.gateways {
			w.arrivals(ctx, g, now)
		}
		w.instant(ctx, now)
		if err := ctx.Err(); err != nil {
			return err
		}
		next := w.next(now)
		if next == never {
			return nil
		}
		// The first instant at or after that second.
		now = (next + interval - 1) / interval * interval
	}
}

// next returns the second after which there is the next instant with anything to do; never if the
// run is over.
func (w *world) next(now int64) int64 {
	next, waiting, negotiating := never, false, false
	for _, g := range w.gateways {
		if g.arrived < len(g.requests) {
			next = min(next, g.requests[g.arrived].submit)
		}
		for _, q := range g.queue {
			waiting = true
			negotiating = negotiating || q.contract != nil
		}
		waiting = waiting || len(g.stranded.requests)+len(g.refusals) > 0
	}
	if negotiating || waiting && now < w.last {
		return min(next, now+1)
	}
	return next
}

// cancelled counts a visit of a request and reports whether ctx was cancelled, which it checks
// every cancelEvery visits: hundreds of thousands may wait in one instant.
func (w *world) cancelled(ctx context.Context) bool {
	if w.stopped {
		return true
	}
	w.looks++
	w.stopped = w.looks%cancelEvery == 0 && ctx.Err() != nil
	return w.stopped
}

// arrivals takes in a gateway's requests that arrive up to an instant.
func (w *world) arrivals(ctx context.Context, g *gateway, now int64) {
	for ; g.arrived < len(g.requests) && g.requests[g.arrived].submit <= now; g.arrived++ {
		if w.cancelled(ctx) {
			return
		}
		q := g.enqueued(g.arrived)
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
	g.renew(now)
	g.requote(q, now)
	if slices.ContainsFunc(g.contracts, func(c *contract) bool { return q.quote.unit > c.priceMin }) {
		return false
	}
	return g.settle(q, now)
}

// instant is one second in which all gateways decide.
func (w *world) instant(ctx context.Context, now int64) {
	for _, g := range w.gateways {
		g.advance(now)
		g.renew(now)
	}
	if w.p.Contracts {
		if w.p.Negotiation == "instant" {
			w.deal(ctx, now)
		} else {
			w.exchange(ctx, now)
		}
	}
	w.queueStranded()
	for _, g := range w.gateways {
		g.queue = slices.DeleteFunc(g.queue, func(q *queued) bool {
			if w.cancelled(ctx) || q.contract != nil {
				return false
			}
			if now < w.last { // after that, two that never fit would be offered in turns for ever
				q.tried = q.tried[:0]
			}
			return g.settle(q, now) || w.strand(g, q, now)
		})
	}
}

// settle books a request at its earliest slot here, or rejects it if it has a deadline that no slot
// meets. It reports whether it did one of the two.
func (g *gateway) settle(q *queued, now int64) bool {
	r := &g.requests[q.number]
	known := q.quote
	known.searched = known.searched && q.asOf == g.state
	at := g.findSlot(r, now, &known)
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

// enqueued returns the state of a request that has arrived.
func (g *gateway) enqueued(number int) *queued {
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
