// The file figures.json: the numbers of the figures, for notebooks.

package draw

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gridsweep/analysis"
	"gridsweep/analysis/tabulate"
	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// WriteNumbers writes the numbers from which the figures are drawn as JSON, a figure in a line.
// Numbers are in the units of their axes; null stands for one that is undefined. Equal figures give
// equal bytes.
func WriteNumbers(w io.Writer, figures []analysis.Figure) error {
	lines := make([]string, len(figures))
	for i, figure := range figures {
		text, err := json.Marshal(figureDocumentOf(figure))
		if err != nil {
			return fmt.Errorf("write figure %s: %w", figure.Name, err)
		}
		lines[i] = string(text)
	}
	list := strings.Join(lines, ",\n")
	if list != "" {
		list = "\n" + list + "\n"
	}
	if _, err := fmt.Fprintf(w, "{\"figures\": [%s]}\n", list); err != nil {
		return fmt.Errorf("write figures: %w", err)
	}
	return nil
}

type figureDocument struct {
	Name     string              `json:"name"`
	Title    string              `json:"title"`
	Kind     language.FigureKind `json:"kind"`
	Caption  string              `json:"caption"`
	X        axisDocument        `json:"x"`
	Y        axisDocument        `json:"y"`
	Right    *axisDocument       `json:"right,omitempty"`
	Rows     *axisDocument       `json:"rows,omitempty"` // the axis of the series of a heat map
	LogX     bool                `json:"log_x,omitempty"`
	LogY     bool                `json:"log_y,omitempty"`
	RangeX   *[2]float64         `json:"range_x,omitempty"`
	Whiskers language.Whiskers   `json:"whiskers"`
	Diagonal bool                `json:"diagonal,omitempty"`
	Panels   []panelDocument     `json:"panels"`
	Warnings []string            `json:"warnings,omitempty"`
}

type axisDocument struct {
	Name   string   `json:"name"`
	Title  string   `json:"title"`
	Symbol string   `json:"symbol,omitempty"`
	Unit   string   `json:"unit,omitempty"`
	Shown  string   `json:"shown_unit,omitempty"`
	Size   float64  `json:"shown_unit_size,omitempty"` // of the shown unit, in the unit
	Labels []string `json:"labels,omitempty"`
}

type panelDocument struct {
	Label  string           `json:"label"`
	Y      axisDocument     `json:"y"`
	RangeY *[2]float64      `json:"range_y,omitempty"`
	Series []seriesDocument `json:"series"`
}

type seriesDocument struct {
	Label string `json:"label"`
	Right bool   `json:"right,omitempty"`
	pointsDocument
	Published *pointsDocument `json:"published,omitempty"`
}

// pointsDocument is points by columns.
type pointsDocument struct {
	X      jsonNumbers `json:"x"`
	Labels []string    `json:"labels,omitempty"`
	Value  jsonNumbers `json:"value"`
	Low    jsonNumbers `json:"low,omitempty"`
	High   jsonNumbers `json:"high,omitempty"`
	N      []int       `json:"n,omitempty"`
	SD     jsonNumbers `json:"sd,omitempty"`
	Width  jsonNumbers `json:"width,omitempty"`
	Height jsonNumbers `json:"height,omitempty"`
}

// jsonNumbers are written as JSON with null for what is not finite, which JSON does not have.
type jsonNumbers []float64

// MarshalJSON returns the numbers as a list.
func (n jsonNumbers) MarshalJSON() ([]byte, error) {
	text := []byte{'['}
	for i, x := range n {
		if i > 0 {
			text = append(text, ',')
		}
		if finite(x) {
			text = strconv.AppendFloat(text, x, 'g', -1, 64)
		} else {
			text = append(text, "null"...)
		}
	}
	return append(text, ']'), nil
}

func figureDocumentOf(figure analysis.Figure) figureDocument {
	d := figureDocument{
		Name: figure.Name, Title: figure.Title, Kind: figure.Kind, Caption: figure.Caption,
		X: axisDocumentOf(figure.X), Y: axisDocumentOf(figure.Y), LogX: figure.LogX, LogY: figure.LogY,
		RangeX: figure.RangeX, Whiskers: cmp.Or(figure.Whiskers, language.Interval), Diagonal: figure.Diagonal,
		Panels: []panelDocument{}, Warnings: figure.Warnings,
	}
	if figure.Right != nil {
		right := axisDocumentOf(*figure.Right)
		d.Right = &right
	}
	if figure.Kind == language.Heat {
		rows := axisDocumentOf(figure.Rows)
		d.Rows = &rows
	}
	for _, p := range figure.Panels {
		panel := panelDocument{
			Label: p.Label, Y: axisDocumentOf(p.Y), RangeY: figure.LimitsY(p), Series: []seriesDocument{},
		}
		for _, s := range p.Series {
			series := seriesDocument{Label: s.Label, Right: s.Right, pointsDocument: ourPoints(figure.Kind, s.Points)}
			if len(s.Published) > 0 {
				published := pointsDocumentOf(s.Published)
				series.Published = &published
			}
			panel.Series = append(panel.Series, series)
		}
		d.Panels = append(d.Panels, panel)
	}
	return d
}

// axisDocumentOf returns the axis with the title that figures show, without its unit.
func axisDocumentOf(a analysis.Axis) axisDocument {
	d := axisDocument{
		Name: a.Name, Symbol: a.Symbol, Unit: a.Unit, Shown: a.Shown.Name, Size: a.Shown.Size, Labels: a.Labels,
	}
	a.Unit, a.Shown = "", study.Unit{}
	d.Title = tabulate.ShortTitle(a)
	return d
}

// pointsDocumentOf returns the positions and values of points.
func pointsDocumentOf(points []analysis.Point) pointsDocument {
	d := pointsDocument{X: jsonNumbers{}, Value: jsonNumbers{}}
	labelled := false
	for _, p := range points {
		d.X, d.Labels, d.Value = append(d.X, p.X), append(d.Labels, p.Label), append(d.Value, p.Y.Value)
		labelled = labelled || p.Label != ""
	}
	if !labelled {
		d.Labels = nil
	}
	return d
}

// ourPoints returns points with their estimates, or with their sizes where they are rectangles. The
// points of a scatter chart have neither.
func ourPoints(kind language.FigureKind, points []analysis.Point) pointsDocument {
	d := pointsDocumentOf(points)
	for _, p := range points {
		switch {
		case kind == language.Gantt:
			d.Width, d.Height = append(d.Width, p.Width), append(d.Height, p.Height)
		case kind != language.Points:
			d.Low, d.High = append(d.Low, p.Y.Low), append(d.High, p.Y.High)
			d.N, d.SD = append(d.N, p.Y.N), append(d.SD, p.Y.SD)
		}
	}
	return d
}
