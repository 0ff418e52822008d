// Specification tests: which parameters contradict each other, the shares of partitions, repeated
// and cancelled runs.

package multisite

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gridsweep/model"
	"gridsweep/model/trace"
)

// Tests of the specification: which parameters do not fit together, the shares of the sites,
// repeatable runs, and interruption.

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Parameters)
		field  string // of the problem
		text   string
	}{
		{"forecast without publications", func(p *Parameters) { p.Provider, p.Gateway = "ArEbMf", "least-load" }, "gateway",
			"earliest-partial"},
		{"deadlines without slots", func(p *Parameters) { p.Gateway, p.DeadlineShare = "least-load", 0.2 }, "deadline_share",
			"least-load"},
		{"training longer than warm-up", func(p *Parameters) { p.Training = p.Warmup + 1 }, "training", "longer than warmup"},
		{"warm-up longer than the workload", func(p *Parameters) { p.Months, p.Warmup = 1, 40*day }, "warmup",
			"leaves nothing"},
		{"warm-up as long as the workload", func(p *Parameters) { p.Months, p.Warmup = 1, trace.Month }, "warmup",
			"leaves nothing"},
		{"more checks than seconds", func(p *Parameters) { p.Interval, p.Checks = 60, 61 }, "checks", "61"},
		{"sizes that are none", func(p *Parameters) { p.Sizes = "144,x" }, "sizes", `"x"`},
		{"too few processors for partitions", func(p *Parameters) { p.Sizes, p.Provider = "144,2", "ArCbM" },
			"partition_shares", "cluster of 2"},
		{"weights that are none", func(p *Parameters) { p.Provider, p.Shares = "ArEbM", "1,0,1" }, "partition_shares",
			"weight 2"},
		{"too few weights", func(p *Parameters) { p.Provider, p.Shares = "ArEbM", "1,1" }, "partition_shares", "3 weights"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := defaults
			c.change(&p)
			problems := validate(p)
			if !slices.ContainsFunc(problems, func(problem model.Problem) bool {
				return problem.Field == c.field && strings.Contains(problem.Text, c.text)
			}) {
				t.Errorf("problems %q, want one of %s that names %s", problems, c.field, c.text)
			}
		})
	}
}

func TestShares(t *testing.T) {
	for _, c := range []struct {
		weights string
		procs   int32
		want    []int32
	}{{"1,1,1", 144, []int32{48, 48, 48}}, {"1,1,1", 64, []int32{22, 21, 21}}, {"2,1,1", 64, []int32{32, 16, 16}},
		{"1, 1, 2", 64, []int32{16, 16, 32}}} {
		have, err := shares(c.weights, 3, c.procs)
		if diff := cmp.Diff(c.want, have); diff != "" || err != nil {
			t.Errorf("%d processors by %s: %v, want %v (%v)", c.procs, c.weights, have, c.want, err)
		}
	}
}

// A run repeats, and another replication is another run.
func TestSimulateRepeats(t *testing.T) {
	p := defaults
	p.Sizes, p.Months, p.Warmup, p.Training, p.Trace, p.DeadlineShare = "16,8", 1, 2*day, day, model.TraceModel, 0.2
	p.Provider = "ArEbMf"
	run := func(replication int) Outcome {
		o, err := simulate(context.Background(), p, environment(replication, nil))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	differ := func(a, b Outcome) string { return cmp.Diff(a, b, cmpopts.IgnoreFields(Outcome{}, "Jobs")) }
	first := run(0)
	if diff := differ(first, run(0)); diff != "" {
		t.Errorf("a second run differs:\n%s", diff)
	}
	if differ(first, run(1)) == "" {
		t.Error("another replication is the same run")
	}
	if first.GridJobs == 0 || first.LocalJobs == 0 || first.Messages == 0 || first.GridDropped == 0 {
		t.Errorf("no Grid jobs, local jobs, messages or dropped jobs: %+v", first)
	}
}

func TestSimulateStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := defaults
	p.Trace = model.TraceModel
	if _, err := simulate(ctx, p, environment(0, nil)); err == nil {
		t.Error("a cancelled run has an outcome")
	}
}
