// Summaries: bounds of the runs in a leaf or a group, and whether they are still valid.

package profile

// summary bounds the runs in an interval of the profile: the lengths of maximal subintervals with
// at least so many free processors. The bounds are exact as long as the staircases need no
// shortening.
type summary struct {
	length int64     // of the interval, in s
	head   staircase // runs that begin where the interval begins
	inside staircase // all runs, those at its ends included
	tail   staircase // runs that end where the interval ends
}

// validity is whether a summary may be used. A summary is an upper bound. It stays one when
// processors are booked, when processors are released and its levels are raised by their number,
// and, except for its head, when the past is removed. It is made again only after enough misses,
// that of a leaf also when its group's is made.
type validity struct {
	valid   bool  // it is an upper bound, with its levels raised by lift
	lift    int32 // processors
	inexact bool  // changes since it was made may have made it a loose bound
	misses  int8  // how often it allowed no skip while it was invalid or inexact
}

// changed adapts the validity to a change of the free processors at some times of the interval.
func (v *validity) changed(delta int32) {
	v.inexact = true
	v.lifted(max(delta, 0))
}

// lifted raises the levels. Beyond the size of a machine they bound nothing.
func (v *validity) lifted(delta int32) {
	if v.lift += delta; v.lift > MostProcs {
		v.valid, v.lift = false, 0
	}
}

// missed notes that the summary allowed no skip, and reports whether it is to be made anew. An
// exact one is not.
func (v *validity) missed(enough int8) bool {
	if v.valid && !v.inexact {
		return false
	}
	v.misses++
	return v.misses >= enough
}

// openRun is a run up to the present step: it began at a time and has at least a level.
type openRun struct {
	begin int64
	level int32
}

// summarise makes the summary of steps, the last of which ends at a time. It keeps the open runs on
// a stack, with rising levels. It uses the memory of open and returns it.
func (s *summary) summarise(times []int64, free []int32, end int64, open []openRun) []openRun {
	begin := times[0]
	s.length, s.head.n, s.inside.n, s.tail.n = end-begin, 0, 0, 0
	for i, level := range free {
		from := times[i]
		for len(open) > 0 && open[len(open)-1].level >= level {
			over := open[len(open)-1]
			open = open[:len(open)-1]
			from = over.begin
			s.inside.insert(over.level, times[i]-from)
			if from == begin {
				s.head.push(over.level, times[i]-from)
			}
		}
		open = append(open, openRun{from, level})
	}
	for i := len(open) - 1; i >= 0; i-- {
		s.inside.insert(open[i].level, end-open[i].begin)
		s.tail.push(open[i].level, end-open[i].begin)
	}
	s.head.push(open[0].level, s.length) // the lowest level, at which a run fills the interval
	return open
}

// raise adds to the levels of all staircases.
func (s *summary) raise(shift int32) {
	for _, bounds := range []*staircase{&s.head, &s.inside, &s.tail} {
		for i := range bounds.n {
			bounds.levels[i] += shift
		}
	}
}

// join makes s the summary of a followed by b, whose levels are raised by shift.
func (s *summary) join(a, b *summary, shift int32) {
	s.length = a.length + b.length
	s.head.extend(&a.head, 0, a.length, &b.head, shift)
	s.tail.extend(&b.tail, shift, b.length, &a.tail, 0)
	s.inside.merge(a, b, shift)
}
