// Flags of the commands that read a trace: format, cleaning, selection of jobs.

package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"gridsweep/configs"
	"gridsweep/model/profile"
	"gridsweep/model/trace"
	"gridsweep/pipeline/traces"
)

// traceFlags are the flags of all commands that read a trace: its format, cleaning, and the
// selection of jobs.
type traceFlags struct {
	isSet func(flag string) bool // whether a flag is on the command line

	lenient, keepPartial, shift                bool
	format, months, from, to                   string
	procs                                      int64
	scaleArrivals, scaleRuntimes               float64
	partitions, sites, users, queues, statuses []string
	catalogue                                  catalogueFlag
}

// traceSelecting are the flags that choose or change jobs, without keep-partial.
var traceSelecting = []string{
	"procs", "months", "from", "to", "partition", "site", "user", "queue", "status", "shift", "scale-arrivals",
	"scale-runtimes",
}

func (f *traceFlags) addFlags(t *terminal, c *cobra.Command) {
	flags := c.Flags()
	f.isSet = flags.Changed
	f.catalogue.addTo(t, c)
	flags.BoolVar(&f.lenient, "lenient", false, "leave out and count lines that are not jobs, instead of failing")
	flags.StringVar(&f.format, "in-format", "", "format of the trace, `swf or gwf` (default: found from its content)")
	flags.Int64Var(&f.procs, "procs", 0,
		"processors of the machine (default: the header's MaxProcs, then MaxNodes); larger jobs are dropped")
	flags.BoolVar(&f.keepPartial, "keep-partial", false, "keep records of status 2 to 4, which are of partial executions")
	flags.StringVar(&f.months, "months", "",
		"only jobs submitted in these `months`, as 9-12 or 3: twelfths of a year since the first submit, from 1")
	flags.StringVar(&f.from, "from", "",
		"only jobs submitted from this `time` after the first submit on: seconds, or 90m, 36h, 7d")
	flags.StringVar(&f.to, "to", "", "only jobs submitted before this `time` after the first submit")
	flags.StringSliceVar(&f.partitions, "partition", nil, "only jobs of these partitions")
	flags.StringSliceVar(&f.sites, "site", nil, "only jobs of these sites")
	flags.StringSliceVar(&f.users, "user", nil, "only jobs of these users")
	flags.StringSliceVar(&f.queues, "queue", nil, "only jobs of these queues")
	flags.StringSliceVar(&f.statuses, "status", nil, "only jobs of these `statuses`: 0 failed, 1 completed, 5 cancelled")
	flags.BoolVar(&f.shift, "shift", false, "make the first submit 0")
	flags.Float64Var(&f.scaleArrivals, "scale-arrivals", 1, "multiply the times between submits by this `factor`")
	flags.Float64Var(&f.scaleRuntimes, "scale-runtimes", 1, "multiply run and requested times by this `factor`")
}

// load reads the trace, cleans it and selects jobs. Notes on stderr count the jobs left out. The
// error of a wrong trace or flag has the exit code of wrong usage.
func (f *traceFlags) load(ctx context.Context, t *terminal, path string) (*traces.Trace, error) {
	l, err := f.read(ctx, t, path)
	if err != nil {
		return nil, err
	}
	return l, f.clean(t, l)
}

// read reads the trace without cleaning and selection.
func (f *traceFlags) read(ctx context.Context, t *terminal, path string) (*traces.Trace, error) {
	format := trace.Detect
	if f.format != "" {
		var err error
		if format, err = trace.ParseFormat(f.format); err != nil {
			return nil, wrongChoice("in-format", f.format, usageErrorf("--in-format: %w", err))
		}
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	known := func() (configs.Catalogue, error) { return f.catalogue.read(ctx) }
	path, err := traces.Locate(path, known, f.catalogue.file)
	if err != nil {
		return nil, usageError(err)
	}
	l, err := traces.ReadTrace(ctx, path, t.in, trace.Options{Format: format, Lenient: f.lenient})
	if err != nil {
		return nil, usageError(err)
	}
	for _, skip := range l.Skipped {
		t.note("%s: %s left out, first line %d: %s", l.Name, things(skip.Count, "line"), skip.Example, skip.What)
	}
	if len(l.Jobs) == 0 {
		return nil, usageErrorf("%s: has no job", l.Name)
	}
	if f.procs > 0 {
		l.Procs, l.ProcsFrom = f.procs, "--procs"
	}
	return l, nil
}

// notTheTrace returns an error if a file to be written is the trace that was read.
func notTheTrace(l *traces.Trace, path string) error {
	if l.Is(path) {
		return usageErrorf("%s: is the trace that is read; name another file to write", path)
	}
	return nil
}

// check returns the error of flags that are wrong for every trace.
func (f *traceFlags) check() error {
	if f.procs < 0 || f.procs > int64(profile.MostProcs) || f.procs == 0 && f.isSet("procs") {
		return usageErrorf("--procs %d: write a number from 1 to %d", f.procs, profile.MostProcs)
	}
	for _, flag := range []struct{ name, value string }{{"months", f.months}, {"from", f.from}, {"to", f.to}} {
		if flag.value == "" && f.isSet(flag.name) {
			return usageErrorf("--%s: is empty; leave it out to take all", flag.name)
		}
	}
	for _, factor := range []struct {
		flag  string
		value float64
	}{{"--scale-arrivals", f.scaleArrivals}, {"--scale-runtimes", f.scaleRuntimes}} {
		if !(factor.value > 0 && factor.value <= 1e6) {
			return usageErrorf("%s %g: write a number above 0, at most a million", factor.flag, factor.value)
		}
	}
	_, err := f.selection(nil)
	return err
}

// clean cleans the trace and selects the jobs of the flags.
func (f *traceFlags) clean(t *terminal, l *traces.Trace) error {
	selection, err := f.selection(l)
	if err != nil {
		return err
	}
	if err := l.Clean(f.keepPartial, selection); err != nil {
		return usageError(err)
	}
	if len(l.Steps) > 0 {
		t.note("%s: %s of %s", l.Name, count(len(l.Jobs)), things(l.Read, "job"))
		for _, step := range l.Steps {
			t.note("  %s %s (first: job %d)", count(step.Count), step.What, step.Example)
		}
	}
	if len(l.Jobs) == 0 {
		return usageErrorf("%s: no job is left", l.Name)
	}
	return nil
}

// selection returns the selection of the flags. Without a trace, it leaves out partitions, sites,
// users and queues, whose names the trace defines.
func (f *traceFlags) selection(l *traces.Trace) (*trace.Selection, error) {
	s := &trace.Selection{ShiftToZero: f.shift, ScaleArrivals: f.scaleArrivals, ScaleRuntimes: f.scaleRuntimes}
	var err error
	if s.Months, err = traces.ParseMonths(f.months); err != nil {
		return nil, usageErrorf("--months %w", err)
	}
	if s.From, err = parseTime("--from", f.from); err != nil {
		return nil, err
	}
	if s.To, err = parseTime("--to", f.to); err != nil {
		return nil, err
	}
	if f.to != "" && s.To <= s.From {
		return nil, usageErrorf("--to %s: write a time after --from", f.to)
	}
	if f.months != "" && (f.from != "" || f.to != "") {
		return nil, usageErrorf("--months %s does not go with --from and --to", f.months)
	}
	for _, text := range f.statuses {
		status, err := strconv.ParseInt(text, 10, 8)
		if err != nil {
			return nil, usageErrorf("--status %s: write numbers such as 0,1,5", text)
		}
		s.Status = append(s.Status, int32(status))
	}
	if l == nil {
		return s, nil
	}
	names := l.Names
	if names == nil {
		names = &trace.Names{}
	}
	for _, filter := range []struct {
		flag  string
		texts []string
		names *trace.NameList
		to    *[]int32
	}{
		{"--partition", f.partitions, &names.Partitions, &s.Partition}, {"--site", f.sites, &names.Sites, &s.Site},
		{"--user", f.users, &names.Users, &s.User}, {"--queue", f.queues, &names.Queues, &s.Queue},
	} {
		for _, text := range filter.texts {
			number, err := l.Number(text, filter.names)
			if err != nil {
				return nil, usageErrorf("%s %s: %w", filter.flag, text, err)
			}
			*filter.to = append(*filter.to, number)
		}
	}
	return s, nil
}
