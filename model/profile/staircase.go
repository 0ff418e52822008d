// Staircase: upper bounds of run lengths by free processors, the summary of a leaf or group.

package profile

import "math"

// maxPoints bounds the points of a staircase.
const maxPoints = 32

// staircase is a Pareto staircase of run-length bounds: point i says that a run with at least
// levels[i] free processors has a length of at most lengths[i], in s. Levels fall and lengths rise.
type staircase struct {
	n       int // number of points
	levels  [maxPoints]int32
	lengths [maxPoints]int64
}

// longest returns an upper bound of the length, in s, of runs with at least so many free
// processors; 0 if there is none.
func (s *staircase) longest(procs int32) int64 {
	for i := s.n - 1; i >= 0; i-- {
		if s.levels[i] >= procs {
			return s.lengths[i]
		}
	}
	return 0
}

// push adds a point with a level below all others.
func (s *staircase) push(level int32, length int64) {
	if s.n == maxPoints {
		s.shorten()
	}
	s.levels[s.n], s.lengths[s.n] = level, length
	s.n++
}

// shorten replaces some pairs of neighbouring points by one with the level of the first and the
// length of the second, which is a looser bound. The loss of a pair is the difference of its levels
// × the growth of the length, as a share of the longer one. It joins the pairs whose loss is at
// most the average of the least and the mean loss.
func (s *staircase) shorten() {
	var losses [maxPoints]float64
	sum, least := 0.0, math.Inf(1)
	for i := range s.n - 1 {
		growth := 1 - float64(s.lengths[i])/float64(s.lengths[i+1])
		losses[i] = float64(float64(s.levels[i]-s.levels[i+1]) * growth)
		sum, least = sum+losses[i], min(least, losses[i])
	}
	threshold := (sum/float64(s.n-1) + least) / 2
	n := 0
	for i := 0; i < s.n; i++ {
		s.levels[n], s.lengths[n] = s.levels[i], s.lengths[i]
		if i+1 < s.n && losses[i] <= threshold {
			i++
			s.lengths[n] = s.lengths[i]
		}
		n++
	}
	s.n = n
}

// insert adds a point and removes those with at most its level and length. It does nothing if a
// point has at least this level and length.
func (s *staircase) insert(level int32, length int64) {
	i := s.n // the first point below the level
	for i > 0 && s.levels[i-1] < level {
		i--
	}
	if i > 0 && s.lengths[i-1] >= length {
		return
	}
	if i > 0 && s.levels[i-1] == level {
		i--
	}
	after := i // the first longer point
	for after < s.n && s.lengths[after] <= length {
		after++
	}
	if after == i && s.n == maxPoints {
		s.shorten()
		s.insert(level, length)
		return
	}
	copy(s.levels[i+1:], s.levels[after:s.n])
	copy(s.lengths[i+1:], s.lengths[after:s.n])
	s.levels[i], s.lengths[i] = level, length
	s.n += i + 1 - after
}

// extend makes s the bounds of the runs that reach to one end of two adjacent intervals. near is
// the interval at this end and has this length. A run that fills near continues in far.
func (s *staircase) extend(near *staircase, nearShift int32, length int64, far *staircase, farShift int32) {
	last := near.n - 1 // the run that fills near, which continues into far
	s.n = 0
	for i := range last {
		s.push(near.levels[i]+nearShift, near.lengths[i])
	}
	whole := near.levels[last] + nearShift
	s.push(whole, length+far.longest(whole-farShift))
	for i := range far.n {
		if level := far.levels[i] + farShift; level < whole {
			s.push(level, length+far.lengths[i])
		}
	}
}

// merge makes s the bounds of the runs in a, those in b and those across their border. The levels
// of b are shift processors higher relative to a.
func (s *staircase) merge(a, b *summary, shift int32) {
	*s = a.inside
	for i := range b.inside.n {
		s.insert(b.inside.levels[i]+shift, b.inside.lengths[i])
	}
	for i, level := range a.tail.levels[:a.tail.n] {
		s.insert(level, a.tail.lengths[i]+b.head.longest(level-shift))
	}
	for i, level := range b.head.levels[:b.head.n] {
		s.insert(level+shift, a.tail.longest(level+shift)+b.head.lengths[i])
	}
}
