// Comparison: another program's schedules, read from CSV, against those of the set.

package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gridsweep/model/cluster"
	"gridsweep/model/columns"
)

// ScheduleColumns are the columns of the CSV that [ReadSchedules] reads.
var ScheduleColumns = []string{"scenario", "configuration", "id", "start", "end"}

// Schedules are a program's schedules of some scenarios, by the name of the scenario and the
// configuration as [Configuration.String] writes it.
type Schedules map[[2]string]Times

// Times are the start and end of jobs, in s, by number from 1.
type Times map[int]struct{ Start, End int64 }

// ReadSchedules reads CSV with the columns of [ScheduleColumns] and any others, with columns and
// rows in any order. It returns an error with the name of the file and the line for a scenario,
// configuration or job that the set does not have, a time that is not whole seconds, and a job that
// occurs twice.
func ReadSchedules(name string, r io.Reader, set []*Scenario) (Schedules, error) {
	var wanted []columns.Column
	for _, column := range ScheduleColumns {
		wanted = append(wanted, columns.Column{Name: column})
	}
	rows, err := columns.NewReader(r, name, "begin with a line "+strings.Join(ScheduleColumns, ","), wanted)
	if err != nil {
		return nil, err
	}
	schedules := Schedules{}
	for {
		fields, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return schedules, nil
		}
		if err != nil {
			return nil, err
		}
		if err := schedules.add(fields, set); err != nil {
			return nil, rows.WrongRow(err)
		}
	}
}

func (s Schedules) add(fields []string, set []*Scenario) error {
	i := slices.IndexFunc(set, func(scenario *Scenario) bool { return scenario.Name == fields[0] })
	if i < 0 {
		return fmt.Errorf("there is no scenario %q; gridsweep conformance list shows them", fields[0])
	}
	c, err := ParseConfiguration(fields[1])
	if err != nil {
		return fmt.Errorf("configuration %w", err)
	}
	if !set[i].has(c) {
		return fmt.Errorf("the scenario %s has no schedule for %s", fields[0], c)
	}
	var numbers [3]int64
	for n := range numbers {
		if numbers[n], err = strconv.ParseInt(fields[n+2], 10, 64); err != nil {
			return fmt.Errorf("%s %q is not a whole number", ScheduleColumns[n+2], fields[n+2])
		}
	}
	id := numbers[0]
	if id < 1 || id > int64(len(set[i].Jobs)) {
		return fmt.Errorf("id %d: the jobs of %s are 1 to %d", id, fields[0], len(set[i].Jobs))
	}
	key := [2]string{fields[0], c.String()}
	if s[key] == nil {
		s[key] = Times{}
	}
	if _, twice := s[key][int(id)]; twice {
		return fmt.Errorf("job %d of %s, %s, occurs twice", id, fields[0], c)
	}
	s[key][int(id)] = struct{ Start, End int64 }{numbers[1], numbers[2]}
	return nil
}

// Result compares a program's schedule with one of the set.
type Result struct {
	Scenario      string
	Configuration Configuration
	Missing       bool   // the program has no such schedule
	Difference    string // the first one; empty if there is none
}

// Compare returns a result for each schedule of the set, in its order.
func Compare(set []*Scenario, schedules Schedules) []Result {
	var list []Result
	for _, s := range set {
		for _, block := range s.Blocks {
			for _, c := range block.Configurations {
				times := schedules[[2]string{s.Name, c.String()}]
				result := Result{Scenario: s.Name, Configuration: c, Missing: times == nil}
				if !result.Missing {
					result.Difference = difference(block.Schedule, times)
				}
				list = append(list, result)
			}
		}
	}
	return list
}

// difference describes the difference of the first job, in the order of expected starts, that
// differs. Differences of later jobs may follow from it.
func difference(want cluster.Schedule, have Times) string {
	order := make([]int, len(want.Start))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(want.Start[a], want.Start[b]) })
	for _, i := range order {
		job, found := have[i+1]
		switch {
		case !found:
			return fmt.Sprintf("job %d is not there", i+1)
		case job.Start != want.Start[i]:
			return fmt.Sprintf("job %d starts at %d, want %d", i+1, job.Start, want.Start[i])
		case job.End != want.End[i]:
			return fmt.Sprintf("job %d ends at %d, want %d", i+1, job.End, want.End[i])
		}
	}
	return ""
}
