// Pictures of schedules over time: a Gantt chart with the loads below it.

package draw

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
	"gridsweep/results"
	"gridsweep/results/schedule"
)

// Timeline is a schedule to be drawn over time.
type Timeline struct {
	Name       string // name of its files, if each timeline has its own
	Label      string // label, such as the policy
	Schedule   *schedule.Schedule
	Processors *schedule.Processors // processors of the jobs, for the Gantt chart
}

const (
	ganttHeight  = 2.2 * vg.Inch  // of the axes
	loadHeight   = 0.85 * vg.Inch // of the axes
	timelineAxis = vg.Length(80)  // about the width of the vertical axis and the margins
	aboveMost    = 1.04           // end of a vertical axis of loads, as a share of the largest one
)

// WriteTimelines draws schedules of a machine of so many processors below one another, all on the
// same axes: a Gantt chart, the busy processors, the waiting jobs and the processors that they wait
// for. If the jobs of one are too many and too short to be seen, all have the busy processors by
// wait in place of the first two. The extension of the path selects the format, see Endings; any
// other is an error. WriteTimelines also returns an error if the file cannot be written, and that
// of ctx when ctx is done.
func WriteTimelines(
	ctx context.Context, path, title string, machine int32, timelines []Timeline, size Size,
) error {
	render := rendererFor(path)
	if render == nil {
		return fmt.Errorf("%s: pictures end in %s: name one of them", path, Endings())
	}
	picture, err := unlessDone(ctx, func() ([]byte, error) {
		return render(newTimelineSheet(title, machine, timelines, size.width()), title, size), nil
	})
	if err != nil {
		return err
	}
	return results.WriteFile(path, picture)
}

// IsTarget reports whether WriteEach can write to a path: a picture, or a folder, which exists,
// ends in a separator or has no extension.
func IsTarget(path string) bool {
	info, err := os.Stat(path)
	return IsPicture(path) || err == nil && info.IsDir() || filepath.Ext(path) == "" ||
		strings.HasSuffix(path, string(filepath.Separator))
}

// IsPicture reports whether a path has the extension of a picture.
func IsPicture(path string) bool { return rendererFor(path) != nil }

// rendererFor returns the renderer for the extension of a path; nil for another one.
func rendererFor(path string) renderer {
	for _, format := range formats {
		if strings.EqualFold(filepath.Ext(path), format.ending) {
			return format.render
		}
	}
	return nil
}

// Endings returns the endings of files of pictures in words.
func Endings() string {
	endings := make([]string, len(formats))
	for i, format := range formats {
		endings[i] = format.ending
	}
	return english.WordSeries(endings, "or")
}

// WriteEach draws schedules as WriteTimelines does: all in one picture if the path has the
// extension of a picture, else each in all formats in the folder, under its name.
func WriteEach(ctx context.Context, path, title string, machine int32, timelines []Timeline, size Size) error {
	if IsPicture(path) {
		return WriteTimelines(ctx, path, title, machine, timelines, size)
	}
	for i := range timelines {
		for _, format := range formats {
			file := filepath.Join(path, timelines[i].Name+format.ending)
			if err := WriteTimelines(ctx, file, title, machine, timelines[i:i+1], size); err != nil {
				return err
			}
		}
	}
	return nil
}

// timelineSheet is panels of different heights below one another, their horizontal axes aligned.
type timelineSheet struct {
	width, height vg.Length
	title         string
	panels        []timelinePanel
	legend        legend
}

type timelinePanel struct {
	axes   *axes
	height vg.Length // its height with axes, titles and the gap below
}

func (s *timelineSheet) size() (width, height vg.Length) { return s.width, s.height }

func newTimelineSheet(title string, machine int32, timelines []Timeline, width vg.Length) *timelineSheet {
	s := &timelineSheet{width: width, title: title}
	s.legend = waitLegend(s.width - 2*margin)
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for _, t := range timelines {
		first = min(first, slices.Min(t.Schedule.Submit))
		last = max(last, slices.Max(t.Schedule.End))
	}
	cannotBeSeen := func(t Timeline) bool { return !canBeSeen(t.Schedule.Schedule, float64(last-first), width) }
	isAggregated := slices.ContainsFunc(timelines, cannotBeSeen)
	bins := binsOf(first, last, loadBins)
	if isAggregated {
		bins = binsOf(first, last, aggregatedBins)
	}
	x := numberScale(analysis.Axis{Title: "time since the first submit", Unit: "s"}, nil, false,
		&[2]float64{0, float64(last - first)}, fromZero)
	x.title += "; loads are means over " + shortDuration(bins.length)
	all := make([]loads, len(timelines))
	mostJobs, mostProcs := 1.0, 1.0
	for i, t := range timelines {
		all[i] = loadsOf(t.Schedule.Schedule, bins)
		mostJobs = max(mostJobs, slices.Max(all[i].waitingJobs))
		mostProcs = max(mostProcs, slices.Max(all[i].waitingProcs))
	}
	for i, t := range timelines {
		if isAggregated {
			s.add(t.Label, x, limitedScale("busy processors", aboveMost*float64(machine)), ganttHeight,
				newBusyByWait(t.Schedule.Schedule, machine, bins))
		} else {
			s.add(t.Label, x, limitedScale("processor", float64(machine)), ganttHeight,
				ganttChart{timeline: t, first: first})
			s.add("", x, limitedScale("busy processors", float64(machine)), loadHeight,
				area{all[i].busy, bins.length, colours[0]})
		}
		for _, load := range []struct {
			title  string
			high   float64
			values []float64
			paint  color.Color
		}{
			{"waiting jobs", aboveMost * mostJobs, all[i].waitingJobs, colours[1]},
			{"waiting processors", aboveMost * mostProcs, all[i].waitingProcs, colours[3]},
		} {
			s.add("", x, limitedScale(load.title, load.high), loadHeight, area{load.values, bins.length, load.paint})
		}
		s.labelTimes(x, i == len(timelines)-1)
	}
	s.height = 2*margin + s.titleHeight() + s.legend.height
	for _, p := range s.panels {
		s.height += p.height
	}
	return s
}

func limitedScale(title string, high float64) scale {
	return numberScale(analysis.Axis{Title: title}, nil, false, &[2]float64{0, high}, fromZero)
}

// add adds a panel whose horizontal axis has no numbers.
func (s *timelineSheet) add(label string, x, y scale, height vg.Length, content plotter) {
	a := &axes{x: x.horizontal(s.width - timelineAxis)}
	a.y = y.vertical(y.ticks(int(height/vg.Points(16))), height)
	for i := range a.x.marks {
		if !a.x.marks[i].isMinor() {
			a.x.marks[i].label = " " // a tick without a label would be minor
		}
	}
	a.x.padding, a.y.padding = 0, 0
	a.x.title = ""
	a.setTitle(label, s.width-timelineAxis, 3)
	a.add(tickLines{upright: true}, content)
	s.panels = append(s.panels, timelinePanel{a, height + axisHeight(a, nil) + gap/2})
}

// labelTimes gives the panel added last the numbers of its horizontal axis and, at the end of the
// sheet, the title of the axis.
func (s *timelineSheet) labelTimes(x scale, end bool) {
	last := &s.panels[len(s.panels)-1]
	without := axisHeight(last.axes, nil)
	last.axes.x = x.horizontal(s.width - timelineAxis)
	last.axes.x.padding = 0
	if !end {
		last.axes.x.title = ""
	}
	last.height += axisHeight(last.axes, last.axes.x.marks) - without
}

func (s *timelineSheet) titleStyle() text.Style {
	return bold(textStyle(titleSize+1, draw.XCenter, draw.YTop))
}

func (s *timelineSheet) titleHeight() vg.Length {
	style := s.titleStyle()
	return style.Height(wrap(style, s.title, s.width-2*margin, 2)) + vg.Points(8)
}

func (s *timelineSheet) draw(c draw.Canvas) {
	style := s.titleStyle()
	c.FillText(style, vg.Point{X: c.Center().X, Y: c.Max.Y - margin}, wrap(style, s.title, s.width-2*margin, 2))
	top := c.Max.Y - margin - s.titleHeight()
	canvases := make([]draw.Canvas, len(s.panels))
	left := vg.Length(0) // where the data of all panels begin: beside the widest axis
	for i, p := range s.panels {
		canvases[i] = c
		canvases[i].Rectangle = vg.Rectangle{
			Min: vg.Point{X: c.Min.X + margin, Y: top - p.height + gap/2}, Max: vg.Point{X: c.Max.X - 2*margin, Y: top},
		}
		top -= p.height
		left = max(left, p.axes.data(canvases[i]).Min.X)
	}
	for i, p := range s.panels {
		canvases[i].Min.X += left - p.axes.data(canvases[i]).Min.X
		p.axes.draw(canvases[i])
	}
	s.legend.draw(draw.Crop(c, margin, -margin, margin, s.legend.height+margin-(c.Max.Y-c.Min.Y)))
}
