// Problems of plans: too many runs, overridden parameters, values that do not go together.

package sweeps

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps/study"
)

// report adds a problem unless an equal one is there.
func (e *expander) report(at configs.Pos, key, format string, args ...any) {
	e.plan.Study.File.Report(&e.problems, at, key, format, args...)
}

// checkSet reports each parameter that --set fixes although a factor varies it, with the
// experiments of that factor.
func (e *expander) checkSet(chosen []*study.Experiment) {
	for _, fixed := range e.plan.Study.Set {
		if fixed.Wrong {
			continue
		}
		for _, f := range e.plan.Study.Factors {
			var names []string // of the experiments
			for _, x := range chosen {
				if varies(x, f.Name, fixed.Parameter) {
					names = append(names, x.Name)
				}
			}
			if len(names) == 0 {
				continue
			}
			verb := "varies"
			if len(names) > 1 {
				verb = "vary"
			}
			advice := "give levels with --levels " + f.Name + "=..."
			if !f.List {
				advice = "they are named settings, so give others in a study file that extends this study and has the factor anew"
			}
			e.report(fixed.Setting.Name.Pos, fixed.Setting.Key, "%s %s %s it by factor %s, whose levels would win; "+
				"%s, or choose other experiments with --experiment",
				english.PluralWord(len(names), "experiment", ""), english.WordSeries(names, "and"), verb, f.Name, advice)
		}
	}
}

// varies reports whether a level that an experiment takes of a factor sets the parameter.
func varies(x *study.Experiment, factor string, parameter int) bool {
	isIt := func(a study.Assignment) bool { return a.Parameter == parameter && !a.Wrong }
	sets := func(l study.Level) bool { return slices.ContainsFunc(l.Assignments, isIt) }
	return slices.ContainsFunc(x.Crossed, func(c study.Crossed) bool {
		return c.Name == factor && slices.ContainsFunc(c.Levels, sets)
	})
}

// mostRepeated bounds the sum of the experiments' runs, as a multiple of the limit of the plan:
// several experiments may share a run.
const mostRepeated = 3

// checkRuns reports an experiment with more runs than a plan may have, or with which the sum over
// all experiments is far above that, before any run is made, and returns false for it.
func (e *expander) checkRuns(chosen []*study.Experiment) bool {
	most := big.NewInt(int64(e.maxRuns()))
	all := new(big.Int).Mul(most, big.NewInt(mostRepeated))
	for i, x := range chosen {
		if x.Wrong {
			continue
		}
		runs := x.TotalRuns()
		if e.totalRuns.Add(e.totalRuns, runs); runs.Cmp(most) <= 0 && e.totalRuns.Cmp(all) <= 0 {
			continue
		}
		for _, later := range chosen[i+1:] {
			e.totalRuns.Add(e.totalRuns, later.TotalRuns())
		}
		factors := make([]string, len(x.Crossed))
		for k, f := range x.Crossed {
			factors[k] = fmt.Sprintf("%s of %s", humanize.Comma(int64(len(f.Levels))), f.Name)
		}
		_, replications := x.RangeOfReplications()
		factors = append(factors, humanize.Comma(int64(replications))+" "+english.PluralWord(replications, "replication", ""))
		e.tooMany(x, fmt.Sprintf("has %s runs, %s", humanize.BigComma(runs), strings.Join(factors, " x ")))
		return false
	}
	return true
}

// tooMany reports an experiment that exceeds the limit of runs.
func (e *expander) tooMany(x *study.Experiment, what string) {
	enough := ""
	if len(e.options.Replications) == 0 { // totalRuns leaves these out
		enough = " " + e.totalRuns.String()
	}
	e.report(x.Pos, configs.Key("experiments", x.Name), "%s; a plan has at most %s: take fewer levels or replications, "+
		"choose experiments with --experiment, or raise the limit with --max-runs%s", what,
		humanize.Comma(int64(e.maxRuns())), enough)
}

func (e *expander) maxRuns() int { return cmp.Or(e.options.MaxRuns, DefaultMaxRuns) }

// assigned is the assignment that gave a parameter of a point its value, with its level, for
// messages.
type assigned struct {
	study.Assignment
	where string
}

// assignedBy returns the assignments that gave the parameters of a cell their values: the levels,
// then the last of the fixed settings.
func assignedBy(x *study.Experiment, chosen []study.Level) []assigned {
	var all []assigned
	add := func(a study.Assignment, where string) {
		if !slices.ContainsFunc(all, func(before assigned) bool { return before.Parameter == a.Parameter }) {
			all = append(all, assigned{a, where})
		}
	}
	for f := len(chosen) - 1; f >= 0; f-- {
		for _, a := range chosen[f].Assignments {
			add(a, fmt.Sprintf(" (level %s of %s)", chosen[f].Label.Text, x.Crossed[f].Name))
		}
	}
	for _, a := range slices.Backward(x.Fixed) {
		add(a, "")
	}
	return all
}

// origin returns the position and key of the assignment that gave a parameter its value, and where
// it stands, for messages; of the experiment if the parameter has its default.
func origin(
	field string, m *model.Model, x *study.Experiment, chosen []study.Level,
) (at configs.Pos, key, where string) {
	for _, a := range assignedBy(x, chosen) {
		if a.Parameter == m.Parameter(field) {
			return a.Setting.Value.Pos, a.Setting.Key, a.where
		}
	}
	where = fmt.Sprintf(" (in experiment %s, where %s has its default)", x.Name, field)
	return x.Pos, configs.Key("experiments", x.Name), where
}

// cause is what was reported of a parameter: the assignment of a wrong value, or the text of the
// problem of a default.
type cause struct {
	parameter string
	at        configs.Pos
	key, text string
}

// reportPoint reports a problem of a point at the assignment that gave the parameter its value. If
// another assignment that is nearer to the user causes the problem, it is reported there instead,
// and once, since it affects many inherited experiments. Problems caused by a default are reported
// once too.
func (e *expander) reportPoint(problem model.Problem, values model.Point, x *study.Experiment, chosen []study.Level) {
	all := assignedBy(x, chosen)
	from := byDefault
	isIt := func(a assigned) bool { return a.Parameter == e.plan.Model.Parameter(problem.Field) }
	if i := slices.IndexFunc(all, isIt); i >= 0 {
		from = e.source(all[i].Setting.Value)
	}
	for nearer := onCommandLine; nearer > from; nearer-- {
		for _, a := range all {
			if e.source(a.Setting.Value) == nearer && e.isValidWithDefault(a, problem, values) {
				if e.isFirst(cause{problem.Field, a.Setting.Value.Pos, a.Setting.Key, ""}) {
					e.report(a.Setting.Value.Pos, a.Setting.Key, "%s: %s%s", problem.Field, problem.Text, a.where)
				}
				return
			}
		}
	}
	at, key, where := origin(problem.Field, e.plan.Model, x, chosen)
	if from > byDefault || e.isFirst(cause{parameter: problem.Field, text: problem.Text}) {
		e.report(at, key, "%s%s", problem.Text, where)
	}
}

// Report adds a problem of a run at the line that gives the parameter its value, with the first
// cell of the run.
func (p *Plan) Report(problems *configs.Problems, run Run, problem model.Problem) {
	isRun := func(i int) bool { return p.Runs[i].ID == run.ID }
	for _, x := range p.Experiments {
		for _, cell := range x.Cells {
			if !slices.ContainsFunc(cell.Runs, isRun) {
				continue
			}
			chosen := make([]study.Level, len(cell.Levels))
			for f, level := range cell.Levels {
				chosen[f] = x.Bound.Crossed[f].Levels[level]
			}
			at, key, _ := origin(problem.Field, p.Model, x.Bound, chosen)
			p.Study.File.Report(problems, at, key, "%s (in %s)", problem.Text, x.CellName(cell))
			return
		}
	}
}

// isFirst reports whether the cause was not reported before, and records it.
func (e *expander) isFirst(c cause) bool {
	before := e.reported[c]
	e.reported[c] = true
	return !before
}

// source is where a value was set, the farthest from the user first.
type source int

const (
	byDefault source = iota
	inherited
	inFile
	onCommandLine
)

// source returns where a value was written.
func (e *expander) source(value configs.Text) source {
	switch {
	case value.Pos.Line == 0:
		return onCommandLine
	case value.Pos.File == e.plan.Study.File.File:
		return inFile
	default:
		return inherited
	}
}

// isValidWithDefault reports whether the problem of a point disappears when the assigned parameter
// has its default.
func (e *expander) isValidWithDefault(a assigned, problem model.Problem, values model.Point) bool {
	changed := slices.Clone(values)
	changed[a.Parameter] = e.plan.Model.Parameters[a.Parameter].Default
	same := func(other model.Problem) bool { return other.Field == problem.Field }
	return !slices.ContainsFunc(e.plan.Model.Validate(changed), same)
}
