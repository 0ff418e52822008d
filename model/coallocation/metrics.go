// Metrics: the sums of a run and the outcome that is computed from them.

package coallocation

import (
	"math"

	"gridsweep/model"
)

// tally sums what the metrics of section 3.2.4 are made of.
type tally struct {
	requests, rejected, tasks int64
	work, workRejected        model.Seconds // t_ET x tasks, summed
	end                       model.Seconds // of the last accepted reservation
}

// count adds a request, which starts at start if it is accepted.
func (t *tally) count(r *request, start model.Seconds, accepted bool) {
	t.requests++
	t.tasks += int64(len(r.types))
	t.work += r.work()
	if !accepted {
		t.rejected++
		t.workRejected += r.work()
		return
	}
	t.end = max(t.end, start+r.service)
}

// outcome returns the metrics of a run. The broker has counted the candidates of its tasks.
func (t *tally) outcome(p Parameters, b *broker) Outcome {
	o := Outcome{
		Blocking:           percent(t.rejected, t.requests),
		WorkRejected:       percent(t.workRejected, t.work),
		Fairness:           1,
		CandidateResources: float64(b.listedResources) / float64(t.tasks),
		CandidateIntervals: float64(b.listedIntervals) / float64(t.tasks),
		MeanTasks:          float64(p.TasksMin+p.TasksMax) / 2,
		MeanService:        float64(p.ServiceMin+p.ServiceMax) / 120, // half the sum, in min
		Rejected:           t.rejected,
		Observation:        t.end,
	}
	if t.end > 0 {
		// All accepted work is done by the end of the observation.
		o.Utilisation = 100 * float64(t.work-t.workRejected) / (float64(t.end) * float64(p.ResourceTypes*p.Resources))
	}
	if t.rejected > 0 {
		fairness := float64(t.workRejected) / float64(t.rejected) / (float64(t.work) / float64(t.requests))
		unfairness := math.Abs(fairness - 1)
		o.Fairness, o.FairnessRejecting, o.Unfairness = fairness, &fairness, &unfairness
	}
	return o
}

// percent returns 100 x amount / whole.
func percent[T ~int64](amount, whole T) float64 { return 100 * float64(amount) / float64(whole) }
