// Naive metrics: the rows of an outcome, recounted from lists of requests, messages and bookings.

package intergrid

import (
	"math"
	"slices"

	"gridsweep/model"
)

// naiveOutcome is an outcome whose rows of requests are a list.
type naiveOutcome struct {
	Outcome
	Rows []RequestRow
}

func (n *naive) counts(r *naiveRequest) bool {
	return int64(n.p.Warmup) <= r.submit
}

// requests returns the requests after the warm-up for which is returns true.
func (n *naive) requests(is func(r *naiveRequest) bool) []*naiveRequest {
	var list []*naiveRequest
	for _, g := range n.grids {
		for _, r := range g.requests {
			if n.counts(r) && is(r) {
				list = append(list, r)
			}
		}
	}
	return list
}

func naiveUnits(list []*naiveRequest) float64 {
	units := 0.0
	for _, r := range list {
		units += float64(r.units())
	}
	return units
}

func naivePaid(list []*naiveRequest) float64 {
	paid := 0.0
	for _, r := range list {
		paid += r.price * float64(r.units())
	}
	return paid
}

// naiveRatio returns x / y, nil where y is 0.
func naiveRatio(x, y float64) *float64 {
	if y == 0 {
		return nil
	}
	q := x / y
	return &q
}

func naivePercent(x, y float64) *float64 { return naiveRatio(100*x, y) }

// ran returns the CPU·s of requests that a Grid runs in [from, to).
func (n *naive) ran(g *naiveGrid, from, to int64) float64 {
	units := 0.0
	for _, home := range n.grids {
		for _, r := range home.requests {
			if b := r.booking; b != nil && b.at == g {
				units += float64(max(0, min(b.end, to)-max(b.start, from)) * b.procs)
			}
		}
	}
	return units
}

// actuallyOffered returns the CPU·s that a Grid offers in [from, to), and the price of Equation 1.
func (n *naive) actuallyOffered(g *naiveGrid, from, to int64) (o float64, p *float64) {
	all := *n
	all.p.Slots = "all"
	o, price := all.offeredUnits(g, from, from, to)
	if o == 0 {
		return 0, nil
	}
	return o, &price
}

func (n *naive) outcome() naiveOutcome {
	from, to := int64(n.p.Warmup), n.last
	var out naiveOutcome
	away := n.requests(func(r *naiveRequest) bool { return r.redirected })
	ran, offered := 0.0, 0.0
	least, most := math.Inf(1), math.Inf(-1)
	for _, g := range n.grids {
		o, _ := n.actuallyOffered(g, from, to)
		run := n.ran(g, from, to)
		ran, offered = ran+run, offered+o
		if o > 0 {
			least, most = min(least, 100*run/o), max(most, 100*run/o)
		}
		row := n.gridRow(g)
		out.Grids = append(out.Grids, row)
		out.Served, out.Rejected = out.Served+row.Served, out.Rejected+row.Rejected
		out.Rows = append(out.Rows, n.requestRows(g)...)
		for d := from / day; d <= to/day; d++ {
			out.Days = append(out.Days, n.dayRow(g, d))
		}
		for _, seller := range n.grids {
			if g != seller && n.p.Contracts {
				out.Contracts = append(out.Contracts, n.contractRow(g, seller))
			}
		}
	}
	for _, name := range []string{"offer", "accept", "counter-offer", "reject", "reply"} {
		count := int64(0)
		for _, m := range n.messages {
			if m.name == name && m.sent >= from {
				count++
			}
		}
		out.MessagesByName = append(out.MessagesByName, MessageRow{name, count})
		out.Messages += count
	}
	out.Redirected = naivePercent(naiveUnits(away), naiveUnits(n.requests(func(*naiveRequest) bool { return true })))
	out.RedirectedJobs, out.Paid = int64(len(away)), naivePaid(away)
	out.Utilisation = naivePercent(ran, offered)
	if offered > 0 {
		out.Imbalance = naiveRatio(most-least, 1)
	}
	out.DailyImbalance = naiveDailyImbalance(out.Days)
	return out
}

func naiveDailyImbalance(rows []DayRow) *float64 {
	sum, number := 0.0, 0.0
	for d := int64(0); d < 1000; d++ {
		var day []float64
		for _, row := range rows {
			if row.Day == d && row.Utilisation != nil {
				day = append(day, *row.Utilisation)
			}
		}
		if len(day) > 0 {
			sum += slices.Max(day) - slices.Min(day)
			number++
		}
	}
	return naiveRatio(sum, number)
}

func (n *naive) gridRow(g *naiveGrid) GridRow {
	from, to := int64(n.p.Warmup), n.last
	own := n.requests(func(r *naiveRequest) bool { return r.home == g })
	count := func(is func(r *naiveRequest) bool) int64 {
		return int64(len(n.requests(func(r *naiveRequest) bool { return r.home == g && is(r) })))
	}
	away := n.requests(func(r *naiveRequest) bool { return r.home == g && r.redirected })
	hosted := n.requests(func(r *naiveRequest) bool { return r.redirected && r.booking.at == g })
	both := 0.0
	for d := from / day; d <= to/day; d++ {
		both += min(naiveUnits(naiveOn(d, away)), naiveUnits(naiveOn(d, hosted)))
	}
	wait, served := 0.0, 0.0
	for _, r := range own {
		if r.booking != nil {
			wait, served = wait+float64(r.booking.start-r.submit), served+1
		}
	}
	cpus := 0.0
	for _, v := range g.providers {
		cpus += float64(v.cpus)
	}
	offered, price := n.actuallyOffered(g, from, to)
	ran, length, units := n.ran(g, from, to), float64(max(0, to-from)), naiveUnits(own)
	return GridRow{
		Grid: g.name, Requests: int64(len(own)), Dropped: g.dropped,
		DeadlineRequests: count(func(r *naiveRequest) bool { return r.deadline != never }),
		Served:           count(func(r *naiveRequest) bool { return r.booking != nil }),
		Rejected:         count(func(r *naiveRequest) bool { return r.rejected }),
		Waiting:          count(func(r *naiveRequest) bool { return slices.Contains(g.queue, r) }),
		RedirectedJobs:   int64(len(away)), HostedJobs: int64(len(hosted)),
		Redirected: naivePercent(naiveUnits(away), units), Hosted: naivePercent(naiveUnits(hosted), units),
		BothWays: naivePercent(both, units), Load: naivePercent(units, offered),
		Utilisation: naivePercent(ran, offered), UtilisationAll: naivePercent(ran, cpus*length),
		Offered: naiveRatio(offered, length), Price: price, Wait: naiveRatio(wait, served),
		Earned: naivePaid(hosted), Spent: naivePaid(away),
	}
}

// naiveOn returns those that were submitted on a day.
func naiveOn(d int64, list []*naiveRequest) []*naiveRequest {
	var on []*naiveRequest
	for _, r := range list {
		if r.submit/day == d {
			on = append(on, r)
		}
	}
	return on
}

func (n *naive) dayRow(g *naiveGrid, d int64) DayRow {
	from, to := max(d*day, int64(n.p.Warmup)), min((d+1)*day, n.last)
	own := naiveOn(d, n.requests(func(r *naiveRequest) bool { return r.home == g }))
	away := naiveOn(d, n.requests(func(r *naiveRequest) bool { return r.home == g && r.redirected }))
	hosted := naiveOn(d, n.requests(func(r *naiveRequest) bool { return r.redirected && r.booking.at == g }))
	offered, _ := n.actuallyOffered(g, from, to)
	_, price := n.actuallyOffered(g, d*day, (d+1)*day)
	return DayRow{
		Grid: g.name, Day: d, Price: price, Utilisation: naivePercent(n.ran(g, from, to), offered),
		Redirected: naivePercent(naiveUnits(away), naiveUnits(own)), Hosted: naiveUnits(hosted) / day,
	}
}

func (n *naive) contractRow(buyer, seller *naiveGrid) ContractRow {
	row := ContractRow{Buyer: buyer.name, Seller: seller.name}
	redirected := 0.0
	for _, o := range n.offers {
		for _, d := range o.deals {
			if o.buyer != buyer || o.seller != seller || !n.counts(d.r) {
				continue
			}
			row.Offered++
			switch {
			case d.answer == "accept":
				row.Accepted++
			case d.answer == "counter-offer" && d.taken:
				row.Taken++
			case d.answer == "counter-offer":
				row.Refused++
			default:
				row.Rejected++
			}
			if d.taken {
				redirected += float64(d.r.units())
				row.Paid += d.price * float64(d.r.units())
			}
		}
	}
	own := n.requests(func(r *naiveRequest) bool { return r.home == buyer })
	row.Redirected = naivePercent(redirected, naiveUnits(own))
	row.Price = naiveRatio(row.Paid, redirected)
	least, most, updates := 0.0, 0.0, 0.0
	every := int64(n.p.Update)
	for m := int64(n.p.Warmup) / every; int64(n.p.Warmup) < n.last && m*every < n.last; m++ {
		if x, y := n.prices(buyer, seller, m*every); !math.IsInf(x, 1) {
			least, most, updates = least+x, most+y, updates+1
		}
	}
	row.PriceMin, row.PriceMax = naiveRatio(least, updates), naiveRatio(most, updates)
	return row
}

func (n *naive) requestRows(g *naiveGrid) []RequestRow {
	var rows []RequestRow
	for _, r := range n.requests(func(r *naiveRequest) bool { return r.home == g }) {
		row := RequestRow{
			Grid: g.name, Request: int64(r.number), Procs: int64(r.procs),
			Submit: model.Seconds(r.submit), Run: model.Seconds(r.run),
		}
		if r.deadline != never {
			deadline := model.Seconds(r.deadline)
			row.Deadline = &deadline
		}
		if b := r.booking; b != nil {
			start := model.Seconds(b.start)
			row.At, row.Provider, row.Start = b.at.name, int64(b.provider)+1, &start
		}
		if r.redirected {
			row.Price = &r.price
		}
		rows = append(rows, row)
	}
	return rows
}
