// Package trace reads and writes traces of jobs: the Standard Workload Format and the Grid Workload Format.
package trace
