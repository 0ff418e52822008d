// Package retry is the index of the jobs that wait at brokers. Whenever a job of the system has
// ended, every waiting job is tried again, in the order of arrival. The index finds those few that
// may start, and accounts for the attempts of all others without making them.
//
// Its one idea: waiting jobs that no resource and no broker tells apart form an equivalence class,
// and 64 classes form a block, in which each question has a machine word as its answer, a bit for
// each class: which of them a resource fits, which of them an offer of a broker matches.
//
//	index.Update(position)           // a job has started or ended at a resource
//	index.RetryAtOrigin(startAtHome) // where local jobs come first
//	index.Retry(attempt)             // attempt calls index.Remove for a job that starts
//	index.Add(job, required, met)    // the attempt of a job has failed
//
// What has to hold: an attempt depends on the requirement of a job, on the resources and on the
// brokers' information alone, and a job starts where its attempt finds a resource that fits it.
package retry

import (
	"math"
	"math/bits"
	"slices"

	"gridsweep/model/brokering/grid"
	"gridsweep/model/brokering/information"
)

// none stands for no job and for an origin that does not matter.
const none = -1

// Config is the system whose jobs wait.
type Config struct {
	Pool    *grid.Pool
	Tallies []grid.Tally // of each job, by its number; the index adds what waiting jobs meet
	Policy  Policy

	// Information is what brokers publish; nil where each resource is known. Then a job starts if
	// any resource within reach fits it.
	Information *information.Service
	// Score returns the score of a broker for jobs of an origin, -1 for any other one than the
	// broker.
	Score func(broker, origin int32, ranks *grid.Ranks) float64

	Cancelled func() bool // whether the run is over before its end
}

// Policy is how brokers treat jobs of their own users.
type Policy uint8

// The policies.
const (
	Alike       Policy = iota // the origin of a job decides only between equal scores
	Preferred                 // the origin changes scores
	OriginFirst               // jobs are tried at their origins before all others
	OriginOnly                // jobs run at their origins only
)

// Index is the waiting jobs. Job numbers follow the order of arrival.
type Index struct {
	Config
	classOf []*class   // of each job that waits
	classes [][]*class // of each kind, in the order of their requirements
	blocks  [][]*block // of each kind: the same classes, 64 to a block
	changed []int32    // domains of which a resource has changed since candidates were last found
	isNew   []bool     // of each domain: whether it is among them

	passes int64 // that have ended
	tried  int32 // last job tried in the current pass; none outside of one and before the first job

	choices []choice     // of the block whose candidates are being found
	sought  requirements // of a job that is looked up, here since it would be an allocation

	splits, merges int // of classes, for Stats
}

// New returns an index without jobs.
func New(c Config) *Index {
	kinds, domains := len(c.Pool.Resources), len(c.Pool.First[0])-1
	return &Index{
		Config: c, classOf: make([]*class, len(c.Tallies)),
		classes: make([][]*class, kinds), blocks: make([][]*block, kinds),
		isNew: make([]bool, domains), tried: none,
	}
}

// Lookup returns the conflicts of a job that arrives, if one waits that nothing tells apart from
// it, and whether its attempt is known to fail.
func (x *Index) Lookup(r grid.Requirement) (met grid.Counts, fails, found bool) {
	for _, c := range x.similar(&r) {
		if c.spans(r.Needs.Disk) {
			b := c.block
			mayStart := (b.dirty|b.startable)&c.bit != 0 || x.concerns(b)
			return c.now, !mayStart, true
		}
	}
	return grid.Counts{}, false, false
}

// Add lets a job wait whose attempt has failed and met these conflicts.
//
// Among jobs that differ in their disks alone, those with equal counts of conflicts have them with
// the same resources: the more disk a job needs, the more resources lack it.
func (x *Index) Add(number int32, r grid.Requirement, met grid.Counts) {
	disk := r.Needs.Disk
	var c *class
	for _, other := range x.similar(&r) {
		if other.now == met && (c == nil || other.spans(disk)) { // rather one that spans it already
			c = other
		}
	}
	switch {
	case c == nil:
		c = &class{requirements: x.sought, minDisk: disk, maxDisk: disk, now: met}
		x.insert(c)
	case !c.spans(disk):
		c.resize(min(c.minDisk, disk), max(c.maxDisk, disk))
	}
	x.join(c, number, disk)
}

// Remove takes a job out that starts.
func (x *Index) Remove(number int32) {
	c := x.classOf[number]
	x.leave(c, number)
	if len(c.jobs) > 0 {
		return
	}
	c.release()
	list := x.classes[c.kind]
	i := x.search(&c.requirements)
	for list[i] != c {
		i++
	}
	x.classes[c.kind] = slices.Delete(list, i, i+1)
}

// Update takes in that more or less is free of a resource than before.
func (x *Index) Update(at grid.Position) {
	if !x.isNew[at.Domain] {
		x.isNew[at.Domain] = true
		x.changed = append(x.changed, at.Domain)
	}
	free := &x.Pool.Resources[at.Kind][at.Index].Free
	for _, b := range x.blocks[at.Kind] { // a block that a split appends is up to date
		before := &b.conflicts[at.Index]
		now := b.partition(before.reach(), free)
		x.move(b, at, before, now)
		if now[grid.LacksDisk] == 0 {
			continue
		}
		if some := now[grid.LacksDisk] & b.minDisks.within(free.Disk); some != 0 { // some jobs fit
			for left := some; left != 0; left &= left - 1 {
				x.split(b.first(left), free.Disk)
			}
			now = b.partition(before.reach(), free)
			x.move(b, at, before, now)
		}
	}
}

// Retry is a pass over the waiting jobs in the order of arrival. attempt tries one of them and
// calls Remove if it starts; it returns whether it has, else the score of the broker that keeps it.
func (x *Index) Retry(attempt func(job int32) (started bool, score float64)) {
	if x.passes%mergeEvery == 0 {
		x.mergeAll()
	}
	for !x.Cancelled() {
		number := x.next()
		if number == none {
			break
		}
		x.tried = number
		if started, score := attempt(number); !started {
			x.narrow(number, score)
		}
	}
	x.passes++
	x.tried = none
}

// RetryAtOrigin tries the jobs that a resource at their origin fits, in the order of arrival. That
// is no attempt which counts.
func (x *Index) RetryAtOrigin(attempt func(job int32)) {
	var numbers []int32
	for _, blocks := range x.blocks {
		for _, b := range blocks {
			for left := x.fitAtOrigin(b); left != 0; left &= left - 1 {
				for _, j := range b.first(left).jobs {
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
func (x *Index) fitAtOrigin(b *block) (fitting uint64) {
	first := x.Pool.First[b.kind]
	for d, own := range b.origins {
		if own &= b.fitting; own != 0 {
			for i := first[d]; i < first[d+1]; i++ {
				fitting |= own & b.conflicts[i][grid.NoConflict]
			}
		}
	}
	return fitting
}

// next returns the next job of the current pass that may start; none if there is none.
func (x *Index) next() int32 {
	x.findStartable()
	tried, next := x.tried, int32(math.MaxInt32)
	for _, blocks := range x.blocks {
		for _, b := range blocks {
			for left := b.startable; left != 0; left &= left - 1 {
				number := b.heads[bits.TrailingZeros64(left)%64]
				if number <= tried {
					number = b.first(left).after(tried)
				}
				next = min(next, number)
			}
		}
	}
	if next == math.MaxInt32 {
		return none
	}
	return next
}

// similar returns the classes that differ from a job at most in their disks.
func (x *Index) similar(r *grid.Requirement) []*class {
	q := &x.sought
	*q = requirements{kind: r.Kind, origin: r.Origin, clock: r.Clock, cpus: r.Needs.CPUs, memory: r.Needs.Memory}
	if x.Policy == Alike {
		q.origin = none
	}
	classes := x.classes[q.kind][x.search(q):]
	n := 0
	for n < len(classes) && classes[n].requirements == *q {
		n++
	}
	return classes[:n]
}

// search returns the index of the first class with these requirements, or where it would be.
func (x *Index) search(q *requirements) int {
	classes := x.classes[q.kind]
	low, high := 0, len(classes)
	for low < high {
		if middle := int(uint(low+high) / 2); classes[middle].before(q) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// insert lists a class, behind those with the same requirements, and places it in a block.
func (x *Index) insert(c *class) {
	i := x.search(&c.requirements)
	for i < len(x.classes[c.kind]) && x.classes[c.kind][i].requirements == c.requirements {
		i++
	}
	x.classes[c.kind] = slices.Insert(x.classes[c.kind], i, c)
	x.place(c)
}

// move counts the classes of a block whose conflict with a resource has changed.
func (x *Index) move(b *block, at grid.Position, before *partition, now partition) {
	was := *before
	if was == now {
		return
	}
	*before = now
	for from := range was {
		moved := was[from] &^ now[from] & b.present
		for to := 0; moved != 0; to++ {
			if classes := moved & now[to]; classes != 0 {
				x.change(b, classes, grid.Conflict(from), grid.Conflict(to))
				moved &^= classes
			}
		}
	}
}

// change takes in that classes have another conflict with a resource than before.
func (x *Index) change(b *block, classes uint64, before, now grid.Conflict) {
	x.count(b, classes, before, now)
	if before == grid.NoConflict {
		b.dropFit(classes)
	}
	if now == grid.NoConflict {
		b.addFit(classes)
	}
}
