package study

// Binding: settings, factors and experiments; the other files bind tables, figures and claims.

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gridsweep/analysis/statistics"
	"gridsweep/configs"
	"gridsweep/model"
)

// Bind binds a study file to its model. Where names or values in it are wrong it returns all
// problems of the whole file, used or not; the Tables, Figures and Claims of the study must not be
// used then. Without a model, which may be nil, Bind checks the names within the file. When ctx is
// done it leaves out the rest.
func Bind(ctx context.Context, file *configs.Study, m *model.Model, overrides Overrides) (*Study, configs.Problems) {
	b := &binder{ctx: ctx, file: file, model: m, overrides: overrides, bound: &Study{
		Name: file.Name.Value, Paper: file.Paper.Value, Title: file.Title.Value, File: file, Model: m,
	}}
	for base := file; base != nil; base = base.Base {
		if base.Base == nil {
			b.checkPublishedLevels(base)
		}
	}
	b.addUniverses()
	if !b.checkSize() {
		return b.bound, b.problems
	}
	b.bound.Seed, _ = strconv.ParseInt(file.Seed.Value, 10, 64) // package configs reports a malformed seed
	b.settle()
	b.readFactors()
	b.readExperiments()
	b.checkExperiments()
	b.bindOutputs()
	b.reportLacking()
	b.reportUnfit()
	return b.bound, b.problems
}

// binder binds a study file and gathers every problem it meets.
type binder struct {
	ctx       context.Context
	file      *configs.Study
	model     *model.Model // nil where it is not known
	overrides Overrides
	bound     *Study
	problems  configs.Problems

	universes        map[string]factorOfUniverses // by name of the factor
	base, quick, set []Assignment
	factors          map[string]*Factor // by name
	factorNames      []string
	experiments      map[string]*Experiment        // bound, by name
	names            []string                      // of the bound experiments
	withEach         map[string]configs.Experiment // experiments of the file with each, by name
	namesInClaims    []string                      // names that claims may be of: names and those of withEach
	parts            partsByName
	repeated         map[string][]*Experiment      // by name in the file: the experiments written out from repeat
	broken           map[string]bool               // names of experiments and parts with errors in their definitions
	taken            map[*configs.Crossed]labelSet // cache of takenBy
	sources          map[string]*Source            // tables of the model, by name
	means            map[string]int                // by published file: runs that its numbers are means of
	anyTable         bool                          // a table could not be read in whole and may show any published file
	placed           int                           // published numbers times blocks of their tables, so far
	lacking          map[string][]string           // by name in the file: parts for reportLacking
	unfit            []unfit
}

func (b *binder) report(at configs.Text, key, format string, args ...any) {
	b.file.Report(&b.problems, at.Pos, key, format, args...)
}

// settle decodes the settings that hold in the whole study.
func (b *binder) settle() {
	b.base = b.settings(b.file.Set)
	if quick := b.settings(b.file.Quick.Set); b.overrides.Quick {
		b.quick = quick
	}
	b.set = b.settings(b.overrides.Set)
	b.bound.Base, b.bound.Set = slices.Concat(b.base, b.quick, b.set), b.set
	b.readDeviations()
}

// readDeviations binds the parameters that differ from the paper.
func (b *binder) readDeviations() {
	if b.model == nil {
		return
	}
	for _, d := range b.file.Deviations {
		key := configs.Key("deviations", d.Name.Value)
		printed := configs.Setting{Name: d.Name, Value: d.Printed, Key: key}
		if d.Printed.Value == "" { // any value that the parameter can have
			if i := b.model.Parameter(d.Name.Value); i >= 0 {
				printed.Value.Value = b.model.Parameters[i].Default.String()
			}
		}
		assigned := b.settings([]configs.Setting{printed})[0]
		if assigned.Wrong {
			continue
		}
		bound := Deviation{Parameter: assigned.Parameter, Source: d.Source.Value, Why: d.Why.Value}
		if d.Printed.Value != "" {
			bound.Printed = assigned.Value.String()
		}
		b.bound.Deviations = append(b.bound.Deviations, bound)
	}
}

// settings decodes settings.
func (b *binder) settings(settings []configs.Setting) []Assignment {
	if b.model == nil {
		return nil
	}
	assignments := make([]Assignment, len(settings))
	for k, s := range settings {
		assignments[k] = Assignment{Setting: s, Wrong: true}
		i := b.model.Parameter(s.Name.Value)
		switch {
		case i < 0 && s.Name.Value == model.TraceParameter:
			b.report(s.Name, s.Key, "model %s reads no traces; leave it out", b.model.Name)
			continue
		case i < 0:
			b.report(s.Name, s.Key, "model %s has no such parameter; %s", b.model.Name,
				configs.Suggest(s.Name.Value, b.parameterNames()))
			continue
		}
		value, err := b.model.Parameters[i].Parse(s.Value.Value)
		if err != nil {
			b.report(s.Value, s.Key, "%v", err)
		}
		assignments[k] = Assignment{i, value, s, err != nil}
	}
	return assignments
}

func (b *binder) parameterNames() []string {
	names := make([]string, len(b.model.Parameters))
	for i, p := range b.model.Parameters {
		names[i] = p.Name
	}
	return names
}

// readFactors binds every factor, with the levels of quick and the command line in place of its
// own.
func (b *binder) readFactors() {
	b.factors = map[string]*Factor{}
	b.bound.Factors = make([]Factor, len(b.file.Factors))
	for i, f := range b.file.Factors {
		factor := &b.bound.Factors[i]
		*factor = b.newFactor(f)
		if b.factors[f.Name.Value] == nil {
			b.factors[f.Name.Value] = factor
		}
		b.factorNames = append(b.factorNames, f.Name.Value)
	}
	for _, s := range b.file.Quick.Levels {
		key := configs.Key("quick", "levels", s.Dimension.Value)
		f := b.factor(s.Dimension, "quick.levels")
		if f == nil {
			continue
		}
		b.checkLabels(s.Labels, f.labels, key, "factor "+f.Name)
		if b.overrides.Quick {
			b.override(f, s, key)
		}
	}
	for _, s := range b.overrides.Levels {
		if f := b.factors[s.Dimension.Value]; f != nil {
			b.override(f, s, s.Dimension.Value)
			continue
		}
		b.report(s.Dimension, s.Dimension.Value, "study %s has no such factor; %s", b.file.Name.Value,
			configs.Suggest(s.Dimension.Value, b.factorNames))
	}
}

func (b *binder) newFactor(f configs.Factor) Factor {
	factor := Factor{
		Name: f.Name.Value, List: f.List, Pos: f.Name.Pos, Broken: f.Broken,
		own: b.levels(f, configs.Key("factors", f.Name.Value)), byLabel: map[string]int{}, always: map[string]bool{},
	}
	factor.Levels = factor.own
	names := make([]string, len(f.Levels))
	sets := map[string]int{} // by parameter: how many levels do
	for i, level := range f.Levels {
		names[i] = level.Label.Value
		if same := configs.CanonicalLabel(level.Label.Value); factor.byLabel[same] == 0 {
			factor.byLabel[same] = i + 1
		}
		for _, setting := range level.Settings {
			if sets[setting.Name.Value]++; sets[setting.Name.Value] == 1 && len(factor.parameters) < mostSet {
				factor.parameters = append(factor.parameters, setting.Name.Value)
			}
		}
	}
	if !f.Broken {
		factor.labels = newLabelSet(names)
	}
	if f.List {
		factor.parameters, factor.always[f.Name.Value] = []string{f.Name.Value}, true
	}
	for parameter, n := range sets {
		if n == len(f.Levels) {
			factor.always[parameter] = true
		}
	}
	return factor
}

// mostSet bounds the parameters that one factor sets, far above the number of any model.
const mostSet = 200

// levels decodes the levels of a factor, which are below the key.
func (b *binder) levels(f configs.Factor, key string) []Level {
	levels := make([]Level, 0, len(f.Levels))
	seen := map[model.Value]configs.Text{} // by the value of a listed level: its label
	isUnknown := b.model != nil && f.List && b.model.Parameter(f.Name.Value) < 0
	for i, l := range f.Levels {
		settings := l.Settings
		if f.List {
			settings = []configs.Setting{{Name: f.Name, Value: l.Label, Key: key}}
		}
		assignments := []Assignment{{Wrong: true}}
		if !isUnknown || i == 0 { // an unknown parameter is reported at the first level
			assignments = b.settings(settings)
		}
		if f.List && len(assignments) > 0 && !assignments[0].Wrong {
			if earlier, twice := seen[assignments[0].Value]; twice {
				b.report(l.Label, key, "level %s is the same value as %s", l.Label.Value, earlier.Value)
			} else {
				seen[assignments[0].Value] = l.Label
			}
		}
		levels = append(levels, Level{NewLabel(l.Label.Value), assignments})
	}
	return levels
}

// override replaces the levels of a factor. A factor that lists values takes any value of its
// parameter; another factor takes only levels that it has in the file.
func (b *binder) override(f *Factor, s configs.Selection, key string) {
	f.overridden = true
	if !f.List {
		f.Levels = b.take(f, s.Labels, key)
		return
	}
	replaced := configs.Factor{Name: configs.Text{Value: f.Name, Pos: f.Pos}, List: true}
	for _, label := range s.Labels {
		replaced.Levels = append(replaced.Levels, configs.Level{Label: label})
	}
	f.Levels = b.levels(replaced, key)
}

// take returns the levels of a factor with the given labels, in the order of the labels.
func (b *binder) take(f *Factor, labels []configs.Text, key string) []Level {
	if f.Broken {
		return nil
	}
	var levels []Level
	taken := map[string]bool{}
	for _, label := range labels {
		same := configs.CanonicalLabel(label.Value)
		found := f.byLabel[same]
		switch {
		case found == 0:
			b.report(label, key, "factor %s has no level %q; %s", f.Name, configs.Shortened(label.Value),
				configs.Suggest(label.Value, f.labels.texts))
		case taken[same]:
			b.report(label, key, "level %s comes twice", label.Value)
		default:
			levels = append(levels, f.own[found-1])
		}
		taken[same] = true
	}
	return levels
}

// readExperiments binds the experiments that are run.
func (b *binder) readExperiments() {
	b.experiments, b.withEach = map[string]*Experiment{}, map[string]configs.Experiment{}
	b.parts, b.repeated, b.broken = partsOf(b.file), map[string][]*Experiment{}, map[string]bool{}
	b.taken, b.lacking = map[*configs.Crossed]labelSet{}, map[string][]string{}
	for _, e := range b.file.Experiments {
		if len(e.Each) > 0 {
			b.withEach[e.Name.Value] = e
			b.namesInClaims = append(b.namesInClaims, e.Name.Value)
		}
		isUnknownFactor := func(name configs.Text) bool { return b.factors[name.Value] == nil }
		isUnknown := func(name configs.Text) bool { return b.parts[name.Value] == nil }
		if e.Broken || slices.ContainsFunc(e.Each, isUnknownFactor) || slices.ContainsFunc(e.Repeat, isUnknown) {
			b.broken[e.Name.Value] = true
		}
	}
	for i, e := range expanded(b.file) {
		bound := b.experiment(e)
		bound.Index, bound.Universes = i, b.universesAt(bound)
		b.bound.Experiments = append(b.bound.Experiments, bound)
		b.experiments[bound.Name] = bound
		b.names = append(b.names, bound.Name)
		if e.Broken {
			b.broken[bound.Name] = true
		}
		if e.again != "" {
			by := strings.TrimSuffix(bound.Name, "/"+e.again)
			b.repeated[by] = append(b.repeated[by], bound)
		}
	}
	for _, e := range b.bound.Experiments {
		e.Again = b.experiments[e.file.again]
	}
	b.namesInClaims = append(b.namesInClaims, b.names...)
}

// experiment binds one experiment: its settings, in order of precedence, and its factors.
func (b *binder) experiment(e experiment) *Experiment {
	whole, _, _ := strings.Cut(e.Name.Value, "/")
	bound := &Experiment{
		Name: e.Name.Value, Doc: e.Doc.Value, Whole: whole, Pos: e.Name.Pos, Rounds: e.Rounds, Measure: e.Measure,
		Optional: e.Optional, file: e, Fixed: slices.Concat(b.base, b.settings(e.Set), b.quick, b.set),
	}
	bound.Wrong = e.Broken || slices.ContainsFunc(bound.Fixed, Assignment.IsWrong)
	if b.overrides.Quick && b.file.Quick.Rounds > 0 {
		bound.Rounds = b.file.Quick.Rounds
	}
	bound.Rounds = b.atMost(bound.Rounds)
	for _, crossed := range e.Cross {
		f := b.factors[crossed.Factor.Value]
		if f == nil {
			bound.Wrong = true // checkExperiments reports it
			continue
		}
		bound.Wrong = bound.Wrong || f.Broken
		levels := f.Levels
		if crossed.Levels != nil && !f.overridden {
			levels = b.take(f, b.levelsHere(bound, f, crossed), crossed.Key)
		}
		if crossed.Baseline.Value != "" {
			levels = append([]Level{{Label: NewLabel(crossed.Baseline.Value)}}, levels...)
		}
		bound.Crossed = append(bound.Crossed, Crossed{Factor: f, Levels: levels, rounds: b.roundsAt(e, f, levels)})
	}
	return bound
}

// roundsAt returns, by level of a factor, the level's own number of replications in an experiment,
// 0 for none; nil where no level has one, or quick sets that of all cells.
func (b *binder) roundsAt(e experiment, f *Factor, levels []Level) []int {
	if b.overrides.Quick && b.file.Quick.Rounds > 0 {
		return nil
	}
	var rounds []int
	for _, at := range e.RoundsAt {
		i := slices.IndexFunc(levels, func(l Level) bool { return l.Label.Same(NewLabel(at.Level.Value)) })
		if at.Factor.Value != f.Name || i < 0 {
			continue
		}
		if rounds == nil {
			rounds = make([]int, len(levels))
		}
		rounds[i] = b.atMost(at.Rounds)
	}
	return rounds
}

// atMost returns a number of replications, or the most that the command allows.
func (b *binder) atMost(rounds int) int {
	if most := b.overrides.Rounds; most > 0 {
		return min(rounds, most)
	}
	return rounds
}

// bindOutputs binds the tables, figures and claims of the study.
func (b *binder) bindOutputs() {
	b.sources, b.means = map[string]*Source{}, map[string]int{}
	for _, t := range b.file.Tables {
		b.anyTable = b.anyTable || isBroken(t)
		if _, known := b.means[t.Published.Value]; !known {
			b.means[t.Published.Value] = t.MeanOf
		}
	}
	for _, t := range b.file.Tables {
		if b.ctx.Err() != nil {
			return
		}
		b.bound.Tables = append(b.bound.Tables, b.table(t))
	}
	b.checkFit()
	for _, f := range b.file.Figures {
		if b.ctx.Err() != nil {
			return
		}
		b.bound.Figures = append(b.bound.Figures, b.figure(f))
	}
	for _, c := range b.file.Claims {
		if b.ctx.Err() != nil {
			return
		}
		b.bound.Claims = append(b.bound.Claims, b.claim(c))
	}
	b.checkPresupposed()
	for _, u := range b.file.Unjudged {
		b.bound.Unjudged = append(b.bound.Unjudged, Statement{u.Name.Value, u.Doc.Value, u.Source.Value, u.Why.Value})
	}
}

// isBroken reports whether not all of a table could be read.
func isBroken(t configs.Table) bool {
	return slices.ContainsFunc(t.Blocks, func(b configs.Block) bool { return b.Broken })
}

// statisticsOf returns the statistics of a query.
func statisticsOf(texts []configs.Text) []statistics.Statistic {
	var stats []statistics.Statistic
	for _, t := range texts {
		stats = append(stats, statistics.Statistic(t.Value))
	}
	return stats
}
