// Splitting classes where a resource or broker treats their jobs differently, and merging them
// again.

package retry

import "fmt"

// split splits a class at a disk in MB: jobs that need more become a class of their own. Both keep
// the conflicts of the class, and their sum. If no job needs more, or all do, only the range of
// disks of the class gets smaller.
func (x *Index) split(c *class, disk int64) {
	more := 0
	for i := range c.jobs {
		if c.jobs[i].disk > disk {
			more++
		}
	}
	switch more {
	case 0:
		c.resize(c.minDisk, disk)
		return
	case len(c.jobs):
		c.resize(disk+1, c.maxDisk)
		return
	}
	x.stats.Splits++
	rest := *c
	rest.minDisk, rest.jobs = disk+1, make([]job, 0, more)
	kept := c.jobs[:0]
	for _, j := range c.jobs {
		if j.disk > disk {
			rest.jobs = append(rest.jobs, j)
			x.classOf[j.number] = &rest
		} else {
			kept = append(kept, j)
		}
	}
	c.jobs = kept
	c.resize(c.minDisk, disk)
	x.insert(&rest)
}

// narrow is called when the attempt of a job has failed at a broker with this score. It splits the
// class of the job until each broker with an equal or higher bound treats all jobs of the class
// alike. Then they all go to this broker, which could run them, and no resource of it fits them:
// the next search leaves the class out. The package comment has an example. A score of 0, where no
// broker could run the job, makes it all brokers, none of which keeps a job of the class.
//
// Under Equal the origin of a job decides between brokers with equal scores. Where it matters, the
// class may stay startable, and its later jobs are tried.
//
// Without published information it panics: then an attempt succeeds if a resource fits the job.
func (x *Index) narrow(number int32, score float64) {
	if x.Information == nil {
		panic(fmt.Sprintf("retry: a resource fits job %d, but its attempt has failed", number))
	}
	platform := x.classOf[number].Platform
	// The last search has found the class startable, mostly since a broker was unsure of it. With a
	// smaller range of disks the broker may be sure, and a new search may leave the class out.
	// resize does not ask for one.
	x.classOf[number].block.invalidate(x.classOf[number].bit)
	for _, b := range x.Information.Brokers(platform) {
		if b.Bound < score {
			return
		}
		for {
			c := x.classOf[number]
			disk, found := x.boundary(platform, b.Broker, c.minDisk, c.maxDisk)
			if !found {
				break
			}
			x.split(c, disk)
		}
	}
}

// boundary returns a disk in [least, most) MB: of an aggregated computer of a broker, or the total
// of one of its resources. The broker may treat jobs that need up to this disk differently from
// others.
func (x *Index) boundary(platform, broker int32, least, most int64) (disk int64, found bool) {
	computers := x.Information.AggregatedComputers(broker, platform).List
	for i := range computers {
		if disk = computers[i].Disk; least <= disk && disk < most {
			return disk, true
		}
	}
	totals := x.Pool.TotalsOf(platform, broker)
	for i := range totals {
		if disk = totals[i].Disk; least <= disk && disk < most {
			return disk, true
		}
	}
	return 0, false
}

// mergeEvery is after how many passes classes are merged. If they were merged more often, many
// would have to be split again soon.
const mergeEvery = 1024

// mergeAll merges neighbours that all resources and brokers treat alike. It is called between
// passes only.
func (x *Index) mergeAll() {
	for platform, classes := range x.classes {
		if len(classes) == 0 {
			continue
		}
		kept := classes[:1]
		for _, c := range classes[1:] {
			if !x.merge(kept[len(kept)-1], c) {
				kept = append(kept, c)
			}
		}
		clear(classes[len(kept):])
		x.classes[platform] = kept
		x.compact(int32(platform))
	}
}

// merge merges a class with another one, if all resources and brokers treat them alike, and reports
// whether it has.
func (x *Index) merge(c, other *class) bool {
	least, most := min(c.minDisk, other.minDisk), max(c.maxDisk, other.maxDisk)
	if c.Requirement != other.Requirement || c.conflicts.perPass != other.conflicts.perPass ||
		x.separates(c, least, most) {
		return false
	}
	x.stats.Merges++
	// From now on the sum of c counts for the jobs of other. The tallies are changed so that
	// tally + sum stays the same. With equal perPass the sums always differ by as much as the
	// offsets. Example: a job joined other at a sum of 40, which made its tally −40. Now the sums
	// are 50 and, of c, 20. Plus 50 − 20, the tally is −10: as before, 10 conflicts have been met.
	more := other.conflicts.offset
	more.Add(&c.conflicts.offset, -1)
	for i := range other.jobs {
		number := other.jobs[i].number
		x.Tallies[number].Conflicts.Add(&more, 1)
		x.classOf[number] = c
	}
	c.jobs = mergeJobs(c.jobs, other.jobs)
	c.resize(least, most)
	other.release()
	return true
}

// separates reports whether a broker to which jobs of a class may go now might treat them
// differently if they needed disks in [least, most].
func (x *Index) separates(c *class, least, most int64) bool {
	if x.Information == nil || !c.fits() {
		return false
	}
	for _, b := range x.Information.Brokers(c.Platform) {
		if b.Bound < c.block.lowest {
			return false
		}
		if _, found := x.boundary(c.Platform, b.Broker, least, most); found {
			return true
		}
	}
	return false
}

// mergeJobs adds jobs to others and returns all in the order of arrival. It fills from the back,
// where there is room.
func mergeJobs(jobs, others []job) []job {
	at := len(jobs)
	jobs = append(jobs, others...)
	for i := len(jobs) - 1; len(others) > 0; i-- {
		last := len(others) - 1
		if at > 0 && jobs[at-1].number > others[last].number {
			at--
			jobs[i] = jobs[at]
		} else {
			jobs[i], others = others[last], others[:last]
		}
	}
	return jobs
}

// compact moves the classes of the last block of a platform to the others while these have room,
// and room for some more classes besides.
func (x *Index) compact(platform int32) {
	const spare = 16 // classes
	for {
		last := len(x.blocks[platform]) - 1
		if last < 1 || len(x.classes[platform])+spare > 64*last {
			return
		}
		b := x.blocks[platform][last]
		x.blocks[platform] = x.blocks[platform][:last]
		for left := b.present; left != 0; left &= left - 1 {
			x.place(b.firstClass(left))
		}
	}
}
