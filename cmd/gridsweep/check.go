package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

func newCheck(t *terminal) *cobra.Command {
	var s selection
	c := &cobra.Command{
		Use:   "check PAPER-or-STUDY...",
		Short: "Check study files: form, names, units, ranges, tables, figures and claims",
		Long:  `Check study files without running anything. All problems of a file are reported at once, each with its line.`,
		Example: `  gridsweep check my-study.yaml
  gridsweep check coallocation --levels lambda=0.3,0.4`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			var problems []error
			for _, name := range args {
				targets, err := s.targets(c.Context(), []string{name})
				if c.Context().Err() != nil {
					return c.Context().Err()
				}
				if err != nil {
					problems = append(problems, err)
					continue
				}
				for _, target := range targets {
					fmt.Fprintf(t.out, "%s: ok: %s, %s, %s, %s, %s\n", printable(target.name),
						things(len(target.plan.Experiments), "experiment"), things(len(target.plan.Runs), "run"),
						things(len(target.study.Tables), "table"), things(len(target.study.Figures), "figure"),
						things(len(target.study.Claims), "claim"))
				}
			}
			if len(problems) > 0 {
				return usageError(errors.Join(problems...))
			}
			return nil
		},
	}
	s.addFlags(c)
	return c
}
