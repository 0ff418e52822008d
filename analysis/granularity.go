package analysis

// The denominators that the digits of published percentages are consistent with.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Denominators that granularity tries: shares of so many requests.
const (
	leastDenominator = 1000
	mostDenominator  = 10000
	stepDenominator  = 1000
)

// granularity says which numbers N of requests were tried and which of them the published
// percentages of a column are consistent with, and returns the least difference that a run can
// show, in the column's unit. A printed percentage is consistent with N where some k/N, rounded to
// the digits of the table, prints as it; those digits are the most that any cell has, since zeros
// at the end are often not printed. Only denominators are tried by which a third of all numbers
// could not be printed: others are consistent with anything. For other units, for means of several
// runs, and for what we computed of printed numbers, the text is empty and the difference is that
// of the last digit.
func granularity(axis Axis, cells []*Cell, runs int) (text string, step float64) {
	digits := 0
	for _, c := range cells {
		digits = max(digits, decimals(c.Published.Printed))
	}
	step = math.Pow10(-digits)
	if axis.Unit != "%" || runs > 1 || slices.ContainsFunc(cells, func(c *Cell) bool { return c.Published.Page == "" }) {
		return "", step
	}
	var tried []*denominator
	for n := leastDenominator; n <= mostDenominator && 3*n <= 2*int(math.Pow10(digits+2)); n += stepDenominator {
		tried = append(tried, denominatorOf(n, digits, cells))
	}
	if len(tried) == 0 {
		return "", step
	}
	found, n := explain(tried, len(cells))
	if n > 0 {
		step = 100 / float64(n)
	}
	return fmt.Sprintf("shares k/N were tried with N = %d, %d, …, %d: %s", leastDenominator,
		leastDenominator+stepDenominator,
		tried[len(tried)-1].n, found), step
}

// decimals returns how many digits a printed number has after the point.
func decimals(printed string) int {
	_, fraction, _ := strings.Cut(printed, ".")
	return len(fraction)
}

// denominator is a number of requests with the cells that are consistent with it.
type denominator struct {
	n       int
	rounded []bool
	cut     []bool // where the digits are cut off instead
}

func denominatorOf(n, digits int, cells []*Cell) *denominator {
	d := &denominator{n: n, rounded: make([]bool, len(cells)), cut: make([]bool, len(cells))}
	scale := math.Pow10(digits)
	for i, c := range cells {
		printed := math.Round(c.Published.Value * scale)
		nearest := math.Round(c.Published.Value / 100 * float64(n))
		for k := nearest - 1; k <= nearest+1; k++ {
			const tiny = 1e-7 // of the last digit: a half that is not quite one in binary
			exact := k/float64(n)*100*scale + tiny
			d.rounded[i] = d.rounded[i] || math.Floor(exact+0.5) == printed
			d.cut[i] = d.cut[i] || math.Floor(exact) == printed
		}
	}
	return d
}

// explain names the denominators that explain every cell, else the two that together do with the
// fewest cells whose digits must be cut off; of those, the one that explains the most cells with
// all that explain the others. It returns that one too, 0 where none or two explain the table.
func explain(tried []*denominator, cells int) (string, int) {
	var whole []string
	n := 0
	for _, d := range tried {
		if !slices.Contains(d.rounded, false) {
			if whole = append(whole, fmt.Sprint(d.n)); n == 0 {
				n = d.n
			}
		}
	}
	if n > 0 {
		if len(whole) == 1 {
			whole[0] += " alone"
		}
		return fmt.Sprintf("all %d published percentages are such shares, rounded, for N = %s", cells, list(whole, "and")), n
	}
	var best []mixture
	for _, a := range tried {
		for _, b := range tried {
			m, explains := mix(a, b)
			if a == b || !explains || m.cutOff > cells/10 {
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

// mixture is two denominators that together explain every cell; the first explains all that it can.
type mixture struct {
	a, b                       int // denominators
	first, alone, rest, cutOff int // cells: of a, of them not of b, of b only, of neither unless digits are cut off
}

// compare orders mixtures: the fewest cells cut off, then the most that the first explains.
func (m mixture) compare(other mixture) int {
	return cmp.Or(cmp.Compare(m.cutOff, other.cutOff), cmp.Compare(other.first, m.first), cmp.Compare(m.a, other.a))
}

// mix returns the mixture of two denominators and whether it explains every cell.
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
	text += fmt.Sprintf(", the other %d for N = %s", m.rest, list(others, "or"))
	if m.cutOff > 0 {
		text += fmt.Sprintf(", and %d only if digits were cut off, not rounded", m.cutOff)
	}
	return text
}
