// The host of a run: it measures sections of the run, shares values, opens traces and starts
// programs.

package pipeline

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"gridsweep/model"
	"gridsweep/model/trace"
	"gridsweep/results"
)

// What Options.Trace and Options.Program are.
type (
	traceOpener   = func(ctx context.Context, reference string) (*trace.Log, error)
	programOpener = func(ctx context.Context, reference string) (model.Program, error)
)

// host is the model.Host of one run. It is used by the goroutine of the simulation alone.
type host struct {
	memo     *memo // nil: every value is built
	traces   namedTraces
	program  programOpener
	sections []section     // sections in the order of their first end
	building []any         // the keys that are being built, outermost first
	outside  time.Duration // spent in Memo so far, which no section includes
}

// section is work of one name in a run.
type section struct {
	name  string
	items int
	spent time.Duration
}

// Span adds the time until end is called to the section, without the time spent in Memo, since it
// is chance which run builds a shared value.
func (h *host) Span(name string, items int) (end func()) {
	start, outside := time.Now(), h.outside
	return func() {
		h.add(name, items, time.Since(start)-(h.outside-outside))
	}
}

func (h *host) add(name string, items int, spent time.Duration) {
	i := slices.IndexFunc(h.sections, func(s section) bool { return s.name == name })
	if i < 0 {
		i = len(h.sections)
		h.sections = append(h.sections, section{name: name})
	}
	h.sections[i].items += items
	h.sections[i].spent += spent
}

// Memo returns the shared value of key. It panics if building a value needs that value itself,
// which would be a deadlock.
func (h *host) Memo(ctx context.Context, key any, build func(context.Context) (any, error)) (any, error) {
	if slices.Contains(h.building, key) {
		panic(fmt.Sprintf("memo: building %v needs itself", key))
	}
	if len(h.building) == 0 { // else the time is within that of an outer value
		start := time.Now()
		defer func() { h.outside += time.Since(start) }()
	}
	tracked := func(ctx context.Context) (any, error) {
		h.building = append(h.building, key)
		defer func() { h.building = h.building[:len(h.building)-1] }()
		return build(ctx)
	}
	if h.memo == nil {
		return tracked(ctx)
	}
	return h.memo.value(ctx, key, tracked)
}

// namedTraces are the traces that a run reads: for each name that its model uses the reference to a
// file. open is Options.Trace.
type namedTraces struct {
	names, references []string
	open              traceOpener
}

// tracesOf returns the traces that a run of the point reads.
func tracesOf(m *model.Model, point model.Point, open traceOpener) namedTraces {
	if !m.ReadsTraces {
		return namedTraces{}
	}
	text := point[m.Parameter(model.TraceParameter)].Text()
	return namedTraces{m.Traces(point), strings.Split(text, ","), open}
}

// traceKey is the memo's key of a trace.
type traceKey struct{ reference string }

// Trace returns the trace that the model calls name.
func (h *host) Trace(ctx context.Context, name string) (*trace.Log, error) {
	t := h.traces
	i := slices.Index(t.names, name)
	switch {
	case i < 0:
		panic(fmt.Sprintf("a simulation reads the trace %s, which its model's Traces does not name", name))
	case t.open == nil || len(t.references) != len(t.names):
		return nil, fmt.Errorf("trace %s: the run's parameter %s is %q, which names no file for it",
			name, model.TraceParameter, strings.Join(t.references, ","))
	}
	log, err := h.Memo(ctx, traceKey{t.references[i]}, func(ctx context.Context) (any, error) {
		return t.open(ctx, t.references[i])
	})
	if err != nil {
		return nil, err
	}
	return log.(*trace.Log), nil
}

// Program opens a program.
func (h *host) Program(ctx context.Context, reference string) (model.Program, error) {
	if h.program == nil {
		return nil, fmt.Errorf("%s: nothing starts programs here", reference)
	}
	return h.program(ctx, reference)
}

// runSection is the section of the table timings for a whole run, including the sections that the
// model measures.
const runSection = "run"

// timings returns the rows of the table timings for a run: the whole run as one item, then each
// section.
func (h *host) timings(machine string, measured bool, spent time.Duration) []results.Timing {
	var timings []results.Timing
	for _, s := range append([]section{{runSection, 1, spent}}, h.sections...) {
		timings = append(timings, results.Timing{
			Machine: machine, Measured: measured, Section: s.name, Seconds: s.spent.Seconds(), Items: int64(s.items),
		})
	}
	return timings
}

// Machine describes the machine for the table timings: processor, number of processors, operating
// system and architecture, such as "AMD EPYC 7B13, 8 processors, linux/amd64". It is the same for
// equal machines and does not identify one.
func Machine() string {
	system := fmt.Sprintf("%d processors, %s/%s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	// Only Linux has the file; elsewhere the processor is left out.
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return system
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		if processor := strings.Join(strings.Fields(value), " "); strings.TrimSpace(name) == "model name" && processor != "" {
			return processor + ", " + system
		}
	}
	return system
}
