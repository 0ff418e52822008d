package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"
)

// screen returns the file that results go to if it is a terminal.
func (t *terminal) screen() (*os.File, bool) {
	p, isPrinter := t.out.(*printer)
	if !isPrinter {
		return nil, false
	}
	file, isFile := p.to.(*os.File)
	return file, isFile && term.IsTerminal(int(file.Fd()))
}

// isScreen reports whether results go to a terminal.
func (t *terminal) isScreen() bool {
	_, isScreen := t.screen()
	return isScreen
}

// table returns a table that is printed with the results, on a terminal no wider than that.
func (t *terminal) table() table.Writer {
	width := 0
	if file, isScreen := t.screen(); isScreen {
		width, _, _ = term.GetSize(int(file.Fd())) // 0, and so no limit, where the terminal does not say it
	}
	writer := &fittedTable{Writer: table.NewWriter(), width: width}
	writer.SetOutputMirror(t.out)
	return writer
}

// fittedTable is a table whose columns are narrowed, the widest ones first, until it has the width; 0 is no limit. Texts
// are wrapped, and lines are cut only where there are more columns than have room.
type fittedTable struct {
	table.Writer
	width   int
	rows    []table.Row // with the header
	configs []table.ColumnConfig
}

// narrowest is how narrow columns are made.
const narrowest = 8

// AppendHeader adds a row of titles.
func (f *fittedTable) AppendHeader(row table.Row, configs ...table.RowConfig) {
	f.rows = append(f.rows, row)
	f.Writer.AppendHeader(row, configs...)
}

// AppendRow adds a row.
func (f *fittedTable) AppendRow(row table.Row, configs ...table.RowConfig) {
	f.rows = append(f.rows, row)
	f.Writer.AppendRow(row, configs...)
}

// SetColumnConfigs says how columns look.
func (f *fittedTable) SetColumnConfigs(configs []table.ColumnConfig) {
	f.configs = configs
	f.Writer.SetColumnConfigs(configs)
}

// Render prints the table and returns it.
func (f *fittedTable) Render() string {
	if f.width > 0 {
		f.fit()
	}
	return f.Writer.Render()
}

// fit narrows the columns.
func (f *fittedTable) fit() {
	var configs []table.ColumnConfig
	sum := 1 // the border on the left; each column has a blank on both sides and a border
	for _, row := range f.rows {
		for len(configs) < len(row) {
			configs = append(configs, f.config(len(configs)+1))
		}
	}
	widths, words := make([]int, len(configs)), make([]int, len(configs)) // the longest line and word of each column
	for i, config := range configs {
		for k, row := range f.rows {
			if i < len(row) {
				line, word := cellWidths(row[i], config, k == 0)
				widths[i], words[i] = max(widths[i], line), max(words[i], word)
			}
		}
		sum += widths[i] + len("|  ")
	}
	for sum > f.width {
		widest, most := -1, 0 // whole words stay in one piece while other columns can be narrowed
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
	f.Writer.SetColumnConfigs(configs)
	f.Style().Size.WidthMax = f.width
}

// config returns how the column of the number, from 1, looks.
func (f *fittedTable) config(number int) table.ColumnConfig {
	for _, config := range f.configs {
		if config.Number == number {
			return config
		}
	}
	return table.ColumnConfig{Number: number}
}

// cellWidths returns how wide the lines and the words of a cell are by themselves.
func cellWidths(value any, config table.ColumnConfig, isHeader bool) (line, word int) {
	shown := fmt.Sprint(value)
	if config.Transformer != nil && !isHeader {
		shown = config.Transformer(value)
	}
	for part := range strings.FieldsSeq(shown) {
		word = max(word, text.StringWidthWithoutEscSequences(part))
	}
	line = text.LongestLineLen(shown)
	if config.WidthMax > 0 {
		line, word = min(line, config.WidthMax), min(word, config.WidthMax)
	}
	return line, word
}

// grid returns a table under a title, wide texts wrapped.
func (t *terminal) grid(title string, heads ...string) table.Writer {
	writer := t.table()
	writer.SetTitle("%s", title)
	header := table.Row{}
	var wrapped []table.ColumnConfig
	for i, head := range heads {
		header = append(header, head)
		wrapped = append(wrapped, table.ColumnConfig{Number: i + 1, WidthMax: 70, WidthMaxEnforcer: text.WrapSoft})
	}
	writer.AppendHeader(header)
	writer.SetColumnConfigs(wrapped)
	return writer
}

// countColumns makes columns of a table, numbered from 1, show their numbers of things so.
func countColumns(writer table.Writer, columns ...int) {
	var configs []table.ColumnConfig
	for _, column := range columns {
		shown := func(value any) string { return count(value.(int)) }
		configs = append(configs, table.ColumnConfig{Number: column, Transformer: shown})
	}
	writer.SetColumnConfigs(configs)
}

// alignRight makes the columns from first to last, numbered from 1, ones of numbers, their titles broken at so many
// characters; 0 for titles as they are.
func alignRight(writer table.Writer, first, last, width int) {
	var columns []table.ColumnConfig
	for number := first; number <= last; number++ {
		columns = append(columns, table.ColumnConfig{
			Number: number, Align: text.AlignRight, AlignHeader: text.AlignRight, WidthMax: width, WidthMaxEnforcer: text.WrapSoft,
		})
	}
	writer.SetColumnConfigs(columns)
	writer.Style().Format.Header = text.FormatDefault // policies are written small
}
