// Windows: the interval of a log that a simulation replays.

package workload

import (
	"context"
	"fmt"
	"math"

	"gridsweep/model"
	"gridsweep/model/rng"
	"gridsweep/model/trace"
)

// Job is a rigid job of a window: it takes its processors for its run time.
type Job struct {
	Submit int64 // s from the beginning of the window
	Run    int64 // s
	Procs  int32
}

// Rigid returns the jobs of a workload model in their order.
func Rigid(jobs []trace.Job) []Job {
	rigid := make([]Job, len(jobs))
	for i := range jobs {
		rigid[i] = Job{Submit: jobs[i].Submit, Run: jobs[i].Run, Procs: jobs[i].Size()}
	}
	return rigid
}

// Months returns the length of so many months in s.
func Months(n float64) int64 { return int64(float64(n*trace.Month) + 0.5) }

// Window is the interval of a log that a simulation replays: of a trace, or of the site model where
// the parameter trace is [model.TraceModel]. Of a trace it takes the jobs that [trace.Clean] keeps,
// sorted by their submits. A window is a comparable key: equal windows have equal jobs.
type Window struct {
	Site  string     // name of the trace for [model.Env.Trace], and of the site model
	Trace string     // reference to that trace, as resolved, or [model.TraceModel]
	Seed  rng.Source // of the site model

	Skip int64 // jobs of a trace that are left out at its beginning
	From int64 // s from the first submit after those to the beginning; unused where Jobs is set
	Span int64 // s; 0: to the end of the log
	// Jobs is how many jobs there should be; 0: as many as there are. Of a trace the window is then
	// the first Span that begins with a job and whose number of jobs is nearest to Jobs. The site
	// model draws exactly so many; the last may be submitted after Span.
	Jobs int64
	// Whole makes the site model draw its whole log, from which the window is cut as from a trace.
	// Else it draws the window alone, which begins at midnight.
	Whole bool

	Largest int32 // processors: larger jobs are dropped; 0: none is
	// names of the parameters that place the window, for errors, such as "begin and window"
	Parameters string
}

// Recorded has the jobs of a window.
type Recorded struct {
	Jobs    []Job // in the order of their submits
	Dropped int64 // jobs larger than Window.Largest, which are not among them
}

// Limits of the jobs of a window, so that sums of processor·s fit an int64.
const (
	LongestRun = 1 << 32 // s: 136 years, as in docs/reference/scheduling.md
	mostWork   = 1 << 60 // processor·s of all jobs
)

// Read returns the jobs of the window. All runs with equal windows share them, and so do all
// replications if the log is a trace: callers must not change them.
//
// The errors are those of Env.Trace, of the site model and of ctx, and one where the interval cut
// from a log has no job, a job exceeds LongestRun, or all have more than 2^60 processor·s.
func (w Window) Read(ctx context.Context, env model.Env) (Recorded, error) {
	if w.Trace != model.TraceModel {
		// unused: the key of a trace is the same in all replications
		w.Seed, w.Whole = rng.Source{}, false
	}
	return model.Memo(ctx, env.Common(), w, readWindow)
}

func readWindow(ctx context.Context, w Window, env model.Env) (Recorded, error) {
	if w.Trace != model.TraceModel {
		log, err := env.Trace(ctx, w.Site)
		if err != nil {
			return Recorded{}, err
		}
		return w.cut(log.Jobs)
	}
	m, err := Find(w.Site)
	if err != nil {
		return Recorded{}, err
	}
	options := Options{Jobs: w.Jobs, Span: w.Span}
	if w.Whole {
		options = Options{Jobs: m.jobs}
	}
	drawn, err := m.Generate(ctx, options, w.Seed)
	if err != nil {
		return Recorded{}, err
	}
	if w.Whole {
		return w.cut(drawn)
	}
	return w.record(drawn, trace.Order(drawn, trace.Rules{}), 0)
}

// cut returns the jobs of the window from those of the whole log.
func (w *Window) cut(log []trace.Job) (Recorded, error) {
	order := trace.Order(log, trace.Rules{})
	switch kept := int64(len(order)); {
	case kept == 0:
		return Recorded{}, w.errorf("has no job with a run time and processors: take another")
	case kept <= w.Skip:
		return Recorded{}, w.errorf("has %d jobs and skip leaves out %d: set skip to less than %d", kept, w.Skip, kept)
	}
	order = order[w.Skip:]
	if w.Jobs > 0 {
		order = nearest(log, order, w.Span, w.Jobs)
		return w.record(log, order, log[order[0]].Submit)
	}
	to := int64(math.MaxInt64)
	if w.Span > 0 {
		to = w.From + w.Span
	}
	begin, within := log[order[0]].Submit, trace.Within(log, order, w.From, to)
	if len(within) == 0 {
		const day = 86400.0
		last := log[order[len(order)-1]].Submit - begin
		return Recorded{}, w.errorf("has no job in the window that begins on day %.4g of its %.4g days: change %s",
			float64(w.From)/day, float64(last)/day, w.Parameters)
	}
	return w.record(log, within, begin+w.From)
}

// record returns the jobs at the indices in order, with submits counted from begin on.
func (w *Window) record(log []trace.Job, order []int32, begin int64) (Recorded, error) {
	recorded := Recorded{Jobs: make([]Job, 0, len(order))}
	work := uint64(0) // processor·s
	for _, i := range order {
		j := &log[i]
		size := j.Size()
		if w.Largest > 0 && size > w.Largest {
			recorded.Dropped++
			continue
		}
		if j.Run > LongestRun {
			return Recorded{}, w.errorf("has a run time of %d s in job %d, want at most %d", j.Run, j.ID, int64(LongestRun))
		}
		if work += uint64(size) * uint64(j.Run); work > mostWork {
			return Recorded{}, w.errorf("has %.3g processor-seconds in its jobs up to job %d, want at most %.3g",
				float64(work), j.ID, float64(mostWork))
		}
		recorded.Jobs = append(recorded.Jobs, Job{Submit: j.Submit - begin, Run: j.Run, Procs: size})
	}
	return recorded, nil
}

func (w *Window) errorf(format string, args ...any) error {
	return fmt.Errorf("trace %s "+format, append([]any{model.TraceName(w.Trace)}, args...)...)
}

// nearest returns the jobs within a span, in s, that begins with one of the jobs in order, of which
// there is at least one: the first such span whose number of jobs is nearest to the number wanted.
func nearest(jobs []trace.Job, order []int32, span, wanted int64) []int32 {
	var best []int32
	least := int64(math.MaxInt64)
	for from, to := 0, 0; from < len(order); from++ {
		begin := jobs[order[from]].Submit
		if from > 0 && begin == jobs[order[from-1]].Submit {
			continue // a span that begins with the first job of a second has all of that second
		}
		for to < len(order) && jobs[order[to]].Submit-begin < span {
			to++
		}
		if excess := int64(to-from) - wanted; max(excess, -excess) < least {
			best, least = order[from:to], max(excess, -excess)
		}
	}
	return best
}
