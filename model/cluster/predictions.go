// Predictions: run times by the users' last jobs, in place of estimates.

package cluster

import "errors"

// predictions are what a site keeps where the scheduler plans with predicted run times, those of
// EASY++ (Tsafrir, Etsion & Feitelson, Backfilling using system-generated predictions rather than
// user runtime estimates, IEEE TPDS 2007). Then the Estimate in Site.jobs is the prediction for a
// job that has started or is the pivot, and unused for others.
type predictions struct {
	inSteps     bool    // a prediction that runs out grows in steps; else it becomes the estimate
	jobs        []Job   // with the estimates of their users
	corrections []int32 // of the jobs: how often the prediction ran out
}

// parsePredicting reads whether a prediction that runs out becomes the estimate.
func parsePredicting(argument string) (Policy, error) {
	if argument != "" && argument != "estimate" {
		return Policy{}, errors.New("it is easy++ or easy++:estimate")
	}
	return Policy{
		scheduler: func(s *Site) scheduler { return newPredicting(s, argument == "") },
		needs:     simple | noReservations,
	}, nil
}

// estimate returns the user's estimate of a job, in s. The plan may hold a prediction.
func (s *Site) estimate(number int32) int64 { return s.scored(number).Estimate }

// score returns the score of a job at now.
func (s *Site) score(number int32) float64 { return s.config.Order.Score(s.scored(number), s.now) }

// scored returns a job as the queue order sees it: with the user's estimate.
func (s *Site) scored(number int32) *Job {
	if s.predictions != nil {
		return &s.predictions.jobs[number]
	}
	return &s.jobs[number]
}

// add notes a new job, whose Estimate is the user's.
func (p *predictions) add(job Job) {
	p.jobs, p.corrections = append(p.jobs, job), append(p.corrections, 0)
}

// minutes are what is added to the first prediction each time that a prediction runs out (Gaussier,
// Glesser, Reis & Trystram, SC 2015, who state them for EASY++; the corrector "tsafrir" of their
// simulator predictsim has the same).
var minutes = [...]int64{1, 5, 15, 30, 60, 2 * 60, 5 * 60, 10 * 60, 20 * 60, 50 * 60, 100 * 60}

// correct returns until when to plan a running job that outlives its prediction: until the next
// step, or latest, where the estimate ends.
func (p *predictions) correct(job *Job, number int32, start, latest int64) int64 {
	i := p.corrections[number]
	if !p.inSteps || int(i) == len(minutes) {
		return latest
	}
	p.corrections[number]++
	return min(start+job.Estimate+60*minutes[i], latest)
}
