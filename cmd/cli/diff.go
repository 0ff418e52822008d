// Command diff: what differs between two datasets.

package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/analysis/tabulate"
	"gridsweep/pipeline/workspace"
)

func newDiff(t *terminal) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two datasets: runs, means of cells and verdicts on claims",
		Long: `Compare two datasets, each the folder of a study, such as out/coallocation, or an archive that gridsweep bundle
wrote: the runs that only one of them has, runs with different rows, cells with means that differ beyond their
95 % confidence intervals, and claims with another verdict. The study file and the model are not needed, so the
datasets may be of any versions of them. Cells are those of the last plan that run executed, verdicts those that
analyze wrote. gridsweep compare is for schedules.

The exit code is 0 if the datasets are equal, 1 if they differ, 2 if they cannot be compared.`,
		Example: `  gridsweep diff out/coallocation elsewhere/out/coallocation
  gridsweep diff out/coallocation coallocation.zip
  gridsweep diff out/coallocation changed/coallocation --format json | jq '.means_differ'`,
		Args: needsCounted(2, "two datasets"),
		RunE: func(c *cobra.Command, args []string) error {
			temporary, err := os.MkdirTemp("", "gridsweep-diff-")
			if err != nil {
				return usageError(err) // not 1, which says that the datasets differ
			}
			defer os.RemoveAll(temporary)
			d, err := workspace.Diff(c.Context(), [2]string(args), temporary, func(text string) { t.note("%s", text) })
			switch {
			case c.Context().Err() != nil:
				return c.Context().Err()
			case err != nil:
				return usageError(err)
			}
			if err := t.printDifference(d, format); err != nil {
				return usageError(err)
			}
			if !d.Equal() {
				return exitError{code: exitFailed} // the differences are printed
			}
			return nil
		},
	}
	addFormat(c, &format)
	return c
}

func (t *terminal) printDifference(d *workspace.Difference, format string) error {
	document := struct {
		Equal bool `json:"equal"`
		*workspace.Difference
	}{d.Equal(), d}
	return t.print(format, document, differenceRows(d), func() { t.differenceTables(d) })
}

func (t *terminal) differenceTables(d *workspace.Difference) {
	for i, dataset := range d.Datasets {
		fmt.Fprintf(t.out, "%c: %s: %s of %s, model %s, version %d\n", 'A'+i, dataset.Path, things(dataset.Runs, "run"),
			dataset.Study, dataset.Model, dataset.Version)
	}
	fmt.Fprintf(t.out, "runs: %s in both, %s with different rows\n", count(d.Common), count(differingRuns(d)))
	fmt.Fprintf(t.out, "cells: %s in both, %s with means that differ beyond their intervals\n", count(d.CellsCompared),
		count(differingCells(d)))
	fmt.Fprintf(t.out, "claims: %s in both, %s with another verdict\n", count(d.ClaimsCompared), count(len(d.Verdicts)))
	for i := range d.Datasets {
		for _, only := range d.OnlyIn() {
			if names := only.Names[i]; len(names) > 0 {
				fmt.Fprintf(t.out, "only in %c: %s: %s\n", 'A'+i, things(len(names), only.What),
					strings.Join(firstOf(names, 3), ", "))
			}
		}
	}
	if len(d.Rows) > 0 {
		writer := t.titled("different rows", "run", "table")
		for _, r := range d.Rows[:min(len(d.Rows), mostShown)] {
			writer.AppendRow(table.Row{r.Run, r.Table})
		}
		writer.Render()
		t.printMore(len(d.Rows))
	}
	if len(d.Means) > 0 {
		rows := meanRows(d)
		writer := t.titled("means with 95 % intervals", "cell", "column", "unit", "A", "B")
		for _, row := range rows[:min(len(rows), mostShown)] {
			writer.AppendRow(row)
		}
		writer.Render()
		t.printMore(len(rows))
	}
	if len(d.Verdicts) > 0 {
		writer := t.titled("verdicts", "claim", "A", "B")
		for _, v := range d.Verdicts {
			writer.AppendRow(table.Row{v.Claim, v.Verdicts[0], v.Verdicts[1]})
		}
		writer.Render()
	}
}

// mostShown is the number of differences in one list that the table shows.
const mostShown = 20

// printMore prints how many of n differences are not shown.
func (t *terminal) printMore(n int) {
	if n > mostShown {
		fmt.Fprintf(t.out, "and %s more; --format csv and json have all\n", count(n-mostShown))
	}
}

// meanRows returns the rows of the table of means. Cells with the same two means of a column share
// a row.
func meanRows(d *workspace.Difference) []table.Row {
	type alike struct{ column, unit, a, b string }
	var order []alike
	cells := map[alike][]string{}
	for _, m := range d.Means {
		k := alike{m.Column, m.Unit, tabulate.Estimate(m.Means[0].Estimate), tabulate.Estimate(m.Means[1].Estimate)}
		if cells[k] == nil {
			order = append(order, k)
		}
		cells[k] = append(cells[k], m.Cell)
	}
	rows := make([]table.Row, len(order))
	for i, k := range order {
		cell := cells[k][0]
		if more := len(cells[k]) - 1; more > 0 {
			cell += " and " + things(more, "more cell")
		}
		rows[i] = table.Row{cell, k.column, k.unit, k.a, k.b}
	}
	return rows
}

func differingRuns(d *workspace.Difference) int {
	runs := map[string]bool{}
	for _, r := range d.Rows {
		runs[r.Run] = true
	}
	return len(runs)
}

func differingCells(d *workspace.Difference) int {
	cells := map[string]bool{}
	for _, m := range d.Means {
		cells[m.Cell] = true
	}
	return len(cells)
}

// differenceRows returns rows of CSV, one for each difference; fields that a difference does not
// have are empty.
func differenceRows(d *workspace.Difference) [][]string {
	rows := [][]string{{
		"difference", "name", "column_or_table", "unit", "a", "a_low", "a_high", "a_n", "b", "b_low", "b_high", "b_n",
	}}
	add := func(fields ...string) {
		rows = append(rows, append(fields, make([]string, len(rows[0])-len(fields))...))
	}
	for i := range d.Datasets {
		for _, only := range d.OnlyIn() {
			for _, name := range only.Names[i] {
				add(fmt.Sprintf("%s only in %c", only.What, 'A'+i), name)
			}
		}
	}
	for _, r := range d.Rows {
		add("rows differ", r.Run, r.Table)
	}
	for _, m := range d.Means {
		fields := []string{"means differ", m.Cell, m.Column, m.Unit}
		for _, mean := range m.Means {
			fields = append(fields, orEmpty(mean.Value), orEmpty(mean.Low), orEmpty(mean.High), strconv.Itoa(mean.N))
		}
		add(fields...)
	}
	for _, v := range d.Verdicts {
		add("verdicts differ", v.Claim, "", "", v.Verdicts[0], "", "", "", v.Verdicts[1])
	}
	return rows
}
