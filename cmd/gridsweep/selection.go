package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"gridsweep/analysis/tabulate"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/model/studies"
	"gridsweep/pipeline/traces"
	"gridsweep/results"
	"gridsweep/sweeps"
	bound "gridsweep/sweeps/study"
)

// selection is which studies a command is about and what of them is planned: the arguments and flags that plan, run,
// analyze, report and reproduce share. The same selection makes the same plan in each of them.
type selection struct {
	out         string
	quick       bool
	set         []string
	levels      []string
	experiments []string
	tables      []string
	maxRuns     int
	stale       bool
	use         results.Use    // what the command asks of the datasets
	command     *cobra.Command // that has the flags
}

func (s *selection) addFlags(c *cobra.Command) {
	s.addOut(c)
	flags := c.Flags()
	flags.BoolVar(&s.quick, "quick", false, "small runs that still show every table and figure, kept apart in OUT/quick")
	flags.StringArrayVar(&s.set, "set", nil, "override a parameter everywhere: `NAME=VALUE` (may be repeated)")
	flags.StringArrayVar(&s.levels, "levels", nil,
		"give a factor other levels: `FACTOR=A,B` (may be repeated; quote a level with a comma: tasks='\"U(2,3)\",\"U(2,4)\"')")
	flags.StringArrayVar(&s.experiments, "experiment", nil,
		"plan only this experiment, and those it repeats; optional ones are planned only so: `NAME` (may be repeated)")
	flags.StringArrayVar(&s.tables, "table", nil, "also write this optional long table: `NAME` (may be repeated)")
	flags.BoolVar(&s.stale, "stale", false,
		"use runs of the dataset that another source of the model made: its code is another, its version the same")
}

func (s *selection) addOut(c *cobra.Command) {
	s.command = c
	c.Flags().StringVar(&s.out, "out", "out", "`folder` of all results")
	c.Flags().IntVar(&s.maxRuns, "max-runs", sweeps.DefaultMaxRuns,
		"the most runs `N` that the chosen experiments of a study may ask for; a plan takes memory for each")
}

// target is one study with its plan and its dataset.
type target struct {
	study   *configs.Study
	model   *model.Model
	plan    *sweeps.Plan
	dataset *results.Dataset
	traces  *traces.Library   // that resolved the plan
	taken   *results.Snapshot // of the dataset; nil until it is needed
	name    string            // as the user may name it again
	dir     string            // OUT/<study>, or OUT/quick/<study>
	use     results.Use       // what will be asked of the dataset
	stale   string            // which runs of the plan another source of the model made, in words, where that was looked for
}

// snapshot returns the snapshot of the dataset that the command reads.
func (t *target) snapshot(ctx context.Context) (*results.Snapshot, error) {
	if t.taken == nil {
		taken, err := t.dataset.Snapshot(ctx, t.use)
		if err != nil {
			return nil, err
		}
		t.taken = taken
	}
	return t.taken, nil
}

// verify verifies the files that the dataset has of the runs.
func (t *target) verify(ctx context.Context, runs []sweeps.Run) error {
	taken, err := t.snapshot(ctx)
	if err != nil {
		return err
	}
	ids := make(map[string]bool, len(runs))
	for _, run := range runs {
		ids[run.ID] = true
	}
	return taken.Verify(ctx, ids)
}

// planFile is where the cells of the last plan that was run lie.
func (t *target) planFile() string { return filepath.Join(t.dir, planFile) }

// root returns the folder under which all studies of the selection lie.
func (s *selection) root() string {
	if s.quick {
		return filepath.Join(s.out, quickFolder)
	}
	return s.out
}

// checkOut returns an error where results cannot lie in the folder that they are to lie in, since a file has its name or
// that of a folder above it. What else may be wrong with a folder, whoever opens it says.
func (s *selection) checkOut() error {
	if s.out == "" {
		return usageErrorf("--out: is empty; name a folder, or leave it out for out")
	}
	for path := filepath.Clean(s.root()); ; path = filepath.Dir(path) {
		info, err := os.Stat(path)
		switch {
		case err == nil && !info.IsDir():
			return usageErrorf("--out %s: %s is a file; name a folder, which need not exist yet", s.out, path)
		case err == nil || path == filepath.Dir(path):
			return nil
		}
	}
}

// targets returns the studies that the arguments name, planned, each once however often it is named. Problems of all of
// them are reported at once; nothing has been changed when there is an error.
func (s *selection) targets(ctx context.Context, names []string) ([]*target, error) {
	if err := s.checkOut(); err != nil {
		return nil, err
	}
	options, err := s.options()
	if err != nil {
		return nil, usageError(err)
	}
	library := traces.NewLibrary()
	options.Traces = library.Resolve
	wanted, problems := studiesNamed(ctx, names)
	fitting, misfit := s.fitting(wanted, options)
	var targets []*target
	for _, study := range fitting {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t, err := s.target(ctx, study, options)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		t.traces = library
		if err := t.checkName(targets); err != nil {
			problems = append(problems, err)
		}
		targets = append(targets, t)
	}
	if misfit != nil {
		problems = append(problems, misfit)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(problems) > 0 {
		return nil, usageError(errors.Join(problems...))
	}
	return targets, nil
}

// studiesNamed returns the studies that the names mean, each once, and what is wrong with the names.
func studiesNamed(ctx context.Context, names []string) ([]namedStudy, []error) {
	var studies []namedStudy
	var problems []error
	for _, name := range names {
		found, err := findStudies(ctx, name)
		if err != nil {
			problems = append(problems, err)
		}
		for _, study := range found {
			same := func(other namedStudy) bool { return other.study.SameFile(study.study) }
			if !slices.ContainsFunc(studies, same) {
				studies = append(studies, study)
			}
		}
	}
	return studies, problems
}

func (s *selection) target(ctx context.Context, found namedStudy, options sweeps.Options) (*target, error) {
	if found.study.Broken {
		return nil, found.form // says why
	}
	m, err := modelOf(found.study)
	if err != nil {
		return nil, found.withoutModel(ctx, err)
	}
	plan, err := sweeps.Expand(ctx, found.study, m, options)
	problems := found.problems(err)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err() // the problems are not all
	case len(problems) > 0:
		return nil, problems
	}
	dir := filepath.Join(s.root(), found.study.Name.Value)
	if err := checkFolders(dir); err != nil {
		return nil, err
	}
	dataset, err := results.Open(dir, found.study.Name.Value, m, s.tables...)
	if err != nil {
		return nil, err
	}
	return &target{study: found.study, model: m, plan: plan, dataset: dataset, name: found.name, dir: dir, use: s.use}, nil
}

// checkName returns an error if another file has a study of the same name, but for case: their results would lie in one
// folder, on some file systems.
func (t *target) checkName(others []*target) error {
	name := t.study.Name
	for _, other := range others {
		if strings.EqualFold(other.study.Name.Value, name.Value) && !other.study.SameFile(t.study) {
			var problems configs.Problems
			t.study.Report(&problems, name.Pos, "study", "%s has a study of this name too; give one of them another", other.study.File)
			return problems
		}
	}
	return nil
}

// options reads the flags that change a plan.
func (s *selection) options() (sweeps.Options, error) {
	options := sweeps.Options{Quick: s.quick, MaxRuns: s.maxRuns, Experiments: s.experiments}
	if s.command != nil && s.maxRuns < 1 {
		return options, fmt.Errorf("--max-runs %d: write a number of runs, at least 1", s.maxRuns)
	}
	var err error
	if options.Set, err = assignments("--set", s.set, "NAME=VALUE, such as --set requests=1000"); err != nil {
		return options, err
	}
	const wantLevels = "FACTOR=A,B, such as --levels lambda=0.3,0.4"
	lists, err := assignments("--levels", s.levels, wantLevels)
	if err != nil {
		return options, err
	}
	for i, list := range lists {
		if list.Value.Value == "" {
			return options, fmt.Errorf("--levels %s: write %s", s.levels[i], wantLevels)
		}
		labels, err := csv.NewReader(strings.NewReader(list.Value.Value)).Read()
		if err != nil {
			return options, fmt.Errorf("--levels %s: %w; quote a level that has a comma or a quote in it", s.levels[i], err)
		}
		levels := configs.Selection{Dimension: list.Name}
		for _, label := range labels {
			levels.Labels = append(levels.Labels, onCommandLine("--levels", strings.TrimSpace(label)))
		}
		options.Levels = append(options.Levels, levels)
	}
	return options, nil
}

// assignments reads the values NAME=VALUE of a flag. A name that comes twice is an error: one value would be lost.
func assignments(flag string, texts []string, want string) ([]configs.Setting, error) {
	var list []configs.Setting
	for _, text := range texts {
		name, value, found := strings.Cut(text, "=")
		same := func(s configs.Setting) bool { return s.Name.Value == name }
		switch {
		case !found || name == "":
			return nil, fmt.Errorf("%s %s: write %s", flag, text, want)
		case strings.ContainsFunc(text, unicode.IsControl):
			return nil, fmt.Errorf("%s %q: is not one line; write %s", flag, text, want)
		case slices.ContainsFunc(list, same):
			return nil, fmt.Errorf("%s %s: %s is given twice; give it once", flag, text, name)
		}
		list = append(list, configs.Setting{Name: onCommandLine(flag, name), Value: onCommandLine(flag, value), Key: name})
	}
	return list, nil
}

// onCommandLine returns a word of a flag with the flag as its place.
func onCommandLine(flag, value string) configs.Text {
	return configs.Text{Value: value, Pos: configs.Pos{File: flag}}
}

// flags returns the flags of the selection as they would be typed again.
func (s *selection) flags() string {
	text := ""
	if s.out != "out" {
		text += typed("--out", []string{s.out})
	}
	if s.quick {
		text += " --quick"
	}
	if s.maxRuns > 0 && s.maxRuns != sweeps.DefaultMaxRuns {
		text += fmt.Sprintf(" --max-runs %d", s.maxRuns)
	}
	if s.stale {
		text += " --stale"
	}
	return text + typed("--set", s.set) + typed("--levels", s.levels) + typed("--experiment", s.experiments) +
		typed("--table", s.tables)
}

// typed returns a flag with each of its values as they would be typed, a space before each.
func typed(flag string, values []string) string {
	text := ""
	for _, value := range values {
		text += " " + flag + " " + shellQuote(value)
	}
	return text
}

// quoted returns the words as they would be typed, a space before each.
func quoted(words []string) string {
	text := ""
	for _, word := range words {
		text += " " + shellQuote(word)
	}
	return text
}

// shellQuote returns the text as one word of a POSIX shell.
func shellQuote(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,+%@", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// namedStudy is a study and the word that names it on the command line.
type namedStudy struct {
	study *configs.Study
	name  string
	form  configs.Problems // of the file; the study is then what could be read of it
}

// named returns a study that was loaded. Problems of its form are kept, to be reported with those found later.
func named(study *configs.Study, name string, err error) ([]namedStudy, error) {
	found := namedStudy{study: study, name: name}
	if err != nil && (!errors.As(err, &found.form) || study == nil) {
		return nil, err
	}
	return []namedStudy{found}, nil
}

// withoutModel returns what is wrong with a study whose model is not known, for which there is an error.
func (n namedStudy) withoutModel(ctx context.Context, unknown error) error {
	_, names := bound.Bind(ctx, n.study, nil, bound.Overrides{})
	problems := n.problems(names)
	if n.study.Model.Value == "" {
		return problems // one of which is that it is missing
	}
	if len(problems) == 0 {
		return unknown
	}
	return errors.Join(problems, unknown)
}

// formError returns the problems of the form as an error, nil where there are none.
func (n namedStudy) formError() error {
	if len(n.form) == 0 {
		return nil
	}
	return n.form
}

// problems gathers what is wrong with a study in its form, its names and values, and the names of what it shows.
func (n namedStudy) problems(expanded error) configs.Problems {
	problems := slices.Clone(n.form)
	var values configs.Problems
	if errors.As(expanded, &values) {
		problems.Add(values...)
	}
	var tables, figures []configs.Text
	for _, t := range n.study.Tables {
		tables = append(tables, t.Name)
	}
	for _, f := range n.study.Figures {
		figures = append(figures, f.Name)
	}
	n.addReserved(&problems)
	n.addClashes(&problems, "tables", tables)
	n.addClashes(&problems, "figures", figures)
	return problems
}

// addClashes notes names of tables or figures that would share a file.
func (n namedStudy) addClashes(problems *configs.Problems, kind string, texts []configs.Text) {
	names := make([]string, len(texts))
	for i, text := range texts {
		names[i] = text.Value
	}
	for _, clash := range tabulate.Clashes(names) {
		n.study.Report(problems, texts[clash[1]].Pos, configs.Key(kind, names[clash[1]]), "would have the files of %q, %s; rename one",
			names[clash[0]], tabulate.FileName(names[clash[0]]))
	}
}

// findStudies returns the studies of a paper, or the one study that a name or the path of a file means.
func findStudies(ctx context.Context, name string) ([]namedStudy, error) {
	if isFile := strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml"); isFile {
		study, err := configs.Read(ctx, name)
		return named(study, name, err)
	}
	builtin := studiesOf(name)
	if len(builtin) == 0 {
		study, err := configs.Load(ctx, name)
		return named(study, name, err)
	}
	var found []namedStudy
	for _, b := range builtin {
		study, err := configs.Load(ctx, b)
		if err != nil {
			return nil, err
		}
		found = append(found, namedStudy{study: study, name: b})
	}
	if len(found) == 1 {
		found[0].name = name
	}
	return found, nil
}

// studiesOf returns the names of the built-in studies of a paper, none for another.
func studiesOf(paper string) []string {
	var names []string
	for _, builtin := range configs.List() {
		if path.Dir(builtin) == paper {
			names = append(names, builtin)
		}
	}
	return names
}

// allModels returns the models that studies may name.
var allModels = studies.All

// modelOf returns the model a study names.
func modelOf(study *configs.Study) (*model.Model, error) {
	var known []string
	for _, m := range allModels() {
		if m.Name == study.Model.Value {
			return m, nil
		}
		known = append(known, m.Name)
	}
	var problems configs.Problems
	study.Report(&problems, study.Model.Pos, "model", "there is no model %q; %s", study.Model.Value,
		configs.Suggest(study.Model.Value, known))
	return nil, problems
}
