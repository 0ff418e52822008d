// Package metrics measures schedules: each formula of docs/reference/scheduling.md once, with its
// source. A schedule is columns, one entry for each job in the order of the trace; a million jobs
// are measured in a tenth of a second.
package metrics

import (
	"fmt"
	"math"
	"slices"
)

// Schedule is when the jobs of a machine came, started and ended: columns of one length, in the
// order of the trace. A job starts at its submit or later, runs for a second or more, and has at
// least one processor; Check tests these rules.
type Schedule struct {
	Submit, Start, End []int64 // s
	Procs              []int32
}

// Len returns the number of jobs.
func (s Schedule) Len() int { return len(s.Submit) }

// Check returns an error that names the first job, by its number from 1, that breaks the rules of a
// schedule.
func (s Schedule) Check() error {
	for i := range s.Submit {
		if err := CheckJob(s.Submit[i], s.Start[i], s.End[i], s.Procs[i]); err != nil {
			return fmt.Errorf("job %d of the schedule: %w", i+1, err)
		}
	}
	return nil
}

// latest bounds times, in s, so that differences are exact as int64 and as float64.
const latest = 1 << 52

// CheckJob returns an error that names the field with which a job breaks the rules of a schedule.
func CheckJob(submit, start, end int64, procs int32) error {
	switch {
	case submit < -latest:
		return fmt.Errorf("submit %d: must be at least %d", submit, -latest)
	case end > latest:
		return fmt.Errorf("end %d: must be at most %d", end, latest)
	case start < submit:
		return fmt.Errorf("start %d: is before the submit at %d", start, submit)
	case end <= start:
		return fmt.Errorf("end %d: must be after the start at %d", end, start)
	case procs < 1:
		return fmt.Errorf("procs %d: must be at least 1", procs)
	}
	return nil
}

// Window says how jobs are measured. Those are left out that were submitted within Warmup seconds
// of the first submit or within Cooldown seconds of the last one; 0 leaves none out.
type Window struct {
	Warmup, Cooldown int64
	// s, the least run time that bounded slowdown divides by; 0: the constant Bound
	Bound int64
}

// bound returns the least run time, in s, that bounded slowdown divides by.
func (w Window) bound() int64 {
	if w.Bound == 0 {
		return Bound
	}
	return w.Bound
}

// counted returns the indices of the jobs that count. It returns an error for a schedule that
// breaks its rules and where no job counts.
func (w Window) counted(s Schedule) ([]int32, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if s.Len() == 0 {
		return nil, fmt.Errorf("measure a schedule: it has no jobs")
	}
	first, last := slices.Min(s.Submit), slices.Max(s.Submit)
	list := make([]int32, 0, s.Len())
	for i, submit := range s.Submit {
		early := w.Warmup > 0 && submit-first < w.Warmup
		late := w.Cooldown > 0 && last-submit < w.Cooldown
		if !early && !late {
			list = append(list, int32(i))
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("measure a schedule: a warm-up of %d s and a cool-down of %d s leave no job of a span of %d s",
			w.Warmup, w.Cooldown, last-first)
	}
	return list, nil
}

// Statistics are of one measure over a set of jobs.
type Statistics struct {
	Mean   float64 `json:"mean"`
	Median float64 `json:"median"` // of an even number of jobs, the mean of the two in the middle
	P95    float64 `json:"p95"`    // the value at position ceil(0.95 n) of the n sorted ones
	Max    float64 `json:"max"`
}

// Measures are of a set of jobs; the bound is that of the Window.
type Measures struct {
	Jobs     int        `json:"jobs"`
	Work     float64    `json:"work"`             // processor-seconds that they ran
	Wait     Statistics `json:"wait"`             // s, start - submit
	Response Statistics `json:"response"`         // s, end - submit
	Slowdown Statistics `json:"slowdown"`         // response / run time
	Bounded  Statistics `json:"bounded_slowdown"` // max(1, response / max(run time, bound))
	// started before a job that stands earlier in the trace
	Backfilled int `json:"backfilled"`
}

// Bound is the least run time, in s, that bounded slowdown divides by: short jobs would dominate
// its mean otherwise (Feitelson & Rudolph, Metrics and benchmarking for parallel job scheduling,
// JSSPP 1998).
const Bound = 10

// BoundedSlowdown returns max(1, response / max(run time, bound)) of a job, whose times are in s;
// bound is Bound where a study has none of its own.
func BoundedSlowdown(submit, start, end, bound int64) float64 {
	return max(1, float64(end-submit)/float64(max(end-start, bound)))
}

// Improvement returns (base - other) / min(base, other) of two positive numbers, such as a job's
// slowdowns under two policies: above 0 where the other one is smaller, and of opposite sign where
// they change places (Lawson & Smirni, JSSPP 2002; Equation 2 of de Assunção & Buyya, HiPC 2008).
func Improvement(base, other float64) float64 { return (base - other) / min(base, other) }

// Summary is a schedule in numbers. The embedded measures are of the jobs that count, the others of
// all.
type Summary struct {
	All      int   `json:"all"`      // jobs, counted or not
	Span     int64 `json:"span"`     // s, last submit - first submit
	Makespan int64 `json:"makespan"` // s, last end - first submit
	// processor-seconds of the jobs / (processors * makespan)
	Utilisation float64 `json:"utilisation"`
	Measures
}

// Summarise measures a schedule on a machine of so many processors. It returns an error for a
// machine without processors, for a schedule that breaks its rules, and where no job counts.
func Summarise(s Schedule, machine int32, window Window) (Summary, error) {
	if machine < 1 {
		return Summary{}, fmt.Errorf("measure a schedule: a machine of %d processors must have at least 1", machine)
	}
	list, err := window.counted(s)
	if err != nil {
		return Summary{}, err
	}
	first := slices.Min(s.Submit)
	summary := Summary{
		All: s.Len(), Span: slices.Max(s.Submit) - first, Makespan: slices.Max(s.End) - first,
		Measures: measure(s, list, overtaking(s), window.bound()),
	}
	work := 0.0
	for i, p := range s.Procs {
		work += float64(float64(p) * float64(s.End[i]-s.Start[i]))
	}
	summary.Utilisation = work / float64(float64(machine)*float64(summary.Makespan))
	return summary, nil
}

// overtaking returns for each job whether it starts before one that stands earlier in the trace.
func overtaking(s Schedule) []bool {
	overtakes := make([]bool, s.Len())
	last := int64(math.MinInt64)
	for i, start := range s.Start {
		overtakes[i] = start < last
		last = max(last, start)
	}
	return overtakes
}

// measure measures the jobs with the indices in list. Sums run in the order of the list, in
// float64: whole seconds are summed exactly below 2^53.
func measure(s Schedule, list []int32, overtakes []bool, bound int64) Measures {
	m := Measures{Jobs: len(list)}
	for _, i := range list {
		m.Work += float64(float64(s.Procs[i]) * float64(s.End[i]-s.Start[i]))
		if overtakes[i] {
			m.Backfilled++
		}
	}
	values := newSelector(list)
	m.Wait = values.statistics(s.wait)
	m.Response = values.statistics(s.response)
	m.Slowdown = values.statistics(s.slowdown)
	m.Bounded = values.statistics(s.bounded(bound))
	return m
}

func (s Schedule) wait(i int32) float64     { return float64(s.Start[i] - s.Submit[i]) }
func (s Schedule) response(i int32) float64 { return float64(s.End[i] - s.Submit[i]) }
func (s Schedule) slowdown(i int32) float64 {
	return float64(s.End[i]-s.Submit[i]) / float64(s.End[i]-s.Start[i])
}

func (s Schedule) bounded(bound int64) func(i int32) float64 {
	return func(i int32) float64 { return BoundedSlowdown(s.Submit[i], s.Start[i], s.End[i], bound) }
}
