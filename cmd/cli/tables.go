package cli

// Tables, JSON and CSV on standard output.

import (
	"encoding/json"
	"iter"
	"os"

	"golang.org/x/term"

	"gridsweep/cmd/internal/tables"
	"gridsweep/model/columns"
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
func (t *terminal) table() *tables.Table {
	width := 0
	if file, isScreen := t.screen(); isScreen {
		width, _, _ = term.GetSize(int(file.Fd())) // 0, and so no limit, where the terminal does not say it
	}
	return tables.New(t.out, width)
}

// titled returns a table under a title, wide texts wrapped.
func (t *terminal) titled(title string, heads ...string) *tables.Table {
	writer := t.table()
	writer.SetHeads(title, heads...)
	return writer
}

// printJSON prints a value, indented.
func (t *terminal) printJSON(value any) error {
	encoder := json.NewEncoder(t.out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// printCSV prints lines of CSV, the first of which is their head.
func (t *terminal) printCSV(rows iter.Seq[[]string]) error {
	writer := columns.NewWriter(t.out)
	for row := range rows {
		_ = writer.Write(row) // writer keeps the error
	}
	return writer.Flush()
}
