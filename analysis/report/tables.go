// Tables for the template of the page: cells with signs of their agreement, notes and legends.

package report

import (
	"html/template"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis"
	"gridsweep/analysis/tabulate"
)

// tableView is a table as the template shows it.
type tableView struct {
	analysis.Table
	ID           string
	Heads        [][]tabulate.Span // lines of column headings; at least one
	Wide         bool              // too wide for a page in portrait format
	Notes        []template.HTML
	Pages        string  // pages of the published numbers
	Legend       *legend // nil if it is that of the section
	Files        []file
	HasPublished bool // whether some cell does

	digits func(*analysis.Cell) int // after the point
	most   int                      // the most replications of a cell
}

// legend describes the numbers in the cells of a table.
type legend struct {
	Text         string
	HasPublished bool // whether some cell of the table does
	Given        bool // whether the published numbers are an input of the study
}

// cellView is a cell as the template shows it.
type cellView struct {
	Class        string // yes, no or empty
	Published    string
	Ours         string
	Replications string // replications of the number; empty if the legend gives them
	Prediction   string // interval
	Mark         string // the verdict, as a sign
}

const wideColumns = 9 // the most that fit on a page in portrait format

// newTableView returns a table for the template, without the sentences that the overview shows.
func newTableView(
	table analysis.Table, directory string, shown []string, links experimentLinks, ids anchors,
) tableView {
	table = tabulate.AsShown(table)
	t := tableView{
		Table: table, ID: ids.id("table", table.Name), Heads: tabulate.Heads(table),
		Wide:  len(table.Columns) > wideColumns,
		Files: filesOf(directory, "tables", tabulate.Files(table.Name)),
	}
	if len(t.Heads) == 0 {
		label := "value"
		if len(table.Values) == 1 {
			label = table.Values[0].Name
		}
		t.Heads = [][]tabulate.Span{{{Label: label, Columns: max(len(table.Columns), 1)}}}
	}
	t.digits = tabulate.Digits(table)
	_, t.most = tabulate.Replications(table)
	t.Legend, t.Pages = legendOf(table)
	t.HasPublished = t.Legend.HasPublished
	notes := tabulate.Notes(table)
	for _, a := range table.Universes {
		if sentence := rangeOver(a); !slices.Contains(shown, sentence) {
			notes = append(notes, sentence)
		}
	}
	for _, note := range notes {
		t.Notes = append(t.Notes, links.In(note))
	}
	return t
}

// mergeLegends removes the most frequent legend from its tables and returns it; nil if no two
// tables have the same.
func mergeLegends(tables []tableView) *legend {
	counts := map[legend]int{}
	var common legend
	for _, t := range tables {
		counts[*t.Legend]++
		if n := counts[*t.Legend]; n > 1 && n > counts[common] {
			common = *t.Legend
		}
	}
	if counts[common] == 0 {
		return nil
	}
	for i := range tables {
		if *tables[i].Legend == common {
			tables[i].Legend = nil
		}
	}
	return &common
}

// legendOf describes the numbers in the table's cells, and names the pages of the published ones.
func legendOf(table analysis.Table) (l *legend, where string) {
	ours := "ours " + tabulate.Legend(table)
	var pages []string
	published, predicted := false, false
	for _, row := range table.Rows {
		for _, cell := range row.Cells {
			if cell == nil || cell.Published == nil {
				continue
			}
			published = true
			predicted = predicted || cell.Verdict != analysis.AgreeNone && !table.Given
			if cell.Published.Page != "" {
				pages = withNew(pages, cell.Published.Page)
			}
		}
	}
	if !published {
		return &legend{Text: "In each cell: " + ours + "."}, ""
	}
	text := "In each cell: the paper’s number"
	if table.Given {
		text += ", an input of the study"
	}
	text += "; " + ours
	if predicted {
		text += "; the 95 % prediction interval of " + table.Predicted()
	}
	if len(pages) > 0 {
		where = "The paper’s numbers: " + english.PluralWord(len(pages), "page", "") + " " + strings.Join(pages, ", ") + "."
	}
	return &legend{Text: text + ".", HasPublished: true, Given: table.Given}, where
}

// View returns a cell of the table for the template.
func (t tableView) View(cell *analysis.Cell) cellView {
	if cell == nil {
		return cellView{Ours: tabulate.Missing}
	}
	digits, view := t.digits(cell), cellView{}
	view.Ours, view.Replications = tabulate.Ours(cell, digits, t.most)
	if cell.Published == nil {
		return view
	}
	view.Published = tabulate.Printed(cell.Published)
	if cell.Verdict != analysis.AgreeNone && !t.Given {
		_, printed, _ := strings.Cut(cell.Published.Text, ".")
		fine := max(digits, len(printed)) // so that the published number can be compared
		low, high := tabulate.Number(cell.Prediction[0], fine), tabulate.Number(cell.Prediction[1], fine)
		view.Prediction = "[" + low + ", " + high + "]"
	}
	switch {
	case cell.Verdict == analysis.AgreeOutside:
		view.Class, view.Mark = "no", "✗"
	case cell.Verdict == analysis.AgreeInside && !t.Given:
		view.Class, view.Mark = "yes", "✓"
	}
	return view
}
