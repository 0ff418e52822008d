package intergrid

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gridsweep/model"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
)

// span returns the length of the workloads in s.
func span(p Parameters) int64 { return int64(float64(p.Months*trace.Month) + 0.5) }

// longest bounds run times, in s: 136 years, as in docs/reference/scheduling.md.
const longest = 1 << 32

// mostUnits bounds the CPU·s of a Grid's requests together, so that those of all Grids are an
// int64, with tickets.
const mostUnits = 1 << 60

// requestKey names what the requests of a Grid depend on.
type requestKey struct {
	grid    string // name
	trace   string // the parameter: those of all Grids, as resolved, or model
	from    int64  // s, where the part of the trace begins
	span    int64  // s
	largest int32  // CPUs of the largest provider of all Grids
}

type gridRequests struct {
	requests []request
	dropped  int64
}

// takeRequests gives each Grid its requests, which rounds share but for those of a site model that
// each draws anew.
func takeRequests(ctx context.Context, p Parameters, grids []grid, env model.Env) error {
	if p.Trace != model.TraceModel || p.WorkloadSeed == "study" {
		env = env.Common()
	}
	largest := largestProvider(grids)
	for i := range grids {
		k := requestKey{grid: grids[i].name, trace: p.Trace, span: span(p), largest: largest}
		if p.Trace != model.TraceModel {
			k.from = ([...]int64{p.DAS2Month, p.AuverGridMonth, p.Grid5000Month}[place(k.grid)] - 1) * trace.Month
		}
		taken, err := model.Memo(ctx, env, k, readRequests)
		if err != nil {
			return err
		}
		grids[i].requests, grids[i].dropped = taken.requests, taken.dropped
	}
	return nil
}

// place returns the place of a Grid in names and titles.
func place(grid string) int { return slices.Index(titles[:], grid) }

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

// readRequests reads the trace of a Grid, or draws from its site model, and leaves out what no
// provider is large enough for.
func readRequests(ctx context.Context, k requestKey, env model.Env) (gridRequests, error) {
	all, err := k.jobs(ctx, env)
	if err != nil {
		return gridRequests{}, err
	}
	taken := gridRequests{requests: make([]request, 0, len(all))}
	units := int64(0)
	for i := range all {
		switch j := &all[i]; {
		case j.Size() > k.largest:
			taken.dropped++
		case j.Run > longest:
			return gridRequests{}, fmt.Errorf("trace %s: job %d has a run time of %d s, want at most %d",
				k.traceName(), j.ID, j.Run, int64(longest))
		default:
			r := request{submit: j.Submit, run: j.Run, deadline: never, procs: j.Size()}
			if units += r.units(); units > mostUnits {
				return gridRequests{}, fmt.Errorf("trace %s: up to job %d its jobs take %.3g CPU seconds together, want at most %.3g",
					k.traceName(), j.ID, float64(units), float64(mostUnits))
			}
			taken.requests = append(taken.requests, r)
		}
	}
	return taken, nil
}

// jobs returns the jobs of the site model, or those of the part of the trace, with submits from
// there on.
func (k *requestKey) jobs(ctx context.Context, env model.Env) ([]trace.Job, error) {
	name := names[place(k.grid)]
	if k.trace == model.TraceModel {
		m, err := workload.Find(name)
		if err != nil {
			return nil, err
		}
		return m.Generate(ctx, workload.Options{Span: k.span}, env.Seed.Child("requests").Child(k.grid))
	}
	recorded, err := env.Trace(ctx, name)
	if err != nil {
		return nil, err
	}
	jobs := trace.Window(recorded.Jobs, trace.Rules{}, k.from, k.from+k.span)
	if len(jobs) == 0 {
		return nil, fmt.Errorf("trace %s has no job in the %.4g months from month %d on, but %d whole months: "+
			"set %s_month and months to some that it has", k.traceName(), float64(k.span)/trace.Month, k.from/trace.Month+1,
			recorded.Parts(trace.Rules{}, trace.Month), name)
	}
	return jobs, nil
}

// traceName is what an error calls the Grid's trace, without its checksum.
func (k *requestKey) traceName() string {
	return model.TraceName(strings.Split(k.trace, ",")[place(k.grid)])
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
