// The test of a claim in words.

package analysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// describe returns the test of a claim in words.
func describe(c *study.Claim) string {
	var along, always, most []string // of all assertions
	for _, a := range c.Assertions {
		always, most = append(always, dimNames(&a.Query, a.For)...), append(most, dimNames(&a.Query, a.Most)...)
		if a.Along >= 0 {
			along = append(along, a.Dims[a.Along].Name)
		}
	}
	text := numbersInWords(&c.Assertions[0].Query) + " " + testInWords(c.Test, english.WordSeries(unique(along), "and"))
	if len(always) > 0 {
		text += ", at every level of " + english.WordSeries(unique(always), "and")
	}
	if len(most) > 0 {
		text += ", at more than half of the levels of " + english.WordSeries(unique(most), "and")
		if len(c.Assertions) > 1 {
			text += " taken together"
		}
		if !c.HasTolerance() {
			text += " at which anything differs"
		}
	}
	if c.EquivalenceMargin > 0 {
		text += fmt.Sprintf(", where differences of at most %s count neither way", exact(c.EquivalenceMargin))
	}
	return text
}

// dimNames returns the names of dimensions of a query.
func dimNames(q *study.Query, dims []int) []string {
	var names []string
	for _, d := range dims {
		names = append(names, q.Dims[d].Name)
	}
	return names
}

// numbersInWords names the numbers of a query.
func numbersInWords(q *study.Query) string {
	text := english.WordSeries(columnNames(q.Shown), "and")
	if len(q.Stats) > 0 {
		text = english.WordSeries(language.Strings(statisticsOf(q)), "and") + " of " + text
	} else {
		text = "mean " + text
	}
	var where, against []string
	for _, w := range q.Where {
		where = append(where, q.Dims[w.Dim].Name+" "+english.WordSeries(study.Texts(w.Labels), "or"))
	}
	for _, a := range q.Against {
		against = append(against, q.Dims[a.Dim].Name+" "+a.Labels[0].Text)
	}
	if q.Worst {
		against = []string{"the worst"}
	}
	if len(where) > 0 {
		text += " (" + strings.Join(where, ", ") + ")"
	}
	if len(against) > 0 {
		how := "less that of"
		switch q.As {
		case language.Percent:
			how = "in percent of"
		case language.Ratio:
			how = "in proportion to"
		case language.Improvement:
			how = "improved against"
		}
		text += " " + how + " " + strings.Join(against, ", ")
	}
	if len(q.Over) > 0 {
		text += ", averaged over " + english.WordSeries(dimNames(q, q.Over), "and") + ","
	}
	return text
}

// testInWords returns what a claim asserts of its numbers along dimensions.
func testInWords(t study.Test, along string) string {
	switch {
	case len(t.Order) > 0:
		var groups []string
		for _, group := range t.Order {
			groups = append(groups, strings.Join(study.Texts(group), ", "))
		}
		order := strings.Join(groups, " < ")
		return fmt.Sprintf("rises along %s in the order %s, each with each of the next group", along, order)
	case t.Trend == language.Peaks:
		return fmt.Sprintf("is larger at a level of %s between the ends than at both ends", along)
	case t.Trend != "":
		return fmt.Sprintf("%s from level to level of %s", t.Trend, along)
	case t.Above != nil:
		return "is above " + exact(*t.Above)
	case t.Below != nil:
		return "is below " + exact(*t.Below)
	case t.Near != nil:
		return fmt.Sprintf("is within %s of %s", exact(t.Within), exact(*t.Near))
	default:
		return fmt.Sprintf("differs by at most %s along %s", exact(*t.Spread), along)
	}
}

// unique returns the different words, in the order in which they come first.
func unique[W ~string](words []W) []W {
	var different []W
	for _, word := range words {
		if !slices.Contains(different, word) {
			different = append(different, word)
		}
	}
	return different
}

// note joins reasons. It leaves out empty ones.
func note(reasons ...string) string {
	isEmpty := func(reason string) bool { return reason == "" }
	return strings.Join(slices.DeleteFunc(slices.Clone(reasons), isEmpty), "; ")
}

// exact writes a number with all its digits.
func exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
