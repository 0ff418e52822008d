// Scheduling policies of the reference scheduler: FCFS, EASY with any number of reservations, and
// conservative backfilling, each as directly as its definition.

package cluster_test

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

func (r *reference) isConservative() bool { return strings.HasPrefix(r.words.Policy, "conservative") }

// pass does one pass.
func (r *reference) pass() {
	switch policy := r.words.Policy; policy {
	case "fcfs":
		r.passFCFS()
	case "conservative", "conservative:fixed":
		r.passConservative()
	case "sjbf":
		r.passShortest()
	case "easy++", "easy++:estimate":
		r.correct()
		r.predict()
		r.passShortest()
	case "easy":
		r.passEASY(1)
	case "easy:all":
		r.passEASY(math.MaxInt)
	default:
		r.passParameterised(policy)
	}
}

// passParameterised does one pass of a policy with numbers after its name.
func (r *reference) passParameterised(policy string) {
	name, argument, _ := strings.Cut(policy, ":")
	var numbers []float64
	for _, field := range strings.Split(argument, ":") {
		if number, err := strconv.ParseFloat(field, 64); err == nil {
			numbers = append(numbers, number)
		}
	}
	or := func(i int, fallback float64) float64 {
		if i < len(numbers) {
			return numbers[i]
		}
		return fallback
	}
	const week = 7 * 24 * 60 * 60
	switch name {
	case "easy":
		r.passEASY(int(numbers[0]))
	case "lookahead":
		r.passLookahead(int(or(0, 50)))
	case "selective":
		r.passSelective(or(0, 0))
	case "slack":
		r.passSlack(int64(2 * numbers[0]))
	case "multifactor":
		r.passMultifactor(int64(or(0, 1000)), int64(or(1, 1000)), int64(or(2, 1000)),
			int64(or(3, week)), int64(or(4, week)), int64(or(5, 300)))
	case "queues":
		r.passQueues(argument)
	default:
		panic("unknown policy " + policy)
	}
}

func (r *reference) passFCFS() {
	for _, j := range r.inOrder() {
		takes, fits := r.fitAt(j, r.now)
		if !fits {
			return
		}
		r.start(j, takes)
	}
}

func (r *reference) passEASY(k int) {
	if r.words.Pivot == "kept" {
		r.passKept(k)
		return
	}
	recorded := false
	booked := map[int]int{} // by partition
	for _, j := range r.inOrder() {
		if takes, fits := r.fitAt(j, r.now); fits {
			r.start(j, takes)
		} else if booked[j.partition] < k {
			j.booking = r.earliest(j)
			booked[j.partition]++
			if !recorded {
				r.pivots = append(r.pivots, pivot{int64(j.number), j.booking.from})
				recorded = true
			}
		}
	}
	for _, j := range r.queue {
		j.booking = nil
	}
}

// passShortest books the head of the queue where it does not fit, then tries the others by their
// estimates.
func (r *reference) passShortest() {
	order := r.inOrder()
	for i, j := range order {
		if takes, fits := r.fitAt(j, r.now); fits {
			r.start(j, takes)
			continue
		}
		j.booking = r.earliest(j)
		r.pivots = append(r.pivots, pivot{int64(j.number), j.booking.from})
		rest := order[i+1:]
		slices.SortStableFunc(rest, func(a, b *job) int { return cmp.Compare(a.planned, b.planned) })
		for _, other := range rest {
			if takes, fits := r.fitAt(other, r.now); fits {
				r.start(other, takes)
			}
		}
		j.booking = nil
		return
	}
}

// correct plans running jobs that outlive their predictions for longer.
func (r *reference) correct() {
	// 1, 5, 15, 30 minutes and 1, 2, 5, 10, 20, 50, 100 hours from the prediction on.
	minutes := []int64{1, 4, 10, 15, 30, 60, 180, 300, 600, 1800, 3000}
	for _, j := range r.running {
		outlives := func() bool {
			until := j.start + j.planned
			return until < r.now || until == r.now && (j.end > r.now || r.words.Overrun == "run")
		}
		for outlives() && j.planned < j.estimate {
			if r.words.Policy == "easy++:estimate" || j.corrections == len(minutes) {
				j.planned = j.estimate
			} else {
				j.planned = min(j.planned+60*minutes[j.corrections], j.estimate)
			}
			j.corrections++
		}
	}
}

// predict predicts the run times of waiting jobs by the last two that ended of the same user.
func (r *reference) predict() {
	for _, j := range r.queue {
		var runs []int64
		for _, other := range r.ended {
			if other.user == j.user && j.user >= 0 {
				runs = append(runs, other.end-other.start)
			}
		}
		j.planned = j.estimate
		if n := len(runs); n >= 2 {
			j.planned = min(j.estimate, (runs[n-2]+runs[n-1])/2)
		}
	}
}

func (r *reference) passKept(k int) {
	order := r.inOrder()
	pivots := func(list []*job, partition int) (found []*job) {
		for _, j := range list {
			if j.booking != nil && j.partition == partition {
				found = append(found, j)
			}
		}
		return found
	}
	for i, j := range order {
		own := j.booking
		j.booking = nil
		takes, fits := r.fitAt(j, r.now)
		switch {
		case own != nil && own.from == r.now && r.words.Placement == "fixed":
			// it keeps its processors
			r.start(j, own.takes)
		case fits:
			r.start(j, takes)
		case own != nil:
			j.booking = own
		case len(pivots(order[:i], j.partition)) < k:
			if all := pivots(order, j.partition); len(all) >= k {
				all[len(all)-1].booking = nil
			}
			j.booking = r.earliest(j)
			if j.booking.from == r.now {
				r.start(j, j.booking.takes)
			}
		}
	}
}

// passConservative books who has no booking, then starts who is due.
func (r *reference) passConservative() {
	r.bookRest()
	for _, j := range r.inOrder() {
		if j.booking.from == r.now && (r.words.Overrun != "run" || r.isPhysicallyFree(j.booking)) {
			r.start(j, j.booking.takes)
		}
	}
}

func (r *reference) bookRest() {
	for _, j := range r.inOrder() {
		if j.booking == nil {
			j.booking = r.earliest(j)
			if j.first < 0 {
				j.first = j.booking.from
			}
		}
	}
}

// rebookIfVoid books all waiting jobs anew after a missed start.
func (r *reference) rebookIfVoid() {
	if !r.isVoid {
		return
	}
	r.isVoid = false
	for _, j := range r.queue {
		j.booking = nil
	}
	r.bookRest()
}

// compress is what follows an end: each waiting job is put back at its earliest fit, never later.
// After a missed start all are booked anew in its place.
func (r *reference) compress() {
	if !r.isConservative() {
		return
	}
	if r.isVoid {
		r.rebookIfVoid()
		return
	}
	if r.words.Policy == "conservative:fixed" {
		return
	}
	for _, j := range r.inOrder() {
		old := j.booking
		j.booking = nil
		j.booking = r.earliest(j)
		if j.booking.from > old.from {
			if r.words.Overrun != "run" {
				panic("compression moved a job to a later second")
			}
			j.booking = old
		}
		if j.booking.from == old.from && r.words.Placement == "fixed" { // it keeps its processors
			j.booking = old
		}
	}
}
