package cluster

// load counts the processors that the jobs of a site want and use.
type load struct {
	waiting    int64 // processors of all jobs that wait
	partitions []partitionLoad
}

// partitionLoad counts the jobs of a partition.
type partitionLoad struct {
	queued  int              // jobs in the queue
	present processorSeconds // of the jobs that wait or run
	running processorSeconds // of the jobs that run
}

func (l *load) submitted(now int64, partition, procs int32) {
	l.waiting += int64(procs)
	l.partitions[partition].present.change(now, procs)
}

func (l *load) started(now int64, partition, procs int32) {
	l.waiting -= int64(procs)
	l.partitions[partition].running.change(now, procs)
}

func (l *load) ended(now int64, partition, procs int32) {
	l.partitions[partition].present.change(now, -procs)
	l.partitions[partition].running.change(now, -procs)
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
