// Package schedule writes and reads schedules: the start and end of each job. Its one idea: a
// schedule is columns in the order of the trace, whatever its file format.
package schedule

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/model/metrics"
)

// Schedule is the columns of metrics.Schedule and others about the jobs. All columns have one
// length; optional ones may be nil.
type Schedule struct {
	metrics.Schedule
	ID       []int64
	Estimate []int64 // run times, in s, by which the jobs were scheduled; optional
	User     []int32 // -1 if unknown; optional
	Killed   []bool  // ended at the estimate, before its run time was over; optional
}

// SortBySubmit sorts a schedule by submit, jobs of one second by id: the likely order of its trace.
// The schedule must have no optional columns. If its submits ascend, it stays as it is.
func (s *Schedule) SortBySubmit() {
	if slices.IsSorted(s.Submit) {
		return
	}
	order := make([]int, s.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(s.Submit[i], s.Submit[j]), cmp.Compare(s.ID[i], s.ID[j]))
	})
	sorted := Schedule{}
	for _, i := range order {
		sorted.ID, sorted.Submit = append(sorted.ID, s.ID[i]), append(sorted.Submit, s.Submit[i])
		sorted.Start, sorted.End = append(sorted.Start, s.Start[i]), append(sorted.End, s.End[i])
		sorted.Procs = append(sorted.Procs, s.Procs[i])
	}
	*s = sorted
}

// Format is a file format of schedules.
type Format string

// The formats of schedules.
const (
	CSV     Format = "csv"     // id,submit,start,end,procs
	Parquet Format = "parquet" // the same, all optional columns, and metadata about the simulation
	// the trace in the Standard Workload Format with waits and run times of the schedule
	SWF    Format = "swf"
	Batsim Format = "batsim" // the jobs.csv that Batsim writes and evalys plots
)

// FormatNames lists the names that ParseFormat accepts.
func FormatNames() []string {
	return []string{string(Parquet), string(CSV), string(SWF), string(Batsim)}
}

// ParseFormat returns the format of that name. It returns an error that lists them for any other.
func ParseFormat(name string) (Format, error) {
	if slices.Contains(FormatNames(), name) {
		return Format(name), nil
	}
	return "", fmt.Errorf("unknown format %q: write parquet, csv, swf or batsim", name)
}

// FormatOf returns the format of a file by the ending of its name. It returns an error for another
// ending.
func FormatOf(path string) (Format, error) {
	switch ending := strings.ToLower(filepath.Ext(path)); ending {
	case ".csv", ".parquet", ".swf":
		return Format(ending[1:]), nil
	}
	return "", fmt.Errorf(
		"%s: the ending names no format of schedules: let it be .parquet, .csv or .swf, or name the format", path)
}
