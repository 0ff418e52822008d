// The agreement of published numbers in sentences: over the universes of an experiment, and by the
// bias of tables.

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
	"gridsweep/analysis/tabulate"
	"gridsweep/sweeps/study"
)

// rangeOver tells in which universes the published numbers of a table, or of several, agree most
// and least. Universes with equal numbers in every replication are one.
func rangeOver(a analysis.Agreements) string {
	universes, equal := distinct(a.Universes)
	least, most := universes[0], universes[0]
	byDefault := ""
	differs := func(u analysis.UniverseAgreement) bool { return u.Cells != universes[0].Cells }
	cellsDiffer := slices.ContainsFunc(universes, differs)
	of := func(u analysis.UniverseAgreement) string {
		if cellsDiffer {
			return fmt.Sprintf("%d of %d", u.Inside, u.Cells)
		}
		return strconv.Itoa(u.Inside)
	}
	isLess := func(u, v analysis.UniverseAgreement) bool { return u.Inside*v.Cells < v.Inside*u.Cells }
	for _, u := range universes {
		if isLess(u, least) {
			least = u
		}
		if isLess(most, u) {
			most = u
		}
		if u.Alternatives() == 0 {
			byDefault = "; by default " + of(u)
		}
	}
	if !isLess(least, most) {
		which := fmt.Sprintf("all %d universes", len(universes))
		switch len(universes) {
		case 1:
			which = "the universe"
		case 2:
			which = "both universes"
		}
		return fmt.Sprintf("In %s of %s %d of %d published numbers lie in our prediction intervals%s.",
			which, analysis.Quoted(a.Experiment), most.Inside, most.Cells, equal)
	}
	return fmt.Sprintf("In the %d universes of %s from %s (%s) to %d of %d (%s) published numbers lie in our "+
		"prediction intervals%s%s.", len(universes), analysis.Quoted(a.Experiment), of(least), nameOf(least.Universe),
		most.Inside, most.Cells, nameOf(most.Universe), byDefault, equal)
}

// distinct returns the universes without those that have the numbers of one with fewer alternatives
// in every replication, or of an earlier one. It names these in words after a semicolon, but only
// counts those of several alternatives.
func distinct(universes []analysis.UniverseAgreement) (kept []analysis.UniverseAgreement, equal string) {
	first := map[uint64]int{}
	for i, u := range universes {
		if at, isKnown := first[u.Numbers]; !isKnown || u.Alternatives() < universes[at].Alternatives() {
			first[u.Numbers] = i
		}
	}
	single := map[uint64][]string{}
	combined := 0
	for i, u := range universes {
		switch {
		case first[u.Numbers] == i:
			kept = append(kept, u)
		case u.Alternatives() == 1:
			single[u.Numbers] = append(single[u.Numbers], u.Label)
		default:
			combined++
		}
	}
	const most = 5
	for _, u := range kept {
		if names := single[u.Numbers]; len(names) > 0 {
			equal += fmt.Sprintf("; %s %s the numbers of %s in every replication", firstOf(names, most, "more", "more"),
				english.PluralWord(len(names), "has", "have"), u.Label)
		}
	}
	if combined > 0 {
		equal += fmt.Sprintf("; %d more %s the numbers of one of these in every replication", combined,
			english.PluralWord(combined, "has", "have"))
	}
	return kept, equal
}

// nameOf returns the label of a universe, or how many alternatives it has where they are many.
func nameOf(u study.Universe) string {
	const many = 4
	if n := u.Alternatives(); n >= many {
		return fmt.Sprintf("a universe of %d alternatives", n)
	}
	return u.Label
}

// agreementsOf sums the agreement of all tables in each universe, by experiment.
func agreementsOf(tables []analysis.Table) []analysis.Agreements {
	var sums []analysis.Agreements
	for _, t := range tables {
		for _, a := range t.Universes {
			i := slices.IndexFunc(sums, func(s analysis.Agreements) bool { return s.Experiment == a.Experiment })
			if i < 0 {
				a.Universes = slices.Clone(a.Universes)
				sums = append(sums, a)
				continue
			}
			for u := range a.Universes {
				sums[i].Universes[u].Cells += a.Universes[u].Cells
				sums[i].Universes[u].Inside += a.Universes[u].Inside
				const multiplier = 31 // of hashes, so that equal tables in another order differ
				sums[i].Universes[u].Numbers = multiplier*sums[i].Universes[u].Numbers + a.Universes[u].Numbers
			}
		}
	}
	return sums
}

// biases tells in which tables the bias is largest against its interval, those of printed numbers
// first, and in which of their rows or columns it is; empty if none is other than 0. Where that of
// a table is not clear, it names the column or rows with the largest one. The largest of many may
// be clear by chance, so an interval twice as wide must not contain 0 either: with ten replications
// and no bias, one subtable in 700 passes.
func biases(tables []analysis.Table) string {
	type biased struct {
		text     string
		computed int // 1 if the numbers are computed from printed ones
		ratio    float64
	}
	var whole, inSome []biased
	for _, t := range tables {
		for _, a := range t.Agreement {
			if a.Measured || a.Given || !a.Bias.HasInterval() {
				continue
			}
			text := func(bias statistics.Estimate, inside, cells int, where, most string) string {
				return fmt.Sprintf("Table %s, %s%s, %s (%d of %d inside%s)", t.Name, a.Metric, where,
					withUnit(tabulate.Estimate(bias), analysis.MarginUnit(tabulate.UnitOf(t, a.Metric))), inside, cells, most)
			}
			computed := min(a.Evidence.Computed, 1)
			if ratio := ratioOf(a.Bias); a.IsBiased() && ratio > 0 {
				whole = append(whole, biased{text(a.Bias, a.Inside, a.Cells, "", tabulate.MostBiased(a)), computed, ratio})
			} else if len(a.Biased) > 0 {
				most := slices.MaxFunc(a.Biased, func(a, b analysis.BiasedSubtable) int {
					return cmp.Compare(ratioOf(a.Bias), ratioOf(b.Bias))
				})
				if ratio := ratioOf(most.Bias); ratio > 2 {
					where := ", " + strings.Join(most.Labels, ",")
					inSome = append(inSome, biased{text(most.Bias, most.Inside, most.Cells, where, ""), computed, ratio})
				}
			}
		}
	}
	largest := func(found []biased) string {
		slices.SortStableFunc(found, func(a, b biased) int {
			return cmp.Or(cmp.Compare(a.computed, b.computed), cmp.Compare(b.ratio, a.ratio))
		})
		const most = 3
		texts := make([]string, min(most, len(found)))
		for i := range texts {
			texts[i] = found[i].text
		}
		return strings.Join(texts, "; ")
	}
	var sentences []string
	if len(whole) > 0 {
		sentences = append(sentences, fmt.Sprintf("The mean difference of ours to the published numbers is other than 0 for "+
			"%s; it is largest against its interval in %s.",
			english.Plural(len(whole), "quantity of a table", "quantities of tables"), largest(whole)))
	}
	if len(inSome) > 0 {
		sentences = append(sentences, fmt.Sprintf("In %s it is so only in some rows or columns, most in %s.",
			english.Plural(len(inSome), "other", ""), largest(inSome)))
	}
	return strings.Join(sentences, " ")
}

// ratioOf returns the size of a bias against the half-width of its interval; 0 if it has no width.
func ratioOf(bias statistics.Estimate) float64 {
	if half := (bias.High - bias.Low) / 2; half > 0 {
		return math.Abs(bias.Value) / half
	}
	return 0
}
