package profile

import "math"

// treads bounds the steps of stairs; it is a power of two.
const treads = 32

// stairs say how long a run of time with at least so many free processors can be: the longest of
// the lengths whose level is at least the number. Levels fall and lengths rise.
type stairs struct {
	n       int
	levels  [treads]int32
	lengths [treads]int64
}

// longest returns an upper bound of the length, in s, for a number of processors; 0 says that there
// is no such run.
func (s *stairs) longest(procs int32) int64 {
	for i := s.n - 1; i >= 0; i-- {
		if s.levels[i] >= procs {
			return s.lengths[i]
		}
	}
	return 0
}

// push adds a tread below all others.
func (s *stairs) push(level int32, length int64) {
	if s.n == treads {
		s.shorten()
	}
	s.levels[s.n], s.lengths[s.n] = level, length
	s.n++
}

// shorten joins neighbouring treads to one with the level of the first and the length of the
// second, which claims more than both: those of which this claims the least more, counted as
// processors times the part of the length.
func (s *stairs) shorten() {
	var claims [treads]float64
	sum, least := 0.0, math.Inf(1)
	for i := range s.n - 1 {
		part := 1 - float64(s.lengths[i])/float64(s.lengths[i+1])
		claims[i] = float64(float64(s.levels[i]-s.levels[i+1]) * part)
		sum, least = sum+claims[i], min(least, claims[i])
	}
	most := (sum/float64(s.n-1) + least) / 2
	n := 0
	for i := 0; i < s.n; i++ {
		s.levels[n], s.lengths[n] = s.levels[i], s.lengths[i]
		if i+1 < s.n && claims[i] <= most {
			i++
			s.lengths[n] = s.lengths[i]
		}
		n++
	}
	s.n = n
}

// insert adds a tread, unless another one is as high and as long, and takes out those that it
// exceeds.
func (s *stairs) insert(level int32, length int64) {
	i := s.n // the first tread below the level
	for i > 0 && s.levels[i-1] < level {
		i--
	}
	if i > 0 && s.lengths[i-1] >= length {
		return
	}
	if i > 0 && s.levels[i-1] == level {
		i--
	}
	after := i // the first longer one
	for after < s.n && s.lengths[after] <= length {
		after++
	}
	if after == i && s.n == treads {
		s.shorten()
		s.insert(level, length)
		return
	}
	copy(s.levels[i+1:], s.levels[after:s.n])
	copy(s.lengths[i+1:], s.lengths[after:s.n])
	s.levels[i], s.lengths[i] = level, length
	s.n += i + 1 - after
}

// summary says of a piece of the profile how long the runs in it are: upper bounds, exact where the
// stairs have few treads.
type summary struct {
	length int64  // of the piece
	head   stairs // runs that begin where the piece does
	inside stairs // all runs, those at its ends included
	tail   stairs // runs that end where the piece does
}

// openRun is a run that has not ended: it began at a time and keeps at least a level.
type openRun struct {
	begin int64
	level int32
}

// summarise sums up steps, the last of which ends at a time. The runs that are not over are a stack
// of rising levels. It uses the memory of open and returns it.
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
	s.head.push(open[0].level, s.length)
	return open
}

// raise adds to the levels of all stairs.
func (s *summary) raise(shift int32) {
	for _, part := range []*stairs{&s.head, &s.inside, &s.tail} {
		for i := range part.n {
			part.levels[i] += shift
		}
	}
}

// join makes s the summary of a and, after it, b with its levels raised by shift.
func (s *summary) join(a, b *summary, shift int32) {
	s.length = a.length + b.length
	s.head.extend(&a.head, 0, a.length, &b.head, shift)
	s.tail.extend(&b.tail, shift, b.length, &a.tail, 0)
	s.inside.most(a, b, shift)
}

// extend makes s the runs from one end of two pieces: those of the first, near, and where they fill
// its length, those of the second, far, after it.
func (s *stairs) extend(near *stairs, nearShift int32, length int64, far *stairs, farShift int32) {
	last := near.n - 1 // the one that fills the length
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

// most makes s the longest of the runs in a, those in b and those across their border.
func (s *stairs) most(a, b *summary, shift int32) {
	inA, inB := climb(&a.inside, 0), climb(&b.inside, shift)
	to, from := climb(&a.tail, 0), climb(&b.head, shift)
	s.n = 0
	longest := int64(0)
	for {
		level := max(inA.next, inB.next, to.next, from.next)
		if level == bottom {
			return
		}
		inA.descend(level)
		inB.descend(level)
		to.descend(level)
		from.descend(level)
		if length := max(inA.length, inB.length, to.length+from.length); length > longest {
			longest = length
			s.push(int32(level), length)
		}
	}
}

// climber goes down stairs.
type climber struct {
	stairs *stairs
	shift  int32
	below  int   // the tread below
	next   int64 // its level, or bottom
	length int64 // of the tread it stands on
}

// bottom is below all levels.
const bottom = math.MinInt64

// climb puts a climber above stairs whose levels are raised by shift.
func climb(s *stairs, shift int32) climber {
	c := climber{stairs: s, shift: shift, below: -1}
	c.step()
	return c
}

func (c *climber) step() {
	c.below++
	c.next = bottom
	if c.below < c.stairs.n {
		c.next = int64(c.stairs.levels[c.below&(treads-1)] + c.shift)
	}
}

// descend takes the step to a level, if there is one.
func (c *climber) descend(level int64) {
	if c.next == level {
		c.length = c.stairs.lengths[c.below&(treads-1)]
		c.step()
	}
}
