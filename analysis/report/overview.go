package report

// The first section of a study: its main conclusions, and the published numbers against ours.

import (
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
	Pictures  []figureView
}

// newOverview returns the first section; nil if there is nothing to show.
func newOverview(
	ctx context.Context, study Study, claims []claimView, ids anchors, styles *draw.Styles,
) (*overview, error) {
	result := study.Result
	o := &overview{Deviating: study.Deviations}
	var main Claims
	for _, c := range claims {
		if c.Main {
			o.Main = append(o.Main, c)
			main.count(c.Claim.Ours.Verdict)
		}
	}
	if len(o.Main) > 0 {
		o.Lead = main.sentence("main conclusions")
	}
	o.Sentences = sentencesOn(result)
	figures := against(result.Tables)
	looks := draw.LooksOf(figures)
	for _, figure := range figures {
		view, err := newFigureView(ctx, figure, looks, "", ids, styles)
		if err != nil {
			return nil, err
		}
		o.Pictures = append(o.Pictures, view)
	}
	if len(o.Main)+len(o.Sentences)+len(o.Deviating)+len(o.Pictures) == 0 {
		return nil, nil
	}
	return o, nil
}

// sentencesOn tells why claims are not reproduced, where the bias of numbers lies, and how many
// published numbers agree over universes.
func sentencesOn(result *analysis.Result) []string {
	sentences := []string{reasons(result.Claims), biases(result.Tables)}
	for _, sum := range together(result.Tables) {
		sentences = append(sentences, rangeOver(sum))
	}
	return slices.DeleteFunc(sentences, func(s string) bool { return s == "" })
}

// reasons counts the reasons of claims that are not reproduced, in words; empty if there are none.
func reasons(claims []analysis.Claim) string {
	counts, total := map[analysis.ReasonClass]int{}, 0
	for _, c := range claims {
		if c.Reason != nil {
			counts[c.Reason.Class]++
			total++
		}
	}
	var parts []string
	for _, class := range []struct {
		class analysis.ReasonClass
		words string
	}{
		{analysis.Contradicted, "contradicted by the paper’s own numbers"},
		{analysis.Hinges, "reproduced under an alternative assumption"},
		{analysis.Suspect, "reproduced with another stand-in workload"},
		{analysis.Unexplained, "reproduced in no universe that was run"},
		{analysis.NotTried, "not tried under alternative assumptions"},
	} {
		if n := counts[class.class]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, class.words))
		}
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("Of %s that %s not reproduced: %s.", english.Plural(total, "claim", ""),
		english.PluralWord(total, "is", "are"), strings.Join(parts, ", "))
}

// against returns the published numbers of all tables against ours, a figure for each unit. The
// interval of a point is the prediction interval of the published number.
func against(tables []analysis.Table) []analysis.Figure {
	var figures []analysis.Figure
	for _, t := range tables {
		for _, axis := range t.Values {
			measured := slices.ContainsFunc(t.Agreement, func(a analysis.Agreement) bool {
				return a.Metric == axis.Name && a.Measured
			})
			points := pointsOf(t, axis.Name)
			if measured || t.Given || len(points) == 0 {
				continue
			}
			i := slices.IndexFunc(figures, func(f analysis.Figure) bool { return f.X.Unit == axis.Unit })
			if i < 0 {
				i = len(figures)
				figures = append(figures, newAgainst(axis.Unit))
			}
			series := &figures[i].Panels[0].Series
			if n := len(*series); n > 0 && (*series)[n-1].Label == "Table "+t.Name {
				(*series)[n-1].Points = append((*series)[n-1].Points, points...)
				continue
			}
			*series = append(*series, analysis.Series{Label: "Table " + t.Name, Points: points})
		}
	}
	for i := range figures {
		limit(&figures[i])
	}
	return figures
}

func newAgainst(unit string) analysis.Figure {
	name := "published numbers"
	if unit != "" {
		name += " in " + unit
	}
	return analysis.Figure{
		Name: name, Title: "Published numbers against ours", Kind: language.Points, Diagonal: true,
		X: analysis.Axis{Name: "published", Unit: unit}, Y: analysis.Axis{Name: "ours", Unit: unit},
		Panels:  []analysis.Panel{{}},
		Caption: "Intervals are our 95 % prediction intervals of the published numbers: one that crosses the line agrees.",
	}
}

// pointsOf returns our numbers of a column of a table over the published ones, without those that
// summaries leave out.
func pointsOf(t analysis.Table, metric string) []analysis.Point {
	var points []analysis.Point
	for _, row := range t.Rows {
		for _, cell := range row.Cells {
			if cell == nil || cell.Metric != metric || cell.Published == nil || cell.Trivial || cell.Repeated ||
				math.IsNaN(cell.Ours.Value) {
				continue
			}
			y := statistics.Point(cell.Ours.Value)
			y.Low, y.High = cell.Prediction[0], cell.Prediction[1]
			points = append(points, analysis.Point{X: cell.Published.Value, Y: y})
		}
	}
	return points
}

// limit gives both axes the range of all numbers, on logarithms if they are positive and span more
// than two decades.
func limit(f *analysis.Figure) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, series := range f.Panels[0].Series {
		for _, p := range series.Points {
			low, high = min(low, p.X, p.Y.Value), max(high, p.X, p.Y.Value)
		}
	}
	const decades, margin = 100, 0.05
	switch {
	case low > 0 && high > decades*low:
		f.LogX, f.LogY = true, true
		low, high = low/(1+margin), high*(1+margin)
	case low >= 0 && low < high/2:
		low, high = 0, high*(1+margin)
	default:
		room := max(margin*(high-low), margin*math.Abs(high))
		low, high = low-room, high+room
	}
	if low < high {
		f.RangeX, f.RangeY = &[2]float64{low, high}, &[2]float64{low, high}
	}
}
