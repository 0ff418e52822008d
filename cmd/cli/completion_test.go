// Shell completion of optional tables and of traces, for a model that has both.

package cli

import (
	"context"
	"slices"
	"testing"

	"gridsweep/model"
	"gridsweep/sweeps"
)

// Optional tables are completed with their descriptions, the parameter trace with names of traces.
func TestCompletionOfTablesAndTraces(t *testing.T) {
	type row struct {
		Job int64 `name:"job" key:""`
	}
	type outcome struct {
		Sites []row `table:"sites" doc:"one row for each site"`
		Jobs  []row `table:"jobs,optional" doc:"one row for each job"`
	}
	m := model.New(model.Spec[replayed, outcome]{
		Name: "tables", Version: 1, Defaults: replayed{model.TraceAuto},
		Traces:   func(replayed) []string { return nil },
		Simulate: func(context.Context, replayed, model.Env) (outcome, error) { return outcome{}, nil },
	})
	if got, want := optionalTables(m), []string{"jobs\tone row for each job"}; !slices.Equal(got, want) {
		t.Errorf("tables %q, want %q", got, want)
	}
	got := sweeps.Suggested(m, m.Parameters[0])
	for _, want := range []string{"auto", "model", "das2"} {
		if !slices.Contains(got, want) {
			t.Errorf("values of trace %q are without %s", got, want)
		}
	}
}
