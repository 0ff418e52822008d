// Traces in plans: a resolver that records its calls stands for the library of traces. The points,
// ids and messages of a plan are checked against names, paths and checksums written here, for
// traces that are there, missing ones and stand-in workloads.

package sweeps

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/configs"
	"gridsweep/model"
)

type tracedParameters struct {
	Policy string `name:"policy" range:"fcfs|easy"`
	Sites  int64  `name:"sites" range:"[0,2]"`
	Trace  string `name:"trace"`
}

// tracedModel reads the traces of as many sites as a point has.
var tracedModel = model.New(model.Spec[tracedParameters, outcome]{
	Name: "traced", Version: 1,
	Defaults: tracedParameters{Policy: "fcfs", Sites: 1, Trace: "auto"},
	Validate: func(tracedParameters) []model.Problem { return nil },
	Traces:   func(p tracedParameters) []string { return []string{"das2", "auvergrid"}[:p.Sites] },
	Cost:     func(tracedParameters) float64 { return 1 },
	Simulate: func(context.Context, tracedParameters, model.Env) (outcome, error) { return outcome{}, nil },
})

// resolver resolves all traces, with one checksum, and records its calls.
type resolver struct {
	sum   string
	calls []string
}

func (r *resolver) resolve(_ context.Context, value, folder string, names []string) (string, error) {
	r.calls = append(r.calls, fmt.Sprintf("%s in %q for %v", value, filepath.Base(folder), names))
	switch value {
	case "model":
		return value, nil
	case "auto":
		return strings.Join(names, "@"+r.sum+",") + "@" + r.sum, nil
	case "gone":
		return "", errors.New("trace gone is nowhere")
	}
	return filepath.Base(value) + "@" + r.sum, nil
}

func expandTraced(t *testing.T, text string, options Options) (*Plan, error) {
	t.Helper()
	return Expand(t.Context(), read(t, text), tracedModel, options)
}

func mustExpandTraced(t *testing.T, text string, options Options) *Plan {
	t.Helper()
	plan, err := expandTraced(t, text, options)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func traceOf(p model.Point) string { return p[tracedModel.Parameter("trace")].Text() }

const tracedStudy = `
study: traced
model: traced
trace: %s
factors:
  policy: [fcfs, easy]
  workload:
    as before: {}
    own: {trace: own.swf}
experiments:
  crossed: {cross: [policy, workload], rounds: 2}
`

// The parameter trace is resolved in every point, whether it is set at the top, in a level or on
// the command line. Paths are relative to the file that sets it.
func TestTracesAreResolved(t *testing.T) {
	r := &resolver{sum: "1"}
	study := fmt.Sprintf(tracedStudy, "auto")
	plan := mustExpandTraced(t, study, Options{Traces: r.resolve})
	var got []string
	for _, c := range plan.Experiments[0].Cells {
		got = append(got, strings.Join(c.Labels, ",")+": "+traceOf(c.Point))
		for _, run := range c.Runs {
			if plan.Runs[run].Point[tracedModel.Parameter("trace")] != c.Point[tracedModel.Parameter("trace")] {
				t.Errorf("cell %v has a run of another trace", c.Labels)
			}
		}
	}
	want := []string{
		"fcfs,as before: das2@1", "fcfs,own: own.swf@1", "easy,as before: das2@1", "easy,own: own.swf@1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"das2@1", "own.swf@1"}, plan.Traces()); diff != "" {
		t.Error(diff)
	}
	if traceOf(plan.Base) != "das2@1" {
		t.Errorf("elsewhere holds %s", traceOf(plan.Base))
	}
	// A study file lies in a folder of its own, 001.
	slices.Sort(r.calls)
	calls := []string{`auto in "001" for [das2]`, `own.swf in "001" for [das2]`}
	if diff := cmp.Diff(calls, slices.Compact(r.calls)); diff != "" {
		t.Error(diff)
	}

	r.calls = nil
	set := configs.Text{Value: "mine.swf", Pos: configs.Pos{File: "--set"}}
	options := Options{Traces: r.resolve, Set: []configs.Setting{{Name: configs.Text{Value: "trace"}, Value: set,
		Key: "trace"}}}
	options.Levels = []configs.Selection{{Dimension: configs.Text{Value: "workload"},
		Labels: []configs.Text{{Value: "as before"}}}}
	plan = mustExpandTraced(t, study, options)
	if diff := cmp.Diff([]string{"mine.swf@1"}, plan.Traces()); diff != "" {
		t.Error(diff)
	}
	if r.calls[0] != `mine.swf in "." for [das2]` {
		t.Errorf("called with %s", r.calls[0])
	}
}

// The ids of runs depend on the checksums of their traces.
func TestChecksumsAreInIDs(t *testing.T) {
	study := fmt.Sprintf(tracedStudy, "auto")
	ids := func(sum string) []string {
		var ids []string
		for _, run := range mustExpandTraced(t, study, Options{Traces: (&resolver{sum: sum}).resolve}).Runs {
			ids = append(ids, run.ID)
		}
		return ids
	}
	first, other := ids("1"), ids("2")
	if diff := cmp.Diff(first, ids("1")); diff != "" {
		t.Error(diff)
	}
	for _, id := range first {
		if slices.Contains(other, id) {
			t.Errorf("run %s is of both traces", id)
		}
	}
}

// A missing trace is reported at the position of its name.
func TestTracesNotFound(t *testing.T) {
	for study, want := range map[string]string{
		fmt.Sprintf(tracedStudy, "gone"): "study.yaml:4:8: trace: trace gone is nowhere\n    trace: gone\n           ^",
		strings.Replace(fmt.Sprintf(tracedStudy, "model"), "own.swf", "gone",
			1): "study.yaml:9:18: factors.workload.own.trace: " +
			"trace gone is nowhere (level own of workload)\n        own: {trace: gone}\n                     ^",
	} {
		_, err := expandTraced(t, study, Options{Traces: (&resolver{}).resolve})
		var problems configs.Problems
		if !errors.As(err, &problems) || len(problems) != 1 || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got\n%v\nwant\n%s", err, want)
		}
	}
}

// Points that read no trace are the same run for all values of the parameter trace.
func TestPointsWithoutTraces(t *testing.T) {
	study := strings.Replace(fmt.Sprintf(tracedStudy, "auto"), "crossed: {", "crossed: {set: {sites: 0}, ", 1)
	r := &resolver{sum: "1"}
	plan := mustExpandTraced(t, study, Options{Traces: r.resolve})
	if len(plan.Runs) != 4 || !cmp.Equal(plan.Traces(), []string{"model"}) {
		t.Errorf("%d runs of %v", len(plan.Runs), plan.Traces())
	}
	for _, call := range r.calls { // for the parameters outside of the experiment
		if call != `auto in "001" for [das2]` {
			t.Errorf("called with %s", call)
		}
	}
	// A model without traces resolves none, and its parameters do not change.
	r.calls = nil
	plain, err := Expand(t.Context(), read(t, testStudy), testModel, Options{Traces: r.resolve})
	if err != nil || len(r.calls) > 0 || plain.Traces() != nil {
		t.Errorf("called with %v; traces %v; %v", r.calls, plain.Traces(), err)
	}
	_, err = Expand(t.Context(), read(t, testStudy+"trace: auto\n"), testModel, Options{Traces: r.resolve})
	if err == nil || !strings.Contains(err.Error(),
		": trace: model queue reads no traces; leave it out\n    trace: auto") {
		t.Errorf("error %v", err)
	}
}

// A model with one workload model uses it as the stand-in, without a name.
func TestStandIn(t *testing.T) {
	r := &resolver{sum: "1"}
	if _, err := expandTraced(t, fmt.Sprintf(tracedStudy, "das2|model"), Options{Traces: r.resolve}); err != nil {
		t.Error(err)
	}
	_, err := expandTraced(t, fmt.Sprintf(tracedStudy, "das2|lublin"), Options{Traces: r.resolve})
	const want = `"lublin": model traced has one workload model: write model behind |`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}

// namedModel reads the trace that the parameter names, or uses the workload model a or b.
var namedModel = model.New(model.Spec[tracedParameters, outcome]{
	Name: "named", Version: 1,
	Defaults: tracedParameters{Policy: "fcfs", Trace: "auto"},
	Validate: func(tracedParameters) []model.Problem { return nil },
	Traces: func(p tracedParameters) []string {
		name, _, _ := model.SplitStandIn(p.Trace)
		if name == "auto" || name == "b" {
			return nil
		}
		return []string{model.TraceName(name)}
	},
	Workload: func(p tracedParameters) string {
		if strings.HasSuffix(p.Trace, "b") {
			return "b"
		}
		return "a"
	},
	Cost:     func(tracedParameters) float64 { return 1 },
	Simulate: func(context.Context, tracedParameters, model.Env) (outcome, error) { return outcome{}, nil },
})

// Traces and workload models are levels of one factor; what a run uses is resolved in its point.
func TestTracesAndWorkloadModelsAreLevels(t *testing.T) {
	const text = `
study: named
model: named
factors:
  trace: [auto, b, own.swf, das2, lost|b, there|b]
experiments:
  all: {cross: trace, rounds: 2}
`
	resolve := func(_ context.Context, value, _ string, names []string) (string, error) {
		if value == "lost|b" {
			return model.TraceModel, nil
		}
		return names[0] + "@1", nil
	}
	plan, err := Expand(t.Context(), read(t, text), namedModel, Options{Traces: resolve})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range plan.Experiments[0].Cells {
		got = append(got, c.Labels[0]+": "+traceOf(c.Point))
	}
	want := []string{
		"auto: model:a", "b: model:b", "own.swf: own.swf@1", "das2: das2@1", "lost|b: model:b", "there|b: there@1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// The level b and the stand-in for the missing trace are the same runs.
	if len(plan.Runs) != 10 {
		t.Errorf("%d runs, want 10", len(plan.Runs))
	}
}

type programParameters struct {
	Policy string `name:"policy"`
}

// programModel runs the program that its policy names.
var programModel = model.New(model.Spec[programParameters, outcome]{
	Name: "programmed", Version: 1, Program: "policy",
	Defaults: programParameters{Policy: "fcfs"},
	Validate: func(p programParameters) []model.Problem { return nil },
	Cost:     func(programParameters) float64 { return 1 },
	Simulate: func(context.Context, programParameters, model.Env) (outcome, error) { return outcome{}, nil },
})

// Programs are levels of a factor beside other policies. Their paths are relative to the file that
// names them, and what is wrong with one is reported there.
func TestProgramsAreResolved(t *testing.T) {
	const text = `
study: programs
model: programmed
factors:
  policy: [easy, "exec:./p.py -n 3"]
experiments:
  all: {cross: policy, rounds: 2}
`
	var asked []string
	sum := "1"
	options := Options{Programs: func(_ context.Context, value, folder string) (string, error) {
		asked = append(asked, filepath.Base(folder)+" "+value)
		if strings.Contains(value, "lost") {
			return "", errors.New("program lost is nowhere")
		}
		return value + "@sha256:" + sum, nil
	}}
	expand := func() *Plan {
		t.Helper()
		plan, err := Expand(t.Context(), read(t, text), programModel, options)
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	plan := expand()
	var policies []string
	for _, c := range plan.Experiments[0].Cells {
		policies = append(policies, c.Labels[0]+": "+c.Point[0].Text())
	}
	want := []string{"easy: easy", "exec:./p.py -n 3: exec:./p.py -n 3@sha256:1"}
	if diff := cmp.Diff(want, policies); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"001 exec:./p.py -n 3"}, asked); diff != "" {
		t.Error(diff)
	}
	// Another program makes other runs of its policy, and no others.
	same := map[string]bool{}
	for _, run := range plan.Runs {
		same[run.ID] = true
	}
	sum = "2"
	kept := 0
	for _, run := range expand().Runs {
		if same[run.ID] {
			kept++
		}
	}
	if kept != 2 || len(same) != 4 {
		t.Errorf("%d of %d runs are those of the former program, want 2 of 4", kept, len(same))
	}
	_, err := Expand(t.Context(), read(t, strings.Replace(text, "./p.py -n 3", "lost", 1)), programModel, options)
	if err == nil || !strings.Contains(err.Error(), "study.yaml:5:18: factors.policy: program lost is nowhere") {
		t.Errorf("error %v", err)
	}
}
