// Package trace reads, cleans, cuts, describes and writes traces of jobs in the Standard Workload
// Format (SWF, of the Parallel Workloads Archive) and the Grid Workload Format (GWF, of the Grid
// Workloads Archive). Reading checks only that a line has the form of its format. Whether a job can
// be simulated is checked by cleaning, which counts what each of its rules drops.
//
// It opens no file: pipeline/traces does that. Clean and Selection drop jobs in place, so that a
// trace of a million jobs is held once.
package trace
