package conformance

// Format: writing a scenario as a file that Parse reads.

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gridsweep/model/cluster"
)

// Format returns the scenario as a file that [Parse] reads.
func (s *Scenario) Format() []byte {
	var b bytes.Buffer
	writeText(&b, s.Text)
	fmt.Fprintf(&b, "\nprocs %d\n", s.Procs)
	head := jobHead
	var columns []jobColumn
	for _, column := range jobColumns {
		if slices.ContainsFunc(s.Jobs, func(j cluster.Job) bool { return *column.value(&j) != 0 }) {
			head += " " + column.name
			columns = append(columns, column)
		}
	}
	writeTable(&b, head, len(s.Jobs), func(i int) []int64 {
		job := &s.Jobs[i]
		row := []int64{job.Submit, job.Run, job.Estimate, int64(job.Procs)}
		for _, column := range columns {
			row = append(row, int64(*column.value(job)))
		}
		return row
	})
	if len(s.Reservations) > 0 {
		writeTable(&b, reservationHead, len(s.Reservations), func(i int) []int64 {
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
		b.Write(FormatSchedule(block.Schedule))
	}
	return b.Bytes()
}

// FormatSchedule returns a schedule as the table of a scenario file.
func FormatSchedule(schedule cluster.Schedule) []byte {
	var b bytes.Buffer
	writeTable(&b, scheduleHead, len(schedule.Start), func(i int) []int64 {
		return []int64{schedule.Start[i], schedule.End[i]}
	})
	return b.Bytes()[1:]
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
