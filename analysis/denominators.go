// The denominators that the digits of published percentages are consistent with.

package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
)

// The denominators that are tried, which are numbers of requests.
const (
	leastDenominator = 1000
	mostDenominator  = 10000
	stepDenominator  = 1000
)

// denominators tries which numbers N of requests the published percentages of a column are
// consistent with. It returns the result in words and the granularity: the least difference that a
// run can show, in the column's unit. For other units, for means of several runs and for numbers
// computed from printed ones, the text is empty. Then, and where no N is consistent with them, the
// granularity is one unit of the last digit.
//
// A percentage is consistent with N if some k/N, rounded to so many digits after the point, equals
// it. A denominator is tried only if it excludes at least a third of all printable numbers: larger
// ones are consistent with almost anything.
func denominators(axis Axis, cells []*Cell, digits, runs int) (text string, granularity float64) {
	granularity = math.Pow10(-digits)
	if axis.Unit != "%" || runs > 1 || slices.ContainsFunc(cells, func(c *Cell) bool { return c.Published.Page == "" }) {
		return "", granularity
	}
	var tried []*denominator
	for n := leastDenominator; n <= mostDenominator && 3*n <= 2*int(math.Pow10(digits+2)); n += stepDenominator {
		tried = append(tried, denominatorOf(n, digits, cells))
	}
	if len(tried) == 0 {
		return "", granularity
	}
	found, n := consistentInWords(tried, len(cells))
	if n > 0 {
		granularity = 100 / float64(n)
	}
	return fmt.Sprintf("shares k/N were tried with N = %d, %d, …, %d: %s", leastDenominator,
		leastDenominator+stepDenominator, tried[len(tried)-1].n, found), granularity
}

// mostDecimals returns the most digits after the point that any of the published numbers has: those
// of all, since trailing zeros are often not printed.
func mostDecimals(cells []*Cell) int {
	digits := 0
	for _, c := range cells {
		digits = max(digits, decimals(c.Published.Text))
	}
	return digits
}

// decimals returns the number of digits after the point of a printed number.
func decimals(printed string) int {
	_, fraction, _ := strings.Cut(printed, ".")
	return len(fraction)
}

// denominator is a number of requests and the cells that are consistent with it.
type denominator struct {
	n       int
	rounded []bool // by cell: whether it is consistent if percentages are rounded
	cut     []bool // by cell: whether it is if their further digits are cut off
}

func denominatorOf(n, digits int, cells []*Cell) *denominator {
	d := &denominator{n: n, rounded: make([]bool, len(cells)), cut: make([]bool, len(cells))}
	scale := math.Pow10(digits)
	for i, c := range cells {
		printed := math.Round(c.Published.Value * scale)
		nearest := math.Round(c.Published.Value / 100 * float64(n))
		for k := nearest - 1; k <= nearest+1; k++ {
			const tiny = 1e-7 // of the last digit: a half that is not quite one in binary
			unrounded := k/float64(n)*100*scale + tiny
			d.rounded[i] = d.rounded[i] || math.Floor(unrounded+0.5) == printed
			d.cut[i] = d.cut[i] || math.Floor(unrounded) == printed
		}
	}
	return d
}

// consistentInWords returns in words which denominators every cell is consistent with, and the
// smallest of them. If there is none, it takes the best mixtures (see mixture.compare) of those
// that cut off at most a tenth of the cells, and their first denominator; without mixtures, 0.
func consistentInWords(tried []*denominator, cells int) (string, int) {
	var whole []string
	n := 0
	for _, d := range tried {
		if !slices.Contains(d.rounded, false) {
			whole = append(whole, fmt.Sprint(d.n))
			n = cmp.Or(n, d.n)
		}
	}
	if n > 0 {
		if len(whole) == 1 {
			whole[0] += " alone"
		}
		return fmt.Sprintf("all %d published percentages are such shares, rounded, for N = %s", cells,
			english.WordSeries(whole, "and")), n
	}
	var best []mixture
	for _, a := range tried {
		for _, b := range tried {
			m, isComplete := mix(a, b)
			if a == b || !isComplete || m.cutOff > cells/10 {
				continue
			}
			if len(best) > 0 && m.compare(best[0]) < 0 {
				best = best[:0]
			}
			if len(best) == 0 || m.compare(best[0]) == 0 {
				best = append(best, m)
			}
		}
	}
	if len(best) == 0 {
		return fmt.Sprintf("for no one or two N are all %d published percentages such shares", cells), 0
	}
	return inWords(best, cells), best[0].a
}

// mixture is two denominators such that every cell is consistent with one of them, if need be with
// digits cut off. Cells that are consistent with both count for the first.
type mixture struct {
	a, b int // denominators
	// The numbers of cells: consistent with a, of them not with b, with b only, and with neither
	// unless digits are cut off.
	first, alone, rest, cutOff int
}

// compare orders mixtures from few to many cells cut off, then from many to few that are consistent
// with a, and then by a.
func (m mixture) compare(other mixture) int {
	return cmp.Or(cmp.Compare(m.cutOff, other.cutOff), cmp.Compare(other.first, m.first), cmp.Compare(m.a, other.a))
}

// mix returns the mixture of two denominators, and whether every cell is consistent with one of
// them, if need be with digits cut off.
func mix(a, b *denominator) (mixture, bool) {
	m := mixture{a: a.n, b: b.n}
	for i := range a.rounded {
		switch {
		case a.rounded[i] && b.rounded[i]:
			m.first++
		case a.rounded[i]:
			m.first++
			m.alone++
		case b.rounded[i]:
			m.rest++
		case a.cut[i] || b.cut[i]:
			m.cutOff++
		default:
			return m, false
		}
	}
	return m, true
}

// inWords describes equally good mixtures, which share their first denominator.
func inWords(best []mixture, cells int) string {
	m := best[0]
	text := fmt.Sprintf("for no single N are all %d published percentages such shares, rounded; %d are for N = %d",
		cells, m.first, m.a)
	var others []string
	for _, other := range best {
		others = append(others, fmt.Sprint(other.b))
	}
	if len(best) == 1 {
		text += fmt.Sprintf(" (%d of them not for N = %d)", m.alone, m.b)
	}
	text += fmt.Sprintf(", the other %d for N = %s", m.rest, english.WordSeries(others, "or"))
	if m.cutOff > 0 {
		text += fmt.Sprintf(", and %d only if digits were cut off, not rounded", m.cutOff)
	}
	return text
}
