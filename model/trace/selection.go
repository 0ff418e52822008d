// Selection: the jobs of a trace that a study takes, and the scaling of their times.

package trace

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Month is the length of a month in seconds: a twelfth of the Gregorian year.
const Month = 2_629_746

// Selection chooses jobs of a trace and scales their times. The zero value takes all as they are.
type Selection struct {
	// first and last, both included; month 1 begins with the first submit; {0, 0} for all
	Months    [2]int
	From, To  int64 // s since the first submit, [From, To); To 0 is the end; not with Months
	Partition []int32
	Site      []int32
	User      []int32
	Queue     []int32
	Status    []int32 // each of these: jobs with one of the values; all where empty

	ShiftToZero   bool    // the first submit of what is taken becomes 0
	ScaleArrivals float64 // factor on the times between submits; 0 is 1
	ScaleRuntimes float64 // factor on run and requested times; 0 is 1
}

// check returns an error for bounds or scales that no selection can have.
func (s *Selection) check() error {
	switch {
	case s.Months != [2]int{} && (s.Months[0] < 1 || s.Months[1] < s.Months[0]):
		return fmt.Errorf("months %d-%d: write the first and the last, counted from 1", s.Months[0], s.Months[1])
	case s.Months != [2]int{} && (s.From != 0 || s.To != 0):
		return fmt.Errorf("months and a window of time: write one of them")
	case s.From < 0 || s.To < 0 || s.To != 0 && s.To <= s.From:
		return fmt.Errorf("from %d to %d s: write 0 or more, and an end after the beginning", s.From, s.To)
	}
	for _, f := range []float64{s.ScaleArrivals, s.ScaleRuntimes} {
		if !(f >= 0 && f <= 1e6) {
			return fmt.Errorf("scale by %g: write a number above 0, at most a million", f)
		}
	}
	return nil
}

// Apply takes jobs, which Clean has sorted, by the window of time, then by partition, site and so
// on; then it shifts submits and scales times. The result reuses the slice: the jobs taken are at
// its front. Where the submits were shifted, Header.MoveStart adapts the header's date.
//
// Scaled times are rounded half away from zero. A submit is scaled as the time since the first one
// taken, so that rounding does not add up. A run time or requested time above 0 stays at least 1 s.
//
// It returns an error for bounds or scales that no selection can have, without a change of the
// jobs, and for times that a scale makes too large.
func (s *Selection) Apply(jobs []Job) ([]Job, Report, error) {
	if err := s.check(); err != nil {
		return nil, Report{}, err
	}
	report := Report{Read: len(jobs)}
	if from, to, all := s.window(); !all && len(jobs) > 0 {
		first := jobs[0].Submit
		wanted := func(j *Job) bool { return j.Submit-first >= from && j.Submit-first < to }
		jobs = report.take(jobs, s.describeWindow(), wanted)
	}
	for _, filter := range []struct {
		name   string
		wanted []int32
		value  func(*Job) int32
	}{
		{"partition", s.Partition, func(j *Job) int32 { return j.Partition }},
		{"site", s.Site, func(j *Job) int32 { return j.Site }},
		{"user", s.User, func(j *Job) int32 { return j.User }},
		{"queue", s.Queue, func(j *Job) int32 { return j.Queue }},
		{"status", s.Status, func(j *Job) int32 { return int32(j.Status) }},
	} {
		if len(filter.wanted) > 0 {
			wanted := func(j *Job) bool { return slices.Contains(filter.wanted, filter.value(j)) }
			jobs = report.take(jobs, "of another "+filter.name+": left out", wanted)
		}
	}
	if s.ShiftToZero && len(jobs) > 0 {
		report.Shifted = jobs[0].Submit
	}
	if err := s.stretch(jobs, report.Shifted); err != nil {
		return nil, Report{}, err
	}
	return jobs, report, nil
}

// take returns the wanted jobs, moved to the front of the slice. It adds a step with those that it
// leaves out.
func (r *Report) take(jobs []Job, what string, wanted func(*Job) bool) []Job {
	step := Step{What: what}
	kept := 0
	for i := range jobs {
		if !wanted(&jobs[i]) {
			if step.Count++; step.Count == 1 {
				step.Example = jobs[i].ID
			}
			continue
		}
		if kept != i {
			jobs[kept] = jobs[i]
		}
		kept++
	}
	if step.Count > 0 {
		r.Steps = append(r.Steps, step)
	}
	return jobs[:kept]
}

// window returns the time that is taken, in s since the first submit, and whether that is all.
func (s *Selection) window() (from, to int64, all bool) {
	switch {
	case s.Months != [2]int{}:
		return int64(s.Months[0]-1) * Month, int64(s.Months[1]) * Month, false
	case s.To > 0:
		return s.From, s.To, false
	default:
		return s.From, math.MaxInt64, s.From == 0
	}
}

func (s *Selection) describeWindow() string {
	if s.Months != [2]int{} {
		return fmt.Sprintf("not in months %d to %d: left out", s.Months[0], s.Months[1])
	}
	return "not in the window of time: left out"
}

// stretch subtracts the shift from the submit times of the jobs and scales their times.
func (s *Selection) stretch(jobs []Job, shift int64) error {
	if len(jobs) == 0 {
		return nil
	}
	arrivals, runtimes := cmp.Or(s.ScaleArrivals, 1), cmp.Or(s.ScaleRuntimes, 1)
	first := jobs[0].Submit
	for i := range jobs {
		j := &jobs[i]
		offset, ok := scaled(j.Submit-first, arrivals)
		if !ok {
			return fmt.Errorf("job %d: submit time %d scaled by %g is too large", j.ID, j.Submit, arrivals)
		}
		j.Submit = first - shift + offset
		for _, time := range [...]*int64{&j.Run, &j.ReqTime} {
			if runtimes == 1 || *time <= 0 {
				continue
			}
			length, ok := scaled(*time, runtimes)
			if !ok {
				return fmt.Errorf("job %d: time %d scaled by %g is too large", j.ID, *time, runtimes)
			}
			*time = max(1, length)
		}
	}
	return nil
}

// scaled returns the time multiplied and rounded half away from zero, and whether it is less than
// 2^52 s, up to where float64 counts every second.
func scaled(seconds int64, factor float64) (int64, bool) {
	if factor == 1 {
		return seconds, true
	}
	product := math.Round(float64(seconds) * factor)
	return int64(product), math.Abs(product) < 1<<52
}
