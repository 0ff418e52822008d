// Values of figures outside the limits of the axes.

package analysis

import (
	"fmt"
	"math"
	"slices"

	"github.com/dustin/go-humanize/english"

	"gridsweep/configs/language"
)

// SideOf returns -1 for a number below the limits, 1 for one above them and 0 for one within them
// or NaN. A number within a billionth of their distance counts as on the limit.
func SideOf(limits [2]float64, v float64) int {
	slack := 1e-9 * (limits[1] - limits[0])
	switch {
	case v < limits[0]-slack:
		return -1
	case v > limits[1]+slack:
		return 1
	default:
		return 0
	}
}

// Outside returns a sentence on how many of a figure's values lie outside the limits of its axes
// and how they are drawn; empty if none does.
func (f Figure) Outside() string {
	if f.Kind == language.Gantt {
		return f.rectanglesOutside()
	}
	values, beside, beyond := 0, 0, 0
	for _, panel := range f.Panels {
		limits := f.LimitsY(panel)
		for _, series := range panel.Series {
			for _, p := range slices.Concat(series.Points, series.Published) {
				if math.IsNaN(p.Y.Value) {
					continue
				}
				values++
				switch {
				case f.RangeX != nil && f.hasNumbersAlongX() && SideOf(*f.RangeX, p.X) != 0:
					beside++
				case limits != nil && !series.Right && SideOf(*limits, p.Y.Value) != 0 && !f.hasNoLogarithm(p.Y.Value):
					beyond++
				}
			}
		}
	}
	text := ""
	if beside > 0 {
		text = fmt.Sprintf("%d of %d values %s left or right of the limits and %s not shown.", beside, values,
			english.PluralWord(beside, "lies", "lie"), english.PluralWord(beside, "is", "are"))
	}
	if beyond == 0 {
		return text
	}
	if text != "" {
		text += " "
	}
	text += fmt.Sprintf("%d of %d values %s outside the limits of the ", beyond, values,
		english.PluralWord(beyond, "lies", "lie"))
	switch f.Kind {
	case language.Heat:
		return text + "colours: an arrow marks them."
	case language.Bar:
		return text + "vertical axis: bars are cut there, with the value where there is room."
	default:
		return text + "vertical axis: their marks stand at the limit, with an arrow and, where there is room, the value."
	}
}

// rectanglesOutside returns a sentence on how many rectangles reach beyond the limits of the axes.
func (f Figure) rectanglesOutside() string {
	all, beyond := 0, 0
	reaches := func(limits *[2]float64, from, length float64) bool {
		return limits != nil && (SideOf(*limits, from) != 0 || SideOf(*limits, from+length) != 0)
	}
	for _, panel := range f.Panels {
		for _, series := range panel.Series {
			all += len(series.Points)
			for _, p := range series.Points {
				if reaches(f.RangeX, p.X, p.Width) || reaches(f.LimitsY(panel), p.Y.Value, p.Height) {
					beyond++
				}
			}
		}
	}
	if beyond == 0 {
		return ""
	}
	return fmt.Sprintf(
		"%d of %d rectangles reach beyond the limits of the axes: what is beyond is not shown.", beyond, all)
}

// hasNumbersAlongX reports whether the positions along x are numbers, to which limits apply, and
// not names.
func (f Figure) hasNumbersAlongX() bool { return len(f.X.Labels) == 0 && f.Kind != language.Bar }

// hasNoLogarithm reports whether the y axis is logarithmic and the value is 0 or less; see
// warnOfLog.
func (f Figure) hasNoLogarithm(value float64) bool {
	return f.LogY && f.Kind != language.Heat && value <= 0
}
