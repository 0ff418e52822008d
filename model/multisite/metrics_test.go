// Metrics tests: every number of a run and every row of its tables against a recount job by job and
// second by second.

package multisite

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"gridsweep/model"
	"gridsweep/model/workload"
)

// TestOutcome recounts drawn runs under each pair of policies.
func TestOutcome(t *testing.T) {
	for _, policy := range pairs {
		t.Run(policy[0]+"+"+policy[1], func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := small("5,8", policy[0], policy[1])
				seconds := func(name string, from, to int64) model.Seconds {
					return model.Seconds(rapid.Int64Range(from, to).Draw(t, name))
				}
				p.Interval, p.ReportInterval = seconds("interval", 10, 200), seconds("report interval", 10, 200)
				p.Warmup, p.Training = seconds("warm-up", 0, 80), 0
				p.Tolerance = seconds("tolerance", 0, 20)
				p.Placement = rapid.SampledFrom([]string{"count", "fixed"}).Draw(t, "placement")
				p.Deadline = rapid.SampledFrom([]string{"as_printed", "reject_late"}).Draw(t, "deadlines")
				w := drawWorkload(t, 2, 6) // of the Grid's jobs some are larger than a cluster
				w.localJobs[0] = slices.DeleteFunc(w.localJobs[0], func(j job) bool { return j.Procs > 5 })
				w.dropped = rapid.Int64Range(0, 9).Draw(t, "dropped")
				if p.Gateway != "least-load" {
					for _, j := range w.gridJobs {
						deadlines := []int64{never, never, never, j.Submit + 1, j.Submit + j.Run, j.Submit + 200}
						w.deadlines = append(w.deadlines, rapid.SampledFrom(deadlines).Draw(t, "deadline"))
					}
				}
				requireOutcome(t, p, w)
			})
		})
	}
}

// TestOutcomeAtItsBounds has jobs that begin or end exactly at the warm-up or at the last arrival.
func TestOutcomeAtItsBounds(t *testing.T) {
	for _, c := range []struct {
		name   string
		warmup model.Seconds
		jobs   jobs
	}{
		{"a job runs through the end of the warm-up, one to it, one from it on", 20,
			jobs{localJobs: [][]job{{rigid(0, 30, 1), rigid(0, 20, 1), rigid(20, 5, 1)}}, gridJobs: []job{rigid(100, 1, 1)}}},
		{"jobs are submitted at the end of the warm-up, and a second before", 20,
			jobs{localJobs: [][]job{{rigid(19, 5, 1), rigid(20, 6, 1)}},
				gridJobs: []job{rigid(19, 7, 1), rigid(20, 8, 1), rigid(100, 1, 1)}}},
		{"jobs end at the last arrival, and a second after", 0,
			jobs{localJobs: [][]job{{rigid(50, 50, 1), rigid(51, 50, 1)}},
				gridJobs: []job{rigid(60, 40, 1), rigid(60, 41, 1), rigid(100, 1, 1)}}},
		{"a job is late", 0,
			jobs{localJobs: [][]job{{rigid(5, 400, 4)}}, gridJobs: []job{rigid(10, 20, 2), rigid(500, 1, 1)}}},
		{"a job is late and does not end", 0,
			jobs{localJobs: [][]job{{rigid(5, 400, 4)}}, gridJobs: []job{rigid(10, 200, 2), rigid(500, 1, 1)}}},
		{"the last arrival is the end of the warm-up", 100,
			jobs{localJobs: [][]job{{rigid(0, 30, 1)}}, gridJobs: []job{rigid(100, 1, 1)}}},
		{"all jobs are in the warm-up", 101, jobs{localJobs: [][]job{{rigid(0, 30, 1)}}, gridJobs: []job{rigid(100, 1, 1)}}},
		{"no jobs", 0, jobs{localJobs: [][]job{nil}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := small("4", "ArCb", "earliest-partial")
			p.Interval, p.Warmup = 1000, c.warmup
			requireOutcome(t, p, &c.jobs)
		})
	}
}

// pairs are all valid pairs of a provider's and the gateway's policy.
var pairs = [][2]string{
	{"ArEb", "least-load"}, {"ArCb", "least-load"}, {"ArEbM", "least-load"}, {"ArCbM", "least-load"},
	{"ArEb", "earliest-ask"}, {"ArCb", "earliest-ask"}, {"ArEbM", "earliest-ask"}, {"ArCbM", "earliest-ask"},
	{"ArEb", "earliest-partial"}, {"ArCb", "earliest-partial"}, {"ArEbM", "earliest-partial"}, {"ArCbM",
		"earliest-partial"},
	{"ArEbMf", "earliest-partial"},
}

// requireOutcome runs jobs to the last arrival and compares the outcome with a recount.
func requireOutcome(t rapid.TB, p Parameters, w *jobs) {
	t.Helper()
	p.NoShare = "empty" // so that each interval has a publication
	world, have := finish(t, p, w)
	all := recountJobs(world, baseOf(t, p, w))
	want := recount(world, all)
	same := []cmp.Option{cmpopts.EquateApprox(1e-9, 1e-12), cmpopts.IgnoreFields(Outcome{}, "Jobs"), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(want, have, same...); diff != "" {
		t.Fatalf("outcome (-want +have):\n%s\n%s", diff, describe(p, w))
	}
	counted := slices.DeleteFunc(all, func(row JobRow) bool { return row.Submit < p.Warmup })
	if diff := cmp.Diff(counted, slices.Collect(have.Jobs), same...); diff != "" {
		t.Fatalf("table jobs (-want +have):\n%s\n%s", diff, describe(p, w))
	}
}

// recountJobs returns all jobs, those of the warm-up included, as the table jobs should have them.
func recountJobs(world *world, base *baseStarts) []JobRow {
	var rows []JobRow
	last := world.last
	for i, j := range world.gridJobs {
		d := world.decisions[i]
		row := recountJob(j, world.gridStart(i), base.gridJobs[i], last)
		row.Workload, row.Job, row.Provider = "grid", int64(i+1), int64(d.provider+1)
		if world.deadlines != nil {
			row.Deadline = secondsOf(world.deadlines[i])
		}
		row.Expected, row.Refusals = secondsOf(d.expected), int64(d.refusals)
		row.Late = row.End != nil && row.Expected != nil && *row.Start > *row.Expected+world.p.Tolerance
		rows = append(rows, row)
	}
	for provider, list := range world.localJobs {
		for k, j := range list {
			row := recountJob(j, world.localStart(provider, k), base.localJobs[provider][k], last)
			row.Workload, row.Job, row.Provider = fmt.Sprint("local ", provider+1), int64(k+1), int64(provider+1)
			rows = append(rows, row)
		}
	}
	return rows
}

// secondsOf returns a time, nil for never.
func secondsOf(at int64) *model.Seconds {
	if at == never {
		return nil
	}
	return new(model.Seconds(at))
}

// recountJob returns the row of a job, computed from its start and its start in the base run.
func recountJob(j job, start, base, last int64) JobRow {
	row := JobRow{Submit: model.Seconds(j.Submit), Procs: int64(j.Procs), Run: model.Seconds(j.Run),
		Start: secondsOf(start)}
	slowdown := func(start int64) *float64 {
		return new(math.Max(1, float64(start+j.Run-j.Submit)/math.Max(float64(j.Run), 10)))
	}
	if start <= last-j.Run {
		row.End, row.Slowdown = secondsOf(start+j.Run), slowdown(start)
	}
	if base <= last-j.Run {
		row.BaseStart, row.BaseSlowdown = secondsOf(base), slowdown(base)
	}
	if row.Slowdown != nil && row.BaseSlowdown != nil {
		before, now := *row.BaseSlowdown, *row.Slowdown
		row.Improvement = new((before - now) / math.Min(before, now))
	}
	return row
}

// group has the counts and sums of some jobs.
type group struct {
	jobs, ended, compared, improved, worsened int64
	work                                      int64 // processors × seconds
	slowdown, wait, improvement               float64
}

// grouped counts the jobs after the warm-up, those of the Grid or the local ones, at one provider
// or, for 0, at all.
func grouped(rows []JobRow, warmup model.Seconds, workload string, provider int64) group {
	var g group
	for _, row := range rows {
		if row.Submit < warmup || !strings.HasPrefix(row.Workload, workload) || provider > 0 && row.Provider != provider {
			continue
		}
		g.jobs++
		g.work += row.Procs * int64(row.Run)
		if row.Slowdown != nil {
			g.ended++
			g.slowdown += *row.Slowdown
			g.wait += float64(*row.Start - row.Submit)
		}
		if row.Improvement == nil {
			continue
		}
		g.compared++
		g.improvement += *row.Improvement
		if *row.Slowdown < *row.BaseSlowdown {
			g.improved++
		}
		if *row.Slowdown > *row.BaseSlowdown {
			g.worsened++
		}
	}
	return g
}

// busy counts, second by second, the processors × seconds from the warm-up to the last arrival that
// a provider's jobs use.
func busy(rows []JobRow, provider, warmup, last int64) int64 {
	used := int64(0)
	for at := warmup; at < last; at++ {
		for _, row := range rows {
			if row.Provider == provider && row.Start != nil && int64(*row.Start) <= at && at < int64(*row.Start+row.Run) {
				used += row.Procs
			}
		}
	}
	return used
}

// over returns a / b, nil where b is not positive.
func over(a float64, b int64) *float64 {
	if b <= 0 {
		return nil
	}
	return new(a / float64(b))
}

// recount returns the outcome without the table jobs.
func recount(world *world, rows []JobRow) Outcome {
	p, last := world.p, world.last
	gridJobs, localJobs := grouped(rows, p.Warmup, "grid", 0), grouped(rows, p.Warmup, "local", 0)
	o := Outcome{
		GridJobs: gridJobs.jobs, GridDropped: world.dropped, Republished: world.republished,
		LocalJobs: localJobs.jobs, LocalUnfinished: localJobs.jobs - localJobs.ended,
		SlowdownGrid: over(gridJobs.slowdown, gridJobs.ended), SlowdownLocal: over(localJobs.slowdown, localJobs.ended),
		WaitGrid: over(gridJobs.wait, gridJobs.ended), WaitLocal: over(localJobs.wait, localJobs.ended),
		ImprovementGrid:  over(gridJobs.improvement, gridJobs.compared),
		ImprovementLocal: over(localJobs.improvement, localJobs.compared),
		ImprovedGrid:     over(100*float64(gridJobs.improved), gridJobs.compared),
		ImprovedLocal:    over(100*float64(localJobs.improved), localJobs.compared),
		WorsenedGrid:     over(100*float64(gridJobs.worsened), gridJobs.compared),
		WorsenedLocal:    over(100*float64(localJobs.worsened), localJobs.compared),
	}
	recountGrid(world, rows, &o)
	o.ViolationsPercent = over(100*float64(o.Violations), gridJobs.jobs)

	procs, used, span := int64(0), int64(0), last-int64(p.Warmup)
	for i, size := range workload.Sizes(p.Sizes) {
		number := int64(i + 1)
		itsLocal, itsGrid := grouped(rows, p.Warmup, "local", number), grouped(rows, p.Warmup, "grid", number)
		inUse, whole := busy(rows, number, int64(p.Warmup), last), int64(size)*span
		o.Providers = append(o.Providers, ProviderRow{
			Provider: number, Procs: int64(size), LocalJobs: itsLocal.jobs, GridJobs: itsGrid.jobs,
			LoadLocal: over(100*float64(itsLocal.work), whole), LoadGrid: over(100*float64(itsGrid.work), whole),
			Utilisation:   over(100*float64(inUse), whole),
			SlowdownLocal: over(itsLocal.slowdown, itsLocal.ended), SlowdownGrid: over(itsGrid.slowdown, itsGrid.ended),
		})
		procs, used = procs+int64(size), used+inUse
	}
	o.LoadGrid, o.LoadLocal = over(100*float64(gridJobs.work), procs*span), over(100*float64(localJobs.work), procs*span)
	o.Utilisation = over(100*float64(used), procs*span)
	o.MessagesByName = recountMessages(world)
	for _, row := range o.MessagesByName {
		o.Messages += row.Count
	}
	return o
}

// recountGrid counts what became of the Grid jobs after the warm-up.
func recountGrid(world *world, rows []JobRow, o *Outcome) {
	for i := range world.gridJobs {
		row := rows[i]
		if row.Submit < world.p.Warmup {
			continue
		}
		o.Refusals += row.Refusals
		o.Violations += row.Refusals
		if row.Late {
			o.Violations++
		}
		if row.Late || row.Refusals > 0 {
			o.ViolatedJobs++
		}
		if world.decisions[i].withoutSlot {
			o.WithoutSlot++
		}
		if row.Deadline != nil {
			o.DeadlineJobs++
		}
		if row.Deadline != nil && row.End != nil && *row.End > *row.Deadline {
			o.Missed++
		}
		switch {
		case row.Provider == 0:
			o.Rejected++
		case row.End == nil:
			o.GridUnfinished++
		}
	}
}

// recountMessages returns the messages after the warm-up, in the order of the table: those for each
// Grid job, and the periodic ones of providers.
func recountMessages(world *world) []MessageRow {
	p, providers := world.p, int64(len(world.providers))
	var request, slots, report, granted, refused, submitted int64
	for i, j := range world.gridJobs {
		if j.Submit < int64(p.Warmup) {
			continue
		}
		d := world.decisions[i]
		if p.Gateway == "earliest-ask" {
			request, slots = request+providers, slots+providers
		}
		refused += int64(d.refusals)
		if d.provider != rejected {
			submitted++
			if d.number == reserved {
				granted++
			}
		}
	}
	for at := int64(0); p.Gateway == "least-load" && at <= world.last; at += int64(p.ReportInterval) {
		if at >= int64(p.Warmup) {
			report += providers
		}
	}
	for at := int64(0); p.Gateway == "earliest-partial" && at <= world.last; at += int64(p.Interval) {
		if at >= int64(p.Warmup) {
			slots += providers
		}
	}
	return []MessageRow{
		{"slot request", request}, {"slots", slots + world.republished}, {"load report", report},
		{"reserve", granted + refused}, {"offer", granted}, {"refuse", refused}, {"commit", granted}, {"acknowledge",
			granted},
		{"submit", submitted},
	}
}
