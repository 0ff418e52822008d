// Equivalence classes of waiting jobs, and the count of what their jobs have met.

package retry

import (
	"math"
	"math/bits"
	"slices"

	"gridsweep/model/brokering/grid"
)

// requirements are what the jobs of a class have in common.
type requirements struct {
	kind   int32
	origin int32 // none where it decides only between equal scores
	clock  int64 // MHz
	cpus   int64
	memory int64 // MB
}

// before orders the classes of a kind, those that need fewer CPUs first.
func (q *requirements) before(other *requirements) bool {
	switch {
	case q.cpus != other.cpus:
		return q.cpus < other.cpus
	case q.memory != other.memory:
		return q.memory < other.memory
	case q.clock != other.clock:
		return q.clock < other.clock
	}
	return q.origin < other.origin
}

// class is waiting jobs that differ in their disks alone, and in these so little that each resource
// either fits all of them or none.
//
// What its jobs have met is counted when a conflict changes, not pass by pass: after p passes a job
// that was there from the beginning has met met + p · now, and what late adds from its number on.
type class struct {
	now              grid.Counts // conflicts at an attempt now
	met              grid.Counts // those of all passes, less passes · now
	block            *block
	bit              uint64 // of its place in the block
	minDisk, maxDisk int64  // MB: no job needs less or more
	jobs             []job  // in the order of arrival
	requirements
}

// job is a waiting job. What its class had met when it joined is taken off its tally then; what the
// class has met by then is added when it leaves.
type job struct {
	number int32
	joined int32 // first pass that it is part of
	disk   int64 // MB
}

// after returns the first job with a higher number; the highest of all numbers if there is none.
func (c *class) after(number int32) int32 {
	if i := c.search(number + 1); i < len(c.jobs) {
		return c.jobs[i].number
	}
	return math.MaxInt32
}

// search returns the index of the first job with this number or a higher one.
func (c *class) search(number int32) int {
	low, high := 0, len(c.jobs)
	for low < high {
		if middle := int(uint(low+high) / 2); c.jobs[middle].number < number {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// spans reports whether some job of the class needs at most this disk, and some job at least this.
func (c *class) spans(disk int64) bool { return c.minDisk <= disk && disk <= c.maxDisk }

// begun returns how many passes have begun.
func (x *Index) begun() int64 {
	if x.tried == none {
		return x.passes
	}
	return x.passes + 1
}

// count counts a resource under another conflict than before, for some classes of a block. Jobs
// whose turn in the current pass is still to come meet the new one in this pass.
func (x *Index) count(b *block, classes uint64, before, now grid.Conflict) {
	before, now = before&grid.NoConflict, now&grid.NoConflict // so that no bounds are checked below
	for ; classes != 0; classes &= classes - 1 {
		place, passes := bits.TrailingZeros64(classes)%64, x.passes
		c := b.classes[place]
		if b.heads[place] <= x.tried {
			passes++
			for i := c.search(x.tried + 1); i < len(c.jobs); i++ {
				x.Tallies[c.jobs[i].number].Conflicts.Move(before, now)
			}
		}
		c.now.Move(before, now)
		c.met[before] += passes
		c.met[now] -= passes
	}
}

// metBy returns what a job of the class would have met had it waited from the beginning.
func (x *Index) metBy(c *class) grid.Counts {
	met := c.met
	met.Add(&c.now, x.begun())
	return met
}

// join appends a job to a class.
func (x *Index) join(c *class, number int32, disk int64) {
	met := x.metBy(c)
	x.Tallies[number].Conflicts.Add(&met, -1)
	c.jobs = append(c.jobs, job{number, int32(x.passes), disk})
	c.setHead()
	x.classOf[number] = c
}

// leave takes a job out of its class and counts what it has met there. Mostly it is the first one.
func (x *Index) leave(c *class, number int32) {
	i := c.search(number)
	attempts := x.begun() - int64(c.jobs[i].joined)
	x.Tallies[number].Include(&grid.Tally{Attempts: attempts, Conflicts: x.metBy(c)})
	x.classOf[number] = nil
	if i > 0 {
		c.jobs = slices.Delete(c.jobs, i, i+1)
	} else if c.jobs = c.jobs[1:]; len(c.jobs) > 0 {
		c.setHead()
	}
}
