// The plan of the reference scheduler: lists of what takes processors, counted second by second.

package cluster_test

import (
	"fmt"
	"slices"

	"gridsweep/model/cluster"
)

// plan lists all that takes processors from now on, as the scheduler knows it.
func (r *reference) plan() []hold {
	list := slices.Clone(r.reservations)
	for _, j := range r.running {
		to := j.start + j.planned
		if r.words.Overrun == "run" && to <= r.now {
			to = r.now + 1
		}
		list = append(list, hold{j.start, to, j.takes})
	}
	for _, j := range r.queue {
		if j.booking != nil {
			list = append(list, *j.booking)
		}
	}
	return list
}

// least returns each unit's least number of processors that are free at some second of [from, to).
func (r *reference) least(plan []hold, from, to int64) []int {
	seconds := []int64{from} // at others nothing gets taken
	for _, h := range plan {
		if h.from > from && h.from < to {
			seconds = append(seconds, h.from)
		}
	}
	least := slices.Clone(r.units)
	for _, second := range seconds {
		free := slices.Clone(r.units)
		for _, h := range plan {
			if h.from <= second && second < h.to {
				for i, procs := range h.takes {
					free[i] -= procs
				}
			}
		}
		for i := range least {
			least[i] = min(least[i], free[i])
		}
	}
	return least
}

// fitAt returns the processors of each unit that a job would get at a second, and whether it fits.
func (r *reference) fitAt(j *job, second int64) ([]int, bool) {
	return r.take(r.least(r.plan(), second, second+j.planned), j.procs, j.partition)
}

// take returns processors of a partition, then of the others in their order, and whether the least
// free ones suffice.
func (r *reference) take(least []int, procs, own int) ([]int, bool) {
	sum := 0
	for _, free := range least {
		sum += free
	}
	if sum < procs {
		return nil, false
	}
	takes := make([]int, len(least))
	for _, isOwn := range []bool{true, false} {
		for i := range least {
			if isOwn == (r.owners[i] == own) {
				takes[i] = min(procs, max(0, least[i]))
				procs -= takes[i]
			}
		}
	}
	return takes, true
}

// earliest returns the booking of a job at its earliest fit: now, or when something that takes
// processors ends.
func (r *reference) earliest(j *job) *hold {
	plan := r.plan()
	seconds := []int64{r.now}
	for _, h := range plan {
		if h.to > r.now {
			seconds = append(seconds, h.to)
		}
	}
	slices.Sort(seconds)
	for _, second := range seconds {
		if takes, ok := r.fitAt(j, second); ok {
			return &hold{second, second + j.planned, takes}
		}
	}
	panic(fmt.Sprintf("job %d fits nowhere", j.number+1))
}

// reserve adds a reservation, from the partitions in their order.
func (r *reference) reserve(reservation cluster.Reservation) error {
	least := r.least(r.reservations, reservation.From, reservation.To)
	takes, ok := r.take(least, int(reservation.Procs), 0)
	if !ok {
		return fmt.Errorf("%d processors are not free in [%d, %d)", reservation.Procs, reservation.From, reservation.To)
	}
	r.reservations = append(r.reservations, hold{reservation.From, reservation.To, takes})
	return nil
}

// isPhysicallyFree reports whether no running job holds the processors that a booking has.
func (r *reference) isPhysicallyFree(booking *hold) bool {
	for i, procs := range booking.takes {
		for _, j := range r.running {
			procs += j.takes[i]
		}
		if procs > r.units[i] {
			return false
		}
	}
	return true
}
