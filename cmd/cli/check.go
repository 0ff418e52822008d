package cli

// Command check: all problems of study files.

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
				studies, err := t.open(c.Context(), &s, []string{name})
				if c.Context().Err() != nil {
					return c.Context().Err()
				}
				if err != nil {
					problems = append(problems, err)
					continue
				}
				for _, study := range studies {
					if err := study.CheckTraces(c.Context(), study.Plan.Runs); err != nil {
						problems = append(problems, err)
						continue
					}
					fmt.Fprintf(t.out, "%s: ok: %s, %s, %s, %s, %s\n", printable(study.Name),
						things(len(study.Plan.Experiments), "experiment"), things(len(study.Plan.Runs), "run"),
						things(len(study.Plan.Study.Tables), "table"), things(len(study.Plan.Study.Figures), "figure"),
						things(len(study.Plan.Study.Claims), "claim"))
				}
			}
			if len(problems) > 0 {
				return usageError(errors.Join(problems...))
			}
			return nil
		},
	}
	s.addFlags(t, c)
	return c
}
