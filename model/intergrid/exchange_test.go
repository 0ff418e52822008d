// Exchange tests: scenarios of two or three Grids whose messages, tickets and starts are worked out
// by hand, and the cancellation of a long instant.

package intergrid

import (
	"context"
	"errors"
	"slices"
	"testing"

	"gridsweep/model"
)

// TestExchange has a counter-offer where each message takes until the next instant: the offer
// leaves at 60, B makes the ticket at 120 for 180 on, A answers at 180, and if it refuses, B frees
// the ticket at 240.
func TestExchange(t *testing.T) {
	for _, test := range []struct {
		name         string
		loadA, loadB int
		answer       message
		taken        bool
		messages     [messageCount]int64
	}{
		{"accept", 8, 0, accepted, true, [messageCount]int64{1, 1, 0, 0, 0}},
		{"counter-offer taken", 8, 6, countered, true, [messageCount]int64{1, 0, 1, 0, 1}},
		{"counter-offer refused", 5, 6, countered, false, [messageCount]int64{1, 0, 1, 0, 1}},
		{"reject", 8, 9, rejected, false, [messageCount]int64{1, 0, 0, 1, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := scenario()
			p.Negotiation = "tick"
			grids := twoGrids(test.loadA, test.loadB)
			grids[0].requests[test.loadA].deadline = 1000
			w := newWorld(&p, grids)
			a, b := w.gateways[0], w.gateways[1]
			at := func(now int64) {
				for _, g := range w.gateways {
					w.arrive(t.Context(), g, now)
				}
				w.decide(t.Context(), now)
			}
			at(0)
			at(60)
			if len(a.queue) != 1 || a.queue[0].last != offered || w.messages != [messageCount]int64{1, 0, 0, 0, 0} {
				t.Fatalf("at 60: queue %+v, messages %v", a.queue, w.messages)
			}
			at(120)
			q := a.queue[0]
			if q.last != test.answer {
				t.Fatalf("answer %s, want %s", messageNames[q.last], messageNames[test.answer])
			}
			if q.last != rejected && q.ticket != (slot{0, 180}) {
				t.Errorf("ticket %+v, want one for 180", q.ticket)
			}
			if tickets := b.booked.until(1000) - 880*int64(test.loadB); (tickets == 100) != (q.last != rejected) {
				t.Errorf("%d CPU·s of tickets, want 100 unless rejected", tickets)
			}
			at(180)
			f := a.results[test.loadA]
			if home := !test.taken; f.by != map[bool]*gateway{true: a, false: b}[home] || f.slot.start != 180 {
				t.Errorf("result %+v", f)
			}
			at(240)
			var foreign int64
			if test.taken {
				foreign = 40
			}
			if tickets := b.booked.until(1000) - 760*int64(test.loadB); tickets != foreign || len(b.refusals) > 0 {
				t.Errorf("at 240: %d CPU·s of tickets, want %d", tickets, foreign)
			}
			if w.messages != test.messages {
				t.Errorf("messages %v, want %v", w.messages, test.messages)
			}
		})
	}
}

// TestTooLarge has a request that only the other Grid can hold: it is offered at any price, and
// again until a seller accepts it.
func TestTooLarge(t *testing.T) {
	for _, negotiation := range []string{"instant", "tick"} {
		p := scenario()
		p.Negotiation = negotiation
		p.Slots = "current"
		grids := twoGrids(0, 0)
		grids[0].providers[0].cpus, grids[0].providers[0].supply[0].cpus = 4, 4
		// Up to 600 B offers too little, and knows of no more.
		supply := []supplyInterval{{until: 600, cpus: 3}, {until: never, cpus: 10}}
		grids[1].providers[0] = provider{cpus: 10, cost: 1, supply: supply}
		grids[0].requests = []request{{run: 10, procs: 5, deadline: never}, {submit: 2000, run: 1, procs: 1, deadline: never}}
		w := newWorld(&p, grids)
		if err := w.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		f := w.gateways[0].results[0]
		if f.by != w.gateways[1] || f.slot.start < 600 || f.slot.start > 900 {
			t.Errorf("%s: result %+v, want it at B soon after 600", negotiation, f)
		}
		if offers := w.messages[offered]; negotiation == "instant" && offers != 11 {
			t.Errorf("%d offers, want one every minute from 0 to 600", offers)
		}
		p.Contracts = false
		w = newWorld(&p, grids)
		if err := w.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if out := w.outcome(); out.Grids[0].Waiting != 1 || out.Grids[0].Served != 1 {
			t.Errorf("without contracts: %+v", out.Grids[0])
		}
	}
}

// TestQueueAbove books at arrival exactly the requests whose unit cost is below all minimum prices.
func TestQueueAbove(t *testing.T) {
	p := scenario()
	p.Queue = "above"
	for _, test := range []struct {
		loadA int32
		start int64
	}{{3, 30}, {5, 60}} {
		grids := twoGrids(0, 0)
		grids[0].requests[0] = request{submit: 30, run: 100, procs: 1, deadline: 160}
		w := newWorld(&p, grids)
		for i, load := range []int32{test.loadA, 9} { // B rejects all offers
			w.gateways[i].book(&request{run: 1000, procs: load}, slot{0, 0})
		}
		if err := w.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if f := w.gateways[0].results[0]; f.by != w.gateways[0] || f.slot.start != test.start {
			t.Errorf("with %d CPUs booked: %+v, want it to start at %d", test.loadA, f, test.start)
		}
	}
}

// TestTrigger offers under price-and-threshold only requests that also bring the load above L.
func TestTrigger(t *testing.T) {
	for _, test := range []struct {
		loadA  int
		offers int64
	}{{8, 0}, {9, 1}, {10, 1}} { // loads of 0.9 and 1 with the request, and none at all
		p := scenario()
		p.Trigger = "price-and-threshold"
		w := newWorld(&p, twoGrids(test.loadA, 0))
		if err := w.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if w.messages[offered] != test.offers {
			t.Errorf("with %d CPUs booked: %d offers, want %d", test.loadA, w.messages[offered], test.offers)
		}
	}
}

// TestOrderOfContracts negotiates with the cheapest seller first, and with the others only about
// the requests that are left.
func TestOrderOfContracts(t *testing.T) {
	p := scenario()
	grids := append(twoGrids(8, 9), twoGrids(0, 0)[1])
	grids[2].name, grids[2].providers[0].cost = "C", 1.2
	w := newWorld(&p, grids)
	if err := w.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	sellers := []string{w.gateways[0].contracts[0].seller.name, w.gateways[0].contracts[1].seller.name}
	if !slices.Equal(sellers, []string{"B", "C"}) {
		t.Errorf("contracts with %v, want B and C", sellers)
	}
	// B rejects, C accepts at its minimum price.
	if f := w.gateways[0].results[8]; f.by != w.gateways[2] || w.messages != [messageCount]int64{2, 1, 0, 1, 0} {
		t.Errorf("result %+v, messages %v", f, w.messages)
	}
}

// cancelledAt is a context that is cancelled once gateways have changed their bookings so often.
type cancelledAt struct {
	context.Context
	w       *world
	changes int
}

func (c cancelledAt) Err() error {
	if changes(c.w) < c.changes {
		return nil
	}
	return context.Canceled
}

// changes returns how often gateways have changed their bookings.
func changes(w *world) int {
	n := 0
	for _, g := range w.gateways {
		n += g.version
	}
	return n
}

// TestCancelledInstant cancels a run in an instant in which all requests wait: the run ends within
// some thousands of them, while they arrive, are evaluated or are booked.
func TestCancelledInstant(t *testing.T) {
	const n = 10 * model.CancelEvery
	for name, read := range assumptions {
		p := scenario()
		read(&p)
		p.Level, p.K, p.Beta = 0.9, 0.9, 1 // every offer is accepted or answered by a counter-offer
		grids := twoGrids(9, 0)
		grids[0].requests = grids[0].requests[:9]
		for i := range grids[0].requests {
			grids[0].requests[i].run = 1e9 // expensive at home
		}
		for range n {
			grids[0].requests = append(grids[0].requests, request{submit: 60, run: 1, procs: 1, deadline: 1e9})
		}
		whole := newWorld(&p, grids)
		if err := whole.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if changes(whole) < n {
			t.Fatalf("%s: %d changes by %d requests, want at least one each", name, changes(whole), n)
		}
		for at := 1; at < changes(whole); at += n / 7 {
			w := newWorld(&p, grids)
			if err := w.run(cancelledAt{t.Context(), w, at}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: cancelled at %d: error %v", name, at, err)
			}
			if have := changes(w); have > at+2*model.CancelEvery {
				t.Errorf("%s: cancelled at %d of %d changes, it ended at %d", name, at, changes(whole), have)
			}
		}
	}
}

// TestRefusalIsRead has a refusal that reaches the seller at 240, when no request waits. It frees
// the ticket, which would last to 280, so that a request can be booked at 250.
func TestRefusalIsRead(t *testing.T) {
	p := scenario()
	p.Negotiation, p.Queue = "tick", "above"
	grids := twoGrids(5, 6)
	grids[0].requests[5].deadline = 1000
	grids[1].requests = append(grids[1].requests, request{submit: 250, run: 10, procs: 4, deadline: 100_000})
	w := newWorld(&p, grids)
	if err := w.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.messages[countered] != 1 || w.gateways[0].results[5].by != w.gateways[0] {
		t.Fatalf("messages %v, result %+v, want a counter-offer that is refused", w.messages, w.gateways[0].results[5])
	}
	if start := w.gateways[1].results[6].slot.start; start != 250 {
		t.Errorf("start at %d, want 250", start)
	}
}
