// The system of a run: the domains' resources, and how much of each is free.

package brokering

import (
	"slices"

	"gridsweep/model/brokering/information"
	"gridsweep/model/brokering/pool"
	"gridsweep/model/metrics"
)

// system is the domains of a run with their brokers.
type system struct {
	p         Parameters
	domains   []domain
	platforms []pool.Platform // of all resources, each once
	requests  []request
	tallies   []pool.Tally // of the requests: their attempts and conflicts
	now       int64        // s
	lastEnd   int64        // s, of the last job that has ended

	resources []resource
	// the index of each domain's first resource; at the end the number of resources
	firstResource []int32
	pool          pool.Pool // the same resources by platform
	byPlatform    [][]int32 // of each resource in the pool, its index in resources
	// the resources of each platform that conflicts are counted at: those of the pool, or under
	// SLOW, which matches jobs by totals, copies of which all is free
	conflictsAt [][]pool.Resource

	weights        [4]float64 // of clock, CPUs, memory and disk in ranks
	scales         []scale    // of each domain
	originPriority float64    // of the origin of a job; other brokers have 1

	information *information.Service // what brokers publish; nil under REGULAR
	slow        bool                 // the strategy is SLOW
	slowdowns   []float64            // SLOW: the average bounded slowdown of each broker
	local       []*localScheduler    // SLOW: of each resource
	candidates  []candidate          // of the current attempt
}

// resource is a cluster in use.
type resource struct {
	*pool.Resource // in the pool
	pool.Position
	total    pool.Amount
	used     pool.Amount // under local_needs cpus perhaps more memory and disk than there is
	inDomain int32       // its index in its domain
	worked   int64       // CPU·s of the jobs that have started
	slowdown average     // bounded slowdown of the jobs that have finished
}

// average accumulates a mean.
type average struct {
	sum   float64
	count int64
}

func (a *average) add(x float64) { a.sum, a.count = a.sum+x, a.count+1 }

// mean returns the mean; nil if it is empty.
func (a *average) mean() *float64 { return metrics.Mean(a.sum, a.count) }

// newSystem returns the system of domains before the first job arrives.
func newSystem(p Parameters, domains []domain) *system {
	s := &system{p: p, domains: domains, slow: p.Strategy == "SLOW"}
	numbers := s.addResources()
	s.setScales()
	s.setPriority()
	for i := range s.resources {
		s.rerank(&s.resources[i])
	}
	s.mergeRequests(numbers)
	s.tallies = make([]pool.Tally, len(s.requests))
	if p.Strategy != "REGULAR" {
		s.openInformation()
	}
	s.conflictsAt = s.pool.Resources
	if s.slow {
		s.slowdowns = slices.Repeat([]float64{1}, len(domains))
		s.conflictsAt = nil
		for _, resources := range s.pool.Resources { // in which all is free yet
			s.conflictsAt = append(s.conflictsAt, slices.Clone(resources))
		}
	}
	return s
}

// addResources adds the resources of all domains and returns the numbers of their platforms.
func (s *system) addResources() map[pool.Platform]int32 {
	numbers := map[pool.Platform]int32{}
	for _, d := range s.domains {
		for _, c := range d.clusters {
			if _, known := numbers[c.platform]; !known {
				numbers[c.platform] = int32(len(s.platforms))
				s.platforms = append(s.platforms, c.platform)
			}
		}
	}
	n := len(s.platforms)
	s.byPlatform = make([][]int32, n)
	s.pool = pool.Pool{
		Resources: make([][]pool.Resource, n), Totals: make([][]pool.Amount, n), FirstResource: make([][]int32, n),
	}
	beginDomain := func() {
		s.firstResource = append(s.firstResource, int32(len(s.resources)))
		for k := range s.platforms {
			s.pool.FirstResource[k] = append(s.pool.FirstResource[k], int32(len(s.byPlatform[k])))
		}
	}
	for d := range s.domains {
		beginDomain()
		for i, c := range s.domains[d].clusters {
			k := numbers[c.platform]
			total := pool.Amount{CPUs: int64(c.cpus), Memory: c.memory, Disk: c.disk}
			at := pool.Position{Platform: k, Domain: int32(d), Index: int32(len(s.byPlatform[k]))}
			s.byPlatform[k] = append(s.byPlatform[k], int32(len(s.resources)))
			s.pool.Resources[k] = append(s.pool.Resources[k], pool.Resource{Clock: c.clock, Free: total})
			s.pool.Totals[k] = append(s.pool.Totals[k], total)
			s.resources = append(s.resources, resource{Position: at, total: total, inDomain: int32(i)})
		}
	}
	beginDomain() // the end of the last one
	for i := range s.resources {
		r := &s.resources[i]
		r.Resource = &s.pool.Resources[r.Platform][r.Index]
	}
	return numbers
}

// resourcesOf returns the resources of a platform that a domain has, by their indices in resources.
func (s *system) resourcesOf(platform, d int32) []int32 {
	from, to := s.pool.Range(platform, d)
	return s.byPlatform[platform][from:to]
}

// conflictsOf counts the conflicts of a job with the resources that it may go to (section 6.1).
func (s *system) conflictsOf(r *pool.Requirement) pool.Counts {
	within := s.conflictsAt[r.Platform]
	if s.p.Preference == "none" {
		from, to := s.pool.Range(r.Platform, r.Origin)
		within = within[from:to]
	}
	return pool.CountConflicts(within, r)
}

// couldRun reports whether the resource could run a job of its platform if no other job ran there.
func (r *resource) couldRun(job *pool.Requirement) bool {
	return job.Clock <= r.Clock && job.Needs.Within(&r.total)
}
