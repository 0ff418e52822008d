// Rows of the long tables.

package brokering

import (
	"strconv"

	"gridsweep/model"
	"gridsweep/model/metrics"
)

// domainRow returns the row of a domain, from the metrics of its users' jobs, the bounded
// slowdowns of the jobs that ran there, and its utilisation in %.
func (s *system) domainRow(d int, users *measures, ran *average, used float64) DomainRow {
	row := DomainRow{
		Domain: s.domains[d].name, Jobs: users.jobs, Ran: ran.count,
		HomeOnly: metrics.Percent(users.onlyAtOrigin, users.jobs),
		Wait:     users.wait.mean(), WaitP95: users.waitP95, BSLD: users.slowdown.mean(), BSLDP95: users.slowdownP95,
		BrokerBSLD: ran.mean(), Rescheduled: users.rescheduledShare(), Utilisation: used,
	}
	if users.jobs > 0 {
		row.Exec = new(float64(users.end-users.first) / hour)
	}
	row.ConflictsCPU, row.ConflictsMemory, row.ConflictsDisk = shares(&users.tally.Conflicts)
	return row
}

// clusterRows returns the rows of a domain's clusters and of their mean, from the bounded
// slowdowns of the jobs that ran at each, and its utilisation in %.
func (s *system) clusterRows(d int, slowdowns []average, used []float64) []ClusterRow {
	var rows []ClusterRow
	var ran, usedMean, slowdown average
	for i := range used {
		row := ClusterRow{
			Domain: s.domains[d].name, Cluster: strconv.Itoa(i + 1), Ran: float64(slowdowns[i].count),
			Utilisation: used[i], BSLD: slowdowns[i].mean(),
		}
		rows = append(rows, row)
		ran.add(row.Ran)
		usedMean.add(row.Utilisation)
		if row.BSLD != nil {
			slowdown.add(*row.BSLD)
		}
	}
	return append(rows, ClusterRow{
		Domain: s.domains[d].name, Cluster: "mean", Ran: *ran.mean(), Utilisation: *usedMean.mean(), BSLD: slowdown.mean(),
	})
}

// arrivals returns how much of the workload of the first domain of each type has arrived, in steps
// of 2 % of its span.
func (s *system) arrivals() []ArrivalRow {
	var rows []ArrivalRow
	first := 1 // domains that are the first of their type: the types take turns
	if s.p.Scope == "all" {
		first = len(types)
	}
	for d := range min(len(s.domains), first) {
		source := &s.domains[d]
		jobs, arrived := int64(len(source.jobs)), int64(0)
		for passed := int64(0); passed <= 100; passed += 2 {
			for arrived < jobs && 100*source.jobs[arrived].submit <= passed*source.span {
				arrived++
			}
			rows = append(rows, ArrivalRow{Domain: source.name, Passed: passed, Arrived: metrics.Percent(arrived, jobs)})
		}
	}
	return rows
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
