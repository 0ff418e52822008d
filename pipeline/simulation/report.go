// The JSON report of a simulation: trace, machine and the measures of each policy.

package simulation

import "gridsweep/model/trace"

// Report is the simulation of one trace under some policies, with all digits. Its JSON always has
// all keys.
type Report struct {
	Version string      `json:"version"`
	Trace   ReportTrace `json:"trace"`
	// how many lines are no jobs, with the number of the first line; then how many jobs each step
	// of cleaning and selection left out or changed
	LeftOut  []trace.Step  `json:"left_out"`
	Machine  ReportMachine `json:"machine"`
	Options  Options       `json:"options"`
	Policies []*Outcome    `json:"policies"`
}

// ReportTrace is the trace of a report.
type ReportTrace struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Format string `json:"format"`
	Read   int    `json:"read"` // jobs, before cleaning and selection
}

// ReportMachine is the machine of a report.
type ReportMachine struct {
	Procs int32  `json:"procs"`
	From  string `json:"procs_from"`
}

// Report returns the report of outcomes, by this version of the program. It completes the options
// by the window and the estimates of the simulation.
func (s *Simulation) Report(version string, options Options, outcomes []*Outcome) Report {
	options.Partitions = append([]string{}, options.Partitions...)
	options.Estimates, options.Warmup, options.Cooldown = s.Estimates.String(), s.Window.Warmup, s.Window.Cooldown
	return Report{
		Version: version,
		Trace:   ReportTrace{s.Trace.Name, s.Trace.Checksum, s.Trace.Format.String(), s.Trace.Read},
		LeftOut: append(append([]trace.Step{}, s.Trace.Skipped...), s.Trace.Steps...),
		Machine: ReportMachine{s.Config.Procs, s.Trace.ProcsFrom},
		Options: options, Policies: outcomes,
	}
}
