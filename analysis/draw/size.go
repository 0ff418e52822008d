// The size of figures: the width of the picture and the resolution of PNG files.

package draw

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Size is the width of figures and the resolution of PNG files. Text has its size in points at any
// width. The zero value is the page's width at 300 dots per inch.
type Size struct {
	Width Width
	DPI   Resolution
}

// Width is a width in points, of which an inch has 72; 0 is Page. It is a pflag.Value.
type Width float64

// The widths of one of two columns on a journal's page, and of the text of a page.
const (
	Column = Width(3.5 * vg.Inch)
	Page   = Width(6.5 * vg.Inch)

	narrowestPicture = Width(2 * vg.Inch)
	widestPicture    = Width(40 * vg.Inch)
)

// String returns column, page or the width in inches.
func (w Width) String() string {
	switch w {
	case Column:
		return "column"
	case Page, 0:
		return "page"
	}
	return strconv.FormatFloat(float64(w/Width(vg.Inch)), 'g', 4, 64) + "in"
}

// Set reads column, page, or a number with the unit in, cm, mm or pt. Figures narrower than 2 or
// wider than 40 inches are errors.
func (w *Width) Set(text string) error {
	if width, isName := map[string]Width{"column": Column, "page": Page}[text]; isName {
		*w = width
		return nil
	}
	for _, unit := range []struct {
		name string
		size vg.Length
	}{{"in", vg.Inch}, {"cm", vg.Centimeter}, {"mm", vg.Millimeter}, {"pt", vg.Length(1)}} {
		digits, has := strings.CutSuffix(text, unit.name)
		if !has {
			continue
		}
		number, err := strconv.ParseFloat(digits, 64)
		width := Width(number) * Width(unit.size)
		if err == nil && width >= narrowestPicture && width <= widestPicture {
			*w = width
			return nil
		}
	}
	return errors.New("write column (3.5in), page (6.5in) or a width from 2in to 40in, such as 3.3in, 84mm or 252pt")
}

// Type returns the name of the type in the help of a command.
func (w *Width) Type() string { return "width" }

// Resolution is a number of dots per inch; 0 is 300. It is a pflag.Value.
type Resolution int

const usualResolution = Resolution(300) // what journals ask for at least

// String returns the number.
func (r Resolution) String() string { return strconv.Itoa(int(r.dots())) }

// Set reads a whole number from 50 to 1200.
func (r *Resolution) Set(text string) error {
	const least, most = 50, 1200
	dots, err := strconv.Atoi(text)
	if err != nil || dots < least || dots > most {
		return fmt.Errorf("write a whole number of dots per inch from %d to %d", least, most)
	}
	*r = Resolution(dots)
	return nil
}

// Type returns the name of the type in the help of a command.
func (r *Resolution) Type() string { return "dots" }

func (r Resolution) dots() Resolution { return cmp.Or(r, usualResolution) }

// width returns the width of the picture.
func (s Size) width() vg.Length { return vg.Length(cmp.Or(s.Width, Page)) }
