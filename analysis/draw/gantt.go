package draw

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// waits are the classes of waiting times that tell the jobs of a Gantt chart apart, from light to dark.
var waits = []struct {
	label string
	most  int64 // s
	paint color.RGBA
}{
	{"started at once", 0, color.RGBA{0xb9, 0xdd, 0xf2, 0xff}},
	{"waited up to 1 h", 3600, color.RGBA{0x4f, 0x9f, 0xd3, 0xff}},
	{"up to 1 day", 86400, color.RGBA{0xd5, 0x5e, 0x00, 0xff}},
	{"longer", math.MaxInt64, color.RGBA{0x5a, 0x14, 0x28, 0xff}},
}

func waitPaint(wait int64) color.RGBA {
	class := 0
	for wait > waits[class].most {
		class++
	}
	return waits[class].paint
}

func waitLegend(width vg.Length) legend {
	l := legend{style: typeface(legendSize)}
	l.style.YAlign = draw.YCenter
	for _, wait := range waits {
		l.entries = append(l.entries, entry{wait.label, func(c draw.Canvas, at vg.Point) {
			drawBar(c, around(at, 16, 7), wait.paint)
		}})
	}
	l.layOut(width)
	return l
}

// fewJobs is up to how many jobs each is a box of its own. More would be thinner than a line: then the chart is an image
// in which every dot has the mean colour of the jobs that it covers, the fainter the longer it is idle.
const fewJobs = 400

// ganttChart draws which processors the jobs have when; their colour says how long they waited.
type ganttChart struct {
	line        Timeline
	machine     int32
	first, last int64 // s, of the time axis
}

func (g ganttChart) Plot(c draw.Canvas, p *plot.Plot) {
	if g.line.Schedule.Len() > fewJobs {
		c.DrawImage(c.Rectangle, g.image(c.Max.X-c.Min.X, c.Max.Y-c.Min.Y))
		return
	}
	atX, atY := p.Transforms(&c)
	style := typeface(7)
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	s := g.line.Schedule
	for i := range s.Start {
		for _, interval := range g.line.Processors.Of(i) {
			box := vg.Rectangle{
				Min: vg.Point{X: atX(float64(s.Start[i] - g.first)), Y: atY(float64(interval.First))},
				Max: vg.Point{X: atX(float64(s.End[i] - g.first)), Y: atY(float64(interval.Last + 1))},
			}
			paint := waitPaint(s.Start[i] - s.Submit[i])
			fillBox(c, box, paint)
			c.SetLineStyle(draw.LineStyle{Color: color.White, Width: vg.Points(0.4)})
			c.Stroke(box.Path())
			label := strconv.FormatInt(s.ID[i], 10)
			if style.Width(label) > box.Size().X-2 || box.Size().Y < 8 {
				continue
			}
			style.Color = ink
			if int(paint.R)+int(paint.G)+int(paint.B) < 0x180 {
				style.Color = color.White
			}
			c.FillText(style, box.Min.Add(box.Size().Scale(0.5)), label)
		}
	}
}

// image returns the chart as an image for a place of that size: three dots a point of paper across, and as
// many down, or a whole number of dots for each processor.
func (g ganttChart) image(wide, high vg.Length) image.Image {
	const dots = 3
	columns, rows := int(wide.Points()*dots), int(high.Points()*dots)
	rows = min(rows, int(g.machine)*max(1, rows/int(g.machine)))
	mix := newMixture(columns, rows)
	atX := float64(columns) / float64(g.last-g.first)
	atY := float64(rows) / float64(g.machine)
	s := g.line.Schedule
	for i := range s.Start {
		paint := waitPaint(s.Start[i] - s.Submit[i])
		from, to := float64(s.Start[i]-g.first)*atX, float64(s.End[i]-g.first)*atX
		for _, interval := range g.line.Processors.Of(i) {
			low, high := float64(interval.First)*atY, float64(interval.Last+1)*atY
			mix.add(from, to, low, high, paint)
		}
	}
	return mix.image()
}

// mixture is dots with the sum of what was painted on them, by how much of the dot it covers.
type mixture struct {
	columns, rows int
	sums          [][4]float32 // red, green, blue, share of the dot
}

func newMixture(columns, rows int) *mixture {
	return &mixture{columns, rows, make([][4]float32, columns*rows)}
}

// add paints a box in units of dots, from the left and from below.
func (m *mixture) add(left, right, low, high float64, paint color.RGBA) {
	for y := int(low); y < m.rows && float64(y) < high; y++ {
		tall := min(high, float64(y+1)) - max(low, float64(y))
		row := m.sums[(m.rows-1-y)*m.columns:][:m.columns]
		for x := int(left); x < m.columns && float64(x) < right; x++ {
			share := float32(tall * (min(right, float64(x+1)) - max(left, float64(x))))
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
		level := func(sum float32) uint8 { return uint8(min(sum+0.5, 0xff)) }
		picture.SetRGBA(i%m.columns, i/m.columns, color.RGBA{level(dot[0]), level(dot[1]), level(dot[2]), level(0xff * dot[3])})
	}
	return picture
}
