// Heat maps and their colour bars.

package draw

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
)

// ramp is the colours of a heat map, from light to dark in even steps of lightness, so that it can
// be read in grey.
var ramp = []color.RGBA{
	{0xff, 0xff, 0xe5, 0xff}, {0xe5, 0xf4, 0xc6, 0xff}, {0xb2, 0xde, 0xb8, 0xff}, {0x73, 0xc3, 0xb8, 0xff},
	{0x3d, 0xa0, 0xb9, 0xff}, {0x2a, 0x74, 0xa9, 0xff}, {0x28, 0x49, 0x8c, 0xff}, {0x12, 0x22, 0x5a, 0xff},
}

// heatColour returns the colour on the ramp for a share from 0 to 1; shares beyond are clamped.
func heatColour(share float64) color.RGBA {
	position := min(max(share, 0), 1) * float64(len(ramp)-1)
	i := min(int(position), len(ramp)-2)
	fraction := position - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-fraction) + float64(b)*fraction)) }
	a, b := ramp[i], ramp[i+1]
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// noValue is written into a cell without a number.
const noValue = "n/a"

// heatMap draws a row of coloured cells for each series, the first at the top, with the number in
// each cell where there is room for it.
type heatMap struct {
	series   []analysis.Series
	position func(analysis.Point) float64
}

func (h heatMap) plot(c draw.Canvas, p *axes) {
	atX, atY := p.transforms(&c)
	fillBox(c, c.Rectangle, emptyCell)
	wide, high := atX(1)-atX(0), atY(1)-atY(0)
	style := textStyle(7, draw.XCenter, draw.YCenter)
	decimals := h.decimals(p.value)
	write := func(at vg.Point, label string, paint color.Color) {
		style.Color = paint
		if style.Width(label) <= wide-2 && high >= 9 {
			c.FillText(style, at, label)
		}
	}
	for row, series := range h.series {
		y := float64(len(h.series) - 1 - row)
		for x := range p.x.names {
			if !h.hasValue(series, float64(x)) {
				write(vg.Point{X: atX(float64(x)), Y: atY(y)}, noValue, grey)
			}
		}
		for _, point := range series.Points {
			x, value := h.position(point), point.Y.Value
			if !p.x.contains(x) || !finite(value) {
				continue
			}
			share := p.value.share(value)
			at := vg.Point{X: atX(x), Y: atY(y)}
			fillBox(c, around(at, wide, high), heatColour(share))
			var paint color.Color = ink
			if share > 0.5 { // on the dark half of the ramp
				paint = color.White
			}
			// beyond the limits: an arrow
			if side := vg.Length(p.value.side(value)); side != 0 {
				chevron(c, vg.Point{X: at.X, Y: at.Y + side*(high/2-1)}, side, paint)
			}
			write(at, tickLabel(value, decimals), paint)
		}
	}
}

// hasValue reports whether a series has a number at a position along x.
func (h heatMap) hasValue(series analysis.Series, x float64) bool {
	isValue := func(p analysis.Point) bool { return h.position(p) == x && finite(p.Y.Value) }
	return slices.ContainsFunc(series.Points, isValue)
}

// decimals returns the number of decimals in the cells: three significant digits of the largest
// value on the scale, or none if all values are whole.
func (h heatMap) decimals(scale scale) int {
	largest := max(math.Abs(scale.low), math.Abs(scale.high))
	whole := true
	for _, series := range h.series {
		for _, point := range series.Points {
			whole = whole && (!finite(point.Y.Value) || point.Y.Value == math.Trunc(point.Y.Value))
		}
	}
	if whole || largest == 0 {
		return 0
	}
	return min(max(2-int(math.Floor(math.Log10(largest))), 0), 5)
}

// drawColourBar draws the scale of the colours beside the cells.
func drawColourBar(cells draw.Canvas, value scale) {
	left, width := cells.Max.X+8, vg.Length(10)
	const steps = 64
	height := (cells.Max.Y - cells.Min.Y) / steps
	for i := range steps {
		y := cells.Min.Y + height*vg.Length(i)
		top := min(y+height+0.3, cells.Max.Y) // overlapping a little: no seams between the steps
		step := vg.Rectangle{Min: vg.Point{X: left, Y: y}, Max: vg.Point{X: left + width, Y: top}}
		fillBox(cells, step, heatColour((float64(i)+0.5)/steps))
	}
	value.labelRight(cells, left+width, value.ticks(5), ink)
}
