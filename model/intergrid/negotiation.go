// Negotiation: offers, counter-offers and answers between gateways (section 4.2).

package intergrid

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// message is what a message of a negotiation says.
type message uint8

const (
	offered      message = iota // by the buyer
	accepted                    // by the seller
	countered                   // by the seller
	rejected                    // by the seller
	replied                     // by the buyer, to a counter-offer
	messageCount                // how many there are
)

var messageNames = [messageCount]string{"offer", "accept", "counter-offer", "reject", "reply"}

// queued is a request in a gateway's queue and the state of its negotiation.
type queued struct {
	number   int         // of the request
	contract *contract   // nil outside of negotiations
	last     message     // about it: offered, then the answer of the seller
	quote    quote       // of its own gateway
	quotedAt int         // version of the gateway when it made the quote
	price    float64     // of a unit, in the offer or the counter-offer
	ticket   slot        // held at the seller, if it accepts or makes a counter-offer
	tried    []*contract // the contracts tried for it; used where parameter negotiation is tick
}

// refusal is a ticket whose counter-offer was refused.
type refusal struct {
	request *request
	ticket  slot
}

// negotiateAtOnce negotiates within an instant, in a step for each contract of a gateway.
func (w *world) negotiateAtOnce(ctx context.Context, now int64) {
	for step := range len(w.gateways) - 1 {
		w.queueStranded()
		for _, g := range w.gateways {
			c := g.contracts[step]
			for _, q := range g.queue {
				if w.cancelled(ctx) {
					return
				}
				if g.worthOffering(q, c, now) {
					q.enter(c)
				}
			}
			c.offerStranded()
			w.send(g, now)
		}
		for _, g := range w.gateways {
			w.evaluate(ctx, g, now, now)
		}
		for _, g := range w.gateways {
			w.conclude(g, now)
		}
		for _, g := range w.gateways {
			g.release()
		}
	}
}

// negotiateOverInstants takes one step of negotiations whose messages arrive in the next instant.
func (w *world) negotiateOverInstants(ctx context.Context, now int64) {
	for _, g := range w.gateways {
		g.release()
	}
	for _, g := range w.gateways {
		for _, q := range g.queue {
			if w.cancelled(ctx) {
				return
			}
			if q.contract != nil && q.last == countered {
				g.requote(q, now)
			}
		}
		w.conclude(g, now)
	}
	for _, g := range w.gateways {
		w.evaluate(ctx, g, now, now+int64(w.p.Interval))
	}
	for _, g := range w.gateways {
		for _, q := range g.queue {
			if w.cancelled(ctx) {
				return
			}
			if q.contract == nil {
				g.enterNext(q, now)
			}
		}
		w.send(g, now)
	}
}

// enterNext puts a request into the next offer under the first contract that it has not tried yet
// and under which it is worth offering.
func (g *gateway) enterNext(q *queued, now int64) {
	for _, c := range g.contracts {
		if slices.Contains(q.tried, c) {
			continue
		}
		q.tried = append(q.tried, c)
		if g.worthOffering(q, c, now) {
			q.enter(c)
			return
		}
	}
}

// worthOffering reports whether a gateway offers a request under a contract: whether its own unit
// cost is above the contract's minimum price (step 1 of section 4.2).
func (g *gateway) worthOffering(q *queued, c *contract, now int64) bool {
	g.requote(q, now)
	if g.p.Trigger == "price-and-threshold" && q.quote.load <= g.p.Level {
		return false
	}
	return q.quote.unit > c.priceMin
}

// requote updates the quote of a request in the queue by its own Grid.
func (g *gateway) requote(q *queued, now int64) {
	if q.quotedAt != g.version {
		q.quote, q.quotedAt = g.quote(&g.requests[q.number], now, now, math.Inf(1)), g.version
	}
}

// enter puts a request into the next offer under a contract.
func (q *queued) enter(c *contract) {
	q.contract, q.last, q.price = c, offered, c.priceMin
	c.offer = append(c.offer, q)
}

// send sends the offers of a gateway, one for each contract.
func (w *world) send(g *gateway, now int64) {
	for _, c := range g.contracts {
		if len(c.offer)+c.stranded == 0 {
			continue
		}
		c.offerMin, c.offerMax = c.priceMin, c.priceMax
		c.seller.offers = append(c.seller.offers, c)
		w.count(offered, now)
	}
}

// evaluate answers the offers to a seller, the highest price first (step 2), with slots from `from`
// on.
func (w *world) evaluate(ctx context.Context, g *gateway, now, from int64) {
	slices.SortFunc(g.offers, func(a, b *contract) int {
		return cmp.Or(cmp.Compare(b.offerMin, a.offerMin), cmp.Compare(a.buyer.name, b.buyer.name))
	})
	for _, c := range g.offers {
		var answers [messageCount]bool
		for _, q := range c.offer {
			if w.cancelled(ctx) {
				return
			}
			r := &c.buyer.requests[q.number]
			here := g.quote(r, now, from, c.offerMax)
			switch {
			case here.unit <= c.offerMin:
				q.last = accepted
			case here.unit <= c.offerMax:
				q.last, q.price = countered, here.unit
			default:
				q.last = rejected
			}
			if q.last != rejected {
				if q.ticket = here.slot; !here.searched {
					q.ticket = g.earliest(r, from)
				}
				g.book(r, q.ticket)
			}
			answers[q.last] = true
		}
		answers[rejected] = answers[rejected] || c.stranded > 0
		c.offer, c.stranded = c.offer[:0], 0
		for m, sent := range answers {
			if sent {
				w.count(message(m), now)
			}
		}
	}
	g.offers = g.offers[:0]
}

// conclude reads the answers to a gateway's offers and replies to counter-offers (step 3).
// Redirected requests leave the queue.
func (w *world) conclude(g *gateway, now int64) {
	g.queue = slices.DeleteFunc(g.queue, func(q *queued) bool {
		c, r := q.contract, &g.requests[q.number]
		if c == nil || q.last == offered {
			return false
		}
		taken := q.last == accepted || q.last == countered && q.quote.unit > q.price
		c.count(r, q, taken)
		c.replies = c.replies || q.last == countered
		q.contract = nil
		if taken {
			g.results[q.number] = result{by: c.seller, slot: q.ticket, price: q.price}
			g.spare = append(g.spare, q)
		} else if q.last == countered {
			c.seller.refusals = append(c.seller.refusals, refusal{r, q.ticket})
		}
		return taken
	})
	for _, c := range g.contracts {
		if c.replies {
			w.count(replied, now)
			c.replies = false
		}
	}
}

// release frees the tickets that buyers did not take.
func (g *gateway) release() {
	for _, r := range g.refusals {
		g.unbook(r.request, r.ticket)
	}
	g.refusals = g.refusals[:0]
}
