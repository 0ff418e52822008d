package cli

// Command list: the built-in papers and studies.

import (
	"path"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/sweeps"
)

func newList(t *terminal) *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List the built-in papers and studies",
		Example: `  gridsweep list
  gridsweep list --studies configs`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			writer := t.table()
			writer.AppendHeader(table.Row{"paper", "study", "title", "runs", "tables", "figures", "claims"})
			writer.ShowCounts(4)
			for _, name := range t.studies.List() {
				study, err := t.studies.Load(c.Context(), name)
				if err != nil {
					return err
				}
				m, err := t.modelOf(study)
				if err != nil {
					return err
				}
				plan, err := sweeps.Expand(c.Context(), study, m, sweeps.Options{})
				if err != nil {
					return err
				}
				writer.AppendRow(table.Row{
					path.Dir(name), study.Name.Value, study.Title.Value, len(plan.Runs),
					len(study.Tables), len(study.Figures), len(study.Claims),
				})
			}
			writer.Render()
			return nil
		},
	}
	t.addStudies(c, new(string))
	return c
}
