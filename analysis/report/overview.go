// The first section of a study: its main conclusions, and the published numbers against ours.

package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis"
	"gridsweep/analysis/draw"
	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
)

// overview is what the first section of a study shows.
type overview struct {
	Lead      string // how many main conclusions are reproduced; empty if none is marked
	Main      []claimView
	Sentences []string
	Deviating []Deviation // parameters whose values are not those that the paper prints
	Extreme   string      // ratios far below 0, in a sentence; empty if there are none
	Pictures  []figureView
}

// NotAsPrinted returns the deviations from values that the paper prints.
func (o *overview) NotAsPrinted() []Deviation {
	return slices.DeleteFunc(slices.Clone(o.Deviating), func(d Deviation) bool { return d.Printed == "" })
}

// Chosen returns the deviations where the paper prints no single value.
func (o *overview) Chosen() []Deviation {
	return slices.DeleteFunc(slices.Clone(o.Deviating), func(d Deviation) bool { return d.Printed != "" })
}

// newOverview returns the first section; nil if there is nothing to show.
func newOverview(
	ctx context.Context, study Study, claims []claimView, ids anchors, styles *draw.Styles,
) (*overview, error) {
	result := study.Result
	o := &overview{Deviating: study.Deviations, Extreme: extremes(result.Figures)}
	main, counts := conclusions(result.Claims)
	for _, i := range main {
		o.Main = append(o.Main, claims[i])
	}
	if len(main) > 0 {
		o.Lead = counts.inSentence("main conclusion", "main conclusions", len(main))
	}
	o.Sentences = summaryOf(result)
	var err error
	if o.Pictures, err = newPictures(ctx, numbersOf(result.Tables), "", ids, styles); err != nil {
		return nil, err
	}
	if len(o.Main)+len(o.Sentences)+len(o.Deviating)+len(o.Extreme)+len(o.Pictures) == 0 {
		return nil, nil
	}
	return o, nil
}

// extremes names the figures in which a number without a unit is at most −1,000, and the least of
// them; empty if there are none. Differences of counts, which have no unit either, do not count.
func extremes(figures []analysis.Figure) string {
	const extreme = -1000
	least, of, series := 0.0, "", ""
	var names []string
	for _, figure := range figures {
		for _, panel := range figure.Panels {
			if figure.Kind.DrawsRows() || panel.Y.Unit != "" || strings.HasPrefix(panel.Y.Change, "difference") {
				continue
			}
			for _, s := range panel.Series {
				for _, p := range s.Points {
					if p.Y.Value <= extreme {
						names = withNew(names, figure.Name)
						if p.Y.Value < least {
							least, of, series = p.Y.Value, figure.Name, cmp.Or(s.Label, panel.Label, p.Label)
						}
					}
				}
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	text := fmt.Sprintf("in %s means are at most −1,000, the least −%s", english.PluralWord(len(names),
		"Figure "+names[0], "Figures "+english.WordSeries(names, "and")), withCommas(int(math.Round(-least))))
	if len(names) > 1 {
		text += " in Figure " + of
	}
	if series != "" {
		text += " (" + series + ")"
	}
	return text + "."
}

// summaryOf tells why claims are not reproduced, where the bias of numbers lies, and how many
// published numbers agree over universes.
func summaryOf(result *analysis.Result) []string {
	sentences := []string{reasons(result), biases(result.Tables)}
	for _, sum := range agreementsOf(result.Tables) {
		sentences = append(sentences, rangeOver(sum))
	}
	return slices.DeleteFunc(sentences, func(s string) bool { return s == "" })
}

// numbersOf returns the published numbers of all tables with ours by unit, those without a unit by
// metric, and comparisons apart. It leaves out those that summaries do not count.
func numbersOf(tables []analysis.Table) []Numbers {
	var all []Numbers
	for _, t := range tables {
		if t.Given {
			continue
		}
		for _, axis := range t.Values {
			measured := slices.ContainsFunc(t.Agreement, func(a analysis.Agreement) bool {
				return a.Metric == axis.Name && a.Measured
			})
			numbers := numbersIn(t, axis.Name)
			if measured || len(numbers) == 0 {
				continue
			}
			metric := "" // numbers with a unit are together whatever their metric
			if axis.Unit == "" {
				metric = axis.Name
			}
			changes := axis.Change != ""
			i := slices.IndexFunc(all, func(n Numbers) bool {
				return n.Unit == axis.Unit && n.Metric == metric && n.Changes == changes
			})
			if i < 0 {
				i = len(all)
				all = append(all, Numbers{Unit: axis.Unit, Metric: metric, Changes: changes})
			}
			group := &all[i]
			if n := len(group.Tables); n > 0 && group.Tables[n-1].Table == t.Name {
				group.Tables[n-1].Numbers = append(group.Tables[n-1].Numbers, numbers...)
				continue
			}
			group.Tables = append(group.Tables, TableNumbers{t.Name, numbers})
		}
	}
	return all
}

// numbersIn returns the published numbers of a column of a table.
func numbersIn(t analysis.Table, metric string) []PublishedNumber {
	isFinite := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) } // as in JSON
	var numbers []PublishedNumber
	for _, row := range t.Rows {
		for _, cell := range row.Cells {
			if cell == nil || cell.Metric != metric || cell.Published == nil || cell.Trivial || cell.Repeated ||
				!isFinite(cell.Ours.Value) {
				continue
			}
			number := PublishedNumber{Published: cell.Published.Value, Ours: cell.Ours.Value}
			if isFinite(cell.Prediction[0]) && isFinite(cell.Prediction[1]) {
				number.Prediction = &cell.Prediction
			}
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// newPictures draws the published numbers against ours, a column wide. Their ids have the name of
// the paper, if the page shows several.
func newPictures(
	ctx context.Context, numbers []Numbers, paper string, ids anchors, styles *draw.Styles,
) ([]figureView, error) {
	figures := against(numbers)
	appearances := draw.AppearancesOf(figures)
	views := make([]figureView, len(figures))
	for i, figure := range figures {
		picture, err := pictureOf(ctx, figure, appearances, draw.Column, styles)
		if err != nil {
			return nil, err
		}
		id := ids.id("figure", strings.TrimSpace(paper+" "+figure.Name))
		views[i] = figureView{Figure: figure, ID: id, Picture: picture}
	}
	return views, nil
}

// against returns the figures of the published numbers against ours, by unit. The interval of a
// point is the prediction interval of the published number. The points of more than five tables
// would cover one another: their tables are drawn in pairs.
func against(numbers []Numbers) []analysis.Figure {
	const mostTogether = 5
	var figures []analysis.Figure
	for _, u := range numbers {
		if len(u.Tables) <= mostTogether {
			figures = append(figures, scatter(u, u.Tables, ""))
			continue
		}
		for pair := range slices.Chunk(u.Tables, 2) {
			which := "Table " + pair[0].Table
			if len(pair) > 1 {
				which = "Tables " + pair[0].Table + " and " + pair[1].Table
			}
			figures = append(figures, scatter(u, pair, which))
		}
	}
	return figures
}

// scatter returns the figure of some tables of numbers. Which names these if there are others.
func scatter(numbers Numbers, tables []TableNumbers, which string) analysis.Figure {
	name, title, unit := "published numbers", "Numbers", numbers.Unit
	if numbers.Changes {
		name, title = "published changes", "Changes"
	}
	quantity := " in " + unit
	switch unit {
	case "":
		quantity = " of " + numbers.Metric
	case "s": // the axes choose another unit of time
		quantity = " of time"
	}
	name, title = name+quantity, title+quantity
	if which != "" {
		name, title = name+" of "+which, title+": "+which
	}
	var panel analysis.Panel
	for _, t := range tables {
		series := analysis.Series{Label: "Table " + t.Table}
		for _, n := range t.Numbers {
			y := statistics.Point(n.Ours)
			if n.Prediction != nil {
				y.Low, y.High = n.Prediction[0], n.Prediction[1]
			}
			series.Points = append(series.Points, analysis.Point{X: n.Published, Y: y})
		}
		panel.Series = append(panel.Series, series)
	}
	figure := analysis.Figure{
		Name: name, Title: title, Kind: language.Points, Diagonal: true,
		X: analysis.Axis{Name: "published", Unit: unit}, Y: analysis.Axis{Name: "ours", Unit: unit},
		Panels: []analysis.Panel{panel},
	}
	setRanges(&figure)
	figure.Caption = figure.Outside()
	return figure
}

// setRanges gives both axes the range of all numbers, on logarithms if they are positive and span
// more than two decades. Linear ones extend beyond the published numbers by at most their range,
// though a few of ours may be far away.
func setRanges(f *analysis.Figure) {
	low, high := math.Inf(1), math.Inf(-1)
	leastPublished, mostPublished := low, high
	for _, series := range f.Panels[0].Series {
		for _, p := range series.Points {
			low, high = min(low, p.X, p.Y.Value), max(high, p.X, p.Y.Value)
			leastPublished, mostPublished = min(leastPublished, p.X), max(mostPublished, p.X)
		}
	}
	const twoDecades, margin = 100, 0.05
	f.LogX = low > 0 && high > twoDecades*low
	f.LogY = f.LogX
	if span := mostPublished - leastPublished; span > 0 && !f.LogX {
		low, high = max(low, leastPublished-span), min(high, mostPublished+span)
	}
	switch {
	case f.LogX:
		low, high = low/(1+margin), high*(1+margin)
	case low >= 0 && low < high/2:
		low, high = 0, high*(1+margin)
	default:
		around := margin * max(high-low, math.Abs(high))
		low, high = low-around, high+around
	}
	if low < high {
		f.RangeX, f.RangeY = &[2]float64{low, high}, &[2]float64{low, high}
	}
}
