// Package tabulate writes tables for people and programs: CSV with one cell a line, Markdown and
// LaTeX laid out as the paper lays out its table, and text for a terminal. Its one idea: a number
// is shown with its interval, with as many digits as the interval is worth, and beside it the
// paper's number.
//
// The writing of numbers (Number, Interval, Estimate) and of file names is shared with the report.
package tabulate

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
	"gridsweep/results"
)

// forms are the files that are made of a table.
var forms = []struct {
	ending string
	render func(analysis.Table) string
}{{".csv", CSV}, {".md", Markdown}, {".tex", LaTeX}}

// Write writes every table to dir as CSV, Markdown and LaTeX. Each file replaces its predecessor
// whole or not at all. It returns an error where a file cannot be written or where two tables would
// have the same file, and that of ctx when it is done; the files written until then stay.
func Write(ctx context.Context, dir string, tables []analysis.Table) error {
	names := make([]string, len(tables))
	for i, table := range tables {
		names[i] = table.Name
	}
	if err := CheckFileNames(names); err != nil {
		return fmt.Errorf("write tables: %w", err)
	}
	for _, table := range tables {
		for i, file := range Files(table.Name) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := results.WriteFile(filepath.Join(dir, file), []byte(forms[i].render(table))); err != nil {
				return err
			}
		}
	}
	return nil
}

// Files returns the names of the files that Write makes of a table: CSV, Markdown and LaTeX.
func Files(table string) []string {
	files := make([]string, len(forms))
	for i, form := range forms {
		files[i] = FileName(table) + form.ending
	}
	return files
}

// Clashes returns the pairs of names, by their indexes, that would give one file on some systems or
// on all.
func Clashes(names []string) [][2]int {
	var clashes [][2]int
	owner := map[string]int{}
	for i, name := range names {
		file := strings.ToLower(FileName(name))
		if first, taken := owner[file]; taken {
			clashes = append(clashes, [2]int{first, i})
			continue
		}
		owner[file] = i
	}
	return clashes
}

// CheckFileNames returns an error if two of the names would give one file, on some systems or on
// all.
func CheckFileNames(names []string) error {
	clashes := Clashes(names)
	if len(clashes) == 0 {
		return nil
	}
	first, second := names[clashes[0][0]], names[clashes[0][1]]
	return fmt.Errorf("%q and %q would both be file %s", first, second, FileName(second))
}

// Span is a column heading and how many columns it is over.
type Span struct {
	Label   string
	Columns int
}

// Heads returns the lines of column headings of a table, outermost dimension first: neighbours that
// agree in a dimension and in all outer ones share a heading. One over a number says of what. A
// table with one column and no dimension across has no lines.
func Heads(table analysis.Table) [][]Span {
	heads := make([][]Span, len(table.ColumnHeads))
	for level := range heads {
		for i, labels := range table.Columns {
			last := len(heads[level]) - 1
			if i > 0 && sameLabels(labels[:level+1], table.Columns[i-1][:level+1]) && level < len(heads)-1 {
				heads[level][last].Columns++
				continue
			}
			heads[level] = append(heads[level], Span{Label: analysis.LevelName(table.ColumnHeads[level], labels[level]),
				Columns: 1})
		}
	}
	return heads
}

func sameLabels(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// marked says of which published numbers a table is marked.
func marked(table analysis.Table) string {
	if table.Given {
		return "where it, an input of the study, differs from ours"
	}
	return "where it lies outside our 95 % prediction interval of " + table.Predicted()
}

// odd marks a published number that has a note.
const odd = "‡"

// Printed returns a published number as the paper prints it, with a mark where a note under the
// table says what is odd about it.
func Printed(p *analysis.Published) string {
	if p.Note != "" {
		return p.Printed + odd
	}
	return p.Printed
}

// oddities returns the notes on published numbers, each with the labels of its cell.
func oddities(table analysis.Table) []string {
	var notes []string
	for _, row := range table.Rows {
		for i, cell := range row.Cells {
			if cell == nil || cell.Published == nil || cell.Published.Note == "" {
				continue
			}
			var at []string
			for k, label := range row.Labels {
				if label != "" {
					at = append(at, analysis.LevelName(table.RowHeads[k], label))
				}
			}
			if column := columnLabel(table, table.Columns[i]); column != "" {
				at = append(at, column)
			}
			notes = append(notes, odd+" "+cell.Published.Printed+" ("+strings.Join(at, ", ")+"): "+cell.Published.Note+".")
		}
	}
	return notes
}

// Notes returns what is to be said under a table: what is odd about published numbers, how ours
// agree with the paper's, and the warnings.
func Notes(table analysis.Table) []string {
	notes := oddities(table)
	fewest, most := Rounds(table)
	for _, a := range table.Agreement {
		if a.Given {
			notes = append(notes, fmt.Sprintf("%s: the published values are given to the study, which makes them no evidence: "+
				"%d of %d are ours too.", a.Metric, a.Inside, a.Cells))
			continue
		}
		decimals := Decimals([]statistics.Estimate{a.Bias})
		over := ""
		if fewest < most {
			over = fmt.Sprintf(" over %d replications", a.Bias.N)
		}
		note := fmt.Sprintf("%s: %d of %d published values lie in our 95 %% prediction interval of %s; "+
			"bias (ours − published) %s%s; RMSE %s.", a.Metric, a.Inside, a.Cells, table.Predicted(),
			Interval(a.Bias, decimals), over, Number(a.RMSE, decimals))
		if a.Granularity != "" {
			note += " Granularity: " + a.Granularity + "."
		}
		notes = append(notes, note)
	}
	return append(notes, table.Warnings...)
}
