// Harness: a host with a log, small and drawn logs, and runs of a point.

package scheduling

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gridsweep/model"
	"gridsweep/model/trace"
)

// host is a host with a log, which keeps the values of Memo where memo is not nil.
type host struct {
	model.Host // nil: what is not below is not called
	log        *trace.Log
	memo       map[any]any
}

func (h *host) Memo(ctx context.Context, key any, build func(context.Context) (any, error)) (any, error) {
	if value, known := h.memo[key]; known {
		return value, nil
	}
	value, err := build(ctx)
	if err == nil && h.memo != nil {
		h.memo[key] = value
	}
	return value, err
}

func (h *host) Span(string, int) func() { return func() {} }

func (h *host) Trace(_ context.Context, name string) (*trace.Log, error) {
	if h.log == nil {
		return nil, fmt.Errorf("trace %s is not here", name)
	}
	return h.log, nil
}

// logPoint returns the defaults with a log, not varied, in place of a workload model.
func logPoint() Parameters {
	p := defaults
	p.Trace, p.Replication = "own.swf@sha256:00", "seeds"
	return p
}

// read returns the log of a text in the Standard Workload Format.
func read(t testing.TB, text string) *trace.Log {
	t.Helper()
	reader := trace.NewReader(strings.NewReader(text), "own.swf", trace.Options{})
	jobs, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return &trace.Log{Jobs: jobs, Header: reader.Header()}
}

// six is the log of docs/reference/simulate.md.
const six = `; MaxProcs: 10
1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1
2 10 -1 200 8 -1 -1 8 200 -1 1 2 1 1 0 1 -1 -1
3 20 -1 50 3 -1 -1 3 60 -1 1 1 1 1 1 1 -1 -1
4 30 -1 300 2 -1 -1 2 200 -1 1 3 1 1 1 1 -1 -1
5 40 -1 40 10 -1 -1 10 60 -1 1 2 1 1 1 1 -1 -1
6 100 -1 20 1 -1 -1 1 20 -1 1 -1 1 1 -1 1 -1 -1
`

// drawn returns a log of so many jobs on 64 processors, whose users submit for some weeks.
func drawn(jobs int, seed uint64) *trace.Log {
	random := rand.New(rand.NewPCG(seed, 0))
	log := &trace.Log{Header: &trace.Header{Lines: []string{"; MaxProcs: 64"}}}
	submit := int64(1000)
	for i := range jobs {
		submit += random.Int64N(2 * 4 * 7 * 24 * 3600 / int64(jobs))
		run := 1 + random.Int64N(1<<random.IntN(15))
		log.Jobs = append(log.Jobs, trace.Job{
			ID: int64(i) + 1, Submit: submit, Run: run, Procs: 1 + int32(random.IntN(40)), ReqTime: run + random.Int64N(5000),
			Status: 1, User: int32(random.IntN(12)), Queue: int32(random.IntN(3)), Partition: int32(random.IntN(2)), Site: -1,
		})
	}
	return log
}

var compiled = model.New(Spec)

// run simulates a point in a replication. The host is nil for workload models.
func run(t testing.TB, p Parameters, replication int, h *host) Outcome {
	t.Helper()
	if problems := validate(p); len(problems) > 0 {
		t.Fatal(problems)
	}
	outcome, err := simulateWith(t, p, replication, h)
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

func simulateWith(t testing.TB, p Parameters, replication int, h *host) (Outcome, error) {
	t.Helper()
	return simulate(t.Context(), p, envOf(replication, h))
}

func envOf(replication int, h *host) model.Env {
	if h == nil {
		return compiled.Env(1, replication, nil)
	}
	return compiled.Env(1, replication, h)
}

// jobRows returns the rows of the table jobs.
func jobRows(o Outcome) []JobRow {
	var rows []JobRow
	for row := range o.Each {
		rows = append(rows, row)
	}
	return rows
}
