// Tables, JSON and CSV on standard output.

package cli

import (
	"encoding/json"
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

// table returns a table for the output; on a terminal it is at most as wide as that.
func (t *terminal) table() *tables.Table {
	width := 0
	if file, isScreen := t.screen(); isScreen {
		width, _, _ = term.GetSize(int(file.Fd())) // after an error 0, which is no limit
	}
	return tables.New(t.out, width)
}

// titled returns a table with a title, in which wide texts are wrapped.
func (t *terminal) titled(title string, heads ...string) *tables.Table {
	writer := t.table()
	writer.SetHeads(title, heads...)
	return writer
}

// print prints a result in the --format: a document as JSON, rows of CSV, or what table prints.
func (t *terminal) print(format string, document any, rows [][]string, table func()) error {
	switch format {
	case "json":
		return t.printJSON(document)
	case "csv":
		writer := columns.NewWriter(t.out)
		for _, row := range rows {
			_ = writer.Write(row) // Flush returns the error
		}
		return writer.Flush()
	default:
		table()
		return nil
	}
}

// printJSON prints a value, indented.
func (t *terminal) printJSON(value any) error {
	encoder := json.NewEncoder(t.out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
