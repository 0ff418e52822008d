// Package trace reads, cleans, cuts, describes and writes traces of jobs in the Standard Workload
// Format (SWF, of the Parallel Workloads Archive) and the Grid Workload Format (GWF, of the Grid
// Workloads Archive). Its one idea: reading judges only whether a line has the form of its format.
// Whether a job makes sense is a matter of cleaning, whose rules are stated and counted.
//
// It opens no file: pipeline/traces does that. A trace of a million jobs is held once; what drops
// jobs does so in place.
package trace
