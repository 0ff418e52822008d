// Loads over time of a schedule: busy processors and waiting jobs.

package draw

import (
	"image/color"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/model/metrics"
)

// loadBins is the largest number of bins of a timeline's loads.
const loadBins = 500

// loads are the busy processors, waiting jobs and processors that they wait for, as means over
// bins.
type loads struct{ busy, waitingJobs, waitingProcs []float64 }

// bins divide the time of a timeline.
type bins struct {
	first  int64   // s
	length float64 // s
	count  int
}

// binsOf returns at most so many bins of equal length from the first second to the last, which is
// later. None is shorter than a second.
func binsOf(first, last int64, most int) bins {
	count := min(int64(most), last-first)
	return bins{first, float64(last-first) / float64(count), int(count)}
}

func loadsOf(s metrics.Schedule, b bins) loads {
	busy, jobs, procs := newMeans(b.count, b.length), newMeans(b.count, b.length), newMeans(b.count, b.length)
	for i := range s.Submit {
		submit, start, end := float64(s.Submit[i]-b.first), float64(s.Start[i]-b.first), float64(s.End[i]-b.first)
		p := float64(s.Procs[i])
		busy.add(start, end, p)
		jobs.add(submit, start, 1)
		procs.add(submit, start, p)
	}
	return loads{busy.values(), jobs.values(), procs.values()}
}

// shortDuration returns a length of time with two digits, such as 4.4 h.
func shortDuration(seconds float64) string {
	for _, unit := range timeUnits {
		if seconds >= unit.size {
			return strconv.FormatFloat(seconds/unit.size, 'g', 2, 64) + " " + unit.name
		}
	}
	return strconv.FormatFloat(seconds, 'g', 2, 64) + " s"
}

// means sums step functions of time and takes the mean over each bin. Adding a step takes constant
// time: the bins that it fills whole are recorded as a change at the first and after the last. What
// a step adds after the last bin, where rounding may put its end, is not used.
type means struct {
	bin     float64   // length of a bin
	partial []float64 // sum over each bin of the steps that fill it in part
	change  []float64 // change from bin to bin of the sum of the steps that fill bins whole
}

func newMeans(n int, bin float64) *means {
	return &means{bin, make([]float64, n+1), make([]float64, n+2)}
}

func (m *means) add(from, to, height float64) {
	if from >= to {
		return
	}
	a, b := from/m.bin, to/m.bin
	i, j := int(a), int(b)
	if i == j {
		m.partial[i] += height * (b - a)
		return
	}
	m.partial[i] += height * (float64(i+1) - a)
	m.partial[min(j, len(m.partial)-1)] += height * (b - float64(j))
	m.change[i+1] += height
	m.change[min(j, len(m.change)-1)] -= height
}

func (m *means) values() []float64 {
	values := make([]float64, len(m.partial)-1)
	height := 0.0
	for i := range values {
		height += m.change[i]
		values[i] = max(0, m.partial[i]+height) // rounding may take it below 0
	}
	return values
}

// area fills the area below the means, each as wide as its bin.
type area struct {
	values []float64
	bin    float64
	paint  color.Color
}

func (a area) plot(c draw.Canvas, p *axes) {
	atX, atY := p.transforms(&c)
	var outline vg.Path
	outline.Move(vg.Point{X: atX(0), Y: atY(0)})
	for i, v := range a.values {
		y := atY(min(v, p.y.high))
		outline.Line(vg.Point{X: atX(float64(i) * a.bin), Y: y})
		outline.Line(vg.Point{X: atX(float64(i+1) * a.bin), Y: y})
	}
	outline.Line(vg.Point{X: atX(float64(len(a.values)) * a.bin), Y: atY(0)})
	outline.Close()
	c.SetColor(a.paint)
	c.Fill(outline)
}
