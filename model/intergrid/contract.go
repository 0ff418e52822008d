// Contracts: the pairs of Grids that redirect requests, their prices and their renewal.

package intergrid

import (
	"cmp"
	"math"
	"slices"
)

// contract lets a gateway, the buyer, redirect requests to another one, the seller.
type contract struct {
	buyer, seller      *gateway
	priceMin, priceMax float64 // of a unit; infinite while the Grid that sets them offers nothing

	offer              []*queued // the offer that is under way
	stranded           int       // stranded requests in the offer, see type stranded
	offerMin, offerMax float64   // the prices when it was sent
	replies            bool      // whether there are counter-offers to reply to

	row   ContractRow // the counts of requests submitted after the warm-up
	units int64       // CPU·s of the redirected ones among these
}

// prices returns the prices of a contract from an update, numbered from 0, to the next (section
// 4.1); infinite if the Grid that sets them offers nothing in this time.
func (c *contract) prices(update int64) (priceMin, priceMax float64) {
	p, priced := c.buyer.p, c.seller
	if p.PriceOf == "buyer" {
		priced = c.buyer
	}
	units, cost := priced.offeredUnits(update*int64(p.Update), (update+1)*int64(p.Update))
	if units == 0 {
		return math.Inf(1), math.Inf(1)
	}
	price := cost / units // Equation 1
	priceMax = maximumPrice(p.Beta, price, p.Level)
	return priceMax - priceRange(p.Beta, price, p.Level, p.K), priceMax
}

// updatePrices updates the prices of the gateway's contracts if an update is due, and with them the
// order in which it negotiates.
func (g *gateway) updatePrices(now int64) {
	update := now / int64(g.p.Update)
	if update == g.updated {
		return
	}
	g.updated = update
	for _, c := range g.contracts {
		c.priceMin, c.priceMax = c.prices(update)
	}
	slices.SortFunc(g.contracts, func(a, b *contract) int {
		byPrice := cmp.Or(cmp.Compare(a.priceMin, b.priceMin), cmp.Compare(a.priceMax, b.priceMax))
		return cmp.Or(byPrice, cmp.Compare(a.seller.name, b.seller.name))
	})
}

// count counts the outcome of an offered request. A counter-offer is taken if the request is
// redirected, else refused.
func (c *contract) count(r *request, q *queued, redirected bool) {
	if r.submit < int64(c.buyer.p.Warmup) {
		return
	}
	c.row.Offered++
	switch {
	case q.last == accepted:
		c.row.Accepted++
	case q.last == rejected:
		c.row.Rejected++
	case redirected:
		c.row.Taken++
	default:
		c.row.Refused++
	}
	if redirected {
		c.units += r.units()
		c.row.Paid += float64(q.price * float64(r.units()))
	}
}
