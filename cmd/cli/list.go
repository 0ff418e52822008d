// Command list: the built-in papers and studies.

package cli

import (
	"context"
	"path"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/sweeps"
)

func newList(t *terminal) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the built-in papers and studies",
		Example: `  gridsweep list
  gridsweep list --studies configs
  gridsweep list --format json | jq -r '.[].study'`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			listed, err := t.listed(c.Context())
			if err != nil {
				return err
			}
			return t.printList(listed, format)
		},
	}
	addFormat(c, &format)
	t.addStudies(c, new(string)) // loadStudies reads the flag from c
	return c
}

// listedStudy is a study that can be named, with the size of its plan.
type listedStudy struct {
	Paper   string `json:"paper"`
	Study   string `json:"study"`
	Title   string `json:"title"`
	Model   string `json:"model"`
	Runs    int    `json:"runs"`
	Tables  int    `json:"tables"`
	Figures int    `json:"figures"`
	Claims  int    `json:"claims"`
}

func (t *terminal) listed(ctx context.Context) ([]listedStudy, error) {
	var listed []listedStudy
	for _, name := range t.studies.List() {
		study, err := t.studies.Load(ctx, name)
		if err != nil {
			return nil, err
		}
		m, err := t.modelOf(study)
		if err != nil {
			return nil, err
		}
		plan, err := sweeps.Expand(ctx, study, m, sweeps.Options{})
		if err != nil {
			return nil, err
		}
		listed = append(listed, listedStudy{
			Paper: path.Dir(name), Study: study.Name.Value, Title: study.Title.Value, Model: m.Name, Runs: len(plan.Runs),
			Tables: len(study.Tables), Figures: len(study.Figures), Claims: len(study.Claims),
		})
	}
	return listed, nil
}

func (t *terminal) printList(listed []listedStudy, format string) error {
	rows := [][]string{{"paper", "study", "title", "model", "runs", "tables", "figures", "claims"}}
	for _, s := range listed {
		rows = append(rows, []string{
			s.Paper, s.Study, s.Title, s.Model, strconv.Itoa(s.Runs), strconv.Itoa(s.Tables), strconv.Itoa(s.Figures),
			strconv.Itoa(s.Claims),
		})
	}
	return t.print(format, listed, rows, func() {
		writer := t.table()
		writer.AppendHeader(table.Row{"paper", "study", "title", "runs", "tables", "figures", "claims"})
		writer.ShowCounts(4)
		for _, s := range listed {
			writer.AppendRow(table.Row{s.Paper, s.Study, s.Title, s.Runs, s.Tables, s.Figures, s.Claims})
		}
		writer.Render()
	})
}
