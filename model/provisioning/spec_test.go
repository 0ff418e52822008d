// Parameter tests: tasks, levels, nodes, slots and rivals that contradict each other.

package provisioning

import (
	"slices"
	"strings"
	"testing"

	"gridsweep/model"
)

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Parameters)
		field  string // of the problem
		text   string
	}{
		{"more levels than tasks", func(p *Parameters) { p.Tasks, p.Levels = 9, 10 }, "levels", "10 for 9 tasks"},
		{"tasks larger than the cluster", func(p *Parameters) { p.Processors, p.Nodes = 22, 42 }, "nodes", "43 processors"},
		{"CyberShake on too few nodes", func(p *Parameters) { p.Workflow, p.Nodes = "cybershake", 287 }, "nodes",
			"288 processors"},
		{"more nodes than have numbers", func(p *Parameters) { p.Numbering, p.Nodes = "booked", 5000 }, "nodes", "4096"},
		{"tasks that take centuries", func(p *Parameters) { p.Levels, p.Runtime = 1000, 1e6; p.Tasks = 1000 }, "runtime",
			"1000 levels"},
		{"a window without submissions", func(p *Parameters) { p.Window = p.Warmup + p.Cooldown }, "window", "no time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := defaults
			c.change(&p)
			requireProblem(t, validate(p), c.field, c.text)
		})
	}
	p := defaults
	p.Workflow, p.Tasks, p.Levels, p.Nodes, p.Window = "cybershake", 1, 5, 288, p.Warmup+p.Cooldown+1
	if problems := validate(p); problems != nil {
		t.Errorf("problems %q of a valid point", problems)
	}
}

func TestValidateSlots(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*SlotsParameters)
		field  string // of the problem
		text   string
	}{
		{"more levels than tasks", func(p *SlotsParameters) { p.Tasks, p.Levels = 9, 10 }, "levels", "10 for 9 tasks"},
		{"levels that take hours", func(p *SlotsParameters) { p.Tasks, p.Levels, p.Scheduler = 6000, 1, "min-min" },
			"levels", "5000"},
		{"and by another scheduler", func(p *SlotsParameters) { p.Tasks, p.Levels, p.Rivals = 6000, 1, "scheduler=max-min" },
			"levels", "5000"},
		{"rivals that are none", func(p *SlotsParameters) { p.Rivals = "fifo" }, "rivals", `"fifo": want settings`},
		{"a rival of an unknown scheduler", func(p *SlotsParameters) { p.Rivals = "scheduler=heft; scheduler=fifo" },
			"rivals", "heft, greedy"},
		{"a rival without members", func(p *SlotsParameters) { p.Rivals = "population=0,generations=4" }, "rivals",
			"from 1 to 10000"},
		{"a rival that flips too much", func(p *SlotsParameters) { p.Rivals = "mutation=NaN" }, "rivals", "from 0 to 1000"},
		{"sites that are none", func(p *SlotsParameters) { p.Sites = "10,x" }, "sites", `"x"`},
		{"too many slots", func(p *SlotsParameters) { p.Until, p.SlotGap = 1e6, 10 }, "until", "400004 slots"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := slotsDefaults
			c.change(&p)
			requireProblem(t, validateSlots(p), c.field, c.text)
		})
	}
}

// requireProblem fails the test unless one of the problems is of the field and has the text.
func requireProblem(t *testing.T, problems []model.Problem, field, text string) {
	t.Helper()
	matches := func(p model.Problem) bool { return p.Field == field && strings.Contains(p.Text, text) }
	if !slices.ContainsFunc(problems, matches) {
		t.Errorf("problems %q, want one of %s that says %s", problems, field, text)
	}
}
