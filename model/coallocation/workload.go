package coallocation

// Workload: drawing the requests of a replication.

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

// workload names the parameters that requests depend on: all algorithms of a replication meet the
// same.
type workload struct {
	requests               int64
	lambda                 float64
	delay                  model.Seconds
	serviceMin, serviceMax model.Seconds
	laxity                 float64
	slack                  string
	granularity            model.Seconds
	tasksMin, tasksMax     int64
	resourceTypes          int64
	types                  string
}

func workloadOf(p Parameters) workload {
	return workload{
		requests: p.Requests, lambda: p.Lambda, delay: p.Delay, serviceMin: p.ServiceMin, serviceMax: p.ServiceMax,
		laxity: p.Laxity, slack: p.Slack, granularity: p.Granularity,
		tasksMin: p.TasksMin, tasksMax: p.TasksMax, resourceTypes: p.ResourceTypes, types: p.Types,
	}
}

// generate draws the requests in order of arrival. Every quantity has its own stream and is a
// scaled uniform or unit exponential, so points of a replication share the draws. Times are
// multiples of the granularity: the clock is rounded, not the gaps between arrivals, or their error
// would add up.
func generate(ctx context.Context, w workload, env model.Env) ([]request, error) {
	arrivals, delays, services := env.Seed.Stream("arrivals"), env.Seed.Stream("delay"), env.Seed.Stream("service")
	counts := env.Seed.Stream("tasks")
	types := typeDrawer(w, env)

	requests := make([]request, w.requests)
	clock := 0.0 // in mean times between arrivals
	for i := range requests {
		if i%cancelEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		clock += arrivals.Exp()
		r := &requests[i]
		r.arrival = w.toGranularity(float64(clock*60) / w.lambda)
		r.earliest = r.arrival + w.toGranularity(delays.Uniform(0, float64(w.delay)))
		r.service = max(w.granularity, w.toGranularity(services.Uniform(float64(w.serviceMin), float64(w.serviceMax))))
		r.deadline = r.earliest + w.toGranularity(float64(w.laxity*float64(r.service)))
		if w.slack == "beyond" {
			r.deadline += r.service
		}
		r.types = types(int(w.tasksMin) + counts.Intn(int(w.tasksMax-w.tasksMin)+1))
	}
	return requests, nil
}

// typeDrawer returns the function that gives the types of the next request's n tasks. Every request
// draws for all positions, so points that differ in the number of tasks share the draws too.
func typeDrawer(w workload, env model.Env) func(n int) []uint16 {
	all := int(w.resourceTypes)
	switch w.types {
	case "random":
		streams := typeStreams(w, env)
		return func(n int) []uint16 {
			types := make([]uint16, len(streams))
			for i, stream := range streams {
				types[i] = uint16(stream.Intn(all))
			}
			return types[:n:n]
		}
	case "distinct", "first":
		streams := typeStreams(w, env)
		fixed := 0 // tasks whose type is their index
		if w.types == "first" {
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
	default: // nested: one prefix serves every request
		types := identity(int(w.tasksMax))
		for i := range types {
			types[i] %= uint16(all)
		}
		return func(n int) []uint16 { return types[:n:n] }
	}
}

// typeStreams returns a stream for each position of a task in its request.
func typeStreams(w workload, env model.Env) []*rng.Stream {
	types := env.Seed.Child("types")
	streams := make([]*rng.Stream, w.tasksMax)
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

// toGranularity returns the multiple of the granularity next to a time that is not negative.
func (w workload) toGranularity(seconds float64) model.Seconds {
	return model.Seconds(seconds/float64(w.granularity)+0.5) * w.granularity
}
