// Parameter tests: defaults against their sources in the thesis, bounds that contradict each other,
// and parameters without effect.

package coallocation

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestDefaults checks each default, with its source in the thesis.
func TestDefaults(t *testing.T) {
	want := []struct{ name, value, source string }{
		{"algorithm", "stepwise", "3.1"},
		{"start", "1C", "5.2: the best start-task rule"},
		{"next", "1G", "5.2: the best next-task rule"},
		{"lambda", "0.4", "Table 4-1; per minute, though 3.2.5.2 says per second"},
		{"requests", "5000", "Table 4-1; 6000 in 4.1"},
		{"delay", "10h", "Table 4-1"},
		{"service_min", "10min", "Table 4-1"},
		{"service_max", "90min", "Table 4-1"},
		{"laxity", "5", "Tables A.2, A.4 and A.6, where L = 5 is the default row; 2 in Table 4-1"},
		{"tasks_min", "2", "Table 4-1"},
		{"tasks_max", "6", "Table 4-1"},
		{"resource_types", "6", "Table 4-1"},
		{"resources", "15", "Table 4-1"},
		{"types", "nested", "not stated"},
		{"window", "fixed", "not 3.1, step 4: see the deviation"},
		{"window_start", "earliest", "3.1, step 4: the beginning of the final window"},
		{"start_task", "lexicographic", "3.1.1: the next interval breaks a tie"},
		{"next_order", "given", "not stated"},
		{"leftover", "window", "Equation 3.1"},
		{"load_over", "window", "3.1.2.3: in [t_EST, t_D]"},
		{"latest_by", "end", "not stated"},
		{"ties", "list", "not 3.1.2: see the deviation"},
		{"slack", "with", "Equation 3.6"},
		{"earliest_task", "earliest", "not 3.1.1.4: see the deviation"},
		{"interval_ties", "resource", "not stated"},
		{"ends", "open", "not stated"},
		{"granularity", "1s", "not stated"},
	}
	if len(study.Parameters) != len(want) {
		t.Errorf("%d parameters, want %d", len(study.Parameters), len(want))
	}
	for _, w := range want {
		i := study.Parameter(w.name)
		if i < 0 {
			t.Errorf("no parameter %s", w.name)
		} else if have := study.Parameters[i].Default.String(); have != w.value {
			t.Errorf("default %s is %s, want %s (%s)", w.name, have, w.value, w.source)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, test := range []struct {
		name  string
		set   func(*Parameters)
		field string // of the only problem; empty if there is none
		text  string
	}{
		{"defaults", func(*Parameters) {}, "", ""},
		{"bounds may be equal", func(p *Parameters) { p.TasksMin, p.ServiceMin = p.TasksMax, p.ServiceMax }, "", ""},
		{"many tasks", func(p *Parameters) { p.TasksMax = 10 }, "", ""},
		{"services cross", func(p *Parameters) { p.ServiceMin = 2 * 3600 }, "service_min", "2h is above service_max 90min"},
		{"tasks cross", func(p *Parameters) { p.TasksMin = 7 }, "tasks_min", "7 is above tasks_max 6"},
		{"too few types", func(p *Parameters) { p.Types, p.TasksMax = "distinct", 7 }, "tasks_max", "resource_types, not 6"},
		{"few other types", func(p *Parameters) { p.Types, p.TasksMax = "first", 7 }, "tasks_max", "resource_types, not 6"},
		{"too few resources", func(p *Parameters) { p.TasksMax, p.Resources = 13, 2 }, "tasks_max", "at most 12 can"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := Spec.Defaults
			test.set(&p)
			problems := validate(p)
			switch {
			case test.field == "" && len(problems) > 0:
				t.Errorf("problems %v", problems)
			case test.field == "":
			case len(problems) != 1 || problems[0].Field != test.field || !strings.Contains(problems[0].Text, test.text):
				t.Errorf("problems %v, want one of %s: …%s…", problems, test.field, test.text)
			}
		})
	}
}

// TestCanonical changes one word of drawn points: where the canonical parameters stay equal, so
// does the outcome. Each parameter that canonical sets under the 16 algorithms is without effect in
// some draw.
func TestCanonical(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			p := drawSmall(t)
			env := study.Env(rapid.Int64().Draw(t, "seed"), 0, nil)
			want, err := simulate(context.Background(), p, env)
			if err != nil {
				t.Fatal(err)
			}
			for _, parameter := range study.Parameters {
				for _, word := range parameter.Choices() {
					changed := p
					fieldOf(&changed, parameter.Name).SetString(word)
					if changed == p || canonical(changed) != canonical(p) {
						continue
					}
					if p.Algorithm == "stepwise" {
						seen[parameter.Name]++
					}
					have, err := simulate(context.Background(), changed, env)
					if diff := cmp.Diff(want, have); err != nil || diff != "" {
						t.Fatalf("%s %s has an effect in %+v: %v (-before +after):\n%s", parameter.Name, word, p, err, diff)
					}
				}
			}
		}
	})
	for _, name := range []string{"start", "next", "window", "window_start", "leftover", "load_over", "latest_by", "ties",
		"earliest_task", "interval_ties", "next_order"} {
		if seen[name] == 0 {
			t.Errorf("parameter %s always had an effect", name)
		}
	}
}
