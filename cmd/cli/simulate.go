// Command simulate: a trace on one machine under some policies.

package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/analysis/draw"
	"gridsweep/model/cluster"
	"gridsweep/model/cluster/ordering"
	"gridsweep/model/metrics"
	"gridsweep/model/workload/estimates"
	"gridsweep/pipeline/external"
	"gridsweep/pipeline/simulation"
	"gridsweep/pipeline/workspace"
	"gridsweep/results/schedule"
)

// simulateOptions are the flags of simulate.
type simulateOptions struct {
	isSet            func(flag string) bool // whether a flag is on the command line
	trace            traceFlags
	cluster          clusterFlags
	matrix           matrixFlags
	policies, by     []string
	warmup, cooldown string
	format, plot     string
	size             draw.Size // of pictures
	out, outFormat   string
}

func newSimulate(t *terminal) *cobra.Command {
	var o simulateOptions
	c := &cobra.Command{
		Use:   "simulate TRACE...|-",
		Short: "Simulate a machine with the jobs of a trace, and measure the schedule",
		Long: `Simulate a space-shared machine with the jobs of a trace under one or several scheduling policies,
and print utilisation, waits, responses, slowdowns and bounded slowdowns (bound 10 s). TRACE is a file in the
Standard or Grid Workload Format, plain or packed with gzip, zstd or bzip2, - for standard input, or the name of
a trace that gridsweep trace list shows. One trace under some policies is simulated as it is, and its schedules can
be written and drawn.

Policies: fcfs; easy, which is easy:1; easy:k with k pivots; easy:all, which plans the whole queue anew at each
pass; conservative, with compression; conservative:fixed, where the start is fixed at arrival; sjbf, which is
easy with the shortest jobs backfilled first; easy++, which is sjbf with run times predicted from the user's last
two jobs; easy++:estimate, where a prediction that runs out becomes the estimate at once; lookahead, which packs the
first 50 jobs behind the pivot, lookahead:k the first k; selective and selective:X, which book the jobs of large
expansion factors; slack:F, where backfilling may delay a job by F times its estimate; multifactor with the priority
of Slurm; queues: with several queues and limits, such as queues:1h:64:128+any:any:any;
exec:FILE, a program that is the scheduler (docs/reference/external-schedulers.md).
Orders: ` + strings.Join(cluster.OrderNames(), ", ") + `,
` + strings.Join(ordering.Names()[len(cluster.OrderNames()):], ", ") + `;
or an expression of wait, estimate, procs and submit, such as procs*estimate. With several keys, such
as sqf,lxf, each breaks the ties of those before it.
Estimates: exact (the run time), user (the time requested), factor:F, uniform:F (run time times 1 to F), tsafrir and
tsafrir:LONGEST (drawn from the model of Tsafrir, Etsion & Feitelson up to a longest estimate).

Several traces, orders or estimates, workload models such as lublin, loads and replications make a matrix: every level
of each with all others, as a study of the model scheduling, in OUT/simulate (--out, or out). It prints the means over
the replications with 95 % intervals and the differences to a base policy in the same replications, or with
--format csv, json or parquet a row for each run with all options. The same command goes on after an interruption.

docs/reference/scheduling.md has the order of events within a second and the formula of each metric,
docs/reference/simulate.md what is printed, written and drawn.`,
		Example: `  gridsweep simulate NASA-iPSC-1993-3.1-cln.swf.gz
  gridsweep simulate CTC-SP2-1996-3.1-cln.swf.gz --policy fcfs --policy easy --policy conservative --estimates user
  gridsweep simulate log.swf --procs 128 --by size --format csv > sizes.csv
  gridsweep simulate log.swf --months 1 --policy easy --out easy.parquet --plot easy.png
  zcat log.swf.gz | gridsweep simulate - --policy conservative --warmup 7d
  gridsweep simulate log.swf lublin --policy fcfs,easy,conservative --load 0.6,0.8 --replications 10
  gridsweep simulate log.swf --order arrival --order saf --order lxf,wait --policy easy --replications 5 --format csv
  gridsweep simulate log.swf --policy easy,sjbf --load 0.8 --replications 10 --save-study mine.yaml  # to edit`,
		Args: needsSome("a trace, a file or - for standard input; see gridsweep simulate --help"),
		RunE: func(c *cobra.Command, args []string) error {
			for _, flag := range [][2]string{
				{"out", "a file"}, {"plot", "a file"}, {"save-study", "a file"}, {"base", "a policy"},
			} {
				if f := c.Flags().Lookup(flag[0]); f.Changed && f.Value.String() == "" {
					return usageErrorf("--%s: is empty; name %s", flag[0], flag[1])
				}
			}
			if o.isMatrix(args) {
				return t.simulateMatrix(c.Context(), &o, args)
			}
			return t.simulate(c.Context(), &o, args[0])
		},
	}
	o.isSet = c.Flags().Changed
	o.trace.addFlags(t, c)
	o.cluster.addFlags(c)
	o.matrix.addFlags(c)
	flags := c.Flags()
	flags.StringSliceVar(&o.policies, "policy", []string{"easy"}, "scheduling `policy` (may be repeated)")
	flags.StringVar(&o.warmup, "warmup", "",
		"measure no job submitted in this `time` after the first submit: seconds, or 90m, 36h, 7d")
	flags.StringVar(&o.cooldown, "cooldown", "", "measure no job submitted in this `time` before the last submit")
	flags.StringSliceVar(&o.by, "by", nil, "measure groups of jobs too, `user` or size (may be repeated)")
	flags.StringVar(&o.format, "format", "table", "`table`, json or csv; parquet has each run of a matrix")
	flags.StringVar(&o.out, "out", "",
		"write the schedule to this `file`; for several policies, each to its own, such as out.easy-2.csv; for a matrix, "+
			"the folder of results (default: out)")
	flags.StringVar(&o.outFormat, "out-format", "", "parquet, csv, swf or batsim (default: by the ending of --out)")
	addSize(c, &o.size)
	flags.StringVar(&o.plot, "plot", "",
		"draw a Gantt chart, utilisation and queue over time to this `file`, "+draw.Endings()+", or each policy as all of "+
			"them to a folder; for a matrix, its figures to a folder")
	return c
}

// simulated is a simulation of simulate: what its flags mean, and what came of it.
type simulated struct {
	*simulation.Simulation
	shared        sharedFlags
	format        schedule.Format // of --out
	outcomes      []*simulation.Outcome
	timelines     []draw.Timeline    // for --plot
	distributions draw.Distributions // for --plot
}

// sharedFlags are the flags of simulate that a matrix has too, parsed.
type sharedFlags struct {
	config    cluster.Config // without processors and policy
	policies  []cluster.Policy
	programs  *external.Programs // of the policies
	estimates estimates.Rule
	window    metrics.Window
}

func (t *terminal) simulate(ctx context.Context, o *simulateOptions, path string) error {
	// With 600 % there is no collection of a heap below 24 MB, which would be a tenth of the work
	// on some ten thousand jobs. simulation.New sets the default again for many jobs.
	defer debug.SetGCPercent(debug.SetGCPercent(600))
	s, err := o.prepare(ctx)
	if err != nil {
		return err
	}
	log, err := o.trace.load(ctx, t, path)
	if err != nil {
		return err
	}
	shared := s.shared
	for _, policy := range shared.policies {
		if err := notTheTrace(log, simulation.FileOf(o.out, policy.String(), len(shared.policies) > 1)); err != nil {
			return err
		}
	}
	warnings := simulation.Warnings(log, shared.estimates) // before New, which may drop the jobs
	isSWF := s.format == schedule.SWF
	if s.Simulation, err = simulation.New(log, shared.config, shared.estimates, o.cluster.Seed, isSWF); err != nil {
		return usageError(err)
	}
	for _, warning := range warnings {
		t.note("%s", warning)
	}
	s.Window, s.By, s.Programs = shared.window, o.by, shared.programs
	for _, policy := range shared.policies {
		if err := t.simulatePolicy(ctx, o, s, policy); err != nil {
			return err
		}
	}
	if o.plot != "" {
		if err := plotSchedules(ctx, o.plot, o.size, s); err != nil {
			return err
		}
	}
	report := s.Report(workspace.Version, o.cluster.Options, s.outcomes)
	return t.print(o.format, report, s.Rows(s.outcomes), func() { t.simulationTable(o, s) })
}

// prepare reads the flags of one simulation but those of the trace.
func (o *simulateOptions) prepare(ctx context.Context) (*simulated, error) {
	shared, err := o.prepareShared(ctx)
	if err != nil {
		return nil, err
	}
	s := &simulated{shared: shared}
	for i, by := range o.by {
		if !slices.Contains(groupNames(), by) {
			return nil, wrongChoice("by", by, usageErrorf("--by %s: write user or size", by))
		}
		if slices.Contains(o.by[:i], by) {
			return nil, usageErrorf("--by %s: appears twice; write it once", by)
		}
	}
	if err := checkFormat(o.format); err != nil {
		return nil, err
	}
	if o.plot != "" && !draw.IsTarget(o.plot) {
		return nil, usageErrorf("--plot %s: write a file that ends in %s, or a folder", o.plot, draw.Endings())
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

// prepareShared reads the flags that a matrix has too: machine, policies and window.
func (o *simulateOptions) prepareShared(ctx context.Context) (shared sharedFlags, err error) {
	if shared.config, shared.estimates, err = o.cluster.config(ctx); err != nil {
		return shared, err
	}
	if err := checkLevels("policy", o.policies); err != nil {
		return shared, err
	}
	shared.programs = external.NewPrograms()
	for _, name := range o.policies {
		resolved := name
		if cluster.IsProgram(name) {
			if resolved, err = shared.programs.Resolve(ctx, name, ""); err != nil {
				return shared, usageErrorf("--policy: %w", err)
			}
		}
		policy, err := ordering.ParsePolicy(resolved)
		if err != nil {
			return shared, wrongChoice("policy", name, usageErrorf("--policy: %w", err))
		}
		shared.policies = append(shared.policies, policy)
	}
	if shared.window.Warmup, err = parseTime("--warmup", o.warmup); err != nil {
		return shared, err
	}
	shared.window.Cooldown, err = parseTime("--cooldown", o.cooldown)
	return shared, err
}

// simulatePolicy simulates one policy, measures the schedule and writes it.
func (t *terminal) simulatePolicy(ctx context.Context, o *simulateOptions, s *simulated, policy cluster.Policy) error {
	show, end := t.showLate(policy.String(), "job", s.Jobs())
	outcome, err := s.Run(ctx, policy, func(ended int) { show(ended, s.Jobs()) })
	end(err)
	switch {
	case errors.Is(err, context.Canceled):
		return exitError{exitInterrupted, errors.New("interrupted: nothing of the simulation under way was kept")}
	case err != nil:
		return usageError(err)
	}
	s.outcomes = append(s.outcomes, outcome)
	if o.plot != "" {
		drawn := outcome.Schedule
		processors, err := schedule.Assign(drawn.Schedule, s.Config.Procs)
		if err != nil {
			return fmt.Errorf("draw the schedule of %s: %w", policy, err)
		}
		s.timelines = append(s.timelines, draw.Timeline{Name: simulation.FileName(outcome.Policy), Schedule: drawn,
			Processors: processors})
		if err := s.distributions.Add(outcome.Policy, drawn.Schedule, s.Window); err != nil {
			return fmt.Errorf("draw the schedule of %s: %w", policy, err)
		}
	}
	if o.out != "" {
		path := simulation.FileOf(o.out, outcome.Policy, len(s.shared.policies) > 1)
		program := t.program()
		source := simulation.Source{
			Version: program.Version, Commit: program.Commit, Command: program.Command, Options: o.cluster.Options,
		}
		err = s.Write(ctx, outcome, path, s.format, s.Metadata(source, outcome.Policy), s.Notes(source, outcome.Policy))
	}
	outcome.Schedule = nil // its memory goes before the next policy's is needed
	return err
}

// plotSchedules draws the schedules.
func plotSchedules(ctx context.Context, path string, size draw.Size, s *simulated) error {
	for i, o := range s.outcomes {
		s.timelines[i].Label = fmt.Sprintf("%s: utilisation %.1f %%, mean wait %s s",
			o.Policy, 100*o.Utilisation, simulation.Number(o.Wait.Mean, 0))
	}
	title := fmt.Sprintf("%s on %s", filepath.Base(s.Trace.Name), things(int(s.Config.Procs), "processor"))
	if err := draw.WriteEach(ctx, path, title, s.Config.Procs, s.timelines, size); err != nil || draw.IsPicture(path) {
		return err
	}
	return draw.Write(ctx, path, s.distributions.Figures(), size)
}

// title says what was simulated on what and how, and whom the trace's header asks to thank.
func (s *simulated) title(flags simulation.Options) string {
	text := fmt.Sprintf("%s, SHA-256 %.12s, %s (%s)\n%s", s.Trace.Name, s.Trace.Checksum,
		things(int(s.Config.Procs), "processor"), s.Trace.ProcsFrom, flags)
	if thanks := s.Trace.Header.Acknowledgement(); thanks != "" {
		text += "\nacknowledge: " + thanks
	}
	return text
}

// shortPolicy returns a policy with the first digits of a program's checksum.
func shortPolicy(policy string) string {
	name, rest, found := strings.Cut(policy, "@sha256:")
	if !found {
		return policy
	}
	sum, arguments, _ := strings.Cut(rest, " ")
	return strings.TrimSpace(fmt.Sprintf("%s@sha256:%.12s %s", name, sum, arguments))
}

// simulationTable prints a column for each policy, then a table for each grouping.
func (t *terminal) simulationTable(o *simulateOptions, s *simulated) {
	heads := []string{""}
	lists := make([][]simulation.Measure, len(s.outcomes))
	for i, outcome := range s.outcomes {
		heads = append(heads, shortPolicy(outcome.Policy))
		lists[i] = simulation.Measures(outcome.Summary)
	}
	t.measureTable(s.title(o.cluster.Options), heads, lists)
	for _, by := range s.By {
		writer := t.table()
		writer.SetTitle("by %s", by)
		for i, outcome := range s.outcomes {
			for g, group := range outcome.Groups(by) {
				list := simulation.MeasuresOfGroup(group.Group)
				if i == 0 && g == 0 {
					writer.AppendHeader(groupHead(by, list))
				}
				row := table.Row{shortPolicy(outcome.Policy), group.Name}
				for _, m := range list {
					if shownOfGroup[m.Name] {
						row = append(row, m.String())
					}
				}
				writer.AppendRow(row)
			}
			writer.AppendSeparator()
		}
		writer.AlignRight(3, 2+len(shownOfGroup), len("999,999,999.9"))
		writer.Render()
	}
}

// shownOfGroup are the measures of groups that a terminal has room for; csv and json have all.
var shownOfGroup = map[string]bool{
	"jobs": true, "share": true, "wait_mean": true, "wait_median": true, "wait_p95": true, "wait_max": true,
	"response_mean": true, "bounded_slowdown_mean": true, "backfilled": true,
}

func groupHead(by string, list []simulation.Measure) table.Row {
	head := table.Row{"policy", by}
	for _, m := range list {
		if shownOfGroup[m.Name] {
			head = append(head, m.Title)
		}
	}
	return head
}

// measureTable prints a row for each measure; the lists are its columns behind the titles.
func (t *terminal) measureTable(title string, heads []string, lists [][]simulation.Measure) {
	fmt.Fprintln(t.out, title)
	writer := t.table()
	head := table.Row{}
	for _, h := range heads {
		head = append(head, h)
	}
	writer.AppendHeader(head)
	for k, m := range lists[0] {
		row := table.Row{m.Title}
		for _, list := range lists {
			row = append(row, list[k].String())
		}
		writer.AppendRow(row)
	}
	writer.AlignRight(2, len(heads), 0)
	writer.Render()
}
