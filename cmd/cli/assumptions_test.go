// Assumptions of the built-in studies: each can act in the samples that have it, and
// `explain` has published numbers that are held out.

package cli

import (
	"fmt"
	"slices"
	"testing"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/model/studies"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// eachBuiltin calls a test with the file and the whole plan of each built-in study, optional
// experiments included.
func eachBuiltin(t *testing.T, test func(t *testing.T, file *configs.Study, plan *sweeps.Plan)) {
	t.Helper()
	for _, name := range configs.List() {
		file, err := configs.Load(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, e := range file.Experiments {
			all = append(all, e.Name.Value)
		}
		for _, m := range studies.All() {
			if m.Name != file.Model.Value {
				continue
			}
			plan, err := sweeps.Expand(t.Context(), file, m, sweeps.Options{Experiments: all})
			if err != nil {
				t.Fatal(err)
			}
			t.Run(name, func(t *testing.T) { test(t, file, plan) })
		}
	}
}

// In a sample of combinations an alternative without effect shows what others change by chance. So
// for each one that a sample takes there is a point that has another outcome without it, as far as
// the model's Canonical tells.
func TestSampledAssumptionsCanAct(t *testing.T) {
	eachBuiltin(t, func(t *testing.T, file *configs.Study, plan *sweeps.Plan) {
		acts := map[string]bool{} // by experiment and alternative
		for _, e := range plan.Experiments {
			if !isSample(e.Bound.Universes) {
				continue
			}
			for _, cell := range e.Cells {
				point := plan.Runs[cell.Runs[0]].Point
				for i, level := range e.Bound.Universes[cell.Levels[0]].Levels {
					if level == 0 {
						continue
					}
					a, without := file.Assumptions[i], slices.Clone(point)
					for _, setting := range a.Levels[level-1].Settings {
						parameter := plan.Model.Parameter(setting.Name.Value)
						without[parameter] = plan.Base[parameter]
					}
					key := fmt.Sprintf("%s: %s: %s", e.Bound.Whole, a.Name.Value, a.Levels[level-1].Label.Value)
					with := plan.Model.Canonical(point)
					acts[key] = acts[key] || with == nil || with != plan.Model.Canonical(without)
				}
			}
		}
		for key, can := range acts {
			if !can {
				t.Errorf("%s has no effect on any cell", key)
			}
		}
	})
}

// A study that predicts two published tables or more in universes says which of them are held out:
// on the numbers that chose it, the best of many universes looks better than it is.
func TestPublishedNumbersAreHeldOut(t *testing.T) {
	eachBuiltin(t, func(t *testing.T, _ *configs.Study, plan *sweeps.Plan) {
		inUniverses := map[*study.Experiment]bool{}
		for _, e := range plan.Experiments {
			if e.Bound.Universes != nil {
				inUniverses[e.Bound.Repeats] = true
			}
		}
		tables, fitted, held := 0, 0, 0
		for _, table := range plan.Study.Tables {
			isPredicted := func(b *study.Block) bool {
				return len(b.Printed) > 0 && inUniverses[b.Experiment] && b.From.Name != model.TimingsTable
			}
			if table.Given || !slices.ContainsFunc(table.Blocks, isPredicted) {
				continue
			}
			tables++
			fitted += len(table.Fitted)
			held += len(table.PrintedColumns()) - len(table.Fitted)
		}
		if tables > 1 && (fitted == 0 || held == 0) {
			t.Errorf("of %d published tables %d columns are fitted and %d held out: name some in fit", tables, fitted, held)
		}
	})
}

// isSample reports whether some universe combines alternatives.
func isSample(universes []study.Universe) bool {
	return slices.ContainsFunc(universes, func(u study.Universe) bool {
		alternatives := 0
		for _, level := range u.Levels {
			alternatives += min(level, 1)
		}
		return alternatives > 1
	})
}
