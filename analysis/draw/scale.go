package draw

// Scales of axes: limits, ticks, logarithms and names.

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gonum.org/v1/plot"

	"gridsweep/analysis"
	"gridsweep/analysis/tabulate"
)

// scale is an axis: its range, its ticks and what its title says.
type scale struct {
	low, high float64
	log       bool
	whole     bool     // of several whole numbers: nothing lies between two of them
	names     []string // of a category axis, whose name i is at the number i; nil for numbers
	unit      timeUnit
	title     string
}

// timeUnit shows numbers in the unit that the study says, or durations, which are in seconds, in
// the unit that the width of the axis calls for.
type timeUnit struct {
	name    string
	seconds float64   // of the numbers' own unit, where the study says another one
	steps   []float64 // good distances between ticks, in the unit; nil for 1, 2 and 5 times powers of ten
}

var timeUnits = []timeUnit{
	{"d", 86400, nil},
	{"h", 3600, []float64{0.25, 0.5, 1, 2, 3, 6, 12, 24, 48, 96}},
	{"min", 60, []float64{0.25, 0.5, 1, 2, 5, 10, 15, 20, 30, 40, 60, 120}},
}

func timeUnitFor(axis analysis.Axis, width float64) timeUnit {
	if shown := axis.Shown; shown.Name != "" {
		isIt := func(unit timeUnit) bool { return unit.name == shown.Name }
		unit := timeUnit{name: shown.Name, seconds: shown.Size}
		if i := slices.IndexFunc(timeUnits, isIt); i >= 0 {
			unit.steps = timeUnits[i].steps
		}
		return unit
	}
	if axis.Unit == "s" {
		for _, unit := range timeUnits {
			if width >= 3*unit.seconds {
				return unit
			}
		}
	}
	return timeUnit{name: axis.Unit, seconds: 1}
}

// categoryScale has a position for each name.
func categoryScale(axis analysis.Axis, names []string) scale {
	unit := axis.Unit
	if slices.ContainsFunc(names, isNoNumber) {
		unit = "" // the names of durations have their own, such as 15min, and others none
	}
	return scale{low: -0.5, high: float64(len(names)) - 0.5, names: names, title: titleOf(axis, unit)}
}

func isNoNumber(name string) bool {
	_, err := strconv.ParseFloat(name, 64)
	return err != nil && strings.ContainsFunc(name, unicode.IsLetter) // tickLabel's signs and gaps are no letters
}

// How much of an axis may lie empty between 0 and the values for it to start at 0.
const (
	littleRoom = 0.1 // positions along x mean little by their distance to 0
	someRoom   = 0.4 // the size of a value is seen against 0
	anyRoom    = 2.0 // more than there is: bars and colours are read from 0
)

// fromPower lets a logarithmic axis begin at a power of ten, clearly below the least value: so bars
// have a length to be read, though not one to be compared.
func (s scale) fromPower(values []float64) scale {
	least := math.Inf(1)
	for _, v := range values {
		if s.drawable(v) {
			least = min(least, v)
		}
	}
	if finite(least) {
		s.low = math.Pow(10, math.Floor(math.Log10(least/1.2)))
	}
	return s
}

// numberScale covers the values with a margin, or exactly the limits where there are any. It starts
// at 0 where that leaves less than this share of the axis empty.
func numberScale(axis analysis.Axis, values []float64, log bool, limits *[2]float64, empty float64) scale {
	low, high := math.Inf(1), math.Inf(-1)
	whole := true
	for _, v := range values {
		if finite(v) && (!log || v > 0) {
			low, high = min(low, v), max(high, v)
			whole = whole && v == math.Trunc(v)
		}
	}
	s := scale{low: low, high: high, log: log, whole: whole && high-low >= 2}
	switch {
	case limits != nil && limits[0] < limits[1] && (!log || limits[0] > 0):
		s.low, s.high = limits[0], limits[1]
	case low > high && log:
		s.low, s.high = 0.1, 10
	case low > high:
		s.low, s.high = 0, 1
	case log:
		margin := max(math.Pow(high/low, 0.05), 1.1)
		s.low, s.high = low/margin, high*margin
	default:
		s.low, s.high = linearLimits(low, high, empty)
	}
	s.unit = timeUnitFor(axis, s.high-s.low)
	s.title = titleOf(axis, s.unit.name)
	return s
}

func linearLimits(low, high, empty float64) (float64, float64) {
	switch {
	case low > 0 && low < empty*high:
		low = 0
	case high < 0 && high > empty*low:
		high = 0
	}
	if low == 0 && high == 0 {
		return 0, 1
	}
	margin := 0.05 * (high - low)
	if high-low <= 1e-9*max(math.Abs(low), math.Abs(high)) {
		margin = 0.1 * math.Abs(high)
	}
	return below(low, margin), -below(-high, margin)
}

// below moves the end of an axis out by the margin, but not across 0 and not away from it.
func below(end, margin float64) float64 {
	if end == 0 {
		return 0
	}
	if end > 0 {
		return max(end-margin, 0)
	}
	return end - margin
}

func titleOf(axis analysis.Axis, unit string) string {
	axis.Unit = unit
	return clean(tabulate.ShortTitle(axis))
}

// ticks returns about so many labelled ticks; a category axis has one for each name.
func (s scale) ticks(about int) []plot.Tick {
	if s.names != nil {
		ticks := make([]plot.Tick, len(s.names))
		for i, name := range s.names {
			ticks[i] = plot.Tick{Value: float64(i), Label: name}
		}
		return ticks
	}
	if s.log {
		if ticks := s.logTicks(about); ticks != nil {
			return ticks
		}
	}
	return s.linearTicks(about)
}

func (s scale) linearTicks(about int) []plot.Tick {
	unit := s.unit.seconds
	step := niceStep((s.high-s.low)/unit/float64(max(about, 2)), s.unit.steps)
	if s.whole && unit == 1 {
		step = max(step, 1)
	}
	decimals := decimalsOf(step)
	var ticks []plot.Tick
	const slack = 1e-9
	for i := math.Ceil(s.low/unit/step - slack); i*step <= s.high/unit+slack*step; i++ {
		if !s.drawable(i * step) {
			continue
		}
		ticks = append(ticks, plot.Tick{Value: s.at(i * step * unit), Label: tickLabel(i*step, decimals)})
	}
	return ticks
}

// logTicks labels the powers of ten, and 2 and 5 times them on a short axis; nil where these are
// fewer than two. The first and the last tick say where the axis begins and ends: they are labelled
// too where there is room, which is as much as each of about so many labels has.
func (s scale) logTicks(about int) []plot.Tick {
	unit := s.unit.seconds
	low, high := s.low/unit, s.high/unit
	decades := math.Log10(high / low)
	every := math.Ceil(decades / 8)
	var ticks []plot.Tick
	var labels []string // of all ticks
	labelled := 0
	for exponent := math.Floor(math.Log10(low)); exponent <= math.Log10(high); exponent++ {
		for digit := 1.0; digit < 10; digit++ {
			value := digit * math.Pow(10, exponent)
			if value < low*(1-1e-9) || value > high*(1+1e-9) {
				continue
			}
			tick, label := plot.Tick{Value: s.at(value * unit)}, tickLabel(value, max(0, -int(exponent)))
			if digit == 1 && math.Mod(exponent, every) == 0 || decades < 2 && (digit == 2 || digit == 5) {
				tick.Label = label
				labelled++
			}
			ticks, labels = append(ticks, tick), append(labels, label)
		}
	}
	if labelled < 2 {
		return nil
	}
	room := decades / float64(about)
	for _, end := range []int{0, len(ticks) - 1} {
		near := func(t plot.Tick) bool { return !t.IsMinor() && math.Abs(t.Value-ticks[end].Value) < room }
		if !slices.ContainsFunc(ticks, near) {
			ticks[end].Label = labels[end]
		}
	}
	return ticks
}

// niceStep returns the smallest good distance between ticks that is at least the given one.
func niceStep(least float64, steps []float64) float64 {
	for _, step := range steps {
		if step >= least && least >= steps[0]/2 {
			return step
		}
	}
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, digit := range []float64{1, 2, 5} {
		if digit*power >= least*(1-1e-9) {
			return digit * power
		}
	}
	return 10 * power
}

// decimalsOf returns how many digits after the point a multiple of the step needs.
func decimalsOf(step float64) int {
	for decimals := range 10 {
		scaled := step * math.Pow10(decimals)
		if math.Abs(scaled-math.Round(scaled)) < 1e-6*scaled {
			return decimals
		}
	}
	return 10
}

func tickLabel(value float64, decimals int) string {
	size := math.Abs(value)
	digits := strconv.FormatFloat(size, 'f', decimals, 64)
	if size >= 10_000 {
		digits = groupThousands(digits)
	}
	if value < 0 && strings.Trim(digits, "0.") != "" {
		return "−" + digits
	}
	return digits
}

func groupThousands(digits string) string {
	whole, rest, _ := strings.Cut(digits, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "\u00a0" + whole[i:]
	}
	if rest != "" {
		rest = "." + rest
	}
	return whole + rest
}

// at returns how far along the axis a number is; on a logarithmic axis it is above 0.
func (s scale) at(v float64) float64 {
	if s.log {
		return math.Log10(v)
	}
	return v
}

// share returns where on the axis a number is, from 0 at its beginning to 1 at its end.
func (s scale) share(v float64) float64 {
	return (s.at(v) - s.at(s.low)) / (s.at(s.high) - s.at(s.low))
}

// drawable reports whether the number has a position on the axis, within its range or not.
func (s scale) drawable(v float64) bool { return finite(v) && (!s.log || v > 0) }

// contains reports whether the value can be drawn on the axis.
func (s scale) contains(v float64) bool { return finite(v) && s.side(v) == 0 }

// side is -1 for a number below the axis, 1 for one above it and 0 for one on it.
func (s scale) side(v float64) int { return analysis.SideOf([2]float64{s.low, s.high}, v) }

// clamp returns the position on the axis that is nearest to a number.
func (s scale) clamp(v float64) float64 {
	if s.side(v) == 0 {
		return v
	}
	return min(max(v, s.low), s.high)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
