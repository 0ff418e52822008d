package main

import (
	"path"
	"slices"

	"github.com/spf13/cobra"

	"gridsweep/configs"
)

// completeStudies lets the shell complete the studies that a command is about and, in the flags that name some, their
// experiments, factors and parameters.
func completeStudies(c *cobra.Command) {
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return studyNames(), cobra.ShellCompDirectiveDefault // files where no name fits
	}
	completeFlag(c, "experiment", experimentNames, cobra.ShellCompDirectiveNoFileComp)
	completeFlag(c, "levels", factorNames, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
	completeFlag(c, "set", parameterNames, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
}

// completeFlag completes a flag, if the command has it, with names from the studies on the line, or from all where it
// says none yet.
func completeFlag(
	c *cobra.Command, flag string, names func(*configs.Study) []cobra.Completion, directive cobra.ShellCompDirective,
) {
	if c.Flags().Lookup(flag) == nil {
		return
	}
	complete := func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) == 0 {
			args = configs.List()
		}
		var all []cobra.Completion
		for _, arg := range args {
			found, err := findStudies(arg)
			if err != nil {
				continue // the command says so when it is given
			}
			for _, study := range found {
				all = append(all, names(study.study)...)
			}
		}
		return all, directive
	}
	if err := c.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag is registered twice
	}
}

// studyNames returns the built-in papers, and the studies of those that have several.
func studyNames() []cobra.Completion {
	var names []cobra.Completion
	studies := configs.List()
	of := map[string]int{}
	for _, study := range studies {
		of[path.Dir(study)]++
	}
	for _, study := range studies {
		paper := path.Dir(study)
		if !slices.Contains(names, paper) {
			names = append(names, paper)
		}
		if of[paper] > 1 {
			names = append(names, study)
		}
	}
	return names
}

// experimentNames returns the experiments as the file names them, then the parts of those that have some.
func experimentNames(study *configs.Study) []cobra.Completion {
	var names []cobra.Completion
	for _, x := range study.Experiments {
		names = append(names, cobra.CompletionWithDesc(x.Name.Value, x.Doc.Value))
	}
	for _, x := range study.Expanded() {
		if name := cobra.CompletionWithDesc(x.Name.Value, x.Doc.Value); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func factorNames(study *configs.Study) []cobra.Completion {
	var names []cobra.Completion
	for _, f := range study.Factors {
		names = append(names, f.Name.Value+"=")
	}
	return names
}

func parameterNames(study *configs.Study) []cobra.Completion {
	m, err := modelOf(study)
	if err != nil {
		return nil // the command says so when it is given
	}
	var names []cobra.Completion
	for _, p := range m.Parameters {
		names = append(names, cobra.CompletionWithDesc(p.Name+"=", p.Doc))
	}
	return names
}
