package multisite

// Schedule: what a simulation of the providers and the gateway leaves, shared by all runs that can
// only have the same one.

import (
	"context"

	"gridsweep/model"
)

// schedule is where and when the jobs of a replication run.
type schedule struct {
	jobs *jobs
	last int64 // second of the last arrival, which is the end of the run
	starts
	placed      []placement // of the Grid jobs
	messages    [messages]int64
	republished int64
}

// starts are the starts of all jobs, in s; never if a job does not start before the simulation
// ends.
type starts struct {
	grid  []int64
	local [][]int64 // by provider
}

// placement is what the gateway did with a Grid job.
type placement struct {
	provider    int32 // index, or rejected
	number      int32 // of the job on the site, or reserved
	expected    int64 // start; never if the gateway expected none
	refusals    int32
	withoutSlot bool
}

const (
	rejected = -1 // the provider of a rejected job
	reserved = -1 // the number of a job that runs in its reservation
)

// simulateJobs simulates a replication up to the last arrival. Its errors are those of reading the
// trace, of jobs larger than every cluster, and of ctx.
func simulateJobs(ctx context.Context, p Parameters, env model.Env) (*schedule, error) {
	all, err := draw(ctx, p, env)
	if err != nil {
		return nil, err
	}
	var base *starts
	if p.usesBase() {
		if base, err = model.Memo(ctx, env, baseParameters(p), simulateBase); err != nil {
			return nil, err
		}
	}
	if p.DeadlineShare > 0 {
		all.drawDeadlines(p, base, env)
	}
	world, err := newWorld(p, all, base)
	if err != nil {
		return nil, err
	}
	if err := world.run(ctx, world.last); err != nil {
		return nil, err
	}
	return world.result(), nil
}

// usesBase reports whether the simulation depends on the base run: by deadlines or by the oracle.
func (p *Parameters) usesBase() bool {
	return p.DeadlineShare > 0 || p.Provider == "ArEbMf" && p.Forecast == "oracle"
}

// effective returns the parameters with defaults in place of those that do not change the
// schedule. Metrics may still depend on these: improvement ratios do on the base run.
func effective(p Parameters) Parameters {
	p.Tolerance = defaults.Tolerance
	if p.DeadlineShare == 0 {
		p.Stringency, p.Deadline = defaults.Stringency, defaults.Deadline
	}
	if p.Gateway != "earliest-partial" {
		p.Interval, p.Horizon = defaults.Interval, defaults.Horizon
	}
	if p.Provider != "ArEbM" && p.Provider != "ArCbM" {
		p.Shares = defaults.Shares
	}
	if p.Provider != "ArEbMf" {
		p.Training, p.ForecastLoad, p.Forecast = defaults.Training, defaults.ForecastLoad, defaults.Forecast
		p.NoShare, p.Line8, p.Underestimate = defaults.NoShare, defaults.Line8, defaults.Underestimate
	}
	if p.Provider != "ArEbMf" || p.Underestimate == "ignore" {
		p.Checks = defaults.Checks
	}
	if p.usesBase() {
		return p // the base run depends on all others
	}
	if p.Gateway != "least-load" {
		p.ReportInterval, p.CountsWaiting = defaults.ReportInterval, defaults.CountsWaiting
	}
	if p.Provider != "ArEb" && p.Provider != "ArEbM" {
		p.Pivot = defaults.Pivot
	}
	return p
}
