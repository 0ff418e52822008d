// How numbers and titles are written: digits, intervals, units; and names of files.

package tabulate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
	"gridsweep/sweeps/study"
)

// Missing is written for a missing number.
const Missing = "–"

const (
	mostDecimals  = 6
	smallestPlain = 1e-4 // smaller numbers have an exponent, as do those from largestPlain on
	largestPlain  = 1e12
	rounding      = 1e-9 // a half-width up to this share of the value is rounding, and counts as 0
	// an interval whose arms differ by less than this share of its width is written as ±
	skewNegligible = 0.05
)

// Decimals returns the digits after the point that the interval of an estimate justifies, by the
// rule of the Particle Data Group (Review of Particle Physics, section 5.3): of the first three
// digits of the half-width, 100 to 354 leave two, others one, and 950 to 999 round up to 10. The
// last digits before the point are rounded where the result is negative. Without an interval it is
// four significant digits of the value, and no digit before the point is rounded. It is at most 6.
func Decimals(e statistics.Estimate) int {
	half, size := halfWidth(e), math.Abs(e.Value)
	switch {
	case half > 0 && !math.IsInf(half, 0):
		leading := int(math.Floor(math.Log10(half)))
		if three := math.Round(half / math.Pow10(leading-2)); three < 355 {
			leading--
		}
		return min(-leading, mostDecimals)
	case size > 0 && !math.IsInf(size, 0):
		leading := int(math.Floor(math.Log10(size)))
		return min(max(3-leading, 0), mostDecimals)
	}
	return 0
}

// AsShown returns the table with our numbers and their intervals in the units that the study file
// sets.
func AsShown(table analysis.Table) analysis.Table {
	units := map[string]study.Unit{}
	table.Values = slices.Clone(table.Values)
	for i, v := range table.Values {
		if v.Shown.Name != "" {
			table.Values[i].Unit, units[v.Name] = v.Shown.Name, v.Shown
		}
	}
	if len(units) == 0 {
		return table
	}
	table.Rows = slices.Clone(table.Rows)
	for r, row := range table.Rows {
		table.Rows[r].Cells = slices.Clone(row.Cells)
		for c, cell := range row.Cells {
			if cell == nil || units[cell.Metric].Size == 0 {
				continue
			}
			shown, size := *cell, units[cell.Metric].Size
			shown.Ours.Value, shown.Ours.Low, shown.Ours.High = shown.Ours.Value/size, shown.Ours.Low/size, shown.Ours.High/size
			table.Rows[r].Cells[c] = &shown
		}
	}
	return table
}

// Digits returns a function that gives the digits after the point of a cell: those that the study
// file sets for the column, or Decimals. Cells without an interval have the median digits of those
// of their column that have one or, if none has, the most that any of them needs.
func Digits(table analysis.Table) func(*analysis.Cell) int {
	with, without := map[string][]int{}, map[string]int{}
	for _, row := range table.Rows {
		for _, cell := range row.Cells {
			switch {
			case cell == nil || math.IsNaN(cell.Ours.Value): // has no digits
			case halfWidth(cell.Ours) > 0:
				with[cell.Metric] = append(with[cell.Metric], Decimals(cell.Ours))
			default:
				without[cell.Metric] = max(without[cell.Metric], Decimals(cell.Ours))
			}
		}
	}
	for metric, digits := range with {
		slices.Sort(digits)
		without[metric] = digits[len(digits)/2]
	}
	return func(cell *analysis.Cell) int {
		if set, isSet := table.Decimals[cell.Metric]; isSet {
			return set
		}
		if halfWidth(cell.Ours) > 0 {
			return Decimals(cell.Ours)
		}
		return without[cell.Metric]
	}
}

// Number returns x with a number of digits after the point and commas between thousands. Negative
// decimals round the last digits before the point. It has more digits if it would otherwise be
// written as zero. Below 1e-4 and from 1e12 on it has a power of ten. A number that is not finite
// is Missing.
func Number(x float64, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Missing
	}
	size, half := math.Abs(x), 0.5*math.Pow10(-decimals)
	text := ""
	switch {
	case size != 0 && size < smallestPlain || size >= largestPlain:
		text = analysis.PowerOfTen(strconv.FormatFloat(size, 'e', 2, 64))
	case size != 0 && (size < half || size == half && decimals >= 0): // FormatFloat would write 0
		return Number(x, -int(math.Floor(math.Log10(size)))) // one digit
	case decimals < 0:
		unit := math.Pow10(-decimals)
		text = Thousands(strconv.FormatFloat(math.Round(size/unit)*unit, 'f', 0, 64))
	default:
		text = Thousands(strconv.FormatFloat(size, 'f', decimals, 64))
	}
	if x < 0 {
		return "−" + text
	}
	return text
}

// Thousands returns the digits of a number with commas between thousands.
func Thousands(digits string) string {
	whole, fraction, has := strings.Cut(digits, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if has {
		whole += "." + fraction
	}
	return whole
}

// Interval returns an estimate as value ± half-width of its 95 % interval, as value [low, high] if
// the interval is lopsided, or as the value alone if it has no interval.
func Interval(e statistics.Estimate, decimals int) string {
	value := Number(e.Value, decimals)
	half := halfWidth(e)
	if value == Missing || math.IsNaN(half) || math.IsInf(half, 0) {
		return value
	}
	if isLopsided(e) {
		return value + " [" + Number(e.Low, decimals) + ", " + Number(e.High, decimals) + "]"
	}
	if size := math.Abs(e.Value); size < half && size < 0.5*math.Pow10(-decimals) {
		value = Number(0, decimals) // the interval justifies no digit of it
	}
	return value + " ± " + Number(half, decimals)
}

// Ours returns our number of a cell with its interval. Replications gives their number in words if
// it is less than those that were run or than most, that of other cells of the table.
func Ours(cell *analysis.Cell, decimals, most int) (number, replications string) {
	ran := english.Plural(cell.Ran, "replication", "")
	switch {
	case cell.Ours.N == 0 && cell.Ran == 0:
		return "not run", ""
	case cell.Ours.N == 0:
		return "no value", "in any of " + ran
	case cell.Ours.N < cell.Ran:
		return Interval(cell.Ours, decimals), fmt.Sprintf("in %d of %s", cell.Ours.N, ran)
	case cell.Ours.N < most:
		return Interval(cell.Ours, decimals), "over " + english.Plural(cell.Ours.N, "replication", "")
	}
	return Interval(cell.Ours, decimals), ""
}

// isLopsided reports whether the arms of an interval differ too much to be written as ±. Of one
// that ends at 0, the bound of counts and shares, they may not differ: ± would go beyond.
func isLopsided(e statistics.Estimate) bool {
	half, skew := halfWidth(e), math.Abs((e.High-e.Value)-(e.Value-e.Low))
	return half > 0 && (skew > 2*skewNegligible*half || e.Low == 0 && skew > rounding*half)
}

// Replications returns the fewest and the most replications with a value in the cells of the table.
func Replications(table analysis.Table) (fewest, most int) {
	for _, row := range table.Rows {
		for _, cell := range row.Cells {
			if cell == nil || cell.Ours.N == 0 {
				continue
			}
			if most == 0 {
				fewest = cell.Ours.N
			}
			fewest, most = min(fewest, cell.Ours.N), max(most, cell.Ours.N)
		}
	}
	return fewest, most
}

// Legend returns a text to follow the word "Ours": the statistics of a table's numbers unless all
// are means, the number of replications, and how Interval writes the intervals.
func Legend(table analysis.Table) string {
	symmetric, lopsided := false, false
	for _, row := range table.Rows {
		for _, cell := range row.Cells {
			if cell == nil || math.IsNaN(cell.Ours.Value) || !cell.Ours.HasInterval() {
				continue
			}
			lopsided = lopsided || isLopsided(cell.Ours)
			symmetric = symmetric || !isLopsided(cell.Ours)
		}
	}
	fewest, most := Replications(table)
	over := fmt.Sprintf("over %d replications, ", most)
	switch {
	case fewest < most:
		over = fmt.Sprintf("over %d to %d replications, ", fewest, most)
	case most == 1:
		over = "over 1 replication, "
	}
	over = inBrackets(table.Statistics) + over
	written := ""
	switch {
	case symmetric && lopsided:
		written = "± half-width or, where lopsided, [low, high]"
	case lopsided:
		written = "[low, high]"
	case symmetric:
		written = "± half-width"
	default:
		return over + "without interval"
	}
	return over + "with its 95 % interval, written " + written + withoutInterval(table.Statistics)
}

// withoutInterval names the statistics that have no interval; nothing if all have one.
func withoutInterval(stats []statistics.Statistic) string {
	var names []string
	for _, s := range stats {
		if !s.HasInterval() {
			names = append(names, string(s))
		}
	}
	if names == nil {
		return ""
	}
	return "; " + strings.Join(names, ", ") + " without interval"
}

// inBrackets returns the names of statistics in brackets; empty if all are means.
func inBrackets(stats []statistics.Statistic) string {
	if !slices.ContainsFunc(stats, func(s statistics.Statistic) bool { return s != statistics.Mean }) {
		return ""
	}
	names := make([]string, len(stats))
	for i, s := range stats {
		names[i] = string(s)
		if s.Explanation() != "" {
			names[i] += ": " + s.Explanation()
		}
	}
	return "(" + strings.Join(names, "; ") + ") "
}

// halfWidth is half of the interval's width; 0 if that may be rounding, NaN if there is no
// interval.
func halfWidth(e statistics.Estimate) float64 {
	half := (e.High - e.Low) / 2
	if half <= rounding*math.Abs(e.Value) {
		return 0
	}
	return half
}

// Estimate returns a single estimate with its interval and the digits of Decimals. Without an
// interval trailing zeros are left out.
func Estimate(e statistics.Estimate) string {
	decimals := Decimals(e)
	if half := halfWidth(e); half == 0 || math.IsNaN(half) {
		for decimals > 0 && strings.HasSuffix(Number(e.Value, decimals), "0") {
			decimals--
		}
	}
	return Interval(e, decimals)
}

// Title returns the title of an axis, or its name if it has no title, with the unit.
func Title(axis analysis.Axis) string {
	title := cmp.Or(axis.Title, axis.Name)
	if axis.Unit != "" {
		title += " (" + axis.Unit + ")"
	}
	return title
}

// Explain returns the name and title of a column, or the title alone if it begins with the name.
func Explain(axis analysis.Axis) string {
	title := Title(axis)
	if strings.HasPrefix(title, axis.Name+": ") {
		return title
	}
	return axis.Name + ": " + title
}

// ShortTitle returns the title for an axis of a figure: the label of the study file, or the title
// without definition and equation, with the comparison and the unit. For "B: blocking ratio: 100 ×
// rejected / all (Equation 3.3); …" with the symbol B it is "B: blocking ratio".
func ShortTitle(axis analysis.Axis) string {
	if axis.Shown.Name != "" {
		axis.Unit = axis.Shown.Name
	}
	if axis.Label != "" {
		axis.Title = axis.Label
		return Title(axis)
	}
	title, _, _ := strings.Cut(axis.Title, "; ")
	symbol := ""
	if axis.Symbol != "" {
		symbol = axis.Symbol + ": "
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(title, symbol), ": ")
	title = symbol + name
	if before, inside, found := strings.Cut(title, " ("); found && strings.HasPrefix(inside, "Equation") {
		title = before
	}
	title = cmp.Or(title, axis.Name)
	if axis.Change != "" && title != "" {
		title += ": "
	}
	axis.Title = title + axis.Change
	return Title(axis)
}

// FileName returns the name as a file name without extension: letters of ASCII, digits and .+-_
// stay, other characters become hyphens. A leading hyphen becomes an underscore, since a file name
// with one looks like a flag; an empty name and one of dots alone get an underscore in front.
func FileName(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._+-", r):
			return r
		default:
			return '-'
		}
	}, name)
	switch {
	case strings.Trim(safe, ".") == "":
		return "_" + safe
	case safe[0] == '-':
		return "_" + safe[1:]
	default:
		return safe
	}
}
