// Base run tests: ends worked out by hand, the choice of the least loaded provider, bounds on the
// site models, and the deadlines that are drawn from the ends.

package intergrid

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model/rng"
)

// A provider of 4 CPUs offers 2 of them from 10 to 20 s.
func TestBaseByHand(t *testing.T) {
	g := grid{
		name: "one",
		providers: []provider{{cpus: 4, supply: []supplyInterval{{until: 10, cpus: 4}, {until: 20, cpus: 2},
			{until: never, cpus: 4}}}},
		requests: []request{
			{submit: 0, run: 5, procs: 3},  // at once
			{submit: 1, run: 6, procs: 4},  // would not end before the supply falls: booked for 20
			{submit: 2, run: 20, procs: 1}, // would run into that booking: after it
			{submit: 3, run: 10, procs: 2}, // when the first ends; what is offered lasts
			{submit: 4, run: 5, procs: 1},  // at once
			{submit: 4, run: 1, procs: 5},  // larger than the provider
		},
	}
	ends, err := runBase(context.Background(), []grid{g})
	if diff := cmp.Diff([][]int64{{5, 26, 46, 15, 9, never}}, ends); diff != "" || err != nil {
		t.Errorf("ends, error %v (-want +have):\n%s", err, diff)
	}
}

func TestLeastLoaded(t *testing.T) {
	type load struct{ busy, offered, cpus int32 }
	for _, c := range []struct {
		loads []load
		procs int32
		want  int
	}{
		{[]load{{1, 4, 4}, {1, 8, 8}}, 1, 1},
		{[]load{{1, 4, 8}, {2, 8, 8}}, 1, 0}, // equal: the first
		{[]load{{0, 4, 4}, {2, 8, 8}}, 5, 1}, // too small
		{[]load{{0, 0, 8}, {8, 8, 8}}, 1, 1}, // none offered
		{[]load{{8, 8, 8}, {0, 0, 8}}, 1, 0},
		{[]load{{0, 0, 8}, {0, 0, 8}}, 1, 0},
		{[]load{{0, 4, 4}, {0, 4, 4}}, 5, -1},
		{[]load{{1 << 27, 1 << 28, 1 << 28}, {1<<27 - 1, 1 << 28, 1 << 28}}, 1, 1},
	} {
		var machines []machine
		for _, l := range c.loads {
			machines = append(machines, machine{busy: l.busy, cpus: l.cpus, supply: forEver(l.offered)})
		}
		if have := leastLoaded(machines, c.procs); have != c.want {
			t.Errorf("%v, %d CPUs: provider %d, want %d", c.loads, c.procs, have, c.want)
		}
	}
}

// On the site models, no request ends before its submit plus its run time, and exactly those end
// that some provider is large enough for.
func TestBaseOfSiteModels(t *testing.T) {
	p := quick()
	p.DeadlineShare = 0
	p.DAS2OnOff = "64" // some requests can only be redirected
	grids := drawn(t, p, environment(0, nil))
	ends, err := runBase(context.Background(), grids)
	if err != nil {
		t.Fatal(err)
	}
	tooLarge := 0
	for i := range grids {
		for k := range grids[i].requests {
			r := &grids[i].requests[k]
			if ends[i][k] < r.submit+r.run {
				t.Fatalf("%+v of %s ends at %d, before submit + run", r, grids[i].name, ends[i][k])
			}
			if (ends[i][k] == never) != (r.procs > largestProvider(grids[i:i+1])) {
				t.Fatalf("%+v of %s ends at %d", r, grids[i].name, ends[i][k])
			}
			if ends[i][k] == never {
				tooLarge++
			}
		}
	}
	if tooLarge == 0 {
		t.Error("every request fits a provider of its own Grid, want some that do not")
	}
}

func TestBaseStops(t *testing.T) {
	p := quick()
	p.DeadlineShare = 0
	grids := drawn(t, p, environment(0, nil))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := runBase(ctx, grids); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A deadline is the submit plus the stringency times the response in the base run, to the nearest
// second. A larger share only adds deadlines.
func TestDeadlines(t *testing.T) {
	const n = 20_000
	shared, ends := make([]request, n), make([]int64, n)
	for i := range shared {
		shared[i] = request{submit: int64(i), run: 100, deadline: never, procs: 1}
		ends[i] = int64(i) + 103
	}
	draw := func(share float64) []request {
		p := defaults
		p.DeadlineShare, p.Stringency = share, 2.5
		grids := []grid{{name: "one", requests: slices.Clone(shared)}}
		drawDeadlines(p, grids, [][]int64{ends}, rng.New("deadlines"))
		return grids[0].requests
	}
	few, count := draw(0.3), 0
	for i, r := range few {
		if r.deadline == never {
			continue
		}
		if count++; r.deadline != int64(i)+258 { // 2.5 × 103 is 257.5
			t.Fatalf("request %d has deadline %d, want %d", i, r.deadline, i+258)
		}
	}
	if share := float64(count) / n; math.Abs(share-0.3) > 4*math.Sqrt(0.3*0.7/n) {
		t.Errorf("a share of %v of the requests has a deadline, want 0.3", share)
	}
	for i, r := range draw(0.6) {
		if few[i].deadline < never && r.deadline == never {
			t.Fatalf("request %d has a deadline at a share of 0.3 and none at 0.6", i)
		}
	}
	ends[7] = never // the deadlines of the others do not change
	for i, r := range draw(0.3) {
		if i != 7 && r != few[i] {
			t.Fatalf("request %d has deadline %d, %d if request 7 has no provider", i, few[i].deadline, r.deadline)
		}
	}
	for i, r := range draw(1) {
		if (r.deadline == never) != (i == 7) {
			t.Fatalf("request %d has deadline %d", i, r.deadline)
		}
	}
}

// A deadline beyond the seconds of an int64 becomes the farthest one, which every request meets.
func TestFarDeadlines(t *testing.T) {
	p := defaults
	p.DeadlineShare, p.Stringency = 1, 1000
	grids := []grid{{name: "one", requests: []request{{submit: 5, run: 1 << 32, deadline: never, procs: 1}}}}
	drawDeadlines(p, grids, [][]int64{{1 << 60}}, rng.New("far"))
	if have := grids[0].requests[0].deadline; have != 5+farthest {
		t.Errorf("deadline %d, want %d", have, int64(5+farthest))
	}
}
