// Values that SVG viewers show under the pointer.

package draw

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis/tabulate"
)

// targetWidth is the width and height of the invisible square around a spot that shows its value.
const targetWidth = 6.0

// nameSpots gives the spots of a series their values as texts under the pointer if the canvas can
// show them. Published tells our numbers from the paper's.
func nameSpots(c draw.Canvas, series string, spots []spot, published bool) {
	canvas := svgCanvasOf(c)
	if canvas == nil {
		return
	}
	const nearest = vg.Length(1.5) // along x or y: nearer texts could not be told apart
	last := vg.Point{X: vg.Length(math.Inf(-1))}
	for _, spot := range spots {
		apart := spot.at.Sub(last)
		isNear := max(apart.X, -apart.X, apart.Y, -apart.Y) < nearest
		if spot.besideAxes || isNear {
			continue
		}
		last = spot.at
		value := tabulate.Estimate(spot.value)
		if published {
			value = "published " + strconv.FormatFloat(spot.value.Value, 'g', -1, 64)
		}
		where := cmp.Or(spot.point.Label, strconv.FormatFloat(spot.point.X, 'g', 6, 64))
		canvas.name(spot.at, strings.TrimSpace(series+" at "+where+": "+value))
	}
}

// svgCanvasOf returns the SVG canvas that a canvas is a part of, or a part of a part; nil if none.
func svgCanvasOf(c vg.Canvas) *svg {
	switch c := c.(type) {
	case draw.Canvas:
		return svgCanvasOf(c.Canvas)
	case *svg:
		return c
	}
	return nil
}

// name shows a text under the pointer near a point. Targets lie above all that is drawn.
func (s *svg) name(at vg.Point, text string) {
	size := ""
	if s.styles == nil { // else the style sheet has it
		size = fmt.Sprintf(` width="%g" height="%[1]g"`, targetWidth)
	}
	s.targets.WriteString(s.line(fmt.Sprintf(`<rect x="%.0f" y="%.0f"%s><title>%s</title></rect>`,
		at.X.Points()-targetWidth/2, (s.height-at.Y).Points()-targetWidth/2, size, html.EscapeString(clean(text)))))
}
