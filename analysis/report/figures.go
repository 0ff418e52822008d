// Figures for the template of the page: the embedded picture and its alternative text.

package report

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis"
	"gridsweep/analysis/draw"
	"gridsweep/analysis/tabulate"
	"gridsweep/configs/language"
)

// figureView is a figure as the template shows it.
type figureView struct {
	analysis.Figure
	ID      string
	Picture template.HTML // an svg element
	Files   []file
}

func newFigureView(
	ctx context.Context, figure analysis.Figure, appearances draw.Appearances, directory string, ids anchors,
	styles *draw.Styles,
) (figureView, error) {
	picture, err := pictureOf(ctx, figure, appearances, draw.Page, styles)
	if err != nil {
		return figureView{}, err
	}
	return figureView{
		Figure: figure, ID: ids.id("figure", figure.Name), Picture: picture,
		Files: filesOf(directory, "figures", draw.Files(figure.Name)),
	}, nil
}

// pictureOf draws a figure with its alternative text.
func pictureOf(
	ctx context.Context, figure analysis.Figure, appearances draw.Appearances, width draw.Width, styles *draw.Styles,
) (template.HTML, error) {
	picture, err := draw.Inline(ctx, figure, appearances, describe(figure), width, styles)
	if err != nil {
		return "", fmt.Errorf("write report: %w", err)
	}
	return template.HTML(picture), nil
}

// describe returns the alternative text of a figure: its axes and the range of each series.
func describe(figure analysis.Figure) string {
	kind := map[language.FigureKind]string{
		language.Line: "Line chart", language.Bar: "Bar chart", language.Points: "Scatter chart", language.Heat: "Heat map",
		language.Gantt: "Gantt chart",
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s of %s", kind[figure.Kind], tabulate.ShortTitle(figure.Y))
	if figure.Right != nil {
		fmt.Fprintf(&text, " and, on the right axis, %s", tabulate.ShortTitle(*figure.Right))
	}
	fmt.Fprintf(&text, " over %s.", tabulate.ShortTitle(figure.X))
	published := false
	for _, panel := range figure.Panels {
		if panel.Label != "" {
			fmt.Fprintf(&text, " Panel %s:", panel.Label)
		}
		fmt.Fprintf(&text, " %d series:", len(panel.Series))
		for i, series := range panel.Series {
			separator := ";"
			if i == len(panel.Series)-1 {
				separator = "."
			}
			text.WriteString(" " + strings.TrimSpace(series.Label+" "+contentOf(figure, series)) + separator)
			published = published || len(series.Published) > 0
		}
	}
	if published {
		text.WriteString(" Hollow markers show the published numbers.")
	}
	if outside := figure.Outside(); outside != "" {
		text.WriteString(" " + outside)
	}
	return text.String()
}

// contentOf returns the number of rectangles or the range of values of a series, in words.
func contentOf(figure analysis.Figure, series analysis.Series) string {
	if figure.Kind != language.Gantt {
		return rangeOf(series.Points)
	}
	return "with " + english.Plural(len(series.Points), "rectangle", "")
}

// rangeOf returns the range of the points' values, in words.
func rangeOf(points []analysis.Point) string {
	low, high := math.Inf(1), math.Inf(-1)
	decimals, found := 0, false
	for _, point := range points {
		if !math.IsNaN(point.Y.Value) {
			low, high = min(low, point.Y.Value), max(high, point.Y.Value)
			decimals, found = max(decimals, tabulate.Decimals(point.Y)), true
		}
	}
	switch {
	case !found:
		return "without data"
	case low == high:
		return "at " + tabulate.Number(low, decimals)
	default:
		return "from " + tabulate.Number(low, decimals) + " to " + tabulate.Number(high, decimals)
	}
}
