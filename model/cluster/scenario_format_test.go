// Scenarios as files that conformance.Parse reads, for -update and for messages, and their
// configurations as those of the engine.

package cluster_test

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gridsweep/model/cluster"
	"gridsweep/model/cluster/conformance"
	"gridsweep/model/cluster/ordering"
)

// configOf returns the config of a configuration of the scenario. Its errors name unknown names.
func configOf(s *conformance.Scenario, c conformance.Configuration) (cluster.Config, error) {
	config := cluster.Config{
		Procs: s.Procs, Boundaries: slices.Clone(c.Partitions), Reservations: slices.Clone(s.Reservations),
	}
	var errs [6]error
	config.Policy, errs[0] = cluster.ParsePolicy(c.Policy)
	config.Order, errs[1] = ordering.Parse(cmp.Or(c.Order, "arrival"))
	config.Instant, errs[2] = cluster.Instants.Parse(cmp.Or(c.Instant, "batch"))
	config.Overrun, errs[3] = cluster.Overruns.Parse(cmp.Or(c.Overrun, "kill"))
	config.Pivot, errs[4] = cluster.Pivots.Parse(cmp.Or(c.Pivot, "replanned"))
	config.Placement, errs[5] = cluster.Placements.Parse(cmp.Or(c.Placement, "count"))
	return config, errors.Join(errs[:]...)
}

// formatted returns the scenario as a file that conformance.Parse reads.
func formatted(s *conformance.Scenario) string {
	var b bytes.Buffer
	writeText(&b, s.Text)
	fmt.Fprintf(&b, "\nprocs %d\n", s.Procs)
	has := func(value func(cluster.Job) int32) bool {
		return slices.ContainsFunc(s.Jobs, func(j cluster.Job) bool { return value(j) != 0 })
	}
	head := "job submit run estimate procs"
	hasPriority := has(func(j cluster.Job) int32 { return j.Priority })
	if hasPriority {
		head += " priority"
	}
	hasUser := has(func(j cluster.Job) int32 { return j.User })
	if hasUser {
		head += " user"
	}
	writeTable(&b, head, len(s.Jobs), func(i int) []int64 {
		job := &s.Jobs[i]
		row := []int64{job.Submit, job.Run, job.Estimate, int64(job.Procs)}
		if hasPriority {
			row = append(row, int64(job.Priority))
		}
		if hasUser {
			row = append(row, int64(job.User))
		}
		return row
	})
	if len(s.Reservations) > 0 {
		writeTable(&b, "reservation from to procs", len(s.Reservations), func(i int) []int64 {
			r := s.Reservations[i]
			return []int64{r.From, r.To, int64(r.Procs)}
		})
	}
	for _, block := range s.Blocks {
		b.WriteByte('\n')
		for _, c := range block.Configurations {
			fmt.Fprintln(&b, c)
		}
		writeText(&b, block.Text)
		b.WriteString(formattedSchedule(block.Schedule))
	}
	return b.String()
}

// formattedSchedule returns a schedule as the table of a scenario file.
func formattedSchedule(schedule cluster.Schedule) string {
	var b bytes.Buffer
	writeTable(&b, "job start end", len(schedule.Start), func(i int) []int64 {
		return []int64{schedule.Start[i], schedule.End[i]}
	})
	return b.String()[1:]
}

func writeText(b *bytes.Buffer, text []string) {
	for _, line := range text {
		fmt.Fprintln(b, strings.TrimRight("# "+line, " "))
	}
}

// writeTable writes an empty line, a head and rows numbered from 1, each column as wide as its
// head.
func writeTable(b *bytes.Buffer, head string, rows int, row func(int) []int64) {
	heads := strings.Fields(head)
	fmt.Fprintf(b, "\n%s\n", strings.Join(heads, "  "))
	for i := range rows {
		numbers := append([]int64{int64(i + 1)}, row(i)...)
		for column, name := range heads {
			if column > 0 {
				b.WriteString("  ")
			}
			fmt.Fprintf(b, "%*d", len(name), numbers[column])
		}
		b.WriteByte('\n')
	}
}

//go:embed conformance/testdata/two.txt
var reservation string

// A scenario that is parsed is written as it was, whatever columns its jobs have.
func TestFormatIsWhatParseReads(t *testing.T) {
	for _, text := range []string{
		reservation,
		strings.NewReplacer("procs\n  1", "procs  user\n  1",
			"5      2\n", "5      2     7\n", "4      2\n", "4      2    -1\n").Replace(reservation),
		strings.NewReplacer("procs\n  1", "procs  priority\n  1",
			"5      2\n", "5      2         0\n", "4      2\n", "4      2        -1\n").Replace(reservation),
	} {
		s, err := conformance.Parse("set/two.txt", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if have := formatted(s); have != text {
			t.Errorf("%s is written as\n%s", text, have)
		}
	}
}
