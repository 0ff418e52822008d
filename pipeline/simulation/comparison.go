package simulation

// The comparison of two schedules in files: equal and different jobs, and measures of both.

import (
	"context"
	"fmt"
	"io"
	"slices"

	"gridsweep/model/metrics"
	"gridsweep/pipeline/traces"
	"gridsweep/results/schedule"
)

// Comparison is two schedules side by side, A and B, and the measures of each.
type Comparison struct {
	*schedule.Comparison
	Names     [2]string
	Procs     int32
	Summaries [2]metrics.Summary
}

// Compare compares the schedules in two files, packed or not. One name may be -, for stdin. The
// machine has that many processors; 0 stands for the most that are busy at once.
func Compare(ctx context.Context, names [2]string, stdin io.Reader, procs int32) (*Comparison, error) {
	c := &Comparison{Names: names, Procs: procs}
	var read [2]*schedule.Schedule
	var err error
	for k, path := range names {
		if read[k], err = readSchedule(ctx, path, stdin); err != nil {
			return nil, err
		}
	}
	most := max(read[0].MostBusy(), read[1].MostBusy())
	switch {
	case procs == 0:
		c.Procs = most
	case procs < most:
		return nil, fmt.Errorf(
			"--procs %d: the schedules use %d at once; give at least that many, or leave it out", procs, most)
	}
	if c.Comparison, err = schedule.Compare(names, read); err != nil {
		return nil, err
	}
	for k := range read {
		if c.Summaries[k], err = metrics.Summarise(read[k].Schedule, c.Procs, metrics.Window{}); err != nil {
			return nil, fmt.Errorf("%s: %w", names[k], err)
		}
	}
	return c, nil
}

// readSchedule reads a schedule, sorted by submits.
func readSchedule(ctx context.Context, path string, stdin io.Reader) (*schedule.Schedule, error) {
	file, err := traces.Open(ctx, path, stdin)
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

// Counts returns how many jobs are equal and how many differ in what.
func (c *Comparison) Counts() []Measure {
	return []Measure{
		{Name: "same", Title: "same start and end", Value: float64(c.Same)},
		{Name: "starts_differ", Title: "another start", Value: float64(c.Starts)},
		{Name: "ends_differ", Title: "another end", Value: float64(c.Ends)},
		{Name: "jobs_differ", Title: "another submit or size", Value: float64(c.Jobs)},
		{Name: "only_a", Title: "only in A", Value: float64(len(c.Only[0]))},
		{Name: "only_b", Title: "only in B", Value: float64(len(c.Only[1]))},
	}
}

// Measures returns the measures of A and of B, and the differences B - A.
func (c *Comparison) Measures() (a, b, changes []Measure) {
	a, b = Measures(c.Summaries[0]), Measures(c.Summaries[1])
	changes = slices.Clone(a)
	for k := range changes {
		changes[k].Value = b[k].Value - a[k].Value
	}
	return a, b, changes
}

// Rows returns the comparison as rows of CSV. The first names the columns.
func (c *Comparison) Rows() [][]string {
	rows := [][]string{{"measure", "a", "b", "difference"}}
	for _, m := range c.Counts() {
		rows = append(rows, []string{m.Name, m.exact(), "", ""})
	}
	a, b, changes := c.Measures()
	for k, m := range a {
		rows = append(rows, []string{m.Name, m.exact(), b[k].exact(), changes[k].exact()})
	}
	return rows
}

// ComparisonReport is a comparison with all digits. Its JSON has all keys at all times.
type ComparisonReport struct {
	A            string           `json:"a"`
	B            string           `json:"b"`
	Procs        int32            `json:"procs"`
	Equal        bool             `json:"equal"`
	Same         int              `json:"same"`
	StartsDiffer int              `json:"starts_differ"`
	EndsDiffer   int              `json:"ends_differ"`
	JobsDiffer   int              `json:"jobs_differ"`
	First        *FirstDifference `json:"first"` // null where all start alike
	OnlyA        []int64          `json:"only_a"`
	OnlyB        []int64          `json:"only_b"`
	SummaryA     metrics.Summary  `json:"summary_a"`
	SummaryB     metrics.Summary  `json:"summary_b"`
}

// FirstDifference is the first job with different starts.
type FirstDifference struct {
	ID int64 `json:"id"`
	A  int64 `json:"a"`
	B  int64 `json:"b"`
}

// Report returns the comparison for JSON.
func (c *Comparison) Report() ComparisonReport {
	report := ComparisonReport{
		A: c.Names[0], B: c.Names[1], Procs: c.Procs, Equal: c.Equal(), Same: c.Same,
		StartsDiffer: c.Starts, EndsDiffer: c.Ends, JobsDiffer: c.Jobs,
		OnlyA: append([]int64{}, c.Only[0]...), OnlyB: append([]int64{}, c.Only[1]...),
		SummaryA: c.Summaries[0], SummaryB: c.Summaries[1],
	}
	if c.First != nil {
		report.First = &FirstDifference{c.First.ID, c.First.Starts[0], c.First.Starts[1]}
	}
	return report
}
