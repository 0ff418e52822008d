// The naive simulator: rows of the tables.

package brokering

import (
	"slices"
	"strconv"

	"gridsweep/model"
)

func (n *naive) domainRow(d int) DomainRow {
	users, ran := n.users(d), n.ran(d)
	row := DomainRow{
		Domain: n.domains[d].name, Jobs: int64(len(users)), Ran: int64(len(ran)),
		HomeOnly: naiveShare(users, func(j *naiveJob) bool { return n.onlyOriginCouldRun(j) }),
		Exec:     naiveExec(users),
		Wait:     naiveMeanOf(naiveWaits(users)), WaitP95: naiveP95(naiveWaits(users)),
		BSLD: naiveMeanSlowdown(users), BSLDP95: naiveP95(naiveSlowdowns(users)),
		BrokerBSLD:  naiveMeanSlowdown(ran),
		Rescheduled: naiveShare(users, func(j *naiveJob) bool { return j.rescheduled }),
		Utilisation: n.utilisation(ran, n.cpus(d)),
	}
	_, row.ConflictsCPU, row.ConflictsMemory, row.ConflictsDisk = naiveConflicts(users)
	for _, j := range n.jobs {
		switch {
		case j.origin == d && j.broker != d:
			row.Sent++
		case j.origin != d && j.broker == d:
			row.Received++
		}
	}
	return row
}

func (n *naive) onlyOriginCouldRun(j *naiveJob) bool {
	for d, resources := range n.domains {
		for c := range resources.clusters {
			if d != j.origin && n.couldHold(j, d, c) {
				return false
			}
		}
	}
	return true
}

// clusterRows returns the rows of a domain's clusters and that of their mean.
func (n *naive) clusterRows(d int) []ClusterRow {
	var rows []ClusterRow
	var ran, utilisation, slowdown []float64
	for c, resource := range n.domains[d].clusters {
		list := n.ranIn(d, c)
		row := ClusterRow{
			Domain: n.domains[d].name, Cluster: strconv.Itoa(c + 1), Ran: float64(len(list)),
			Utilisation: n.utilisation(list, int64(resource.cpus)), BSLD: naiveMeanSlowdown(list),
		}
		rows = append(rows, row)
		ran, utilisation = append(ran, row.Ran), append(utilisation, row.Utilisation)
		if row.BSLD != nil {
			slowdown = append(slowdown, *row.BSLD)
		}
	}
	return append(rows, ClusterRow{
		Domain: n.domains[d].name, Cluster: "mean",
		Ran: *naiveMeanOf(ran), Utilisation: *naiveMeanOf(utilisation), BSLD: naiveMeanOf(slowdown),
	})
}

// slowdownRows returns the bounded slowdown of domains and clusters over time.
func (n *naive) slowdownRows() (domains []SlowdownRow, clusters []ClusterSlowdownRow) {
	last := int64(0)
	for _, j := range n.jobs {
		last = max(last, j.end())
	}
	until := func(list []*naiveJob, hour int64) *float64 {
		list = slices.DeleteFunc(list, func(j *naiveJob) bool { return j.end() > 3600*hour })
		return naiveMeanSlowdown(naiveByEnd(list))
	}
	for hour := n.p.Sample; 3600*hour <= last; hour += n.p.Sample {
		for d, source := range n.domains {
			domains = append(domains, SlowdownRow{hour, source.name, until(n.ran(d), hour)})
			for c := range source.clusters {
				clusters = append(clusters, ClusterSlowdownRow{hour, source.name, strconv.Itoa(c + 1), until(n.ranIn(d, c), hour)})
			}
		}
	}
	return domains, clusters
}

func (n *naive) forwardingRows(source int) []ForwardingRow {
	var rows []ForwardingRow
	for target, other := range n.domains {
		jobs := int64(len(n.list(func(j *naiveJob) bool { return j.origin == source && j.broker == target })))
		row := ForwardingRow{Source: n.domains[source].name, Target: other.name, Jobs: jobs}
		if source != target {
			row.Forwarded = &jobs
		}
		rows = append(rows, row)
	}
	return rows
}

// arrivalRows returns the share of the workload that has arrived over time, for the first domain of
// each type.
func (n *naive) arrivalRows() []ArrivalRow {
	var rows []ArrivalRow
	for d, own := range n.domains {
		if !slices.Contains(titles[:], own.name) {
			continue
		}
		for passed := int64(0); passed <= 100; passed += 2 {
			arrived := naiveShare(n.users(d), func(j *naiveJob) bool { return 100*j.submit <= passed*own.span })
			rows = append(rows, ArrivalRow{own.name, passed, arrived})
		}
	}
	return rows
}

// jobRows returns the rows of jobs in the order of arrival.
func (n *naive) jobRows() []JobRow {
	var rows []JobRow
	for _, j := range n.jobs {
		rows = append(rows, JobRow{
			Domain: n.domains[j.origin].name, Job: int64(j.number), Submit: model.Seconds(j.submit), Run: model.Seconds(j.run),
			Procs: int64(j.cpus), Memory: j.memory, Disk: j.disk, Clock: j.clock,
			Vendor: j.platform.Vendor, System: j.platform.System,
			At: n.domains[j.broker].name, Cluster: int64(j.cluster + 1), Start: model.Seconds(j.start),
			Attempts: j.attempts, Conflicts: j.conflicts[0] + j.conflicts[1] + j.conflicts[2],
		})
	}
	return rows
}
