// Tooltips of SVG pictures: values that viewers show under the pointer.

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

// hoverSize is the width and height, in points, of the invisible square that has the tooltip of a
// spot.
const hoverSize = 6.0

// addTooltips gives the spots of a series, which are ours or published, tooltips with their values
// if the canvas can show them.
func addTooltips(c draw.Canvas, series string, spots []spot, published bool) {
	canvas := svgCanvasOf(c)
	if canvas == nil {
		return
	}
	const nearest = vg.Length(1.5)               // along x or y; nearer spots have no tooltip
	last := vg.Point{X: vg.Length(math.Inf(-1))} // of the spots with one; at first far away
	for _, spot := range spots {
		apart := spot.at.Sub(last)
		isNear := max(apart.X, -apart.X, apart.Y, -apart.Y) < nearest
		if spot.besideAxes || isNear {
			continue
		}
		last = spot.at
		value := tabulate.Estimate(spot.point.Y)
		if published {
			value = "published " + strconv.FormatFloat(spot.point.Y.Value, 'g', -1, 64)
		}
		where := cmp.Or(spot.point.Label, strconv.FormatFloat(spot.point.X, 'g', 6, 64))
		canvas.addTooltip(spot.at, strings.TrimSpace(series+" at "+where+": "+value))
	}
}

// svgCanvasOf returns the SVG canvas that a canvas is or is a part of, at any depth; nil if none.
func svgCanvasOf(c vg.Canvas) *svg {
	switch c := c.(type) {
	case draw.Canvas:
		return svgCanvasOf(c.Canvas)
	case *svg:
		return c
	}
	return nil
}

// addTooltip shows a text under the pointer near a point. Tooltips lie above all that is drawn.
func (s *svg) addTooltip(at vg.Point, text string) {
	size := ""
	if s.styles == nil { // else the style sheet has it
		size = fmt.Sprintf(` width="%g" height="%[1]g"`, hoverSize)
	}
	s.tooltips.WriteString(s.line(fmt.Sprintf(`<rect x="%.0f" y="%.0f"%s><title>%s</title></rect>`,
		at.X.Points()-hoverSize/2, (s.height-at.Y).Points()-hoverSize/2, size, html.EscapeString(clean(text)))))
}
