package sweeps

import (
	"context"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"gridsweep/configs"
	"gridsweep/model"
)

// Options choose what of a study is planned and override its values. Precedence, lowest first: the model's defaults,
// the study, the experiment, quick, Set, and the level of a factor.
type Options struct {
	Quick  bool
	Set    []configs.Setting   // --set
	Levels []configs.Selection // --levels: the levels a factor has instead of its own
	// Traces resolves what a point says of the traces it reads, one or more names of the catalogue, to what it uses; see
	// model.TraceParameter. Paths in it are relative to folder, that of the file which says so, or of the working folder
	// where that is empty. It is asked for every point, so it has to remember. Nil leaves them as the study says it.
	Traces func(ctx context.Context, value, folder string, names []string) (string, error)
	// MaxRuns is how many runs the plan may have; 0 stands for DefaultMaxRuns.
	MaxRuns int // --max-runs
	// Experiments are named as they are or by the part before the slash; nil takes all that are not optional. One that
	// repeats another brings that along: its rows stand beside the other's.
	Experiments []string
}

// DefaultMaxRuns is the most runs of a plan unless somebody says that more are meant. A plan takes some 2 KB of memory for
// each point.
const DefaultMaxRuns = 100_000

// Expand plans the experiments of a study, or finds what is wrong with the values of one whose form has problems. The
// error is a configs.Problems with every unknown name and every value out of range in the whole file, whether or not
// the chosen experiments use it. When ctx is done, its error is returned soon.
func Expand(ctx context.Context, study *configs.Study, m *model.Model, options Options) (*Plan, error) {
	e := &expander{ctx: ctx, study: study, model: m, options: options, blamed: map[blame]bool{}, asked: new(big.Int)}
	plan := &Plan{Study: study, Model: m, Seed: e.seed()}
	e.base = e.settings(study.Set)
	if quick := e.settings(study.Quick.Set); options.Quick {
		e.quick = quick
	}
	e.set = e.settings(options.Set)
	e.readFactors()
	chosen := e.chosen()
	grids := make([]grid, len(chosen))
	for i, experiment := range chosen {
		grids[i] = e.grid(experiment)
	}
	e.checkSet(chosen, grids)
	e.reportShort()
	if !e.checkRuns(chosen, grids) {
		return nil, e.problems
	}
	plan.Base = m.Defaults()
	base := grid{fixed: slices.Concat(e.base, e.quick, e.set)}
	assign(plan.Base, base.fixed)
	// What is wrong with its traces is reported where a cell has them.
	_ = e.resolveTraces(plan.Base, configs.Experiment{}, base, nil)
	collect := newCollector(plan)
	for i, experiment := range chosen {
		collect.add(experiment, grids[i], e)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(e.problems) > 0 {
		return nil, e.problems
	}
	if err := collect.layOut(ctx); err != nil {
		return nil, err
	}
	return plan, nil
}

// assignment is a setting decoded: a parameter's index, its value, and where it was written. One that is wrong is noted
// and has neither.
type assignment struct {
	parameter int
	value     model.Value
	setting   configs.Setting
	wrong     bool
}

func (a assignment) isWrong() bool { return a.wrong }

// factor is a factor of the study with its levels decoded.
type factor struct {
	configs.Factor
	levels  []level
	byLabel map[string]int // index of a level of the study's own, from 1, by the label in its one way of writing
}

type level struct {
	label       configs.Text
	assignments []assignment
}

func (l level) isWrong() bool { return slices.ContainsFunc(l.assignments, assignment.isWrong) }

// grid is an experiment before its cells are made: its assignments and the factors that vary.
type grid struct {
	fixed   []assignment
	factors []factor
	rounds  int
	wrong   bool // what is fixed, or which factors vary, is not all known
}

// expander decodes a study and gathers every problem it meets.
type expander struct {
	ctx     context.Context
	study   *configs.Study
	model   *model.Model
	options Options

	base, quick, set []assignment
	own              []factor       // as the study has them
	factors          []factor       // with the levels that quick and the command line give them
	indices          map[string]int // of the factors, by name
	short            []shortage
	problems         configs.Problems
	blamed           map[blame]bool
	asked            *big.Int // runs that the experiments ask for, equal ones counted each
}

// seed returns the study's seed.
func (e *expander) seed() int64 {
	seed, err := strconv.ParseInt(e.study.Seed.Value, 10, 64)
	if err != nil {
		return 0 // noted with the study's form
	}
	return seed
}

// settings decodes settings.
func (e *expander) settings(settings []configs.Setting) []assignment {
	var assignments []assignment
	for _, s := range settings {
		i := e.model.Parameter(s.Name.Value)
		switch {
		case i < 0 && s.Name.Value == model.TraceParameter:
			e.report(s.Name, s.Key, "model %s reads no traces; leave it out", e.model.Name)
		case i < 0:
			e.report(s.Name, s.Key, "model %s has no such parameter; %s", e.model.Name,
				configs.Suggest(s.Name.Value, e.parameterNames()))
		}
		if i < 0 {
			assignments = append(assignments, assignment{setting: s, wrong: true})
			continue
		}
		value, err := e.model.Parameters[i].Parse(s.Value.Value)
		if err != nil {
			e.report(s.Value, s.Key, "%v", err)
		}
		assignments = append(assignments, assignment{i, value, s, err != nil})
	}
	return assignments
}

func (e *expander) parameterNames() []string {
	names := make([]string, len(e.model.Parameters))
	for i, p := range e.model.Parameters {
		names[i] = p.Name
	}
	return names
}

// readFactors decodes every factor, with the levels that quick and the command line put in place of its own.
func (e *expander) readFactors() {
	e.indices = map[string]int{}
	for i, f := range e.study.Factors {
		e.own = append(e.own, e.factor(f, configs.Key("factors", f.Name.Value)))
		if _, twice := e.indices[f.Name.Value]; !twice {
			e.indices[f.Name.Value] = i
		}
	}
	e.factors = slices.Clone(e.own)
	if e.options.Quick {
		for _, s := range e.study.Quick.Levels {
			e.override(s, configs.Key("quick", "levels", s.Dimension.Value))
		}
	}
	for _, s := range e.options.Levels {
		if e.index(s.Dimension) < 0 {
			e.report(s.Dimension, s.Dimension.Value, "study %s has no such factor; %s", e.study.Name.Value,
				configs.Suggest(s.Dimension.Value, e.factorNames()))
			continue
		}
		e.override(s, s.Dimension.Value)
	}
}

// index returns the index of the named factor, or -1.
func (e *expander) index(name configs.Text) int {
	if i, found := e.indices[name.Value]; found {
		return i
	}
	return -1
}

// factor decodes a factor whose levels are below the key.
func (e *expander) factor(f configs.Factor, key string) factor {
	decoded := factor{Factor: f, byLabel: map[string]int{}}
	seen := map[model.Value]configs.Text{} // by the value of a listed level: its label
	isUnknown := f.List && e.model.Parameter(f.Name.Value) < 0
	for i, l := range f.Levels {
		settings := l.Settings
		if f.List {
			settings = []configs.Setting{{Name: f.Name, Value: l.Label, Key: key}}
		}
		assignments := []assignment{{wrong: true}}
		if !isUnknown || i == 0 { // an unknown parameter is noted at the first level
			assignments = e.settings(settings)
		}
		if f.List && !assignments[0].wrong {
			if earlier, twice := seen[assignments[0].value]; twice {
				e.report(l.Label, key, "level %s is the same value as %s", l.Label.Value, earlier.Value)
			} else {
				seen[assignments[0].value] = l.Label
			}
		}
		if same := configs.CanonicalLabel(l.Label.Value); decoded.byLabel[same] == 0 {
			decoded.byLabel[same] = i + 1
		}
		decoded.levels = append(decoded.levels, level{l.Label, assignments})
	}
	return decoded
}

// override replaces the levels of a factor. One that lists values takes any value of its parameter; another one only
// the levels it has in the study, whatever has replaced them before.
func (e *expander) override(s configs.Selection, key string) {
	i := e.index(s.Dimension)
	if i < 0 {
		return // noted with the study's form
	}
	f := e.own[i]
	if !f.List {
		e.factors[i].levels = e.take(f, s.Labels, key)
		return
	}
	replaced := f.Factor
	replaced.Levels = nil
	for _, label := range s.Labels {
		replaced.Levels = append(replaced.Levels, configs.Level{Label: label})
	}
	e.factors[i] = e.factor(replaced, key)
}

func (e *expander) factorNames() []string {
	names := make([]string, len(e.study.Factors))
	for i, f := range e.study.Factors {
		names[i] = f.Name.Value
	}
	return names
}

// take returns the levels of a factor with the given labels, in the order of the labels.
func (e *expander) take(f factor, labels []configs.Text, key string) []level {
	if f.Broken {
		return nil
	}
	var levels []level
	taken := map[string]bool{}
	for _, label := range labels {
		same := configs.CanonicalLabel(label.Value)
		found := f.byLabel[same]
		switch {
		case found == 0:
			e.report(label, key, "factor %s has no level %q; %s", f.Name.Value, label.Value,
				configs.Suggest(label.Value, f.labels()))
		case taken[same]:
			e.report(label, key, "level %s comes twice", label.Value)
		default:
			levels = append(levels, f.levels[found-1])
		}
		taken[same] = true
	}
	return levels
}

func (f factor) labels() []string {
	known := make([]string, len(f.levels))
	for i, l := range f.levels {
		known[i] = l.label.Value
	}
	return known
}

// chosen returns the experiments to plan, in the study's order.
func (e *expander) chosen() []configs.Experiment {
	all := e.study.Expanded()
	names := slices.Clone(e.options.Experiments)
	for _, x := range all {
		named := func(name string) bool { return IsPart(x.Name.Value, name) }
		if x.Again != "" && slices.ContainsFunc(e.options.Experiments, named) {
			names = append(names, x.Again)
		}
	}
	var chosen []configs.Experiment
	found := make([]bool, len(names))
	for _, x := range all {
		e.settings(x.Set) // every experiment is checked, chosen or not
		wanted := len(names) == 0 && !x.Optional
		for i, name := range names {
			if IsPart(x.Name.Value, name) {
				found[i], wanted = true, true
			}
		}
		if wanted && !x.Broken {
			chosen = append(chosen, x)
		}
	}
	for i, name := range e.options.Experiments {
		isPart := func(x configs.Experiment) bool { return x.Broken && IsPart(name, x.Name.Value) }
		if !found[i] && !slices.ContainsFunc(slices.Concat(e.study.Experiments, all), isPart) {
			var known []string
			seen := map[string]bool{}
			for _, x := range slices.Concat(e.study.Experiments, all) {
				if !seen[x.Name.Value] {
					known = append(known, x.Name.Value)
				}
				seen[x.Name.Value] = true
			}
			e.report(configs.Text{Value: name}, "--experiment", "study %s has no experiment %q; %s", e.study.Name.Value, name,
				configs.Suggest(name, known))
		}
	}
	return chosen
}

// IsPart reports whether an experiment of a plan is the named one of the study or, as name/factor, a part of it.
func IsPart(experiment, name string) bool {
	return experiment == name || strings.HasPrefix(experiment, name+"/")
}

// grid decodes one experiment: what is fixed, in order of precedence, and what varies.
func (e *expander) grid(x configs.Experiment) grid {
	g := grid{rounds: x.Rounds, fixed: slices.Concat(e.base, e.settings(x.Set), e.quick, e.set)}
	g.wrong = slices.ContainsFunc(g.fixed, assignment.isWrong)
	if e.options.Quick && e.study.Quick.Rounds > 0 {
		g.rounds = e.study.Quick.Rounds
	}
	for _, crossed := range x.Cross {
		i := e.index(crossed.Factor)
		if i < 0 {
			g.wrong = true // noted with the study's form
			continue
		}
		f := e.factors[i]
		g.wrong = g.wrong || f.Broken
		if crossed.Levels != nil && !e.overridden(f.Name.Value) {
			f.levels = e.take(f, e.levelsHere(x, f, crossed), crossed.Key)
		}
		g.factors = append(g.factors, f)
	}
	return g
}

// overridden reports whether quick or the command line gives the factor's levels.
func (e *expander) overridden(factor string) bool {
	names := func(s configs.Selection) bool { return s.Dimension.Value == factor }
	return slices.ContainsFunc(e.options.Levels, names) ||
		e.options.Quick && slices.ContainsFunc(e.study.Quick.Levels, names)
}
