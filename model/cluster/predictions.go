package cluster

// Predictions: run times by the users' last jobs, in place of estimates.

import "errors"

// predictions are what a site keeps where the scheduler plans with predicted run times, those of
// EASY++ (Tsafrir, Etsion & Feitelson, Backfilling using system-generated predictions rather than
// user runtime estimates, IEEE TPDS 2007). Then Job.Estimate in the table is the prediction.
//
// Invariant: waiting job n is number places[n] in the list of its user, and no other job is there.
type predictions struct {
	inSteps     bool    // a prediction that runs out grows in steps; else it becomes the estimate
	jobs        []Job   // with the estimates of their users
	corrections []int32 // of the jobs: how often the prediction ran out
	places      []int32 // of the waiting jobs in the lists of their users

	users map[int32]*userHistory
	stale []*userHistory // users of whom a job has ended since the predictions were made
}

// userHistory is what predicts the run times of a user's jobs.
type userHistory struct {
	last, previous int64   // run times of the last two jobs to have ended, in s; 0 where there is none
	waiting        []int32 // jobs, in no order
	stale          bool    // it is in predictions.stale
}

// parsePredicting reads whether a prediction that runs out becomes the estimate.
func parsePredicting(argument string) (Policy, error) {
	if argument != "" && argument != "estimate" {
		return Policy{}, errors.New("it is easy++ or easy++:estimate")
	}
	return Policy{
		scheduler: func(s *Site) scheduler { return newPredicting(s, argument == "") },
		check:     (*Config).checkUnreserved,
	}, nil
}

// newPredicting returns the policy of EASY++: EASY that backfills the jobs of the shortest
// predictions first.
func newPredicting(s *Site, inSteps bool) *easy {
	s.predictions = &predictions{inSteps: inSteps, users: map[int32]*userHistory{}}
	return newShortest(s)
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

// predict returns the prediction of a run time, in s: the mean of the user's last two, rounded down
// and at most the estimate; the estimate while there are fewer.
func (u *userHistory) predict(estimate int64) int64 {
	if u.previous == 0 {
		return estimate
	}
	return min(estimate, (u.last+u.previous)/2)
}

// add predicts the run time of a new job, whose Estimate is the user's.
func (p *predictions) add(job *Job, number int32) {
	p.jobs, p.places, p.corrections = append(p.jobs, *job), append(p.places, 0), append(p.corrections, 0)
	u := p.users[job.User]
	if u == nil {
		u = &userHistory{}
		p.users[job.User] = u
	}
	p.places[number] = int32(len(u.waiting))
	u.waiting = append(u.waiting, number)
	job.Estimate = u.predict(job.Estimate)
}

// begin notes a job that starts.
func (p *predictions) begin(job *Job, number int32) {
	u := p.users[job.User]
	last := len(u.waiting) - 1
	moved := u.waiting[last]
	u.waiting[p.places[number]], p.places[moved] = moved, p.places[number]
	u.waiting = u.waiting[:last]
}

// end notes a job that has ended after so many seconds.
func (p *predictions) end(job *Job, run int64) {
	if job.User < 0 {
		return // unknown: such jobs do not predict each other
	}
	u := p.users[job.User]
	u.last, u.previous = run, u.last
	if !u.stale {
		u.stale = true
		p.stale = append(p.stale, u)
	}
}

// minutes are the steps in which a prediction grows that runs out, each from the first prediction
// on (Gaussier, Glesser, Reis & Trystram, SC 2015, who state them for EASY++; the corrector
// "tsafrir" of their simulator predictsim has the same).
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

// renewPredictions predicts the run times of waiting jobs anew whose users had a job end.
func (s *Site) renewPredictions() {
	p := s.predictions
	if p == nil || len(p.stale) == 0 {
		return
	}
	s.sortQueue() // by the scores at now, by which jobs are found
	for _, u := range p.stale {
		u.stale = false
		for _, number := range u.waiting {
			if predicted := u.predict(p.jobs[number].Estimate); predicted != s.jobs[number].Estimate {
				s.replacePrediction(number, predicted)
			}
		}
	}
	p.stale = p.stale[:0]
}

// replacePrediction gives a waiting job another prediction.
func (s *Site) replacePrediction(number int32, predicted int64) {
	w := s.waiting(number)
	s.jobs[number].Estimate = predicted
	queued := s.queue.at(s.queue.find(&w))
	if queued == nil || queued.number != number {
		return // it has come since the last pass
	}
	s.shortest.remove(s.shortest.find(&w))
	queued.estimate, w.estimate = predicted, predicted
	s.shortest.insert(w)
}
