// Logs: a trace in memory, its date, and its division into segments of equal length.

package trace

// Log is a trace that was read whole: its jobs in the order of its file, and its header. The Grid
// Workload Format requires none, so that of a Grid trace is often empty. Runs share a log: callers
// must not change it.
type Log struct {
	Jobs   []Job
	Header *Header
}

// Start returns the date of second 0 of the log, in seconds since 1970 in UTC: the header's
// UnixStartTime, or 0 where the submits are such seconds themselves. It is false where the log has
// no date.
func (l *Log) Start() (unix int64, dated bool) {
	return l.Header.start(firstSubmit(l.Jobs))
}

// Segments returns how many whole segments of so many seconds the log has between the first and the
// last submit of the jobs that the rules keep, for replications that take one segment each. It is 0
// for a shorter log.
func (l *Log) Segments(r Rules, length int64) int64 {
	order := Order(l.Jobs, r)
	if length <= 0 || len(order) == 0 {
		return 0
	}
	return (l.Jobs[order[len(order)-1]].Submit - l.Jobs[order[0]].Submit) / length
}

// Segment returns the jobs of a segment of so many seconds, from 0 on, that the rules keep, with
// submits from its beginning on.
func (l *Log) Segment(r Rules, length, segment int64) []Job {
	return Window(l.Jobs, r, segment*length, (segment+1)*length)
}
