// Backgrounds for tests: of the real log, of the site model, and of short drawn logs.

package provisioning

import (
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
)

// ctcLog is the real log, read once.
var ctcLog = sync.OnceValues(func() ([]trace.Job, error) {
	const name = "CTC-SP2-1996-3.1-cln.swf.gz"
	file, err := os.Open(filepath.Join(os.Getenv("GRIDSWEEP_TRACES"), name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	return trace.NewReader(text, name, trace.Options{}).ReadAll()
})

// host is a host with a log, which keeps only the windows read from it.
type host struct {
	model.Host
	jobs []trace.Job
	kept map[any]any
}

func (h host) Memo(ctx context.Context, key any, build func(context.Context) (any, error)) (any, error) {
	if value, ok := h.kept[key]; ok {
		return value, nil
	}
	value, err := build(ctx)
	if jobs, ok := value.(workload.Recorded); ok {
		h.kept[key] = jobs
	}
	return value, err
}

func (h host) Trace(context.Context, string) (*trace.Log, error) {
	return &trace.Log{Jobs: h.jobs}, nil
}

// environment returns the environment of a replication with a log.
func environment(replication int, jobs []trace.Job) model.Env {
	return model.New(Spec).Env(1, replication, host{jobs: jobs, kept: map[any]any{}})
}

// logEnvironment is environment with the real log, or skips the test.
func logEnvironment(t testing.TB, replication int) model.Env {
	t.Helper()
	jobs, err := ctcLog()
	if err != nil {
		t.Skip("GRIDSWEEP_TRACES names no folder that has the log: ", err)
	}
	return environment(replication, jobs)
}

// testingT is a test or a rapid.T.
type testingT interface {
	Helper()
	Fatal(...any)
}

// load returns the background of a run.
func load(t testingT, p Parameters, env model.Env) *background {
	t.Helper()
	b, err := loadBackground(context.Background(), p, env)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// submittedAt returns when a replication submits the workflow.
func submittedAt(t testingT, p Parameters, b *background, replication int) int64 {
	t.Helper()
	at, err := drawSubmission(p, environment(replication, nil), b)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// drawRecorded draws a short log for a machine of some ten processors.
func drawRecorded(t *rapid.T) []trace.Job {
	jobs := make([]trace.Job, rapid.IntRange(1, 30).Draw(t, "jobs"))
	submit := int64(100)
	for i := range jobs {
		submit += rapid.Int64Range(0, 6).Draw(t, "gap")
		jobs[i] = trace.Job{
			ID: int64(i + 1), Submit: submit,
			Run: rapid.Int64Range(1, 20).Draw(t, "run"), Procs: rapid.Int32Range(1, 11).Draw(t, "procs"),
		}
	}
	return jobs
}

// drawParameters draws the parameters of a background.
func drawParameters(t *rapid.T) Parameters {
	p := defaults
	p.Trace = "drawn.swf@sha256:00"
	p.Nodes = rapid.Int64Range(8, 11).Draw(t, "nodes")
	p.Window = model.Seconds(rapid.SampledFrom([]int64{0, 40}).Draw(t, "window"))
	p.Copy = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "copy")
	p.CopyDelay = model.Seconds(rapid.Int64Range(0, 30).Draw(t, "delay"))
	p.Overestimate = rapid.SampledFrom([]float64{0, 10, 60, 250}).Draw(t, "overestimate")
	p.ReleaseTail = rapid.Bool().Draw(t, "release")
	p.Numbering = rapid.SampledFrom([]string{"at_query", "booked"}).Draw(t, "numbering")
	return p
}

// forEachLog runs a subtest for some backgrounds of the real log, where it is available, and of the
// site model.
func forEachLog(t *testing.T, test func(*testing.T, Parameters, *background)) {
	for name, trace := range map[string]string{"log": log, "model": model.TraceModel} {
		for _, c := range []struct {
			nodes        int64
			share        float64 // parameter copy
			overestimate float64
			releaseTail  bool
			numbering    string
		}{
			{nodes: 430, numbering: "at_query"}, {nodes: 430, numbering: "booked"}, {nodes: 338, numbering: "at_query"},
			{nodes: 430, share: 0.4, numbering: "at_query"},
			{nodes: 430, share: 0.2, overestimate: 20, releaseTail: true, numbering: "booked"},
		} {
			p := defaults
			p.Trace, p.Nodes, p.Copy, p.Numbering = trace, c.nodes, c.share, c.numbering
			p.Overestimate, p.ReleaseTail = c.overestimate, c.releaseTail
			title := fmt.Sprintf("%s/nodes=%d/copy=%g/overestimate=%g/%s", name, c.nodes, c.share, c.overestimate, c.numbering)
			t.Run(title, func(t *testing.T) {
				env := environment(0, nil)
				if trace != model.TraceModel {
					env = logEnvironment(t, 0)
				}
				test(t, p, load(t, p, env))
			})
		}
	}
}
