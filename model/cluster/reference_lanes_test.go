// Policies multifactor and queues of the reference scheduler, from their definitions.

package cluster_test

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"gridsweep/model/rng"
)

// Policies multifactor and queues of the reference scheduler: EASY over a sorted list, of which
// multifactor computes all priorities anew in each pass.

// passFrom starts the jobs of a list that fit and may start, and books the first of the others that
// may start but for the processors.
func (r *reference) passFrom(list []*job, may func(*job) bool) {
	var head *job
	for _, j := range list {
		if !may(j) {
			continue
		}
		if takes, fits := r.fitAt(j, r.now); fits {
			r.start(j, takes)
		} else if head == nil {
			head, j.booking = j, r.earliest(j)
			r.pivots = append(r.pivots, pivot{int64(j.number), j.booking.from})
		}
	}
	if head != nil {
		head.booking = nil
	}
}

// passQueues divides the jobs among queues: each is LONGEST:LARGEST:LIMIT.
func (r *reference) passQueues(spec string) {
	bound := func(field string) int64 {
		n, err := strconv.ParseInt(field, 10, 64)
		if field == "any" {
			return math.MaxInt64
		}
		if err != nil {
			panic(err)
		}
		return n
	}
	var queues [][3]int64
	for _, text := range strings.Split(spec, "+") {
		fields := strings.Split(text, ":")
		queues = append(queues, [3]int64{bound(fields[0]), bound(fields[1]), bound(fields[2])})
	}
	queueOf := func(j *job) int {
		return slices.IndexFunc(queues, func(q [3]int64) bool { return j.estimate <= q[0] && int64(j.procs) <= q[1] })
	}
	list := r.inOrder()
	slices.SortStableFunc(list, func(a, b *job) int { return cmp.Compare(queueOf(a), queueOf(b)) })
	r.passFrom(list, func(j *job) bool {
		used := int64(j.procs)
		for _, other := range r.running {
			if queueOf(other) == queueOf(j) {
				used += int64(other.procs)
			}
		}
		return used <= queues[queueOf(j)][2]
	})
}

// passMultifactor sorts the jobs by priority: the weights are of age, size and fair share; times in
// s.
func (r *reference) passMultifactor(age, size, fairShare, halfLife, maxAge, period int64) {
	submitted := map[int32]bool{}
	for _, list := range [][]*job{r.queue, r.running, r.ended} {
		for _, j := range list {
			submitted[max(j.user, -1)] = true
		}
	}
	if last := len(r.computed) - 1; last < 0 || r.now/period > r.computed[last]/period {
		r.computed = append(r.computed, r.now)
		r.fair = r.fairShares(submitted, halfLife)
	}
	priority := func(j *job) float64 {
		share, known := r.fair[max(j.user, -1)]
		if !known {
			share = 1
		}
		return float64(age*min(r.now-j.submit, maxAge)) +
			math.Round(float64(size*maxAge)*float64(j.procs)/float64(r.units[0])) +
			math.Round(float64(fairShare*maxAge)*share)
	}
	list := r.inOrder()
	slices.SortStableFunc(list, func(a, b *job) int { return cmp.Compare(priority(b), priority(a)) })
	r.passFrom(list, func(*job) bool { return true })
}

// fairShares computes the factors of all users from all seconds in which their jobs have run.
func (r *reference) fairShares(users map[int32]bool, halfLife int64) map[int32]float64 {
	usages, total := map[int32]float64{}, 0.0
	var order []int32 // by the first submit, as sums depend on the order
	for _, j := range r.jobs {
		if user := max(j.user, -1); users[user] && !slices.Contains(order, user) {
			order = append(order, user)
		}
	}
	for _, user := range order {
		before := int64(0)
		for _, at := range r.computed {
			work := int64(0)
			for _, j := range r.jobs {
				if j.takes != nil && max(j.user, -1) == user {
					work += int64(j.procs) * max(0, min(at, j.end)-max(before, j.start))
				}
			}
			decay := rng.Exp(-math.Ln2 * float64(at-before) / float64(halfLife))
			usages[user] = float64(usages[user]*decay) + float64(work)
			before = at
		}
		total += usages[user]
	}
	shares := map[int32]float64{}
	for _, user := range order {
		if shares[user] = 1; total > 0 {
			shares[user] = rng.Exp(-math.Ln2 * (usages[user] / total) * float64(len(order)))
		}
	}
	return shares
}
