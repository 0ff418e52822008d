// Package simulation simulates one machine with the jobs of a trace under several scheduling
// policies and measures the schedules. Its one idea: the jobs and their estimates are made from the
// trace once, so that all policies get the same.
package simulation

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"

	"gridsweep/model/cluster"
	"gridsweep/model/cluster/protocol"
	"gridsweep/model/metrics"
	"gridsweep/model/profile"
	"gridsweep/model/rng"
	"gridsweep/model/trace"
	"gridsweep/model/workload/estimates"
	"gridsweep/pipeline/external"
	"gridsweep/pipeline/traces"
	"gridsweep/results"
	"gridsweep/results/schedule"
)

// Simulation is a machine and the jobs of a trace. Window, By and Programs may be set before Run.
type Simulation struct {
	Trace     *traces.Trace // without its jobs, unless New keeps them
	Config    cluster.Config
	Estimates estimates.Rule
	Window    metrics.Window     // window of the measures; the zero value takes all jobs
	By        []string           // ByUser, BySize: groups of jobs that are measured too
	Programs  *external.Programs // programs that policies exec:… name

	seed   int64 // seed of programs
	jobs   []cluster.Job
	begin  int64             // second of the trace that is second 0 of the simulation
	common schedule.Schedule // the columns that the schedules of all policies share
}

// Outcome is the schedule of a policy and its measures.
type Outcome struct {
	Policy string `json:"policy"`
	metrics.Summary
	ByUser   []Group            `json:"by_user"` // nil unless By names it
	BySize   []Group            `json:"by_size"` // likewise
	Schedule *schedule.Schedule `json:"-"`
}

// New makes the jobs of a simulation from those of a trace, on a machine with the trace's
// processors. It draws random estimates with the seed. It drops the jobs of the trace unless
// keepsJobs is true, which Write needs for SWF.
func New(
	from *traces.Trace, config cluster.Config, rule estimates.Rule, seed int64, keepsJobs bool,
) (*Simulation, error) {
	if from.Procs == 0 {
		return nil, fmt.Errorf("%s: %s: give the machine's processors with --procs", from.Name, from.Header.WhyNoProcs())
	}
	if from.Procs > int64(profile.MostProcs) {
		return nil, fmt.Errorf("%s: %s is %d: a machine has at most %d processors; give its number with --procs",
			from.Name, from.ProcsFrom, from.Procs, profile.MostProcs)
	}
	n := len(from.Jobs)
	s := &Simulation{Trace: from, Config: config, Estimates: rule, seed: seed}
	s.Config.Procs = int32(from.Procs)
	c := &s.common
	c.ID, c.Submit, c.Procs, c.User = make([]int64, n), make([]int64, n), make([]int32, n), make([]int32, n)
	var err error
	if s.jobs, err = rule.Jobs(from.Jobs, rng.New(fmt.Sprint(seed)).Stream("estimates")); err != nil {
		return nil, fmt.Errorf("%s: --estimates %s: %w", from.Name, rule, err)
	}
	for i := range from.Jobs {
		job := &from.Jobs[i]
		c.ID[i], c.Submit[i], c.Procs[i], c.User[i] = job.ID, job.Submit, job.Size(), job.User
	}
	s.beginAtFirst()
	if !keepsJobs {
		from.Jobs = nil
	}
	release(n)
	return s, nil
}

// Jobs returns the number of jobs.
func (s *Simulation) Jobs() int { return len(s.jobs) }

// release collects garbage after a step that has dropped much memory. Otherwise the next step would
// allocate as much again before the collector runs. It takes well below a millisecond: jobs have no
// pointers. It also ends a higher GC percentage that the program has set for reading the trace.
func release(jobs int) {
	const many = 100_000
	if jobs > many {
		debug.SetGCPercent(100)
		runtime.GC()
	}
}

// beginAtFirst makes the first submit second 0 of the simulation, or a reservation that begins
// earlier. Schedulers and orders thus see the same times whenever a trace begins.
func (s *Simulation) beginAtFirst() {
	if len(s.jobs) == 0 {
		return
	}
	s.begin = s.jobs[0].Submit
	for _, r := range s.Config.Reservations {
		s.begin = min(s.begin, r.From)
	}
	for i := range s.jobs {
		s.jobs[i].Submit -= s.begin
	}
	s.Config.Reservations = slices.Clone(s.Config.Reservations)
	for i := range s.Config.Reservations {
		s.Config.Reservations[i].From -= s.begin
		s.Config.Reservations[i].To -= s.begin
	}
}

// Run simulates a policy and measures its schedule. If progress is not nil it is called from time
// to time with the number of jobs that have ended. The error names a job that the machine cannot
// run or a fault of a program, says that no job counts in the window, or is that of ctx.
func (s *Simulation) Run(ctx context.Context, policy cluster.Policy, progress func(ended int)) (*Outcome, error) {
	config := s.Config
	config.Policy, config.Progress = policy, progress
	times, err := protocol.Simulate(ctx, config, s.jobs, s.common.ID, s.Programs.Open, s.seed)
	if err != nil {
		return nil, fmt.Errorf("simulate %s under %s: %w", s.Trace.Name, policy, err)
	}
	release(len(s.jobs))
	for i := range times.Start {
		times.Start[i] += s.begin
		times.End[i] += s.begin
	}
	simulated := s.common
	simulated.Start, simulated.End = times.Start, times.End
	outcome := &Outcome{Policy: policy.String(), Schedule: &simulated}
	if outcome.Summary, err = metrics.Summarise(simulated.Schedule, config.Procs, s.Window); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Trace.Name, err)
	}
	if slices.Contains(s.By, ByUser) {
		if outcome.ByUser, err = s.group(ByUser, simulated.Schedule); err != nil {
			return nil, err
		}
	}
	if slices.Contains(s.By, BySize) {
		if outcome.BySize, err = s.group(BySize, simulated.Schedule); err != nil {
			return nil, err
		}
	}
	return outcome, nil
}

// Groupings of jobs, in Simulation.By.
const (
	ByUser = "user"
	BySize = "size"
)

// Groups returns the groups of jobs by ByUser or BySize.
func (o *Outcome) Groups(by string) []Group {
	if by == ByUser {
		return o.ByUser
	}
	return o.BySize
}

// sizes are the groups of jobs by size.
var sizes = metrics.PowersOfTwo()

// Group is a group of jobs with its name.
type Group struct {
	Name string `json:"name"`
	metrics.Group
}

// group measures the jobs of a schedule by user or by size.
func (s *Simulation) group(by string, simulated metrics.Schedule) (named []Group, err error) {
	keys := s.common.User
	if by == BySize {
		keys = make([]int32, len(simulated.Procs))
		for i, procs := range simulated.Procs {
			keys[i] = int32(sizes.Of(int64(procs)))
		}
	}
	groups, err := metrics.By(simulated, s.Window, keys)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Trace.Name, err)
	}
	for _, group := range groups {
		named = append(named, Group{s.groupName(by, group.Key), group})
	}
	return named, nil
}

func (s *Simulation) groupName(by string, key int32) string {
	switch {
	case by == BySize:
		return sizes.Name(int(key))
	case key < 0:
		return "unknown"
	case s.Trace.Names != nil:
		return trace.Printable(s.Trace.Names.Users.Name(key))
	default:
		return strconv.Itoa(int(key))
	}
}

// Write writes the schedule of an outcome in a format. But for CSV, it first adds estimates and
// killed jobs to the schedule. The metadata are for a Parquet file, the notes for an SWF file.
func (s *Simulation) Write(
	ctx context.Context, o *Outcome, path string, format schedule.Format, metadata map[string]string, notes []string,
) error {
	simulated := o.Schedule
	if format == schedule.CSV {
		return results.WriteFile(path, simulated.CSV())
	}
	simulated.Estimate, simulated.Killed = make([]int64, len(s.jobs)), make([]bool, len(s.jobs))
	for i := range s.jobs {
		simulated.Estimate[i] = s.jobs[i].Estimate
		simulated.Killed[i] = simulated.End[i]-simulated.Start[i] < s.jobs[i].Run
	}
	var text []byte
	var err error
	switch format {
	case schedule.Parquet:
		return simulated.WriteParquet(ctx, path, metadata)
	case schedule.SWF:
		text, err = simulated.SWF(s.Trace.Jobs, s.Trace.Header, s.Trace.Names, s.Trace.Format, notes)
	default:
		text, err = simulated.Batsim(s.Config.Procs)
	}
	if err != nil {
		return err
	}
	return results.WriteFile(path, text)
}

// Warnings returns a warning if the jobs of a trace have no requested times for the estimates. Call
// it before New, which may drop the jobs.
func Warnings(from *traces.Trace, rule estimates.Rule) []string {
	if rule.String() == "user" && !slices.ContainsFunc(from.Jobs, func(j trace.Job) bool { return j.ReqTime > 0 }) {
		return []string{fmt.Sprintf("%s: no job has a requested time: --estimates user is exact here", from.Name)}
	}
	return nil
}
