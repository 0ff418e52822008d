// Metrics of a run (section 5.3).

package brokering

import (
	"math"

	"gridsweep/model/brokering/pool"
	"gridsweep/model/metrics"
	"gridsweep/model/rng"
)

// outcome measures a run that has ended.
func (s *simulation) outcome() Outcome {
	exec := s.lastEnd - s.job(&s.requests[0]).submit // s, the workload execution time
	all, users := s.measure()
	o := Outcome{
		Jobs: all.jobs, Exec: float64(exec) / hour, Wait: *all.wait.mean(), WaitP95: *all.waitP95,
		BSLD: *all.slowdown.mean(), BSLDP95: *all.slowdownP95,
		Attempts: all.tally.Attempts, Conflicts: all.tally.Conflicts.Sum(), Rescheduled: *all.rescheduledShare(),
		Slowdown: s.samples.slowdown, ClusterSlowdown: s.samples.clusters, Arrivals: s.arrivals(), JobRows: s.jobRows,
	}
	o.ConflictsCPU, o.ConflictsMemory, o.ConflictsDisk = shares(&all.tally.Conflicts)
	s.measureForwarding(&o)
	s.measureDomains(&o, users, exec)
	return o
}

// measures are the metrics of some jobs.
type measures struct {
	jobs, rescheduled    int64
	wait, slowdown       average
	waitP95, slowdownP95 *float64 // nil without jobs
	onlyAtOrigin         int64    // jobs that no other domain could run
	tally                pool.Tally
	first, end           int64 // s, the first submit and the last end
}

// measure measures all jobs, and the jobs of each domain's users.
func (s *system) measure() (all measures, users []measures) {
	users = make([]measures, len(s.domains))
	for i := range s.requests {
		r := &s.requests[i]
		j, tally, required := s.job(r), &s.tallies[i], s.requirement(r)
		all.add(j, r, tally)
		users[r.origin].add(j, r, tally)
		if s.onlyOriginCouldRun(&required) {
			users[r.origin].onlyAtOrigin++
		}
	}
	waits, waitP95 := s.percentiles(waitOf)
	slowdowns, slowdownP95 := s.percentiles(slowdownOf)
	all.waitP95, all.slowdownP95 = waitP95, slowdownP95
	for d := range users {
		users[d].waitP95, users[d].slowdownP95 = waits[d], slowdowns[d]
	}
	return all, users
}

// onlyOriginCouldRun reports whether no other domain has a resource that could run a job.
func (s *system) onlyOriginCouldRun(r *pool.Requirement) bool {
	for d := range int32(len(s.domains)) {
		if d != r.Origin && s.couldRun(r, d) {
			return false
		}
	}
	return true
}

// add adds a job. Jobs are added in the order of arrival.
func (m *measures) add(j *job, r *request, tally *pool.Tally) {
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

// rescheduledShare returns the share of re-scheduled jobs, in %; nil without jobs.
func (m *measures) rescheduledShare() *float64 { return metrics.Percent(m.rescheduled, m.jobs) }

// percentiles returns the 95th percentiles of a value of the jobs of each domain's users, and of
// all jobs.
func (s *system) percentiles(value func(*job, *request) float64) (users []*float64, all *float64) {
	values := make([]float64, len(s.requests))
	own, rest := make([][]float64, len(s.domains)), values // own has the values by domain
	for d := range own {
		n := len(s.domains[d].jobs)
		own[d], rest = rest[:n], rest[n:]
	}
	for i := range s.requests {
		r := &s.requests[i]
		own[r.origin][r.index] = value(s.job(r), r)
	}
	for d := range own {
		users = append(users, percentile95(own[d]))
	}
	return users, percentile95(values)
}

// percentile95 returns the 95th percentile of values; nil if there are none.
func percentile95(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	return new(metrics.P95Of(values))
}

// shares returns the share of each conflict, in %; nil without conflicts.
func shares(c *pool.Counts) (cpus, memory, disk *float64) {
	share := func(conflict pool.Conflict) *float64 { return metrics.Percent(c[conflict], c.Sum()) }
	return share(pool.LacksCPUs), share(pool.LacksMemory), share(pool.LacksDisk)
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
		o.ForwardingEntropy = new(entropy / rng.Log(float64(n)))
	}
	for i, count := range jobs {
		row := ForwardingRow{Source: s.domains[i/n].name, Target: s.domains[i%n].name, Jobs: count}
		if i/n != i%n {
			row.Forwarded = &count
		}
		o.Forwarding = append(o.Forwarding, row)
	}
}

// measureDomains measures the domains, by their users' jobs and by the jobs that ran there, and
// their clusters.
func (s *system) measureDomains(o *Outcome, users []measures, exec int64) {
	ran := make([]average, len(s.domains)) // bounded slowdowns
	clusters := make([]average, len(s.resources))
	for i := range s.requests {
		r := &s.requests[i]
		slowdown := slowdownOf(s.job(r), r)
		clusters[r.resource].add(slowdown)
		ran[s.resources[r.resource].Domain].add(slowdown)
	}
	var slowdowns, deviations average // of clusters; of the standard deviation in each domain
	var used, clustersUsed []float64  // %
	worked, cpus := int64(0), int64(0)
	for d := range s.domains {
		from, to := s.firstResource[d], s.firstResource[d+1]
		w, c := s.work(from, to)
		worked, cpus = worked+w, cpus+c
		used = append(used, utilisation(w, c, exec))
		for i := from; i < to; i++ {
			w, c := s.work(i, i+1)
			clustersUsed = append(clustersUsed, utilisation(w, c, exec))
		}
		o.DomainRows = append(o.DomainRows, s.domainRow(d, &users[d], &ran[d], used[d]))
		o.Clusters = append(o.Clusters, s.clusterRows(d, clusters[from:to], clustersUsed[from:to])...)
		own := means(clusters[from:to])
		for _, mean := range own {
			slowdowns.add(mean)
		}
		if len(own) > 0 {
			_, sd := deviation(own)
			deviations.add(sd)
		}
	}
	o.BrokerBSLD, o.BrokerBSLDSD = deviation(means(ran))
	o.ClusterBSLD, o.ClusterBSLDSD = *slowdowns.mean(), *deviations.mean()
	o.Utilisation, o.UtilisationSD = deviation(used)
	o.ClusterUtilisation, o.ClusterUtilisationSD = deviation(clustersUsed)
	o.UtilisationAll = utilisation(worked, cpus, exec)
	for i := range o.Forwarding {
		if f := &o.Forwarding[i]; f.Forwarded != nil {
			n := len(s.domains)
			o.DomainRows[i/n].Sent += f.Jobs
			o.DomainRows[i%n].Received += f.Jobs
		}
	}
}

// work returns the CPU·s that jobs ran at the resources [from, to), and the CPUs of these.
func (s *system) work(from, to int32) (worked, cpus int64) {
	for _, r := range s.resources[from:to] {
		worked, cpus = worked+r.worked, cpus+r.total.CPUs
	}
	return worked, cpus
}

// utilisation returns the utilisation of CPUs that worked so many CPU·s, in %.
func utilisation(worked, cpus, exec int64) float64 {
	return 100 * float64(worked) / (float64(cpus) * float64(exec))
}

// means returns the means of the averages that are not empty.
func means(averages []average) []float64 {
	var found []float64
	for i := range averages {
		if mean := averages[i].mean(); mean != nil {
			found = append(found, *mean)
		}
	}
	return found
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
