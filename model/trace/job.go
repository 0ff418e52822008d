// Jobs: one record of a trace.

package trace

// Job is one record of a trace, or one job of a workload model: the 18 fields of the Standard
// Workload Format in its order, then what Grid traces add. Numbers that a trace does not have are
// -1.
type Job struct {
	ID        int64
	Submit    int64   // s since the trace's beginning
	Wait      int64   // s between submit and start on the traced system
	Run       int64   // s between start and end
	Procs     int32   // allocated processors
	CPU       float64 // s of CPU time, the mean over its processors; may be fractional
	Memory    int64   // KB used, the mean over its processors
	ReqProcs  int32   // requested processors
	ReqTime   int64   // requested s of run time (or CPU time): the user's estimate
	ReqMemory int64   // requested KB for each processor
	// 0 failed, 1 completed, 2 and 3 partial execution, 4 the last one of a job, 5 cancelled
	Status    int8
	User      int32 // a number of the trace, or the index of the name in Names.Users
	Group     int32
	App       int32 // the executable
	Queue     int32
	Partition int32
	After     int64 // ID of the job that must end before this one's submit, or -1
	Think     int64 // s between that job's end and this one's submit
	Site      int32 // where a Grid job was submitted; -1 in the Standard Workload Format
	// 1 + the index in Names.Rest of what only the Grid Workload Format has; 0 where there is
	// nothing
	Rest int32
}

// texts returns the fields of the job that are indices of texts in the Grid Workload Format, in its
// order.
func (j *Job) texts() [6]*int32 {
	return [...]*int32{&j.User, &j.Group, &j.App, &j.Queue, &j.Partition, &j.Site}
}

// Size returns the processors of the job in a simulation: the allocated ones, since its run time
// was measured on them, else the requested ones; 0 where the trace has neither.
func (j *Job) Size() int32 {
	switch {
	case j.Procs > 0:
		return j.Procs
	case j.ReqProcs > 0:
		return j.ReqProcs
	}
	return 0
}
