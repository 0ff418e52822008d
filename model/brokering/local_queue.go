// The queue of a local scheduler.

package brokering

import (
	"slices"

	"gridsweep/model/brokering/pool"
)

// localQueue is a queue in chunks. Each chunk has the least that one of its jobs needs, so that a
// pass that looks for jobs that still fit skips most chunks.
type localQueue struct {
	chunks []chunk // none is empty
	jobs   int
}

// chunk is consecutive jobs of a queue.
type chunk struct {
	jobs  []queued
	least pool.Amount // of CPUs, memory and disk each, the least that a job needs
	run   int64       // s, the shortest run time
}

// queued is a job in the queue of a local scheduler.
type queued struct {
	number int32       // of the request
	run    int64       // s
	needs  pool.Amount // what has to be free for the job to start
}

// perChunk is how many jobs a chunk has at most.
const perChunk = 32

// add appends a job.
func (q *localQueue) add(j queued) {
	last := len(q.chunks) - 1
	if last < 0 || len(q.chunks[last].jobs) == perChunk {
		q.chunks = append(q.chunks, chunk{})
		last++
	}
	q.chunks[last].add(&j)
	q.jobs++
}

// add appends a job to the chunk and lowers the least needs and run time to those of the job.
func (c *chunk) add(j *queued) {
	if c.jobs = append(c.jobs, *j); len(c.jobs) == 1 {
		c.least, c.run = j.needs, j.run
		return
	}
	c.least.CPUs = min(c.least.CPUs, j.needs.CPUs)
	c.least.Memory = min(c.least.Memory, j.needs.Memory)
	c.least.Disk = min(c.least.Disk, j.needs.Disk)
	c.run = min(c.run, j.run)
}

// each visits the chunks in order until visit, which may remove jobs, reports that it is done.
func (q *localQueue) each(visit func(*chunk) (done bool)) (done bool) {
	emptied := false
	for i := 0; i < len(q.chunks) && !done; i++ {
		c := &q.chunks[i]
		before := len(c.jobs)
		done = visit(c)
		q.jobs -= before - len(c.jobs)
		emptied = emptied || len(c.jobs) == 0
	}
	if emptied {
		q.chunks = slices.DeleteFunc(q.chunks, func(c chunk) bool { return len(c.jobs) == 0 })
	}
	return done
}

// remove removes jobs by their indices.
func (c *chunk) remove(gone *[perChunk]bool) {
	all := c.jobs
	c.jobs = c.jobs[:0]
	for i := range all {
		if !gone[i] {
			c.add(&all[i])
		}
	}
}
