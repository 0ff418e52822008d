// Negotiation tests: each branch of section 4.2 with costs and prices worked out by hand, and
// invariants of the bookings.

package intergrid

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// twoGrids returns the Grids A and B of one dedicated provider of 10 CPUs each, at a price of 1, on
// which so many requests of 1 CPU and 1000 s are booked from second 0 on, and a request of A for 1
// CPU and 100 s that is submitted at 60 and must end by 160.
func twoGrids(loadA, loadB int) []grid {
	grids := []grid{{name: "A"}, {name: "B"}}
	for i, load := range []int{loadA, loadB} {
		grids[i].providers = []provider{{cpus: 10, dedicated: true, cost: 1, supply: forEver(10)}}
		for range load {
			grids[i].requests = append(grids[i].requests, request{run: 1000, procs: 1, deadline: never})
		}
	}
	grids[0].requests = append(grids[0].requests, request{submit: 60, run: 100, procs: 1, deadline: 160})
	return grids
}

// scenario returns parameters whose contracts have the maximum price 3.43 = 1 + 3·0.9² and the
// minimum price 1.48 = 1 + 3·0.4².
func scenario() Parameters {
	p := defaults
	p.Warmup, p.Beta, p.Level, p.K = 0, 1, 0.9, 0.5
	return p
}

// TestNegotiation has each branch of section 4.2. Where n CPUs are booked, the load with the
// request of 60 up to its deadline is (n+1)/10, so its unit cost is 1 + ((n+1)² + (n+1)n + n²)/100:
// 1.01, 1.61, 1.91, 2.27, 3.17, 3.71 for n = 0, 4, 5, 6, 8, 9. The requests at 0 cost 1.01 each,
// since nothing is booked before the end of that instant: they stay at home.
func TestNegotiation(t *testing.T) {
	tests := []struct {
		name         string
		loadA, loadB int
		messages     []int64 // offer, accept, counter-offer, reject, reply
		at           string
		price        float64
		row          ContractRow
		units        int64 // redirected
	}{
		{"cheap at home", 3, 0, []int64{0, 0, 0, 0, 0}, "A", 0, ContractRow{}, 0}, // 1.37
		{"accept", 8, 0, []int64{1, 1, 0, 0, 0}, "B", 1.48, ContractRow{Offered: 1, Accepted: 1, Paid: 148}, 100},
		{"counter-offer taken", 8, 6, []int64{1, 0, 1, 0, 1}, "B", 2.27,
			ContractRow{Offered: 1, Taken: 1, Paid: 227}, 100},
		{"counter-offer refused", 5, 6, []int64{1, 0, 1, 0, 1}, "A", 0, ContractRow{Offered: 1, Refused: 1}, 0},
		{"reject", 8, 9, []int64{1, 0, 0, 1, 0}, "A", 0, ContractRow{Offered: 1, Rejected: 1}, 0},
		{"no slot at home", 10, 9, []int64{1, 0, 0, 1, 0}, "", 0, ContractRow{Offered: 1, Rejected: 1}, 0},
		{"no slot anywhere", 10, 10, []int64{1, 0, 0, 1, 0}, "", 0, ContractRow{Offered: 1, Rejected: 1}, 0},
		{"any counter-offer rather than none", 10, 8, []int64{1, 0, 1, 0, 1}, "B", 3.17,
			ContractRow{Offered: 1, Taken: 1, Paid: 317}, 100},
	}
	for _, test := range tests {
		for _, contracts := range []bool{true, false} {
			t.Run(fmt.Sprint(test.name, ", contracts: ", contracts), func(t *testing.T) {
				p := scenario()
				p.Contracts = contracts
				grids := twoGrids(test.loadA, test.loadB)
				w := newWorld(&p, grids)
				if err := w.run(context.Background()); err != nil {
					t.Fatal(err)
				}
				messages, at := test.messages, test.at
				if !contracts {
					messages, at = []int64{0, 0, 0, 0, 0}, "A"
					if test.loadA == 10 {
						at = ""
					}
				}
				if !slices.Equal(w.messages[:], messages) {
					t.Errorf("messages %v, want %v", w.messages, messages)
				}
				f := w.gateways[0].results[test.loadA]
				if at == "" {
					if f.by != nil || !f.rejected {
						t.Errorf("result %+v, want it rejected", f)
					}
				} else if f.by == nil || f.by.name != at || f.slot.start != 60 ||
					contracts && math.Abs(f.price-test.price) > 1e-12 {
					t.Errorf("result %+v, want it at %s at 60 for %v", f, at, test.price)
				}
				if contracts {
					c := w.gateways[0].contracts[0]
					got, want := c.row, test.row
					got.Paid = math.Round(got.Paid*1e6) / 1e6
					if diff := cmp.Diff(want, got); diff != "" || c.units != test.units {
						t.Errorf("%d units, want %d: %s", c.units, test.units, diff)
					}
				}
				checkBookings(t, w)
			})
		}
	}
}

// checkBookings compares the gateways' bookings with the results of the requests: no ticket is
// left, and no request has a CPU that is not offered.
func checkBookings(t *testing.T, w *world) {
	t.Helper()
	now := w.gateways[0].booked.now
	for _, g := range w.gateways {
		booked, total := int64(0), g.booked.until(never/1e6)
		for _, owner := range w.gateways {
			for i, f := range owner.results {
				r := &owner.requests[i]
				if f.by != g {
					continue
				}
				booked += int64(r.procs) * max(0, f.slot.start+r.run-max(now, f.slot.start))
				if f.slot.start < r.submit || r.deadline != never && f.slot.start+r.run > r.deadline {
					t.Errorf("%s: request %+v has slot %+v", owner.name, *r, f.slot)
				}
			}
		}
		if booked != total {
			t.Errorf("%s: %d CPU·s booked, its requests have %d", g.name, total, booked)
		}
		for i := range g.providers {
			checkOffers(t, w, g, i)
		}
	}
}

// checkOffers checks that the requests at a provider never have more CPUs than it offers.
func checkOffers(t *testing.T, w *world, g *gateway, number int) {
	t.Helper()
	used := ledger{}
	times := []int64{0}
	for _, owner := range w.gateways {
		for i, f := range owner.results {
			if r := &owner.requests[i]; f.by == g && f.slot.provider == number {
				used.add(f.slot.start, f.slot.start+r.run, int64(r.procs))
				times = append(times, f.slot.start)
			}
		}
	}
	supply := g.providers[number].supply
	for _, interval := range supply[:len(supply)-1] {
		times = append(times, interval.until)
	}
	slices.Sort(times)
	for _, at := range times {
		used.advance(at)
		for supply[0].until <= at {
			supply = supply[1:]
		}
		if used.level > int64(supply[0].cpus) {
			t.Fatalf("%s: provider %d runs %d CPUs at %d and offers %d", g.name, number+1, used.level, at, supply[0].cpus)
		}
	}
}

// TestOffersByPrice has two buyers and a seller with room for one of them: the higher price wins.
func TestOffersByPrice(t *testing.T) {
	for _, test := range []struct {
		name     string
		a, b     float64 // costs of the two buyers
		priceOf  string
		redirect string
	}{
		{"equal prices: the first name", 2, 3, "seller", "A"},
		{"the highest price", 2, 3, "buyer", "B"},
		{"the highest price is the first name's", 3, 2, "buyer", "A"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := scenario()
			p.PriceOf, p.K = test.priceOf, 0
			grids := []grid{{name: "B"}, {name: "C"}, {name: "A"}}
			for i, cost := range []float64{test.b, 1, test.a} {
				grids[i].providers = []provider{{cpus: 10, dedicated: true, cost: cost, supply: forEver(10)}}
				// all CPUs up to the deadline: at home it would cost 1 + 0.9² + 0.9·0.1 + … more
				if i != 1 {
					grids[i].requests = []request{{run: 100, procs: 9, deadline: 1000},
						{submit: 60, run: 100, procs: 10, deadline: 160}}
				}
			}
			w := newWorld(&p, grids)
			if err := w.run(context.Background()); err != nil {
				t.Fatal(err)
			}
			for _, g := range w.gateways {
				if len(g.results) == 0 {
					continue
				}
				f := g.results[1]
				if redirected := f.by != nil && f.by.name == "C"; redirected != (g.name == test.redirect) {
					t.Errorf("the request of %s is redirected: %t, want %t: %+v", g.name, redirected, !redirected, f)
				}
			}
		})
	}
}

// TestTies has unit costs that are equal to the last bit: at the minimum price an offer is
// accepted, at the maximum price it gets a counter-offer, and a counter-offer at the cost at home
// is refused.
func TestTies(t *testing.T) {
	p := scenario()
	for _, test := range []struct {
		name         string
		least, most  float64 // prices as multiples of what it costs the seller
		home         float64 // unit cost at home, likewise
		answer       message
		taken, above bool
	}{
		{"the minimum price", 1, 2, 3, accepted, true, true},
		{"the maximum price", 0.5, 1, 3, countered, true, true},
		{"as much as at home", 0.5, 2, 1, countered, false, true},
		{"the minimum price at home", 1, 2, 1, accepted, true, false},
	} {
		w := newWorld(&p, twoGrids(8, 0))
		a, b := w.gateways[0], w.gateways[1]
		a.advance(60)
		b.advance(60)
		b.book(&request{run: 1000, procs: 6}, slot{0, 60})
		here := b.quote(&a.requests[8], 60, 60, math.Inf(1)).unit
		c, q := a.contracts[0], a.newQueued(8)
		c.priceMin, c.priceMax = test.least*here, test.most*here
		q.quote, q.quotedAt = quote{unit: test.home * here, load: 1}, a.version
		if above := a.worthOffering(q, c, 60); above != test.above {
			t.Errorf("%s: offered: %t, want %t", test.name, above, test.above)
		}
		a.queue = append(a.queue, q)
		q.enter(c)
		w.send(a, 60)
		w.evaluate(t.Context(), b, 60, 60)
		if q.last != test.answer {
			t.Errorf("%s: answer %s, want %s", test.name, messageNames[q.last], messageNames[test.answer])
		}
		w.conclude(a, 60)
		if taken := a.results[8].by == b; taken != test.taken {
			t.Errorf("%s: redirected: %t, want %t", test.name, taken, test.taken)
		}
	}
}
