// Tables: blocks of queries with their published numbers.

package study

import (
	"slices"
	"strconv"
	"strings"

	"gridsweep/configs"
	"gridsweep/configs/language"
)

// Table is one table: one or more blocks stacked.
type Table struct {
	Name, Title string
	Columns     []string // names of the dimensions across
	Published   string   // file of published numbers; empty where there is none
	// how many runs a published number is the mean of, at least 1; of a trimmed one, those left
	MeanOf int
	Given  bool // the published numbers are inputs of the study, and no evidence
	// columns whose published numbers choose a universe; those of others are held out
	Fitted []string
	// digits after the point, by column; of the others as many as suit them
	Decimals map[string]int
	Units    map[string]Unit // units in which columns are shown; the others have their own
	Blocks   []*Block
}

// Experiments returns the experiment of each block; nil for one of an unknown experiment.
func (t *Table) Experiments() []*Experiment {
	return mapped(t.Blocks, func(b *Block) *Experiment { return b.Experiment })
}

// Block is a query of a table and how it is laid out.
type Block struct {
	Query
	Rows    []int             // dimensions of the rows
	Columns []int             // dimensions of the columns, those of the table
	Label   string            // names the row of a block without row dimensions
	Printed []PublishedNumber // the table's published numbers that belong here
}

// PublishedNumber is a published number with its labels among the numbers of a block.
type PublishedNumber struct {
	// labels by dimension; empty along those that the block takes the mean over, metric and stat
	Labels []Label
	Metric int   // index of the column shown
	Stat   Label // the statistic by the file; may be empty
	Value  float64
	Text   string // the value as printed
	Page   string // empty where it is not known
	Note   string // a remark of the file; empty for most
}

func (b *binder) table(t configs.Table) *Table {
	key := configs.Key("tables", t.Name.Value)
	bound := &Table{
		Name: t.Name.Value, Title: t.Title.Value, Columns: texts(t.Columns), Published: t.Published.Value, MeanOf: t.MeanOf,
		Given: t.Given,
	}
	for _, block := range t.Blocks {
		q := b.query(block.Query, key, append(slices.Clone(block.Rows), t.Columns...), false, b.experimentNames)
		bound.Blocks = append(bound.Blocks, &Block{
			Query: q, Rows: q.dims(block.Rows), Columns: q.dims(t.Columns), Label: block.Label.Value,
		})
	}
	if b.model != nil {
		b.placePublished(t, bound, key)
		b.showAs(t, bound, key)
	}
	for _, column := range bound.PrintedColumns() {
		if slices.ContainsFunc(b.file.Fit, is(bound.Name)) || slices.ContainsFunc(b.file.Fit, is(bound.fit(column))) {
			bound.Fitted = append(bound.Fitted, column)
		}
	}
	return bound
}

// isBroken reports whether not all of a table could be read.
func isBroken(t configs.Table) bool {
	return slices.ContainsFunc(t.Blocks, func(b configs.Block) bool { return b.Broken })
}

// PrintedColumns returns the names of the columns with published numbers.
func (t *Table) PrintedColumns() []string {
	var names []string
	for _, block := range t.Blocks {
		for _, printed := range block.Printed {
			if name := block.Shown[printed.Metric].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// fit names a column of the table as the study file does in fit.
func (t *Table) fit(column string) string { return t.Name + ": " + column }

// checkFit reports tables and columns of fit that do not exist or have no published numbers to fit.
func (b *binder) checkFit() {
	var names []string
	for i, t := range b.file.Tables {
		if isBroken(t) {
			return // the table may be one of fit
		}
		if t.Published.Value == "" || t.Given {
			continue
		}
		names = append(names, t.Name.Value)
		bound := b.bound.Tables[i]
		columns := bound.PrintedColumns()
		if len(columns) == 0 { // none could be placed, which is reported, or there is no model
			for _, block := range t.Blocks {
				columns = append(columns, texts(block.Show)...)
			}
		}
		names = append(names, mapped(columns, bound.fit)...)
	}
	for _, name := range b.file.Fit {
		if slices.Contains(names, name.Value) {
			continue
		}
		isOf := func(t configs.Table) bool {
			return t.Name.Value == name.Value || strings.HasPrefix(name.Value, t.Name.Value+": ")
		}
		i := slices.IndexFunc(b.file.Tables, isOf)
		if i >= 0 && name.Pos.File != b.file.File && b.file.Tables[i].Name.Pos.File == b.file.File {
			table := b.file.Tables[i].Name
			b.report(table, configs.Key("tables", table.Value), "takes the place of an inherited table, and the inherited fit "+
				"names %q (%s), of which it has no published numbers; write fit in this file too, such as []",
				configs.Shortened(name.Value), name.Pos)
			continue
		}
		b.report(name, "fit", "no table %q has published numbers that are results; %s", configs.Shortened(name.Value),
			configs.Suggest(name.Value, names))
	}
}

// showAs binds the units and decimals of the numbers of a table.
func (b *binder) showAs(t configs.Table, bound *Table, key string) {
	bound.Decimals, bound.Units = map[string]int{}, map[string]Unit{}
	for _, block := range bound.Blocks {
		for _, column := range block.Shown {
			for _, s := range t.Decimals {
				if s.Name.Value == "" || s.Name.Value == column.Name {
					// package configs reports one that is not in digits
					bound.Decimals[column.Name], _ = strconv.Atoi(s.Value.Value)
				}
			}
			for _, s := range t.Units {
				key := key + ".units." + configs.Key(s.Name.Value)
				switch {
				case s.Name.Value != column.Name:
				case block.As != language.Difference:
					b.report(s.Value, key, "the numbers are compared as %s, which has no unit; it goes with numbers as they are and "+
						"with differences", block.As)
				default:
					bound.Units[column.Name] = b.unitOf(s.Value, column.Unit, key)
				}
			}
		}
	}
}
