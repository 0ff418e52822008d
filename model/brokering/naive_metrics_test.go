// The naive simulator: metrics.

package brokering

import (
	"cmp"
	"math"
	"slices"

	"gridsweep/model/rng"
)

func (j *naiveJob) wait() int64 { return j.start - j.submit }

func (j *naiveJob) boundedSlowdown() float64 {
	return max(1, float64(j.run+j.wait())/float64(max(j.run, 60)))
}

func (j *naiveJob) work() int64 { return int64(j.cpus) * j.run }

// naiveByEnd sorts jobs by their ends, equal ones stay in the order of arrival.
func naiveByEnd(list []*naiveJob) []*naiveJob {
	slices.SortStableFunc(list, func(a, b *naiveJob) int { return cmp.Compare(a.end(), b.end()) })
	return list
}

// naiveMeanOf returns the mean, nil without numbers.
func naiveMeanOf(numbers []float64) *float64 {
	if len(numbers) == 0 {
		return nil
	}
	sum := 0.0
	for _, x := range numbers {
		sum += x
	}
	mean := sum / float64(len(numbers))
	return &mean
}

func naiveDeviation(numbers []float64) float64 {
	mean, squares := *naiveMeanOf(numbers), 0.0
	for _, x := range numbers {
		squares += float64((x - mean) * (x - mean))
	}
	return math.Sqrt(squares / float64(len(numbers)))
}

// naiveP95 returns the value at position ⌈0.95 n⌉ of n sorted ones.
func naiveP95(numbers []float64) *float64 {
	if len(numbers) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(numbers))
	position := 0
	for 100*position < 95*len(sorted) {
		position++
	}
	return &sorted[position-1]
}

func naiveSlowdowns(list []*naiveJob) []float64 {
	var slowdowns []float64
	for _, j := range list {
		slowdowns = append(slowdowns, j.boundedSlowdown())
	}
	return slowdowns
}

func naiveMeanSlowdown(list []*naiveJob) *float64 { return naiveMeanOf(naiveSlowdowns(list)) }

func naiveWaits(list []*naiveJob) []float64 {
	var waits []float64
	for _, j := range list {
		waits = append(waits, float64(j.wait()))
	}
	return waits
}

// naiveExec returns the hours from the first submit to the last end.
func naiveExec(list []*naiveJob) *float64 {
	if len(list) == 0 {
		return nil
	}
	first, last := int64(math.MaxInt64), int64(0)
	for _, j := range list {
		first, last = min(first, j.submit), max(last, j.end())
	}
	hours := float64(last-first) / 3600
	return &hours
}

// naiveShare returns 100 × the share of jobs for which is returns true.
func naiveShare(list []*naiveJob, is func(*naiveJob) bool) *float64 {
	count := 0
	for _, j := range list {
		if is(j) {
			count++
		}
	}
	return naivePercent(int64(count), int64(len(list)))
}

func naivePercent(count, whole int64) *float64 {
	if whole == 0 {
		return nil
	}
	percent := 100 * float64(count) / float64(whole)
	return &percent
}

// naiveConflicts returns the number of conflicts and the shares of those by CPUs, memory and disk.
func naiveConflicts(list []*naiveJob) (all int64, cpus, memory, disk *float64) {
	var by [3]int64
	for _, j := range list {
		for platform, count := range j.conflicts {
			by[platform] += count
		}
	}
	all = by[0] + by[1] + by[2]
	return all, naivePercent(by[0], all), naivePercent(by[1], all), naivePercent(by[2], all)
}

func (n *naive) all() []*naiveJob { return n.list(func(*naiveJob) bool { return true }) }

// users returns the jobs of a domain's users.
func (n *naive) users(d int) []*naiveJob {
	return n.list(func(j *naiveJob) bool { return j.origin == d })
}

// ran returns the jobs that a domain ran.
func (n *naive) ran(d int) []*naiveJob {
	return n.list(func(j *naiveJob) bool { return j.broker == d })
}

func (n *naive) ranIn(d, c int) []*naiveJob {
	return n.list(func(j *naiveJob) bool { return j.broker == d && j.cluster == c })
}

// utilisation returns the CPU·s of jobs in % of those that so many CPUs have in a run.
func (n *naive) utilisation(list []*naiveJob, cpus int64) float64 {
	work, first, last := int64(0), int64(math.MaxInt64), int64(0)
	for _, j := range list {
		work += j.work()
	}
	for _, j := range n.jobs {
		first, last = min(first, j.submit), max(last, j.end())
	}
	return *naivePercent(work, cpus*(last-first))
}

func (n *naive) outcome() Outcome {
	jobs := n.all()
	var out Outcome
	out.Jobs = int64(len(jobs))
	out.Exec = *naiveExec(jobs)
	out.Wait, out.WaitP95 = *naiveMeanOf(naiveWaits(jobs)), *naiveP95(naiveWaits(jobs))
	out.BSLD, out.BSLDP95 = *naiveMeanSlowdown(jobs), *naiveP95(naiveSlowdowns(jobs))
	for _, j := range jobs {
		out.Attempts += j.attempts
	}
	out.Conflicts, out.ConflictsCPU, out.ConflictsMemory, out.ConflictsDisk = naiveConflicts(jobs)
	out.Rescheduled = *naiveShare(jobs, func(j *naiveJob) bool { return j.rescheduled })
	out.Forwarded = *naiveShare(jobs, func(j *naiveJob) bool { return j.broker != j.origin })
	out.ForwardingEntropy = n.entropy()
	var distances []float64
	for _, j := range jobs {
		if j.broker != j.origin {
			distances = append(distances, math.Abs(float64(j.broker-j.origin)))
		}
	}
	out.ForwardingDistance = naiveMeanOf(distances)

	var brokers, domains, clusters, slowdowns, deviations []float64
	cpus := int64(0)
	for d := range n.domains {
		row := n.domainRow(d)
		out.DomainRows = append(out.DomainRows, row)
		domains = append(domains, row.Utilisation)
		if row.BrokerBSLD != nil {
			brokers = append(brokers, *row.BrokerBSLD)
		}
		rows := n.clusterRows(d)
		out.Clusters = append(out.Clusters, rows...)
		for _, row := range rows[:len(rows)-1] {
			clusters = append(clusters, row.Utilisation)
		}
		var within []float64
		for c := range n.domains[d].clusters {
			if mean := naiveMeanSlowdown(n.ranIn(d, c)); mean != nil {
				within = append(within, *mean)
			}
		}
		slowdowns = append(slowdowns, within...)
		if len(within) > 0 {
			deviations = append(deviations, naiveDeviation(within))
		}
		out.Forwarding = append(out.Forwarding, n.forwardingRows(d)...)
		cpus += n.cpus(d)
	}
	out.BrokerBSLD, out.BrokerBSLDSD = *naiveMeanOf(brokers), naiveDeviation(brokers)
	out.ClusterBSLD, out.ClusterBSLDSD = *naiveMeanOf(slowdowns), *naiveMeanOf(deviations)
	out.Utilisation, out.UtilisationSD = *naiveMeanOf(domains), naiveDeviation(domains)
	out.ClusterUtilisation, out.ClusterUtilisationSD = *naiveMeanOf(clusters), naiveDeviation(clusters)
	out.UtilisationAll = n.utilisation(jobs, cpus)
	out.Slowdown, out.ClusterSlowdown = n.slowdownRows()
	out.Arrivals = n.arrivalRows()
	return out
}

// entropy returns how evenly forwarded jobs go to the domains.
func (n *naive) entropy() *float64 {
	forwarded := n.list(func(j *naiveJob) bool { return j.broker != j.origin })
	if len(forwarded) == 0 {
		return nil
	}
	sum := 0.0
	for d := range n.domains {
		count := 0
		for _, j := range forwarded {
			if j.broker == d {
				count++
			}
		}
		if count > 0 {
			p := float64(count) / float64(len(forwarded))
			sum += float64(p * rng.Log(p))
		}
	}
	entropy := -sum / rng.Log(float64(len(n.domains)))
	return &entropy
}

func (n *naive) cpus(d int) int64 {
	cpus := int64(0)
	for _, c := range n.domains[d].clusters {
		cpus += int64(c.cpus)
	}
	return cpus
}
