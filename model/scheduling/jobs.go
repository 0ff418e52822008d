// Jobs: the workload of a replication, from the log or workload model to the estimates.

package scheduling

import (
	"context"
	"fmt"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/model/profile"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
	"gridsweep/model/workload/estimates"
	"gridsweep/model/workload/variation"
)

// jobs is the workload of a replication. All policies share it and must not change it. Each slice
// has one entry for each job, in the order of submits.
type jobs struct {
	list    []cluster.Job
	id      []int64
	submit  []int64 // s
	procs   []int32
	user    []int32
	machine int32 // processors

	leftOut   int64    // jobs that cleaning leaves out
	requested int64    // jobs with a requested time
	offered   *float64 // offered load; nil if it is undefined
}

// workloadOf returns the key of the workload of a point: the parameters on which the workload
// depends, the others zero.
func workloadOf(p Parameters) Parameters {
	p.Policy, p.Order, p.Overrun, p.Instant, p.Pivot, p.Placement = "", "", "", "", "", ""
	p.Partitions, p.Reservations, p.Classes = "", "", ""
	p.Warmup, p.Cooldown, p.Bound, p.Intervals = 0, 0, 0, 0
	return p
}

// makeJobs makes the workload of a replication: it takes the window of a log, or draws jobs from a
// workload model, varies them for the replication, scales run times and arrivals, and sets
// estimates.
func makeJobs(ctx context.Context, p Parameters, env model.Env) (*jobs, error) {
	w, err := readWindow(ctx, p, env)
	if err != nil {
		return nil, err
	}
	list, err := p.vary(w.jobs, env)
	if err != nil {
		return nil, p.errorf("%w", err)
	}
	if list, err = p.scale(list, w.machine); err != nil {
		if p.replication() == "shaking" {
			err = fmt.Errorf("%w; they lie within %s and are shaken by up to %s: shake by less, or take a longer log", err,
				span(w.jobs), p.Shake)
		}
		return nil, p.errorf("%w", err)
	}
	made := &jobs{
		id: make([]int64, len(list)), submit: make([]int64, len(list)), procs: make([]int32, len(list)),
		user: make([]int32, len(list)), machine: w.machine, leftOut: w.leftOut,
	}
	if load, err := variation.Load(list, int64(w.machine)); err == nil {
		made.offered = &load
	}
	for i := range list {
		job := &list[i]
		made.id[i], made.submit[i], made.procs[i], made.user[i] = job.ID, job.Submit, job.Size(), max(job.User, -1)
		if job.ReqTime > 0 {
			made.requested++
		}
	}
	rule, err := estimates.Parse(p.Estimates)
	if err != nil {
		return nil, err
	}
	if made.list, err = rule.Jobs(list, env.Seed.Stream("estimates")); err != nil {
		return nil, p.errorf("estimates %s: %w", p.Estimates, err)
	}
	return made, nil
}

// errorf returns an error that names the workload of the point.
func (p *Parameters) errorf(format string, args ...any) error {
	return fmt.Errorf("trace %s: "+format, append([]any{model.TraceName(p.Trace)}, args...)...)
}

// problemf returns an error as errorf does, with the parameter to change.
func (p *Parameters) problemf(field, format string, args ...any) error {
	return model.Problem{Field: field, Text: p.errorf(format, args...).Error()}
}

// window has the jobs that a study takes from a log or draws from a workload model, before they are
// varied for a replication.
type window struct {
	// in the order of submits, which count from the beginning of the window of a log; those of a
	// workload model from midnight
	jobs    []trace.Job
	machine int32
	leftOut int64 // jobs that cleaning leaves out
}

// readWindow returns the window of the point. The caller may change its jobs.
func readWindow(ctx context.Context, p Parameters, env model.Env) (*window, error) {
	selection, problems := p.selection()
	if len(problems) > 0 {
		return nil, problems[0]
	}
	log, machine, err := p.read(ctx, env)
	if err != nil {
		return nil, err
	}
	order := trace.Order(log, trace.Rules{Procs: machine, KeepPartial: p.KeepPartial})
	w := &window{jobs: make([]trace.Job, len(order)), machine: int32(machine), leftOut: int64(len(log) - len(order))}
	for k, i := range order {
		w.jobs[k] = log[i]
	}
	begin := int64(0) // of a workload model, whose time 0 is midnight
	if len(w.jobs) > 0 && len(traces(p)) > 0 {
		begin = w.jobs[0].Submit + int64(p.From)
	}
	if w.jobs, _, err = selection.Apply(w.jobs); err != nil {
		return nil, p.errorf("%w", err)
	}
	if p.MaxJobs > 0 {
		w.jobs = w.jobs[:min(p.MaxJobs, int64(len(w.jobs)))]
	}
	if len(w.jobs) == 0 {
		field := p.emptiedBy(w.leftOut == int64(len(log)))
		return nil, p.problemf(field, "no job of %d is left: %d cannot be simulated on %d processors, "+
			"the window or selection takes none of the others", len(log), w.leftOut, machine)
	}
	for i := range w.jobs {
		w.jobs[i].Submit -= begin
	}
	return w, nil
}

// emptiedBy returns the parameter to change when no job is left: procs or trace if cleaning leaves
// out all of them, else the first parameter that selects jobs.
func (p *Parameters) emptiedBy(byCleaning bool) string {
	for _, limit := range []struct {
		field string
		isSet bool
	}{
		{"procs", byCleaning && p.Procs > 0}, {"trace", byCleaning},
		{"from", p.From > 0}, {"to", p.To > 0}, {"partition", p.Partition != ""}, {"site", p.Site != ""},
		{"user", p.User != ""}, {"queue", p.Queue != ""}, {"status", p.Status != ""},
	} {
		if limit.isSet {
			return limit.field
		}
	}
	return "trace"
}

// read returns all jobs of the log, or those that a workload model draws in the replication, and
// the processors of the machine. Runs share the jobs of a log: the caller must not change them.
func (p *Parameters) read(ctx context.Context, env model.Env) (log []trace.Job, machine int64, err error) {
	names := traces(*p)
	if len(names) == 0 {
		m, err := workload.Find(workloadModel(*p))
		if err != nil {
			return nil, 0, err
		}
		if machine = p.Procs; machine == 0 {
			machine = int64(m.Procs())
		}
		options := workload.Options{Jobs: p.jobsDrawn()}
		if m.Scalable {
			options.Procs = int32(machine)
		}
		drawn, err := m.Generate(ctx, options, env.Seed.Child("workload"))
		return drawn, machine, err
	}
	read, err := env.Trace(ctx, names[0])
	if err != nil {
		return nil, 0, err
	}
	if len(read.Jobs) == 0 {
		return nil, 0, p.problemf("trace", "has no job")
	}
	if machine = p.Procs; machine == 0 {
		var from string
		switch machine, from = read.Header.Procs(); {
		case machine == 0:
			return nil, 0, p.problemf("trace", "%s: set procs to the processors of the machine", read.Header.WhyNoProcs())
		case machine > int64(profile.MostProcs):
			return nil, 0, p.errorf("%s is %d: a machine has at most %d processors; set procs",
				from, machine, profile.MostProcs)
		}
	}
	return read.Jobs, machine, nil
}

// replication returns what differs between replications: the parameter with auto resolved. For a
// workload model it is seeds, as each replication draws another workload.
func (p *Parameters) replication() string {
	switch {
	case len(traces(*p)) == 0:
		return "seeds"
	case p.Replication != "auto":
		return p.Replication
	default:
		return "shaking"
	}
}

// vary returns the jobs as the replication varies them.
func (p *Parameters) vary(list []trace.Job, env model.Env) ([]trace.Job, error) {
	draws := env.Seed.Stream("replication")
	switch p.replication() {
	case "parts":
		return variation.Segment(list, int(p.Segments), env.Replication)
	case "shaking":
		if within := span(list); p.Shake > within {
			return nil, fmt.Errorf("shaking moves submits by up to %s, the parameter shake, and those of the %d jobs lie "+
				"within %s: shake them by less, as set: {shake: %s} does, or not at all, with replication: seeds",
				p.Shake, len(list), within, max(1, within/8))
		}
		return variation.Shaking{Most: int64(p.Shake), Burst: int64(p.Burst)}.Shake(list, draws)
	case "weeks":
		return variation.Weeks(list, 0, draws)
	case "users":
		return variation.Users(list, 0, draws)
	default:
		return list, nil
	}
}

// span returns the time from the first to the last submit of jobs, of which there is one at least.
func span(list []trace.Job) model.Seconds {
	return model.Seconds(list[len(list)-1].Submit - list[0].Submit)
}

// scale returns the jobs with run times multiplied, and arrivals multiplied or scaled to the
// offered load on the machine. It changes list.
func (p *Parameters) scale(list []trace.Job, machine int32) ([]trace.Job, error) {
	factors := trace.Selection{ScaleArrivals: p.ScaleArrivals, ScaleRuntimes: p.ScaleRuntimes}
	list, _, err := factors.Apply(list)
	if err != nil || p.Load == 0 {
		return list, err
	}
	return variation.ToLoad(list, int64(machine), p.Load)
}
