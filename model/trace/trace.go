// Package trace reads, cleans, cuts, describes and writes traces of jobs in the Standard Workload
// Format (SWF, of the Parallel Workloads Archive) and the Grid Workload Format (GWF, of the Grid
// Workloads Archive). Its one idea: reading judges only whether a line has the form of its format.
// Whether a job makes sense is a matter of cleaning, whose rules are stated and counted.
//
//	r := trace.NewReader(file, "log.swf", trace.Options{})
//	jobs, err := r.ReadAll()
//	jobs, cleaned := trace.Clean(jobs, trace.Rules{Procs: 128})
//	jobs, selected, err := trace.Selection{Months: [2]int{9, 12}}.Apply(jobs)
//	stats := trace.Describe(jobs, r.Header(), 128)
//
// It opens no file: pipeline/traces does that. A trace of a million jobs is held once; what drops
// jobs does so in place.
package trace
