// Random workloads and configurations for the comparisons and invariants of this package.

package cluster_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model/cluster"
	"gridsweep/model/cluster/conformance"
)

// Random scenarios for the comparison of the scheduler with the reference: configurations,
// workloads, reservations and partitions.

var (
	policies = []string{"fcfs", "easy", "easy:2", "easy:3", "easy:all", "conservative", "conservative:fixed", "sjbf",
		"easy++", "easy++:estimate", "lookahead", "lookahead:3", "selective", "selective:1.5", "slack:0", "slack:0.5",
		"multifactor", "multifactor:1:2:3:20:10:4", "queues:4:any:any+any:2:2+any:any:any",
	}
	orders = []string{
		"", "shortest", "longest", "smallest", "largest", "smallest-area", "largest-area", "priority", "wfp3", "unicef",
	}
	instants   = []string{"", "each"}
	overruns   = []string{"", "run", "raise"}
	pivots     = []string{"", "kept"}
	placements = []string{"", "fixed"}
)

// forEachRule runs a subtest for each policy, instant and overrun.
func forEachRule(t *testing.T, test func(*testing.T, conformance.Configuration)) {
	for _, policy := range policies {
		for _, instant := range instants {
			for _, overrun := range overruns {
				if overrun == "run" && isGuaranteeing(policy) {
					continue
				}
				words := conformance.Configuration{Policy: policy, Instant: instant, Overrun: overrun}
				t.Run(words.String(), func(t *testing.T) { test(t, words) })
			}
		}
	}
}

// drawRest draws the rest of a configuration: order, pivots, placement and partitions.
func drawRest(t *rapid.T, s *conformance.Scenario, words conformance.Configuration) conformance.Configuration {
	if words.Order = drawOrder(t); isMultifactor(words.Policy) {
		words.Order = ""
	}
	if isSimple(words.Policy) {
		return words
	}
	words.Pivot = rapid.SampledFrom(pivots).Draw(t, "pivot")
	if words.Overrun != "run" { // which is an error under fixed
		words.Placement = rapid.SampledFrom(placements).Draw(t, "placement")
	}
	words.Partitions = rapid.SampledFrom([][]int64{nil, nil, {3}, {2, 5}, {10}, {5, 10, 20}}).Draw(t, "partitions")
	if len(words.Partitions) >= int(s.Procs) { // each has at least a processor
		words.Partitions = nil
	}
	return words
}

// drawOrder draws an order of up to three keys, mostly of one. Arrival leaves no ties for a key
// behind it.
func drawOrder(t *rapid.T) string {
	order := rapid.SampledFrom(orders).Draw(t, "order")
	for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "further keys") {
		if order != "" {
			order += "," + rapid.SampledFrom(orders[1:]).Draw(t, "further key")
		}
	}
	return order
}

// isSimple reports whether the policy has one partition, counts processors, and keeps no pivot.
func isSimple(policy string) bool {
	return policy == "sjbf" || isUnreserved(policy) || isGuaranteeing(policy) || isMultifactor(policy) ||
		isQueues(policy)
}

// countsSeconds reports whether the policy rounds to seconds or has times of its own.
func countsSeconds(policy string) bool {
	return isPredicting(policy) || isQueues(policy) || isMultifactor(policy) ||
		policy == "selective" || policy == "slack:0.5"
}

// isMultifactor reports whether the policy has an order of its own.
func isMultifactor(policy string) bool { return strings.HasPrefix(policy, "multifactor") }

func isQueues(policy string) bool { return strings.HasPrefix(policy, "queues") }

// isGuaranteeing reports whether the policy keeps bookings, which jobs that run on cannot honour.
func isGuaranteeing(policy string) bool {
	return strings.HasPrefix(policy, "selective") || strings.HasPrefix(policy, "slack")
}

// isUnreserved reports whether the policy is also without reservations.
func isUnreserved(policy string) bool {
	return isPredicting(policy) || strings.HasPrefix(policy, "lookahead")
}

// isPredicting reports whether the policy plans with predictions.
func isPredicting(policy string) bool { return strings.HasPrefix(policy, "easy++") }

// drawExact draws a scenario with exact estimates. It has the same schedule under all overruns.
func drawExact(t *rapid.T) *conformance.Scenario {
	s := drawScenario(t)
	for i := range s.Jobs {
		s.Jobs[i].Estimate = s.Jobs[i].Run
	}
	return s
}

// drawScenario draws a small workload full of coincidences: equal seconds, estimates equal to,
// below and above the run time, jobs of the whole machine and of one processor.
func drawScenario(t *rapid.T) *conformance.Scenario {
	s := &conformance.Scenario{
		Name: "drawn", Text: []string{"Found by a random test"},
		Procs: rapid.SampledFrom([]int32{1, 2, 3, 4, 4, 5, 8, 16}).Draw(t, "machine"),
	}
	most := rapid.SampledFrom([]int64{2, 5, 10, 100}).Draw(t, "longest")
	seconds := rapid.OneOf(rapid.Int64Range(1, min(3, most)), rapid.Int64Range(1, most))
	procs := rapid.OneOf(rapid.Int32Range(1, s.Procs), rapid.SampledFrom([]int32{1, s.Procs, (s.Procs + 1) / 2}))
	gaps := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 3), rapid.Int64Range(0, most))
	submit := int64(0)
	draw := rapid.Custom(func(t *rapid.T) cluster.Job {
		j := cluster.Job{
			Submit: gaps.Draw(t, "gap"), Run: seconds.Draw(t, "run"), Procs: procs.Draw(t, "procs"),
			Priority: rapid.Int32Range(-1, 1).Draw(t, "priority"), User: rapid.Int32Range(-1, 1).Draw(t, "user"),
		}
		switch rapid.IntRange(0, 5).Draw(t, "case of estimates") {
		case 0, 1:
			j.Estimate = j.Run
		case 2:
			j.Estimate = 0
		case 3, 4:
			j.Estimate = j.Run + seconds.Draw(t, "over")
		case 5:
			j.Estimate = rapid.Int64Range(1, j.Run).Draw(t, "under")
		}
		return j
	})
	few, some, many := rapid.SliceOfN(draw, 1, 12), rapid.SliceOfN(draw, 8, 25), rapid.SliceOfN(draw, 20, 40)
	s.Jobs = rapid.OneOf(few, some, many).Draw(t, "jobs")
	for i := range s.Jobs {
		submit += s.Jobs[i].Submit
		s.Jobs[i].Submit = submit
	}
	return s
}

// reserve draws reservations that fit the machine, where a schedule can honour them. They may still
// not fit its partitions.
func reserve(t *rapid.T, s *conformance.Scenario, words conformance.Configuration) {
	if words.Overrun == "run" || isUnreserved(words.Policy) {
		return
	}
	free := map[int64]int32{} // less than the machine
	from := int64(0)
	for range rapid.SampledFrom([]int{0, 0, 1, 3, 6}).Draw(t, "reservations") {
		from = max(0, from+rapid.Int64Range(-3, 10).Draw(t, "after"))
		to := from + rapid.Int64Range(1, 10).Draw(t, "length")
		least := s.Procs
		for second := from; second < to; second++ {
			least = min(least, s.Procs+free[second])
		}
		if least < 1 {
			continue
		}
		procs := rapid.Int32Range(1, least).Draw(t, "reserved")
		for second := from; second < to; second++ {
			free[second] -= procs
		}
		s.Reservations = append(s.Reservations, cluster.Reservation{From: from, To: to, Procs: procs})
		from = to
	}
}

// referTo runs the reference; rapid discards a draw whose reservations do not fit the partitions.
func referTo(t *rapid.T, s *conformance.Scenario, words conformance.Configuration) *reference {
	r, err := refer(s.Procs, s.Reservations, s.Jobs, words)
	if err != nil {
		t.Skip(err)
	}
	return r
}

// show returns a scenario with a schedule as a conformance file.
func show(s *conformance.Scenario, words conformance.Configuration, schedule cluster.Schedule) string {
	shown := *s
	shown.Blocks = []conformance.Block{{Configurations: []conformance.Configuration{words}, Schedule: schedule}}
	return formatted(&shown)
}
