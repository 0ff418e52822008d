// World: the event loop of a run over the gateway and the providers.

package multisite

import (
	"context"
	"fmt"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/model/workload"
)

// world is the state of a simulation: the providers, what the gateway knows of them, and the
// decisions on Grid jobs.
type world struct {
	*jobs
	p         Parameters
	base      *baseStarts // nil in the base run itself
	providers []provider

	arrived int   // number of Grid jobs that have arrived
	last    int64 // second of the last arrival
	until   int64 // last second that is simulated
	// next second of load reports or publications; never after the last arrival and under
	// earliest-ask
	nextTick int64
	fits     []int64 // scratch of place: earliest start at each provider

	decisions   []decision // of the Grid jobs
	messages    [messageCount]int64
	republished int64
}

// decision is what the gateway did with a Grid job.
type decision struct {
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

// newWorld returns the simulation of the jobs before its first event.
func newWorld(p Parameters, all *jobs, base *baseStarts) (*world, error) {
	world := &world{p: p, jobs: all, base: base, last: all.lastArrival(), decisions: make([]decision, len(all.gridJobs))}
	sizes, total := workload.Sizes(p.Sizes), int64(0)
	for _, procs := range sizes {
		total += int64(procs)
	}
	for i, procs := range sizes {
		config, err := siteConfig(p, procs)
		if err != nil {
			return nil, fmt.Errorf("provider %d: %w", i+1, err)
		}
		site, err := cluster.New(config)
		if err != nil {
			return nil, fmt.Errorf("provider %d: %w", i+1, err)
		}
		// makes room for all local jobs, and for Grid jobs by the share of the processors
		site.Grow(len(all.localJobs[i]) + int(int64(len(all.gridJobs))*int64(procs)/total))
		v := provider{
			procs: procs, offered: procs, site: site, slots: site.NewAvailability(),
			localJobs: all.localJobs[i], numbers: make([]int32, len(all.localJobs[i])),
		}
		if p.Provider == "ArEbMf" {
			v.forecast = newLoadForecast(&world.p, site, procs, procs/2)
			if p.Forecast == "oracle" {
				v.forecast.predict = oracle(&p, &v, base.localJobs[i])
			}
		}
		v.findNext()
		world.providers = append(world.providers, v)
	}
	world.fits = make([]int64, len(world.providers))
	if p.Gateway == "earliest-ask" {
		world.nextTick = never
	}
	return world, nil
}

// run simulates all seconds up to until, inclusive: the last arrival, or never, for all jobs to
// end. Its errors are those of ctx and of jobs that a site rejects.
func (w *world) run(ctx context.Context, until int64) error {
	w.until = until
	for i := 0; ; i++ {
		if model.Cancelled(ctx, i) {
			return ctx.Err()
		}
		now := w.next()
		if now > until || now == never {
			return nil
		}
		if err := w.second(now); err != nil {
			return err
		}
	}
}

// next returns the next second with an event, or never.
func (w *world) next() int64 {
	next := w.nextTick
	if w.arrived < len(w.gridJobs) {
		next = min(next, w.gridJobs[w.arrived].Submit)
	}
	for i := range w.providers {
		next = min(next, w.providers[i].next)
	}
	return next
}

// second simulates one second, in the order of docs/explanation/papers/multisite.md.
func (w *world) second(now int64) error {
	for i := range w.providers {
		v := &w.providers[i]
		if v.next > now {
			continue
		}
		if v.site.Next() == now {
			v.site.Finish(now)
			v.site.Pass(now)
		}
		if err := v.submitLocal(now); err != nil {
			return fmt.Errorf("provider %d: %w", i+1, err)
		}
		v.findNext()
	}
	w.tick(now)
	for w.arrived < len(w.gridJobs) && w.gridJobs[w.arrived].Submit == now {
		w.arrived++
		if err := w.place(now, w.arrived-1); err != nil {
			return fmt.Errorf("job %d of the Grid: %w", w.arrived, err)
		}
	}
	return nil
}

// tick sends the load reports and publications that are due now, and compares loads with forecasts.
func (w *world) tick(now int64) {
	due := w.nextTick == now
	for i := range w.providers {
		v := &w.providers[i]
		switch {
		case due && w.p.Gateway == "least-load":
			w.report(now, v)
		case due:
			w.publish(now, v)
			v.findNext()
		case len(v.checks) > 0 && v.checks[0] == now:
			v.checks = v.checks[1:]
			w.check(now, v)
			v.findNext()
		}
	}
	if !due {
		return
	}
	every := int64(w.p.Interval)
	if w.p.Gateway == "least-load" {
		every = int64(w.p.ReportInterval)
	}
	if w.nextTick += every; w.nextTick > w.last {
		w.nextTick = never
	}
}

// report sends the gateway the load of a provider.
func (w *world) report(now int64, v *provider) {
	v.load = v.inUse(now)
	if w.p.CountsWaiting {
		v.load += v.site.Wanted()
	}
	w.count(now, 1, loadReport)
}

// publish sends the gateway the free slots of a provider. A provider of ArEbMf first forecasts its
// load and resizes its partitions (Algorithm 1, lines 1 to 15).
func (w *world) publish(now int64, v *provider) {
	if v.forecast != nil {
		v.offered = v.forecast.publish(now)
		v.checks = v.checks[:0]
		if v.offered == 0 && w.p.NoShare == "silent" {
			return
		}
		if v.offered > 0 && w.p.Underestimate != "ignore" {
			v.checks = appendChecks(v.checks, now, w.p, w.last)
		}
	}
	w.show(now, v)
	w.count(now, 1, slotList)
}

// appendChecks appends the seconds at which the load is compared with the forecast before the next
// publication.
func appendChecks(checks []int64, now int64, p Parameters, last int64) []int64 {
	for k := int64(1); k < p.Checks; k++ {
		if at := now + int64(p.Interval)*k/p.Checks; at <= last {
			checks = append(checks, at)
		}
	}
	return checks
}

// check compares the load with the forecast. If that resizes the partitions, under republish the
// provider publishes again (Algorithm 1, lines 16 to 29).
func (w *world) check(now int64, v *provider) {
	var resized bool
	v.offered, resized = v.forecast.reallocate(now)
	if !resized || w.p.Underestimate != "republish" {
		return
	}
	w.show(now, v)
	w.count(now, 1, slotList)
	if now >= int64(w.p.Warmup) {
		w.republished++
	}
}

// show gives the gateway the present free slots of a provider. The caller counts the message.
func (w *world) show(now int64, v *provider) {
	until := never
	if w.p.Horizon == "interval" {
		until = now + int64(w.p.Interval)
	}
	v.site.Show(v.slots, now, until, v.offered)
}

// gridStart returns the start of a Grid job; never if it starts after the end of the run, in a
// reservation or not, or is rejected.
func (w *world) gridStart(index int) int64 {
	switch d := &w.decisions[index]; {
	case index >= w.arrived || d.provider == rejected:
		return never
	case d.number == reserved && d.expected > w.until:
		return never
	case d.number == reserved:
		return d.expected
	default:
		start, _ := w.providers[d.provider].site.Start(int(d.number))
		return start
	}
}

// localStart returns the start of a local job of a provider; never if it has not started.
func (w *world) localStart(provider, index int) int64 {
	v := &w.providers[provider]
	if index >= v.arrived {
		return never
	}
	start, _ := v.site.Start(int(v.numbers[index]))
	return start
}
