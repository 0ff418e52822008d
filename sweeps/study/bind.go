// Binding: its steps, and the settings; other files bind the factors, experiments and outputs.

package study

import (
	"context"
	"slices"
	"strconv"

	"gridsweep/configs"
	"gridsweep/model"
)

// Bind binds a study file to its model. Where names or values in it are wrong it returns all
// problems of the file, also of entries that the command does not use; the Tables, Figures and
// Claims of the study must not be used then. Without a model, which may be nil, Bind checks the
// names within the file. When ctx is done it leaves out the rest.
func Bind(ctx context.Context, file *configs.Study, m *model.Model, overrides Overrides) (*Study, configs.Problems) {
	b := &binder{
		ctx: ctx, file: file, model: m, overrides: overrides,
		bound: &Study{
			Name: file.Name.Value, Paper: file.Paper.Value, Title: file.Title.Value, Citation: file.Citation.Value,
			File: file, Model: m,
		},
		factors: map[string]*Factor{}, experiments: map[string]*Experiment{},
		withEach: map[string]configs.Experiment{}, repeated: map[string][]*Experiment{}, broken: map[string]bool{},
		sources: map[string]*Source{}, lacking: map[string][]string{},
	}
	if m != nil && file.CitesModel() {
		b.bound.Citation = m.Paper
	}
	root := file
	for root.Base != nil {
		root = root.Base
	}
	b.checkPublishedLevels(root)
	b.addUniverses()
	if !b.checkSize() {
		return b.bound, b.problems
	}
	// package configs reports a malformed seed
	b.bound.Seed, _ = strconv.ParseInt(file.Seed.Value, 10, 64)
	b.decodeSettings()
	b.readDeviations()
	b.readFactors()
	b.readExperiments()
	b.checkExperiments()
	b.bindOutputs()
	b.reportLacking()
	b.reportMismatches()
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
	reported  int // how often report was called; problems has equal ones once

	universes        map[string]factorOfUniverses // by name of the factor
	base, quick, set []Assignment
	factors          map[string]*Factor // factors by name
	factorNames      []string
	experiments      map[string]*Experiment        // bound, by name
	experimentNames  []string                      // names of the bound experiments
	withEach         map[string]configs.Experiment // experiments of the file with each, by name
	// names that claims may be of: experimentNames and those of withEach
	namesInClaims []string
	parts         partsByName // what names in repeat stand for
	// by name in the file: the experiments written out from repeat
	repeated map[string][]*Experiment
	// names of experiments and parts with errors in their definitions
	broken  map[string]bool
	sources map[string]*Source // tables of the model, by name
	// a table could not be read in whole and may show any published file
	hasBrokenTable bool
	// published numbers times blocks of their tables, so far
	placed int
	// by name of an experiment in the file: parts that inherited entries show and it lacks
	lacking    map[string][]string
	mismatches []mismatch
}

// report adds a problem at the position of a text; key is the path of its entry in the file.
func (b *binder) report(at configs.Text, key, format string, args ...any) {
	b.reported++
	b.file.Report(&b.problems, at.Pos, key, format, args...)
}

// decodeSettings decodes the settings that hold in the whole study.
func (b *binder) decodeSettings() {
	b.base = b.settings(b.file.Set)
	if quick := b.settings(b.file.Quick.Set); b.overrides.Quick {
		b.quick = quick
	}
	b.set = b.settings(b.overrides.Set)
	b.bound.Base, b.bound.Set = slices.Concat(b.base, b.quick, b.set), b.set
}

// settings decodes the values of settings by the parameters of the model. It reports unknown
// parameters and wrong values, and marks their assignments as wrong.
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
				configs.Suggest(s.Name.Value, mapped(b.model.Parameters, func(p model.Parameter) string { return p.Name })))
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

// bindOutputs binds the tables, figures and claims of the study.
func (b *binder) bindOutputs() {
	b.hasBrokenTable = slices.ContainsFunc(b.file.Tables, isBroken)
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

// texts returns the texts of a list without their positions.
func texts(words []configs.Text) []string {
	return mapped(words, func(t configs.Text) string { return t.Value })
}

// is returns a function that reports whether a text is the word.
func is[W ~string](word W) func(configs.Text) bool {
	return func(t configs.Text) bool { return t.Value == string(word) }
}

// mapped returns f of each entry of a list.
func mapped[T, U any](list []T, f func(T) U) []U {
	all := make([]U, len(list))
	for i, entry := range list {
		all[i] = f(entry)
	}
	return all
}
