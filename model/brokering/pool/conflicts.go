// Conflicts of jobs with resources, and how they are counted.

package pool

// Conflict is what a resource of the right platform and clock lacks for a job (section 6.1,
// footnote 1). If it lacks several things, the first of these counts.
type Conflict int8

// The conflicts, in this order.
const (
	LacksCPUs Conflict = iota
	LacksMemory
	LacksDisk
	NoConflict // the resource fits
)

// Counts are the numbers of resources of the right platform and clock by their conflict with a job,
// and last of those that fit it.
type Counts [NoConflict + 1]int64

// Add adds a multiple of other counts.
func (c *Counts) Add(others *Counts, times int64) {
	for i := range c {
		c[i] += times * others[i]
	}
}

// Sum returns how many conflicts there are.
func (c *Counts) Sum() int64 { return c[LacksCPUs] + c[LacksMemory] + c[LacksDisk] }

// Move moves a resource from one conflict to another one.
func (c *Counts) Move(before, now Conflict) {
	c[before]--
	c[now]++
}

// CountConflicts counts the conflicts of a job with resources of its platform.
//
// What a resource lacks is hard to predict, so there is no branch: a difference shifted to its sign
// is -1 where there is not enough.
func CountConflicts(resources []Resource, job *Requirement) Counts {
	var slow, cpus, memory, disk int64 // resources that lack clock; or CPUs; or memory; or disk
	for i := range resources {
		r := &resources[i]
		lacks := (r.Clock - job.Clock) >> 63
		slow -= lacks
		lacks |= (r.Free.CPUs - job.Needs.CPUs) >> 63
		cpus -= lacks
		lacks |= (r.Free.Memory - job.Needs.Memory) >> 63
		memory -= lacks
		lacks |= (r.Free.Disk - job.Needs.Disk) >> 63
		disk -= lacks
	}
	return Counts{cpus - slow, memory - cpus, disk - memory, int64(len(resources)) - disk}
}

// ConflictWith returns the conflict of a job that needs this amount with a resource that has the
// other one free. Its ifs compile to conditional moves, as conflict is an int.
func (a *Amount) ConflictWith(free *Amount) Conflict {
	conflict := int(NoConflict)
	if a.Disk > free.Disk {
		conflict = int(LacksDisk)
	}
	if a.Memory > free.Memory {
		conflict = int(LacksMemory)
	}
	if a.CPUs > free.CPUs {
		conflict = int(LacksCPUs)
	}
	return Conflict(conflict)
}

// Tally counts the attempts to place a job and the conflicts at these.
type Tally struct {
	Attempts    int64
	Conflicts   Counts
	Rescheduled bool // whether an attempt has failed or a broker has handed the job back
}

// Include adds the attempts and conflicts of another tally.
func (t *Tally) Include(other *Tally) {
	t.Attempts += other.Attempts
	t.Conflicts.Add(&other.Conflicts, 1)
}
