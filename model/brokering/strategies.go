// The broker selection strategies (section 4): matching of jobs, ranks of resources, and scores of
// brokers. Listing 6 calls the steps matchRequirements, computeResourceRank, computeBrokerRank and
// PRIORITIES.
//
//	           ranked resources       match a job by           priority of a broker
//	REGULAR    each cluster           what is free             1, the origin perhaps 2
//	AGGR_SIMP  by SIMPLE              maxima of what is free   the same
//	AGGR_CAT   by CATEGORIZED         maxima of what is free   the same
//	SLOW       by CATEGORIZED         maxima of totals         the same, times 1/S (slow inverse)
//
// Ranks are computed from what is free, those of aggregated computers from averages. Package
// information makes these computers with their maxima and ranks. The broker with the highest score
// chooses the resource (brokers.go: attempt, choose).
//
// To change a rule:
//
//  1. Change it here or in package information, and in the slow version with which
//     TestSimulationEqualsNaive compares schedules: naive_rank_test.go, for aggregation
//     naive_aggregate_test.go, for the queue under SLOW naive_local_test.go. Strategies share these
//     functions: a rule of one alone asks for s.information == nil (REGULAR), s.slow (SLOW) or
//     s.p.Strategy. A rank serves brokers and the choice of a resource within a domain (bestFit).
//     To rank brokers otherwise under an aggregated strategy, give another Term in openInformation.
//  2. See that it keeps the conditions below. Package retry needs no change then.
//  3. If a parameter counts under another strategy, change canonical (validate.go): the parameter
//     rank has no effect under AGGR_SIMP, which ranks one aggregated computer.
//  4. Raise Version (spec.go), and write the rule in docs/explanation/papers/brokering.md and new
//     digests: go test ./cmd/cli -run TestDigestsAreGolden/brokering -update. TestScenarios,
//     TestOutcomeByHand, TestClassSplitByAChange and TestWorseBrokersAreNotRanked may expect other
//     schedules and scores; TestMemoryOfARun bounds what a run allocates.
//
// Package retry leaves out attempts that would fail. It finds them by these conditions. If a rule
// breaks one, schedules may be wrong without an error, or jobs wait for ever and the run panics;
// TestSimulationEqualsNaive finds either.
//
// Under all strategies:
//
//   - A broker that has a resource which fits a job starts it. Which of equal scores wins
//     (candidate.precedes) is free.
//
// Under REGULAR:
//
//   - A resource matches a job exactly if it fits it now, and countedAttempt uses this. The score
//     may be any number.
//
// Under the aggregated strategies:
//
//   - A job matches an aggregated computer by its clock, CPUs, memory and disk alone. The rule is
//     AggregatedComputer.Matches for one job, and updateMatches of package retry for classes.
//   - Of two jobs that differ in disk alone, the one that needs less matches whatever the other one
//     matches. If it alone matches an aggregated computer, the disk of that computer suffices for
//     it alone: package retry splits classes at this disk (boundary).
//   - A rank is a sum of terms, one for each characteristic, and a term depends on the amount of
//     that characteristic and on the domain alone (system.term). Package information adds the terms
//     of the averages of each aggregate. A rule that multiplies characteristics needs another form
//     there (Service.compute and fill).
//   - A score is at least 0: −1 stands for no score (addCandidate; visit of package retry).
//   - A broker's rank is at most the sum (rank sum) or the highest (mean, best) of the ranks of its
//     aggregated computers, and its priority is at most originPriority. The product is the bound by
//     which brokers are skipped.
//   - Until a broker publishes other information, its score for a job depends on the ranks of the
//     aggregated computers that match, and on whether the broker is the job's origin. It does not
//     depend on the time or on other attributes of the job.
//   - Under preference equal, the score does not depend on the origin either. A rule for which it
//     does needs retry.Preferred there (simulation.go: retryPolicy).

package brokering

import (
	"gridsweep/model/brokering/information"
	"gridsweep/model/brokering/pool"
)

// originFirst reports whether a domain's own jobs come first in its queues, and not in the ranking.
func (s *system) originFirst() bool { return s.p.Preference == "own" && s.p.OwnAs == "queue" }

// setPriority sets the priority of the origin of a job, which is the highest one (section 6.1).
func (s *system) setPriority() {
	s.originPriority = 1
	if s.p.Preference == "own" && !s.originFirst() {
		s.originPriority = 2
	}
}

// openInformation makes the service in which brokers publish their resources in aggregated form
// (Listing 7).
func (s *system) openInformation() {
	c := information.Config{
		Split: splits[s.p.Split], MatchTotals: s.slow, Term: s.term, Sum: s.p.Rank == "sum", MaxPriority: s.originPriority,
	}
	if s.p.Strategy == "AGGR_SIMP" {
		c.Split = information.Whole
	}
	domains := make([][]information.Cluster, len(s.domains))
	for i := range s.resources {
		r := &s.resources[i]
		domains[r.Domain] = append(domains[r.Domain],
			information.Cluster{Platform: r.Platform, Clock: r.Clock, Total: r.total})
	}
	s.information = information.NewService(c, domains, s.platforms)
}

// splits are the values of the parameter split; paired is one of AggregationSpec alone.
var splits = map[string]information.Split{
	"own": information.Own, "each": information.Each, "paired": information.Paired, "joint": information.Joint,
}

// scale is the largest clock in MHz, CPUs, memory in MB and disk in MB of a resource, to which
// ranks are relative.
type scale [4]float64

// setScales sets the weights and scales of ranks. The scale is that of all resources, or of a
// domain's own under preference none.
func (s *system) setScales() {
	s.weights = [4]float64{1, 1, 1, 1}
	switch s.p.Ranking {
	case "cpu":
		s.weights[1] = s.p.Factor
	case "mem":
		s.weights[2] = s.p.Factor
	case "disk":
		s.weights[3] = s.p.Factor
	}
	s.scales = make([]scale, len(s.domains))
	var all scale
	for i := range s.resources {
		r := &s.resources[i]
		x := scale{float64(r.Clock), float64(r.total.CPUs), float64(r.total.Memory), float64(r.total.Disk)}
		for c := range x {
			all[c] = max(all[c], x[c])
			s.scales[r.Domain][c] = max(s.scales[r.Domain][c], x[c])
		}
	}
	if s.p.Preference != "none" {
		for d := range s.scales {
			s.scales[d] = all
		}
	}
}

// term returns what an amount of a characteristic, by its index in a scale, adds to the rank of a
// resource of a domain.
func (s *system) term(d int32, characteristic int, amount float64) float64 {
	return s.weights[characteristic] * amount / s.scales[d][characteristic]
}

// rerank computes the rank of a resource from what is free (computeResourceRank).
func (s *system) rerank(r *resource) {
	free := &r.Free
	r.Rank = s.term(r.Domain, 0, float64(r.Clock)) + s.term(r.Domain, 1, float64(free.CPUs)) +
		s.term(r.Domain, 2, float64(free.Memory)) + s.term(r.Domain, 3, float64(free.Disk))
}

// matchingRanks returns the ranks of the resources, or aggregated resources, of a broker that match
// a job (matchRequirements).
func (s *system) matchingRanks(r *pool.Requirement, d int32) (ranks pool.Ranks) {
	if s.information == nil {
		resources := s.pool.Of(r.Platform, d)
		for i := range resources {
			if m := &resources[i]; m.Fits(r) {
				ranks.Add(m.Rank)
			}
		}
		return ranks
	}
	computers := s.information.AggregatedComputers(d, r.Platform).List
	for i := range computers {
		if c := &computers[i]; c.Matches(r) {
			ranks.Add(c.Rank)
		}
	}
	return ranks
}

// brokerRank returns the rank of a broker from those of what matches a job (computeBrokerRank).
func (s *system) brokerRank(ranks *pool.Ranks) float64 {
	switch s.p.Rank {
	case "mean":
		return ranks.Sum / float64(ranks.Count)
	case "best":
		return ranks.Best
	}
	return ranks.Sum
}

// priority returns the priority of a broker for jobs of an origin.
func (s *system) priority(d, origin int32) float64 {
	priority := 1.0
	if d == origin {
		priority = s.originPriority
	}
	if s.slow && s.p.Slow == "inverse" {
		priority *= s.slowPriority(d)
	}
	return priority
}

// slowPriority returns the dynamic priority of a broker under SLOW: 1/S, at most 1.
func (s *system) slowPriority(d int32) float64 { return 1 / s.slowdowns[d] }

// score returns the score of a broker for jobs of an origin, from the ranks of what matches them.
func (s *system) score(d, origin int32, ranks *pool.Ranks) float64 {
	return float64(s.priority(d, origin) * s.brokerRank(ranks))
}

// updateSlowdown computes S of a broker, its average bounded slowdown: "the mean of the average
// bounded slowdown of its resources". A resource that has finished no job counts as 1.
func (s *system) updateSlowdown(d int32) {
	sum := 0.0
	for i := s.firstResource[d]; i < s.firstResource[d+1]; i++ {
		if done := &s.resources[i].slowdown; done.count > 0 {
			sum += done.sum / float64(done.count)
		} else {
			sum++
		}
	}
	s.slowdowns[d] = sum / float64(s.firstResource[d+1]-s.firstResource[d])
}
