// Package retry is the index of the jobs that wait at brokers. Whenever a job of the system has
// ended, every waiting job is tried again, in the order of arrival. Nearly all of these attempts
// fail. The index finds the jobs whose attempt may succeed, has these tried alone, and counts the
// attempts and conflicts of all others without making them.
//
// Its methods are called in turn: Update when a job has started or ended at a resource;
// RetryAtOrigin before a pass, under the policy OriginFirst; Retry for a pass, whose function calls
// Remove if a job starts; and Add when the attempt of a job that arrives has failed. ExampleIndex
// runs them.
//
// Contract: an attempt depends on the requirement of the job, on what is free of the resources and
// on the brokers' information alone. The job goes to the broker with the highest score that has a
// resource which could run it, and starts there if a resource fits it now.
//
// Waiting jobs form equivalence classes (class.go): each resource fits all jobs of a class or none.
// A broker's information may match some of them only. 64 classes form a block (block.go), in which
// a set of classes is a machine word. Sorted threshold indices (thresholds.go) find the classes for
// which an amount suffices. A class may start if its best broker has a resource that fits it. Where
// several brokers might be the best one, it may start if any of these has (startable.go). Then its
// jobs are tried. When one fails, the class is split where brokers treat its jobs differently.
// Classes are merged again later (split.go). A pass counts the attempts of the other classes
// (counting.go).
//
// Example: jobs 1 and 2, which need 8 CPUs, are a class, and job 3, which needs 2, is another one.
// When 4 CPUs of a resource become free, the index of CPUs shows that the resource fits the second
// class. If its broker is the best one, job 3 is tried. The failed attempts of jobs 1 and 2 are
// counted without a visit to either.
//
// Example of a split: jobs 4 and 5 need 2 CPUs each, and 10 and 30 MB of disk. Broker A publishes
// that up to 4 CPUs and up to 20 MB are free, but of different clusters, none of which fits either
// job. A cluster of broker B fits both, so they are a class. A, which has the higher score, matches
// job 4 alone. So the best broker of the class may be A or B, and B has room: job 4 is tried, goes
// to A and fails. Then the class is split at 20 MB. The class of job 4 may not start, since no
// cluster of A fits it. The class of job 5, which A does not match, has B as its best broker: job 5
// is tried and starts. ExampleIndex_split runs this.
package retry

import (
	"math"
	"slices"
	"sort"

	"gridsweep/model/brokering/information"
	"gridsweep/model/brokering/pool"
)

const (
	absent    = -1 // no job
	anyOrigin = -1 // origin of a class whose jobs may have any
)

// OtherOrigin stands for the origin of jobs that are of another domain than the broker's.
const OtherOrigin = -1

// Config describes the system whose jobs wait.
type Config struct {
	Pool    *pool.Pool
	Tallies []pool.Tally // of each job, by its number: the index adds attempts and conflicts
	Policy  Policy

	// Information is what brokers publish. It is nil where brokers have the information of each
	// resource: then a job starts if any resource that it may go to fits it.
	Information *information.Service
	// Score returns the score of a broker, at least 0, for jobs that aggregated computers of these
	// ranks match. The origin of the jobs is the broker, or OtherOrigin. Equal arguments must give
	// equal scores until the information of the broker changes: until then the index keeps the
	// score.
	Score func(broker, origin int32, ranks *pool.Ranks) float64

	Cancelled func() bool // whether the run has been cancelled, which ends a pass
}

// Policy is how brokers treat jobs of their own users.
type Policy uint8

// The policies.
const (
	Equal       Policy = iota // the origin of a job decides only between equal scores
	Preferred                 // the origin changes scores
	OriginFirst               // jobs are tried at their origins before all others
	OriginOnly                // jobs run at their origins only
)

// Index is the index of the waiting jobs. Job numbers follow the order of arrival.
type Index struct {
	Config
	classOf []*class   // of each job that waits
	classes [][]*class // of each platform, in the order of their requirements and least disks
	blocks  [][]*block // of each platform: the same classes, 64 to a block
	changed []int32    // domains with a resource that has changed since the last search
	marked  []bool     // of each domain: whether it is in changed

	passes int64 // that have ended
	// the last job tried in the current pass; absent outside of a pass and before its first job
	tried int32

	choices []choice // of the block that is searched
	stats   Stats
}

// Stats are statistics of an index, by which tests check what they cover.
type Stats struct {
	Blocks         int // of all platforms
	Splits, Merges int // of classes, since the index was made
}

// New returns an index without jobs.
func New(c Config) *Index {
	platforms, domains := len(c.Pool.Resources), len(c.Pool.FirstResource[0])-1
	return &Index{
		Config: c, classOf: make([]*class, len(c.Tallies)),
		classes: make([][]*class, platforms), blocks: make([][]*block, platforms),
		marked: make([]bool, domains), tried: absent,
	}
}

// Stats returns the statistics of the index.
func (x *Index) Stats() Stats {
	s := x.stats
	for _, blocks := range x.blocks {
		s.Blocks += len(blocks)
	}
	return s
}

// Add adds a job whose attempt has failed, with the conflicts of that attempt. The job joins a
// class with the same requirements and the same counts of conflicts.
//
// Equal counts suffice for equal conflicts, since such jobs differ in their disks alone. Example:
// three resources that suffice otherwise have 10, 20 and 40 MB of disk free. Jobs that need 12 and
// 18 MB lack disk at one resource, the same one: the one with least disk. A job that needs 30 MB
// lacks it at two. So the count tells which resources these are.
func (x *Index) Add(number int32, r pool.Requirement, conflicts pool.Counts) {
	disk := r.Needs.Disk
	r.Needs.Disk = 0 // see class
	if x.Policy == Equal {
		r.Origin = anyOrigin
	}
	var c *class
	for _, other := range x.withRequirement(&r) {
		// preferably one that spans the disk
		if other.conflicts.perPass == conflicts && (c == nil || other.spans(disk)) {
			c = other
		}
	}
	switch {
	case c == nil:
		c = &class{Requirement: r, minDisk: disk, maxDisk: disk}
		c.conflicts.perPass = conflicts
		x.insert(c)
	case !c.spans(disk):
		c.resize(min(c.minDisk, disk), max(c.maxDisk, disk))
	}
	x.join(c, number, disk)
}

// Remove removes a job that starts.
func (x *Index) Remove(number int32) {
	c := x.classOf[number]
	x.leave(c, number)
	if len(c.jobs) > 0 {
		return
	}
	c.release()
	i := x.indexOf(&c.Requirement, 0)
	i += slices.Index(x.classes[c.Platform][i:], c)
	x.classes[c.Platform] = slices.Delete(x.classes[c.Platform], i, i+1)
}

// Update updates the conflicts of all classes with a resource when more or less of it is free.
func (x *Index) Update(at pool.Position) {
	if !x.marked[at.Domain] {
		x.marked[at.Domain] = true
		x.changed = append(x.changed, at.Domain)
	}
	free := &x.Pool.Resources[at.Platform][at.Index].Free
	for _, b := range x.blocks[at.Platform] { // a block that a split appends is up to date
		stored := &b.conflicts[at.Index]
		now := b.classify(stored.all(), free)
		x.setConflicts(b, stored, now)
		if now[pool.LacksDisk] == 0 {
			continue
		}
		if some := now[pool.LacksDisk] & b.minDisks.within(free.Disk); some != 0 { // some jobs fit
			for left := some; left != 0; left &= left - 1 {
				x.split(b.firstClass(left), free.Disk)
			}
			// stored has the classes that the splits have added to the block, too
			x.setConflicts(b, stored, b.classify(stored.all(), free))
		}
	}
}

// Retry is a pass over the waiting jobs in the order of arrival. It calls attempt for the jobs that
// may start. attempt calls Remove if the job starts, and returns whether it has started and, if it
// has not, the score of the broker where it waits, 0 if no broker could run it.
func (x *Index) Retry(attempt func(job int32) (started bool, score float64)) {
	if x.passes%mergeEvery == 0 {
		x.mergeAll()
	}
	for !x.Cancelled() {
		number := x.next()
		if number == absent {
			break
		}
		x.tried = number
		if started, score := attempt(number); !started {
			x.narrow(number, score)
		}
	}
	x.passes++
	x.tried = absent
}

// RetryAtOrigin calls attempt, in the order of arrival, for the jobs that a resource at their
// origin fits when it is called: after a job has started, none may fit a later one. These attempts
// are not counted.
func (x *Index) RetryAtOrigin(attempt func(job int32)) {
	var numbers []int32
	for _, blocks := range x.blocks {
		for _, b := range blocks {
			for left := x.fitAtOrigin(b); left != 0; left &= left - 1 {
				for _, j := range b.firstClass(left).jobs {
					numbers = append(numbers, j.number)
				}
			}
		}
	}
	slices.Sort(numbers)
	for _, number := range numbers {
		attempt(number)
	}
}

// fitAtOrigin returns the classes of a block that a resource at their origin fits.
func (x *Index) fitAtOrigin(b *block) (classes uint64) {
	for d, own := range b.origins {
		if own &= b.fitting; own != 0 {
			for i, to := x.Pool.Range(b.platform, int32(d)); i < to; i++ {
				classes |= own & b.conflicts[i][pool.NoConflict]
			}
		}
	}
	return classes
}

// next returns the next job of the current pass that may start; absent if there is none. It repeats
// the search for the blocks whose classes or brokers have changed.
func (x *Index) next() int32 {
	next := int32(math.MaxInt32)
	for _, blocks := range x.blocks {
		for _, b := range blocks {
			if b.dirty != 0 || x.concerns(b) {
				b.dirty = 0
				x.searchBlock(b)
			}
			for left := b.startable; left != 0; left &= left - 1 {
				c := b.firstClass(left)
				number := c.jobs[0].number
				if number <= x.tried {
					number = c.after(x.tried)
				}
				next = min(next, number)
			}
		}
	}
	for _, d := range x.changed {
		x.marked[d] = false
	}
	x.changed = x.changed[:0]
	if next == math.MaxInt32 {
		return absent
	}
	return next
}

// withRequirement returns the classes with this requirement, which differ in their disks.
func (x *Index) withRequirement(required *pool.Requirement) []*class {
	classes := x.classes[required.Platform][x.indexOf(required, 0):]
	n := 0
	for n < len(classes) && classes[n].Requirement == *required {
		n++
	}
	return classes[:n]
}

// indexOf returns the index of the first class with this requirement and at least this least disk,
// or where it would be.
func (x *Index) indexOf(required *pool.Requirement, disk int64) int {
	classes := x.classes[required.Platform]
	return sort.Search(len(classes), func(i int) bool { return !classes[i].before(required, disk) })
}

// insert adds a class to its platform and to a block. Of classes with the same requirements,
// neighbours need similar disks: these may be merged.
func (x *Index) insert(c *class) {
	i := x.indexOf(&c.Requirement, c.minDisk+1)
	x.classes[c.Platform] = slices.Insert(x.classes[c.Platform], i, c)
	x.place(c)
}

// setConflicts replaces the conflicts of a block's classes with a resource, and counts those that
// change.
func (x *Index) setConflicts(b *block, stored *byConflict, now byConflict) {
	before := *stored
	if before == now {
		return
	}
	*stored = now
	for from := range before {
		moved := before[from] &^ now[from] & b.present
		for to := 0; moved != 0; to++ { // each class is in a set of now
			if classes := moved & now[to]; classes != 0 {
				x.recount(b, classes, pool.Conflict(from), pool.Conflict(to))
				moved &^= classes
			}
		}
	}
}
