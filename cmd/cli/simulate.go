package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gridsweep/analysis/draw"
	"gridsweep/model/cluster"
	"gridsweep/model/metrics"
	"gridsweep/model/profile"
	"gridsweep/model/rng"
	"gridsweep/model/trace"
	"gridsweep/pipeline"
	"gridsweep/results/schedule"
)

// simulateOptions are the flags of simulate.
type simulateOptions struct {
	trace            traceFlags
	cluster          clusterFlags
	policies, by     []string
	warmup, cooldown string
	format, plot     string
	out, outFormat   string
}

func newSimulate(t *terminal) *cobra.Command {
	var o simulateOptions
	c := &cobra.Command{
		Use:   "simulate TRACE|-",
		Short: "Simulate a machine that works off a trace of jobs, and measure the schedule",
		Long: `Simulate how a space-shared machine works off the jobs of a trace under one or several scheduling policies,
and print utilisation, waits, responses, slowdowns and bounded slowdowns (bound 10 s). TRACE is a file in the
Standard or Grid Workload Format, plain or packed with gzip, zstd or bzip2, - for standard input, or the name of
a trace that gridsweep trace list shows.

Policies: fcfs; easy, which is easy:1; easy:k with k pivots; easy:all, which plans the whole queue anew at each
pass; conservative, with compression; conservative:fixed, where the start is fixed at arrival.
Orders: ` + strings.Join(cluster.OrderNames(), ", ") + `.
Estimates: exact (the run time), user (the time requested), factor:F, uniform:F (run time times 1 to F).
docs/scheduling.md says what happens in which order in a second, docs/simulate.md how to read what is printed,
written and drawn.`,
		Example: `  gridsweep simulate NASA-iPSC-1993-3.1-cln.swf.gz
  gridsweep simulate CTC-SP2-1996-3.1-cln.swf.gz --policy fcfs --policy easy --policy conservative --estimates user
  gridsweep simulate log.swf --procs 128 --by size --format csv > sizes.csv
  gridsweep simulate log.swf --months 1 --policy easy --out easy.parquet --plot easy.png
  zcat log.swf.gz | gridsweep simulate - --policy conservative --warmup 7d`,
		Args: oneTrace,
		RunE: func(c *cobra.Command, args []string) error {
			for _, name := range []string{"out", "plot"} {
				if flag := c.Flags().Lookup(name); flag.Changed && flag.Value.String() == "" {
					return usageErrorf("--%s: is empty; name a file", name)
				}
			}
			return t.simulate(c.Context(), &o, args[0])
		},
	}
	o.trace.addFlags(t, c)
	o.cluster.addFlags(c)
	flags := c.Flags()
	flags.StringSliceVar(&o.policies, "policy", []string{"easy"}, "scheduling `policy` (may be repeated)")
	flags.StringVar(&o.warmup, "warmup", "",
		"measure no job submitted in this `time` after the first submit: seconds, or 90m, 36h, 7d")
	flags.StringVar(&o.cooldown, "cooldown", "", "measure no job submitted in this `time` before the last submit")
	flags.StringSliceVar(&o.by, "by", nil, "measure groups of jobs too, `user` or size (may be repeated)")
	flags.StringVar(&o.format, "format", "table", "`table`, json or csv")
	flags.StringVar(&o.out, "out", "",
		"write the schedule to this `file`; of several policies, each to its own, such as out.easy-2.csv")
	flags.StringVar(&o.outFormat, "out-format", "", "parquet, csv, swf or batsim (default: by the ending of --out)")
	flags.StringVar(&o.plot, "plot", "",
		"draw a Gantt chart, utilisation and queue over time to this `file`, .svg or .png, or each policy as both to a folder")
	return c
}

// simulation is what simulate does, as the flags and the trace say.
type simulation struct {
	trace     *loadedTrace
	config    cluster.Config // without the policy
	policies  []cluster.Policy
	estimates cluster.Estimates
	window    metrics.Window
	format    schedule.Format // of --out
	jobs      []cluster.Job
	common    schedule.Schedule // what the schedules of all policies share
	outcomes  []outcome
	lines     []draw.Timeline // for --plot
}

// outcome is a policy's schedule in numbers.
type outcome struct {
	policy string
	metrics.Summary
	groups []grouping
}

func (t *terminal) simulate(ctx context.Context, o *simulateOptions, path string) error {
	// Below 24 MB no collection: for a trace of some ten thousand jobs one would be a tenth of all work.
	// release goes back for large ones.
	defer debug.SetGCPercent(debug.SetGCPercent(600))
	s, err := o.prepare(ctx)
	if err != nil {
		return err
	}
	if s.trace, err = o.trace.load(ctx, t, path); err != nil {
		return err
	}
	for _, policy := range s.policies {
		if err := s.trace.notTheTrace(outName(o.out, policy.String(), len(s.policies) > 1)); err != nil {
			return err
		}
	}
	if err := t.takeJobs(o, s); err != nil {
		return err
	}
	for _, policy := range s.policies {
		if err := t.simulatePolicy(ctx, o, s, policy); err != nil {
			return err
		}
	}
	if o.plot != "" {
		if err := plotSchedules(ctx, o.plot, s); err != nil {
			return err
		}
	}
	switch o.format {
	case "json":
		return t.simulationJSON(o, s)
	case "csv":
		return t.simulationCSV(o, s)
	default:
		t.simulationTable(o, s)
		return nil
	}
}

// prepare reads the flags that mean the same for every trace.
func (o *simulateOptions) prepare(ctx context.Context) (*simulation, error) {
	s := new(simulation)
	var err error
	if s.config, s.estimates, err = o.cluster.config(ctx); err != nil {
		return nil, err
	}
	if len(o.policies) == 0 {
		return nil, usageErrorf("--policy: is empty; known are %s", strings.Join(cluster.PolicyNames(), ", "))
	}
	for i, name := range o.policies {
		policy, err := cluster.ParsePolicy(name)
		if err != nil {
			return nil, wrongChoice("policy", name, usageErrorf("--policy: %w", err))
		}
		if slices.Contains(o.policies[:i], name) {
			return nil, usageErrorf("--policy %s: is given twice; give it once", name)
		}
		s.policies = append(s.policies, policy)
	}
	if s.window.Warmup, err = parseTime("--warmup", o.warmup); err != nil {
		return nil, err
	}
	if s.window.Cooldown, err = parseTime("--cooldown", o.cooldown); err != nil {
		return nil, err
	}
	for i, by := range o.by {
		if !slices.Contains(groupNames(), by) {
			return nil, wrongChoice("by", by, usageErrorf("--by %s: write user or size", by))
		}
		if slices.Contains(o.by[:i], by) {
			return nil, usageErrorf("--by %s: is given twice; give it once", by)
		}
	}
	if err := checkFormat(o.format); err != nil {
		return nil, err
	}
	if o.plot != "" && !isFolder(o.plot) && !isPicture(o.plot) {
		return nil, usageErrorf("--plot %s: write a file that ends in .svg or .png, or a folder", o.plot)
	}
	switch {
	case o.out == "-":
		return nil, usageErrorf("--out -: name a file, or /dev/stdout with --out-format; standard output has the measures")
	case o.outFormat != "" && o.out == "":
		return nil, usageErrorf("--out-format %s: name the file with --out", o.outFormat)
	case o.outFormat != "":
		if s.format, err = schedule.ParseFormat(o.outFormat); err != nil {
			return nil, wrongChoice("out-format", o.outFormat, usageErrorf("--out-format: %w", err))
		}
	case o.out != "":
		if s.format, err = schedule.FormatOf(o.out); err != nil {
			return nil, usageErrorf("--out %w with --out-format", err)
		}
	}
	return s, nil
}

// takeJobs makes the jobs of the simulation from those of the trace, which it keeps only where they are written again.
func (t *terminal) takeJobs(o *simulateOptions, s *simulation) error {
	l := s.trace
	if l.procs == 0 {
		return usageErrorf(
			"%s: its header has neither MaxProcs nor MaxNodes: say with --procs how many processors the machine has", l.name)
	}
	if l.procs > int64(profile.MostProcs) {
		return usageErrorf("%s: %s is %d: a machine has at most %d processors; say with --procs how many",
			l.name, l.procsFrom, l.procs, profile.MostProcs)
	}
	s.config.Procs = int32(l.procs)
	t.doubts(o, s)
	n := len(l.jobs)
	s.jobs = make([]cluster.Job, n)
	c := &s.common
	c.ID, c.Submit, c.Procs, c.User = make([]int64, n), make([]int64, n), make([]int32, n), make([]int32, n)
	draws := rng.New(fmt.Sprint(o.cluster.seed)).Stream("estimates")
	for i := range l.jobs {
		job := &l.jobs[i]
		s.jobs[i] = cluster.Job{
			Submit: job.Submit, Run: job.Run, Estimate: s.estimates.Of(job.Run, job.ReqTime, draws),
			Procs: job.Size(), Priority: priority(job),
		}
		c.ID[i], c.Submit[i], c.Procs[i], c.User[i] = job.ID, job.Submit, job.Size(), job.User
	}
	if s.format != schedule.SWF {
		l.jobs = nil
	}
	release(n)
	return nil
}

// doubts says what of the trace a user may not expect.
func (t *terminal) doubts(o *simulateOptions, s *simulation) {
	l := s.trace
	if s.estimates.String() == "user" && !slices.ContainsFunc(l.jobs, func(j trace.Job) bool { return j.ReqTime > 0 }) {
		t.note("%s: no job has a requested time: --estimates user is exact here", l.name)
	}
	if o.out == "" || ascend(l.jobs) {
		return
	}
	ids := make([]int64, len(l.jobs))
	for i := range l.jobs {
		ids[i] = l.jobs[i].ID
	}
	slices.Sort(ids)
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] {
			t.note("%s: job %d comes twice: compare cannot match such jobs", l.name, ids[i])
			return
		}
	}
}

// ascend reports whether each job has a higher number than the one before, as in most traces.
func ascend(jobs []trace.Job) bool {
	for i := 1; i < len(jobs); i++ {
		if jobs[i].ID <= jobs[i-1].ID {
			return false
		}
	}
	return true
}

// release gives back the memory of what a step has dropped, where that is much: the next step would take as much beside
// it before the collector runs by itself. A collection takes well below a millisecond: jobs have no pointers.
func release(jobs int) {
	const many = 100_000
	if jobs > many {
		debug.SetGCPercent(100)
		runtime.GC()
	}
}

// priority puts queues of a low number ahead: 0 is interactive by the convention of the Standard Workload Format. Jobs of
// an unknown queue come last.
func priority(job *trace.Job) int32 {
	if job.Queue < 0 {
		return math.MinInt32
	}
	return -job.Queue
}

// simulatePolicy simulates one policy, measures the schedule and writes it.
func (t *terminal) simulatePolicy(ctx context.Context, o *simulateOptions, s *simulation, policy cluster.Policy) error {
	config := s.config
	config.Policy = policy
	done := t.showJobs(&config, len(s.jobs))
	times, err := cluster.Simulate(ctx, config, s.jobs)
	done(err)
	switch {
	case errors.Is(err, context.Canceled):
		return exitError{exitInterrupted, errors.New("interrupted: nothing of the simulation under way was kept")}
	case err != nil:
		if job := new(cluster.JobError); errors.As(err, &job) {
			err = fmt.Errorf("job %d: %w", s.common.ID[job.Job], job.Err) // its number in the trace
		}
		return usageErrorf("simulate %s under %s: %w", s.trace.name, policy, err)
	}
	release(len(s.jobs))
	made := s.common
	made.Start, made.End = times.Start, times.End
	outcome := outcome{policy: policy.String()}
	if outcome.Summary, err = metrics.Summarise(made.Schedule, config.Procs, s.window); err != nil {
		return usageErrorf("%s: %w", s.trace.name, err)
	}
	for _, by := range o.by {
		grouping, err := s.group(by, made.Schedule)
		if err != nil {
			return err
		}
		outcome.groups = append(outcome.groups, grouping)
	}
	s.outcomes = append(s.outcomes, outcome)
	if o.plot != "" {
		processors, err := schedule.Assign(made.Schedule, config.Procs)
		if err != nil {
			return fmt.Errorf("draw the schedule of %s: %w", policy, err)
		}
		s.lines = append(s.lines, draw.Timeline{Schedule: &made, Processors: processors})
	}
	if o.out == "" {
		return nil
	}
	return t.writeSchedule(ctx, o, s, &made, outName(o.out, policy.String(), len(s.policies) > 1))
}

// showJobs makes the simulation tell how far it is, once it has taken two seconds. The caller calls done at its end.
func (t *terminal) showJobs(config *cluster.Config, jobs int) (done func(error)) {
	const quiet = 2 * time.Second
	begun := time.Now()
	show := t.progress()
	now := pipeline.Progress{Study: config.Policy.String(), Item: "job", Total: jobs, Cost: float64(jobs)}
	config.Progress = func(ended int) {
		now.Finished, now.CostDone = ended, float64(ended)
		show(now)
	}
	return func(err error) {
		if time.Since(begun) >= quiet && err == nil {
			now.Finished, now.Ended = jobs, true
			show(now)
		}
	}
}

// plotSchedules draws the schedules: all in one picture, or each in pictures of its own in a folder.
func plotSchedules(ctx context.Context, path string, s *simulation) error {
	for i, o := range s.outcomes {
		s.lines[i].Label = fmt.Sprintf("%s: utilisation %.1f %%, mean wait %s s",
			o.policy, 100*o.Utilisation, forReading(o.Wait.Mean, 0))
	}
	title := fmt.Sprintf("%s on %s", filepath.Base(s.trace.name), things(int(s.config.Procs), "processor"))
	if isPicture(path) {
		return draw.WriteTimelines(ctx, path, title, s.config.Procs, s.lines)
	}
	for i := range s.lines {
		for _, ending := range []string{".svg", ".png"} {
			file := filepath.Join(path, fileName(s.outcomes[i].policy)+ending)
			if err := draw.WriteTimelines(ctx, file, title, s.config.Procs, s.lines[i:i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// isPicture reports whether the ending of a path is one of those that pictures have here.
func isPicture(path string) bool {
	ending := strings.ToLower(filepath.Ext(path))
	return ending == ".svg" || ending == ".png"
}

// isFolder reports whether a path that is no picture's is meant as a folder: it is one, or has no ending.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || filepath.Ext(path) == "" || strings.HasSuffix(path, string(filepath.Separator))
}
