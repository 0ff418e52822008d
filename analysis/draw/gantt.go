// Gantt charts of schedules: one rectangle for each job, its colour by the wait.

package draw

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// waits are the classes of waiting time that colour the jobs of a Gantt chart, from light to dark
// also without colour.
var waits = []struct {
	label string
	most  int64 // s
	paint color.RGBA
}{
	{"started at once", 0, color.RGBA{0xb9, 0xdd, 0xf2, 0xff}},
	{"waited up to 1 h", 3600, color.RGBA{0x6f, 0xb3, 0xdd, 0xff}},
	{"up to 1 day", 86400, color.RGBA{0xc0, 0x4a, 0x00, 0xff}},
	{"longer", math.MaxInt64, color.RGBA{0x5a, 0x14, 0x28, 0xff}},
}

// waitClass returns the index of the class of a wait, in s.
func waitClass(wait int64) int {
	class := 0
	for wait > waits[class].most {
		class++
	}
	return class
}

func waitLegend(width vg.Length) legend {
	l := legend{style: textStyle(legendSize, draw.XLeft, draw.YCenter)}
	for _, wait := range waits {
		l.entries = append(l.entries, entry{wait.label, func(c draw.Canvas, at vg.Point) {
			drawBoxes(c, wait.paint, around(at, 16, 7))
		}})
	}
	l.layOut(width)
	return l
}

// fewJobs is the largest number of jobs that are drawn as boxes. More would be thinner than a line:
// the chart is then an image in which every dot has the mean colour of the jobs that it covers,
// fainter where processors are idle.
const fewJobs = 400

// ganttChart draws each job over its time and processors, in the colour of its wait.
type ganttChart struct {
	timeline Timeline
	first    int64 // s, of the time axis
}

func (g ganttChart) plot(c draw.Canvas, p *axes) {
	if g.timeline.Schedule.Len() > fewJobs {
		paintBlocks(c, p, [][]block{g.blocks(color.RGBA{})})
		return
	}
	drawBlocks(c, p, g.blocks(color.RGBA{0xff, 0xff, 0xff, 0xff}))
}

// blocks returns a block for each job and interval of its processors, with edges of a colour.
func (g ganttChart) blocks(edge color.RGBA) []block {
	var blocks []block
	s := g.timeline.Schedule
	for i := range s.Start {
		for _, interval := range g.timeline.Processors.Of(i) {
			blocks = append(blocks, block{
				left: float64(s.Start[i] - g.first), right: float64(s.End[i] - g.first),
				low: float64(interval.First), high: float64(interval.Last + 1),
				paint: blockPaint{waits[waitClass(s.Start[i]-s.Submit[i])].paint, edge}, label: strconv.FormatInt(s.ID[i], 10),
			})
		}
	}
	return blocks
}
