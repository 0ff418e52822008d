// Naive gateway: unit costs, prices, offers and bookings.

package intergrid

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// naiveOffer is an offer message with the answers to it.
type naiveOffer struct {
	buyer, seller *naiveGrid
	price, most   float64 // of the contract when it was sent
	deals         []*naiveDeal
}

// naiveDeal is a request in an offer.
type naiveDeal struct {
	r      *naiveRequest
	cost   float64 // at the buyer when it was offered
	answer string
	price  float64 // of the seller's answer
	ticket *naiveBooking
	taken  bool
}

// unitCost returns the unit cost of a request at a Grid and second, for slots from second from on,
// and the load a with it.
func (n *naive) unitCost(g *naiveGrid, r *naiveRequest, now, from int64) (cost, a float64) {
	slot := n.earliest(g, r, now, from)
	if slot == nil || slot.end > r.deadline {
		return math.Inf(1), math.Inf(1)
	}
	h := n.horizon(g, r, now, slot)
	o, p := n.offeredUnits(g, now, now, h)
	if h <= now || o == 0 {
		return math.Inf(1), math.Inf(1)
	}
	b := g.integral(now, h, func(v int, t int64) float64 { return float64(g.booked(v, t)) })
	load, u := b/o, float64(r.units())
	return naiveUnitCost(n.p.Beta, p, load, u, o), load + u/o
}

func (n *naive) horizon(g *naiveGrid, r *naiveRequest, now int64, slot *naiveBooking) int64 {
	if r.deadline != never {
		return r.deadline
	}
	latest, dedicated := now, false
	for v, provider := range g.providers {
		if !provider.dedicated || !r.eligible(provider) {
			continue
		}
		dedicated = true
		for _, b := range g.bookings {
			if b.provider == v {
				latest = max(latest, b.end)
			}
		}
	}
	if n.p.Horizon == "finish" || !dedicated {
		n.met["horizon finish"]++
		return slot.end
	}
	n.met["horizon latest"]++
	return latest + r.run
}

// prices returns the prices of a contract at a second: infinite ones, at which no request is
// offered, where the Grid offers nothing.
func (n *naive) prices(buyer, seller *naiveGrid, now int64) (least, most float64) {
	g := seller
	if n.p.PriceOf == "buyer" {
		g = buyer
	}
	begin := now / int64(n.p.Update) * int64(n.p.Update)
	o, p := n.offeredUnits(g, begin, begin, begin+int64(n.p.Update))
	if o == 0 {
		n.met["no price"]++
		return math.Inf(1), math.Inf(1)
	}
	most = naiveSmallUnitCost(n.p.Beta, p, n.p.Level)
	return most - (most - naiveSmallUnitCost(n.p.Beta, p, n.p.Level-n.p.K)), most
}

// sellers returns the sellers of a Grid's contracts, in the order in which it negotiates under
// them.
func (n *naive) sellers(buyer *naiveGrid, now int64) []*naiveGrid {
	var sellers []*naiveGrid
	for _, g := range n.grids {
		if g != buyer && n.p.Contracts {
			sellers = append(sellers, g)
		}
	}
	order := func(x, y float64) int {
		if x != y && naiveClose(x, y) {
			n.ambiguous = true
		}
		return cmp.Compare(x, y)
	}
	slices.SortStableFunc(sellers, func(x, y *naiveGrid) int {
		xLeast, xMost := n.prices(buyer, x, now)
		yLeast, yMost := n.prices(buyer, y, now)
		return cmp.Or(order(xLeast, yLeast), order(xMost, yMost), strings.Compare(x.name, y.name))
	})
	return sellers
}

// wouldOffer reports whether a buyer offers a request under a contract with that least price, and
// its unit cost.
func (n *naive) wouldOffer(buyer *naiveGrid, r *naiveRequest, least float64, now int64) (bool, float64) {
	cost, a := n.unitCost(buyer, r, now, now)
	if !n.above(cost, least) {
		n.met["not above the price"]++
		return false, cost
	}
	if n.p.Trigger == "price-and-threshold" && !math.IsInf(cost, 1) && !n.above(a, n.p.Level) {
		n.met["below the threshold"]++
		return false, cost
	}
	return true, cost
}

// offer sends an offer unless it is empty.
func (n *naive) offer(o *naiveOffer, now int64) {
	if len(o.deals) > 0 {
		n.offers = append(n.offers, o)
		n.send("offer", now)
	}
}

func (n *naive) send(name string, now int64) {
	n.messages = append(n.messages, naiveMessage{name, now})
}

// evaluate answers the offers to a seller, with slots from second from on.
func (n *naive) evaluate(seller *naiveGrid, offers []*naiveOffer, now, from int64) {
	slices.SortStableFunc(offers, func(x, y *naiveOffer) int {
		if x.price != y.price && naiveClose(x.price, y.price) {
			n.ambiguous = true
		}
		return cmp.Or(cmp.Compare(y.price, x.price), strings.Compare(x.buyer.name, y.buyer.name))
	})
	if len(offers) > 1 {
		n.met["several offers"]++
	}
	for _, o := range offers {
		for _, d := range o.deals {
			n.answer(seller, o, d, now, from)
		}
		for _, name := range []string{"accept", "counter-offer", "reject"} {
			if slices.ContainsFunc(o.deals, func(d *naiveDeal) bool { return d.answer == name }) {
				n.send(name, now)
			}
		}
	}
}

func (n *naive) answer(seller *naiveGrid, o *naiveOffer, d *naiveDeal, now, from int64) {
	cost, _ := n.unitCost(seller, d.r, now, from)
	switch {
	case !n.above(cost, o.price):
		d.answer, d.price = "accept", o.price
	case !n.above(cost, o.most):
		d.answer, d.price = "counter-offer", cost
	default:
		d.answer = "reject"
		return
	}
	d.ticket = n.earliest(seller, d.r, now, from)
	seller.bookings = append(seller.bookings, d.ticket)
}

// redirect makes the ticket of a request its booking.
func (n *naive) redirect(d *naiveDeal) {
	d.taken = true
	d.r.booking, d.r.redirected, d.r.price = d.ticket, true, d.price
	d.r.leave()
}

func (r *naiveRequest) leave() {
	r.home.queue = slices.DeleteFunc(r.home.queue, func(other *naiveRequest) bool { return other == r })
}

// book books a request at its own Grid's earliest slot or rejects it; without a deadline and a slot
// it stays in the queue.
func (n *naive) book(r *naiveRequest, now int64) {
	slot := n.earliest(r.home, r, now, now)
	switch {
	case slot != nil && slot.end <= r.deadline:
		n.met["booked"]++
		r.booking = slot
		r.home.bookings = append(r.home.bookings, slot)
		r.leave()
	case r.deadline != never:
		n.met["rejected deadline"]++
		r.rejected = true
		r.leave()
	default:
		n.met["stays in the queue"]++
		if now < n.last {
			r.considered = map[*naiveGrid]bool{}
		}
	}
}
