// Comparison with the naive simulator: every decision and message under all pairs of policies, on
// drawn workloads and assumptions.

package multisite

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model"
	"gridsweep/model/workload"
)

// TestNaive compares every decision with that of the naive simulator, under all pairs of policies,
// on small workloads and all assumptions mixed. The naive simulator has all parameters, the other
// one the canonical ones, which leave the base run as it is.
func TestNaive(t *testing.T) {
	for _, provider := range []string{"ArEb", "ArCb", "ArEbM", "ArCbM"} {
		for _, gateway := range []string{"least-load", "earliest-ask", "earliest-partial"} {
			t.Run(provider+"+"+gateway, func(t *testing.T) { compare(t, provider, gateway, "") })
		}
	}
	for _, underestimate := range []string{"republish", "resize", "ignore"} {
		t.Run("ArEbMf+earliest-partial "+underestimate, func(t *testing.T) {
			compare(t, "ArEbMf", "earliest-partial", underestimate)
		})
	}
}

func compare(t *testing.T, provider, gateway, underestimate string) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]int64{1, 1, 10, 100}).Draw(t, "unit of time")
		p := drawParameters(t, unit)
		p.Provider, p.Gateway, p.Underestimate = provider, gateway, underestimate
		p.Sizes, p.Shares = drawClusters(t, p.Provider)
		w := drawJobs(t, p, unit)
		if w.deadlines == nil {
			p.DeadlineShare = 0
		}

		baseP := baseParameters(p)
		baseP.Warmup = p.Warmup // so that messages are compared
		baseWant := naiveBase(p, w)
		baseGot := simulated(t, baseP, &jobs{gridJobs: w.gridJobs, localJobs: w.localJobs}, nil, never)
		requireSame(t, "base run", baseWant, baseGot, p, w)

		until := w.lastArrival()
		if rapid.IntRange(0, 3).Draw(t, "to the end") == 0 {
			until = never
		}
		want := newNaiveWorld(p, w, baseWant)
		want.run(until)
		requireSame(t, "run", want, simulated(t, canonical(p), w, baseGot.starts(), until), p, w)
		if have, want := baseParameters(canonical(p)), baseParameters(p); have != want {
			t.Fatalf("parameters of the base run: %+v from the canonical ones, want %+v", have, want)
		}
	})
}

func simulated(t *rapid.T, p Parameters, w *jobs, base *baseStarts, until int64) *world {
	t.Helper()
	world, err := newWorld(p, w, base)
	if err != nil {
		t.Fatalf("newWorld: %v\n%s", err, describe(p, w))
	}
	if err := world.run(context.Background(), until); err != nil {
		t.Fatalf("run: %v\n%s", err, describe(p, w))
	}
	return world
}

// decided has the decisions on a Grid job that are compared.
type decided struct {
	Provider        int // -1 if it was rejected
	Expected, Start int64
	Refusals        int
	WithoutSlot     bool
}

// outcome has the results of a run that are compared.
type outcome struct {
	GridJobs    []decided
	Local       [][]int64
	Messages    map[string]int64
	Republished int64
}

func requireSame(t *rapid.T, name string, want *naiveWorld, got *world, p Parameters, w *jobs) {
	t.Helper()
	a := outcome{Messages: want.messages, Republished: want.published}
	b := outcome{Messages: map[string]int64{}, Republished: got.republished}
	for i := range w.gridJobs {
		x, y := want.gridJobs[i], got.decisions[i]
		a.GridJobs = append(a.GridJobs, decided{x.provider, x.expected, want.started(x.job), x.refusals, x.withoutSlot})
		b.GridJobs = append(b.GridJobs, decided{max(-1, int(y.provider)), y.expected, got.gridStart(i), int(y.refusals),
			y.withoutSlot})
	}
	for provider, list := range w.localJobs {
		startsA, startsB := make([]int64, len(list)), make([]int64, len(list))
		for i := range list {
			startsA[i] = want.started(want.providers[provider].local[i])
			startsB[i] = got.localStart(provider, i)
		}
		a.Local, b.Local = append(a.Local, startsA), append(b.Local, startsB)
	}
	for k, count := range got.messages {
		if count != 0 {
			b.Messages[messageNames[k]] = count
		}
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Fatalf("%s: (-naive +got):\n%s\n%s", name, diff, describe(p, w))
	}
}

// describe returns the parameters and jobs of a case as text.
func describe(p Parameters, w *jobs) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%+v\ngrid\n", p)
	for i, j := range w.gridJobs {
		fmt.Fprintf(&text, "  %d: submit %d run %d procs %d", i, j.Submit, j.Run, j.Procs)
		if w.deadlines != nil && w.deadlines[i] != never {
			fmt.Fprintf(&text, " deadline %d", w.deadlines[i])
		}
		text.WriteString("\n")
	}
	for provider, list := range w.localJobs {
		fmt.Fprintf(&text, "local %d\n", provider)
		for i, j := range list {
			fmt.Fprintf(&text, "  %d: submit %d run %d procs %d\n", i, j.Submit, j.Run, j.Procs)
		}
	}
	return text.String()
}

// drawParameters draws assumptions and short times.
func drawParameters(t *rapid.T, unit int64) Parameters {
	one := func(name string, values ...string) string { return rapid.SampledFrom(values).Draw(t, name) }
	seconds := func(name string, from, to int64) model.Seconds {
		return model.Seconds(rapid.Int64Range(from, to).Draw(t, name))
	}
	p := defaults
	p.Interval = seconds("interval", unit, 50*unit)
	p.ReportInterval = seconds("report interval", unit, 50*unit)
	p.Warmup = seconds("warm-up", 0, rapid.SampledFrom([]int64{0, 20, 100}).Draw(t, "at most")*unit)
	p.Training = seconds("training", 0, int64(p.Warmup))
	p.Checks = rapid.Int64Range(1, min(6, int64(p.Interval))).Draw(t, "checks")
	p.Horizon = one("horizon", "unlimited", "interval")
	p.Deadline = one("deadline", "as_printed", "reject_late")
	p.CountsWaiting = rapid.Bool().Draw(t, "counts waiting")
	p.Pivot = one("pivot", "kept", "replanned")
	p.Placement = one("placement", "count", "fixed")
	p.Forecast = one("forecast", "average", "oracle")
	p.Line8 = one("line 8", "forecast", "actual")
	p.ForecastLoad = one("forecast load", "demand", "running")
	p.NoShare = one("no share", "silent", "empty")
	return p
}

// drawClusters returns the sizes of the providers and shares that leave each partition a processor.
func drawClusters(t *rapid.T, provider string) (sizes, shares string) {
	least := 1
	switch provider {
	case "ArEbM", "ArCbM":
		least = 3
	case "ArEbMf":
		least = 2
	}
	providers := rapid.SampledFrom([]int{1, 2, 3, 3}).Draw(t, "providers")
	procs := rapid.SliceOfN(rapid.IntRange(least, 12), providers, providers).Draw(t, "sizes")
	weights := rapid.SliceOfN(rapid.IntRange(1, 3), 3, 3).Draw(t, "shares")
	sum := weights[0] + weights[1] + weights[2]
	if slices.Min(procs)*slices.Min(weights) < sum {
		weights = []int{1, 1, 1}
	}
	return joined(procs), joined(weights)
}

func joined(numbers []int) string {
	fields := make([]string, len(numbers))
	for i, number := range numbers {
		fields[i] = strconv.Itoa(number)
	}
	return strings.Join(fields, ",")
}

// drawJobs draws the workloads of providers and Grid, and deadlines where the gateway's policy uses
// them.
func drawJobs(t *rapid.T, p Parameters, unit int64) *jobs {
	sizes := workload.Sizes(p.Sizes)
	w := &jobs{localJobs: make([][]job, len(sizes))}
	w.gridJobs = drawList(t, "grid", unit, int(slices.Max(sizes)))
	for i, size := range sizes {
		w.localJobs[i] = drawList(t, "local", unit, int(size))
	}
	if rapid.IntRange(0, 3).Draw(t, "ends in the second of a check") == 0 {
		check := w.lastArrival()*p.Checks/int64(p.Interval) + 1
		w.gridJobs = append(w.gridJobs, job{Submit: int64(p.Interval) * check / p.Checks, Run: 1, Procs: 1})
	}
	if p.Gateway != "least-load" && rapid.Bool().Draw(t, "with deadlines") {
		for _, j := range w.gridJobs {
			deadline := int64(never)
			if rapid.Bool().Draw(t, "has a deadline") {
				deadline = j.Submit + j.Run + rapid.Int64Range(0, 30*unit).Draw(t, "slack")
			}
			w.deadlines = append(w.deadlines, deadline)
		}
	}
	return w
}

// drawList draws jobs in the order of their submits, many in one second, some around the boundaries
// of Equation 1.
func drawList(t *rapid.T, name string, unit int64, most int) []job {
	short, few := rapid.Int64Range(1, 5*unit), rapid.IntRange(1, (most+2)/3)
	run, procs := rapid.OneOf(short, rapid.Int64Range(1, 20*unit)), rapid.OneOf(few, rapid.IntRange(1, most))
	if unit > 1 {
		run = rapid.OneOf(run, run, rapid.SampledFrom([]int64{999, 1000, 1001, 9999, 10000, 10001}))
	}
	if rapid.Bool().Draw(t, "light") {
		run, procs = short, few
	}
	least := rapid.SampledFrom([]int{0, 3, 10, 30}).Draw(t, "least number of jobs")
	list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) job {
		return job{
			Submit: rapid.Int64Range(0, 120*unit).Draw(t, "submit"),
			Run:    run.Draw(t, "run"),
			Procs:  int32(procs.Draw(t, "procs")),
		}
	}), least, 40).Draw(t, name)
	slices.SortStableFunc(list, func(a, b job) int { return int(a.Submit - b.Submit) })
	return list
}
