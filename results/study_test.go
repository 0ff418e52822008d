// The model of the tests, and its runs.

package results

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model"
)

// The model of the tests: every type, nullable columns of every type, a long table and an optional
// one that is lazy.

type testPoint struct {
	Policy string        `name:"policy" range:"1A|1B|1C" doc:"selection of clusters" symbol:"π"`
	Label  string        `name:"label" doc:"any text"`
	Tasks  int64         `name:"tasks" doc:"tasks of a request" symbol:"n"`
	Rate   float64       `name:"rate" unit:"1/min" doc:"arrival rate" symbol:"λ"`
	Laxity model.Seconds `name:"laxity" doc:"slack of a request"`
	Strict bool          `name:"strict" doc:"whether deadlines are hard"`
}

type testOutcome struct {
	Blocking  float64        `name:"blocking" unit:"%" doc:"blocking ratio, Equation 4.1" symbol:"B"`
	Longest   model.Seconds  `name:"longest_wait" doc:"longest wait"`
	Requests  int64          `name:"requests" doc:"requests seen"`
	Saturated bool           `name:"saturated" doc:"whether the queue grew"`
	Note      string         `name:"note" doc:"any text"`
	Fairness  *float64       `name:"fairness" doc:"undefined where nothing was accepted" symbol:"Q_R"`
	First     *model.Seconds `name:"first_wait" doc:"undefined without requests"`
	Peak      *int64         `name:"peak" doc:"undefined without requests"`
	Steady    *bool          `name:"steady" doc:"undefined in short runs"`
	Best      *string        `name:"best" doc:"undefined where nothing was accepted"`

	Jobs   []testJob           `table:"jobs" doc:"one row for each job"`
	Events iter.Seq[testEvent] `table:"events,optional" doc:"one row for each event"`
}

type testJob struct {
	Job     int64         `name:"job" key:"" doc:"number of the job"`
	Cluster string        `name:"cluster" key:"" doc:"where it ran"`
	Wait    model.Seconds `name:"wait" doc:"start - submit"`
	Length  *float64      `name:"length" unit:"h" doc:"end - start"`
}

type testEvent struct {
	Time model.Seconds `name:"time" key:"" doc:"when"`
	What string        `name:"what" doc:"what"`
}

type outcomeKey struct{}

func testSpec() model.Spec[testPoint, testOutcome] {
	return model.Spec[testPoint, testOutcome]{
		Name: "example", Title: "an example", Version: 3,
		Defaults: testPoint{Policy: "1A", Rate: 0.5},
		Validate: func(testPoint) []model.Problem { return nil },
		Cost:     func(testPoint) float64 { return 1 },
		Simulate: func(ctx context.Context, _ testPoint, _ model.Env) (testOutcome, error) {
			return ctx.Value(outcomeKey{}).(testOutcome), nil
		},
	}
}

func testModel() *model.Model { return model.New(testSpec()) }

// outcomeOf returns o as an outcome of the model.
func outcomeOf(m *model.Model, o testOutcome) model.Outcome {
	outcome, err := m.Simulate(context.WithValue(context.Background(), outcomeKey{}, o), m.Defaults(), m.Env(0, 0, nil))
	if err != nil {
		panic(err)
	}
	return outcome
}

// testRun returns the run of this number with unremarkable values.
func testRun(m *model.Model, replication int) Run {
	fairness, peak := float64(replication)/8, int64(replication%5)
	o := testOutcome{Blocking: float64(replication) * 0.1, Requests: 5000, Note: fmt.Sprint("note ", replication%3)}
	if replication%4 != 0 {
		o.Fairness, o.Peak = &fairness, &peak
	}
	var events []testEvent
	for j := range int64(replication % 4) {
		o.Jobs = append(o.Jobs, testJob{Job: j, Cluster: "das2", Wait: model.Seconds(60 * j)})
		events = append(events, testEvent{Time: model.Seconds(j), What: "start"})
	}
	o.Events = slices.Values(events)
	return Run{
		ID: m.RunID(m.Defaults(), 7, replication), Seed: 7, Replication: replication, Point: m.Defaults(),
		Outcome: outcomeOf(m, o),
		Timings: []Timing{{Machine: "node1", Section: "run", Seconds: 0.25, Items: 5000}},
	}
}

func testRuns(m *model.Model, n int) []Run {
	runs := make([]Run, n)
	for i := range runs {
		runs[i] = testRun(m, i)
	}
	return runs
}

var testProvenance = Provenance{
	Version: "0.1.0", Commit: "abc", Dirty: true, StudyFile: "configs/example.yaml", StudyFileSHA256: "123",
	Seed: 7, Command: `gridsweep run example --set 'label="ü, 2"'`, Machine: "node1",
}

func openTest(t testing.TB, dir string, optional ...string) *Dataset {
	t.Helper()
	d, err := Open(dir, "example", testModel(), optional...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// writeTest writes the runs as batches of this size.
func writeTest(t testing.TB, d *Dataset, runs []Run, size int) {
	t.Helper()
	for from := 0; from < len(runs); from += size {
		if err := d.WriteBatch(runs[from:min(from+size, len(runs))], testProvenance); err != nil {
			t.Fatal(err)
		}
	}
}

// drawRuns draws runs of different replications with any values a study can have.
func drawRuns(t *rapid.T, m *model.Model) []Run {
	floats := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(-1e300, 1e300), rapid.SampledFrom([]float64{5e-324, -0.1}))
	seconds := rapid.Custom(func(t *rapid.T) model.Seconds { return model.Seconds(rapid.Int64().Draw(t, "seconds")) })
	texts := rapid.OneOf(rapid.Just(""), rapid.String(), rapid.SampledFrom([]string{"a", "ß, \"x\"\n", "\x00", "日本"}))
	job := rapid.Custom(func(t *rapid.T) testJob {
		return testJob{rapid.Int64().Draw(t, "job"), texts.Draw(t, "cluster"), seconds.Draw(t, "wait"),
			rapid.Ptr(floats, true).Draw(t, "length")}
	})
	event := rapid.Custom(func(t *rapid.T) testEvent { return testEvent{seconds.Draw(t, "time"), texts.Draw(t, "what")} })
	runs := make([]Run, rapid.IntRange(1, 8).Draw(t, "runs"))
	for replication := range runs {
		point := model.Point{
			model.StringValue(rapid.SampledFrom([]string{"1A", "1B", "1C"}).Draw(t, "policy")),
			model.StringValue(texts.Draw(t, "label")), model.IntValue(rapid.Int64().Draw(t, "tasks")),
			model.FloatValue(floats.Draw(t, "rate")), model.SecondsValue(seconds.Draw(t, "laxity")),
			model.BoolValue(rapid.Bool().Draw(t, "strict")),
		}
		outcome := testOutcome{
			floats.Draw(t, "blocking"), seconds.Draw(t, "longest"), rapid.Int64().Draw(t, "requests"),
			rapid.Bool().Draw(t, "saturated"), texts.Draw(t, "note"),
			rapid.Ptr(floats, true).Draw(t, "fairness"), rapid.Ptr(seconds, true).Draw(t, "first"),
			rapid.Ptr(rapid.Int64(), true).Draw(t, "peak"), rapid.Ptr(rapid.Bool(), true).Draw(t, "steady"),
			rapid.Ptr(texts, true).Draw(t, "best"),
			rapid.SliceOfN(job, 0, 5).Draw(t, "jobs"), slices.Values(rapid.SliceOfN(event, 0, 3).Draw(t, "events")),
		}
		runs[replication] = Run{
			ID: m.RunID(point, 1, replication), Seed: 1, Replication: replication, Point: point,
			Outcome: outcomeOf(m, outcome),
		}
	}
	return runs
}

// A model whose tables or columns have names of the dataset has none.
func TestReservedNames(t *testing.T) {
	type failed struct {
		Rows []testJob `table:"failed"`
	}
	type seed struct {
		Seed int64 `name:"seed"`
	}
	for want, m := range map[string]*model.Model{
		"model test: a table cannot have the reserved name failed": reserving[failed](),
		"model test: table runs cannot use the reserved name seed": reserving[seed](),
	} {
		if _, err := Open(t.TempDir(), "study", m); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// reserving returns a model with an outcome.
func reserving[O any]() *model.Model {
	return model.New(model.Spec[testPoint, O]{Name: "test", Defaults: testSpec().Defaults})
}
