// Resampling: new logs drawn from the weeks or the users of a log.

package variation

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"gridsweep/model/rng"
	"gridsweep/model/trace"
)

// Week is the length of a week in s. Resampling moves jobs by whole weeks, so that each keeps its
// time of day and day of week.
const Week = 7 * day

const day = 24 * 3600

// mostWeeks bounds a resampled log to the 2^32 s that the simulation of a machine takes.
const mostWeeks = 1 << 32 / Week

// Weeks returns a log of so many weeks, 0 for as many whole ones as the log has. Each is a week of
// the log, drawn independently and with replacement: the bootstrap with blocks of a week. It varies
// effects of single weeks and destroys those that last longer. Weeks are counted from the first
// submit on; the last one is whole if jobs are submitted on its last day, and jobs after the last
// whole week are in no draw.
//
// The jobs have IDs from 1 on; After and Think are unknown, since the preceding job may be missing.
// It returns an error for a number of weeks out of range and for a log shorter than two weeks.
func Weeks(jobs []trace.Job, weeks int, draws *rng.Stream) ([]trace.Job, error) {
	own, weeks, err := weeksOf(jobs, weeks)
	if err != nil {
		return nil, err
	}
	r := resampled{from: jobs}
	for week := range weeks {
		drawn := draws.Intn(own)
		begin := jobs[0].Submit + int64(drawn)*Week
		for at := before(jobs, begin); at < before(jobs, begin+Week); at++ {
			r.add(int32(at), week-drawn, jobs[at].User)
		}
	}
	return r.jobs(), nil
}

// Users returns a log of so many weeks, 0 for as many whole ones as the log has, whose users are
// drawn from the log, each with the jobs of all his weeks: after Zakay & Feitelson, Workload
// resampling for performance evaluation of parallel job schedulers, ICPE 2013 and Concurrency and
// Computation: Practice and Experience 26(12), 2014. It varies which users meet, and keeps what
// each of them does over weeks.
//
// A user is long-term if the weeks from his first to his last job are more than half of the log's
// (as in Feitelson, Resampling with feedback, Euro-Par 2016), else temporary. How many there are
// and when they arrive is chosen here such that the expected number of jobs in a week, and their
// work, are those of the log:
//
//   - There are as many long-term users as in the log, drawn with replacement. Each begins with a
//     week of the log at random; after the last week of the log follows its first.
//   - Of temporary users, drawn with replacement, as many arrive per week as in the log on average,
//     each in a week at random, and leave after their last. Those who would have arrived before the
//     first week are drawn too, so that it is like the others.
//
// Users whom the beginning or end of the log cuts off are drawn as they are. Weeks and the other
// fields of jobs are as in [Weeks]; each user that was drawn has a number of his own, from 1 on.
//
// It returns the errors of Weeks, and one where jobs have no users.
func Users(jobs []trace.Job, weeks int, draws *rng.Stream) ([]trace.Job, error) {
	own, weeks, err := weeksOf(jobs, weeks)
	if err != nil {
		return nil, err
	}
	if err := checkUsers(jobs, "resampling users draws users with their jobs; resample weeks instead"); err != nil {
		return nil, err
	}
	longTerm, temporary := usersOf(jobs, own)
	r := resampled{from: jobs}
	number := int32(0)
	for range longTerm {
		u := longTerm[draws.Intn(len(longTerm))]
		begin := draws.Intn(own)
		number++
		for week := range weeks {
			r.addWeek(u, (begin+week)%own, week, number)
		}
	}
	if len(temporary) == 0 {
		return r.jobs(), nil
	}
	longest := 0
	for _, u := range temporary {
		longest = max(longest, u.last-u.first+1)
	}
	// weeks in which temporary users arrive, those before the first week included
	arrivals := weeks + longest - 1
	for range int(math.Round(float64(len(temporary)) * float64(arrivals) / float64(own))) {
		u := temporary[draws.Intn(len(temporary))]
		arrival := draws.Intn(arrivals) - (longest - 1)
		number++
		for week := u.first; week <= u.last; week++ {
			if to := arrival + week - u.first; to >= 0 && to < weeks {
				r.addWeek(u, week, to, number)
			}
		}
	}
	return r.jobs(), nil
}

// weeksOf returns how many whole weeks the log has and how many are wanted.
func weeksOf(jobs []trace.Job, wanted int) (own, weeks int, err error) {
	if len(jobs) > 0 {
		own = int((jobs[len(jobs)-1].Submit - jobs[0].Submit + day) / Week)
	}
	switch {
	case len(jobs) > math.MaxInt32:
		return 0, 0, fmt.Errorf("%d jobs are more than can be resampled: at most 2^31 - 1", len(jobs))
	case own < 2:
		return 0, 0, fmt.Errorf("the log has %d whole weeks: resampling takes at least 2", own)
	case wanted < 0 || wanted > mostWeeks || wanted == 0 && own > mostWeeks:
		return 0, 0, fmt.Errorf("resample %d weeks of %d: give 1 to %d, or 0 for those of the log", wanted, own, mostWeeks)
	case wanted == 0:
		return own, own, nil
	}
	return own, wanted, nil
}

// user is the jobs of a user, by their index, and his first and last week with one.
type user struct {
	jobs        []int32
	first, last int
}

// usersOf returns the users of the log's whole weeks by their numbers.
func usersOf(jobs []trace.Job, weeks int) (longTerm, temporary []user) {
	order := make([]int32, before(jobs, jobs[0].Submit+int64(weeks)*Week))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(jobs[a].User, jobs[b].User), cmp.Compare(a, b))
	})
	for len(order) > 0 {
		n := sort.Search(len(order), func(i int) bool { return jobs[order[i]].User > jobs[order[0]].User })
		u := user{jobs: order[:n], first: weekOf(jobs, order[0]), last: weekOf(jobs, order[n-1])}
		if 2*(u.last-u.first+1) > weeks {
			longTerm = append(longTerm, u)
		} else {
			temporary = append(temporary, u)
		}
		order = order[n:]
	}
	return longTerm, temporary
}

func weekOf(jobs []trace.Job, at int32) int { return int((jobs[at].Submit - jobs[0].Submit) / Week) }

// resampled is a log that is being drawn from the jobs of another.
type resampled struct {
	from  []trace.Job
	drawn []draw
}

// draw is a job by its index, with its submit and user in the resampled log.
type draw struct {
	submit    int64
	job, user int32
}

// add draws a job, moved by so many weeks.
func (r *resampled) add(job int32, weeks int, user int32) {
	r.drawn = append(r.drawn, draw{r.from[job].Submit + int64(weeks)*Week, job, user})
}

// addWeek draws the jobs of a user in a week of the log for one of the resampled log.
func (r *resampled) addWeek(u user, from, to int, number int32) {
	at := sort.Search(len(u.jobs), func(i int) bool { return weekOf(r.from, u.jobs[i]) >= from })
	for ; at < len(u.jobs) && weekOf(r.from, u.jobs[at]) == from; at++ {
		r.add(u.jobs[at], to-from, number)
	}
}

// jobs returns the drawn jobs in the order of submits, equal ones in that of the log, then of
// users.
func (r *resampled) jobs() []trace.Job {
	slices.SortFunc(r.drawn, func(a, b draw) int {
		return cmp.Or(cmp.Compare(a.submit, b.submit), cmp.Compare(a.job, b.job), cmp.Compare(a.user, b.user))
	})
	jobs := make([]trace.Job, len(r.drawn))
	for i, d := range r.drawn {
		jobs[i] = r.from[d.job]
		jobs[i].ID, jobs[i].Submit, jobs[i].User, jobs[i].After, jobs[i].Think = int64(i)+1, d.submit, d.user, -1, -1
	}
	return jobs
}
