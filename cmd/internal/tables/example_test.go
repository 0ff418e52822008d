// The example of the package documentation.

package tables_test

import (
	"os"

	"github.com/jedib0t/go-pretty/v6/table"

	"gridsweep/cmd/internal/tables"
)

func Example() {
	t := tables.New(os.Stdout, 80)
	t.AppendHeader(table.Row{"experiment", "runs"})
	t.ShowCounts(2)
	t.AppendRow(table.Row{"rate", 4080})
	t.Render()
	// Output:
	// +------------+-------+
	// | EXPERIMENT |  RUNS |
	// +------------+-------+
	// | rate       | 4,080 |
	// +------------+-------+
}
