// The naive simulator: ranks and scores.

package brokering

import (
	"cmp"
	"slices"
)

// rank is the rank of a resource, or of the averages of an aggregated computer, for a job.
func (n *naive) rank(j *naiveJob, clock, cpus, memory, disk float64) float64 {
	f2, f3, f4 := 1.0, 1.0, 1.0
	switch n.p.Ranking {
	case "cpu":
		f2 = n.p.Factor
	case "mem":
		f3 = n.p.Factor
	case "disk":
		f4 = n.p.Factor
	}
	var x1, x2, x3, x4 int64
	for d := range n.domains {
		if n.p.Preference == "none" && d != j.origin {
			continue
		}
		for _, c := range n.domains[d].clusters {
			x1, x2, x3, x4 = max(x1, c.clock), max(x2, int64(c.cpus)), max(x3, c.memory), max(x4, c.disk)
		}
	}
	return clock/float64(x1) + f2*cpus/float64(x2) + f3*memory/float64(x3) + f4*disk/float64(x4)
}

func (n *naive) resourceRank(j *naiveJob, d, c int) float64 {
	cpus, memory, disk := n.free(d, c)
	return n.rank(j, float64(n.domains[d].clusters[c].clock), float64(cpus), float64(memory), float64(disk))
}

// naiveScore is a broker with its score, and under lexicographic its S.
type naiveScore struct {
	broker      int
	score, slow float64
}

// ranked returns the brokers with a score for a job, the best first.
func (n *naive) ranked(j *naiveJob) []int {
	var scores []naiveScore
	for d := range n.domains {
		if n.p.Preference == "none" && d != j.origin {
			continue
		}
		ranks := n.matching(j, d)
		if len(ranks) == 0 {
			continue
		}
		priority := 1.0
		if n.p.Preference == "own" && n.p.OwnAs == "priority" && d == j.origin {
			priority = 2
		}
		s := naiveScore{broker: d}
		switch {
		case n.p.Strategy == "SLOW" && n.p.Slow == "lexicographic":
			s.slow = n.slowdown(d)
		case n.p.Strategy == "SLOW":
			priority *= 1 / n.slowdown(d)
		}
		s.score = priority * n.together(ranks)
		scores = append(scores, s)
	}
	slices.SortStableFunc(scores, func(a, b naiveScore) int {
		originFirst := func(s naiveScore) int {
			if s.broker == j.origin {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.slow, b.slow), cmp.Compare(b.score, a.score), cmp.Compare(originFirst(a), originFirst(b)))
	})
	var brokers []int
	for _, s := range scores {
		brokers = append(brokers, s.broker)
	}
	return brokers
}

// together returns the rank of a broker from those of its matching resources.
func (n *naive) together(ranks []float64) float64 {
	sum, best := 0.0, ranks[0]
	for _, rank := range ranks {
		sum, best = sum+rank, max(best, rank)
	}
	switch n.p.Rank {
	case "mean":
		return sum / float64(len(ranks))
	case "best":
		return best
	}
	return sum
}

// matching returns the ranks of the resources that match a job at a broker.
func (n *naive) matching(j *naiveJob, d int) []float64 {
	var ranks []float64
	if n.p.Strategy == "REGULAR" {
		for c := range n.domains[d].clusters {
			if n.fits(j, d, c) {
				ranks = append(ranks, n.resourceRank(j, d, c))
			}
		}
		return ranks
	}
	for _, a := range n.aggregated(d, j.platform) {
		cpus, memory, disk := a.cpus, a.memory, a.disk
		if n.p.Strategy == "SLOW" {
			cpus, memory, disk = a.allCPUs, a.allMemory, a.allDisk
		}
		if a.clock.largest >= j.clock && cpus.largest >= int64(j.cpus) && memory.largest >= j.memory &&
			disk.largest >= j.disk {
			ranks = append(ranks, n.rank(j, a.clock.average(), a.cpus.average(), a.memory.average(), a.disk.average()))
		}
	}
	return ranks
}

// slowdown returns S: the mean over the broker's resources of the mean bounded slowdown of the jobs
// that finished there.
func (n *naive) slowdown(d int) float64 {
	sum := 0.0
	for c := range n.domains[d].clusters {
		mean := naiveMeanSlowdown(naiveByEnd(n.list(func(j *naiveJob) bool {
			return j.state == "ended" && j.broker == d && j.cluster == c
		})))
		if mean == nil {
			sum++
		} else {
			sum += *mean
		}
	}
	return sum / float64(len(n.domains[d].clusters))
}
