// Domains (section 5.2): their clusters and the jobs of their users, as they are drawn.

package brokering

import (
	"gridsweep/model/brokering/pool"
)

// Types of domains: the name of the first domain of each, the prefix of its parameters, and its
// trace and site model.
var (
	titles    = [...]string{"DAS-2", "Grid5000", "Sharcnet"}
	types     = [...]string{"small", "medium", "big"}
	workloads = [...]string{"das2", "grid5000", "sharcnet"}
)

// cluster is a cluster of equal CPUs, which the paper calls a resource.
type cluster struct {
	platform pool.Platform
	clock    int64 // MHz
	cpus     int32
	memory   int64 // MB
	disk     int64 // MB
}

// job is a job of a user with its requirements.
type job struct {
	submit, run int64 // s
	platform    pool.Platform
	clock       int64 // MHz
	cpus        int32
	memory      int64 // MB
	disk        int64 // MB
}

// domain is a domain with its users' jobs in the order of their submits. Runs share it and must not
// change it.
type domain struct {
	name     string
	clusters []cluster
	span     int64 // s, the time in which its jobs are submitted
	jobs     []job
}
