// The validation of parameters, those that have no effect, and the cost of a run.

package brokering

import (
	"gridsweep/model"
	"gridsweep/model/brokering/pool"
	"gridsweep/model/profile"
)

// Bounds of a run, so that it ends and its sums are exact.
const (
	mostJobs      = 5_000_000 // as 400 domains of the paper's sizes have
	mostResources = 20_000
	// platforms of a domain, whose aggregated form has aggregates for each
	mostPlatforms = 500
	// CPUs of all domains: their CPU·s, up to the largest load and span, are an int64
	mostCPUs  = 1<<31 - 1
	mostTotal = 1 << 53 // MB of a domain's memory, and of its disk: float64 counts each
)

// validate reports parameters that contradict each other, invalid resources and a system that is
// too large.
func validate(p Parameters) []model.Problem {
	var problems model.Problems
	report := problems.Report
	if n := int64(len(types)); p.Domains%n != 0 {
		below := p.Domains / n * n
		report("domains", "%d is no multiple of %d: take %d or %d, equally many of each type", p.Domains, n, below, below+n)
	}
	if p.ClockMin > p.ClockMax {
		report("clock_min", "%d is above clock_max %d: take at most that", p.ClockMin, p.ClockMax)
	}
	if p.BurstMin > p.BurstMax {
		report("burst_min", "%d is above burst_max %d: take at most that", p.BurstMin, p.BurstMax)
	}
	if p.Preference == "own" && p.OwnAs == "queue" && p.BrokerQueue == "fcfs" {
		report("own_as", "queue lets a broker's own jobs pass those that wait, which broker_queue fcfs does not: "+
			"take first-fit or own_as priority")
	}
	if _, err := parseMix(p.MemoryMix); err != nil {
		report("memory_mix", "%v", err)
	}
	checkSystem(p, report)
	return problems
}

// checkSystem reports what is wrong with the resources of each type, and with the resources and
// jobs of all domains together.
func checkSystem(p Parameters, report func(field, format string, args ...any)) {
	jobs, resources, cpus := int64(0), int64(0), int64(0)
	for domainType, s := range parametersOf(p) {
		field := types[domainType] + "_clusters"
		list, err := parseClusters(s.clusters)
		if err != nil {
			report(field, "%v", err)
			continue
		}
		own, largest := int64(0), int32(0) // CPUs, of all its resources and of one
		platforms := map[pool.Platform]bool{}
		for _, r := range list {
			own, largest = own+int64(r.cpus), max(largest, r.cpus)
			platforms[r.platform] = true
		}
		if largest > profile.MostProcs {
			report(field, "a resource of %d CPUs: take at most %d", largest, profile.MostProcs)
		}
		if n := len(platforms); n > mostPlatforms {
			report(field, "%d vendors with operating systems: take at most %d", n, mostPlatforms)
		}
		checkTotal := func(name string, perCPU int64) {
			if own > mostTotal/perCPU {
				report(name, "%d MB for each of the %d CPUs of %s are more than 2^53 MB: take at most %d",
					perCPU, own, field, mostTotal/own)
			}
		}
		checkTotal("memory_per_cpu", p.MemoryPerCPU)
		checkTotal("disk_per_cpu", p.DiskPerCPU)
		if isInScope(p, domainType) {
			n := int64(domainsPerType(p))
			jobs, resources, cpus = jobs+n*s.jobs, resources+n*int64(len(list)), cpus+n*own
		}
	}
	for _, sum := range []struct {
		have, most int64
		what       string
	}{
		{jobs, mostJobs, "jobs"}, {resources, mostResources, "resources"}, {cpus, mostCPUs, "CPUs"},
	} {
		if sum.have > sum.most {
			report("domains", "%d domains have %d %s together: take fewer domains or smaller ones, "+
				"so that there are at most %d", p.Domains, sum.have, sum.what, sum.most)
		}
	}
}

// traces returns the traces of the types in the scope.
func traces(p Parameters) []string {
	var names []string
	for domainType, name := range workloads {
		if isInScope(p, domainType) {
			names = append(names, name)
		}
	}
	return names
}

// canonical sets the parameters that have no effect to their defaults.
func canonical(p Parameters) Parameters {
	if p.Strategy == "SLOW" { // no job waits at a broker
		p.BrokerQueue = defaults.BrokerQueue
	} else { // or none in a local queue
		p.Slow, p.Local, p.LocalNeeds = defaults.Slow, defaults.Local, defaults.LocalNeeds
	}
	switch p.Strategy {
	case "REGULAR":
		p.Split = defaults.Split
	case "AGGR_SIMP":
		// A broker has one aggregated computer of a platform: sum, mean and best are its rank.
		p.Split, p.Rank = defaults.Split, defaults.Rank
	}
	if p.Preference != "own" {
		p.OwnAs = defaults.OwnAs
	}
	if p.Preference == "none" { // each job has one broker
		p.Rank, p.Slow = defaults.Rank, defaults.Slow
	}
	if p.Ranking == "bal" {
		p.Factor = defaults.Factor
	}
	if domainsPerType(p) == 1 {
		p.Copies = defaults.Copies
	}
	if p.Scope == "all" {
		return p
	}
	if p.Scope != "small" {
		p.SmallJobs, p.SmallSpan = defaults.SmallJobs, defaults.SmallSpan
		p.SmallLongest, p.SmallClusters = defaults.SmallLongest, defaults.SmallClusters
	}
	if p.Scope != "medium" {
		p.MediumJobs, p.MediumSpan = defaults.MediumJobs, defaults.MediumSpan
		p.MediumLongest, p.MediumClusters = defaults.MediumLongest, defaults.MediumClusters
	}
	if p.Scope != "big" {
		p.BigJobs, p.BigSpan = defaults.BigJobs, defaults.BigSpan
		p.BigLongest, p.BigClusters = defaults.BigLongest, defaults.BigClusters
	}
	return p
}

// cost is in microseconds on the machine of docs/explanation/performance.md, roughly.
func cost(p Parameters) float64 {
	sum := 0.0
	for domainType, s := range parametersOf(p) {
		if isInScope(p, domainType) {
			share := 1.0
			if p.Days > 0 {
				share = min(1, p.Days*day/float64(s.span))
			}
			sum += float64(float64(s.jobs) * share)
		}
	}
	n := float64(domainsPerType(p))
	perJob := 1.3
	switch {
	case p.Strategy == "SLOW":
		perJob = 4.5
	case p.Strategy != "REGULAR": // many jobs wait although resources fit them
		perJob = 4.5 + float64(0.6*n)
	}
	return n * sum * perJob
}
