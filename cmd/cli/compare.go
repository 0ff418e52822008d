package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"gridsweep/model/columns"
	"gridsweep/model/metrics"
	"gridsweep/pipeline/traces"
	"gridsweep/results/schedule"
)

func newCompare(t *terminal) *cobra.Command {
	var procs int64
	var format string
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two schedules of the same jobs, start by start",
		Long: `Compare two schedules: how many jobs start at another second, which is the first, and what is measured of each.
A schedule is a file that gridsweep simulate wrote (CSV, Parquet, SWF or Batsim's jobs.csv) or the CSV file of
another program whose first line names the columns id, submit, start, end and procs, in any order; - is
standard input. Jobs are matched by id, in the order of A. A schedule whose submits do not ascend, as when it
stands in the order of ends, is sorted by submit and id.

The exit code is 0 where all jobs have the same start and end, 1 where they do not, 2 for wrong usage.`,
		Example: `  gridsweep compare easy.csv conservative.csv
  gridsweep compare easy.csv other-simulator.csv --procs 128 --format json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageErrorf("%s needs two schedules, not %d; see %s --help", c.CommandPath(), len(args), c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			switch {
			case procs < 0 || procs > math.MaxInt32:
				return usageErrorf("--procs %d: write a number from 1 to %d", procs, math.MaxInt32)
			case args[0] == "-" && args[1] == "-":
				return usageErrorf("standard input is one schedule: name a file for the other")
			}
			return t.compare(c.Context(), args[0], args[1], int32(procs), format)
		},
	}
	c.Flags().Int64Var(&procs, "procs", 0,
		"processors of the machine, for its utilisation (default: the most that are ever busy in A or B)")
	c.Flags().StringVar(&format, "format", "table", "`table`, json or csv")
	return c
}

// comparison is two schedules side by side.
type comparison struct {
	names     [2]string
	procs     int32
	same      int // jobs in both, with the same start and end
	starts    int // jobs in both that start at another second
	ends      int // jobs in both that end at another second
	jobs      int // jobs in both that were submitted at another second or have other processors
	first     *difference
	only      [2][]int64 // ids of jobs in one
	summaries [2]metrics.Summary
}

// difference is a job that starts at two times.
type difference struct {
	id     int64
	starts [2]int64
}

func (t *terminal) compare(ctx context.Context, a, b string, procs int32, format string) error {
	c := comparison{names: [2]string{a, b}, procs: procs}
	var read [2]*schedule.Schedule
	for k, path := range c.names {
		var err error
		if read[k], err = t.readSchedule(ctx, path); err != nil {
			return usageError(err)
		}
	}
	most := max(mostBusy(read[0].Schedule), mostBusy(read[1].Schedule))
	switch {
	case procs == 0:
		c.procs = most
	case procs < most:
		return usageErrorf("--procs %d: the schedules use %d at once; give at least that many, or leave it out", procs, most)
	}
	if err := c.match(read); err != nil {
		return usageError(err)
	}
	for k := range read {
		var err error
		if c.summaries[k], err = metrics.Summarise(read[k].Schedule, c.procs, metrics.Window{}); err != nil {
			return usageErrorf("%s: %w", c.names[k], err)
		}
	}
	if err := t.printComparison(&c, format); err != nil {
		return err
	}
	if !c.equal() {
		return exitError{code: exitFailed} // all has been said
	}
	return nil
}

// readSchedule reads a schedule from a file or standard input, packed or not.
func (t *terminal) readSchedule(ctx context.Context, path string) (*schedule.Schedule, error) {
	file, err := traces.Open(ctx, path, t.in)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	s, err := schedule.Read(data, file.Name())
	if err == nil {
		s.SortBySubmit()
	}
	return s, err
}

// equal reports whether the schedules have the same jobs with the same starts and ends.
func (c *comparison) equal() bool {
	return c.starts == 0 && c.ends == 0 && c.jobs == 0 && len(c.only[0]) == 0 && len(c.only[1]) == 0
}

// match compares job by job. It returns an error where an id comes twice in a schedule.
func (c *comparison) match(read [2]*schedule.Schedule) error {
	var place [2]map[int64]int
	for k, s := range read {
		place[k] = make(map[int64]int, s.Len())
		for i, id := range s.ID {
			if _, twice := place[k][id]; twice {
				return fmt.Errorf("%s: job %d comes twice: ids must tell jobs apart", c.names[k], id)
			}
			place[k][id] = i
		}
	}
	a, b := read[0], read[1]
	for i, id := range a.ID {
		j, both := place[1][id]
		if !both {
			c.only[0] = append(c.only[0], id)
			continue
		}
		sameStart, sameEnd := a.Start[i] == b.Start[j], a.End[i] == b.End[j]
		if sameStart && sameEnd {
			c.same++
		}
		if !sameStart {
			c.starts++
			if c.first == nil {
				c.first = &difference{id, [2]int64{a.Start[i], b.Start[j]}}
			}
		}
		if !sameEnd {
			c.ends++
		}
		if a.Submit[i] != b.Submit[j] || a.Procs[i] != b.Procs[j] {
			c.jobs++
		}
	}
	for _, id := range b.ID {
		if _, both := place[0][id]; !both {
			c.only[1] = append(c.only[1], id)
		}
	}
	return nil
}

// mostBusy returns the most processors that are busy at once.
func mostBusy(s metrics.Schedule) int32 {
	type change struct {
		at    int64
		procs int64
	}
	changes := make([]change, 0, 2*s.Len())
	for i, procs := range s.Procs {
		changes = append(changes, change{s.Start[i], int64(procs)}, change{s.End[i], -int64(procs)})
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.procs, b.procs)) })
	busy, most := int64(0), int64(0)
	for _, c := range changes {
		busy += c.procs
		most = max(most, busy)
	}
	return int32(min(most, math.MaxInt32))
}

func (t *terminal) printComparison(c *comparison, format string) error {
	switch format {
	case "json":
		return t.comparisonJSON(c)
	case "csv":
		w := columns.NewWriter(t.out)
		_ = w.Write([]string{"measure", "a", "b", "difference"}) // w keeps the error
		for _, m := range c.counts() {
			_ = w.Write([]string{m.name, m.exact(), "", ""})
		}
		ours, theirs := measuresOf(c.summaries[0]), measuresOf(c.summaries[1])
		for k, m := range ours {
			change := measure{value: theirs[k].value - m.value}
			_ = w.Write([]string{m.name, m.exact(), theirs[k].exact(), change.exact()})
		}
		return w.Flush()
	}
	t.comparisonTable(c)
	return nil
}

// counts are the numbers of jobs that differ in something.
func (c *comparison) counts() []measure {
	return []measure{
		{"same", "same start and end", float64(c.same), 0, false},
		{"starts_differ", "another start", float64(c.starts), 0, false},
		{"ends_differ", "another end", float64(c.ends), 0, false},
		{"jobs_differ", "another submit or size", float64(c.jobs), 0, false},
		{"only_a", "only in A", float64(len(c.only[0])), 0, false},
		{"only_b", "only in B", float64(len(c.only[1])), 0, false},
	}
}

func (t *terminal) comparisonTable(c *comparison) {
	fmt.Fprintf(t.out, "A: %s\nB: %s\n", c.names[0], c.names[1])
	for _, m := range c.counts() {
		if m.value > 0 || m.name == "starts_differ" {
			fmt.Fprintf(t.out, "%s: %s\n", m.title, things(int(m.value), "job"))
		}
	}
	if f := c.first; f != nil {
		fmt.Fprintf(t.out, "first difference: job %d starts at %d in A, at %d in B\n", f.id, f.starts[0], f.starts[1])
	}
	for k, ids := range c.only {
		if len(ids) > 0 {
			fmt.Fprintf(t.out, "first only in %c: job %d\n", 'A'+k, ids[0])
		}
	}
	ours, theirs := measuresOf(c.summaries[0]), measuresOf(c.summaries[1])
	changes := slices.Clone(ours)
	for k := range changes {
		changes[k].value = theirs[k].value - ours[k].value
	}
	t.measureTable(fmt.Sprintf("on %s", things(int(c.procs), "processor")), []string{"", "A", "B", "B - A"},
		[][]measure{ours, theirs, changes})
}

func (t *terminal) comparisonJSON(c *comparison) error {
	type firstJSON struct {
		ID int64 `json:"id"`
		A  int64 `json:"a"`
		B  int64 `json:"b"`
	}
	report := struct {
		A            string      `json:"a"`
		B            string      `json:"b"`
		Procs        int32       `json:"procs"`
		Equal        bool        `json:"equal"`
		Same         int         `json:"same"`
		StartsDiffer int         `json:"starts_differ"`
		EndsDiffer   int         `json:"ends_differ"`
		JobsDiffer   int         `json:"jobs_differ"`
		First        *firstJSON  `json:"first"` // null where all start alike
		OnlyA        []int64     `json:"only_a"`
		OnlyB        []int64     `json:"only_b"`
		SummaryA     summaryJSON `json:"summary_a"`
		SummaryB     summaryJSON `json:"summary_b"`
	}{
		A: c.names[0], B: c.names[1], Procs: c.procs, Equal: c.equal(), Same: c.same, StartsDiffer: c.starts,
		EndsDiffer: c.ends, JobsDiffer: c.jobs, OnlyA: append([]int64{}, c.only[0]...), OnlyB: append([]int64{}, c.only[1]...),
		SummaryA: summaryForJSON(c.summaries[0]), SummaryB: summaryForJSON(c.summaries[1]),
	}
	if c.first != nil {
		report.First = &firstJSON{c.first.id, c.first.starts[0], c.first.starts[1]}
	}
	encoder := json.NewEncoder(t.out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}
