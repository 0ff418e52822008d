// Background tests: jobs taken from the log, their reservations against cluster.Simulate and a
// count by seconds, times of submission, and the load measured in the real log.

package provisioning

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/model/profile"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
)

// Jobs that never ran are left out, and the window begins at the first submit of the others. Jobs
// larger than the machine are dropped. In one second the log's jobs come before those of its copy.
func TestBackgroundJobs(t *testing.T) {
	const begin = 1_000
	recorded := []trace.Job{
		{ID: 1, Submit: begin - 500, Run: 0, Procs: 1}, // never ran: the log begins later
		{ID: 2, Submit: begin, Run: 10, Procs: 1},
		{ID: 3, Submit: begin + 7, Run: 30, Procs: -1, ReqProcs: 3},
		{ID: 4, Submit: begin + 5, Run: 20, Procs: 2}, // submitted before the job in front of it
		{ID: 5, Submit: begin + 5, Run: 25, Procs: 9}, // larger than the machine
		{ID: 6, Submit: -1, Run: 10, Procs: 1},        // without a submit
		{ID: 7, Submit: begin + 20, Run: 40, Procs: 4, Status: 3},
		{ID: 8, Submit: begin + 19, Run: 50, Procs: 9},
		{ID: 9, Submit: begin + 20, Run: 50, Procs: 1},
	}
	before := slices.Clone(recorded)
	p := defaults
	p.Trace, p.Nodes, p.Window, p.Copy, p.CopyDelay = "ctc-sp2@sha256:00", 8, 20, 1, 5
	b := load(t, p, environment(0, recorded))
	want := []backgroundJob{
		{submit: 0, run: 10, procs: 1},
		{submit: 5, run: 20, procs: 2},
		{submit: 5, run: 10, procs: 1},
		{submit: 7, run: 30, procs: 3},
		{submit: 10, run: 20, procs: 2},
		{submit: 12, run: 30, procs: 3},
	}
	have := slices.Clone(b.jobs)
	for i := range have {
		have[i].start = 0
	}
	if diff := cmp.Diff(want, have, cmp.AllowUnexported(backgroundJob{})); diff != "" {
		t.Errorf("jobs (-want +have):\n%s", diff)
	}
	if b.last != 19 {
		t.Errorf("the last job of the log is submitted at %d, want 19, that of a dropped job", b.last)
	}
	if diff := cmp.Diff(before, recorded); diff != "" {
		t.Errorf("the trace, which runs share, was changed:\n%s", diff)
	}
}

func TestLogWithoutJobs(t *testing.T) {
	p := defaults
	p.Trace = "my.swf@sha256:00"
	_, err := loadBackground(context.Background(), p, environment(0, []trace.Job{{Submit: 5, Run: -1, Procs: 4}}))
	if err == nil || !strings.Contains(err.Error(), "trace my.swf has no job") {
		t.Errorf("error %v", err)
	}
}

// The log may have no job in its window.
func TestWindowWithoutJobs(t *testing.T) {
	recorded := []trace.Job{{ID: 1, Submit: 5, Run: 10, Procs: 4}, {ID: 2, Submit: 500, Run: 10, Procs: 4}}
	for _, use := range []struct{ begin, window model.Seconds }{{496, 0}, {1, 400}} {
		p := defaults
		p.Trace, p.Begin, p.Window = "my.swf@sha256:00", use.begin, use.window
		_, err := loadBackground(context.Background(), p, environment(0, recorded))
		if err == nil || !strings.Contains(err.Error(), "change begin or window") {
			t.Errorf("from %d s on, %d s long: error %v", use.begin, use.window, err)
		}
	}
}

func TestEstimates(t *testing.T) {
	for _, c := range []struct {
		run          int64
		overestimate float64
		want         int64
	}{{1, 0, 1}, {1, 10, 2}, {10, 10, 11}, {101, 10, 112}, {100, 20, 120}, {7, 1000, 77}, {1 << 31, 300, 1 << 32}} {
		k := Parameters{Overestimate: c.overestimate}
		if have := k.estimate(c.run); have != c.want {
			t.Errorf("%v %% above %d s are %d s, want %d", c.overestimate, c.run, have, c.want)
		}
	}
}

// Loads nest: a larger second copy has all jobs of a smaller one, and machines of all sizes have
// the same jobs.
func TestCopiesNest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		recorded := drawRecorded(t)
		p := drawParameters(t)
		low, high := p, p
		low.Copy = rapid.Float64Range(0, 1).Draw(t, "low")
		high.Copy = rapid.Float64Range(low.Copy, 1).Draw(t, "high")
		high.Nodes++
		few, many := load(t, low, environment(0, recorded)), load(t, high, environment(1, recorded))
		var rest []backgroundJob
		for _, j := range many.jobs {
			if j.start = 0; int64(j.procs) <= low.Nodes {
				rest = append(rest, j)
			}
		}
		for _, j := range few.jobs {
			j.start = 0
			at := slices.Index(rest, j)
			if at < 0 {
				t.Fatalf("job %+v of the copy of %v is not in that of %v", j, low.Copy, high.Copy)
			}
			rest = slices.Delete(rest, at, at+1)
		}
		if low.Copy == high.Copy && len(rest) > 0 {
			t.Fatalf("only one of machines of %d and %d has the jobs %+v", low.Nodes, high.Nodes, rest)
		}
	})
}

// Jobs start as in cluster.Simulate, utilisation equals a count second by second, and the schedule
// at any second has the reservations that have not ended.
func TestBackgroundIsASimulation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParameters(t)
		b := load(t, p, environment(0, drawRecorded(t)))
		jobs := make([]cluster.Job, len(b.jobs))
		for i, j := range b.jobs {
			estimate := (j.run*int64(100+p.Overestimate) + 99) / 100
			jobs[i] = cluster.Job{Submit: j.submit, Run: estimate, Estimate: estimate, Procs: j.procs}
			if p.ReleaseTail {
				jobs[i].Run = j.run
			}
		}
		want, err := cluster.Simulate(t.Context(), siteConfig(&p), jobs)
		if err != nil {
			t.Fatal(err)
		}
		used := make([]int32, b.last)
		for i, j := range b.jobs {
			if j.start != want.Start[i] {
				t.Fatalf("job %d starts at %d, want %d", i, j.start, want.Start[i])
			}
			for second := j.start; second < min(j.start+j.run, b.last); second++ {
				used[second] += j.procs
			}
		}
		sum := int32(0)
		for _, n := range used {
			if int64(n) > p.Nodes {
				t.Fatalf("%d processors of %d are used", n, p.Nodes)
			}
			sum += n
		}
		switch {
		case b.last == 0 && b.utilisation != 0:
			t.Fatalf("utilisation %v of a log of %d s", b.utilisation, b.last)
		case b.last > 0 && b.utilisation != 100*float64(sum)/float64(p.Nodes*b.last):
			t.Fatalf("utilisation %v, want that of %d of %d", b.utilisation, sum, p.Nodes*b.last)
		}
		for at := range b.last + 100 {
			checkReservations(t, b, want, at)
		}
	})
}

// checkReservations compares the schedule at a second with the jobs that have not ended.
func checkReservations(t *rapid.T, b *background, all cluster.Schedule, at int64) {
	live, next := b.schedule(at)
	last, n := int64(0), 0
	for i, j := range b.jobs {
		if j.submit > at {
			if next > i {
				t.Fatalf("at %d job %d, submitted at %d, counts as submitted", at, next-1, b.jobs[next-1].submit)
			}
			break
		}
		if next <= i {
			t.Fatalf("at %d job %d, submitted at %d, does not count as submitted", at, i, j.submit)
		}
		if all.End[i] <= at {
			continue
		}
		end := j.start + (j.run*int64(100+b.point.Overestimate)+99)/100
		if n >= len(live) {
			t.Fatalf("at %d job %d of %+v is not in %+v", at, i, j, live)
		}
		r := live[n]
		if r.start != j.start-at || r.end != end-at || r.jobEnd != all.End[i]-at || r.procs != j.procs {
			t.Fatalf("at %d job %d of %+v has %+v", at, i, j, r)
		}
		booked := b.point.Numbering == "booked"
		if booked != (r.processors != nil) || booked && r.processors.Count() != j.procs {
			t.Fatalf("numbered %s, %d processors are %b", b.point.Numbering, j.procs, r.processors)
		}
		last = max(last, r.end)
		n++
	}
	if n != len(live) || last != lastEnd(live) {
		t.Fatalf("at %d there are %d reservations until %d, want %d until %d", at, len(live), lastEnd(live), n, last)
	}
}

// Replications submit in the strata of the time in an order that all share, one stratum each. The
// second within the stratum is drawn for each replication. Neither depends on the machine's load.
func TestSubmissions(t *testing.T) {
	p := defaults
	p.Warmup, p.Cooldown, p.Strata = 100, 50, 7
	b := &background{last: 1200} // 150 s for each stratum
	var order []int64
	offsets := map[int64]bool{}
	for replication := range 21 {
		at := submittedAt(t, p, b, replication)
		stratum := (at - 100) / 150
		if at < 100 || at >= 1150 {
			t.Errorf("replication %d submits at %d, want from 100 to 1149", replication, at)
		}
		if replication < 7 {
			order = append(order, stratum)
		} else if stratum != order[replication%7] {
			t.Errorf("replication %d submits in stratum %d, replication %d in %d", replication, stratum, replication%7,
				order[replication%7])
		}
		offsets[(at-100)%150] = true
	}
	if strata := slices.Sorted(slices.Values(order)); !slices.Equal(strata,
		[]int64{0, 1, 2, 3, 4, 5, 6}) || slices.IsSorted(order) {
		t.Errorf("seven replications submit in the strata %v, want all in another order", order)
	}
	if len(offsets) < 15 {
		t.Errorf("21 replications submit at %d different seconds of their strata, want at least 15", len(offsets))
	}
}

func TestNoTimeForSubmissions(t *testing.T) {
	p := defaults
	p.Warmup, p.Cooldown, p.Trace = 600, 600, "short.swf@sha256:00"
	if _, err := drawSubmission(p, environment(0, nil), &background{last: 1201}); err != nil {
		t.Errorf("one second of time: %v, want no error", err)
	}
	_, err := drawSubmission(p, environment(0, nil), &background{last: 1200})
	want := "trace short.swf: its submits span 20min, which leaves no time for the workflow's after warmup 10min and " +
		"before cooldown 10min: set warmup, cooldown or window so that there is some"
	if err == nil || err.Error() != want {
		t.Errorf("error\n%v, want\n%s", err, want)
	}
}

// Without the log the background is that of its site model, the same in all replications.
func TestBackgroundOfTheSiteModel(t *testing.T) {
	p := defaults
	p.Trace = model.TraceModel
	b, again := load(t, p, environment(0, nil)), load(t, p, environment(3, nil))
	sites := workload.Sites()
	ctc := sites[slices.IndexFunc(sites, func(s workload.Site) bool { return s.Name == log })]
	if int64(len(b.jobs)) != ctc.Jobs {
		t.Errorf("%d jobs, want the log's %d", len(b.jobs), ctc.Jobs)
	}
	if !slices.Equal(b.jobs, again.jobs) {
		t.Error("two replications have different jobs")
	}
	// The model's load; the sum of few large jobs scatters.
	offered := 100 * float64(ctc.Work*float64(ctc.Jobs)) / float64(430*ctc.Span)
	if b.utilisation < 0.93*offered || b.utilisation > 1.07*offered {
		t.Errorf("utilisation %.1f %%, the site's jobs offer %.1f", b.utilisation, offered)
	}
}

// TestBackgroundOfTheLog compares the utilisation of the log from midnight of 28 June 1996 on with
// that of another program: 66.4 and 84.5 %, and 63.3 % in the first 90 days, whose end the programs
// may count differently.
func TestBackgroundOfTheLog(t *testing.T) {
	for _, c := range []struct {
		nodes, window int64
		want, within  float64 // utilisation in per cent
	}{{430, 0, 66.4, 0.3}, {338, 0, 84.5, 0.3}, {430, 90 * day, 63.3, 1.5}} {
		p := defaults
		p.Nodes, p.Begin, p.Window = c.nodes, 111_240, model.Seconds(c.window)
		b := load(t, p, logEnvironment(t, 0))
		if have := b.utilisation; have < c.want-c.within || have > c.want+c.within {
			t.Errorf("%d nodes, window %d s: utilisation %.2f %%, want %.1f", c.nodes, c.window, have, c.want)
		}
		free := profile.New(int32(c.nodes))
		for i := range b.jobs {
			j := &b.jobs[i]
			if free.Advance(j.submit); !free.Fits(j.start, j.procs, j.run) {
				t.Fatalf("%d nodes: job %+v does not fit", c.nodes, j)
			}
			free.Reserve(j.start, j.procs, j.run)
		}
	}
}
