// The counts of attempts and conflicts. A pass counts the attempts of all jobs of a class at once,
// without a visit to each job.

package retry

import (
	"slices"

	"gridsweep/model/brokering/pool"
)

// conflictSum is a sum of conflicts over passes: offset + n · perPass after n passes. All jobs of a
// class share one. The conflicts that a job meets in the class are a difference: the sum when it
// leaves less the sum when it joined.
//
// Example: an attempt meets 3 conflicts, and 2 after a resource has been released.
//
//	passes                  perPass  offset  sum
//	    10  the job joins         3       0   30
//	    20                        3       0   60
//	    20  the release           2      20   60
//	    25  the job leaves        2      20   70
//
// The job has met 70 − 30 = 40 conflicts: 3 in each of 10 passes and 2 in each of 5.
type conflictSum struct {
	perPass pool.Counts // conflicts of an attempt
	offset  pool.Counts // such that a change of perPass does not change the sum so far
}

// after returns the sum after so many passes.
func (s *conflictSum) after(passes int64) pool.Counts {
	sum := s.offset
	sum.Add(&s.perPass, passes)
	return sum
}

// moveAfter changes the conflict with a resource after so many passes.
func (s *conflictSum) moveAfter(passes int64, before, now pool.Conflict) {
	s.perPass.Move(before, now)
	s.offset[before] += passes
	s.offset[now] -= passes
}

// join appends a job to a class between two passes. It subtracts the present sum of the class from
// the tally of the job. When the job leaves, leave adds the sum of that time, so that the
// difference remains: the conflicts that the job has met in the class.
func (x *Index) join(c *class, number int32, disk int64) {
	sum := c.conflicts.after(x.passes)
	x.Tallies[number].Conflicts.Add(&sum, -1)
	c.jobs = append(c.jobs, job{number, int32(x.passes), disk})
	x.classOf[number] = c
}

// leave removes a job from its class and adds its attempts and conflicts to its tally.
func (x *Index) leave(c *class, number int32) {
	i, begun := c.position(number), x.passes // passes that have begun
	if x.tried != absent {
		begun++
	}
	x.Tallies[number].Include(&pool.Tally{
		Attempts: begun - int64(c.jobs[i].joined), Conflicts: c.conflicts.after(begun),
	})
	x.classOf[number] = nil
	if i == 0 { // mostly
		c.jobs = c.jobs[1:]
	} else {
		c.jobs = slices.Delete(c.jobs, i, i+1)
	}
}

// recount changes the conflict of some classes of a block with a resource.
//
// In the pass under way, jobs up to x.tried have had their attempt, which met the conflict before.
// Later ones will meet the conflict now. So the sum of a class changes from this pass on if all its
// jobs are after x.tried. Else it changes from the next pass on, and this pass is corrected in the
// tallies of the jobs after x.tried.
//
// Example: jobs 3 and 9 are a class and lack memory at a resource. Job 5 starts there, after which
// they lack CPUs. In this pass job 3 lacked memory and job 9 lacks CPUs. The sum of the class still
// has memory for this pass, so in the tally of job 9 one conflict moves from memory to CPUs.
func (x *Index) recount(b *block, classes uint64, before, now pool.Conflict) {
	before, now = before&pool.NoConflict, now&pool.NoConflict // so that no bounds are checked below
	for left := classes; left != 0; left &= left - 1 {
		c, passes := b.firstClass(left), x.passes
		if x.tried != absent && c.jobs[0].number <= x.tried {
			passes++
			for i := c.position(x.tried + 1); i < len(c.jobs); i++ {
				x.Tallies[c.jobs[i].number].Conflicts.Move(before, now)
			}
		}
		c.conflicts.moveAfter(passes, before, now)
	}
	if before == pool.NoConflict {
		b.dropFit(classes)
	}
	if now == pool.NoConflict {
		b.addFit(classes)
	}
}
