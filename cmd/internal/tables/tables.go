// Package tables prints tables on terminals: it narrows columns until the table fits the width, and
// wraps texts. A table for a file or a pipe has any width.
package tables

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Table is a table.Writer that narrows its columns, the widest first, until it fits a width. Texts
// are wrapped. Lines are cut only if the narrowest columns do not fit.
type Table struct {
	table.Writer
	width   int
	rows    []table.Row // the header first
	configs []table.ColumnConfig
}

// New returns a table that Render prints to a writer, at most width characters wide; 0 is no limit.
func New(out io.Writer, width int) *Table {
	t := &Table{Writer: table.NewWriter(), width: width}
	t.SetOutputMirror(out)
	return t
}

// narrowest is the least width of a narrowed column.
const narrowest = 8

// AppendHeader adds a row of titles.
func (t *Table) AppendHeader(row table.Row, configs ...table.RowConfig) {
	t.rows = append(t.rows, row)
	t.Writer.AppendHeader(row, configs...)
}

// AppendRow adds a row.
func (t *Table) AppendRow(row table.Row, configs ...table.RowConfig) {
	t.rows = append(t.rows, row)
	t.Writer.AppendRow(row, configs...)
}

// SetColumnConfigs sets the format of columns.
func (t *Table) SetColumnConfigs(configs []table.ColumnConfig) {
	t.configs = configs
	t.Writer.SetColumnConfigs(configs)
}

// Render prints the table and returns it.
func (t *Table) Render() string {
	if t.width > 0 {
		t.fit()
	}
	return t.Writer.Render()
}

// fit narrows the columns.
func (t *Table) fit() {
	var configs []table.ColumnConfig
	for _, row := range t.rows {
		for len(configs) < len(row) {
			configs = append(configs, t.config(len(configs)+1))
		}
	}
	// the longest line and word of each column
	widths, words := make([]int, len(configs)), make([]int, len(configs))
	sum := 1 // the left border; each column has a space on both sides and a border
	for i, config := range configs {
		for k, row := range t.rows {
			if i < len(row) {
				line, word := cellWidths(row[i], config, k == 0) // 0 is the header
				widths[i], words[i] = max(widths[i], line), max(words[i], word)
			}
		}
		sum += widths[i] + len("|  ")
	}
	// The widest column is narrowed to its longest word; if all are, the longest word is broken.
	for sum > t.width {
		widest, most := -1, 0
		for i, width := range widths {
			if width > max(words[i], narrowest, most) {
				widest, most = i, width
			}
		}
		if widest < 0 {
			widest = slices.Index(words, slices.Max(words))
			if words[widest] <= narrowest {
				break
			}
			words[widest]--
			continue
		}
		widths[widest]--
		configs[widest].WidthMax, configs[widest].WidthMaxEnforcer = widths[widest], text.WrapSoft
		sum--
	}
	t.Writer.SetColumnConfigs(configs)
	t.Style().Size.WidthMax = t.width
}

// config returns the format of a column, numbered from 1.
func (t *Table) config(number int) table.ColumnConfig {
	for _, config := range t.configs {
		if config.Number == number {
			return config
		}
	}
	return table.ColumnConfig{Number: number}
}

// cellWidths returns the widths of the longest line and the longest word of a cell.
func cellWidths(value any, config table.ColumnConfig, isHeader bool) (line, word int) {
	shown := fmt.Sprint(value)
	if config.Transformer != nil && !isHeader {
		shown = config.Transformer(value)
	}
	for field := range strings.FieldsSeq(shown) {
		word = max(word, text.StringWidthWithoutEscSequences(field))
	}
	line = text.LongestLineLen(shown)
	if config.WidthMax > 0 {
		line, word = min(line, config.WidthMax), min(word, config.WidthMax)
	}
	return line, word
}

// SetHeads sets the title and the heads of the columns. Wide texts are wrapped.
func (t *Table) SetHeads(title string, heads ...string) {
	t.SetTitle("%s", title)
	header := table.Row{}
	var wrapped []table.ColumnConfig
	for i, head := range heads {
		header = append(header, head)
		wrapped = append(wrapped, table.ColumnConfig{Number: i + 1, WidthMax: 70, WidthMaxEnforcer: text.WrapSoft})
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(wrapped)
}

// ShowCounts sets columns, numbered from 1, to show integers as 4,080. Texts stay as they are.
func (t *Table) ShowCounts(columns ...int) {
	var configs []table.ColumnConfig
	for _, column := range columns {
		shown := func(value any) string {
			if n, isNumber := value.(int); isNumber {
				return humanize.Comma(int64(n))
			}
			return fmt.Sprint(value)
		}
		configs = append(configs, table.ColumnConfig{
			Number: column, Transformer: shown, Align: text.AlignRight, AlignHeader: text.AlignRight,
		})
	}
	t.SetColumnConfigs(configs)
}

// AlignRight aligns the columns from first to last, numbered from 1, to the right and breaks their
// cells at width characters; 0 breaks none. The heads of all columns keep their case.
func (t *Table) AlignRight(first, last, width int) {
	var columns []table.ColumnConfig
	for number := first; number <= last; number++ {
		columns = append(columns, table.ColumnConfig{
			Number: number, Align: text.AlignRight, AlignHeader: text.AlignRight,
			WidthMax: width, WidthMaxEnforcer: text.WrapSoft,
		})
	}
	t.SetColumnConfigs(columns)
	t.Style().Format.Header = text.FormatDefault // lower-case names of policies stay
}
