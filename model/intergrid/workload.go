// Workload: the requests of each Grid, from its trace or site model.

package intergrid

import (
	"context"
	"slices"

	"gridsweep/model"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
)

// span returns the length of the workloads in s.
func span(p Parameters) int64 { return workload.Months(p.Months) }

// takeRequests gives each Grid its requests, without deadlines. Those of a site model are drawn
// anew in each replication where the parameter workload_seed is "round"; else all replications have
// the same.
func takeRequests(ctx context.Context, p Parameters, grids []grid, env model.Env) error {
	seed := env.Seed
	if p.WorkloadSeed == "study" {
		seed = env.Common().Seed
	}
	largest := largestProvider(grids)
	for i := range grids {
		g := &grids[i]
		k := slices.Index(gridNames[:], g.name)
		recorded, err := workload.Window{
			Site: siteNames[k], Trace: model.TraceAt(p.Trace, k), Seed: seed.Child("requests").Child(g.name),
			From: ([...]int64{p.DAS2Month, p.AuverGridMonth, p.Grid5000Month}[k] - 1) * trace.Month, Span: span(p),
			Largest: largest, Parameters: siteNames[k] + "_month or months",
		}.Read(ctx, env)
		if err != nil {
			return err
		}
		g.dropped, g.requests = recorded.Dropped, make([]request, len(recorded.Jobs))
		for n, j := range recorded.Jobs {
			g.requests[n] = request{submit: j.Submit, run: j.Run, deadline: never, procs: j.Procs}
		}
	}
	return nil
}

// largestProvider returns the CPUs of the largest provider of all Grids.
func largestProvider(grids []grid) int32 {
	largest := int32(0)
	for i := range grids {
		for k := range grids[i].providers {
			largest = max(largest, grids[i].providers[k].cpus)
		}
	}
	return largest
}

// lastArrival returns the submit of the last request of any Grid, in s; 0 if there is none.
func lastArrival(grids []grid) int64 {
	last := int64(0)
	for i := range grids {
		if requests := grids[i].requests; len(requests) > 0 {
			last = max(last, requests[len(requests)-1].submit)
		}
	}
	return last
}
