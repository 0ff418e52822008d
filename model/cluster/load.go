// Load: the processors that jobs request and use, of a site and of each partition.

package cluster

// load counts the processors that the jobs of a site request and use.
type load struct {
	wanted     int64 // processors of the jobs that wait
	partitions []partitionLoad
}

// partitionLoad counts the jobs of a partition. The integrals over time are kept only where there
// are several.
type partitionLoad struct {
	queued  int              // jobs in the queue
	present processorSeconds // of the jobs that wait or run
	running processorSeconds // of the jobs that run
}

func (l *load) submitted(s *Site, number int32) {
	procs := s.jobs[number].Procs
	l.wanted += int64(procs)
	if len(l.partitions) > 1 {
		l.partitions[s.partition(number)].present.change(s.now, procs)
	}
}

func (l *load) started(s *Site, number int32) {
	procs := s.jobs[number].Procs
	l.wanted -= int64(procs)
	if len(l.partitions) > 1 {
		l.partitions[s.partition(number)].running.change(s.now, procs)
	}
}

func (l *load) ended(s *Site, number int32) {
	if len(l.partitions) > 1 {
		q, procs := s.partition(number), s.jobs[number].Procs
		l.partitions[q].present.change(s.now, -procs)
		l.partitions[q].running.change(s.now, -procs)
	}
}

// processorSeconds integrates a number of processors over time.
type processorSeconds struct {
	procs int64 // since the last change
	since int64 // s, when the last change was
	area  int64 // processors × s until then
}

// until returns processors × s from 0 to now.
func (p *processorSeconds) until(now int64) int64 { return p.area + p.procs*(now-p.since) }

// change adds processors from now on; a negative number takes them away.
func (p *processorSeconds) change(now int64, procs int32) {
	p.area, p.since = p.until(now), now
	p.procs += int64(procs)
}
