// Shaking: moving submits at random by a little.

package variation

import (
	"cmp"
	"fmt"
	"slices"

	"gridsweep/model/rng"
	"gridsweep/model/trace"
)

// Shaking moves submits by a little, at random: Tsafrir, Ouaknine & Feitelson, Reducing performance
// evaluation sensitivity and variability by input shaking, MASCOTS 2007. A simulation is repeated
// under small perturbations of its workload and the results are averaged. An effect that remains is
// not an artefact of one particular sequence of arrivals.
//
// The choice of perturbation is ours: submits move by uniform whole seconds.
type Shaking struct {
	// Most is by how many s a submit moves at most, earlier or later, to 2^32.
	Most int64
	// Burst moves jobs of one user together if at most so many s lie between each and the next. So
	// flurries, the surges of similar jobs of one user that make simulations unstable (Tsafrir &
	// Feitelson, Instability in parallel job scheduling simulation, IPDPS 2006), meet other jobs
	// but stay as they are. With 0, each job moves alone.
	Burst int64
}

// Shake returns the jobs with other submits. No job is submitted before the first submit of the
// log: where one would be, it is submitted then. Jobs of equal submits stay in the log's order.
//
// It returns an error for numbers out of range, and for a job without a user if there is a Burst.
func (s Shaking) Shake(jobs []trace.Job, draws *rng.Stream) ([]trace.Job, error) {
	const most = 1 << 32
	if s.Most < 0 || s.Most > most || s.Burst < 0 || s.Burst > most {
		return nil, fmt.Errorf("shake by %d s, bursts with gaps of %d s: give 0 to %d s", s.Most, s.Burst, int64(most))
	}
	if s.Burst > 0 {
		if err := checkUsers(jobs, "shaking bursts moves each job with its user's others: shake each job alone"); err != nil {
			return nil, err
		}
	}
	type burst struct{ last, move int64 } // the last submit of a user, and how the burst moves
	bursts := map[int32]burst{}
	shaken := slices.Clone(jobs)
	for i := range shaken {
		j := &shaken[i]
		b, found := bursts[j.User]
		if s.Burst == 0 || !found || j.Submit-b.last > s.Burst {
			b.move = int64(draws.Float64()*float64(2*s.Most+1)) - s.Most
		}
		if s.Burst > 0 {
			bursts[j.User] = burst{j.Submit, b.move}
		}
		j.Submit = max(jobs[0].Submit, j.Submit+b.move)
	}
	slices.SortStableFunc(shaken, func(a, b trace.Job) int { return cmp.Compare(a.Submit, b.Submit) })
	return shaken, nil
}

// checkUsers returns an error for jobs without a user, with what would be right.
func checkUsers(jobs []trace.Job, right string) error {
	count, example := 0, int64(0)
	for i := range jobs {
		if jobs[i].User < 0 {
			if count++; count == 1 {
				example = jobs[i].ID
			}
		}
	}
	if count > 0 {
		return fmt.Errorf("%d of %d jobs have no user, the first is job %d: %s", count, len(jobs), example, right)
	}
	return nil
}
