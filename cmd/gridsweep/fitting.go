package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps"
	bound "gridsweep/sweeps/study"
)

// fitting returns those of the studies that have all that the flags name, and what the others lack, with the command
// that names only the former: one paper may have studies of different models. Where none has all of it, or a study
// cannot be read, each is left to say for itself what is wrong.
func (s *selection) fitting(wanted []namedStudy, options sweeps.Options) ([]namedStudy, error) {
	var fitting []namedStudy
	var lacks, names []string
	for _, study := range wanted {
		m, err := modelOf(study.study)
		if err == nil && len(study.form) == 0 {
			if lacking := s.lacking(study.study, m, options); lacking != "" {
				lacks = append(lacks, study.name+" has no "+lacking)
				continue
			}
		}
		fitting = append(fitting, study)
		names = append(names, shellQuote(study.name))
	}
	if len(lacks) == 0 || len(fitting) == 0 {
		return wanted, nil
	}
	return fitting, fmt.Errorf("%s; name only what has it:\n    %s %s%s",
		strings.Join(lacks, "; "), s.command.CommandPath(), strings.Join(names, " "), typedFlags(s.command))
}

// lacking returns the first that the flags name and the study has not, such as "parameter nodes"; empty where it has all.
// Values out of range are not its matter.
func (s *selection) lacking(study *configs.Study, m *model.Model, options sweeps.Options) string {
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
	for _, name := range s.tables {
		isIt := func(t model.Table) bool { return t.Optional && t.Name == name }
		if !slices.ContainsFunc(m.Tables, isIt) {
			return "optional table " + name
		}
	}
	return ""
}

// lackingLevel returns the factor that the study has not, or the level of one that takes only those it has.
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

// typedFlags returns the flags that a command was given as they would be typed again.
func typedFlags(c *cobra.Command) string {
	text := ""
	c.Flags().Visit(func(f *pflag.Flag) {
		flag := "--" + f.Name
		switch list, isList := f.Value.(pflag.SliceValue); {
		case isList:
			text += typed(flag, list.GetSlice())
		case f.NoOptDefVal == f.Value.String(): // a switch, on
			text += " " + flag
		case f.NoOptDefVal != "":
			text += " " + flag + "=" + f.Value.String()
		default:
			text += typed(flag, []string{f.Value.String()})
		}
	})
	return text
}
