// Environment: what a simulation uses besides its parameters: random numbers, traces, programs.

package model

import (
	"context"
	"fmt"

	"gridsweep/model/rng"
	"gridsweep/model/trace"
)

// Env is all a simulation may use besides its parameters.
type Env struct {
	// Seed is the root of the run's random numbers: Seed.Stream(name) for each purpose, so that a
	// policy that draws more shifts no other stream.
	Seed rng.Source
	// Replication is the number of the replication, from 0, for quantities that are spread over
	// replications and not drawn for each; 0 where all replications share the environment.
	Replication int

	common rng.Source
	host   Host
}

// Host is what the pipeline does for a running simulation. What it returns is the same wherever and
// whenever a run is simulated: traces and programs have the checksums in the run's parameters.
type Host interface {
	// Memo returns what build returns, perhaps from an earlier call with an equal key.
	Memo(ctx context.Context, key any, build func(context.Context) (any, error)) (any, error)
	// Span starts measuring a section of work on a number of items; end stops it.
	Span(section string, items int) (end func())
	// Trace returns one of the traces that the run's parameter trace names.
	Trace(ctx context.Context, name string) (*trace.Log, error)
	// Program opens a program, see Env.Program.
	Program(ctx context.Context, reference string) (Program, error)
}

// Common returns the environment of what all replications share, such as the background load of a
// log.
func (e Env) Common() Env {
	e.Seed, e.Replication = e.common, 0
	return e
}

// Span measures the wall-clock time until end is called, of a section of work on a number of items,
// for the table timings.
func (e Env) Span(section string, items int) (end func()) {
	if e.host == nil {
		return func() {}
	}
	return e.host.Span(section, items)
}

// Trace returns the trace with one of the names that Spec.Traces returns: its jobs, in the order of
// its file, and its header, with the machine's processors and the date of second 0. The run's
// parameter trace has the file's checksum. It is read once for the runs of a process, which share
// it: callers must not change it. The error names a file that is missing, is not the one of the
// plan, or has a malformed line. Call it where the parameter trace is not model.
//
// Where each replication replays one segment of a log, Log.Segments returns how many there are.
func (e Env) Trace(ctx context.Context, name string) (*trace.Log, error) {
	if e.host == nil {
		return nil, fmt.Errorf("trace %s: this simulation runs without a host that reads traces; set the parameter %s to %s",
			name, TraceParameter, TraceModel)
	}
	return e.host.Trace(ctx, name)
}

// Program is a program that answers lines, in one simulation.
type Program interface {
	// Exchange sends a line and returns the answer, which is valid until the next call. The first
	// call starts the program.
	Exchange(line []byte) (answer []byte, err error)
	// End ends the program. It takes the error of the simulation, or nil, and returns it with what
	// the program has to do with it.
	End(err error) error
}

// Program opens the program that the parameter of Spec.Program names, by its value in the run. The
// caller ends it. The error says why it cannot run: it is not there, or not the one of the plan.
func (e Env) Program(ctx context.Context, reference string) (Program, error) {
	if e.host == nil {
		return nil, fmt.Errorf("%s: nothing that could start a program runs this simulation", reference)
	}
	return e.host.Program(ctx, reference)
}

// CancelEvery is how many turns of a loop pass between two checks of the context.
const CancelEvery = 4096

// Cancelled reports whether the context is cancelled. It looks only in turns of a loop that are
// multiples of CancelEvery.
func Cancelled(ctx context.Context, turn int) bool { return turn%CancelEvery == 0 && ctx.Err() != nil }

// memoKey makes keys of different types, results and seeds different.
type memoKey[K comparable, V any] struct {
	seed   rng.Source
	common bool
	key    K
}

// Common reports whether all replications share the value. Host.Memo finds it by a type assertion.
func (k memoKey[K, V]) Common() bool { return k.common }

// Memo returns build(ctx, key, env), perhaps computed once for several runs: a workload that all
// policies of a replication share, a base run. Memo adds the seed of env to the key. The value is
// shared and must not be changed. Errors are not kept. Spans in build are not measured, since it is
// chance which run builds.
func Memo[K comparable, V any](
	ctx context.Context, env Env, key K, build func(context.Context, K, Env) (V, error),
) (V, error) {
	if env.host == nil {
		return build(ctx, key, env)
	}
	shared := memoKey[K, V]{env.Seed, env.Seed == env.common, key}
	value, err := env.host.Memo(ctx, shared, func(ctx context.Context) (any, error) {
		unmeasured := env
		unmeasured.host = silent{env.host}
		return build(ctx, key, unmeasured)
	})
	if err != nil {
		var zero V
		return zero, err
	}
	return value.(V), nil
}

// silent is a host that measures nothing.
type silent struct{ Host }

func (silent) Span(string, int) func() { return func() {} }
