// Naive simulator: the instants of a run under both forms of negotiation.

package intergrid

import "slices"

// run simulates all instants of the negotiation.
func (n *naive) run() {
	for now := int64(0); ; now += int64(n.p.Interval) {
		n.arrivals(now-int64(n.p.Interval), now)
		if n.p.Negotiation == "tick" {
			n.tick(now)
		} else {
			n.instant(now)
		}
		if now >= n.last && !n.negotiating() {
			return
		}
		if now > n.last+1000*int64(n.p.Interval) {
			n.endless = true
			return
		}
	}
}

func (n *naive) negotiating() bool {
	return slices.ContainsFunc(n.grids, func(g *naiveGrid) bool {
		return slices.ContainsFunc(g.queue, func(r *naiveRequest) bool { return r.negotiating })
	})
}

// arrivals queues the requests that arrive in (after, until], or books them.
func (n *naive) arrivals(after, until int64) {
	for _, g := range n.grids {
		for _, r := range g.requests {
			if r.submit <= after || r.submit > until {
				continue
			}
			g.queue = append(g.queue, r)
			if n.p.Queue == "above" && !n.worth(g, r) {
				n.met["booked at arrival"]++
				n.book(r, r.submit)
			}
		}
	}
}

// worth reports whether the unit cost of a request that arrives is above the least price of a
// contract of its gateway.
func (n *naive) worth(g *naiveGrid, r *naiveRequest) bool {
	for _, seller := range n.sellers(g, r.submit) {
		least, _ := n.prices(g, seller, r.submit)
		if cost, _ := n.unitCost(g, r, r.submit, r.submit); n.above(cost, least) {
			n.met["queued at arrival"]++
			return true
		}
	}
	return false
}

// instant is one instant under negotiation "instant".
func (n *naive) instant(now int64) {
	for step := range len(n.grids) - 1 {
		if !n.p.Contracts || n.idle() {
			break
		}
		sent := n.step(step, now)
		for _, seller := range n.grids {
			n.evaluate(seller, naiveTo(seller, sent), now, now)
		}
		for _, o := range sent {
			n.reply(o, now)
		}
	}
	n.bookAll(now, func(*naiveRequest) bool { return true })
}

func (n *naive) idle() bool {
	return !slices.ContainsFunc(n.grids, func(g *naiveGrid) bool { return len(g.queue) > 0 })
}

// step sends and returns the offers of every Grid under the contract at that position of its order.
func (n *naive) step(step int, now int64) []*naiveOffer {
	first := len(n.offers)
	for _, buyer := range n.grids {
		seller := n.sellers(buyer, now)[step]
		least, most := n.prices(buyer, seller, now)
		o := &naiveOffer{buyer: buyer, seller: seller, price: least, most: most}
		for _, r := range buyer.queue {
			if offers, cost := n.wouldOffer(buyer, r, least, now); offers {
				o.deals = append(o.deals, &naiveDeal{r: r, cost: cost})
			}
		}
		n.offer(o, now)
	}
	return slices.Clone(n.offers[first:])
}

func naiveTo(seller *naiveGrid, offers []*naiveOffer) []*naiveOffer {
	var to []*naiveOffer
	for _, o := range offers {
		if o.seller == seller {
			to = append(to, o)
		}
	}
	return to
}

// reply takes the answers to an offer and frees the tickets that are left.
func (n *naive) reply(o *naiveOffer, now int64) {
	n.takeAnswers(o, now, func(d *naiveDeal) float64 { return d.cost })
	n.release(o)
}

// takeAnswers redirects accepted requests and takes counter-offers below the cost of the request.
func (n *naive) takeAnswers(o *naiveOffer, now int64, cost func(*naiveDeal) float64) {
	counter := false
	for _, d := range o.deals {
		switch d.answer {
		case "accept":
			n.met["accept"]++
			n.redirect(d)
		case "counter-offer":
			counter = true
			if n.above(cost(d), d.price) {
				n.met["counter taken"]++
				n.redirect(d)
			} else {
				n.met["counter refused"]++
			}
		default:
			n.met["reject"]++
		}
	}
	if counter {
		n.send("reply", now)
	}
}

// release frees the tickets that were not taken.
func (n *naive) release(o *naiveOffer) {
	for _, d := range o.deals {
		if d.ticket != nil && !d.taken {
			n.met["ticket freed "+n.p.Negotiation]++
			o.seller.free(d.ticket)
		}
	}
}

// bookAll books the requests in the queues for which left returns true.
func (n *naive) bookAll(now int64, left func(*naiveRequest) bool) {
	for _, g := range n.grids {
		for _, r := range slices.Clone(g.queue) {
			if left(r) {
				n.book(r, now)
			}
		}
	}
}

// tick is one instant under negotiation "tick", in the order of
// docs/explanation/papers/intergrid.md.
func (n *naive) tick(now int64) {
	for _, o := range n.replied { // (1)
		n.release(o)
	}
	n.replied = n.answered
	for _, o := range n.answered { // (2)
		for _, d := range o.deals {
			d.r.negotiating = false
		}
		n.takeAnswers(o, now, func(d *naiveDeal) float64 {
			cost, _ := n.unitCost(o.buyer, d.r, now, now)
			return cost
		})
	}
	for _, seller := range n.grids { // (3)
		n.evaluate(seller, naiveTo(seller, n.offered), now, now+int64(n.p.Interval))
	}
	n.answered = n.offered
	first := len(n.offers)
	for _, buyer := range n.grids { // (4)
		n.offerWaiting(buyer, now)
	}
	n.offered = slices.Clone(n.offers[first:])
	n.bookAll(now, func(r *naiveRequest) bool { return !r.negotiating }) // (5)
}

// offerWaiting offers each request of a queue that is not being negotiated under the first contract
// that is left for it.
func (n *naive) offerWaiting(buyer *naiveGrid, now int64) {
	if len(buyer.queue) == 0 {
		return
	}
	sellers := n.sellers(buyer, now)
	var offers []*naiveOffer
	for _, seller := range sellers {
		least, most := n.prices(buyer, seller, now)
		offers = append(offers, &naiveOffer{buyer: buyer, seller: seller, price: least, most: most})
	}
	for _, r := range buyer.queue {
		if r.negotiating {
			continue
		}
		for _, o := range offers {
			if r.considered[o.seller] {
				continue
			}
			r.considered[o.seller] = true
			if offers, cost := n.wouldOffer(buyer, r, o.price, now); offers {
				r.negotiating = true
				o.deals = append(o.deals, &naiveDeal{r: r, cost: cost})
				break
			}
		}
	}
	for _, o := range offers {
		n.offer(o, now)
	}
}
