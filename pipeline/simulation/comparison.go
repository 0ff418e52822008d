// The comparison of two schedules in files: equal and different jobs, and measures of both.

package simulation

import (
	"context"
	"fmt"
	"io"
	"slices"

	"gridsweep/model/metrics"
	"gridsweep/pipeline/traces"
	"gridsweep/results/schedule"
)

// Comparison is two schedules side by side, A and B, and the measures of each. Its JSON has all
// keys at all times.
type Comparison struct {
	A     string `json:"a"` // name of its file
	B     string `json:"b"`
	Procs int32  `json:"procs"`
	*schedule.Comparison
	SummaryA metrics.Summary `json:"summary_a"`
	SummaryB metrics.Summary `json:"summary_b"`
}

// Compare compares the schedules in two files, packed or not. One name may be -, for stdin. The
// machine has that many processors; 0 stands for the most that are busy at once.
func Compare(ctx context.Context, names [2]string, stdin io.Reader, procs int32) (*Comparison, error) {
	c := &Comparison{A: names[0], B: names[1], Procs: procs}
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
	for k, summary := range []*metrics.Summary{&c.SummaryA, &c.SummaryB} {
		if *summary, err = metrics.Summarise(read[k].Schedule, c.Procs, metrics.Window{}); err != nil {
			return nil, fmt.Errorf("%s: %w", names[k], err)
		}
	}
	return c, nil
}

// readSchedule reads a schedule and sorts it by submits.
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
		{Name: "starts_differ", Title: "another start", Value: float64(c.StartsDiffer)},
		{Name: "ends_differ", Title: "another end", Value: float64(c.EndsDiffer)},
		{Name: "jobs_differ", Title: "another submit or size", Value: float64(c.JobsDiffer)},
		{Name: "only_a", Title: "only in A", Value: float64(len(c.OnlyA))},
		{Name: "only_b", Title: "only in B", Value: float64(len(c.OnlyB))},
	}
}

// Measures returns the measures of A and of B, and the differences B - A.
func (c *Comparison) Measures() (a, b, changes []Measure) {
	a, b = Measures(c.SummaryA), Measures(c.SummaryB)
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
