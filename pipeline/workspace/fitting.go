package workspace

import (
	"fmt"
	"slices"
	"strings"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps"
	bound "gridsweep/sweeps/study"
)

// fitting returns those of the studies that have all that the selection names, and what the others
// lack, with what names only the former: one paper may have studies of different models. Where none
// has all of it, or a study cannot be read, each is left to say for itself what is wrong.
func (w *Workspace) fitting(wanted []Named, s Selection, options sweeps.Options) ([]Named, error) {
	var fitting []Named
	var lacks, names []string
	for _, study := range wanted {
		m, err := w.ModelOf(study.Config)
		if err == nil && len(study.Form) == 0 {
			if lacking := s.lacking(study.Config, m, options); lacking != "" {
				lacks = append(lacks, study.Name+" has no "+lacking)
				continue
			}
		}
		fitting = append(fitting, study)
		names = append(names, study.Name)
	}
	if len(lacks) == 0 || len(fitting) == 0 {
		return wanted, nil
	}
	again := strings.Join(names, ", ")
	if w.Again != nil {
		again = "\n    " + w.Again(names)
	}
	return fitting, fmt.Errorf("%s; name only what has it:%s", strings.Join(lacks, "; "), again)
}

// lacking returns the first that the selection names and the study has not, such as "parameter
// nodes"; empty where it has all. Values out of range are not its matter.
func (s Selection) lacking(study *configs.Study, m *model.Model, options sweeps.Options) string {
	for _, setting := range options.Set {
		if m.Parameter(setting.Name.Value) < 0 {
			return "parameter " + setting.Name.Value
		}
	}
	for _, levels := range options.Levels {
		if lacking := lackingLevel(study, levels); lacking != "" {
			return lacking
		}
	}
	for _, name := range options.Experiments {
		isIt := func(x configs.Experiment) bool { return sweeps.IsPart(x.Name.Value, name) }
		if !slices.ContainsFunc(bound.Experiments(study), isIt) {
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

// lackingLevel returns the factor that the study has not, or the level of one that takes only those
// it has.
func lackingLevel(study *configs.Study, levels configs.Selection) string {
	isIt := func(f configs.Factor) bool { return f.Name.Value == levels.Dimension.Value }
	i := slices.IndexFunc(study.Factors, isIt)
	if i < 0 {
		return "factor " + levels.Dimension.Value
	}
	factor := study.Factors[i]
	for _, label := range levels.Labels {
		same := func(l configs.Level) bool { return configs.SameLabel(l.Label.Value, label.Value) }
		if !factor.List && !slices.ContainsFunc(factor.Levels, same) {
			return fmt.Sprintf("level %s of %s", label.Value, factor.Name.Value)
		}
	}
	return ""
}
