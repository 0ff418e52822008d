package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/pipeline"
)

func newStatus(t *terminal) *cobra.Command {
	var s selection
	c := &cobra.Command{
		Use:   "status PAPER-or-STUDY...",
		Short: "Show how many runs of each experiment are done, missing and failed",
		Example: `  gridsweep status coallocation
  gridsweep status coallocation --experiment readings`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			targets, err := s.targets(args)
			if err != nil {
				return err
			}
			for _, target := range targets {
				status, err := pipeline.Status(c.Context(), target.plan, target.dataset)
				if err != nil {
					return err
				}
				fmt.Fprintln(t.out, target.dir)
				writer := table.NewWriter()
				writer.SetOutputMirror(t.out)
				writer.AppendHeader(table.Row{"experiment", "runs", "done", "missing", "failed"})
				countColumns(writer, 2, 3, 4, 5)
				for _, x := range status {
					writer.AppendRow(table.Row{x.Experiment, x.Done + x.Missing + x.Failed, x.Done, x.Missing, x.Failed})
				}
				writer.Render()
			}
			return nil
		},
	}
	s.addFlags(c)
	return c
}
