// Completion of studies, experiments, factors and parameters by the shell.

package cli

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps"
	bound "gridsweep/sweeps/study"
)

// completeStudies makes the shell complete the studies of a command and, in its flags, their
// experiments, factors with levels, parameters with values, and optional tables.
func (t *terminal) completeStudies(c *cobra.Command) {
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		// the command itself reports a wrong flag
		_ = t.loadStudies(c)
		return t.studyNames(), cobra.ShellCompDirectiveDefault // files if no name fits
	}
	t.completeFlag(c, "experiment", experimentNames, cobra.ShellCompDirectiveNoFileComp)
	t.completeFlag(c, "table", t.tableNames, cobra.ShellCompDirectiveNoFileComp)
	t.completeFlag(c, "levels", levels, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
	t.completeFlag(c, "set", t.settings, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
}

// completeFlag completes a flag, if the command has it, with the completions of the studies on the
// command line, or of all studies if it names none yet.
func (t *terminal) completeFlag(
	c *cobra.Command, flag string, completions func(study *configs.Study, begun string) []cobra.Completion,
	directive cobra.ShellCompDirective,
) {
	if c.Flags().Lookup(flag) == nil {
		return
	}
	complete := func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		_ = t.loadStudies(c) // the command itself reports a wrong flag
		if len(args) == 0 {
			args = t.studies.List()
		}
		var all []cobra.Completion
		for _, arg := range args {
			found, err := t.find(c.Context(), arg)
			if err != nil {
				continue // the command itself reports an unknown study
			}
			for _, study := range found {
				for _, completion := range completions(study.Config, begun) {
					if !slices.Contains(all, completion) {
						all = append(all, completion)
					}
				}
			}
		}
		return all, directive
	}
	if err := c.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag is registered twice
	}
}

// studyNames returns the papers, and the studies of papers that have several.
func (t *terminal) studyNames() []cobra.Completion {
	var names []cobra.Completion
	studies := t.studies.List()
	counts := map[string]int{}
	for _, study := range studies {
		counts[path.Dir(study)]++
	}
	for _, study := range studies {
		paper := path.Dir(study)
		if !slices.Contains(names, paper) {
			names = append(names, paper)
		}
		if counts[paper] > 1 {
			names = append(names, study)
		}
	}
	return names
}

// experimentNames returns the experiments of the study file, then the parts of those with each or
// repeat.
func experimentNames(study *configs.Study, _ string) []cobra.Completion {
	var names []cobra.Completion
	for _, x := range study.Experiments {
		names = append(names, cobra.CompletionWithDesc(x.Name.Value, x.Doc.Value))
	}
	expanded, _ := bound.Bind(context.Background(), study, nil, bound.Overrides{})
	for _, x := range expanded.Experiments {
		if name := cobra.CompletionWithDesc(x.Name, x.Doc); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// levels returns the factors and, after the name of one, its levels one by one: lambda=0.3, then
// lambda=0.3,0.4. Levels with commas, quotes, tabs or newlines are left out, since they have to be
// quoted twice.
func levels(study *configs.Study, begun string) []cobra.Completion {
	name, list, isNamed := strings.Cut(begun, "=")
	before := list[:strings.LastIndex(list, ",")+1]
	var completions []cobra.Completion
	for _, f := range study.Factors {
		if !isNamed {
			completions = append(completions, f.Name.Value+"=")
		}
		for _, level := range f.Levels {
			label := level.Label.Value
			isListed := slices.Contains(strings.Split(before, ","), label)
			if isNamed && f.Name.Value == name && !isListed && !strings.ContainsAny(label, ",\"\t\n") {
				completions = append(completions, name+"="+before+label)
			}
		}
	}
	return completions
}

// settings returns the parameters and, after the name of one, its values, or its default if they
// cannot be listed.
func (t *terminal) settings(study *configs.Study, begun string) []cobra.Completion {
	m, err := t.modelOf(study)
	if err != nil {
		return nil // the command itself reports an unknown model
	}
	name, _, isNamed := strings.Cut(begun, "=")
	var completions []cobra.Completion
	for _, p := range m.Parameters {
		switch {
		case !isNamed:
			completions = append(completions, cobra.CompletionWithDesc(p.Name+"=", p.Doc))
		case p.Name == name:
			for _, value := range sweeps.Suggested(m, p) {
				completions = append(completions, name+"="+value)
			}
		}
	}
	return completions
}

// tableNames returns the long tables that are written on request only.
func (t *terminal) tableNames(study *configs.Study, _ string) []cobra.Completion {
	m, err := t.modelOf(study)
	if err != nil {
		return nil
	}
	return optionalTables(m)
}

func optionalTables(m *model.Model) []cobra.Completion {
	var names []cobra.Completion
	for _, table := range m.Tables {
		if table.Optional {
			names = append(names, cobra.CompletionWithDesc(table.Name, table.Doc))
		}
	}
	return names
}
