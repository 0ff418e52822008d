// SVG pictures: documents of their own, and elements of an HTML page.

package draw

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/font"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
)

// svgFonts names fonts with the widths of Liberation Sans for viewers without it.
const svgFonts = "'Liberation Sans',Arial,Helvetica,sans-serif"

// renderSVG returns the layout as an SVG document with a title element.
func renderSVG(l layout, title string, _ Size) []byte {
	const hundredths = 100
	s := drawnSVG(l, hundredths, nil)
	width, height := s.inPoints(s.Size())
	return s.element(title, fmt.Sprintf(`<?xml version="1.0"?>
<svg width="%spt" height="%spt" viewBox="0 0 %[1]s %[2]s" xmlns="http://www.w3.org/2000/svg" `+
		`xmlns:xlink="http://www.w3.org/1999/xlink" font-family="%s">
`, width, height, svgFonts))
}

// Styles are the styles of an HTML page's pictures, as classes of its style sheet: written at each
// element, they would be most of a picture.
type Styles struct{ rules []string }

// Sheet returns the rules for the style sheet. Pictures have the class picture.
func (s *Styles) Sheet() string {
	var sheet strings.Builder
	fmt.Fprintf(&sheet, ".picture{font-family:%s}\n.picture rect{width:%gpx;height:%[2]gpx}\n", svgFonts, hoverSize)
	for i, rule := range s.rules {
		fmt.Fprintf(&sheet, ".s%d{%s}\n", i, rule)
	}
	return sheet.String()
}

// Inline returns the figure as an svg element of a page, with an alternative text. It adds to the
// styles those of the picture. It returns an error for an unknown kind of figure, and that of ctx
// when ctx is done; styles are then of no use.
func Inline(
	ctx context.Context, figure analysis.Figure, appearances Appearances, alt string, width Width, styles *Styles,
) ([]byte, error) {
	return render(ctx, figure, appearances, Size{Width: width}, func(l layout, title string, _ Size) []byte {
		const tenths = 10
		s := drawnSVG(l, tenths, styles)
		width, height := s.inPoints(s.Size())
		return s.element(title, fmt.Sprintf(`<svg class="picture" role="img" aria-label="%s" viewBox="0 0 %s %s">`,
			html.EscapeString(alt), width, height))
	})
}

// svg is a canvas that writes SVG. Positions are whole numbers of 1/perPoint of a point; paths are
// written as differences of them, which are short. Subsequent paths, or texts, of the same style
// are one element. Colours are opaque, and paths have no Bézier curves.
type svg struct {
	strings.Builder
	width, height vg.Length
	perPoint      float64
	styles        *Styles // nil for a document, whose elements have their styles themselves
	states        []svgState
	start, end    string // start and end of the open element; end is empty if none is open
	at            [2]int // the point that the open path has reached
	from          [2]int // the point to which it moved last, and to which z returns
	tooltips      strings.Builder
}

// svgState is what Push saves.
type svgState struct {
	paint  color.Color
	width  vg.Length
	dashes []vg.Length
	turn   float64 // of the axes, in radians, counterclockwise
}

// drawnSVG returns a canvas with the layout drawn on white.
func drawnSVG(l layout, perPoint float64, styles *Styles) *svg {
	s := &svg{perPoint: perPoint, styles: styles, states: make([]svgState, 1)}
	s.width, s.height = l.size()
	vg.Initialize(s)
	white := draw.New(s)
	fillBox(white, white.Rectangle, color.White)
	l.draw(white)
	return s
}

// element returns what was drawn as an element with a title after its start tag.
func (s *svg) element(title, start string) []byte {
	s.endElement()
	text := start + s.line("<title>"+html.EscapeString(clean(title))+"</title>") + s.String()
	if s.tooltips.Len() > 0 {
		text += s.line(`<g fill-opacity="0">`) + s.tooltips.String() + s.line("</g>")
	}
	return []byte(text + s.line("</svg>"))
}

// line returns a part of the picture, in a document with a line break behind it.
func (s *svg) line(part string) string {
	if s.styles == nil {
		return part + "\n"
	}
	return part
}

// Size returns the width and height of the picture.
func (s *svg) Size() (width, height vg.Length) { return s.width, s.height }

func (s *svg) state() *svgState { return &s.states[len(s.states)-1] }

// SetLineWidth sets the width of lines.
func (s *svg) SetLineWidth(width vg.Length) { s.state().width = width }

// SetLineDash sets the lengths of dashes and gaps. Lines begin at the first dash.
func (s *svg) SetLineDash(dashes []vg.Length, _ vg.Length) { s.state().dashes = dashes }

// SetColor sets the colour of lines, areas and text.
func (s *svg) SetColor(paint color.Color) { s.state().paint = paint }

// Push saves the state.
func (s *svg) Push() { s.states = append(s.states, *s.state()) }

// Pop restores the state that Push saved last.
func (s *svg) Pop() { s.states = s.states[:len(s.states)-1] }

// Rotate turns the axes by an angle in radians, counterclockwise.
func (s *svg) Rotate(angle float64) { s.state().turn += angle }

// Translate and Scale complete the interface of canvases. Figures only turn their axes.
func (s *svg) Translate(vg.Point) { panic("SVG pictures move no axes") }

// Scale is like Translate.
func (s *svg) Scale(_, _ float64) { panic("SVG pictures scale no axes") }

// position returns where a point is in the picture, from the left and from the top.
func (s *svg) position(x, y float64) [2]int {
	sin, cos := math.Sincos(s.state().turn)
	return [2]int{s.units(cos*x - sin*y), s.units(s.height.Points() - (sin*x + cos*y))}
}

// units returns a length in points in the unit of positions.
func (s *svg) units(points float64) int { return int(math.Round(points * s.perPoint)) }

// number returns a position or difference in points in the shortest way, such as -.5.
func (s *svg) number(units int) string {
	text := strconv.FormatFloat(float64(units)/s.perPoint, 'f', -1, 64)
	if digits, cut := strings.CutPrefix(text, "0."); cut {
		return "." + digits
	}
	if digits, cut := strings.CutPrefix(text, "-0."); cut {
		return "-." + digits
	}
	return text
}

// pair returns two numbers; a minus separates them as a comma does.
func (s *svg) pair(numbers [2]int) string {
	x, y := s.number(numbers[0]), s.number(numbers[1])
	if strings.HasPrefix(y, "-") {
		return x + y
	}
	return x + "," + y
}

func (s *svg) inPoints(width, height vg.Length) (w, h string) {
	return s.number(s.units(width.Points())), s.number(s.units(height.Points()))
}

// attribute returns an attribute for a style.
func (s *svg) attribute(rule string) string {
	if s.styles == nil {
		return `style="` + rule + `"`
	}
	i := slices.Index(s.styles.rules, rule)
	if i < 0 {
		i, s.styles.rules = len(s.styles.rules), append(s.styles.rules, rule)
	}
	return fmt.Sprintf(`class="s%d"`, i)
}

// open begins an element, unless the one that is open begins in the same way.
func (s *svg) open(start, end string) {
	if s.end != "" && s.start == start {
		return
	}
	s.endElement()
	s.WriteString(start)
	s.start, s.end = start, end
	s.at, s.from = [2]int{}, [2]int{}
}

// endElement ends the open element.
func (s *svg) endElement() {
	if s.end != "" {
		s.WriteString(s.line(s.end))
		s.end = ""
	}
}

func (s *svg) openPath(rule string) { s.open("<path "+s.attribute(rule)+` d="`, `"/>`) }

// Stroke draws the line of a path.
func (s *svg) Stroke(path vg.Path) {
	state := s.state()
	rule := "fill:none;stroke:" + hex(state.paint)
	if state.width != 1 {
		rule += fmt.Sprintf(";stroke-width:%.4g", state.width.Points())
	}
	if len(state.dashes) > 0 {
		dashes := make([]string, len(state.dashes))
		for i, dash := range state.dashes {
			dashes[i] = fmt.Sprintf("%.4g", dash.Points())
		}
		rule += ";stroke-dasharray:" + strings.Join(dashes, ",")
	}
	s.openPath(rule)
	s.trace(path)
}

// Fill fills the area of a path.
func (s *svg) Fill(path vg.Path) {
	s.openPath("fill:" + hex(s.state().paint))
	s.trace(path)
}

func (s *svg) trace(path vg.Path) {
	for _, segment := range path {
		x, y := segment.Pos.X.Points(), segment.Pos.Y.Points()
		switch segment.Type {
		case vg.MoveComp:
			s.moveTo(s.position(x, y))
		case vg.LineComp:
			s.lineTo(s.position(x, y))
		case vg.ArcComp:
			s.arc(x, y, segment)
		case vg.CloseComp:
			s.WriteString("z")
			s.at = s.from
		}
	}
}

// step returns the way from the point that the path has reached to another one, which it then has
// reached.
func (s *svg) step(to [2]int) [2]int {
	way := [2]int{to[0] - s.at[0], to[1] - s.at[1]}
	s.at = to
	return way
}

func (s *svg) moveTo(to [2]int) {
	s.WriteString("m" + s.pair(s.step(to))) // the first one is from the origin
	s.from = to
}

func (s *svg) lineTo(to [2]int) {
	switch way := s.step(to); {
	case way[1] == 0:
		s.WriteString("h" + s.number(way[0]))
	case way[0] == 0:
		s.WriteString("v" + s.number(way[1]))
	default:
		s.WriteString("l" + s.pair(way))
	}
}

// arc draws an arc around a point, from the point that the path has reached counterclockwise, as
// arcs of at most half a circle, since in SVG the ends of an arc have to differ.
func (s *svg) arc(x, y float64, segment vg.PathComp) {
	r := segment.Radius.Points()
	pieces := math.Ceil(segment.Angle / math.Pi)
	radius := s.number(s.units(r))
	for i := range int(pieces) {
		sin, cos := math.Sincos(segment.Start + segment.Angle*float64(i+1)/pieces)
		end := s.position(x+r*cos, y+r*sin)
		s.WriteString("a" + radius + "," + radius + " 0 0 0 " + s.pair(s.step(end)))
	}
}

// FillString writes a text that begins at a point.
func (s *svg) FillString(face plotfont.Face, at vg.Point, text string) {
	rule := fmt.Sprintf("font-size:%.4gpx", face.Font.Size.Points())
	if face.Font.Weight == font.WeightBold {
		rule += ";font-weight:bold"
	}
	s.open("<g "+s.attribute(rule+";fill:"+hex(s.state().paint))+">", "</g>")
	position := s.position(at.X.Points(), at.Y.Points())
	x, y := s.number(position[0]), s.number(position[1])
	where := fmt.Sprintf(`x="%s" y="%s"`, x, y)
	if turn := s.state().turn; turn != 0 {
		rounded := func(x float64) float64 { return math.Round(x*1e4)/1e4 + 0 } // not -0
		sin, cos := math.Sincos(turn)
		where = fmt.Sprintf(`transform="matrix(%v,%v,%v,%v,%s,%s)"`, rounded(cos), rounded(-sin), rounded(sin), rounded(cos),
			x, y)
	}
	s.WriteString(s.line("<text " + where + ">" + html.EscapeString(text) + "</text>"))
}

// DrawImage draws an image in a rectangle that is not turned. Its dots may have other proportions
// than the rectangle, which it fills all the same.
func (s *svg) DrawImage(box vg.Rectangle, picture image.Image) {
	var data bytes.Buffer
	if err := png.Encode(&data, picture); err != nil {
		panic(fmt.Sprintf("draw image: %v", err)) // a bug: writing to memory does not fail
	}
	s.endElement()
	corner := s.position(box.Min.X.Points(), box.Max.Y.Points())
	opposite := s.position(box.Max.X.Points(), box.Min.Y.Points())
	s.WriteString(s.line(fmt.Sprintf(`<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" `+
		`xlink:href="data:image/png;base64,%s"/>`, s.number(corner[0]), s.number(corner[1]),
		s.number(opposite[0]-corner[0]), s.number(opposite[1]-corner[1]), base64.StdEncoding.EncodeToString(data.Bytes()))))
}

// hex returns a colour as #rrggbb, or #rgb where that is the same.
func hex(paint color.Color) string {
	r, g, b, _ := paint.RGBA()
	text := fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
	if text[1] == text[2] && text[3] == text[4] && text[5] == text[6] {
		return "#" + text[1:2] + text[3:4] + text[5:6]
	}
	return text
}
