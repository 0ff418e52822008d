// A simple index of waiting jobs, with which retry.Index is compared at the study's size.

package brokering

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model/brokering/pool"
)

// classIndex replaces a retry.Index. It has classes of equal requirements and no other index: it
// tries each job in each pass, but of a class only one job between two changes.
type classIndex struct {
	s       *simulation
	jobs    []int32 // in the order of arrival
	classes map[pool.Requirement]*equalJobs
	changes int // of resources
}

// equalJobs has the result of the last attempt of jobs with equal requirements, and the change
// before it.
type equalJobs struct {
	change    int
	conflicts pool.Counts
	fails     bool
}

func (x *classIndex) Add(job int32, r pool.Requirement, conflicts pool.Counts) {
	x.jobs = append(x.jobs, job)
	if x.classes[r] == nil {
		x.classes[r] = &equalJobs{change: -1}
	}
}

func (x *classIndex) Remove(job int32) {
	at, _ := slices.BinarySearch(x.jobs, job)
	x.jobs = slices.Delete(x.jobs, at, at+1)
}

func (x *classIndex) Update(pool.Position) { x.changes++ }

func (x *classIndex) Retry(attempt func(job int32) (started bool, score float64)) {
	for _, job := range slices.Clone(x.jobs) {
		r := x.s.requirement(&x.s.requests[job])
		c := x.classes[r]
		if c.change != x.changes {
			*c = equalJobs{change: x.changes, conflicts: x.s.conflictsOf(&r)}
		}
		x.s.tallies[job].Include(&pool.Tally{Attempts: 1, Conflicts: c.conflicts})
		if !c.fails {
			started, _ := attempt(job)
			c.fails = !started
		}
	}
}

func (x *classIndex) RetryAtOrigin(attempt func(job int32)) {
	for _, job := range slices.Clone(x.jobs) {
		attempt(job)
	}
}

// TestRetryIndexEqualsClasses compares whole outcomes with those of a classIndex, to the last bit,
// in domains of the study's size, where many more jobs wait than the naive simulator can try.
func TestRetryIndexEqualsClasses(t *testing.T) {
	p := scaling(6)
	p.Days, p.Sample, p.Load = 1, 1, 1.5
	p.SmallSpan, p.MediumSpan, p.BigSpan = 4*day, 4*day, 4*day
	p.SmallLongest, p.MediumLongest, p.BigLongest = 100*hour, 100*hour, 100*hour
	if testing.Short() {
		p.Domains, p.Days = 3, 0.5
	}
	requireClasses(t, p)
	t.Run("scarce disks", func(t *testing.T) { // where nearly all waiting jobs differ
		p.DiskPerHour, p.Domains = 4, 3
		requireClasses(t, p)
	})
}

// requireClasses compares outcomes with those of a classIndex under each strategy and preference.
func requireClasses(t *testing.T, p Parameters) {
	domains := drawDomains(t, p)
	forWaiting(t, p, func(t *testing.T, p Parameters) {
		outcome := func(s *simulation) (Outcome, []JobRow) {
			if err := s.run(); err != nil {
				t.Fatal(err)
			}
			o := s.outcome()
			jobs := slices.Collect(o.JobRows)
			o.JobRows = nil
			return o, jobs
		}
		s := newSimulation(t.Context(), p, domains)
		have, haveJobs := outcome(s)
		if have.Rescheduled == 0 {
			t.Error("no job waited")
		}
		s = newSimulation(t.Context(), p, domains)
		s.waiting = &classIndex{s: s, classes: map[pool.Requirement]*equalJobs{}}
		want, wantJobs := outcome(s)
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("outcomes differ (-classes +index):\n%s", diff)
		}
		if !slices.Equal(wantJobs, haveJobs) {
			t.Error("jobs differ")
		}
		t.Logf("%d jobs, %.1f %% re-scheduled, %d attempts", have.Jobs, have.Rescheduled, have.Attempts)
	})
}

// forWaiting checks something under each strategy and preference under which jobs wait at brokers.
func forWaiting(t *testing.T, p Parameters, check func(t *testing.T, p Parameters)) {
	forClasses(t, func(t *testing.T, under Parameters) {
		if under.Strategy == "SLOW" {
			return
		}
		splits := []string{"own"}
		if under.Strategy == "AGGR_CAT" && !testing.Short() {
			splits = append(splits, "each", "joint")
		}
		for _, split := range splits {
			p := p
			p.Strategy, p.Rank, p.Preference, p.OwnAs, p.Split = under.Strategy, under.Rank, under.Preference, under.OwnAs, split
			t.Run(split, func(t *testing.T) { check(t, p) })
		}
	})
}
