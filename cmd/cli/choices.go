// Flags that take one of a few values: their completion and errors.

package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gridsweep/configs"
	"gridsweep/model/cluster"
	"gridsweep/model/cluster/ordering"
	"gridsweep/model/trace"
	"gridsweep/model/workload/estimates"
	"gridsweep/pipeline/simulation"
	"gridsweep/results/schedule"
)

// The values of --format, and those of simulate --by.
func outputFormats() []string { return []string{"table", "json", "csv"} }
func groupNames() []string    { return []string{simulation.ByUser, simulation.BySize} }

// choices has the values of each flag, in all commands, that takes one of a list: those that its
// parser knows.
var choices = map[string]func() []string{
	"policy": cluster.PolicyNames, "order": ordering.Names, "estimates": estimates.Names,
	"overrun": cluster.Overruns.Names, "instant": cluster.Instants.Names, "pivot": cluster.Pivots.Names, "by": groupNames,
	"replication": replicationNames, "format": outputFormats,
	"out-format": schedule.FormatNames, "in-format": trace.FormatNames, "as": trace.FormatNames,
}

// completeChoices makes the shell complete the choices of a command and of its subcommands.
func completeChoices(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		names, isChoice := choices[f.Name]
		if !isChoice {
			return
		}
		_, isList := f.Value.(pflag.SliceValue)
		complete := func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return completionsOf(names(), begun, isList)
		}
		if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
			panic(err) // the flag is registered twice
		}
	})
	for _, below := range c.Commands() {
		completeChoices(below)
	}
}

// completionsOf returns the completions of a value that is begun: each name, in a list each one
// that the list does not have yet. A name with a placeholder, such as easy:k or exec:PROGRAM, is
// completed up to the colon; easy:all has none.
func completionsOf(names []string, begun string, isList bool) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := ""
	if isList {
		before = begun[:strings.LastIndex(begun, ",")+1]
	}
	var completions []cobra.Completion
	directive := cobra.ShellCompDirectiveNoFileComp
	for _, name := range names {
		head, rest, found := strings.Cut(name, ":")
		if isPlaceholder := len(rest) == 1 || rest == strings.ToUpper(rest); found && isPlaceholder {
			name = head + ":"
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		if !slices.Contains(strings.Split(before, ","), name) {
			completions = append(completions, before+name)
		}
	}
	return completions, directive
}

// wrongChoice returns the error for a value that the parser of its flag refuses: the most similar
// other name, if one is similar enough, else the parser's own error. The latter also describes a
// wrong value of a placeholder, and a policy that is an order.
func wrongChoice(flag, value string, otherwise error) error {
	known := choices[flag]()
	near := configs.Nearest(value, known)
	head, _, found := strings.Cut(value, ":")
	isOrder := flag == "policy" && ordering.IsName(value)
	if near == "" || near == value || isOrder || found && slices.Contains(heads(known), head) {
		return otherwise
	}
	return usageErrorf("--%s %s: did you mean %s?", flag, value, near)
}

// heads returns the names up to a colon.
func heads(names []string) []string {
	heads := make([]string, len(names))
	for i, name := range names {
		heads[i], _, _ = strings.Cut(name, ":")
	}
	return heads
}

// addFormat adds the flag --format, which is checked before the command runs.
func addFormat(c *cobra.Command, format *string) {
	c.Flags().StringVar(format, "format", "table", "`table`, json or csv")
	beforeRun(c, func(*cobra.Command) error { return checkFormat(*format) })
}

// checkFormat returns an error for an unknown --format.
func checkFormat(format string) error {
	if slices.Contains(outputFormats(), format) {
		return nil
	}
	return wrongChoice("format", format, usageErrorf("--format %s: write table, json or csv", format))
}

// wrongFlag returns the error of a command's flags, with the most similar flag for an unknown one.
func wrongFlag(c *cobra.Command, err error) error {
	text := ""
	if unknown := new(pflag.NotExistError); errors.As(err, &unknown) {
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := configs.Nearest(unknown.GetSpecifiedName(), known); near != "" {
			text = "; did you mean --" + near + "?"
		}
	}
	return usageErrorf("%w%s\nsee %s --help", err, text, c.CommandPath())
}

// commandNear returns the subcommand of c with the most similar name, or "" if none is similar.
func commandNear(c *cobra.Command, name string) string {
	var known []string
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			known = append(known, below.Name())
		}
	}
	return configs.Nearest(name, known)
}
