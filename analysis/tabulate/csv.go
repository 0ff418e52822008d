// Tables as CSV, one line for each cell.

package tabulate

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gridsweep/analysis"
	"gridsweep/model/columns"
)

const metricHead = "metric"

// CSV returns the table with one line for each cell. Its columns are
//
//   - the labels of row and column, the metric and its unit;
//   - our estimate with the ends of its 95 % interval, the replications with a value and those run,
//     and the standard deviation;
//   - the published number and its page, the ends of the 95 % prediction interval of one run or a
//     mean of several, the verdict inside or outside, for which the rounding of the published
//     number counts, and the note on it.
//
// An undefined field is empty.
func CSV(table analysis.Table) string {
	var text strings.Builder
	w := columns.NewWriter(&text)
	heads := slices.Concat(table.RowDimensions, table.ColumnDimensions)
	metricIsHead := slices.Contains(heads, metricHead)
	if !metricIsHead {
		heads = append(heads, metricHead)
	}
	// a strings.Builder never fails
	_ = w.Write(append(heads, "unit", "ours", "low", "high", "n", "rounds", "sd",
		"published", "page", "prediction_low", "prediction_high", "verdict", "note"))
	for _, row := range table.Rows {
		for i, cell := range row.Cells {
			if cell == nil {
				continue
			}
			record := slices.Concat(row.Labels, table.Columns[i])
			if !metricIsHead {
				record = append(record, cell.Metric)
			}
			_ = w.Write(append(append(record, UnitOf(table, cell.Metric)), numbersOf(cell)...))
		}
	}
	_ = w.Flush()
	return text.String()
}

func numbersOf(cell *analysis.Cell) []string {
	ours := cell.Ours
	numbers := []string{
		csvNumber(ours.Value), csvNumber(ours.Low), csvNumber(ours.High), strconv.Itoa(ours.N), strconv.Itoa(cell.Ran),
		csvNumber(ours.SD),
	}
	if cell.Published == nil {
		return append(numbers, "", "", "", "", "", "")
	}
	return append(numbers, cell.Published.Text, cell.Published.Page,
		csvNumber(cell.Prediction[0]), csvNumber(cell.Prediction[1]), string(cell.Verdict), cell.Published.Note)
}

// csvNumber returns x with ten significant digits, more than any interval justifies; empty if x is
// not finite.
func csvNumber(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 10, 64)
}

// UnitOf returns the unit of a column of a table.
func UnitOf(table analysis.Table, metric string) string {
	for _, axis := range table.Values {
		if axis.Name == metric {
			return axis.Unit
		}
	}
	return ""
}
