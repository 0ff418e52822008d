// Splitting classes where a resource or broker tells their jobs apart, and merging them again.

package retry

import "gridsweep/model/brokering/grid"

// split leaves in a class the jobs that need at most this disk and makes a class of the others, if
// there are both.
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
	x.splits++
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
	c.setHead()
	rest.setHead()
}

// narrow splits the class of a job that went in vain to a broker with this score, until each broker
// that may score as much matches all jobs of the class alike. Then all of them go there in vain.
func (x *Index) narrow(number int32, score float64) {
	kind := x.classOf[number].kind
	// Brokers may match jobs alike whose disks are nearer to each other than before.
	x.classOf[number].block.invalidate(x.classOf[number].bit)
	for _, b := range x.Information.Brokers(kind) {
		if b.Score < score {
			return
		}
		for {
			c := x.classOf[number]
			disk, found := x.boundary(kind, b.Broker, c.minDisk, c.maxDisk)
			if !found {
				break
			}
			x.split(c, disk)
		}
	}
}

// boundary returns a disk between these up to which a broker has an offer, or a resource in total:
// it tells jobs of a kind apart that need so much and more.
func (x *Index) boundary(kind, broker int32, least, most int64) (disk int64, found bool) {
	offers := x.Information.Offers(broker, kind).List
	for i := range offers {
		if disk = offers[i].Disk; least <= disk && disk < most {
			return disk, true
		}
	}
	totals := x.Pool.TotalsOf(kind, broker)
	for i := range totals {
		if disk = totals[i].Disk; least <= disk && disk < most {
			return disk, true
		}
	}
	return 0, false
}

// mergeEvery is after how many passes classes are merged. Merged more often, many would have to be
// split again soon.
const mergeEvery = 256

// mergeAll merges neighbours that nothing tells apart any more. It is not called in a pass, nor
// while jobs are to be tried at their origins.
func (x *Index) mergeAll() {
	for kind, classes := range x.classes {
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
		x.classes[kind] = kept
		x.compact(int32(kind))
	}
}

// merge merges two classes if neither resources nor brokers tell them apart, and reports whether.
func (x *Index) merge(c, other *class) bool {
	if c.requirements != other.requirements || c.now != other.now {
		return false
	}
	least, most := min(c.minDisk, other.minDisk), max(c.maxDisk, other.maxDisk)
	if x.isToldApart(c, least, most) {
		return false
	}
	x.merges++
	more := other.met // now is the same
	more.Add(&c.met, -1)
	for i := range other.jobs {
		number := other.jobs[i].number
		x.Tallies[number].Conflicts.Add(&more, 1)
		x.classOf[number] = c
	}
	c.jobs = mergeJobs(c.jobs, other.jobs)
	c.setHead()
	c.resize(least, most)
	other.jobs = nil
	other.release()
	return true
}

// isToldApart reports whether a broker to which jobs of a class may go now might not match all of
// them alike if they had these disks.
func (x *Index) isToldApart(c *class, least, most int64) bool {
	if x.Information == nil || c.now[grid.NoConflict] == 0 {
		return false
	}
	for _, b := range x.Information.Brokers(c.kind) {
		if b.Score < c.block.lowest {
			return false
		}
		if _, found := x.boundary(c.kind, b.Broker, least, most); found {
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

// spareRoom is for how many more classes there is room in the blocks when there becomes one less.
const spareRoom = 16

// compact moves the classes of the last blocks of a kind to those before, while these have room.
func (x *Index) compact(kind int32) {
	for {
		last := len(x.blocks[kind]) - 1
		if last < 1 || len(x.classes[kind])+spareRoom > 64*last {
			return
		}
		b := x.blocks[kind][last]
		x.blocks[kind] = x.blocks[kind][:last]
		for left := b.present; left != 0; left &= left - 1 {
			c := b.first(left)
			x.place(c)
			c.setHead()
		}
	}
}
