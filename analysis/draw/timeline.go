package draw

// Pictures of schedules over time: a Gantt chart with the loads below it.

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
	"gridsweep/results"
	"gridsweep/results/schedule"
)

// Timeline is a schedule to be drawn over time.
type Timeline struct {
	Name       string // of its files, where each has its own
	Label      string // of what made it, such as the policy
	Schedule   *schedule.Schedule
	Processors *schedule.Processors // for the Gantt chart
}

// heights of the axes.
const (
	ganttHeight = 2.2 * vg.Inch
	loadHeight  = 0.85 * vg.Inch

	timelineAxis = vg.Length(80) // what the vertical axis and the margins take, about
)

// WriteTimelines draws schedules of one machine below one another, all on the same axes: a Gantt
// chart, the busy processors, and the jobs and processors that wait. The ending of the path says
// how: .svg or .png. It returns an error for any other and where the file cannot be written, and
// that of ctx when it is done.
func WriteTimelines(ctx context.Context, path, title string, machine int32, lines []Timeline) error {
	var render func(page, string) ([]byte, error)
	switch strings.ToLower(filepath.Ext(path)) {
	case ".svg":
		render = renderSVG
	case ".png":
		render = renderPNG
	default:
		return fmt.Errorf("%s: pictures are .svg or .png: name one of them", path)
	}
	picture, err := unlessDone(ctx, func() ([]byte, error) {
		return render(newTimelineSheet(title, machine, lines), title)
	})
	if err != nil {
		return err
	}
	return results.WriteFile(path, picture)
}

// IsTarget reports whether WriteEach can write to a path: a picture, or what is meant as a folder,
// which has no ending or is there.
func IsTarget(path string) bool {
	info, err := os.Stat(path)
	return isPicture(path) || err == nil && info.IsDir() || filepath.Ext(path) == "" ||
		strings.HasSuffix(path, string(filepath.Separator))
}

// isPicture reports whether the ending of a path is one of those that pictures have here.
func isPicture(path string) bool {
	ending := strings.ToLower(filepath.Ext(path))
	return ending == ".svg" || ending == ".png"
}

// WriteEach draws schedules as WriteTimelines does: all in one picture where the path is one's,
// else each in pictures of its own in that folder, under its name.
func WriteEach(ctx context.Context, path, title string, machine int32, lines []Timeline) error {
	if isPicture(path) {
		return WriteTimelines(ctx, path, title, machine, lines)
	}
	for i := range lines {
		for _, ending := range []string{".svg", ".png"} {
			file := filepath.Join(path, lines[i].Name+ending)
			if err := WriteTimelines(ctx, file, title, machine, lines[i:i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// timelineSheet is panels of different heights below one another, their axes in line.
type timelineSheet struct {
	width, height vg.Length
	title         string
	panels        []timelinePanel
	legend        legend
}

type timelinePanel struct {
	plot   *plot.Plot
	height vg.Length // axes, titles and the gap below included
}

func (s *timelineSheet) size() (width, height vg.Length) { return s.width, s.height }

func newTimelineSheet(title string, machine int32, lines []Timeline) *timelineSheet {
	s := &timelineSheet{width: sheetWidth, title: title}
	s.legend = waitLegend(s.width - 2*margin)
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for _, line := range lines {
		first = min(first, slices.Min(line.Schedule.Submit))
		last = max(last, slices.Max(line.Schedule.End))
	}
	x := numberScale(analysis.Axis{Title: "time since the first submit", Unit: "s"}, nil, false,
		&[2]float64{0, float64(last - first)}, anyRoom)
	x.title += "; loads are means over " + forPeople(float64(last-first)/binsOf(first, last))
	loads := make([]loads, len(lines))
	mostJobs, mostProcs := 1.0, 1.0
	for i, line := range lines {
		loads[i] = loadsOf(line.Schedule.Schedule, first, last)
		mostJobs = max(mostJobs, slices.Max(loads[i].waitingJobs))
		mostProcs = max(mostProcs, slices.Max(loads[i].waitingProcs))
	}
	for i, line := range lines {
		s.add(line.Label, x, limitedScale("processor", float64(machine)), ganttHeight,
			ganttChart{line: line, first: first})
		for _, load := range []struct {
			title  string
			high   float64
			values []float64
			paint  color.Color
		}{
			{"busy processors", float64(machine), loads[i].busy, colours[0]},
			{"waiting jobs", 1.04 * mostJobs, loads[i].waitingJobs, colours[1]},
			{"waiting processors", 1.04 * mostProcs, loads[i].waitingProcs, colours[3]},
		} {
			s.add("", x, limitedScale(load.title, load.high), loadHeight, area{load.values, loads[i].bin, load.paint})
		}
		s.nameTimes(x, i == len(lines)-1)
	}
	s.height = 2*margin + s.titleHeight() + s.legend.height
	for _, p := range s.panels {
		s.height += p.height
	}
	return s
}

func limitedScale(title string, high float64) scale {
	return numberScale(analysis.Axis{Title: title}, nil, false, &[2]float64{0, high}, anyRoom)
}

// add adds a panel whose horizontal axis has no numbers.
func (s *timelineSheet) add(label string, x, y scale, height vg.Length, content plot.Plotter) {
	p := panel{plot: newPlot(), x: x, y: y}
	p.setAxis(&p.plot.Y, y, y.ticks(int(height/vg.Points(16))), height)
	p.plot.X.Tick.Label = typeface(tickSize)
	p.plot.X.Tick.Label.XAlign, p.plot.X.Tick.Label.YAlign = draw.XCenter, draw.YTop
	ticks := p.fitTicks(s.width - timelineAxis)
	for i := range ticks {
		if !ticks[i].IsMinor() {
			ticks[i].Label = " " // as major as it was
		}
	}
	p.setAxis(&p.plot.X, x, ticks, s.width)
	p.plot.X.Padding, p.plot.Y.Padding = 0, 0
	p.plot.X.Label.Text = ""
	if label != "" {
		p.plot.Title.TextStyle = bold(typeface(titleSize))
		p.plot.Title.TextStyle.XAlign, p.plot.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
		p.plot.Title.Text = wrap(p.plot.Title.TextStyle, label, s.width-timelineAxis, 1)
		p.plot.Title.Padding = vg.Points(4)
	}
	p.plot.Add(gridLines{upright: true}, content)
	s.panels = append(s.panels, timelinePanel{p.plot, height + axisHeight(p.plot, nil) + gap/2})
}

// nameTimes gives the panel added last the numbers of its horizontal axis and, at the end, its
// title.
func (s *timelineSheet) nameTimes(x scale, end bool) {
	last := &s.panels[len(s.panels)-1]
	p := panel{plot: last.plot, x: x}
	without := axisHeight(p.plot, nil)
	ticks := p.fitTicks(s.width - timelineAxis)
	p.setAxis(&p.plot.X, x, ticks, s.width-timelineAxis)
	p.plot.X.Padding = 0
	if !end {
		p.plot.X.Label.Text = ""
	}
	last.height += axisHeight(p.plot, ticks) - without
}

func (s *timelineSheet) titleStyle() text.Style {
	style := bold(typeface(titleSize + 1))
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	return style
}

func (s *timelineSheet) titleHeight() vg.Length {
	style := s.titleStyle()
	return style.Height(wrap(style, s.title, s.width-2*margin, 2)) + vg.Points(8)
}

func (s *timelineSheet) draw(c draw.Canvas) {
	style := s.titleStyle()
	c.FillText(style, vg.Point{X: c.Center().X, Y: c.Max.Y - margin}, wrap(style, s.title, s.width-2*margin, 2))
	top := c.Max.Y - margin - s.titleHeight()
	places := make([]draw.Canvas, len(s.panels))
	left := vg.Length(0) // the widest axis: all begin there
	for i, p := range s.panels {
		places[i] = c
		places[i].Rectangle = vg.Rectangle{
			Min: vg.Point{X: c.Min.X + margin, Y: top - p.height + gap/2}, Max: vg.Point{X: c.Max.X - 2*margin, Y: top},
		}
		top -= p.height
		left = max(left, p.plot.DataCanvas(places[i]).Min.X)
	}
	for i, p := range s.panels {
		places[i].Min.X += left - p.plot.DataCanvas(places[i]).Min.X
		p.plot.Draw(places[i])
	}
	s.legend.draw(draw.Crop(c, margin, -margin, margin, s.legend.height+margin-(c.Max.Y-c.Min.Y)))
}
