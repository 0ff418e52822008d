// Scales of axes: limits, ticks, logarithms and names.

package draw

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gridsweep/analysis"
	"gridsweep/analysis/tabulate"
)

// scale is the range of an axis, its ticks, unit and title.
type scale struct {
	low, high float64
	log       bool
	zero      bool // whether all values are 0: only 0 has a tick, since the other end means nothing
	whole     bool // whether ticks are whole numbers, as all values are
	// names are those of a category axis, each at its index; nil for numbers. A view of some of the
	// names narrows low and high.
	names  []string
	levels []float64 // x values at which ticks stand, see atLevels; nil if at round numbers
	unit   axisUnit
	title  string
}

// axisUnit is the unit of the numbers at an axis: the one that the study sets or, for durations,
// one that suits the range of the axis.
type axisUnit struct {
	name string
	size float64 // its size in the unit of the values, such as seconds
	// steps are good distances between ticks, in the unit; nil for 1, 2 and 5 times powers of ten.
	steps []float64
}

// timeUnits are for ranges of at least three of them.
var timeUnits = []axisUnit{
	{"d", 86400, nil},
	{"h", 3600, []float64{0.25, 0.5, 1, 2, 3, 6, 12, 24, 48, 96}},
	{"min", 60, []float64{0.25, 0.5, 1, 2, 5, 10, 15, 20, 30, 40, 60, 120}},
}

// shortUnits are for ranges of less than a thousand of them.
var shortUnits = []axisUnit{{"µs", 1e-6, nil}, {"ms", 1e-3, nil}}

// unitFor returns the unit for an axis whose range is of this length, in the unit of its values.
func unitFor(axis analysis.Axis, length float64) axisUnit {
	if shown := axis.Shown; shown.Name != "" {
		isShown := func(unit axisUnit) bool { return unit.name == shown.Name }
		unit := axisUnit{name: shown.Name, size: shown.Size}
		if i := slices.IndexFunc(timeUnits, isShown); i >= 0 {
			unit.steps = timeUnits[i].steps
		}
		return unit
	}
	if axis.Unit == "s" {
		for _, unit := range timeUnits {
			if length >= 3*unit.size {
				return unit
			}
		}
		for _, unit := range shortUnits {
			if length < 1000*unit.size {
				return unit
			}
		}
	}
	return axisUnit{name: axis.Unit, size: 1}
}

// categoryScale has a position for each name.
func categoryScale(axis analysis.Axis, names []string) scale {
	unit := axis.Unit
	if slices.ContainsFunc(names, isText) {
		unit = "" // names such as 15min include their unit, other names have none
	}
	return scale{low: -0.5, high: float64(len(names)) - 0.5, names: names, title: titleOf(axis, unit)}
}

// isText reports whether a name has letters, unlike numbers of tickLabel, and is no number such as
// 1e5.
func isText(name string) bool {
	_, err := strconv.ParseFloat(name, 64)
	return err != nil && strings.ContainsFunc(name, unicode.IsLetter)
}

// An axis starts at 0 if that leaves less than this share of it empty between 0 and the values.
const (
	littleEmpty = 0.1 // for x values, whose distance to 0 means little
	someEmpty   = 0.4 // for y values, whose size is compared with 0
	fromZero    = 2.0 // always: bars and colours are read from 0
)

// fromPower starts a logarithmic axis at a power of ten at least a sixth below the least value, so
// that every bar has a length. The lengths of bars on such an axis cannot be compared.
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

// numberScale covers exactly the limits or, without limits, the values with a margin. It starts at
// 0 if that leaves less than the share mostEmpty of the axis empty.
func numberScale(axis analysis.Axis, values []float64, log bool, limits *[2]float64, mostEmpty float64) scale {
	s := scale{log: log, whole: true}
	low, high := math.Inf(1), math.Inf(-1) // stay so without values
	for _, v := range values {
		if s.drawable(v) {
			low, high = min(low, v), max(high, v)
			s.whole = s.whole && v == math.Trunc(v)
		}
	}
	s.whole = s.whole && high-low >= 2
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
		if low == high && mostEmpty == someEmpty {
			mostEmpty = fromZero // a y axis around a single value would not show its size
		}
		s.low, s.high = linearLimits(low, high, mostEmpty)
		s.zero = low == 0 && high == 0
	}
	s.unit = unitFor(axis, s.high-s.low)
	s.title = titleOf(axis, s.unit.name)
	return s
}

// linearLimits returns the ends of a linear axis for values from low to high.
func linearLimits(low, high, mostEmpty float64) (float64, float64) {
	switch {
	case low > 0 && low < mostEmpty*high:
		low = 0
	case high < 0 && high > mostEmpty*low:
		high = 0
	}
	if low == 0 && high == 0 {
		return 0, 1
	}
	margin := 0.05 * (high - low)
	if high-low <= 1e-9*max(math.Abs(low), math.Abs(high)) {
		margin = 0.1 * math.Abs(high)
	}
	return lowered(low, margin), -lowered(-high, margin)
}

// lowered moves the lower end of an axis down by the margin, but not across 0; an end at 0 stays.
func lowered(end, margin float64) float64 {
	if end < 0 {
		return end - margin
	}
	return max(end-margin, 0)
}

func titleOf(axis analysis.Axis, unit string) string {
	axis.Unit = unit
	return clean(tabulate.ShortTitle(axis))
}

// atLevels returns the scale with its ticks at the values, if these are few and have at most three
// significant digits each in the unit of the axis.
func (s scale) atLevels(values []float64) scale {
	const few = 16
	if len(values) == 0 || len(values) > few {
		return s
	}
	for _, x := range values {
		short, _ := strconv.ParseFloat(strconv.FormatFloat(x/s.unit.size, 'g', 3, 64), 64)
		if math.Abs(short-x/s.unit.size) > 1e-9*math.Abs(short) {
			return s
		}
	}
	s.levels = values
	return s
}

// levelTicks returns a tick at each level within the axis. It has a label unless that would overlap
// the one before. width returns the width of a label, as a share of the axis.
func (s scale) levelTicks(width func(label string) float64) []tick {
	var ticks []tick
	end := math.Inf(-1) // of the last label, as a share of the axis
	for _, x := range s.levels {
		if !s.contains(x) || !s.drawable(x) {
			continue
		}
		mark, label := tick{value: x}, tickLabel(x/s.unit.size, decimalsOf(math.Abs(x/s.unit.size)))
		if half := width(label) / 2; s.share(x)-half >= end {
			mark.label, end = label, s.share(x)+half
		}
		ticks = append(ticks, mark)
	}
	return ticks
}

// ticks returns about as many labelled ticks as the argument; a category axis has one for each
// name.
func (s scale) ticks(about int) []tick {
	if s.names != nil {
		var ticks []tick
		for i, name := range s.names {
			if s.contains(float64(i)) {
				ticks = append(ticks, tick{value: float64(i), label: name})
			}
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

func (s scale) linearTicks(about int) []tick {
	if s.zero {
		return []tick{{value: 0, label: "0"}}
	}
	unit := s.unit.size
	step := niceStep((s.high-s.low)/unit/float64(max(about, 2)), s.unit.steps)
	if s.whole && unit == 1 {
		step = max(step, 1)
	}
	decimals := decimalsOf(step)
	var ticks []tick
	const slack = 1e-9
	for i := math.Ceil(s.low/unit/step - slack); i*step <= s.high/unit+slack*step; i++ {
		if s.drawable(i * step) { // 0 is not on a logarithmic axis
			ticks = append(ticks, tick{value: i * step * unit, label: tickLabel(i*step, decimals)})
		}
	}
	return ticks
}

// logTicks returns a tick at each digit of each power of ten, such as 7, 8, 9, 10, 20 and 30. It
// labels the powers of ten, of more than eight decades every second, third and so on, and of less
// than two decades 2 and 5 times the powers as well. It returns nil if these labels are fewer than
// two.
//
// The first and the last tick are labelled too, such as 7 and 30 above, unless another label is
// nearer than the length of the axis divided by about.
func (s scale) logTicks(about int) []tick {
	unit := s.unit.size
	low, high := s.low/unit, s.high/unit
	decades := math.Log10(high / low)
	stride := math.Ceil(decades / 8) // from one labelled power of ten to the next, in decades
	var ticks []tick
	var labels []string // of all ticks
	labelled := 0
	for exponent := math.Floor(math.Log10(low)); exponent <= math.Log10(high); exponent++ {
		for digit := 1.0; digit < 10; digit++ {
			value := digit * math.Pow(10, exponent)
			if value < low*(1-1e-9) || value > high*(1+1e-9) {
				continue
			}
			mark, label := tick{value: value * unit}, tickLabel(value, max(0, -int(exponent)))
			if digit == 1 && math.Mod(exponent, stride) == 0 || decades < 2 && (digit == 2 || digit == 5) {
				mark.label = label
				labelled++
			}
			ticks, labels = append(ticks, mark), append(labels, label)
		}
	}
	if labelled < 2 {
		return nil
	}
	nearest := decades / float64(about)
	for _, end := range []int{0, len(ticks) - 1} {
		near := func(t tick) bool { return !t.isMinor() && math.Abs(s.at(t.value)-s.at(ticks[end].value)) < nearest }
		if !slices.ContainsFunc(ticks, near) {
			ticks[end].label = labels[end]
		}
	}
	return ticks
}

// niceStep returns the smallest good distance between ticks that is not below least: one of steps
// or, if least is above all of these or below half of the first, 1, 2 or 5 times a power of ten.
func niceStep(least float64, steps []float64) float64 {
	isEnough := func(step float64) bool { return step >= least }
	if i := slices.IndexFunc(steps, isEnough); i >= 0 && least >= steps[0]/2 {
		return steps[i]
	}
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, digit := range []float64{1, 2, 5} {
		if digit*power >= least*(1-1e-9) {
			return digit * power
		}
	}
	return 10 * power
}

// decimalsOf returns how many decimals a multiple of the step needs.
func decimalsOf(step float64) int {
	for decimals := range 10 {
		scaled := step * math.Pow10(decimals)
		if math.Abs(scaled-math.Round(scaled)) <= 1e-6*scaled {
			return decimals
		}
	}
	return 10
}

// tickLabel returns a number with decimals, a minus as in text and commas between thousands.
func tickLabel(value float64, decimals int) string {
	digits := tabulate.Thousands(strconv.FormatFloat(math.Abs(value), 'f', decimals, 64))
	if value < 0 && strings.Trim(digits, "0.") != "" {
		return "−" + digits
	}
	return digits
}

// at returns the coordinate of a number: itself, or its logarithm on a logarithmic axis, where it
// must be positive.
func (s scale) at(v float64) float64 {
	if s.log {
		return math.Log10(v)
	}
	return v
}

// share returns the position of a number on the axis, from 0 at its beginning to 1 at its end.
func (s scale) share(v float64) float64 {
	return (s.at(v) - s.at(s.low)) / (s.at(s.high) - s.at(s.low))
}

// between returns the scale from one share of it to another one. An end that stays is not rounded.
func (s scale) between(from, to float64) scale {
	low, high := s.at(s.low), s.at(s.high)
	numberAt := func(share float64) float64 {
		if s.log {
			return math.Pow(10, low+share*(high-low))
		}
		return low + share*(high-low)
	}
	if from != 0 {
		s.low = numberAt(from)
	}
	if to != 1 {
		s.high = numberAt(to)
	}
	return s
}

// drawable reports whether the number has a coordinate on the axis, within its range or not.
func (s scale) drawable(v float64) bool { return finite(v) && (!s.log || v > 0) }

// contains reports whether the value lies within the range of the axis.
func (s scale) contains(v float64) bool { return finite(v) && s.side(v) == 0 }

// side is -1 for a number below the axis, 1 for one above it and 0 for one on it, also if rounding
// puts it just beyond.
func (s scale) side(v float64) int { return analysis.SideOf([2]float64{s.low, s.high}, v) }

// clamp returns the number within the range that is nearest to a number; one on the axis stays.
func (s scale) clamp(v float64) float64 {
	if s.side(v) == 0 {
		return v
	}
	return min(max(v, s.low), s.high)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
