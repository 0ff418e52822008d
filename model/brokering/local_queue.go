// The queue of a local scheduler.

package brokering

import (
	"gridsweep/model/brokering/grid"
)

// localQueue is kept in chunks, each with the least that one of its jobs needs, so that a pass
// which looks for jobs that still fit skips most of them.
type localQueue struct {
	chunks []chunk
	spare  *[]chunk // empty, for their memory; queues may share them
	jobs   int
}

// chunk is some neighbours in a queue.
type chunk struct {
	jobs  []queued
	least grid.Amount // of each thing, the least that a job needs
	run   int64       // the shortest run time, in s
}

// queued is a job in the queue of a local scheduler.
type queued struct {
	number int32       // of the request
	run    int64       // s
	needs  grid.Amount // what the scheduler looks at
}

// perChunk is how many jobs a chunk has at most.
const perChunk = 32

// add appends a job.
func (q *localQueue) add(j queued) {
	last := len(q.chunks) - 1
	if last < 0 || len(q.chunks[last].jobs) == perChunk {
		q.chunks = append(q.chunks, q.empty())
		last++
	}
	c := &q.chunks[last]
	c.jobs = append(c.jobs, j)
	c.include(&j)
	q.jobs++
}

// empty returns a chunk without jobs.
func (q *localQueue) empty() chunk {
	spare := *q.spare
	if last := len(spare) - 1; last >= 0 {
		*q.spare = spare[:last]
		return spare[last]
	}
	return chunk{jobs: make([]queued, 0, perChunk)}
}

// include lowers the least of the chunk to that of a job.
func (c *chunk) include(j *queued) {
	if len(c.jobs) == 1 {
		c.least, c.run = j.needs, j.run
		return
	}
	c.least.CPUs = min(c.least.CPUs, j.needs.CPUs)
	c.least.Memory = min(c.least.Memory, j.needs.Memory)
	c.least.Disk = min(c.least.Disk, j.needs.Disk)
	c.run = min(c.run, j.run)
}

// each goes through the chunks in order until visit, which may remove jobs and returns how many,
// reports that it is done.
func (q *localQueue) each(visit func(*chunk) (removed int, done bool)) (done bool) {
	emptied := false
	for i := 0; i < len(q.chunks) && !done; i++ {
		c := &q.chunks[i]
		var removed int
		removed, done = visit(c)
		q.jobs -= removed
		emptied = emptied || len(c.jobs) == 0
	}
	if emptied {
		q.tidy()
	}
	return done
}

// tidy takes the chunks without jobs out and keeps their memory.
func (q *localQueue) tidy() {
	kept := q.chunks[:0]
	for _, c := range q.chunks {
		if len(c.jobs) > 0 {
			kept = append(kept, c)
		} else {
			*q.spare = append(*q.spare, c)
		}
	}
	q.chunks = kept
}

// remove takes jobs out, by their indices.
func (c *chunk) remove(gone *[perChunk]bool) {
	all := c.jobs
	c.jobs = c.jobs[:0]
	for i := range all {
		if !gone[i] {
			c.jobs = append(c.jobs, all[i])
			c.include(&c.jobs[len(c.jobs)-1])
		}
	}
}
