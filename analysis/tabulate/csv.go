package tabulate

// Tables as CSV, one cell a line.

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gridsweep/analysis"
	"gridsweep/model/columns"
)

const metricHead = "metric"

// CSV returns the table with one cell a line: the labels of its row and column, the metric and its
// unit, our estimate with the ends of its 95 % interval, rounds that have it and that were run,
// standard deviation, the published number and its page, the 95 % prediction interval of one run or
// the mean of several that it is, and whether the published number lies in it, and what is odd
// about it. What is undefined is empty.
func CSV(table analysis.Table) string {
	var text strings.Builder
	w := columns.NewWriter(&text)
	heads := slices.Concat(table.RowHeads, table.ColumnHeads)
	metricIsHead := slices.Contains(heads, metricHead)
	if !metricIsHead {
		heads = append(heads, metricHead)
	}
	_ = w.Write(append(heads, "unit", "ours", "low", "high", "n", "rounds", "sd", // a strings.Builder takes everything
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
			_ = w.Write(append(append(record, unitOf(table, cell.Metric)), numbersOf(cell)...))
		}
	}
	_ = w.Flush()
	return text.String()
}

func numbersOf(cell *analysis.Cell) []string {
	ours := cell.Ours
	numbers := []string{
		machine(ours.Value), machine(ours.Low), machine(ours.High), strconv.Itoa(ours.N), strconv.Itoa(cell.Ran),
		machine(ours.SD),
	}
	if cell.Published == nil {
		return append(numbers, "", "", "", "", "", "")
	}
	return append(numbers, cell.Published.Printed, cell.Published.Page,
		machine(cell.Prediction[0]), machine(cell.Prediction[1]), string(cell.Verdict), cell.Published.Note)
}

// machine writes x for a program: ten significant digits, which no interval here is worth.
func machine(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 10, 64)
}

func unitOf(table analysis.Table, metric string) string {
	for _, axis := range table.Values {
		if axis.Name == metric {
			return axis.Unit
		}
	}
	return ""
}
