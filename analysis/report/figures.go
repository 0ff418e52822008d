package report

// Figures for the template of the page: the embedded picture and its alternative text.

import (
	"context"
	"fmt"
	"html"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strconv"
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
	ctx context.Context, figure analysis.Figure, looks draw.Looks, directory string, ids anchors, styles *styles,
) (figureView, error) {
	picture, err := draw.SVG(ctx, figure, looks, draw.Size{})
	if err != nil {
		return figureView{}, fmt.Errorf("write report: %w", err)
	}
	return figureView{
		Figure: figure, ID: ids.id("figure", figure.Name), Picture: styles.inline(picture, describe(figure)),
		Files: filesOf(directory, "figures", draw.Files(figure.Name)),
	}, nil
}

// styles are the distinct style attributes of a page's pictures, as classes of its style sheet.
// They are most of the text of an SVG document.
type styles struct{ rules []string }

var (
	styleAttribute = regexp.MustCompile(`style="([^"]*)"`)
	breaks         = regexp.MustCompile(`\n\s*`)
	outline        = regexp.MustCompile(`<path d="([^"]*)" class="(s\d+)" />`)
	decimals       = regexp.MustCompile(`(\.\d)\d+`)
	lineTo         = regexp.MustCompile(`Z|([ML])([-\d.]+),([-\d.]+)`)
)

// common removes attributes of texts and of points that are in the style sheet of all pages.
var common = strings.NewReplacer(` transform="scale(1, -1)" class`, " class", ` r="3"><title>`, "><title>")

// inline returns an SVG document as an element of the page with an alternative text.
func (s *styles) inline(document []byte, alt string) template.HTML {
	text := string(document)
	text = text[strings.Index(text, "<svg"):] // without the head of the document
	text = breaks.ReplaceAllString(strings.TrimSpace(text), " ")
	text = styleAttribute.ReplaceAllStringFunc(text, func(attribute string) string {
		rule := html.UnescapeString(styleAttribute.FindStringSubmatch(attribute)[1])
		i := slices.Index(s.rules, rule)
		if i < 0 {
			i, s.rules = len(s.rules), append(s.rules, rule)
		}
		return fmt.Sprintf(`class="s%d"`, i)
	})
	text = common.Replace(text)
	text = s.joinOutlines(strings.ReplaceAll(text, "> <", "><"))
	return template.HTML(`<svg class="picture" role="img" aria-label="` + html.EscapeString(alt) + `"` +
		strings.TrimPrefix(text, "<svg"))
}

// joinOutlines makes one path of subsequent paths that are not filled and look the same, at a
// precision of a tenth of a point.
func (s *styles) joinOutlines(text string) string {
	var joined strings.Builder
	end, open := 0, ""
	var drawing pen
	for _, at := range outline.FindAllStringSubmatchIndex(text, -1) {
		path, class := text[at[2]:at[3]], text[at[4]:at[5]]
		if open != class || end != at[0] {
			joined.WriteString(closing(open) + text[end:at[0]] + `<path class="` + class + `" d="`)
			drawing = pen{}
		}
		joined.WriteString(drawing.write(path))
		end, open = at[1], class
		if i, err := strconv.Atoi(class[1:]); err != nil || !strings.Contains(s.rules[i], "fill:none") {
			joined.WriteString(closing(open))
			open = ""
		}
	}
	return joined.String() + closing(open) + text[end:]
}

// pen writes paths in tenths of a point, relative to the point before where that is shorter.
type pen struct {
	x, y           int // in tenths
	startX, startY int // of the line, to which Z returns
	isDown         bool
}

// write returns a path of straight lines that continues those before; another path as it is.
func (p *pen) write(path string) string {
	if strings.Trim(path, "ML-0123456789.,Z") != "" {
		p.isDown = false // after a curve, the regular expression does not know the point
		return decimals.ReplaceAllString(path, "$1")
	}
	return lineTo.ReplaceAllStringFunc(path, func(command string) string {
		if command == "Z" {
			p.x, p.y = p.startX, p.startY
			return command
		}
		found := lineTo.FindStringSubmatch(command)
		return p.to(found[1] == "M", tenths(found[2]), tenths(found[3]))
	})
}

// to moves to a point, or draws a line to it.
func (p *pen) to(isMove bool, x, y int) string {
	dx, dy := x-p.x, y-p.y
	p.x, p.y = x, y
	switch {
	case isMove && !p.isDown:
		p.startX, p.startY, p.isDown = x, y, true
		return "M" + pair(x, y)
	case isMove:
		p.startX, p.startY = x, y
		return "m" + pair(dx, dy)
	case dy == 0:
		return "h" + inPoints(dx)
	case dx == 0:
		return "v" + inPoints(dy)
	}
	return "l" + pair(dx, dy)
}

// tenths returns a number of points in tenths.
func tenths(number string) int {
	x, _ := strconv.ParseFloat(number, 64) // the expression of a line matches numbers
	return int(math.Round(10 * x))
}

// inPoints returns tenths as points in the shortest way, such as -.5.
func inPoints(tenths int) string {
	text := strconv.FormatFloat(float64(tenths)/10, 'f', -1, 64)
	if rest, found := strings.CutPrefix(text, "0."); found {
		return "." + rest
	}
	if rest, found := strings.CutPrefix(text, "-0."); found {
		return "-." + rest
	}
	return text
}

// pair returns two numbers; a minus separates them as a comma does.
func pair(x, y int) string {
	if y < 0 {
		return inPoints(x) + inPoints(y)
	}
	return inPoints(x) + "," + inPoints(y)
}

// closing returns the end of an open path.
func closing(open string) string {
	if open == "" {
		return ""
	}
	return `" />`
}

// sheet returns the rules of the style sheet.
func (s *styles) sheet() string {
	var sheet strings.Builder
	for i, rule := range s.rules {
		fmt.Fprintf(&sheet, ".s%d{%s}\n", i, rule)
	}
	return sheet.String()
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
