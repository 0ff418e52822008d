// Load: the offered load of jobs, and stretching the times between submits to reach another.

package variation

import (
	"fmt"
	"slices"

	"gridsweep/model/trace"
)

// Load returns the offered load of the jobs on a machine of so many processors, as trace.Stats has
// it: the sum of size × run time, over processors × the time from the first to the last submit.
//
// It returns an error where that time or the number of processors is 0.
func Load(jobs []trace.Job, procs int64) (float64, error) {
	if procs < 1 {
		return 0, fmt.Errorf("offered load of a machine of %d processors: give 1 or more", procs)
	}
	if len(jobs) == 0 || jobs[len(jobs)-1].Submit == jobs[0].Submit {
		return 0, fmt.Errorf("offered load of %d jobs within one second: it takes jobs at two times", len(jobs))
	}
	return trace.Work(jobs) / (float64(procs) * float64(jobs[len(jobs)-1].Submit-jobs[0].Submit)), nil
}

// loadError bounds the relative error of the load of ToLoad.
const loadError = 0.001

// ToLoad returns the jobs with the times between submits multiplied by one factor, such that they
// have this offered load, up to the rounding of submits to seconds. It is the usual way to vary
// load; daily cycles become shorter or longer (Frachtenberg & Feitelson, Pitfalls in parallel job
// scheduling evaluation, JSSPP 2005). To scale by a factor, or run times with their estimates, use
// trace.Selection.
//
// It returns the error of Load, and one for a load that is not above 0, for jobs without work, and
// where the submits would be within so few seconds, or so many, that the load cannot be met.
func ToLoad(jobs []trace.Job, procs int64, load float64) ([]trace.Job, error) {
	if !(load > 0) {
		return nil, fmt.Errorf("an offered load of %v: give a number above 0", load)
	}
	own, err := Load(jobs, procs)
	if err != nil {
		return nil, err
	}
	factor := own / load
	if !(factor > 0) {
		return nil, fmt.Errorf("an offered load of %v: the jobs have no work", load)
	}
	selection := trace.Selection{ScaleArrivals: factor}
	scaled, _, err := selection.Apply(slices.Clone(jobs))
	if err != nil {
		return nil, fmt.Errorf("an offered load of %v instead of %.3g: %w", load, own, err)
	}
	if have, err := Load(scaled, procs); err != nil || have < load*(1-loadError) || have > load*(1+loadError) {
		return nil, fmt.Errorf("an offered load of %v instead of %.3g: the submits would be within few seconds", load, own)
	}
	return scaled, nil
}
