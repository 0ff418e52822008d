// Schedules of more jobs than can be seen: the busy processors over time, by the waits of the jobs.

package draw

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/model/metrics"
)

const (
	narrowestJob   = 2   // points; narrower boxes beside one another are noise
	aggregatedBins = 125 // so that each is as wide as a line and a gap
)

// canBeSeen reports whether boxes of jobs show the schedule on a time axis of this length in s, in
// a picture of the width: they are few, or most of the work is of jobs whose boxes are wide enough.
func canBeSeen(s metrics.Schedule, length float64, width vg.Length) bool {
	if len(s.Submit) <= fewJobs {
		return true
	}
	shortest := length / (width - timelineAxis).Points() * narrowestJob
	work, seen := 0.0, 0.0
	for i := range s.Start {
		run := float64(s.End[i] - s.Start[i])
		area := run * float64(s.Procs[i])
		work += area
		if run >= shortest {
			seen += area
		}
	}
	return seen > work/2
}

// busyByWait draws the busy processors as means over bins, stacked by the classes of the waits of
// the jobs that run on them, the shortest wait below, and the capacity of the machine as a line.
type busyByWait struct {
	areas    []area // for each class the sum of the classes up to it
	capacity float64
}

func newBusyByWait(s metrics.Schedule, machine int32, b bins) busyByWait {
	classes := make([]*means, len(waits))
	for k := range classes {
		classes[k] = newMeans(b.count, b.length)
	}
	for i := range s.Start {
		classes[waitClass(s.Start[i]-s.Submit[i])].add(
			float64(s.Start[i]-b.first), float64(s.End[i]-b.first), float64(s.Procs[i]))
	}
	busy := busyByWait{capacity: float64(machine)}
	sum := make([]float64, b.count)
	for k, class := range classes {
		for i, v := range class.values() {
			sum[i] += v
		}
		busy.areas = append(busy.areas, area{slices.Clone(sum), b.length, waits[k].paint})
	}
	return busy
}

func (b busyByWait) plot(c draw.Canvas, p *axes) {
	for k := len(b.areas) - 1; k >= 0; k-- {
		b.areas[k].plot(c, p)
	}
	_, atY := p.transforms(&c)
	capacity := draw.LineStyle{Color: ink, Width: vg.Points(0.8), Dashes: dashes[1]}
	c.StrokeLine2(capacity, c.Min.X, atY(b.capacity), c.Max.X, atY(b.capacity))
}
