package coallocation

import (
	"strings"
	"testing"
)

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
