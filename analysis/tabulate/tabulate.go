// Package tabulate writes tables: CSV with one line for each cell, and Markdown, LaTeX and text for
// a terminal in the layout of the paper's table. Each number has its interval, as many digits as
// the interval justifies, and the published number beside it.
//
// The report uses the functions for numbers (Number, Interval, Estimate) and file names too.
package tabulate

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
	"gridsweep/results"
	"gridsweep/sweeps/study"
)

// formats are the file formats of a table.
var formats = []struct {
	ending string // of the file
	render func(analysis.Table) string
}{{".csv", CSV}, {".md", Markdown}, {".tex", LaTeX}}

// Write writes every table to dir as CSV, Markdown and LaTeX. Each file is replaced atomically. It
// returns an error if a file cannot be written or two tables would have the same file, and that of
// ctx when ctx is done; files written by then stay.
func Write(ctx context.Context, dir string, tables []analysis.Table) error {
	names := make([]string, len(tables))
	for i, table := range tables {
		names[i] = table.Name
	}
	if err := CheckFileNames(names); err != nil {
		return fmt.Errorf("write tables: %w", err)
	}
	for _, table := range tables {
		path := filepath.Join(dir, FileName(table.Name))
		for _, format := range formats {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := results.WriteFile(path+format.ending, []byte(format.render(table))); err != nil {
				return err
			}
		}
	}
	return nil
}

// Files returns the names of the files that Write makes of a table: CSV, Markdown and LaTeX.
func Files(table string) []string {
	files := make([]string, len(formats))
	for i, format := range formats {
		files[i] = FileName(table) + format.ending
	}
	return files
}

// Clashes returns the pairs of names, by their indices, whose file names are equal but for upper
// and lower case, which some systems ignore. The first of a pair is the first name with the file
// name.
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

// CheckFileNames returns an error with the first of the Clashes, if there is one.
func CheckFileNames(names []string) error {
	clashes := Clashes(names)
	if len(clashes) == 0 {
		return nil
	}
	first, second := names[clashes[0][0]], names[clashes[0][1]]
	return fmt.Errorf("%q and %q would both be file %s", first, second, FileName(second))
}

// Span is a column heading and the number of columns that it spans.
type Span struct {
	Label   string
	Columns int
}

// Heads returns the lines of column headings of a table, outermost dimension first. Neighbouring
// columns with equal labels in a dimension and all outer ones share a heading, except in the last
// dimension. A numeric label has the name of its dimension. A table without dimensions across has
// no lines.
func Heads(table analysis.Table) [][]Span {
	heads := make([][]Span, len(table.ColumnDimensions))
	for level := range heads {
		for i, labels := range table.Columns {
			outer := level < len(heads)-1
			if i > 0 && outer && slices.Equal(labels[:level+1], table.Columns[i-1][:level+1]) {
				heads[level][len(heads[level])-1].Columns++
				continue
			}
			heads[level] = append(heads[level], Span{Label: analysis.LevelName(table.ColumnDimensions[level], labels[level]),
				Columns: 1})
		}
	}
	return heads
}

// markCondition tells, in words, when a published number is marked.
func markCondition(table analysis.Table) string {
	if table.Given {
		return "if ours differs from this input of the study"
	}
	return "where it lies outside our 95 % prediction interval of " + table.Predicted()
}

// noteMark marks a published number that has a note.
const noteMark = "‡"

// Printed returns a published number as the paper prints it but with commas between thousands, and
// with a mark if it has a note under the table.
func Printed(p *study.PublishedNumber) string {
	if p.Note != "" {
		return grouped(p) + noteMark
	}
	return grouped(p)
}

var plainNumber = regexp.MustCompile(`^\d+(\.\d+)?$`)

// grouped returns a published number with commas between thousands and the sign of Number.
func grouped(p *study.PublishedNumber) string {
	digits, isNegative := strings.CutPrefix(p.Text, "-")
	if plainNumber.MatchString(digits) {
		digits = Thousands(digits)
	}
	if isNegative {
		return "−" + digits
	}
	return digits
}

// publishedNotes returns the notes on published numbers, each with the labels of its cell.
func publishedNotes(table analysis.Table) []string {
	var notes []string
	for _, row := range table.Rows {
		for i, cell := range row.Cells {
			if cell == nil || cell.Published == nil || cell.Published.Note == "" {
				continue
			}
			var at []string
			for k, label := range row.Labels {
				if label != "" {
					at = append(at, analysis.LevelName(table.RowDimensions[k], label))
				}
			}
			if column := columnLabel(table, table.Columns[i]); column != "" {
				at = append(at, column)
			}
			notes = append(notes, noteMark+" "+grouped(cell.Published)+" ("+strings.Join(at, ", ")+"): "+cell.Published.Note+".")
		}
	}
	return notes
}

// whyUnpredicted tells why our numbers of a table have no prediction interval.
func whyUnpredicted(table analysis.Table) string {
	for _, s := range table.Statistics {
		if s.Measures() != statistics.Location {
			return fmt.Sprintf("the statistic %s predicts no further run", s)
		}
	}
	return "there are too few replications to predict " + table.Predicted()
}

// Notes returns the notes under a table: those on published numbers, on the agreement with ours,
// and the warnings.
func Notes(table analysis.Table) []string {
	notes := publishedNotes(table)
	fewest, most := Replications(table)
	for _, a := range table.Agreement {
		if a.Given {
			notes = append(notes, fmt.Sprintf("%s: the published values are inputs of the study, which are no evidence; "+
				"%d of %d equal ours.", a.Metric, a.Inside, a.Cells))
			continue
		}
		decimals := Decimals(a.Bias)
		over := ""
		if fewest < most {
			over = fmt.Sprintf(" over %d replications", a.Bias.N)
		}
		rounded := ""
		if math.Abs(a.Bias.Value) <= a.Rounding {
			rounded = ", no more than the rounding of the published numbers"
		}
		agreed := fmt.Sprintf("%d of %d published values lie in our 95 %% prediction interval of %s", a.Inside, a.Cells,
			table.Predicted())
		if a.Cells == 0 {
			agreed = "no published value is judged, as " + whyUnpredicted(table)
		}
		note := fmt.Sprintf("%s: %s; bias (ours − published) %s%s%s%s; RMSE %s.", a.Metric, agreed,
			Interval(a.Bias, decimals), over, rounded, MostBiased(a), Number(a.RMSE, decimals))
		if a.Denominators != "" {
			note += " Denominators: " + a.Denominators + "."
		}
		notes = append(notes, note)
	}
	return append(notes, table.Warnings...)
}

// MostBiased names the columns or rows of a table with the largest clear biases: in the direction
// of the bias of the whole table or, if that is not clear, in both, such as "; most in A 3 ± 1 and
// 2 more". It is empty if there are none.
func MostBiased(a analysis.Agreement) string {
	const most = 3
	isBiased := a.IsBiased()
	biased := slices.DeleteFunc(slices.Clone(a.Biased), func(s analysis.BiasedSubtable) bool {
		return isBiased && (s.Bias.Value > 0) != (a.Bias.Value > 0)
	})
	names := make([]string, min(most, len(biased)))
	for i := range names {
		names[i] = strings.Join(biased[i].Labels, ",") + " " + Estimate(biased[i].Bias)
	}
	text := strings.Join(names, ", ")
	if left := len(biased) - len(names); left > 0 {
		text += fmt.Sprintf(" and %d more", left)
	}
	if text != "" {
		text = "; most in " + text
	}
	return text
}
