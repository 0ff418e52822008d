// Simulation: one run of a workload under a policy, the measures of its schedule, and the cost of
// the run.

package scheduling

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/model/cluster/protocol"
	"gridsweep/model/metrics"
	"gridsweep/model/workload/variation"
)

// simulate runs the workload of the replication under the policy, and measures the schedule.
func simulate(ctx context.Context, p Parameters, env model.Env) (Outcome, error) {
	config, problems := p.Machine()
	if len(problems) > 0 {
		return Outcome{}, fmt.Errorf("%s: %s", problems[0].Field, problems[0].Text)
	}
	made, err := model.Memo(ctx, env, workloadOf(p), makeJobs)
	if err != nil {
		return Outcome{}, err
	}
	config.Procs = made.machine
	end := env.Span("simulate", len(made.list))
	const bits = 53 // a program in any language can read integers of 53 bits exactly
	seed := int64(env.Seed.Stream("program").Uint64() >> (64 - bits))
	times, err := protocol.Simulate(ctx, config, made.list, made.id, env.Program, seed)
	end()
	if err != nil {
		return Outcome{}, p.errorf("%w", err)
	}
	defer env.Span("measure", len(made.list))()
	return p.measure(made, metrics.Schedule{Submit: made.submit, Start: times.Start, End: times.End, Procs: made.procs})
}

// probabilities are those of the quantiles in the table distribution.
var probabilities = []float64{0.01, 0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 0.99, 0.999}

// measure measures a schedule of the jobs.
func (p *Parameters) measure(made *jobs, s metrics.Schedule) (Outcome, error) {
	measured := metrics.Window{Warmup: int64(p.Warmup), Cooldown: int64(p.Cooldown), Bound: int64(p.Bound)}
	summary, err := metrics.Summarise(s, made.machine, measured)
	if err != nil {
		return Outcome{}, p.errorf("%w", err)
	}
	o := Outcome{
		Machine: int64(made.machine), LeftOut: made.leftOut, Requested: made.requested, OfferedLoad: made.offered,
		All: int64(summary.All), Span: model.Seconds(summary.Span), Makespan: model.Seconds(summary.Makespan),
		Utilisation: summary.Utilisation, Jobs: int64(summary.Jobs), Backfilled: int64(summary.Backfilled),
		WaitMean: summary.Wait.Mean, WaitMedian: summary.Wait.Median,
		WaitP95: summary.Wait.P95, WaitMax: summary.Wait.Max,
		ResponseMean: summary.Response.Mean, ResponseMedian: summary.Response.Median,
		ResponseP95: summary.Response.P95, ResponseMax: summary.Response.Max,
		SlowdownMean: summary.Slowdown.Mean, SlowdownMedian: summary.Slowdown.Median,
		SlowdownP95: summary.Slowdown.P95, SlowdownMax: summary.Slowdown.Max,
		BoundedSlowdownMean: summary.Bounded.Mean, BoundedSlowdownMedian: summary.Bounded.Median,
		BoundedSlowdownP95: summary.Bounded.P95, BoundedSlowdownMax: summary.Bounded.Max,
		Each: rowsOf(made, s),
	}
	for i := range made.list {
		if s.End[i]-s.Start[i] < made.list[i].Run {
			o.Killed++
		}
	}
	if o.ByClass, err = p.byClass(made, s, measured); err != nil {
		return o, err
	}
	if err := o.byUser(made, s, measured); err != nil {
		return o, err
	}
	if o.Distribution, err = metrics.Distribution(s, measured, probabilities); err != nil {
		return o, err
	}
	o.OverTime, err = metrics.OverTime(s, made.machine, int(p.Intervals))
	return o, err
}

// byClass returns one row for each class, also for classes without jobs.
func (p *Parameters) byClass(made *jobs, s metrics.Schedule, measured metrics.Window) ([]ClassRow, error) {
	c, err := parseClasses(p.Classes)
	if err != nil {
		return nil, err
	}
	keys := make([]int32, len(made.list))
	for i := range made.list {
		keys[i] = c.of(int64(made.list[i].Procs), made.list[i].Run)
	}
	groups, err := metrics.By(s, measured, keys)
	if err != nil {
		return nil, err
	}
	rows := make([]ClassRow, c.count())
	for k := range rows {
		rows[k].Size, rows[k].Run = c.names(k)
	}
	for i := range groups {
		g := &groups[i]
		row := &rows[g.Key]
		row.Jobs, row.Share = int64(g.Jobs), g.Share
		row.Wait, row.Response, row.Slowdown, row.Bounded = &g.Wait.Mean, &g.Response.Mean, &g.Slowdown.Mean, &g.Bounded.Mean
	}
	return rows, nil
}

// byUser sets the rows of users and the fairness of the schedule to known users.
func (o *Outcome) byUser(made *jobs, s metrics.Schedule, measured metrics.Window) error {
	groups, err := metrics.By(s, measured, made.user)
	if err != nil {
		return err
	}
	var waits, slowdowns []float64
	for _, g := range groups {
		o.ByUser = append(o.ByUser, UserRow{
			User: int64(g.Key), Jobs: int64(g.Jobs), Share: g.Share,
			Wait: g.Wait.Mean, Slowdown: g.Slowdown.Mean, Bounded: g.Bounded.Mean,
		})
		if g.Key >= 0 {
			waits, slowdowns = append(waits, g.Wait.Mean), append(slowdowns, g.Bounded.Mean)
		}
	}
	o.JainWait, o.GiniWait = metrics.JainIndex(waits), metrics.Gini(waits)
	o.JainSlowdown, o.GiniSlowdown = metrics.JainIndex(slowdowns), metrics.Gini(slowdowns)
	return nil
}

// rowsOf yields the rows of the jobs of a schedule.
func rowsOf(made *jobs, s metrics.Schedule) iter.Seq[JobRow] {
	return func(yield func(JobRow) bool) {
		for i := range made.list {
			row := JobRow{
				Number: int64(i) + 1, ID: made.id[i], User: int64(made.user[i]), Procs: int64(made.procs[i]),
				Submit: model.Seconds(made.submit[i]), Start: model.Seconds(s.Start[i]), End: model.Seconds(s.End[i]),
				Estimate: model.Seconds(made.list[i].Estimate),
			}
			if !yield(row) {
				return
			}
		}
	}
}

// check returns how many jobs of the log cleaning leaves out. It returns an error if runs of the
// point would fail, or if all replications of it would be equal.
func check(ctx context.Context, p Parameters, replications int, env model.Env) (leftOut int64, err error) {
	rule := p.replication()
	switch {
	case len(traces(p)) == 0 || replications == 0:
		return 0, nil
	case rule == "parts" && int64(replications) > p.Segments:
		return 0, p.problemf("parts", "%d replications each replay one segment of the log, and parts is %d: raise parts or "+
			"take fewer replications", replications, p.Segments)
	case rule == "seeds" && replications > 1 && !p.drawsEstimates():
		return 0, p.problemf("replication", "its %d replications would be equal: the parameter replication is seeds, "+
			"and estimates %s draw nothing; take one replication, or another value of replication", replications, p.Estimates)
	}
	key := workloadOf(p) // checkVariation reads neither loads, factors nor estimates
	key.Load, key.ScaleArrivals, key.ScaleRuntimes, key.Estimates = 0, 1, 1, "exact"
	log, err := model.Memo(ctx, env, key, checkVariation)
	if err != nil {
		return 0, err
	}
	if err := p.checkMachine(log); err != nil {
		return log.leftOut, err
	}
	return log.leftOut, p.checkLoad(ctx, log, env)
}

// shortSpan, in s: jobs submitted within less may be unable to have a load, as submits are whole
// seconds.
const shortSpan = 1000

// checkLoad returns an error if the jobs of a short log cannot have the offered load in the
// replication of env.
func (p *Parameters) checkLoad(ctx context.Context, log checkedLog, env model.Env) error {
	if p.Load == 0 || !p.replaysAll() || p.scaledSpan(log) >= shortSpan {
		return nil
	}
	if _, err := model.Memo(ctx, env, workloadOf(*p), makeJobs); err != nil {
		return model.Problem{Field: "load", Text: err.Error()}
	}
	return nil
}

// replaysAll reports whether each replication replays the whole log.
func (p *Parameters) replaysAll() bool {
	return p.replication() == "seeds" || p.replication() == "shaking"
}

// scaledSpan returns the s from the first to the last submit of the log with its arrivals scaled.
func (p *Parameters) scaledSpan(log checkedLog) float64 {
	if p.Load > 0 {
		return log.span * log.load * p.ScaleRuntimes / p.Load
	}
	return log.span * p.ScaleArrivals
}

// checkMachine returns an error if the configuration is invalid for the size of the machine, or if
// warm-up and cool-down leave no job to measure. It checks the latter where each replication
// replays the whole log.
func (p *Parameters) checkMachine(log checkedLog) error {
	config, problems := p.Machine()
	if len(problems) > 0 {
		return problems[0]
	}
	config.Procs = log.machine
	if _, err := cluster.New(config); err != nil {
		field := rejected(config)
		if field == "procs" && p.Procs == 0 {
			field = "trace" // its header has the processors
		}
		return p.problemf(field, "%w", err)
	}
	span := p.scaledSpan(log)
	// with room for the shaking of submits at both ends
	if unmeasured := float64(p.Warmup + p.Cooldown); p.replaysAll() && unmeasured > span+2*float64(p.Shake) {
		field := "warmup"
		if p.Cooldown > p.Warmup {
			field = "cooldown"
		}
		return p.problemf(field, "a warm-up of %s and a cool-down of %s leave no job of a span of %.0f s",
			p.Warmup, p.Cooldown, span)
	}
	return nil
}

// drawsEstimates reports whether the estimates are drawn at random.
func (p *Parameters) drawsEstimates() bool {
	return strings.HasPrefix(p.Estimates, "tsafrir") || strings.HasPrefix(p.Estimates, "uniform")
}

// checkedLog describes the window of a log whose jobs can be varied for a replication.
type checkedLog struct {
	machine int32
	span    float64 // s from the first to the last submit
	load    float64 // offered load; 0 if all jobs have the same submit
	leftOut int64   // jobs that cleaning leaves out
}

// checkVariation describes the window of a log. It returns an error if the log cannot be read, if
// the window has no jobs, or if they cannot be varied for the replication.
func checkVariation(ctx context.Context, p Parameters, env model.Env) (checkedLog, error) {
	w, err := readWindow(ctx, p, env)
	if err != nil {
		return checkedLog{}, err
	}
	log := checkedLog{machine: w.machine, span: float64(span(w.jobs)), leftOut: w.leftOut}
	log.load, _ = variation.Load(w.jobs, int64(w.machine))
	if _, err := p.vary(w.jobs, env); err != nil {
		field := "replication"
		switch p.replication() {
		case "parts":
			field = "parts"
		case "shaking":
			if field = "burst"; p.Shake > span(w.jobs) {
				field = "shake"
			}
		}
		return checkedLog{}, p.problemf(field, "%w", err)
	}
	return log, nil
}

// cost is the expected time of a run, in the time of one job under EASY backfilling. The weights of
// policies come from docs/explanation/performance.md, for queues of some hundred jobs.
func cost(p Parameters) float64 {
	work := 50_000.0 // jobs of a log, roughly
	if len(traces(p)) == 0 || p.MaxJobs > 0 {
		work = float64(p.jobsDrawn())
	}
	if p.replication() == "parts" {
		work /= float64(p.Segments)
	}
	switch {
	case strings.HasPrefix(p.Policy, "conservative") || p.Policy == "easy:all":
		work *= 5
	case cluster.IsProgram(p.Policy):
		work *= 30 // for the exchange of messages; the time that the program takes is unknown
	}
	return work
}
