// Many small rectangles drawn as one image, in which each dot has the mean colour of its area.

package draw

import (
	"image"
	"image/color"
	imagedraw "image/draw"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// block is a rectangle of a Gantt chart in the units of the axes.
type block struct {
	left, right, low, high float64
	paint                  blockPaint
	label                  string // written into it where there is room
}

// blockPaint is the colours of a block. The edge lies inside the block, so that it separates
// neighbours. A transparent edge is not drawn.
type blockPaint struct{ fill, edge color.RGBA }

const (
	edgeWidth = vg.Length(0.3) // of a block's edge
	// width or height up to which a block has no edge: little of its fill would remain
	noEdge = vg.Length(0.8)
)

// edges returns the width of the edge at the left and right of a box (beside) and at its top and
// bottom (above).
func (p blockPaint) edges(box vg.Rectangle) (beside, above vg.Length) {
	if p.edge.A == 0 {
		return 0, 0
	}
	within := func(length vg.Length) vg.Length { return min(max((length-noEdge)/4, 0), edgeWidth) }
	return within(box.Size().X), within(box.Size().Y)
}

// draw draws a box with its edge.
func (p blockPaint) draw(c draw.Canvas, box vg.Rectangle) {
	if beside, above := p.edges(box); beside > 0 || above > 0 {
		fillBox(c, box, p.edge)
		box.Min, box.Max = box.Min.Add(vg.Point{X: beside, Y: above}), box.Max.Sub(vg.Point{X: beside, Y: above})
	}
	fillBox(c, box, p.fill)
}

// boxIn returns the block on the canvas, clipped to the axes; false if nothing of it remains.
func (b block) boxIn(c draw.Canvas, p *axes) (vg.Rectangle, bool) {
	left, right := max(b.left, p.x.low), min(b.right, p.x.high)
	low, high := max(b.low, p.y.low), min(b.high, p.y.high)
	atX, atY := p.transforms(&c)
	return vg.Rectangle{Min: vg.Point{X: atX(left), Y: atY(low)}, Max: vg.Point{X: atX(right), Y: atY(high)}},
		left < right && low < high
}

// drawBlocks draws blocks one by one, later ones on top.
func drawBlocks(c draw.Canvas, p *axes, blocks []block) {
	style := textStyle(7, draw.XCenter, draw.YCenter)
	for _, b := range blocks {
		box, ok := b.boxIn(c, p)
		if !ok {
			continue
		}
		b.paint.draw(c, box)
		if b.label == "" || style.Width(b.label) > box.Size().X-2 || box.Size().Y < 8 {
			continue
		}
		style.Color = ink
		const halfOfWhite = 3 * 0x80
		if paint := b.paint.fill; int(paint.R)+int(paint.G)+int(paint.B) < halfOfWhite {
			style.Color = color.White
		}
		c.FillText(style, middle(box), b.label)
	}
}

// dotsPerPoint is the resolution of the image of many blocks: 216 dots per inch.
const dotsPerPoint = 3

// paintBlocks draws layers of blocks, later ones on top, as an image in which every dot has the
// mean colour of the blocks that it covers. If it has room for a row of dots for each unit of the
// vertical axis, such as a processor, all units have equally many, so that their edges stay sharp.
func paintBlocks(c draw.Canvas, p *axes, layers [][]block) {
	size := c.Size()
	columns, rows := int(size.X.Points()*dotsPerPoint), int(size.Y.Points()*dotsPerPoint)
	if units := int(p.y.high - p.y.low); units > 0 {
		rows = min(rows, units*max(1, rows/units))
	}
	whole := image.NewRGBA(image.Rect(0, 0, columns, rows))
	dotWide, dotHigh := size.X/vg.Length(columns), size.Y/vg.Length(rows)
	mix := newMixture(columns, rows)
	for _, blocks := range layers {
		clear(mix.sums)
		for _, b := range blocks {
			box, ok := b.boxIn(c, p)
			if !ok {
				continue
			}
			beside, above := b.paint.edges(box)
			box.Min, box.Max = box.Min.Sub(c.Min), box.Max.Sub(c.Min)
			covered := dots{
				left: float64(box.Min.X / dotWide), right: float64(box.Max.X / dotWide),
				low: float64(box.Min.Y / dotHigh), high: float64(box.Max.Y / dotHigh),
			}
			mix.addEdged(covered, float64(beside/dotWide), float64(above/dotHigh), b.paint)
		}
		imagedraw.Draw(whole, whole.Bounds(), mix.image(), image.Point{}, imagedraw.Over)
	}
	c.DrawImage(c.Rectangle, whole)
}

// dots is a box in units of dots, from the left and from below.
type dots struct{ left, right, low, high float64 }

// mixture is an image under construction: for each dot the sum of the colours painted on it, each
// weighted by the share of the dot that it covers.
type mixture struct {
	columns, rows int
	sums          [][4]float32 // red, green, blue, share of the dot
}

func newMixture(columns, rows int) *mixture {
	return &mixture{columns, rows, make([][4]float32, columns*rows)}
}

// addEdged adds a box with edges inside it: beside is their width at left and right, above their
// height at top and bottom.
func (m *mixture) addEdged(box dots, beside, above float64, paint blockPaint) {
	inner := dots{box.left + beside, box.right - beside, box.low + above, box.high - above}
	m.add(inner, paint.fill)
	m.add(dots{box.left, inner.left, box.low, box.high}, paint.edge)
	m.add(dots{inner.right, box.right, box.low, box.high}, paint.edge)
	m.add(dots{inner.left, inner.right, box.low, inner.low}, paint.edge)
	m.add(dots{inner.left, inner.right, inner.high, box.high}, paint.edge)
}

// add adds a box of one colour.
func (m *mixture) add(box dots, paint color.RGBA) {
	for y := int(box.low); y < m.rows && float64(y) < box.high; y++ {
		tall := min(box.high, float64(y+1)) - max(box.low, float64(y))
		row := m.sums[(m.rows-1-y)*m.columns:][:m.columns]
		for x := int(box.left); x < m.columns && float64(x) < box.right; x++ {
			share := float32(tall * (min(box.right, float64(x+1)) - max(box.left, float64(x))))
			dot := &row[x]
			dot[0] += share * float32(paint.R)
			dot[1] += share * float32(paint.G)
			dot[2] += share * float32(paint.B)
			dot[3] += share
		}
	}
}

func (m *mixture) image() image.Image {
	picture := image.NewRGBA(image.Rect(0, 0, m.columns, m.rows))
	for i, dot := range m.sums {
		weight := max(dot[3], 1) // overlapping boxes cover more than the dot: their mean
		level := func(sum float32) uint8 { return uint8(min(sum/weight+0.5, 0xff)) }
		mean := color.RGBA{level(dot[0]), level(dot[1]), level(dot[2]), level(0xff * dot[3])}
		picture.SetRGBA(i%m.columns, i/m.columns, mean)
	}
	return picture
}
