// Synthetic traces: jobs drawn from a workload model, with a header that describes them.

package traces

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gridsweep/model/rng"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
)

// Draw is a synthetic workload, drawn from a model. Zeros mean what they do in workload.Options.
type Draw struct {
	Model workload.Model
	Jobs  int64
	Days  float64 // within which they are submitted
	Procs int32   // processors of the machine
	Load  float64
	Seed  int64
}

// Make draws the jobs of a trace in a format. Its header describes the workload and has the
// program, by name and version, and the command that makes it again.
func (d Draw) Make(ctx context.Context, format trace.Format, program string) (*Trace, error) {
	options := workload.Options{Jobs: d.Jobs, Span: int64(math.Ceil(d.Days * 86400)), Procs: d.Procs, Load: d.Load}
	seed := rng.New("gridsweep trace generate").Child(strconv.FormatInt(d.Seed, 10))
	jobs, err := d.Model.Generate(ctx, options, seed)
	if err != nil {
		return nil, err
	}
	procs := d.Procs
	if procs == 0 {
		procs = d.Model.Procs()
	}
	header := d.header(len(jobs), procs, format, program)
	return &Trace{Name: d.Model.Name, Format: format, Header: header, Jobs: jobs}, nil
}

// header describes the workload.
func (d Draw) header(jobs int, procs int32, format trace.Format, program string) *trace.Header {
	header := &trace.Header{}
	for _, line := range [][2]string{
		{"Version", "2.2"},
		{"Computer", "workload model " + d.Model.Name + ": " + d.Model.Title},
		{"Information", d.Model.Source},
		{"Conversion", program},
		{"MaxJobs", strconv.Itoa(jobs)},
		{"MaxRecords", strconv.Itoa(jobs)},
		{"MaxNodes", strconv.Itoa(int(procs))},
		{"MaxProcs", strconv.Itoa(int(procs))},
		{"UnixStartTime", "0"}, // midnight
		{"TimeZone", "0"},
		{"Preemption", "No"},
		{"Note", "made by: " + d.command(procs)},
	} {
		header.Set(format, line[0], line[1])
	}
	return header
}

// command returns the command that makes the workload again.
func (d Draw) command(procs int32) string {
	var text strings.Builder
	fmt.Fprintf(&text, "gridsweep trace generate %s", d.Model.Name)
	if d.Jobs > 0 {
		fmt.Fprintf(&text, " --jobs %d", d.Jobs)
	}
	if d.Days > 0 {
		fmt.Fprintf(&text, " --days %s", strconv.FormatFloat(d.Days, 'g', -1, 64))
	}
	fmt.Fprintf(&text, " --procs %d", procs)
	if d.Load > 0 {
		fmt.Fprintf(&text, " --load %s", strconv.FormatFloat(d.Load, 'g', -1, 64))
	}
	fmt.Fprintf(&text, " --seed %d", d.Seed)
	return text.String()
}
