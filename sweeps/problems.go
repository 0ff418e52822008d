package sweeps

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"gridsweep/configs"
	"gridsweep/model"
)

// report adds a problem, once.
func (e *expander) report(at configs.Text, key, format string, args ...any) {
	e.study.Report(&e.problems, at.Pos, key, format, args...)
}

// checkSet reports each parameter that --set fixes though a factor varies it, with the experiments where one does.
func (e *expander) checkSet(chosen []configs.Experiment, grids []grid) {
	for _, fixed := range e.set {
		varied := map[string][]string{} // by factor: the experiments that vary the parameter by it
		for i, x := range chosen {
			if fixed.wrong {
				continue
			}
			for name := range grids[i].varies(fixed.parameter) {
				varied[name] = append(varied[name], x.Name.Value)
			}
		}
		for _, f := range e.own {
			names := varied[f.Name.Value]
			if len(names) == 0 {
				continue
			}
			verb := "varies"
			if len(names) > 1 {
				verb = "vary"
			}
			advice := "give levels with --levels " + f.Name.Value + "=..."
			if !f.List {
				advice = "they are named settings, so give others in a study file that extends this study and has the factor anew"
			}
			e.report(fixed.setting.Name, fixed.setting.Key, "%s %s %s it by factor %s, whose levels would win; "+
				"%s, or choose other experiments with --experiment",
				english.PluralWord(len(names), "experiment", ""), english.WordSeries(names, "and"), verb, f.Name.Value, advice)
		}
	}
}

// varies returns the names of factors whose levels give the parameter values.
func (g grid) varies(parameter int) map[string]bool {
	names := map[string]bool{}
	gives := func(a assignment) bool { return a.parameter == parameter && !a.wrong }
	isGiven := func(l level) bool { return slices.ContainsFunc(l.assignments, gives) }
	for _, f := range g.factors {
		if slices.ContainsFunc(f.levels, isGiven) {
			names[f.Name.Value] = true
		}
	}
	return names
}

// shortage is a factor of the study's own file that lacks levels which experiments that it inherits take.
type shortage struct {
	factor             factor
	labels             []string
	experiments, lines []string
	file               string // that of the first of the experiments
}

// levelsHere returns the levels that an experiment takes of a factor, without those that it inherits and the factor, which
// the study's own file has put in the place of another, lacks. These are kept for reportShort.
func (e *expander) levelsHere(x configs.Experiment, f factor, crossed configs.Crossed) []configs.Text {
	var taken []configs.Text
	for _, label := range crossed.Levels {
		has := f.byLabel[configs.CanonicalLabel(label.Value)] > 0
		if label.Pos.File == e.study.File || f.Broken || f.Name.Pos.File != e.study.File || has {
			taken = append(taken, label)
			continue
		}
		i := slices.IndexFunc(e.short, func(s shortage) bool { return s.factor.Name == f.Name })
		if i < 0 {
			i = len(e.short)
			e.short = append(e.short, shortage{factor: f, file: label.Pos.File})
		}
		s := &e.short[i]
		s.labels = withName(s.labels, strconv.Quote(label.Value))
		s.experiments = withName(s.experiments, strconv.Quote(e.named(x)))
		s.lines = withName(s.lines, strconv.Itoa(label.Pos.Line))
	}
	return taken
}

// mostNamed is how many names a message lists.
const mostNamed = 100

func withName(names []string, name string) []string {
	if len(names) == mostNamed {
		return append(names, "…")
	}
	if len(names) > mostNamed || slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// named returns what the file calls an experiment that may be a part of it.
func (e *expander) named(x configs.Experiment) string {
	name, _, _ := strings.Cut(x.Name.Value, "/")
	return name
}

// reportShort reports each factor that lacks levels, with the experiments that take them.
func (e *expander) reportShort() {
	for _, s := range e.short {
		e.report(s.factor.Name, configs.Key("factors", s.factor.Name.Value),
			"lacks levels that inherited experiments take: %s (%s; %s, %s %s); add them, write these experiments in this file "+
				"too, or choose others with --experiment", strings.Join(s.labels, ", "), strings.Join(s.experiments, ", "), s.file,
			english.PluralWord(len(s.lines), "line", ""), strings.Join(s.lines, ", "))
	}
}

// mostRepeated is how many times the runs of a plan its experiments may ask for: several may ask for the same run.
const mostRepeated = 3

// checkRuns reports an experiment that asks for more runs than a plan may have, or with which all ask for far more, before
// any is made.
func (e *expander) checkRuns(chosen []configs.Experiment, grids []grid) bool {
	most := big.NewInt(int64(e.maxRuns()))
	all := new(big.Int).Mul(most, big.NewInt(mostRepeated))
	for i, g := range grids {
		if g.wrong {
			continue
		}
		runs := g.size()
		if e.asked.Add(e.asked, runs); runs.Cmp(most) <= 0 && e.asked.Cmp(all) <= 0 {
			continue
		}
		for _, later := range grids[i+1:] {
			e.asked.Add(e.asked, later.size())
		}
		factors := make([]string, len(g.factors))
		for k, f := range g.factors {
			factors[k] = fmt.Sprintf("%s of %s", humanize.Comma(int64(len(f.levels))), f.Name.Value)
		}
		e.tooMany(chosen[i], fmt.Sprintf("asks for %s runs, %s", humanize.BigComma(runs),
			strings.Join(append(factors, humanize.Comma(int64(g.rounds))+" "+english.PluralWord(g.rounds, "round", "")), " x ")))
		return false
	}
	return true
}

// tooMany reports an experiment with which there are more runs than a plan may have.
func (e *expander) tooMany(x configs.Experiment, what string) {
	e.report(x.Name, configs.Key("experiments", x.Name.Value), "%s; a plan has at most %s: take fewer levels or rounds, choose "+
		"experiments with --experiment, or raise the limit with --max-runs %s", what, humanize.Comma(int64(e.maxRuns())), e.asked)
}

func (e *expander) maxRuns() int { return cmp.Or(e.options.MaxRuns, DefaultMaxRuns) }

// size returns how many runs the cells of the grid ask for.
func (g grid) size() *big.Int {
	runs := big.NewInt(int64(g.rounds))
	for _, f := range g.factors {
		runs.Mul(runs, big.NewInt(int64(len(f.levels))))
	}
	return runs
}

// given is the assignment that gave a parameter of a point its value, and which level it is of, for messages.
type given struct {
	assignment
	where string
}

// given returns what gave the parameters of a cell their values: the levels, then the last of the fixed settings.
func (g grid) given(chosen []level) []given {
	var all []given
	add := func(a assignment, where string) {
		if !slices.ContainsFunc(all, func(before given) bool { return before.parameter == a.parameter }) {
			all = append(all, given{a, where})
		}
	}
	for f := len(chosen) - 1; f >= 0; f-- {
		for _, a := range chosen[f].assignments {
			add(a, fmt.Sprintf(" (level %s of %s)", chosen[f].label.Value, g.factors[f].Name.Value))
		}
	}
	for _, a := range slices.Backward(g.fixed) {
		add(a, "")
	}
	return all
}

// origin finds what gave a parameter its value: what was given, or else the model's default in the experiment.
func origin(field string, m *model.Model, x configs.Experiment, g grid, chosen []level) (at configs.Text, key, where string) {
	for _, a := range g.given(chosen) {
		if a.parameter == m.Parameter(field) {
			return a.setting.Value, a.setting.Key, a.where
		}
	}
	return x.Name, configs.Key("experiments", x.Name.Value),
		fmt.Sprintf(" (in experiment %s, where %s has its default)", x.Name.Value, field)
}

// blame is a place that was blamed for a wrong value of a parameter.
type blame struct {
	at         configs.Pos
	key, field string
}

// reportPoint reports what is wrong with a point at what gave the parameter its value. Where something that is nearer to
// the user makes the difference it is reported there, and once: it would be wrong in many an inherited experiment. So is
// what a default makes wrong.
func (e *expander) reportPoint(problem model.Problem, values model.Point, x configs.Experiment, g grid, chosen []level) {
	all := g.given(chosen)
	from := byDefault
	isIt := func(a given) bool { return a.parameter == e.model.Parameter(problem.Field) }
	if i := slices.IndexFunc(all, isIt); i >= 0 {
		from = e.source(all[i].setting.Value)
	}
	for nearer := onCommandLine; nearer > from; nearer-- {
		for _, a := range all {
			if e.source(a.setting.Value) == nearer && e.isRightWithout(a, problem, values) {
				if e.isFirst(blame{a.setting.Value.Pos, a.setting.Key, problem.Field}) {
					e.report(a.setting.Value, a.setting.Key, "%s: %s%s", problem.Field, problem.Text, a.where)
				}
				return
			}
		}
	}
	at, key, where := origin(problem.Field, e.model, x, g, chosen)
	if from > byDefault || e.isFirst(blame{key: problem.Text, field: problem.Field}) {
		e.report(at, key, "%s%s", problem.Text, where)
	}
}

// isFirst reports whether nothing was blamed so before.
func (e *expander) isFirst(b blame) bool {
	before := e.blamed[b]
	e.blamed[b] = true
	return !before
}

// source is who gave a value, the farthest from the user first.
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
	case value.Pos.File == e.study.File:
		return inFile
	default:
		return inherited
	}
}

// isRightWithout reports whether nothing is wrong with the field of a point once what was given is the default again.
func (e *expander) isRightWithout(a given, problem model.Problem, values model.Point) bool {
	changed := slices.Clone(values)
	changed[a.parameter] = e.model.Parameters[a.parameter].Default
	same := func(other model.Problem) bool { return other.Field == problem.Field }
	return !slices.ContainsFunc(e.model.Validate(changed), same)
}
