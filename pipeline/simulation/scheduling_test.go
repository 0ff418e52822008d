// The model scheduling is compared, number by number, with a simulation of the same log here.

package simulation

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
	"gridsweep/model/scheduling"
	"gridsweep/model/trace"
	"gridsweep/pipeline/traces"
)

// logHost serves runs that read one log.
type logHost struct {
	model.Host // nil: what is not below is not called
	log        *trace.Log
}

func (logHost) Memo(ctx context.Context, _ any, build func(context.Context) (any, error)) (any, error) {
	return build(ctx)
}
func (logHost) Span(string, int) func()                             { return func() {} }
func (h logHost) Trace(context.Context, string) (*trace.Log, error) { return h.log, nil }

// The model scheduling measures what a simulation of the same log does, number by number.
func TestModelSchedulingSimulatesAlike(t *testing.T) {
	small := filepath.Join(t.TempDir(), "small.swf")
	const text = "; MaxProcs: 4\n" +
		"1 5000 -1 100 3 -1 -1 3 150 -1 1 1 1 1 1 1 -1 -1\n" +
		"2 5001 -1 100 4 -1 -1 4 90 -1 1 2 1 1 0 1 -1 -1\n" +
		"3 5002 -1 50 1 -1 -1 1 50 -1 1 1 1 1 1 1 -1 -1\n" +
		"4 5003 -1 20 1 -1 -1 1 20 -1 1 2 1 1 1 1 -1 -1\n"
	if err := os.WriteFile(small, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	files := []string{small}
	if folder := os.Getenv(traces.FolderVariable); folder != "" {
		for _, name := range []string{"NASA-iPSC-1993-3.1-cln.swf.gz", "SDSC-SP2-1998-4.2-cln.swf.gz"} {
			files = append(files, filepath.Join(folder, name))
		}
	}
	for _, file := range files {
		read := func() *traces.Trace {
			log, err := traces.ReadTrace(t.Context(), file, nil, trace.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return log
		}
		log := read()
		for _, settings := range []map[string]string{
			{"policy": "fcfs"},
			// by the submits since the first one
			{"policy": "easy", "estimates": "user", "order": "f1"},
			{"policy": "multifactor", "estimates": "user"}, // has periods
			{"policy": "easy", "estimates": "user"},
			{"policy": "easy:2", "estimates": "user", "pivot": "kept", "order": "smallest-area"},
			{"policy": "conservative", "estimates": "factor:2", "order": "priority"},
			{"policy": "easy", "estimates": "user", "overrun": "run", "instant": "each"},
			{"policy": "easy", "estimates": "user", "partitions": "1000,10000", "overrun": "raise"},
		} {
			options := Options{Order: "arrival", Estimates: "exact", Overrun: "kill", Instant: "batch", Pivot: "replanned"}
			for name, into := range map[string]*string{
				"order": &options.Order, "estimates": &options.Estimates, "overrun": &options.Overrun, "instant": &options.Instant,
				"pivot": &options.Pivot,
			} {
				if settings[name] != "" {
					*into = settings[name]
				}
			}
			if settings["partitions"] != "" {
				options.Partitions = []string{"1000", "10000"}
			}
			config, estimates, err := options.Machine(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			cleaned := read()
			if err := cleaned.Clean(false, &trace.Selection{}); err != nil {
				t.Fatal(err)
			}
			s, err := New(cleaned, config, estimates, 1, false)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]float64{}
			for _, m := range Measures(run(t, s, settings["policy"]).Summary) {
				want[m.Name] = m.Value
			}
			if diff := cmp.Diff(want, measuredBy(t, &trace.Log{Jobs: log.Jobs, Header: log.Header}, settings)); diff != "" {
				t.Errorf("%s with %v: %s", filepath.Base(file), settings, diff)
			}
		}
	}
}

// measuredBy returns what the model scheduling measures of a log under the settings, in the names
// of Measures.
func measuredBy(t *testing.T, log *trace.Log, settings map[string]string) map[string]float64 {
	t.Helper()
	m := model.New(scheduling.Spec)
	point := m.Defaults()
	point[m.Parameter("trace")] = model.StringValue("log@sha256:00")
	point[m.Parameter("replication")] = model.StringValue("seeds")
	for name, value := range settings {
		point[m.Parameter(name)] = model.StringValue(value)
	}
	if problems := m.Validate(point); len(problems) > 0 {
		t.Fatal(problems)
	}
	outcome, err := m.Simulate(t.Context(), point, m.Env(1, 0, logHost{log: log}))
	if err != nil {
		t.Fatal(err)
	}
	measured := map[string]float64{}
	for row := range outcome.Rows(0) {
		for i, column := range m.Tables[0].Columns {
			measured[column.Name], _ = row[i].Number()
		}
	}
	// What a simulation does not measure.
	for _, name := range []string{
		"machine", "left_out", "requested", "offered_load", "killed",
		"jain_wait", "gini_wait", "jain_bounded_slowdown", "gini_bounded_slowdown",
	} {
		delete(measured, name)
	}
	return measured
}
