// Workload: drawing the requests of a replication.

package coallocation

import (
	"context"
	"strconv"

	"gridsweep/model"
	"gridsweep/model/rng"
)

// request is a request for all its tasks at once, in one window of length service between earliest
// and deadline.
type request struct {
	arrival  model.Seconds
	earliest model.Seconds // t_EST
	deadline model.Seconds // t_D
	service  model.Seconds // t_ET, of every task
	types    []uint16      // of the resource that each task needs
}

// work returns the execution times of all tasks together (section 3.2.4.1).
func (r *request) work() model.Seconds { return r.service * model.Seconds(len(r.types)) }

// workloadOf returns the parameters that requests depend on, the others zero: all algorithms of a
// replication meet the same.
func workloadOf(p Parameters) Parameters {
	return Parameters{
		Requests: p.Requests, Lambda: p.Lambda, Delay: p.Delay, ServiceMin: p.ServiceMin, ServiceMax: p.ServiceMax,
		Laxity: p.Laxity, Slack: p.Slack, Granularity: p.Granularity,
		TasksMin: p.TasksMin, TasksMax: p.TasksMax, ResourceTypes: p.ResourceTypes, Types: p.Types,
	}
}

// generate draws the requests in order of arrival. Every quantity has its own stream and is a
// scaled uniform or unit exponential, so points of a replication share the draws. Times are
// multiples of the granularity: the clock is rounded, not the gaps between arrivals, or their error
// would add up.
func generate(ctx context.Context, p Parameters, env model.Env) ([]request, error) {
	arrivals, delays, services := env.Seed.Stream("arrivals"), env.Seed.Stream("delay"), env.Seed.Stream("service")
	counts := env.Seed.Stream("tasks")
	types := typeDrawer(p, env)

	requests := make([]request, p.Requests)
	clock := 0.0 // in mean times between arrivals
	for i := range requests {
		if model.Cancelled(ctx, i) {
			return nil, ctx.Err()
		}
		clock += arrivals.Exp()
		r := &requests[i]
		r.arrival = p.toGranularity(float64(clock*60) / p.Lambda)
		r.earliest = r.arrival + p.toGranularity(delays.Uniform(0, float64(p.Delay)))
		r.service = max(p.Granularity, p.toGranularity(services.Uniform(float64(p.ServiceMin), float64(p.ServiceMax))))
		r.deadline = r.earliest + p.toGranularity(float64(p.Laxity*float64(r.service)))
		if p.Slack == "beyond" {
			r.deadline += r.service
		}
		r.types = types(int(p.TasksMin) + counts.Intn(int(p.TasksMax-p.TasksMin)+1))
	}
	return requests, nil
}

// typeDrawer returns the function that gives the types of the next request's n tasks. Every request
// draws for all positions, so points that differ in the number of tasks share the draws too.
func typeDrawer(p Parameters, env model.Env) func(n int) []uint16 {
	all := int(p.ResourceTypes)
	switch p.Types {
	case "random":
		streams := typeStreams(p, env)
		return func(n int) []uint16 {
			types := make([]uint16, len(streams))
			for i, stream := range streams {
				types[i] = uint16(stream.Intn(all))
			}
			return types[:n:n]
		}
	case "distinct", "first":
		streams := typeStreams(p, env)
		fixed := 0 // tasks whose type is their index
		if p.Types == "first" {
			fixed = 1
		}
		return func(n int) []uint16 {
			types := identity(all)
			for i := fixed; i < len(streams); i++ {
				j := i + streams[i].Intn(all-i)
				types[i], types[j] = types[j], types[i]
			}
			return types[:n:n]
		}
	default: // nested: a request of n tasks needs the first n types
		types := identity(int(p.TasksMax))
		for i := range types {
			types[i] %= uint16(all)
		}
		return func(n int) []uint16 { return types[:n:n] }
	}
}

// typeStreams returns a stream for each position of a task in its request.
func typeStreams(p Parameters, env model.Env) []*rng.Stream {
	types := env.Seed.Child("types")
	streams := make([]*rng.Stream, p.TasksMax)
	for i := range streams {
		streams[i] = types.Stream(strconv.Itoa(i))
	}
	return streams
}

func identity(n int) []uint16 {
	p := make([]uint16, n)
	for i := range p {
		p[i] = uint16(i)
	}
	return p
}

// toGranularity returns the multiple of the granularity nearest to a time that is not negative.
func (p *Parameters) toGranularity(seconds float64) model.Seconds {
	return model.Seconds(seconds/float64(p.Granularity)+0.5) * p.Granularity
}
