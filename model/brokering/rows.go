// Rows of the long tables.

package brokering

import (
	"strconv"

	"gridsweep/model"
	"gridsweep/model/metrics"
)

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
	var ofClusters, within average
	for d := range s.domains {
		o.DomainRows = append(o.DomainRows, s.domainRow(int32(d), &users[d], &ran[d], exec))
		o.Clusters = append(o.Clusters, s.clusterRows(int32(d), clusters, exec)...)
		own := means(clusters[s.first[d]:s.first[d+1]])
		for _, mean := range own {
			ofClusters.add(mean)
		}
		if len(own) > 0 {
			_, sd := deviation(own)
			within.add(sd)
		}
	}
	o.BrokerBSLD, o.BrokerBSLDSD = deviation(means(ran))
	o.ClusterBSLD, o.ClusterBSLDSD = *ofClusters.mean(), *within.mean()
	for i := range o.Forwarding {
		if f := &o.Forwarding[i]; f.Forwarded != nil {
			n := len(s.domains)
			o.DomainRows[i/n].Sent += f.Jobs
			o.DomainRows[i%n].Received += f.Jobs
		}
	}
}

// means returns the means of the averages that are not empty.
func means(of []average) []float64 {
	var found []float64
	for i := range of {
		if mean := of[i].mean(); mean != nil {
			found = append(found, *mean)
		}
	}
	return found
}

// domainRow measures a domain by its users' jobs and by the bounded slowdowns of the jobs that ran
// there.
func (s *system) domainRow(d int32, m *measures, ran *average, exec int64) DomainRow {
	worked, cpus := s.work(d)
	row := DomainRow{
		Domain: s.domains[d].name, Jobs: m.jobs, Ran: ran.count,
		HomeOnly: metrics.Percent(m.homeOnly, m.jobs), Exec: metrics.Mean(float64(m.end-m.first)/hour, min(m.jobs, 1)),
		Wait: m.wait.mean(), WaitP95: m.waitP95, BSLD: m.slowdown.mean(), BSLDP95: m.slowdownP95, BrokerBSLD: ran.mean(),
		Rescheduled: metrics.Percent(m.rescheduled, m.jobs), Utilisation: utilisation(worked, cpus, exec),
	}
	row.ConflictsCPU, row.ConflictsMemory, row.ConflictsDisk = shares(&m.tally.Conflicts)
	return row
}

// clusterRows measures the clusters of a domain, and their mean.
func (s *system) clusterRows(d int32, slowdowns []average, exec int64) []ClusterRow {
	var rows []ClusterRow
	var ran, used, slowdown average
	for i := s.first[d]; i < s.first[d+1]; i++ {
		m := &s.resources[i]
		row := ClusterRow{
			Domain: s.domains[d].name, Cluster: strconv.Itoa(int(m.inDomain) + 1), Ran: float64(m.ran),
			Utilisation: utilisation(m.worked, m.total.CPUs, exec), BSLD: slowdowns[i].mean(),
		}
		rows = append(rows, row)
		ran.add(row.Ran)
		used.add(row.Utilisation)
		if row.BSLD != nil {
			slowdown.add(*row.BSLD)
		}
	}
	return append(rows, ClusterRow{
		Domain: s.domains[d].name, Cluster: "mean", Ran: *ran.mean(), Utilisation: *used.mean(), BSLD: slowdown.mean(),
	})
}

// arrivals returns how much of the workload of the first domain of each type has arrived, in steps
// of 2 % of its span.
func (s *system) arrivals() []ArrivalRow {
	var rows []ArrivalRow
	for d := range min(len(s.domains), s.types()) {
		of := &s.domains[d]
		arrived := int64(0)
		for part := int64(0); part <= 100; part += 2 {
			for arrived < int64(len(of.jobs)) && 100*of.jobs[arrived].submit <= part*of.span {
				arrived++
			}
			rows = append(rows, ArrivalRow{Domain: of.name, Part: part, Arrived: metrics.Percent(arrived, int64(len(of.jobs)))})
		}
	}
	return rows
}

// types returns how many types of domains take part.
func (s *system) types() int {
	if s.p.Scope == "all" {
		return len(titles)
	}
	return 1
}

// jobRows yields the jobs in the order of arrival.
func (s *system) jobRows(yield func(JobRow) bool) {
	for i := range s.requests {
		r := &s.requests[i]
		j, tally, at := s.job(r), &s.tallies[i], &s.resources[r.resource]
		row := JobRow{
			Domain: s.domains[r.origin].name, Job: int64(r.index) + 1,
			Submit: model.Seconds(j.submit), Run: model.Seconds(j.run),
			Procs: int64(j.cpus), Memory: j.memory, Disk: j.disk, Clock: j.clock,
			Vendor: s.platforms[r.platform].Vendor, System: s.platforms[r.platform].System,
			At: s.domains[at.Domain].name, Cluster: int64(at.inDomain) + 1, Start: model.Seconds(r.start),
			Attempts: tally.Attempts, Conflicts: tally.Conflicts.Sum(),
		}
		if !yield(row) {
			return
		}
	}
}
