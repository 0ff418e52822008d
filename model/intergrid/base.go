// Base run: each Grid on its own providers, from which the deadlines of requests are computed.

package intergrid

import (
	"context"
	"fmt"
	"math"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/model/rng"
)

// simulateBase makes the base run of a replication: the ends of its requests, in s, by Grid and
// request.
func simulateBase(ctx context.Context, p Parameters, env model.Env) ([][]int64, error) {
	grids, err := gridsWithoutDeadlines(ctx, p, env)
	if err != nil {
		return nil, err
	}
	return runBase(ctx, grids)
}

// runBase runs the requests of each Grid on its own providers, with EASY backfilling and the least
// loaded one first, and returns their ends, in s; never for those that are larger than every
// provider. Its errors are those of ctx and of intervals or requests that are not valid for a
// cluster.
func runBase(ctx context.Context, grids []grid) (ends [][]int64, err error) {
	ends = make([][]int64, len(grids))
	for i := range grids {
		if ends[i], err = grids[i].baseEnds(ctx); err != nil {
			return nil, fmt.Errorf("base run of %s: %w", grids[i].name, err)
		}
	}
	return ends, nil
}

// baseEnds returns the ends of the requests of one Grid. Between two arrivals its providers are
// independent, so each advances alone.
func (g *grid) baseEnds(ctx context.Context) ([]int64, error) {
	machines, err := newMachines(g.providers)
	if err != nil {
		return nil, err
	}
	chosen := make([]int, len(g.requests))  // the machine of each request, or -1
	numbers := make([]int, len(g.requests)) // of each request on its machine
	for i := range g.requests {
		r := &g.requests[i]
		for k := range machines {
			if err := machines[k].advance(ctx, r.submit); err != nil {
				return nil, err
			}
		}
		chosen[i] = leastLoaded(machines, r.procs)
		if chosen[i] < 0 {
			continue
		}
		if numbers[i], err = machines[chosen[i]].submit(r); err != nil {
			return nil, fmt.Errorf("request %d: %w", i+1, err)
		}
	}
	for k := range machines {
		if err := machines[k].advance(ctx, never-1); err != nil {
			return nil, err
		}
	}
	ends := make([]int64, len(g.requests))
	for i, k := range chosen {
		ends[i] = never
		if k >= 0 {
			_, ends[i] = machines[k].site.Start(numbers[i])
		}
	}
	return ends, nil
}

// machine is a provider in the base run.
type machine struct {
	site   *cluster.Site
	supply []supplyInterval // from the current one on
	cpus   int32
	busy   int32 // CPUs in use
	next   int64 // second in which something ends or is booked to start, or never
	steps  int   // such seconds so far
}

// newMachines returns providers at second 0. CPUs that are not offered are reserved.
func newMachines(providers []provider) ([]machine, error) {
	policy, err := cluster.ParsePolicy("easy")
	if err != nil {
		panic("intergrid: " + err.Error())
	}
	machines := make([]machine, len(providers))
	for i := range providers {
		v := &providers[i]
		config := cluster.Config{Procs: v.cpus, Policy: policy, Pivot: cluster.Kept}
		from := int64(0)
		for _, interval := range v.supply {
			if interval.cpus < v.cpus {
				withheld := cluster.Reservation{From: from, To: interval.until, Procs: v.cpus - interval.cpus}
				config.Reservations = append(config.Reservations, withheld)
			}
			from = interval.until
		}
		site, err := cluster.New(config)
		if err != nil {
			return nil, fmt.Errorf("provider %d: %w", i+1, err)
		}
		machines[i] = machine{site: site, supply: v.supply, cpus: v.cpus, next: site.Next()}
	}
	return machines, nil
}

// advance processes the events of a machine up to a second, that one included. Its error is ctx's.
func (m *machine) advance(ctx context.Context, until int64) error {
	for m.next <= until {
		if model.Cancelled(ctx, m.steps) {
			return ctx.Err()
		}
		m.steps++
		now := m.next
		m.site.Finish(now)
		m.site.Pass(now)
		m.update(now)
	}
	m.dropEnded(until)
	return nil
}

// submit sends a request to a machine, which has advanced to its submit, and returns its number
// there.
func (m *machine) submit(r *request) (number int, err error) {
	number, err = m.site.Submit(r.submit, cluster.Job{Run: r.run, Procs: r.procs})
	if err == nil {
		m.site.Pass(r.submit)
		m.update(r.submit)
	}
	return number, err
}

// dropEnded drops the intervals that have ended. The last one ends at never.
func (m *machine) dropEnded(now int64) {
	for m.supply[0].until <= now {
		m.supply = m.supply[1:]
	}
}

// update recomputes the busy CPUs and the next event after a pass. CPUs that are neither free nor
// reserved are busy: a booking for now has become a start.
func (m *machine) update(now int64) {
	m.dropEnded(now)
	m.busy = m.supply[0].cpus - m.site.Free(now)
	m.next = m.site.Next()
}

// leastLoaded returns the first of the machines with so many CPUs that have the least busy per
// offered CPU, or -1.
func leastLoaded(machines []machine, procs int32) int {
	best := -1
	for k := range machines {
		if m := &machines[k]; m.cpus >= procs && (best < 0 || m.lessLoaded(&machines[best])) {
			best = k
		}
	}
	return best
}

// lessLoaded compares loads, which are infinite where no CPU is offered.
func (m *machine) lessLoaded(other *machine) bool {
	offered, others := int64(m.supply[0].cpus), int64(other.supply[0].cpus)
	if offered == 0 || others == 0 {
		return offered > others
	}
	return int64(m.busy)*others < int64(other.busy)*offered
}

// farthest bounds the time from a submit to its deadline, in s, so that the sum fits an int64. No
// run lasts so long.
const farthest = 1 << 61

// drawDeadlines gives a share of the requests of each Grid deadlines: the submit plus the
// stringency factor times the time from submit to end in the base run.
func drawDeadlines(p Parameters, grids []grid, ends [][]int64, seed rng.Source) {
	for i := range grids {
		stream := seed.Child("deadlines").Stream(grids[i].name)
		for n := range grids[i].requests {
			r := &grids[i].requests[n]
			if stream.Float64() < p.DeadlineShare && ends[i][n] < never {
				r.deadline = r.submit + int64(min(math.Floor(float64(p.Stringency*float64(ends[i][n]-r.submit))+0.5), farthest))
			}
		}
	}
}
