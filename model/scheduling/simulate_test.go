// Simulation tests: the documented example worked out by hand, doubled times, Erlang's formula and
// Little's law, and the effect of each parameter.

package scheduling

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gridsweep/model/metrics"
	"gridsweep/model/trace"
)

// TestSimulate has the example of docs/reference/simulate.md.
func TestSimulate(t *testing.T) {
	p := logPoint()
	p.Estimates, p.Classes, p.Intervals = "user", "4 x 1min", 2
	o := run(t, p, 0, &host{log: read(t, six)})
	want := Outcome{
		Machine: 10, Requested: 6, OfferedLoad: pointer(3.17), Killed: 1,
		All: 6, Jobs: 6, Span: 100, Makespan: 340, Utilisation: 2970.0 / 3400,
		WaitMean: 80, WaitMedian: 45, WaitP95: 260, WaitMax: 260,
		ResponseMean: 1090.0 / 6, ResponseMedian: 175, ResponseP95: 300, ResponseMax: 300,
		SlowdownMean: (1 + 1.45 + 1 + 1 + 7.5 + 7.5) / 6, SlowdownMedian: 1.225, SlowdownP95: 7.5, SlowdownMax: 7.5,
		Backfilled: 3,
		ByClass: []ClassRow{
			{Size: "1-4", Run: "<=1min", Jobs: 2, Share: 170.0 / 2970, Wait: pointer(65.0), Response: pointer(100.0),
				Slowdown: pointer(4.25), Bounded: pointer(4.25)},
			{Size: "1-4", Run: ">1min", Jobs: 2, Share: 800.0 / 2970, Wait: pointer(0.0), Response: pointer(150.0),
				Slowdown: pointer(1.0), Bounded: pointer(1.0)},
			{Size: ">4", Run: "<=1min", Jobs: 1, Share: 400.0 / 2970, Wait: pointer(260.0), Response: pointer(300.0),
				Slowdown: pointer(7.5), Bounded: pointer(7.5)},
			{Size: ">4", Run: ">1min", Jobs: 1, Share: 1600.0 / 2970, Wait: pointer(90.0), Response: pointer(290.0),
				Slowdown: pointer(1.45), Bounded: pointer(1.45)},
		},
		ByUser: []UserRow{
			{User: -1, Jobs: 1, Share: 20.0 / 2970, Wait: 130, Slowdown: 7.5, Bounded: 7.5},
			{User: 1, Jobs: 2, Share: 550.0 / 2970, Wait: 0, Slowdown: 1, Bounded: 1},
			{User: 2, Jobs: 2, Share: 2000.0 / 2970, Wait: 175, Slowdown: 4.475, Bounded: 4.475},
			{User: 3, Jobs: 1, Share: 400.0 / 2970, Wait: 0, Slowdown: 1, Bounded: 1},
		},
		JainWait: pointer(1.0 / 3), GiniWait: pointer(2.0 / 3),
		JainSlowdown: pointer(6.475 * 6.475 / (3 * (2 + 4.475*4.475))), GiniSlowdown: pointer(6.95 / (3 * 6.475)),
		OverTime: []metrics.Interval{
			{Number: 0, From: 0, To: 170, Offered: 2970.0 / 1700, Utilisation: 1390.0 / 1700, Queue: (90 + 130 + 70) / 170.0},
			{Number: 1, From: 170, To: 340, Utilisation: 1580.0 / 1700, Queue: 190.0 / 170},
		},
	}
	want.BoundedSlowdownMean, want.BoundedSlowdownMedian = want.SlowdownMean, want.SlowdownMedian
	want.BoundedSlowdownP95, want.BoundedSlowdownMax = want.SlowdownP95, want.SlowdownMax
	options := cmp.Options{
		ignoreRows, cmpopts.IgnoreFields(Outcome{}, "Distribution"), cmpopts.EquateApprox(1e-12, 0),
	}
	if diff := cmp.Diff(want, o, options); diff != "" {
		t.Error(diff)
	}
	if median := o.Distribution[7]; median.Probability != 0.5 || median.Wait != 0 || o.Distribution[15].Wait != 260 {
		t.Errorf("the distribution is %+v", o.Distribution)
	}
	rows := jobRows(o)
	if diff := cmp.Diff(JobRow{
		Number: 4, ID: 4, User: 3, Procs: 2, Submit: 30, Start: 30, End: 230, Estimate: 200,
	}, rows[3]); diff != "" {
		t.Error(diff)
	}
}

func pointer(x float64) *float64 { return &x }

// If all times are doubled, waits and responses double and slowdowns stay.
func TestDoubledTimes(t *testing.T) {
	log := drawn(800, 17)
	twice := &trace.Log{Header: log.Header}
	for _, j := range log.Jobs {
		j.Submit, j.Run, j.ReqTime = 2*j.Submit, 2*j.Run, 2*j.ReqTime
		twice.Jobs = append(twice.Jobs, j)
	}
	for _, policy := range []string{"fcfs", "easy", "easy:4", "conservative"} {
		for _, order := range []string{"arrival", "saf", "xfactor"} {
			p := logPoint()
			p.Policy, p.Order, p.Estimates = policy, order, "user"
			once := run(t, p, 0, &host{log: log})
			p.Bound *= 2
			double := run(t, p, 0, &host{log: twice})
			if double.WaitMean != 2*once.WaitMean || double.WaitP95 != 2*once.WaitP95 ||
				double.ResponseMax != 2*once.ResponseMax || double.Makespan != 2*once.Makespan {
				t.Errorf("%s, %s: mean waits %v and %v, want the double", policy, order, once.WaitMean, double.WaitMean)
			}
			if double.SlowdownMean != once.SlowdownMean || double.BoundedSlowdownMedian != once.BoundedSlowdownMedian ||
				double.Utilisation != once.Utilisation || *double.OfferedLoad != *once.OfferedLoad {
				t.Errorf("%s, %s: mean slowdowns %v and %v, want the same", policy, order, once.SlowdownMean,
					double.SlowdownMean)
			}
		}
	}
}

// The mean wait of an M/M/c queue is that of Erlang's formula: the probability C to wait, divided
// by c mu - lambda.
func TestErlangC(t *testing.T) {
	for _, c := range []struct {
		servers int
		load    float64
	}{{1, 0.5}, {1, 0.7}, {4, 0.8}, {16, 0.8}} {
		const service = 10_000.0 // s, so that whole seconds matter little
		random := rand.New(rand.NewPCG(23, uint64(c.servers)))
		log := &trace.Log{Header: &trace.Header{}}
		at := 0.0
		for i := range 100_000 {
			at += random.ExpFloat64() * service / (c.load * float64(c.servers))
			log.Jobs = append(log.Jobs, trace.Job{
				ID: int64(i) + 1, Submit: int64(at), Run: int64(random.ExpFloat64()*service) + 1, Procs: 1, Status: 1,
			})
		}
		p := logPoint()
		p.Policy, p.Procs, p.Trace = "fcfs", int64(c.servers), "own.swf"
		o := run(t, p, 0, &host{log: log})
		want := erlangC(c.servers, c.load) * service / (float64(c.servers) * (1 - c.load))
		if math.Abs(o.WaitMean/want-1) > 0.06 {
			t.Errorf("M/M/%d at load %v: mean wait %.0f s, want %.0f s", c.servers, c.load, o.WaitMean, want)
		}
		// Little's law: the mean number of waiting jobs is the arrival rate times the mean wait.
		queue := 0.0
		for _, row := range o.OverTime {
			queue += row.Queue * float64(row.To-row.From) / float64(o.Makespan)
		}
		if little := o.WaitMean * float64(o.All) / float64(o.Makespan); math.Abs(queue/little-1) > 1e-9 {
			t.Errorf("M/M/%d at load %v: %v jobs wait, by Little's law %v", c.servers, c.load, queue, little)
		}
	}
}

// erlangC returns the probability that a job waits at so many servers.
func erlangC(servers int, load float64) float64 {
	a := load * float64(servers)
	term, sum := 1.0, 0.0
	for k := range servers {
		sum += term
		term *= a / float64(k+1)
	}
	last := term / (1 - load)
	return last / (sum + last)
}

// Rows do not depend on the memo.
func TestMemoChangesNothing(t *testing.T) {
	log := drawn(400, 19)
	memo := &host{log: log, memo: map[any]any{}}
	for _, policy := range []string{"fcfs", "easy", "conservative"} {
		for _, load := range []float64{0.5, 0.9} {
			p := logPoint()
			p.Replication, p.Policy, p.Load, p.Estimates = "users", policy, load, "tsafrir:20h"
			with, without := run(t, p, 2, memo), run(t, p, 2, &host{log: log})
			if diff := cmp.Diff(without, with, ignoreRows); diff != "" {
				t.Errorf("%s at load %v: %s", policy, load, diff)
			}
			if diff := cmp.Diff(jobRows(without), jobRows(with)); diff != "" {
				t.Errorf("%s at load %v: %s", policy, load, diff)
			}
		}
	}
}

// Every parameter that can change the schedule of a busy log does.
func TestParametersMatter(t *testing.T) {
	log := drawn(800, 29)
	base := logPoint()
	base.Load, base.Estimates = 1.1, "user"
	plain := run(t, base, 0, &host{log: log})
	for name, change := range map[string]func(*Parameters){
		"policy":       func(p *Parameters) { p.Policy = "fcfs" },
		"order":        func(p *Parameters) { p.Order = "procs*estimate" },
		"estimates":    func(p *Parameters) { p.Estimates = "exact" },
		"overrun":      func(p *Parameters) { p.Overrun, p.Estimates = "run", "factor:0.5" },
		"instant":      func(p *Parameters) { p.Instant, p.ScaleRuntimes = "each", 0.01 },
		"pivot":        func(p *Parameters) { p.Pivot, p.Order = "kept", "saf" },
		"placement":    func(p *Parameters) { p.Placement, p.Policy = "fixed", "conservative" },
		"partitions":   func(p *Parameters) { p.Partitions = "1h" },
		"reservations": func(p *Parameters) { p.Reservations = "1d+5d:50" },
		"bound":        func(p *Parameters) { p.Bound = 5000 },
		"warmup":       func(p *Parameters) { p.Warmup = 24 * hour },
		"cooldown":     func(p *Parameters) { p.Cooldown = 24 * hour },
		"max_jobs":     func(p *Parameters) { p.MaxJobs = 700 },
		"scale":        func(p *Parameters) { p.Load, p.ScaleArrivals = 0, 0.1 },
	} {
		p := base
		change(&p)
		if o := run(t, p, 0, &host{log: log}); o.BoundedSlowdownMean == plain.BoundedSlowdownMean {
			t.Errorf("%s changes nothing: mean bounded slowdown %v", name, o.BoundedSlowdownMean)
		}
	}
}

// The second key of an order decides between jobs of equal scores.
func TestFurtherKeysMatter(t *testing.T) {
	log := drawn(800, 29)
	p := logPoint()
	p.Load, p.Order = 1.1, "sqf"
	one := run(t, p, 0, &host{log: log})
	p.Order = "sqf, -estimate"
	if two := run(t, p, 0, &host{log: log}); two.BoundedSlowdownMean == one.BoundedSlowdownMean {
		t.Errorf("the second key changes nothing: mean bounded slowdown %v", one.BoundedSlowdownMean)
	}
}

func BenchmarkSimulate(b *testing.B) {
	log := drawn(100_000, 31)
	for _, policy := range []string{"fcfs", "easy", "conservative"} {
		b.Run(policy, func(b *testing.B) {
			p := logPoint()
			p.Policy, p.Load, p.Estimates = policy, 0.85, "user"
			h := &host{log: log, memo: map[any]any{}}
			run(b, p, 0, h)
			b.ReportAllocs()
			for b.Loop() {
				run(b, p, 0, h)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(log.Jobs)), "ns/job")
		})
	}
}
