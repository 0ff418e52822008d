// Policy tests: violations, deadlines and publications of small scenarios counted by hand, and
// properties of drawn ones.

package multisite

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model"
	"gridsweep/model/workload"
)

// baseOf returns the base run of some jobs.
func baseOf(t rapid.TB, p Parameters, w *jobs) *baseStarts {
	base, err := runBase(context.Background(), baseParameters(p), w)
	if err != nil {
		t.Fatal(err)
	}
	return base
}

// finish runs jobs to the last arrival and measures.
func finish(t rapid.TB, p Parameters, w *jobs) (*world, Outcome) {
	t.Helper()
	for len(w.localJobs) < len(workload.Sizes(p.Sizes)) {
		w.localJobs = append(w.localJobs, nil)
	}
	base := baseOf(t, p, w)
	world, err := newWorld(p, w, base)
	if err != nil {
		t.Fatal(err)
	}
	if err := world.run(context.Background(), world.last); err != nil {
		t.Fatal(err)
	}
	return world, world.outcome()
}

// A local job that is not in the gateway's information delays a Grid job. That is one violation if
// the delay is above the tolerance, however long.
func TestLateLocalArrivalIsOneViolation(t *testing.T) {
	for _, c := range []struct {
		run  int64 // of the local job
		want int64
	}{{24, 0}, {25, 0}, {26, 1}, {900, 1}} {
		p := small("4", "ArCb", "earliest-partial")
		p.Interval = 1000
		_, o := finish(t, p, &jobs{
			gridJobs:  []job{rigid(10, 10, 2), rigid(5000, 1, 1)},
			localJobs: [][]job{{rigid(5, c.run, 4)}}, // it ends at 5 + run, the gateway expects 10
		})
		if o.Violations != c.want || o.ViolatedJobs != c.want || o.Refusals != 0 {
			t.Errorf("a start %d s late: %d violations of %d jobs, want %d of %d", c.run-5, o.Violations, o.ViolatedJobs,
				c.want, c.want)
		}
	}
}

// A job that is refused twice counts as two violations and one job.
func TestEachRefusalIsAViolation(t *testing.T) {
	p := small("4,4,4,4", "ArCb", "earliest-partial")
	p.Interval = 1000
	_, o := finish(t, p, &jobs{
		gridJobs: []job{rigid(10, 100, 2), rigid(5000, 1, 1)}, deadlines: []int64{900, never},
		localJobs: [][]job{{rigid(5, 300, 4)}, {rigid(5, 200, 4)}},
	})
	if o.Violations != 2 || o.Refusals != 2 || o.ViolatedJobs != 1 || *o.ViolationsPercent != 100 || o.Rejected != 0 {
		t.Errorf("%d violations (%v %%), %d refusals, %d jobs, %d rejected; want 2 (100 %%), 2, 1, 0",
			o.Violations, *o.ViolationsPercent, o.Refusals, o.ViolatedJobs, o.Rejected)
	}
}

// A job misses its deadline by its end, not by its start; reject_late does not try a slot that ends
// after the deadline.
func TestDeadlines(t *testing.T) {
	for _, c := range []struct {
		assumption       string
		deadline         int64
		rejected, missed int64
		reserveIsTried   int64
	}{
		{"as_printed", 205, 0, 0, 1}, {"as_printed", 204, 0, 1, 1},
		{"reject_late", 205, 0, 0, 1}, {"reject_late", 204, 1, 0, 0},
	} {
		p := small("4", "ArCb", "earliest-ask")
		p.Deadline = c.assumption
		w, o := finish(t, p, &jobs{
			gridJobs: []job{rigid(10, 100, 2), rigid(5000, 1, 1)}, deadlines: []int64{c.deadline, never},
			localJobs: [][]job{{rigid(5, 100, 4)}},
		})
		if o.Rejected != c.rejected || o.Missed != c.missed || w.messages[reserve] != c.reserveIsTried ||
			o.DeadlineJobs != 1 {
			t.Errorf("%s, deadline %d: %d rejected, %d missed, %d reserve; want %d, %d, %d",
				c.assumption, c.deadline, o.Rejected, o.Missed, w.messages[reserve], c.rejected, c.missed, c.reserveIsTried)
		}
	}
}

// Ten processors under ArEbMf, publications at 0, 100, 200, …, checks at a quarter, a half and
// three quarters.
func TestLoadForecast(t *testing.T) {
	steady := []job{rigid(0, 5000, 5)} // half of the machine
	for _, c := range []struct {
		name       string
		local      []job
		assumption func(*Parameters)
		slots      int64 // publications
		again      int64 // of them, within an interval
	}{
		{name: "a constant load is never above its forecast", local: steady, slots: 11},
		{name: "a job at 330 is above the forecast at the next check, 350, and once only",
			local: append(slices.Clone(steady), rigid(330, 30, 2)), slots: 12, again: 1},
		{name: "in the warm-up neither publication counts", local: append(slices.Clone(steady), rigid(330, 30, 2)),
			assumption: func(p *Parameters) { p.Warmup, p.Training = 351, 351 }, slots: 7},
		{name: "at the end of the warm-up both count", local: append(slices.Clone(steady), rigid(330, 30, 2)),
			assumption: func(p *Parameters) { p.Warmup, p.Training = 350, 350 }, slots: 8, again: 1},
		{name: "resize without a publication", local: append(slices.Clone(steady), rigid(330, 30, 2)),
			assumption: func(p *Parameters) { p.Underestimate = "resize" }, slots: 11},
		{name: "no checks", local: append(slices.Clone(steady), rigid(330, 30, 2)),
			assumption: func(p *Parameters) { p.Underestimate = "ignore" }, slots: 11},
		{name: "an interval has one check, in its middle, when the job has gone",
			local:      append(slices.Clone(steady), rigid(350, 30, 2)),
			assumption: func(p *Parameters) { p.Checks = 2 }, slots: 11},
		{name: "a load of two machines leaves the Grid nothing, and nothing is sent from the second publication on",
			local: []job{rigid(0, 5000, 10), rigid(0, 5000, 10)}, slots: 1},
		{name: "no_share empty: publications without slots instead",
			local:      []job{rigid(0, 5000, 10), rigid(0, 5000, 10)},
			assumption: func(p *Parameters) { p.NoShare = "empty" }, slots: 11},
		{name: "an interval without a slot has no checks",
			local:      []job{rigid(0, 5000, 10), rigid(0, 5000, 10), rigid(330, 30, 2)},
			assumption: func(p *Parameters) { p.NoShare = "empty" }, slots: 11},
		{name: "the job that waits is no load if only running ones are",
			local:      []job{rigid(0, 5000, 6), rigid(0, 5000, 6)},
			assumption: func(p *Parameters) { p.ForecastLoad = "running" }, slots: 11},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := small("10", "ArEbMf", "earliest-partial")
			p.Interval = 100
			if c.assumption != nil {
				c.assumption(&p)
			}
			w, o := finish(t, p, &jobs{gridJobs: []job{rigid(1000, 1, 1)}, localJobs: [][]job{c.local}})
			if w.messages[slotList] != c.slots || o.Republished != c.again {
				t.Errorf("%d publications, %d of them within an interval; want %d, %d", w.messages[slotList], o.Republished,
					c.slots, c.again)
			}
		})
	}
}

// A job that is larger than every published slot goes to the provider with the largest one.
func TestJobWithoutSlot(t *testing.T) {
	p := small("10,10", "ArEbMf", "earliest-partial")
	p.Interval = 100
	w, o := finish(t, p, &jobs{
		gridJobs: []job{rigid(150, 10, 5), rigid(151, 10, 3), rigid(1000, 1, 1)},
		// the first interval leaves 2 and 4 processors
		localJobs: [][]job{{rigid(0, 5000, 8)}, {rigid(0, 5000, 6)}},
	})
	if d := w.decisions[0]; o.WithoutSlot != 1 || !d.withoutSlot || d.provider != 1 || d.expected != never {
		t.Errorf("5 processors with slots of 2 and 4: %+v, %d without slot; want the second provider", d, o.WithoutSlot)
	}
	if d := w.decisions[1]; d.withoutSlot || d.provider != 1 || d.expected != 151 {
		t.Errorf("3 processors with slots of 2 and 4: %+v; want the second provider at once", d)
	}
}

// drawWorkload draws jobs for providers of at least so many processors.
func drawWorkload(t *rapid.T, providers int, most int32) *jobs {
	list := func(name string, n int) []job {
		drawn := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) job {
			return rigid(rapid.Int64Range(0, 30).Draw(t, "gap"), rapid.Int64Range(1, 120).Draw(t, "run"),
				rapid.Int32Range(1, most).Draw(t, "procs"))
		}), 0, n).Draw(t, name)
		at := int64(0)
		for i := range drawn {
			at += drawn[i].Submit
			drawn[i].Submit = at
		}
		return drawn
	}
	w := &jobs{gridJobs: list("grid", 30)}
	for i := range providers {
		w.localJobs = append(w.localJobs, list(fmt.Sprint("local ", i+1), 15))
	}
	return w
}

var policies = []string{"ArEb", "ArCb", "ArEbM", "ArCbM", "ArEbMf"}

// A gateway that asks before each job has exact information about conservative providers: no job is
// late or refused.
func TestAskingConservativeProvidersIsNeverViolated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := small("4,6,8", "ArCb", "earliest-ask")
		p.Tolerance = 0
		p.Placement = rapid.SampledFrom([]string{"count", "fixed"}).Draw(t, "placement")
		w := drawWorkload(t, 3, 4)
		for i := range w.gridJobs {
			w.deadlines = append(w.deadlines, rapid.SampledFrom([]int64{never, w.gridJobs[i].Submit + 1}).Draw(t, "deadline"))
		}
		if _, o := finish(t, p, w); o.Violations != 0 || o.Rejected != 0 {
			t.Fatalf("%d violations, %d rejected, want none", o.Violations, o.Rejected)
		}
	})
}

// With a single provider there is nothing to choose: all gateways give each job the same start.
func TestOneProviderMakesGatewaysEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		provider := rapid.SampledFrom(policies[:4]).Draw(t, "provider")
		w := drawWorkload(t, 1, 6)
		var first []int64
		for _, gateway := range []string{"least-load", "earliest-ask", "earliest-partial"} {
			p := small("6", provider, gateway)
			p.Interval, p.ReportInterval = 70, 50
			world, _ := finish(t, p, w)
			var starts []int64
			for i := range w.gridJobs {
				starts = append(starts, world.gridStart(i))
			}
			for i := range w.localJobs[0] {
				starts = append(starts, world.localStart(0, i))
			}
			if first == nil {
				first = starts
			}
			if diff := cmp.Diff(first, starts); diff != "" {
				t.Fatalf("%s+least-load (-) and %s (+):\n%s", provider, gateway, diff)
			}
		}
	})
}

// Every job has ended, runs, waits or is rejected, and no processor is used twice, reservations
// included.
func TestJobsAreConserved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := small("5,8", rapid.SampledFrom(policies).Draw(t, "provider"), "earliest-partial")
		p.Interval = model.Seconds(rapid.Int64Range(10, 200).Draw(t, "interval"))
		p.Placement = rapid.SampledFrom([]string{"count", "fixed"}).Draw(t, "placement")
		w := drawWorkload(t, 2, 5)
		for i := range w.gridJobs {
			w.deadlines = append(w.deadlines, rapid.SampledFrom([]int64{never, w.gridJobs[i].Submit + 1}).Draw(t, "deadline"))
		}
		world, o := finish(t, p, w)
		ended := int64(0)
		used := map[[2]int64]int32{} // by provider and second
		rows := 0
		for r := range world.records {
			rows++
			if r.decision != nil && r.end < never {
				ended++
			}
			if r.start == never {
				continue
			}
			if r.start < r.Submit || r.provider == rejected {
				t.Fatalf("%+v starts before its submit, or is rejected and has a start", r)
			}
			for second := r.start; second < r.start+r.Run; second++ {
				at := [2]int64{int64(r.provider), second}
				if used[at] += r.Procs; used[at] > world.providers[r.provider].procs {
					t.Fatalf("provider %d uses %d processors at %d s", r.provider+1, used[at], second)
				}
			}
		}
		if all := len(w.gridJobs) + len(w.localJobs[0]) + len(w.localJobs[1]); rows != all {
			t.Fatalf("%d records of %d jobs", rows, all)
		}
		if o.GridJobs != ended+o.GridUnfinished+o.Rejected || o.GridJobs != int64(len(w.gridJobs)) {
			t.Fatalf("%d Grid jobs: %d ended, %d unfinished, %d rejected", o.GridJobs, ended, o.GridUnfinished, o.Rejected)
		}
	})
}
