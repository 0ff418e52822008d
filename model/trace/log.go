package trace

// Logs: a trace in memory, its date, and its division into parts of equal length.

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

// Parts returns how many whole parts of so many seconds the log has between the first and the last
// submit of the jobs that the rules keep, for replications that take one part each. It is 0 for a
// shorter log.
func (l *Log) Parts(r Rules, length int64) int64 {
	order := Order(l.Jobs, r)
	if length <= 0 || len(order) == 0 {
		return 0
	}
	return (l.Jobs[order[len(order)-1]].Submit - l.Jobs[order[0]].Submit) / length
}

// Part returns the jobs of a part of so many seconds, from 0 on, that the rules keep, with submits
// from its beginning on.
func (l *Log) Part(r Rules, length, part int64) []Job {
	return Window(l.Jobs, r, part*length, (part+1)*length)
}
