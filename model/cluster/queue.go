package cluster

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// waiting is a job in the queue.
type waiting struct {
	number   int32 // of the job
	procs    int32
	estimate int64
	start    int64 // where it is booked, or Never
	score    float64
}

// compare orders jobs by their places in the queue.
func (w *waiting) compare(other *waiting) int {
	if c := cmp.Compare(w.score, other.score); c != 0 {
		return c
	}
	return cmp.Compare(w.number, other.number)
}

// limit says that a job fits that takes at most so many processors for at most so long.
type limit struct {
	estimate int64
	procs    int32
}

// queue is the waiting jobs in queue order. They lie in blocks of neighbours, blocks in groups.
// Block and group know for each size the shortest job up to it, so that the search for the next job
// that fits passes over most of them unseen: a backlog of 10⁵ jobs costs a pass hardly more than
// one of 10².
type queue struct {
	blocks []*block
	groups []group
	size   int
	plain  bool     // nobody searches for what fits: there are no digests
	free   []*block // blocks to use again

	sorting []waiting // scratch
}

const (
	blockSize = 64
	groupSize = 32
)

type block struct {
	digest
	jobs  []waiting // within room: the first jobs leave most often, and then the others stay where they are
	room  [blockSize]waiting
	loose bool // jobs have left since the digest was made
}

// group is groupSize blocks in a row.
type group struct {
	digest
	loose bool // a block's digest has changed since
}

// digest holds for each class of sizes the shortest estimate, in s, of jobs of that class or
// smaller. It may be too short where jobs have left, never too long.
type digest [2 * 20]int32

const (
	nobody  = math.MaxInt32
	longest = math.MaxInt32 - 1 // stands for all estimates from there on
)

// sizeClass numbers the classes: 1, 2, 3, 4, 5–7, 8, 9–15, 16, …; most jobs have a power of two.
// The last class has no bound.
func sizeClass(procs int32) int {
	class := 2 * (bits.Len32(uint32(procs)) - 1)
	if procs&(procs-1) != 0 {
		class++
	}
	return min(class, len(digest{})-1)
}

func (d *digest) clear() {
	for c := range d {
		d[c] = nobody
	}
}

func (d *digest) add(w *waiting) {
	estimate := int32(min(w.estimate, longest))
	for c := sizeClass(w.procs); c < len(d) && d[c] > estimate; c++ {
		d[c] = estimate
	}
}

func (d *digest) merge(other *digest) {
	for c := range d {
		d[c] = min(d[c], other[c])
	}
}

// mayFit reports whether one of the jobs may be within one of the limits.
func (d *digest) mayFit(limits []limit) bool {
	for _, l := range limits {
		if l.procs > 0 && int64(d[sizeClass(l.procs)]) <= min(l.estimate, longest) {
			return true
		}
	}
	return false
}

// within reports whether the job is within one of the limits.
func (w *waiting) within(limits []limit) bool {
	for _, l := range limits {
		if w.procs <= l.procs && w.estimate <= l.estimate {
			return true
		}
	}
	return false
}

// cursor is a place in the queue.
type cursor struct{ block, job int }

// settle moves the cursor to the first job from there on.
func (q *queue) settle(c cursor) cursor {
	for c.block < len(q.blocks) && c.job >= len(q.blocks[c.block].jobs) {
		c = cursor{c.block + 1, 0}
	}
	return c
}

// at returns the job under the cursor, and nil after the last.
func (q *queue) at(c cursor) *waiting {
	if c.block >= len(q.blocks) {
		return nil
	}
	return &q.blocks[c.block].jobs[c.job]
}

func (q *queue) first() cursor         { return q.settle(cursor{}) }
func (q *queue) after(c cursor) cursor { return q.settle(cursor{c.block, c.job + 1}) }

// place returns where the job stands or would be inserted.
func (q *queue) place(w *waiting) cursor {
	// The blocks whose last job stands before w. Empty blocks are removed at once, so each has one.
	low, high := 0, len(q.blocks)
	for low < high {
		middle := (low + high) / 2
		jobs := q.blocks[middle].jobs
		if jobs[len(jobs)-1].compare(w) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(q.blocks) {
		return cursor{low, 0}
	}
	return cursor{low, place(q.blocks[low].jobs, w)}
}

// place returns how many of the jobs, which are in queue order, stand before one.
func place(jobs []waiting, w *waiting) int {
	return sort.Search(len(jobs), func(i int) bool { return jobs[i].compare(w) >= 0 })
}

// insert adds a job.
func (q *queue) insert(w waiting) {
	c := q.place(&w)
	if c.block == len(q.blocks) {
		if c.block == 0 || len(q.blocks[c.block-1].jobs) == blockSize {
			q.blocks = append(q.blocks, q.newBlock())
		} else {
			c = cursor{c.block - 1, len(q.blocks[c.block-1].jobs)}
		}
	}
	b := q.blocks[c.block]
	if len(b.jobs) == blockSize {
		q.split(c.block)
		if c.job > len(b.jobs) {
			c = cursor{c.block + 1, c.job - len(b.jobs)}
			b = q.blocks[c.block]
		}
	}
	if cap(b.jobs) == len(b.jobs) {
		b.jobs = append(b.room[:0], b.jobs...)
	}
	b.jobs = slices.Insert(b.jobs, c.job, w)
	q.size++
	if q.plain {
		return
	}
	b.add(&w)
	at := c.block / groupSize
	if at == len(q.groups) {
		q.groups = append(q.groups, group{})
		q.groups[at].clear()
	}
	q.groups[at].add(&w)
}

func (q *queue) newBlock() *block {
	var b *block
	if last := len(q.free) - 1; last >= 0 {
		b, q.free = q.free[last], q.free[:last]
	} else {
		b = &block{}
	}
	b.jobs = b.room[:0]
	b.clear()
	return b
}

// split moves the second half of a full block into a new one behind it.
func (q *queue) split(at int) {
	full, half := q.blocks[at], q.newBlock()
	half.jobs = append(half.jobs, full.jobs[blockSize/2:]...)
	full.jobs = full.jobs[:blockSize/2]
	q.blocks = slices.Insert(q.blocks, at+1, half)
	if !q.plain {
		full.tighten()
		half.tighten()
		q.regroup(at / groupSize)
	}
}

func (b *block) tighten() {
	b.clear()
	for i := range b.jobs {
		b.add(&b.jobs[i])
	}
	b.loose = false
}

// regroup makes the digests of the groups from that one on anew, after blocks have moved.
func (q *queue) regroup(from int) {
	groups := (len(q.blocks) + groupSize - 1) / groupSize
	q.groups = slices.Grow(q.groups[:from], groups-from)[:groups]
	for g := from; g < groups; g++ {
		q.tighten(g)
	}
}

// tighten makes the digest of a group anew.
func (q *queue) tighten(at int) {
	g := &q.groups[at]
	g.clear()
	for _, b := range q.blocks[at*groupSize : min((at+1)*groupSize, len(q.blocks))] {
		g.merge(&b.digest)
	}
	g.loose = false
}

// remove takes out the job under the cursor and returns the cursor of the next.
func (q *queue) remove(c cursor) cursor {
	b := q.blocks[c.block]
	if c.job == 0 {
		b.jobs = b.jobs[1:]
	} else {
		b.jobs = slices.Delete(b.jobs, c.job, c.job+1)
	}
	b.loose = true
	q.size--
	if len(b.jobs) == 0 {
		b.loose = false
		q.free = append(q.free, b)
		q.blocks = slices.Delete(q.blocks, c.block, c.block+1)
		if !q.plain {
			q.regroup(c.block / groupSize)
		}
		return q.settle(cursor{c.block, 0})
	}
	return q.settle(c)
}

// nextWithin returns the first job from the cursor on that is within one of the limits.
func (q *queue) nextWithin(c cursor, limits []limit) cursor {
	for c.block < len(q.blocks) {
		g := &q.groups[c.block/groupSize]
		if c.job == 0 && c.block%groupSize == 0 && !g.mayFit(limits) {
			c.block += groupSize
			continue
		}
		if b := q.blocks[c.block]; b.mayFit(limits) {
			for ; c.job < len(b.jobs); c.job++ {
				if b.jobs[c.job].within(limits) {
					return c
				}
			}
			if b.loose {
				b.tighten()
				g.loose = true
			}
		}
		c = cursor{c.block + 1, 0}
		if g.loose && (c.block%groupSize == 0 || c.block == len(q.blocks)) {
			q.tighten((c.block - 1) / groupSize)
		}
	}
	return cursor{len(q.blocks), 0}
}

// sort gives the jobs new scores and puts them in order.
func (q *queue) sort(score func(*waiting) float64) {
	inOrder := true
	var last *waiting
	for _, b := range q.blocks {
		for i := range b.jobs {
			w := &b.jobs[i]
			w.score = score(w)
			inOrder = inOrder && (last == nil || last.compare(w) < 0)
			last = w
		}
	}
	if inOrder {
		return
	}
	q.sorting = q.sorting[:0]
	for _, b := range q.blocks {
		q.sorting = append(q.sorting, b.jobs...)
		q.free = append(q.free, b)
	}
	slices.SortFunc(q.sorting, func(a, b waiting) int { return a.compare(&b) })
	q.blocks = q.blocks[:0]
	for jobs := range slices.Chunk(q.sorting, blockSize) {
		b := q.newBlock()
		b.jobs = append(b.jobs, jobs...)
		q.blocks = append(q.blocks, b)
	}
	if !q.plain {
		for _, b := range q.blocks {
			b.tighten()
		}
		q.regroup(0)
	}
}
