// Policies with guarantees of the reference scheduler: which waiting jobs get a booking, and when.

package cluster_test

// passGuaranteed starts what fits beside the bookings of the others, and books the others where a
// rule says so. Bookings stay.
func (r *reference) passGuaranteed(due func(*job) bool, book func(*job) *hold) {
	for _, j := range r.inOrder() {
		own := j.booking
		j.booking = nil
		if takes, fits := r.fitAt(j, r.now); fits {
			r.start(j, takes)
			continue
		}
		j.booking = own
		if own == nil && due(j) {
			j.booking = book(j)
			j.first = j.booking.from
		}
	}
}

// passSelective books jobs of large expansion factors; threshold 0 is the mean slowdown.
func (r *reference) passSelective(threshold float64) {
	if threshold == 0 {
		sum := 0.0
		for _, j := range r.ended {
			sum += max(1, float64(j.end-j.submit)/float64(max(j.end-j.start, 10)))
		}
		if threshold = 1; len(r.ended) > 0 {
			threshold = sum / float64(len(r.ended))
		}
	}
	r.passGuaranteed(func(j *job) bool {
		return float64(r.now-j.submit+j.estimate)/float64(j.estimate) >= threshold
	}, r.earliest)
}

// passSlack books each job later than it would fit by a slack of so many halves of its estimate.
func (r *reference) passSlack(halves int64) {
	r.passGuaranteed(func(*job) bool { return true }, func(j *job) *hold {
		from := r.earliest(j).from + halves*j.estimate/2
		for second := from; ; second++ {
			if takes, fits := r.fitAt(j, second); fits {
				return &hold{second, second + j.planned, takes}
			}
		}
	})
}
