// Rows: the tables of a run's outcome.

package intergrid

import (
	"gridsweep/model"
	"gridsweep/model/metrics"
)

// outcome makes the rows of a run that has ended.
func (w *world) outcome() Outcome {
	w.tally()
	out := Outcome{Requests: w.requestRows}
	var total tally
	var whole extent
	days := make([]extent, w.days())
	for _, g := range w.gateways {
		row := w.gridRow(g)
		out.Grids = append(out.Grids, row)
		out.Served += row.Served
		out.Rejected += row.Rejected
		out.RedirectedJobs += row.RedirectedJobs
		out.Paid += row.Spent
		total.units += g.tally.units
		total.redirectedUnits += g.tally.redirectedUnits
		total.ran += g.tally.ran
		total.offered += g.tally.offered
		whole.add(row.Utilisation)
		for _, seller := range w.gateways { // g.contracts are in the order of prices
			for _, c := range g.contracts {
				if c.seller == seller {
					out.Contracts = append(out.Contracts, w.contractRow(c))
				}
			}
		}
		rows := w.dayRows(g)
		for i := range rows {
			days[i].add(rows[i].Utilisation)
		}
		out.Days = append(out.Days, rows...)
	}
	out.Redirected = metrics.Percent(total.redirectedUnits, total.units)
	out.Utilisation = metrics.Percent(total.ran, total.offered)
	out.Imbalance, out.DailyImbalance = meanWidth([]extent{whole}), meanWidth(days)
	for m, count := range w.messages {
		out.Messages += count
		out.MessagesByName = append(out.MessagesByName, MessageRow{Name: messageNames[m], Count: count})
	}
	return out
}

// extent is from the least to the greatest of the numbers added so far.
type extent struct {
	least, most float64
	known       bool
}

func (s *extent) add(x *float64) {
	if x == nil {
		return
	}
	if !s.known {
		*s = extent{*x, *x, true}
	}
	s.least, s.most = min(s.least, *x), max(s.most, *x)
}

// meanWidth returns the mean of most - least of those extents that have a number, nil if none has.
func meanWidth(extents []extent) *float64 {
	var sum float64
	number := int64(0)
	for _, s := range extents {
		if s.known {
			sum += s.most - s.least
			number++
		}
	}
	return metrics.Mean(sum, number)
}

func (w *world) gridRow(g *gateway) GridRow {
	t, row := &g.tally, g.tally.row
	from, to := w.window(0, never)
	row.Grid, row.Dropped = g.name, g.dropped
	row.Redirected, row.Hosted = metrics.Percent(t.redirectedUnits, t.units), metrics.Percent(t.hostedUnits, t.units)
	row.BothWays, row.Load = metrics.Percent(t.bothWays, t.units), metrics.Percent(t.units, t.offered)
	row.Utilisation, row.UtilisationAll = metrics.Percent(t.ran, t.offered), metrics.Percent(t.ran, t.all)
	row.Offered, row.Price = metrics.Mean(t.offered, to-from), metrics.Mean(t.cost, t.offered)
	row.Wait = metrics.Mean(t.wait, row.Served)
	return row
}

func (w *world) contractRow(c *contract) ContractRow {
	row := c.row
	row.Buyer, row.Seller = c.buyer.name, c.seller.name
	row.Redirected, row.Price = metrics.Percent(c.units, c.buyer.tally.units), metrics.Mean(row.Paid, c.units)
	row.PriceMin, row.PriceMax = w.priceMeans(c)
	return row
}

func (w *world) dayRows(g *gateway) []DayRow {
	rows := make([]DayRow, len(g.tally.days))
	for i, d := range g.tally.days {
		number := int64(w.p.Warmup)/day + int64(i)
		units, cost := g.capacity.offeredUnits(number*day, (number+1)*day)
		offered, _ := g.capacity.offeredUnits(w.window(number*day, (number+1)*day))
		rows[i] = DayRow{
			Grid: g.name, Day: number, Price: metrics.Mean(cost, units), Utilisation: metrics.Percent(d.ran, offered),
			Redirected: metrics.Percent(d.redirectedUnits, d.units), Hosted: float64(d.hostedUnits) / day,
		}
	}
	return rows
}

// requestRows yields the requests submitted after the warm-up, Grid by Grid.
func (w *world) requestRows(yield func(RequestRow) bool) {
	for _, g := range w.gateways {
		for i := range g.requests {
			r, result := &g.requests[i], &g.results[i]
			if r.submit < int64(w.p.Warmup) {
				continue
			}
			row := RequestRow{
				Grid: g.name, Request: int64(i) + 1,
				Submit: model.Seconds(r.submit), Procs: int64(r.procs), Run: model.Seconds(r.run),
			}
			if r.deadline != never {
				row.Deadline = new(model.Seconds(r.deadline))
			}
			if result.by != nil {
				row.At, row.Provider = result.by.name, int64(result.slot.provider)+1
				row.Start = new(model.Seconds(result.slot.start))
				if result.by != g {
					row.Price = &result.price
				}
			}
			if !yield(row) {
				return
			}
		}
	}
}
