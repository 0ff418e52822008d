// Package schedule writes and reads schedules: which job started and ended when. Its one idea: a schedule is columns in
// the order of the trace, whatever file it came from or goes to.
//
//	s, err := schedule.Read(data, "easy.csv")
//	err = results.WriteFile("easy.csv", s.CSV())
package schedule

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/model/metrics"
)

// Schedule is a measured schedule's columns with what names the jobs. All columns have one length; the optional ones may
// be nil.
type Schedule struct {
	metrics.Schedule
	ID       []int64
	Estimate []int64 // s that the scheduler was told; optional
	User     []int32 // -1 where unknown; optional
	Killed   []bool  // ended at the estimate, before its run time was over; optional
}

// Format is a kind of file.
type Format string

// The formats of schedules.
const (
	CSV     Format = "csv"     // id,submit,start,end,procs
	Parquet Format = "parquet" // the same, all optional columns, and how the schedule was made as metadata
	SWF     Format = "swf"     // the trace in the Standard Workload Format, its waits and run times those of the schedule
	Batsim  Format = "batsim"  // the jobs.csv that Batsim writes and evalys plots
)

// Formats lists all formats.
func Formats() []Format { return []Format{Parquet, CSV, SWF, Batsim} }

// ParseFormat returns the format of that name. It returns an error that lists them for any other.
func ParseFormat(name string) (Format, error) {
	if f := Format(name); slices.Contains(Formats(), f) {
		return f, nil
	}
	return "", fmt.Errorf("unknown format %q: write parquet, csv, swf or batsim", name)
}

// FormatOf returns the format that a file's name asks for by its ending. It returns an error where the ending says nothing.
func FormatOf(path string) (Format, error) {
	switch ending := strings.ToLower(filepath.Ext(path)); ending {
	case ".csv", ".parquet", ".swf":
		return Format(ending[1:]), nil
	}
	return "", fmt.Errorf("%s: the ending names no format of schedules: let it be .parquet, .csv or .swf, or name the format", path)
}
