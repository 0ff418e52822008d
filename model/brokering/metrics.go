// Metrics of a run and of its domains (section 5.3).

package brokering

import (
	"math"

	"gridsweep/model/brokering/grid"
	"gridsweep/model/metrics"
	"gridsweep/model/rng"
)

// mean returns the mean; nil if it is empty.
func (a *average) mean() *float64 { return metrics.Mean(a.sum, a.count) }

// outcome measures a run that has ended.
func (s *system) outcome(c *samples) Outcome {
	exec := s.exec()
	all, ofDomains := s.measure()
	o := Outcome{
		Jobs: all.jobs, Exec: float64(exec) / hour, Wait: all.wait.sum / float64(all.jobs), WaitP95: *all.waitP95,
		BSLD: all.slowdown.sum / float64(all.jobs), BSLDP95: *all.slowdownP95,
		Attempts: all.tally.Attempts, Rescheduled: *metrics.Percent(all.rescheduled, all.jobs),
	}
	o.Conflicts = all.tally.Conflicts.Sum()
	o.ConflictsCPU, o.ConflictsMemory, o.ConflictsDisk = shares(&all.tally.Conflicts)
	s.measureUse(&o, exec)
	s.measureForwarding(&o)
	s.measureDomains(&o, ofDomains, exec)
	o.Slowdown, o.ClusterSlowdown = c.slowdown, c.clusters
	o.Arrivals = s.arrivals()
	o.JobRows = s.jobRows
	return o
}

// exec returns the workload execution time in s: from the first submit to the last end.
func (s *system) exec() int64 { return s.last - s.job(&s.requests[0]).submit }

// measures are the metrics of some jobs.
type measures struct {
	jobs, rescheduled    int64
	wait, slowdown       average
	waitP95, slowdownP95 *float64
	homeOnly             int64
	tally                grid.Tally
	end, first           int64 // s
}

// measure measures all jobs and those of each domain's users.
func (s *system) measure() (all measures, domains []measures) {
	domains = make([]measures, len(s.domains))
	for i := range s.requests {
		r := &s.requests[i]
		j, tally, required := s.job(r), &s.tallies[i], s.requirement(r)
		all.add(j, r, tally)
		domains[r.origin].add(j, r, tally)
		if s.isHomeOnly(&required) {
			domains[r.origin].homeOnly++
		}
	}
	values := make([]float64, len(s.requests))
	waits, waitP95 := s.percentiles(waitOf, values)
	slowdowns, slowdownP95 := s.percentiles(slowdownOf, values)
	all.waitP95, all.slowdownP95 = waitP95, slowdownP95
	for d := range domains {
		domains[d].waitP95, domains[d].slowdownP95 = waits[d], slowdowns[d]
	}
	return all, domains
}

// isHomeOnly reports whether no other domain has a resource that could run a job.
func (s *system) isHomeOnly(r *grid.Requirement) bool {
	for d := range int32(len(s.domains)) {
		if d != r.Origin && s.keeps(r, d) {
			return false
		}
	}
	return true
}

// add adds a job. Jobs are added in the order of arrival.
func (m *measures) add(j *job, r *request, tally *grid.Tally) {
	if m.jobs == 0 {
		m.first = j.submit
	}
	m.jobs++
	if tally.Rescheduled {
		m.rescheduled++
	}
	m.wait.add(waitOf(j, r))
	m.slowdown.add(slowdownOf(j, r))
	m.tally.Include(tally)
	m.end = max(m.end, r.start+j.run)
}

// percentiles returns the 95th percentiles of a value of the jobs of each domain's users, and of
// all jobs. It uses values, which has room for one of each job.
func (s *system) percentiles(value func(*job, *request) float64, values []float64) (domains []*float64, all *float64) {
	first := make([]int, len(s.domains)+1)
	for d := range s.domains {
		first[d+1] = first[d] + len(s.domains[d].jobs)
	}
	for i := range s.requests {
		r := &s.requests[i]
		values[first[r.origin]+int(r.index)] = value(s.job(r), r)
	}
	domains = make([]*float64, len(s.domains))
	for d := range domains {
		domains[d] = percentile95(values[first[d]:first[d+1]])
	}
	return domains, percentile95(values)
}

// percentile95 returns the 95th percentile of values; nil if there are none.
func percentile95(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	p95 := metrics.P95Of(values)
	return &p95
}

// shares returns the share of each conflict, in %; nil without conflicts.
func shares(c *grid.Counts) (cpus, memory, disk *float64) {
	share := func(of grid.Conflict) *float64 { return metrics.Percent(c[of], c.Sum()) }
	return share(grid.LacksCPUs), share(grid.LacksMemory), share(grid.LacksDisk)
}

// measureUse measures the utilisation of domains and clusters.
func (s *system) measureUse(o *Outcome, exec int64) {
	var ofDomains, ofClusters []float64
	worked, cpus := int64(0), int64(0)
	for d := range s.domains {
		w, c := s.work(int32(d))
		worked, cpus = worked+w, cpus+c
		ofDomains = append(ofDomains, utilisation(w, c, exec))
	}
	for i := range s.resources {
		ofClusters = append(ofClusters, utilisation(s.resources[i].worked, s.resources[i].total.CPUs, exec))
	}
	o.Utilisation, o.UtilisationSD = deviation(ofDomains)
	o.ClusterUtilisation, o.ClusterUtilisationSD = deviation(ofClusters)
	o.UtilisationAll = utilisation(worked, cpus, exec)
}

// work returns the CPU·s that jobs ran at a domain, and its CPUs.
func (s *system) work(d int32) (worked, cpus int64) {
	for i := s.first[d]; i < s.first[d+1]; i++ {
		worked, cpus = worked+s.resources[i].worked, cpus+s.resources[i].total.CPUs
	}
	return worked, cpus
}

// utilisation returns the utilisation of CPUs that worked so many CPU·s, in %.
func utilisation(worked, cpus, exec int64) float64 {
	return 100 * float64(worked) / (float64(cpus) * float64(exec))
}

// deviation returns the mean and the standard deviation of a population, divided by n.
func deviation(values []float64) (mean, sd float64) {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	mean = sum / float64(len(values))
	squares := 0.0
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(squares / float64(len(values)))
}

// measureForwarding measures how many jobs of each domain each other one ran (Figures 6, 12, 13).
func (s *system) measureForwarding(o *Outcome) {
	n := len(s.domains)
	jobs, received := make([]int64, n*n), make([]int64, n)
	forwarded, distance := int64(0), int64(0)
	for i := range s.requests {
		r := &s.requests[i]
		source, target := int(r.origin), int(s.resources[r.resource].Domain)
		jobs[source*n+target]++
		if source != target {
			forwarded++
			received[target]++
			distance += int64(max(source-target, target-source))
		}
	}
	o.Forwarded = *metrics.Percent(forwarded, int64(len(s.requests)))
	o.ForwardingDistance = metrics.Mean(float64(distance), forwarded)
	if forwarded > 0 { // so there are two domains
		entropy := 0.0
		for _, count := range received {
			if count > 0 {
				share := float64(count) / float64(forwarded)
				entropy -= float64(share * rng.Log(share))
			}
		}
		entropy /= rng.Log(float64(n))
		o.ForwardingEntropy = &entropy
	}
	for i, count := range jobs {
		row := ForwardingRow{Source: s.domains[i/n].name, Target: s.domains[i%n].name, Jobs: count}
		if i/n != i%n {
			row.Forwarded = &count
		}
		o.Forwarding = append(o.Forwarding, row)
	}
}
