// Figures that are hard to draw, shared by the tests of this package: long names, many series,
// values of all magnitudes, published numbers, logarithmic axes and charts of plans.

package draw

import (
	"fmt"
	"math"
	"slices"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
)

func estimate(value, half float64) statistics.Estimate {
	return statistics.Estimate{Value: value, Low: value - half, High: value + half, N: 10, SD: half}
}

func lone(value float64) statistics.Estimate {
	nan := math.NaN()
	return statistics.Estimate{Value: value, Low: nan, High: nan, N: 1, SD: nan}
}

func newAxis(name, title, unit string, labels ...string) analysis.Axis {
	return analysis.Axis{Name: name, Title: title, Unit: unit, Labels: labels}
}

// curves returns n series over the positions, each above the one before.
func curves(n int, positions []float64, published bool) []analysis.Series {
	series := make([]analysis.Series, n)
	for i := range series {
		series[i].Label = fmt.Sprintf("1%c,1E", 'A'+i)
		for _, x := range positions {
			y := 90 * (1 - math.Exp(-3*x)) * (1 - 0.05*float64(i))
			series[i].Points = append(series[i].Points, analysis.Point{X: x, Y: estimate(y, 1.5)})
			if published {
				series[i].Published = append(series[i].Published, analysis.Point{X: x, Y: lone(y - 1.2)})
			}
		}
	}
	return series
}

func bars(series int, categories []string, published bool) []analysis.Series {
	all := make([]analysis.Series, series)
	for i := range all {
		all[i].Label = fmt.Sprintf("approach %d", i+1)
		for x, label := range categories {
			point := analysis.Point{X: float64(x), Label: label, Y: estimate(20+float64(7*x%31+9*i%23), 2)}
			all[i].Points = append(all[i].Points, point)
			if published {
				point.Y = lone(point.Y.Value * 1.1)
				all[i].Published = append(all[i].Published, point)
			}
		}
	}
	return all
}

var rates = []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1}

// gallery holds the figures that are hard to draw well.
func gallery() []analysis.Figure {
	lambda := newAxis("lambda", "λ: arrival rate of requests", "1/min")
	blocking := newAxis("blocking", "B: blocking ratio", "%")
	line := func(name string, series ...analysis.Series) analysis.Figure {
		return analysis.Figure{Name: name, Title: "Blocking ratio", Kind: language.Line, X: lambda, Y: blocking,
			Panels: []analysis.Panel{{Y: blocking, Series: series}}}
	}
	zoomed := line("zoomed", curves(4, rates, true)...)
	zoomed.RangeX = &[2]float64{0.2, 0.5}
	algorithms := []string{}
	for _, start := range "ABCD" {
		for _, next := range "EFGH" {
			algorithms = append(algorithms, fmt.Sprintf("1%c,1%c", start, next))
		}
	}
	long := []string{"earliest finish time, heterogeneous", "best effort without any reservation",
		"provisioned <slots> & \"more\"", "d"}
	bar := func(name string, categories []string, series ...analysis.Series) analysis.Figure {
		return analysis.Figure{Name: name, Title: "Bars", Kind: language.Bar, X: newAxis("algorithm", "Algorithm", "",
			categories...),
			Y: blocking, Panels: []analysis.Panel{{Y: blocking, Series: series}}}
	}
	logarithmic := line("log", curves(2, []float64{0.1, 1, 10, 100, 1000}, true)...)
	logarithmic.LogX, logarithmic.LogY = true, true
	for i := range logarithmic.Panels[0].Series {
		for j := range logarithmic.Panels[0].Series[i].Points {
			logarithmic.Panels[0].Series[i].Points[j].Y = estimate(math.Pow(7, float64(j))/10, math.Pow(6.9, float64(j))/10)
		}
	}
	narrow := func(last float64) analysis.Figure {
		figure := line(fmt.Sprintf("narrow log to %g", last), curves(1, []float64{0.3, 0.5, last}, false)...)
		figure.LogX = true
		figure.Panels = slices.Repeat(figure.Panels, 6)
		return figure
	}
	holes := line("holes", curves(2, rates, true)...)
	holes.Panels[0].Series[0].Points[4].Y.Value = math.NaN()
	holes.Panels[0].Series[1].Points[2].Y = lone(30)
	holes.Panels[0].Series[1].Points[3].Y = estimate(40, 0)
	return append([]analysis.Figure{
		line("four", curves(4, rates, true)...), line("two", curves(2, rates, true)...), zoomed,
		line("sixteen", curves(16, rates, false)...), line("single", curves(1, []float64{0.4}, false)...),
		line("empty"), holes, logarithmic, narrow(0.9), narrow(3), narrow(15), narrow(300),
		bar("bars16", algorithms, bars(1, algorithms, true)...),
		bar("bars4", []string{"1A", "1B", "1C", "1D"}, bars(4, []string{"1A", "1B", "1C", "1D"}, true)...),
		bar("long", long, bars(3, long, false)...),
		improvements("improvements", []string{""}), improvements("improvements2", []string{"Grid jobs", "local jobs"}),
		improvements("improvements8", intervals), violations(1), violations(2), messages(false), messages(true),
		twoAxes("two axes", 1, 1), twoAxes("two axes of four", 2, 1), twoAxes("two axes in panels", 2, 2), approaches(),
		deviations(language.Bar), deviations(language.Line), negative(), durations(), fairness(), metricPanels(),
		sixPanels(), cloud(), plans(100, 1), plans(100, 2), plans(4000, 1), plans(0, 1), heat(18), heat(5),
	}, beyond()...)
}

// twoAxes has lines of two quantities, the second on the right axis.
func twoAxes(name string, lines, panels int) analysis.Figure {
	makespan, cost := newAxis("makespan", "Makespan: from the submission to the last end", "s"), newAxis("cost",
		"Allocation cost of all slots in the plan that was chosen", "SU")
	f := analysis.Figure{Name: name, Kind: language.Line, X: newAxis("alpha", "α: trade-off factor", ""), Y: makespan,
		Right: &cost}
	for panel := range panels {
		p := analysis.Panel{Y: makespan}
		if panels > 1 {
			p.Label = fmt.Sprintf("size %d", panel)
		}
		for i := range 2 * lines {
			series := analysis.Series{Label: []string{"makespan", "cost"}[i/lines], Right: i >= lines}
			if lines > 1 {
				series.Label += fmt.Sprintf(", approach %d", i%lines+1)
			}
			for k := range 11 {
				y := estimate(9000+float64(400*k*(panel+i+1)), 900)
				if series.Right {
					y = estimate(24_000-float64(550*k*(panel+i%lines+1)), 1500)
				}
				series.Points = append(series.Points, analysis.Point{X: float64(k) / 10, Y: y})
				if k%5 == 2 {
					series.Published = append(series.Published, analysis.Point{X: float64(k) / 10, Y: lone(y.Value * 1.05)})
				}
			}
			p.Series = append(p.Series, series)
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

// approaches has bars of means and of deviations side by side; one deviation is 0.
func approaches() analysis.Figure {
	makespan, cost := newAxis("makespan", "Makespan", "h"), newAxis("cost", "Allocation cost", "SU")
	alpha := newAxis("alpha", "α: trade-off factor", "")
	f := analysis.Figure{Name: "approaches", Kind: language.Bar, X: alpha, Y: makespan}
	for i, y := range []analysis.Axis{makespan, cost} {
		panel := analysis.Panel{Label: y.Name, Y: y}
		for j, label := range []string{"best effort, mean", "best effort, sd", "provisioned, mean", "provisioned, sd"} {
			s := analysis.Series{Label: label}
			for k := range 6 {
				value := []float64{37, 12, 14, 7}[j] + float64(k*(j/2)*(1-2*i))
				e := estimate(value, value/9)
				if i == 1 && j == 1 {
					e = estimate(0, 0)
				}
				s.Points = append(s.Points, analysis.Point{X: float64(k) / 5, Label: fmt.Sprint(float64(k) / 5), Y: e})
			}
			panel.Series = append(panel.Series, s)
		}
		f.Panels = append(f.Panels, panel)
	}
	return f
}

func deviations(kind language.FigureKind) analysis.Figure {
	f := fairness()
	f.Name, f.Kind, f.Whiskers = "deviations "+string(kind), kind, language.Deviation
	for i := range f.Panels[0].Series[0].Points {
		f.Panels[0].Series[0].Points[i].Y = estimate(0.98-0.04*float64(i), 0.05*float64(i))
	}
	f.Panels[0].Series[0].Published = []analysis.Point{{X: rates[3], Y: lone(0.7)}}
	return f
}

func negative() analysis.Figure {
	y := newAxis("improvement", "Improvement over best effort in makespan, mean over all workflows of the study and both "+
		"approaches", "%")
	points := []analysis.Point{{X: 50, Y: estimate(-12, 5)}, {X: 100, Y: estimate(8, 3)}, {X: 200, Y: estimate(-3, 6)}}
	return analysis.Figure{Name: "negative", Kind: language.Bar, X: newAxis("processors", "Processors", ""), Y: y,
		Panels: []analysis.Panel{{Series: []analysis.Series{{Label: "α = 0", Points: points}}}}}
}

// The bars of a study of several sites: long names, many series, signs of both kinds, and numbers
// of different magnitude.
var (
	gateways = []string{"ArEb+least-load", "ArEb+earliest-ask", "ArCb+least-load", "ArCb+earliest-ask",
		"ArEbM+earliest-partial", "ArCbM+earliest-partial", "ArEbMf+earliest-partial"}
	intervals = []string{"15min", "30min", "1h", "2h", "4h", "8h", "12h", "1d"}
)

func improvements(name string, labels []string) analysis.Figure {
	y := newAxis("improvement", "Improvement of the bounded slowdown over the base run, mean over the jobs", "%")
	f := analysis.Figure{Name: name, Kind: language.Bar, X: newAxis("policy", "Policy of the providers and of the gateway",
		"", gateways...), Y: y}
	var series []analysis.Series
	for i, label := range labels {
		s := analysis.Series{Label: label}
		for x := range gateways {
			value := float64((37*x+23*i)%90) - 45
			s.Points = append(s.Points, analysis.Point{X: float64(x), Label: gateways[x], Y: estimate(value,
				3+float64((x+i)%6))})
		}
		series = append(series, s)
	}
	f.Panels = []analysis.Panel{{Y: y, Series: series}}
	return f
}

// violations has a bar for each of 3 policies at each of 8 intervals, and a panel for each
// workload.
func violations(panels int) analysis.Figure {
	y := newAxis("violations", "Advance reservations that violate the availability published", "%")
	f := analysis.Figure{Name: fmt.Sprintf("violations%d", panels), Kind: language.Bar, X: newAxis("interval",
		"Interval between updates", "s"), Y: y}
	for panel := range panels {
		var series []analysis.Series
		for i, name := range gateways[4:] {
			s := analysis.Series{Label: name}
			for x, seconds := range []float64{900, 1800, 3600, 7200, 14400, 28800, 43200, 86400} {
				value := float64(x*x) / float64(1+2*i+panel)
				s.Points = append(s.Points, analysis.Point{X: seconds, Label: intervals[x], Y: estimate(value, 0.1+value/8)})
			}
			series = append(series, s)
		}
		f.Panels = append(f.Panels, analysis.Panel{Label: []string{"DAS-2", "site model"}[panel], Y: y, Series: series})
	}
	return f
}

func messages(log bool) analysis.Figure {
	y := newAxis("messages", "Messages between the gateway and the providers", "")
	f := analysis.Figure{Name: "messages", Kind: language.Bar, X: newAxis("policy", "Policy", "", gateways...), Y: y,
		LogY: log}
	if log {
		f.Name += " log"
	}
	var s analysis.Series
	for x, value := range []float64{20_312, 2_031_458, 24_010, 1_974_224, 301_833, 288_051, 162_400} {
		s.Points = append(s.Points, analysis.Point{X: float64(x), Label: gateways[x], Y: estimate(value, value/12)})
	}
	f.Panels = []analysis.Panel{{Y: y, Series: []analysis.Series{s}}}
	return f
}

func durations() analysis.Figure {
	var points []analysis.Point
	for hours := 1.0; hours <= 10; hours++ {
		points = append(points, analysis.Point{X: hours * 3600, Y: estimate(100*hours*hours, 60*hours)})
	}
	return analysis.Figure{Name: "durations", Kind: language.Line, X: newAxis("delay", "D: start-time delay", "s"),
		Y: newAxis("wait", "Mean wait", "s"),
		Panels: []analysis.Panel{{Series: []analysis.Series{{Label: "a policy with quite a long name that goes on",
			Points: points}}}}}
}

func fairness() analysis.Figure {
	var points []analysis.Point
	for _, x := range rates {
		points = append(points, analysis.Point{X: x, Y: estimate(0.98-0.1*x, 0.004)})
	}
	lambda := newAxis("lambda", "λ", "1/min")
	return analysis.Figure{Name: "fairness", Kind: language.Line, X: lambda, Y: newAxis("fairness",
		"Q_R", ""),
		Panels: []analysis.Panel{{Series: []analysis.Series{{Label: "1A", Points: points}}}}}
}

func metricPanels() analysis.Figure {
	makespan, cost := newAxis("makespan", "Makespan", "s"), newAxis("cost", "Cost of the resources that were provisioned",
		"CPU-h")
	f := analysis.Figure{Name: "panels2", Kind: language.Line, X: newAxis("alpha", "α: weight of the makespan", ""),
		Y: makespan}
	a, b := curves(3, rates, false), curves(3, rates, true)
	for i := range a {
		for j := range a[i].Points {
			a[i].Points[j].Y = estimate(a[i].Points[j].Y.Value*100, 200)
		}
	}
	f.Panels = []analysis.Panel{{Label: "makespan", Y: makespan, Series: a}, {Label: "cost", Y: cost, Series: b}}
	return f
}

func sixPanels() analysis.Figure {
	f := analysis.Figure{Name: "panels5", Kind: language.Line, X: newAxis("time", "Time", "s"), Y: newAxis("bsld",
		"Bounded slowdown", "")}
	for i := range 5 {
		f.Panels = append(f.Panels, analysis.Panel{Label: fmt.Sprintf("%d domains with a rather long panel label", i+2),
			Y:      f.Y,
			Series: curves(4+i, []float64{86400, 172800, 259200, 432000}, false)})
		for j := range f.Panels[i].Series {
			for k := range f.Panels[i].Series[j].Points {
				f.Panels[i].Series[j].Points[k].Y = lone(float64(3 + 2*i + j*k))
			}
		}
	}
	return f
}

func cloud() analysis.Figure {
	f := analysis.Figure{Name: "cloud", Kind: language.Points, X: newAxis("makespan", "Makespan", "s"), Y: newAxis("cost",
		"Cost", "")}
	series := []analysis.Series{{Label: "on the front"}, {Label: "dominated"}}
	for i := range 300 {
		x := 4000 + float64(i*7919%3600)
		p := analysis.Point{X: x, Y: lone(4e7/x + float64(i*104729%4000))}
		series[min(i%9, 1)].Points = append(series[min(i%9, 1)].Points, p)
	}
	f.Panels = []analysis.Panel{{Series: series}}
	return f
}

func heat(n int) analysis.Figure {
	f := analysis.Figure{Name: fmt.Sprintf("heat%d", n), Kind: language.Heat, X: newAxis("target", "Target domain", ""),
		Y: newAxis("jobs", "Jobs forwarded", ""), Rows: newAxis("source", "Source domain", "")}
	var panel analysis.Panel
	for i := range n {
		f.X.Labels = append(f.X.Labels, fmt.Sprintf("Grid %d", i+1))
		series := analysis.Series{Label: fmt.Sprintf("Grid %d", i+1)}
		for j := range n {
			if i != j {
				series.Points = append(series.Points, analysis.Point{X: float64(j), Y: lone(float64((i*i + 17*j*i) % 1200))})
			}
		}
		panel.Series = append(panel.Series, series)
	}
	f.Panels = []analysis.Panel{panel}
	return f
}

// beyond returns figures with values beyond the limits: far below and above, several at one x, on
// logarithmic axes, in hours, with published numbers, very many, and in wide and narrow bars.
func beyond() []analysis.Figure {
	bars := func(name string, labels ...string) analysis.Figure {
		f := improvements(name, labels)
		f.RangeY = &[2]float64{-40, 40}
		for i := range f.Panels[0].Series {
			for j := range f.Panels[0].Series[i].Points {
				point := &f.Panels[0].Series[i].Points[j]
				switch (i + j) % 4 {
				case 1:
					point.Y = estimate(-1000-1.3*float64(100*i+j), 900+float64(100*j))
				case 3:
					point.Y = lone(77.125 + float64(i))
				}
			}
		}
		return f
	}
	published := bars("beyond published", "Grid jobs")
	for _, p := range published.Panels[0].Series[0].Points {
		p.Y = lone(1.5 * p.Y.Value)
		published.Panels[0].Series[0].Published = append(published.Panels[0].Series[0].Published, p)
	}
	above := bars("beyond from 10", "Grid jobs", "local jobs")
	above.RangeY = &[2]float64{10, 30}
	log := messages(true)
	log.Name, log.RangeY = "beyond log", &[2]float64{1e5, 1e6}
	lines := metricPanels()
	lines.Name, lines.RangeY = "beyond lines", &[2]float64{0, 78}
	lines.Panels[0], lines.Panels[1].Label = lines.Panels[1], "the same"
	crowded := lines
	crowded.Name, crowded.RangeY = "beyond crowded", &[2]float64{0, 50}
	hours := durations()
	hours.Name, hours.RangeY, hours.Panels[0].Y = "beyond hours", &[2]float64{900, 7200}, hours.Y
	points := cloud()
	points.Name, points.RangeY = "beyond cloud", &[2]float64{7000, 11000}
	colours := heat(5)
	colours.Name, colours.RangeY = "beyond heat", &[2]float64{10, 20}
	return []analysis.Figure{
		bars("beyond", "Grid jobs"), bars("beyond2", "Grid jobs", "local jobs"), bars("beyond5", intervals[:5]...),
		published, above, log, lines, crowded, hours, points, colours,
	}
}

// plans returns a Gantt chart of tasks on slots of a cluster of 430 processors; some slots are
// chosen.
func plans(tasks, panels int) analysis.Figure {
	f := analysis.Figure{Name: fmt.Sprintf("plan%d in %d", tasks, panels), Kind: language.Gantt, X: newAxis("start to end",
		"", "s"), Y: newAxis("processor", "", "")}
	rectangle := func(x, width, y, height int) analysis.Point {
		return analysis.Point{X: float64(x), Y: lone(float64(y)), Width: float64(width), Height: float64(height)}
	}
	for panel := range panels {
		series := []analysis.Series{{Label: "offered"}, {Label: "chosen"}, {Label: "task"}}
		for i := range 43 {
			for at, k := 0, 0; at < 86400 && tasks > 0; k++ {
				width := min(3000+(i*7919+k*104729+panel*31)%17000, 86400-at)
				chosen := (i + k) % 3 / 2
				series[chosen].Points = append(series[chosen].Points, rectangle(at, width, 1+10*i, 10))
				long := width * 120 / (tasks + 120)
				// two side by side, of 4 and 6 processors
				for n := 0; chosen == 1 && n < tasks/60; n++ {
					series[2].Points = append(series[2].Points, rectangle(at+n/2*long, long, 1+10*i+n%2*4, 4+n%2*2))
				}
				at += width + (i*k*977)%9000
			}
		}
		f.Panels = append(f.Panels, analysis.Panel{Label: fmt.Sprintf("%d tasks", tasks), Y: f.Y, Series: series})
	}
	return f
}
