package brokering

// line is the queue of a centre. It is kept in chunks, each with the least that one of its jobs needs, so that a pass which
// looks for jobs that still fit goes past most of them.
type line struct {
	chunks []chunk
	spare  *[]chunk // emptied, for their memory; lines may share them
	jobs   int
}

// chunk is some neighbours of a queue.
type chunk struct {
	jobs  []queued
	least need  // of each thing, the least that a job needs
	run   int64 // the shortest run time, in s
}

// queued is a job in the queue of a centre.
type queued struct {
	number int32 // of the request
	run    int64 // s
	need   need  // what the centre looks at
}

// perChunk is how many jobs a chunk has at most.
const perChunk = 32

// add lets a job stand at the end.
func (l *line) add(j queued) {
	last := len(l.chunks) - 1
	if last < 0 || len(l.chunks[last].jobs) == perChunk {
		l.chunks = append(l.chunks, l.empty())
		last++
	}
	c := &l.chunks[last]
	c.jobs = append(c.jobs, j)
	c.note(&j)
	l.jobs++
}

// empty returns a chunk without jobs.
func (l *line) empty() chunk {
	spare := *l.spare
	if last := len(spare) - 1; last >= 0 {
		*l.spare = spare[:last]
		return spare[last]
	}
	return chunk{jobs: make([]queued, 0, perChunk)}
}

// note takes a job into what is said of all.
func (c *chunk) note(j *queued) {
	if len(c.jobs) == 1 {
		c.least, c.run = j.need, j.run
		return
	}
	c.least = need{min(c.least.cpus, j.need.cpus), min(c.least.memory, j.need.memory), min(c.least.disk, j.need.disk)}
	c.run = min(c.run, j.run)
}

// each goes through the chunks in order until try, which may take jobs out and returns how many, reports that it is done.
func (l *line) each(try func(*chunk) (left int, done bool)) (done bool) {
	emptied := false
	for i := 0; i < len(l.chunks) && !done; i++ {
		c := &l.chunks[i]
		var left int
		left, done = try(c)
		l.jobs -= left
		emptied = emptied || len(c.jobs) == 0
	}
	if emptied {
		l.tidy()
	}
	return done
}

// tidy puts the chunks without jobs by.
func (l *line) tidy() {
	kept := l.chunks[:0]
	for _, c := range l.chunks {
		if len(c.jobs) > 0 {
			kept = append(kept, c)
		} else {
			*l.spare = append(*l.spare, c)
		}
	}
	l.chunks = kept
}

// remove takes jobs out.
func (c *chunk) remove(gone *[perChunk]bool) {
	all := c.jobs
	c.jobs = c.jobs[:0]
	for i := range all {
		if !gone[i] {
			c.jobs = append(c.jobs, all[i])
			c.note(&c.jobs[len(c.jobs)-1])
		}
	}
}
