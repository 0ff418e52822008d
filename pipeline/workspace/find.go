// Studies by the names that a command is called with, and their models.

package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"gridsweep/analysis/tabulate"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps/study"
)

// Named is a study file that was read, with the name by which a command found it.
type Named struct {
	Config       *configs.Study
	Name         string
	FormProblems configs.Problems // problems of the file's form; with any, Config may be incomplete
}

// Find returns the studies of a paper, the study of a name, or the study of a file.
func (w *Workspace) Find(ctx context.Context, name string) ([]Named, error) {
	if isFile := strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml"); isFile {
		config, err := w.Studies.Read(ctx, name)
		return named(config, name, err)
	}
	builtin := w.studiesOf(name)
	if len(builtin) == 0 {
		config, err := w.Studies.Load(ctx, name)
		if err != nil && slices.ContainsFunc(w.Models, func(m *model.Model) bool { return m.Name == name }) {
			err = w.modelError(ctx, name)
		}
		return named(config, name, err)
	}
	var found []Named
	for _, b := range builtin {
		config, err := w.Studies.Load(ctx, b)
		if err != nil {
			return nil, err
		}
		found = append(found, Named{Config: config, Name: b})
	}
	if len(found) == 1 {
		found[0].Name = name // a paper's only study goes by the name of the paper
	}
	return found, nil
}

// modelError returns the error for the name of a model in place of a study: the studies of the
// library that have the model.
func (w *Workspace) modelError(ctx context.Context, name string) error {
	var of []string
	for _, builtin := range w.Studies.List() {
		if config, err := w.Studies.Load(ctx, builtin); err == nil && config.Model.Value == name {
			of = append(of, path.Base(builtin))
		}
	}
	if len(of) == 0 {
		return fmt.Errorf("%s is a model: name a study of it (a file of your own ends in .yaml)", name)
	}
	return fmt.Errorf("%s is a model: name a study of it, such as %s (a file of your own ends in .yaml)", name,
		strings.Join(of, ", "))
}

// studiesOf returns the names of the library's studies of a paper; none for a name of no paper.
func (w *Workspace) studiesOf(paper string) []string {
	var names []string
	for _, builtin := range w.Studies.List() {
		if path.Dir(builtin) == paper {
			names = append(names, builtin)
		}
	}
	return names
}

// named returns a study that was loaded. It keeps problems of the form, to be reported with those
// that are found later.
func named(config *configs.Study, name string, err error) ([]Named, error) {
	found := Named{Config: config, Name: name}
	if err != nil && (!errors.As(err, &found.FormProblems) || config == nil) {
		return nil, err
	}
	return []Named{found}, nil
}

// FormError returns the problems of the form as an error, nil where there are none.
func (n Named) FormError() error {
	if len(n.FormProblems) == 0 {
		return nil
	}
	return n.FormProblems
}

// ModelOf returns the model that a study names. The error is configs.Problems.
func (w *Workspace) ModelOf(config *configs.Study) (*model.Model, error) {
	var known []string
	for _, m := range w.Models {
		if m.Name == config.Model.Value {
			return m, nil
		}
		known = append(known, m.Name)
	}
	var problems configs.Problems
	config.Report(&problems, config.Model.Pos, "model", "there is no model %q; %s", config.Model.Value,
		configs.Suggest(config.Model.Value, known))
	return nil, problems
}

// withoutModel returns the problems of a study whose model is unknown, the error of ModelOf
// included.
func (n Named) withoutModel(ctx context.Context, unknown error) configs.Problems {
	_, names := study.Bind(ctx, n.Config, nil, study.Overrides{})
	problems := n.problems(names)
	var model configs.Problems
	// without a value its absence is among the problems
	if errors.As(unknown, &model) && n.Config.Model.Value != "" {
		problems.Add(model...)
	}
	return problems
}

// problems returns all problems of a study: of its form, of its names and values, which err may
// hold, and of names that its files cannot have.
func (n Named) problems(err error) configs.Problems {
	problems := slices.Clone(n.FormProblems)
	var values configs.Problems
	if errors.As(err, &values) {
		problems.Add(values...)
	}
	var tables, figures []configs.Text
	for _, t := range n.Config.Tables {
		tables = append(tables, t.Name)
	}
	for _, f := range n.Config.Figures {
		figures = append(figures, f.Name)
	}
	n.addReserved(&problems)
	n.addClashes(&problems, "tables", tables)
	n.addClashes(&problems, "figures", figures)
	return problems
}

// addClashes reports names of tables or figures that would share a file.
func (n Named) addClashes(problems *configs.Problems, key string, texts []configs.Text) {
	names := make([]string, len(texts))
	for i, text := range texts {
		names[i] = text.Value
	}
	for _, clash := range tabulate.Clashes(names) {
		n.Config.Report(problems, texts[clash[1]].Pos, configs.Key(key, names[clash[1]]),
			"would have the files of %q, %s; rename one", names[clash[0]], tabulate.FileName(names[clash[0]]))
	}
}
