// Schedules of engine and reference are checked against the rules that hold under every policy, or
// under some.

package cluster_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model/cluster"
	"gridsweep/model/cluster/conformance"
)

// check returns an error for a schedule that breaks a rule which holds under every policy: each job
// starts once, not before its submit, runs as long as it may, and no second has more processors
// taken than the machine has.
func check(s *conformance.Scenario, words conformance.Configuration, schedule cluster.Schedule) error {
	if len(schedule.Start) != len(s.Jobs) || len(schedule.End) != len(s.Jobs) {
		return fmt.Errorf("%d starts and %d ends of %d jobs", len(schedule.Start), len(schedule.End), len(s.Jobs))
	}
	type change struct{ second, procs int64 }
	var changes []change
	for i, j := range s.Jobs {
		run := j.Run
		if words.Overrun == "" && j.Estimate > 0 {
			run = min(run, j.Estimate)
		}
		start, end := schedule.Start[i], schedule.End[i]
		if start < j.Submit || end != start+run {
			return fmt.Errorf("job %d, submitted at %d to run %d s, runs in [%d, %d)", i+1, j.Submit, run, start, end)
		}
		changes = append(changes, change{start, int64(j.Procs)}, change{end, -int64(j.Procs)})
	}
	for _, r := range s.Reservations {
		changes = append(changes, change{r.From, int64(r.Procs)}, change{r.To, -int64(r.Procs)})
	}
	slices.SortFunc(changes, func(a, b change) int { // what is freed at a second first
		if a.second != b.second {
			return int(a.second - b.second)
		}
		return int(a.procs - b.procs)
	})
	taken := int64(0)
	for _, c := range changes {
		if taken += c.procs; taken > int64(s.Procs) {
			return fmt.Errorf("%d processors are taken at %d, of %d", taken, c.second, s.Procs)
		}
	}
	return nil
}

// checkOrder returns an error for a schedule of fcfs in the order of arrival that does not keep to
// it.
func checkOrder(schedule cluster.Schedule) error {
	for i := 1; i < len(schedule.Start); i++ {
		if schedule.Start[i] < schedule.Start[i-1] {
			return fmt.Errorf("job %d starts at %d, before job %d at %d", i+1, schedule.Start[i], i, schedule.Start[i-1])
		}
	}
	return nil
}

// A scheduler runs a scenario; the properties hold for both.
type scheduler struct {
	name string
	run  func(rapid.TB, *conformance.Scenario, conformance.Configuration) cluster.Schedule
}

var schedulers = []scheduler{
	{"reference", func(t rapid.TB, s *conformance.Scenario, words conformance.Configuration) cluster.Schedule {
		return referTo(t.(*rapid.T), s, words).schedule()
	}},
	{"engine", func(t rapid.TB, s *conformance.Scenario, words conformance.Configuration) cluster.Schedule {
		referTo(t.(*rapid.T), s, words) // discards reservations that do not fit the partitions
		return simulate(t, s, words)
	}},
}

func forEachScheduler(t *testing.T, test func(*rapid.T, scheduler)) {
	for _, scheduler := range schedulers {
		t.Run(scheduler.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { test(t, scheduler) })
		})
	}
}

// drawWords draws a whole configuration.
func drawWords(t *rapid.T, s *conformance.Scenario) conformance.Configuration {
	words := conformance.Configuration{
		Policy:  rapid.SampledFrom(policies).Draw(t, "policy"),
		Instant: rapid.SampledFrom(instants).Draw(t, "instant"),
		Overrun: rapid.SampledFrom(overruns).Draw(t, "overrun"),
	}
	if words.Overrun == "run" && isGuaranteeing(words.Policy) {
		words.Overrun = ""
	}
	return drawRest(t, s, words)
}

func TestInvariants(t *testing.T) {
	forEachScheduler(t, func(t *rapid.T, scheduler scheduler) {
		s := drawScenario(t)
		words := drawWords(t, s)
		if words.Partitions == nil {
			reserve(t, s, words)
		}
		schedule := scheduler.run(t, s, words)
		if err := check(s, words, schedule); err != nil {
			t.Fatalf("%v\n%s", err, show(s, words, schedule))
		}
		if words.Policy == "fcfs" && words.Order == "" {
			if err := checkOrder(schedule); err != nil {
				t.Fatalf("%v\n%s", err, show(s, words, schedule))
			}
		}
	})
}

// Without overruns a conservative job starts no later than it was booked for first.
func TestConservativeKeepsItsPromise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		words := drawWords(t, s)
		words.Policy = rapid.SampledFrom([]string{"conservative", "conservative:fixed"}).Draw(t, "which")
		if words.Overrun == "run" {
			words.Overrun = "raise"
		}
		reserve(t, s, words)
		r := referTo(t, s, words)
		for _, j := range r.jobs {
			if j.start > j.first || words.Policy == "conservative:fixed" && j.start != j.first {
				t.Fatalf("job %d was booked for %d\n%s", j.number+1, j.first, show(s, words, r.schedule()))
			}
		}
	})
}

// A job that has a guarantee starts at its booking or before.
func TestGuaranteesAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		words := conformance.Configuration{
			Policy:  rapid.SampledFrom([]string{"selective", "selective:1.5", "slack:0", "slack:0.5"}).Draw(t, "policy"),
			Instant: rapid.SampledFrom(instants).Draw(t, "instant"),
			Order:   drawOrder(t),
		}
		reserve(t, s, words)
		r := referTo(t, s, words)
		for i, start := range simulate(t, s, words).Start {
			if first := r.jobs[i].first; first >= 0 && start > first {
				t.Fatalf("job %d was booked for %d\n%s", i+1, first, show(s, words, r.schedule()))
			}
		}
	})
}

// Without overruns EASY never moves the pivot, the head of the queue, to a later second.
func TestEASYNeverDelaysThePivot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		words := drawWords(t, s)
		words.Policy = rapid.SampledFrom([]string{"easy", "easy:2", "easy:all", "sjbf", "lookahead"}).Draw(t, "which")
		words.Order, words.Pivot, words.Partitions = "", "", nil
		if isSimple(words.Policy) {
			words.Placement = ""
		}
		if words.Overrun == "run" {
			words.Overrun = "raise"
		}
		reserve(t, s, words)
		r := referTo(t, s, words)
		for i := 1; i < len(r.pivots); i++ {
			if before, now := r.pivots[i-1], r.pivots[i]; now.job == before.job && now.at > before.at {
				t.Fatalf("job %d moves from %d to %d\n%s", now.job+1, before.at, now.at, show(s, words, r.schedule()))
			}
		}
	})
}

// compare requires equal schedules of one scenario.
func compare(t *rapid.T, s *conformance.Scenario, want, have cluster.Schedule, a, b conformance.Configuration) {
	if diff := cmp.Diff(want, have); diff != "" {
		t.Fatalf("%s (-) and %s (+) differ:\n%s\n%s", a, b, diff, show(s, a, want))
	}
}

// With exact estimates and the order arrival nothing is ever planned otherwise, in whatever way it
// is planned.
func TestExactEstimatesMakePoliciesEqual(t *testing.T) {
	for _, equal := range [][]conformance.Configuration{
		{{Policy: "easy:all"}, {Policy: "conservative"}, {Policy: "conservative:fixed"}, {Policy: "easy:all", Pivot: "kept"}},
		{{Policy: "easy"}, {Policy: "easy", Pivot: "kept"}},
		{{Policy: "easy:3"}, {Policy: "easy:3", Pivot: "kept"}},
	} {
		t.Run(equal[0].String(), func(t *testing.T) {
			forEachScheduler(t, func(t *rapid.T, scheduler scheduler) {
				s := drawExact(t)
				reserve(t, s, equal[0])
				instant := rapid.SampledFrom(instants).Draw(t, "instant")
				placement := rapid.SampledFrom(placements).Draw(t, "placement")
				var first cluster.Schedule
				for i, words := range equal {
					words.Instant, words.Placement = instant, placement
					schedule := scheduler.run(t, s, words)
					if i == 0 {
						first = schedule
					}
					compare(t, s, first, schedule, equal[0], words)
				}
			})
		})
	}
}

// With exact estimates nothing runs over.
func TestExactEstimatesMakeOverrunsEqual(t *testing.T) {
	forEachScheduler(t, func(t *rapid.T, scheduler scheduler) {
		s := drawExact(t)
		words := drawWords(t, s)
		words.Overrun = ""
		raised := words
		raised.Overrun = "raise"
		compare(t, s, scheduler.run(t, s, words), scheduler.run(t, s, raised), words, raised)
	})
}

func TestScalingTimesScalesSchedules(t *testing.T) {
	forEachScheduler(t, func(t *rapid.T, scheduler scheduler) {
		s := drawScenario(t)
		words := drawWords(t, s)
		if words.Overrun == "run" { // plans an overrun to end in one second, whatever the unit
			words.Overrun = ""
		}
		if countsSeconds(words.Policy) {
			words.Policy = "sjbf"
		}
		reserve(t, s, words)
		want := scheduler.run(t, s, words)
		const factor = 3
		scaled, scaledWords := *s, words
		scaled.Jobs, scaled.Reservations = slices.Clone(s.Jobs), slices.Clone(s.Reservations)
		scaledWords.Partitions = slices.Clone(words.Partitions)
		for i := range scaled.Jobs {
			j := &scaled.Jobs[i]
			j.Submit, j.Run, j.Estimate = factor*j.Submit, factor*j.Run, factor*j.Estimate
		}
		for i := range scaled.Reservations {
			r := &scaled.Reservations[i]
			r.From, r.To = factor*r.From, factor*r.To
		}
		for i := range scaledWords.Partitions {
			scaledWords.Partitions[i] *= factor
		}
		for i := range want.Start {
			want.Start[i], want.End[i] = factor*want.Start[i], factor*want.End[i]
		}
		compare(t, &scaled, want, scheduler.run(t, &scaled, scaledWords), words, scaledWords)
	})
}

func TestScalingProcessorsChangesNothing(t *testing.T) {
	forEachScheduler(t, func(t *rapid.T, scheduler scheduler) {
		s := drawScenario(t)
		words := drawWords(t, s)
		// log(2p) is not a multiple of log p.
		words.Order = strings.ReplaceAll(words.Order, "unicef", "wfp3")
		if isQueues(words.Policy) { // have limits in processors
			words.Policy = "sjbf"
		}
		reserve(t, s, words)
		if int(s.Procs)%(len(words.Partitions)+1) != 0 { // the remainder goes to the first
			words.Partitions = nil
		}
		want := scheduler.run(t, s, words)
		scaled := *s
		scaled.Procs = 2 * s.Procs
		scaled.Jobs, scaled.Reservations = slices.Clone(s.Jobs), slices.Clone(s.Reservations)
		for i := range scaled.Jobs {
			scaled.Jobs[i].Procs *= 2
		}
		for i := range scaled.Reservations {
			scaled.Reservations[i].Procs *= 2
		}
		compare(t, &scaled, want, scheduler.run(t, &scaled, words), words, words)
	})
}

// A machine twice as large, in two partitions, one of them reserved for good: all jobs belong to
// the first, whose processors the reservation takes, and borrow all of the second. The schedule is
// that of the small machine.
func TestBorrowingAWholePartition(t *testing.T) {
	forEachScheduler(t, func(t *rapid.T, scheduler scheduler) {
		s := drawScenario(t)
		words := drawWords(t, s)
		words.Partitions = nil
		if isSimple(words.Policy) {
			words.Policy = "easy"
		}
		if words.Overrun == "run" { // which cannot honour reservations
			words.Overrun = ""
		}
		small := scheduler.run(t, s, words)
		split := *s
		split.Procs *= 2
		split.Reservations = []cluster.Reservation{{From: 0, To: 1_000_000, Procs: s.Procs}}
		parted := words
		parted.Partitions = []int64{1_000_000}
		compare(t, s, small, scheduler.run(t, &split, parted), words, parted)
	})
}
