// The queue of a local scheduler.

package brokering

import (
	"slices"

	"gridsweep/model/brokering/grid"
)

// localQueue is a queue in chunks. Each chunk has the least that one of its jobs needs, so that a
// pass that looks for jobs that still fit skips most chunks.
type localQueue struct {
	chunks []chunk
	spare  *[]chunk // empty chunks, kept for their memory; queues may share them
	jobs   int
}

// chunk is consecutive jobs of a queue.
type chunk struct {
	jobs  []queued
	least grid.Amount // of CPUs, memory and disk each, the least that a job needs
	run   int64       // s, the shortest run time
}

// queued is a job in the queue of a local scheduler.
type queued struct {
	number int32       // of the request
	run    int64       // s
	needs  grid.Amount // what has to be free for the job to start
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

// include lowers the least needs and run time of the chunk to those of a job.
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

// each visits the chunks in order until visit reports that it is done. visit may remove jobs and
// returns how many it has removed.
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
		q.chunks = slices.DeleteFunc(q.chunks, func(c chunk) bool {
			if len(c.jobs) == 0 {
				*q.spare = append(*q.spare, c)
			}
			return len(c.jobs) == 0
		})
	}
	return done
}

// remove removes jobs by their indices.
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
