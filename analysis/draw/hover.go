package draw

// Values that SVG viewers show under the pointer.

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"gridsweep/analysis/tabulate"
)

// hoverCanvas is an SVG canvas with the texts to show under the pointer at points of the canvas.
type hoverCanvas struct {
	*vgsvg.Canvas
	targets strings.Builder // invisible circles around the points
}

// nameSpots gives the spots of a series their values as texts under the pointer if the canvas can
// show them. Published tells our numbers from the paper's.
func nameSpots(c draw.Canvas, series string, spots []spot, published bool) {
	whole := c.Canvas
	for part, cropped := whole.(draw.Canvas); cropped; part, cropped = whole.(draw.Canvas) {
		whole = part.Canvas
	}
	canvas, ok := whole.(*hoverCanvas)
	if !ok {
		return
	}
	const apart = vg.Length(1.5) // nearer texts could not be told apart
	last := vg.Point{X: vg.Length(math.Inf(-1))}
	for _, spot := range spots {
		if way := spot.at.Sub(last); spot.beside || max(way.X, -way.X, way.Y, -way.Y) < apart {
			continue
		}
		last = spot.at
		value := tabulate.Estimate(spot.value)
		if published {
			value = "published " + strconv.FormatFloat(spot.value.Value, 'g', -1, 64)
		}
		where := cmp.Or(spot.point.Label, strconv.FormatFloat(spot.point.X, 'g', 6, 64))
		text := strings.TrimSpace(series + " at " + where + ": " + value)
		fmt.Fprintf(&canvas.targets, `<circle cx="%.1f" cy="%.1f" r="3"><title>%s</title></circle>`+"\n",
			spot.at.X.Points(), spot.at.Y.Points(), html.EscapeString(clean(text)))
	}
}

// addTargets adds the texts to the document of the canvas, above all that is drawn.
func (c *hoverCanvas) addTargets(document string) string {
	end := strings.LastIndex(document, "</g>")
	if c.targets.Len() == 0 || end < 0 {
		return document
	}
	return document[:end] + "<g fill-opacity=\"0\">\n" + c.targets.String() + "</g>\n" + document[end:]
}

// newHoverCanvas returns a canvas of the size.
func newHoverCanvas(width, height vg.Length) *hoverCanvas {
	return &hoverCanvas{Canvas: vgsvg.New(width, height)}
}
