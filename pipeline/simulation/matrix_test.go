// Study files of matrices: they are right in the study language and have the runs of the matrix.

package simulation

import (
	"strings"
	"testing"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/model/scheduling"
	"gridsweep/sweeps"
)

// The study of a matrix is right in the study language whatever it crosses, and has the runs of the
// matrix.
func TestStudyOfMatrix(t *testing.T) {
	factor := func(name string, values ...string) Factor {
		f := Factor{Name: name}
		for _, value := range values {
			f.Levels = append(f.Levels, Level{value, value})
		}
		return f
	}
	odd := `a "b\c": [d], #e`
	for name, c := range map[string]struct {
		factors []Factor
		base    string
		runs    int
	}{
		"one": {[]Factor{factor("trace", "lublin"), factor("policy", "easy")}, "", 3},
		"all": {[]Factor{
			{Name: "trace", Levels: []Level{{odd, "lublin"}, {"lublin", "lublin-batch"}}}, factor("load", "0.5", "1", "0.9"),
			factor("estimates", "exact", "factor:2"), factor("order", "arrival", "saf, wait", "2*procs"),
			factor("policy", "easy", "easy:2"),
		}, "easy", 3 * 2 * 3 * 2 * 3 * 2},
		"orders": {[]Factor{factor("trace", "lublin"), factor("order", "saf", "lxf"), factor("policy", "easy")}, "", 6},
	} {
		m := Matrix{
			Factors: c.factors, Settings: []Setting{{"shake", "5min"}, {"classes", "8,64 x 1h,10h"}},
			Replications: 3, Base: c.base, Seed: 7, Command: "gridsweep simulate " + odd + "\nstudy: x",
		}
		text := m.Study(name)
		study, err := configs.Builtin().Parse(t.Context(), "study.yaml", text)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		plan, err := sweeps.Expand(t.Context(), study, model.New(scheduling.Spec), sweeps.Options{})
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if len(plan.Runs) != c.runs || plan.Seed != 7 {
			t.Errorf("%s: %d runs of seed %d, want %d", name, len(plan.Runs), plan.Seed, c.runs)
		}
		if compares := strings.Contains(string(text), "against: {policy: easy}"); compares != (c.base != "") {
			t.Errorf("%s: whether it compares is %t\n%s", name, compares, text)
		}
		if name == "all" && !strings.Contains(string(text), "where: {load: 1}") {
			t.Errorf("figures are not of the highest load:\n%s", text)
		}
	}
}
