// The choice of the studies of a paper that have the parameters, levels, experiments and tables of
// a command's flags.

package workspace

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// fitting returns the studies that have everything the selection names; the studies of one paper
// may have different models. The error says what the others lack and which command leaves them out.
// If no study fits, all are returned and report their own problems, as does a study that cannot be
// bound.
func (w *Workspace) fitting(
	ctx context.Context, wanted []Named, s Selection, options sweeps.Options,
) ([]Named, error) {
	if len(wanted) < 2 {
		return wanted, nil
	}
	var fitting []Named
	var lacks, names []string
	for _, found := range wanted {
		if lacking := w.lacking(ctx, found, s, options); lacking != "" {
			lacks = append(lacks, found.Name+" has no "+lacking)
			continue
		}
		fitting = append(fitting, found)
		names = append(names, found.Name)
	}
	if len(lacks) == 0 || len(fitting) == 0 {
		return wanted, nil
	}
	again := " " + strings.Join(names, ", ")
	if w.CommandFor != nil {
		again = "\n    " + w.CommandFor(names)
	}
	return fitting, fmt.Errorf("%s; name only the studies that have it:%s", strings.Join(lacks, "; "), again)
}

// lacking returns the first thing that the selection names and the study does not have, such as
// "parameter nodes". It is empty where the study has all of them or cannot be bound.
func (w *Workspace) lacking(ctx context.Context, found Named, s Selection, options sweeps.Options) string {
	m, err := w.ModelOf(found.Config)
	if err != nil || len(found.FormProblems) > 0 {
		return ""
	}
	bound, problems := study.Bind(ctx, found.Config, m, study.Overrides{})
	if len(problems) > 0 {
		return ""
	}
	for _, setting := range options.Set {
		if m.Parameter(setting.Name.Value) < 0 {
			return "parameter " + setting.Name.Value
		}
	}
	for _, levels := range options.Levels {
		if lacking := lackingLevel(bound, levels); lacking != "" {
			return lacking
		}
	}
	for _, name := range options.Experiments {
		isIt := func(x *study.Experiment) bool { return x.IsPartOf(name) }
		if !slices.ContainsFunc(bound.Experiments, isIt) {
			return "experiment " + name
		}
	}
	for _, name := range s.Tables {
		isIt := func(t model.Table) bool { return t.Optional && t.Name == name }
		if !slices.ContainsFunc(m.Tables, isIt) {
			return "optional table " + name
		}
	}
	return ""
}

// lackingLevel returns the factor that the study does not have, or the level that a factor of named
// settings does not have. A factor that lists values takes any value of its parameter.
func lackingLevel(bound *study.Study, levels configs.Selection) string {
	name := levels.Dimension.Value
	i := slices.IndexFunc(bound.Factors, func(f *study.Factor) bool { return f.Name == name })
	if i < 0 {
		return "factor " + name
	}
	factor := bound.Factors[i]
	for _, label := range levels.Labels {
		wanted := study.NewLabel(label.Value)
		same := func(l study.Level) bool { return l.Label.Same(wanted) }
		if !factor.List && !slices.ContainsFunc(factor.Levels, same) {
			return fmt.Sprintf("level %s of %s", label.Value, name)
		}
	}
	return ""
}
