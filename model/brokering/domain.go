package brokering

import (
	"gridsweep/model/brokering/grid"
)

// titles are the names of the first domain of each type, types what parameters begin with, workloads the traces and site models.
var (
	titles    = [...]string{"DAS-2", "Grid5000", "Sharcnet"}
	types     = [...]string{"small", "medium", "big"}
	workloads = [...]string{"das2", "grid5000", "sharcnet"}
)

// cluster is a resource: a cluster of equal CPUs.
type cluster struct {
	kind   grid.Kind
	clock  int64 // MHz
	cpus   int32
	memory int64 // MB
	disk   int64 // MB
}

// job is what a domain's user submits, with what it requires.
type job struct {
	submit, run int64 // s
	kind        grid.Kind
	clock       int64 // MHz
	cpus        int32
	memory      int64 // MB
	disk        int64 // MB
}

// domain is a domain with its users' jobs, in the order of their submits. It may be shared by runs: nobody changes it.
type domain struct {
	name     string
	clusters []cluster
	span     int64 // s, in which its jobs are submitted
	jobs     []job
}
