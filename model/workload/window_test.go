// Window tests: how windows of a trace or a site model are cleaned, cut, chosen by their number of
// jobs, and shared between replications.

package workload

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model"
	"gridsweep/model/rng"
	"gridsweep/model/trace"
)

const day = 86400

// host is a host with one trace, of DAS-2, which counts the values built by Memo.
type host struct {
	model.Host
	jobs   []trace.Job
	kept   map[any]any
	builds int
}

func (h *host) Memo(ctx context.Context, key any, build func(context.Context) (any, error)) (any, error) {
	if value, ok := h.kept[key]; ok {
		return value, nil
	}
	h.builds++
	value, err := build(ctx)
	if err == nil {
		h.kept[key] = value
	}
	return value, err
}

func (h *host) Trace(_ context.Context, name string) (*trace.Log, error) {
	if name != "das2" {
		return nil, errors.New("no trace " + name)
	}
	return &trace.Log{Jobs: h.jobs}, nil
}

// read reads a window in a replication.
func (h *host) read(w Window, replication int) (Recorded, error) {
	if h.kept == nil {
		h.kept = map[any]any{}
	}
	return w.Read(context.Background(), environments.Env(1, replication, h))
}

// environments is an empty model, for the environments of its replications.
var environments = model.New(model.Spec[struct{}, struct {
	One int64 `name:"one" doc:"one"`
}]{Name: "none", Title: "none", Version: 1})

// A window of a trace has the jobs that cleaning keeps, sorted, with submits from the window's
// beginning on.
func TestWindowOfATrace(t *testing.T) {
	recorded := []trace.Job{
		{ID: 1, Submit: 400, Run: 0, Procs: 1}, // never ran: the first submit is the next one's
		{ID: 2, Submit: 1000, Run: 10, Procs: 1},
		{ID: 3, Submit: 1007, Run: 30, Procs: -1, ReqProcs: 3},
		{ID: 4, Submit: 1005, Run: 20, Procs: 2},
		{ID: 5, Submit: 1005, Run: 25, Procs: 9},
		{ID: 6, Submit: -1, Run: 10, Procs: 1},
		{ID: 7, Submit: 1006, Run: 40, Procs: 4, Status: 3},
		{ID: 8, Submit: 1020, Run: 50, Procs: 1},
	}
	before := slices.Clone(recorded)
	das2 := Window{Site: "das2", Trace: "my.swf@sha256:00"}
	for _, c := range []struct {
		name   string
		change func(*Window)
		want   Recorded
	}{
		{"all", func(*Window) {}, Recorded{Jobs: []Job{{0, 10, 1}, {5, 20, 2}, {5, 25, 9}, {7, 30, 3}, {20, 50, 1}}}},
		{"a span", func(w *Window) { w.From, w.Span = 5, 15 }, Recorded{Jobs: []Job{{0, 20, 2}, {0, 25, 9}, {2, 30, 3}}}},
		{"to the end", func(w *Window) { w.From = 6 }, Recorded{Jobs: []Job{{1, 30, 3}, {14, 50, 1}}}},
		{"no larger ones", func(w *Window) { w.Largest = 2 }, Recorded{[]Job{{0, 10, 1}, {5, 20, 2}, {20, 50, 1}}, 2}},
		{"after the first two", func(w *Window) { w.Skip, w.Span = 2, 3 }, Recorded{Jobs: []Job{{0, 25, 9}, {2, 30, 3}}}},
		{"three jobs in 3 s", func(w *Window) { w.Jobs, w.Span = 3, 3 },
			Recorded{Jobs: []Job{{0, 20, 2}, {0, 25, 9}, {2, 30, 3}}}},
	} {
		w := das2
		c.change(&w)
		have, err := (&host{jobs: recorded}).read(w, 0)
		if diff := cmp.Diff(c.want, have); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +have):\n%s", c.name, err, diff)
		}
	}
	if diff := cmp.Diff(before, recorded); diff != "" {
		t.Errorf("the trace, which runs share, was changed:\n%s", diff)
	}
}

// Replications share a window of a trace, and one of a site model where they have the same seed for
// it.
func TestWindowsAreShared(t *testing.T) {
	h := &host{jobs: []trace.Job{{Submit: 5, Run: 1, Procs: 1}}}
	common, own := rng.New("common"), [2]rng.Source{rng.New("round 1"), rng.New("round 2")}
	for _, c := range []struct {
		name   string
		window func(replication int) Window
		builds int
	}{
		{"a trace", func(replication int) Window { return Window{Site: "das2", Trace: "x", Seed: own[replication]} }, 1},
		{"a model", func(int) Window { return Window{Site: "das2", Trace: model.TraceModel, Seed: common, Span: day} }, 1},
		{"a model of each replication", func(replication int) Window {
			return Window{Site: "das2", Trace: model.TraceModel, Seed: own[replication], Span: day}
		}, 2},
	} {
		h.builds = 0
		for replication := range 2 {
			if _, err := h.read(c.window(replication), replication); err != nil {
				t.Fatal(err)
			}
		}
		if h.builds != c.builds {
			t.Errorf("%s: read %d times in two replications, want %d", c.name, h.builds, c.builds)
		}
	}
}

// A site model draws the window itself, or its whole log, of which the window is cut as of a trace.
func TestWindowOfASiteModel(t *testing.T) {
	m, err := Find("ctc-sp2")
	if err != nil {
		t.Fatal(err)
	}
	w := Window{Site: "ctc-sp2", Trace: model.TraceModel, Seed: rng.New("seed"), Jobs: 50, Span: day}
	drawn, err := m.Generate(context.Background(), Options{Jobs: 50, Span: day}, w.Seed)
	if err != nil {
		t.Fatal(err)
	}
	if have, err := (&host{}).read(w, 0); err != nil || !slices.Equal(have.Jobs, Rigid(drawn)) {
		t.Errorf("50 jobs in a day: %v, %d jobs that are not those of the model", err, len(have.Jobs))
	}
	w = Window{Site: "ctc-sp2", Trace: model.TraceModel, Seed: w.Seed, Whole: true, From: 30 * day, Span: 7 * day}
	// the jobs of the log
	whole, err := m.Generate(context.Background(), Options{Jobs: 77_222}, w.Seed)
	if err != nil {
		t.Fatal(err)
	}
	want := Rigid(trace.Window(whole, trace.Rules{}, w.From, w.From+w.Span))
	if have, err := (&host{}).read(w, 0); err != nil || len(want) == 0 || !slices.Equal(have.Jobs, want) {
		t.Errorf("a week of the whole log: %v, %d jobs, want %d", err, len(have.Jobs), len(want))
	}
}

func TestWindowErrors(t *testing.T) {
	jobs := func() (all []trace.Job) {
		for i := range int64(20) {
			all = append(all, trace.Job{ID: i + 1, Submit: 1000 + i*day/2, Run: 1, Procs: 1})
		}
		return all
	}
	for _, c := range []struct {
		change func(*Window, *host)
		want   string
	}{
		{func(w *Window, _ *host) { w.Skip = 20 },
			"trace my.swf has 20 jobs and skip leaves out 20: set skip to less than 20"},
		{func(w *Window, _ *host) { w.Skip = 1e9 },
			"trace my.swf has 20 jobs and skip leaves out 1000000000: set skip to less than 20"},
		{func(_ *Window, h *host) { h.jobs = []trace.Job{{ID: 1, Procs: 1}} },
			"trace my.swf has no job with a run time and processors: take another"},
		{func(w *Window, _ *host) { w.From = 10 * day },
			"trace my.swf has no job in the window that begins on day 10 of its 9.5 days: change begin or window"},
		{func(w *Window, _ *host) { w.From, w.Span = day/4, 3600 },
			"trace my.swf has no job in the window that begins on day 0.25 of its 9.5 days: change begin or window"},
		{func(_ *Window, h *host) { h.jobs[3].Run = 1<<32 + 1 },
			"trace my.swf has a run time of 4294967297 s in job 4, want at most 4294967296"},
		{func(_ *Window, h *host) {
			for i := range h.jobs {
				h.jobs[i].Run, h.jobs[i].Procs = 1<<32, 1<<28
			}
		}, "trace my.swf has 2.31e+18 processor-seconds in its jobs up to job 2, want at most 1.15e+18"},
		{func(_ *Window, h *host) { h.jobs[1].Run, h.jobs[1].Procs = 1<<32, math.MaxInt32 },
			"trace my.swf has 9.22e+18 processor-seconds in its jobs up to job 2, want at most 1.15e+18"},
		{func(w *Window, _ *host) { w.Site = "sharcnet" }, "no trace sharcnet"},
	} {
		w, h := Window{Site: "das2", Trace: "my.swf@sha256:00", Parameters: "begin or window"}, &host{jobs: jobs()}
		c.change(&w, h)
		if have, err := h.read(w, 0); err == nil || err.Error() != c.want {
			t.Errorf("%d jobs, error %v, want %s", len(have.Jobs), err, c.want)
		}
	}
	// Jobs outside of the window cause no error.
	w, h := Window{Site: "das2", Trace: "my.swf@sha256:00", From: 5 * day}, &host{jobs: jobs()}
	h.jobs[3].Run = 1<<32 + 1
	if _, err := h.read(w, 0); err != nil {
		t.Error(err)
	}
}

// A window with a number of jobs begins with the first job from which on the number within the span
// is nearest to it.
func TestNearest(t *testing.T) {
	const span = 14 * day
	rapid.Check(t, func(t *rapid.T) {
		gaps := rapid.SliceOfN(rapid.SampledFrom([]int64{0, 0, 1, day, 3 * day, 7 * day, span - 1, span, span + 1}), 1,
			40).Draw(t, "gaps")
		var jobs []trace.Job
		at := int64(0)
		for _, gap := range gaps {
			at += gap
			jobs = append(jobs, trace.Job{Submit: at, Run: 1, Procs: 1})
		}
		wanted := rapid.Int64Range(1, 12).Draw(t, "wanted")
		var best []int32
		least := int64(math.MaxInt64)
		for first := range jobs {
			var window []int32
			for i := range jobs {
				if after := jobs[i].Submit - jobs[first].Submit; after >= 0 && after < span {
					window = append(window, int32(i))
				}
			}
			off := int64(len(window)) - wanted
			if off = max(off, -off); off < least {
				best, least = window, off
			}
		}
		if have := nearest(jobs, trace.Order(jobs, trace.Rules{}), span, wanted); !slices.Equal(best, have) {
			t.Fatalf("have %v, want %v", have, best)
		}
	})
}

// BenchmarkWindow finds the two weeks of a trace of a million jobs whose number of jobs is nearest
// to 13,283.
func BenchmarkWindow(b *testing.B) {
	recorded := make([]trace.Job, 1_000_000)
	for i := range recorded {
		recorded[i] = trace.Job{ID: int64(i) + 1, Submit: int64(i) * 31, Run: 100, Procs: 1}
	}
	b.ReportAllocs()
	for b.Loop() {
		w := Window{Site: "das2", Trace: "x", Skip: 50_000, Span: 14 * day, Jobs: 13_283}
		if _, err := (&host{jobs: recorded}).read(w, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(recorded))*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}
