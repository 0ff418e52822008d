package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gridsweep/model/profile"
	"gridsweep/model/trace"
	"gridsweep/pipeline/traces"
)

// traceFlags are the flags of all commands that read a trace: how to read it, what to clean out, which jobs to take.
type traceFlags struct {
	given func(flag string) bool // on the command line

	lenient, keepPartial, shift                bool
	format, months, from, to                   string
	procs                                      int64
	scaleArrivals, scaleRuntimes               float64
	partitions, sites, users, queues, statuses []string
	named                                      catalogueFlag
}

// traceSelecting are the flags that choose or change jobs.
var traceSelecting = []string{
	"months", "from", "to", "partition", "site", "user", "queue", "status", "shift", "scale-arrivals", "scale-runtimes",
}

func (f *traceFlags) addFlags(t *terminal, c *cobra.Command) {
	flags := c.Flags()
	f.given = flags.Changed
	f.named.addTo(t, c)
	flags.BoolVar(&f.lenient, "lenient", false, "leave out lines that are no jobs and count them, instead of failing")
	flags.StringVar(&f.format, "in-format", "", "format of the trace, `swf or gwf` (default: found from its content)")
	flags.Int64Var(&f.procs, "procs", 0,
		"processors of the machine (default: the header's MaxProcs, then MaxNodes); larger jobs are dropped")
	flags.BoolVar(&f.keepPartial, "keep-partial", false, "keep records of status 2 to 4, which are parts of jobs")
	flags.StringVar(&f.months, "months", "",
		"only jobs submitted in these `months`, as 9-12 or 3, counted from 1 and the first submit")
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

// loadedTrace is a trace as a command works on it.
type loadedTrace struct {
	name     string // its path, or standard input
	checksum string // SHA-256 of the file as it is stored
	format   trace.Format
	header   *trace.Header
	names    *trace.Names
	jobs     []trace.Job
	skipped  []trace.Skip
	rounded  int          // jobs whose memory lost a fraction of a KB
	read     int          // jobs, before cleaning and selection
	steps    []trace.Step // what these did

	procs     int64  // of the machine; 0 where neither --procs nor the header has them
	procsFrom string // --procs, MaxProcs, MaxNodes or empty
}

// load reads the trace, cleans it and takes what the flags select. What was left out is said on stderr. The error of a
// trace or flag that is not right has the exit code of wrong usage.
func (f *traceFlags) load(ctx context.Context, t *terminal, path string) (*loadedTrace, error) {
	l, err := f.read(ctx, t, path)
	if err != nil {
		return nil, err
	}
	return l, f.clean(t, l)
}

// read reads the trace as it is.
func (f *traceFlags) read(ctx context.Context, t *terminal, path string) (*loadedTrace, error) {
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
	path, err := f.path(ctx, path)
	if err != nil {
		return nil, usageError(err)
	}
	file, err := traces.Open(ctx, path, t.in)
	if err != nil {
		return nil, usageError(err)
	}
	defer file.Close()
	reader := trace.NewReader(file, file.Name(), trace.Options{Format: format, Lenient: f.lenient})
	l := &loadedTrace{name: file.Name(), header: reader.Header()}
	if l.jobs, err = reader.ReadAll(); err != nil {
		if line := new(trace.LineError); errors.As(err, &line) {
			err = file.Explain(fmt.Errorf("%w\n--lenient leaves such lines out and counts them", err))
		}
		return nil, usageError(err)
	}
	l.format, l.names, l.skipped, l.checksum = reader.Format(), reader.Names(), reader.Skipped(), file.Checksum()
	l.rounded = reader.Rounded()
	for _, skip := range l.skipped {
		t.note("%s: %s left out, first line %d: %s", l.name, things(skip.Count, "line"), skip.First, skip.Reason)
	}
	if len(l.jobs) == 0 {
		return nil, usageErrorf("%s: has no job", l.name)
	}
	l.procs, l.procsFrom = l.header.Procs()
	if f.procs > 0 {
		l.procs, l.procsFrom = f.procs, "--procs"
	}
	return l, nil
}

// path returns the file that an argument means: its path, - for standard input, or the name of a trace of the
// catalogue, where there is no file of that name.
func (f *traceFlags) path(ctx context.Context, name string) (string, error) {
	if name == "-" || strings.ContainsAny(name, `./\`) {
		return name, nil
	}
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	catalogue, err := f.named.read(ctx)
	if err != nil {
		return "", err
	}
	path, err := traces.Find(catalogue, name)
	if missing := new(traces.NotFoundError); err != nil && !errors.As(err, &missing) {
		return "", fmt.Errorf("there is no file %s; as a trace of the catalogue: %w; %s", name, err, traces.HowToAdd(name, f.named.file))
	}
	return path, err
}

// notTheTrace returns an error if a file to be written is the trace that was read.
func (l *loadedTrace) notTheTrace(path string) error {
	in, err := os.Stat(l.name)
	if err != nil {
		return nil // standard input
	}
	if out, err := os.Stat(path); err == nil && os.SameFile(in, out) {
		return usageErrorf("%s: is the trace that is read; name another file to write", path)
	}
	return nil
}

// check returns the error of flags that are wrong whatever the trace.
func (f *traceFlags) check() error {
	if f.procs < 0 || f.procs > int64(profile.MostProcs) || f.procs == 0 && f.given("procs") {
		return usageErrorf("--procs %d: write a number from 1 to %d", f.procs, profile.MostProcs)
	}
	for _, flag := range []struct{ name, value string }{{"months", f.months}, {"from", f.from}, {"to", f.to}} {
		if flag.value == "" && f.given(flag.name) {
			return usageErrorf("--%s: is empty; leave it out to take all", flag.name)
		}
	}
	for i, factor := range []float64{f.scaleArrivals, f.scaleRuntimes} {
		if !(factor > 0 && factor <= 1e6) {
			return usageErrorf("%s %g: write a number above 0, at most a million",
				[]string{"--scale-arrivals", "--scale-runtimes"}[i], factor)
		}
	}
	_, err := f.selection(nil)
	return err
}

// clean cleans the trace and takes what the flags select.
func (f *traceFlags) clean(t *terminal, l *loadedTrace) error {
	selection, err := f.selection(l)
	if err != nil {
		return err
	}
	var cleaned, selected trace.Report
	l.jobs, cleaned = trace.Clean(l.jobs, trace.Rules{Procs: l.procs, KeepPartial: f.keepPartial})
	if l.jobs, selected, err = selection.Apply(l.jobs); err != nil {
		return usageErrorf("%s: %w", l.name, err)
	}
	l.header.MoveStart(l.format, selected.Shifted)
	isShifted := selected.Shifted != 0
	isSelected := len(selected.Steps) > 0 || isShifted || f.scaleArrivals != 1 || f.scaleRuntimes != 1
	l.header.Cut(l.format, len(l.jobs), isSelected, isShifted)
	l.read, l.steps = cleaned.Read, append(cleaned.Steps, selected.Steps...)
	if len(l.steps) > 0 {
		t.note("%s: %s of %s", l.name, count(selected.Kept), things(cleaned.Read, "job"))
		for _, step := range l.steps {
			t.note("  %s %s (first: job %d)", count(step.Count), step.What, step.Example)
		}
	}
	if len(l.jobs) == 0 {
		return usageErrorf("%s: no job is left", l.name)
	}
	return nil
}

// selection returns what the flags take of the trace; without a trace, only what can be said without it.
func (f *traceFlags) selection(l *loadedTrace) (*trace.Selection, error) {
	s := &trace.Selection{ShiftToZero: f.shift, ScaleArrivals: f.scaleArrivals, ScaleRuntimes: f.scaleRuntimes}
	var err error
	if s.Months, err = parseMonths(f.months); err != nil {
		return nil, err
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
		s.Status = append(s.Status, int8(status))
	}
	if l == nil {
		return s, nil
	}
	names := l.names
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
			number, err := l.number(filter.flag, text, filter.names)
			if err != nil {
				return nil, err
			}
			*filter.to = append(*filter.to, number)
		}
	}
	return s, nil
}

// number returns the number that stands for a user and so on in the trace's jobs.
func (l *loadedTrace) number(flag, text string, names *trace.NameList) (int32, error) {
	if l.names == nil {
		number, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return 0, usageErrorf("%s %s: write a number, as they are in %s", flag, text, l.name)
		}
		return int32(number), nil
	}
	if number, found := names.Find(text); found {
		return number, nil
	}
	const shown = 12
	known := names.All()
	more := ""
	if len(known) > shown {
		known, more = known[:shown], ", ..."
	}
	if len(known) == 0 {
		return 0, usageErrorf("%s %s: %s has none", flag, text, l.name)
	}
	return 0, usageErrorf("%s %s: %s does not have it; known are %s%s", flag, text, l.name, trace.Printable(strings.Join(known, ", ")), more)
}

// parseMonths reads months such as 9-12 or 3.
func parseMonths(text string) (months [2]int, err error) {
	if text == "" {
		return months, nil
	}
	first, last, ranged := strings.Cut(text, "-")
	if !ranged {
		last = first
	}
	const most = 10_000 // eight centuries
	for i, part := range []string{first, last} {
		months[i], err = strconv.Atoi(part)
		if err != nil || months[i] < 1 || months[i] > most || i == 1 && months[1] < months[0] {
			return months, usageErrorf("--months %s: write the first and the last, such as 9-12, counted from 1", text)
		}
	}
	return months, nil
}
