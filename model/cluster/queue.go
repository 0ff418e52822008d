// Queue: the waiting jobs in queue order, with summaries to find those that may fit.

package cluster

import (
	"cmp"
	"iter"
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
	start    int64 // booked start, or Never; in Site.queue only conservative updates it
	score    float64
}

// tieBreak compares the jobs of two numbers whose scores are equal.
type tieBreak func(a, b int32) int

// compare orders jobs by their positions in the queue. Nil ties: jobs of equal scores keep the
// order of their numbers.
func (w *waiting) compare(other *waiting, ties tieBreak) int {
	if c := cmp.Compare(w.score, other.score); c != 0 {
		return c
	}
	if ties != nil {
		if c := ties(w.number, other.number); c != 0 {
			return c
		}
	}
	return cmp.Compare(w.number, other.number)
}

// queue holds the waiting jobs in queue order, in blocks of neighbours, and blocks in groups. Each
// block and group has a summary, the shortest estimate for each size, so that the search for the
// next job that fits skips most of them: a pass over 10⁵ waiting jobs costs hardly more than one
// over 10².
//
// Invariants: no block is empty; a summary is a lower bound for the jobs of its block or group.
type queue struct {
	blocks     []*block
	groups     []group  // each groupSize neighbouring blocks
	size       int      // number of jobs
	ties       tieBreak // nil: of an order with one key
	summarised bool     // blocks and groups have summaries: the policy searches for jobs that fit
	byEstimate bool     // the shortest estimate is first, and jobs of equal ones are in queue order
	free       []*block // empty blocks for reuse

	sorting []waiting // scratch
}

const (
	blockSize = 64
	groupSize = 32
)

type block struct {
	summary
	jobs  []waiting // a slice of room: to remove the first job, as happens most, copies nothing
	room  [blockSize]waiting
	stale bool // jobs have left since the summary was made
}

type group struct {
	summary
	stale bool // a block's summary has been made anew since
}

// summary holds for each class of sizes the shortest estimate, in s, of the jobs of that class and
// smaller ones. It is a lower bound: jobs that leave do not raise it.
type summary [2 * 20]int32

const (
	noJob       = math.MaxInt32
	maxEstimate = math.MaxInt32 - 1 // stands for all longer ones
)

// sizeClass numbers the classes of sizes, two for each power of two: 1, 2, 3, 4, 5–7, 8, 9–15, 16,
// …; most jobs have a power of two. The last class has no bound.
func sizeClass(procs int32) int {
	class := 2 * (bits.Len32(uint32(procs)) - 1)
	if procs&(procs-1) != 0 {
		class++
	}
	return min(class, len(summary{})-1)
}

func (s *summary) reset() {
	for c := range s {
		s[c] = noJob
	}
}

func (s *summary) add(w *waiting) {
	estimate := int32(min(w.estimate, maxEstimate))
	for c := sizeClass(w.procs); c < len(s) && s[c] > estimate; c++ {
		s[c] = estimate
	}
}

func (s *summary) merge(other *summary) {
	for c := range s {
		s[c] = min(s[c], other[c])
	}
}

// mayFit reports whether one of the jobs may be within one of the limits.
func (s *summary) mayFit(limits limits) bool {
	for _, l := range limits {
		if l.procs > 0 && int64(s[sizeClass(l.procs)]) <= min(l.estimate, maxEstimate) {
			return true
		}
	}
	return false
}

// cursor is a position in the queue.
type cursor struct{ block, job int }

// compare orders jobs by their positions in this queue.
func (q *queue) compare(a, b *waiting) int {
	if q.byEstimate && a.estimate != b.estimate {
		return cmp.Compare(a.estimate, b.estimate)
	}
	return a.compare(b, q.ties)
}

// normalise moves a cursor behind the last job of a block to the first of the next.
func (q *queue) normalise(c cursor) cursor {
	for c.block < len(q.blocks) && c.job >= len(q.blocks[c.block].jobs) {
		c = cursor{c.block + 1, 0}
	}
	return c
}

// at returns the job at the cursor, and nil after the last.
func (q *queue) at(c cursor) *waiting {
	if c.block >= len(q.blocks) {
		return nil
	}
	return &q.blocks[c.block].jobs[c.job]
}

func (q *queue) first() cursor         { return q.normalise(cursor{}) }
func (q *queue) after(c cursor) cursor { return q.normalise(cursor{c.block, c.job + 1}) }

// all returns the jobs in queue order. They may be changed, but for what orders them.
func (q *queue) all() iter.Seq[*waiting] {
	return func(yield func(*waiting) bool) {
		for _, b := range q.blocks {
			for i := range b.jobs {
				if !yield(&b.jobs[i]) {
					return
				}
			}
		}
	}
}

// find returns the position of the job, or where it would be inserted.
func (q *queue) find(w *waiting) cursor {
	block := sort.Search(len(q.blocks), func(i int) bool {
		jobs := q.blocks[i].jobs
		return q.compare(&jobs[len(jobs)-1], w) >= 0
	})
	if block == len(q.blocks) {
		return cursor{block, 0}
	}
	jobs := q.blocks[block].jobs
	return cursor{block, sort.Search(len(jobs), func(i int) bool { return q.compare(&jobs[i], w) >= 0 })}
}

// position returns how many of the jobs, which are in queue order, stand before one.
func (s *Site) position(jobs []waiting, w *waiting) int {
	return sort.Search(len(jobs), func(i int) bool { return s.compare(&jobs[i], w) >= 0 })
}

// insert puts a job at its position. One behind all others goes into the last block, or into a new
// one if that is full.
func (q *queue) insert(w waiting) {
	c := q.find(&w)
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
	if !q.summarised {
		return
	}
	b.add(&w)
	g := c.block / groupSize
	if g == len(q.groups) {
		q.groups = append(q.groups, group{})
		q.groups[g].reset()
	}
	q.groups[g].add(&w)
}

func (q *queue) newBlock() *block {
	var b *block
	if last := len(q.free) - 1; last >= 0 {
		b, q.free = q.free[last], q.free[:last]
	} else {
		b = &block{}
	}
	b.jobs, b.stale = b.room[:0], false
	b.reset()
	return b
}

// split moves the second half of a full block into a new one after it.
func (q *queue) split(at int) {
	full, half := q.blocks[at], q.newBlock()
	half.jobs = append(half.jobs, full.jobs[blockSize/2:]...)
	full.jobs = full.jobs[:blockSize/2]
	q.blocks = slices.Insert(q.blocks, at+1, half)
	if q.summarised {
		full.summarise()
		half.summarise()
		q.regroup(at / groupSize)
	}
}

func (b *block) summarise() {
	b.reset()
	for i := range b.jobs {
		b.add(&b.jobs[i])
	}
	b.stale = false
}

// regroup makes the summaries of the groups from an index on, after blocks have moved.
func (q *queue) regroup(from int) {
	groups := (len(q.blocks) + groupSize - 1) / groupSize
	q.groups = slices.Grow(q.groups[:from], groups-from)[:groups]
	for g := from; g < groups; g++ {
		q.summarise(g)
	}
}

// summarise makes the summary of a group from those of its blocks.
func (q *queue) summarise(at int) {
	g := &q.groups[at]
	g.reset()
	for _, b := range q.blocks[at*groupSize : min((at+1)*groupSize, len(q.blocks))] {
		g.merge(&b.summary)
	}
	g.stale = false
}

// remove takes out the job at the cursor and returns the cursor of the next.
func (q *queue) remove(c cursor) cursor {
	b := q.blocks[c.block]
	if c.job == 0 {
		b.jobs = b.jobs[1:]
	} else {
		b.jobs = slices.Delete(b.jobs, c.job, c.job+1)
	}
	b.stale = true
	q.size--
	if len(b.jobs) == 0 {
		q.free = append(q.free, b)
		q.blocks = slices.Delete(q.blocks, c.block, c.block+1)
		if q.summarised {
			q.regroup(c.block / groupSize)
		}
		return q.normalise(cursor{c.block, 0})
	}
	return q.normalise(c)
}

// nextWithin returns the position of the first job from the cursor on that is within one of the
// limits. It renews a stale summary that admitted a block without such a job.
func (q *queue) nextWithin(c cursor, limits limits) cursor {
	if limits[0].procs <= 0 { // the other limits have no more
		return cursor{len(q.blocks), 0}
	}
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
			if b.stale {
				b.summarise()
				g.stale = true
			}
		}
		c = cursor{c.block + 1, 0}
		if g.stale && (c.block%groupSize == 0 || c.block == len(q.blocks)) { // behind the group
			q.summarise((c.block - 1) / groupSize)
		}
	}
	return cursor{len(q.blocks), 0}
}

// sort gives the jobs new scores, by their numbers, and puts them in order.
func (q *queue) sort(score func(number int32) float64) {
	inOrder := true
	var last *waiting
	for w := range q.all() {
		w.score = score(w.number)
		inOrder = inOrder && (last == nil || q.compare(last, w) < 0)
		last = w
	}
	if inOrder {
		return
	}
	q.sorting = q.sorting[:0]
	for _, b := range q.blocks {
		q.sorting = append(q.sorting, b.jobs...)
		q.free = append(q.free, b)
	}
	slices.SortFunc(q.sorting, func(a, b waiting) int { return q.compare(&a, &b) })
	q.blocks = q.blocks[:0]
	for jobs := range slices.Chunk(q.sorting, blockSize) {
		b := q.newBlock()
		b.jobs = append(b.jobs, jobs...)
		q.blocks = append(q.blocks, b)
	}
	if q.summarised {
		for _, b := range q.blocks {
			b.summarise()
		}
		q.regroup(0)
	}
}
