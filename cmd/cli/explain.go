// Command explain: which combination of assumptions the published numbers are most consistent with.

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/analysis"
	"gridsweep/analysis/likelihood"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
)

func newExplain(t *terminal) *cobra.Command {
	s := selection{use: results.Rows}
	var format string
	c := &cobra.Command{
		Use:   "explain PAPER-or-STUDY...",
		Short: "Rank combinations of assumptions by the published numbers",
		Long: `Rank the universes of each experiment under assumptions by how well their runs predict the published numbers.
Numbers of the tables that the study file names under the key fit choose the universe, and the others are held out:
they test the choice. The study's defaults stay as they are. Give the same flags as to run.

The score is a composite log-likelihood: the sum of the log predictive densities of the fitted numbers. Numbers of
one run share its arrivals, so scores differ too much. A weight is the likelihood relative to the best universe's. It
allows for this: the difference of the scores is divided by how many times its variance over replications exceeds
that of independent numbers. Universes with a weight of 0.05 or more are not told apart from the best, and none is
named as most consistent with fewer than 5 replications or 5 fitted numbers, or without numbers held out. p tells
whether the numbers held out look like a further replication of the universe. Universes with equal numbers in every
replication are one.

The page of the study counts other numbers. explain counts numbers that are equal in print and in all runs once; the
page leaves out those that are 0 on both sides and those of runs that an earlier table shows. Intervals of explain
are those of the scored density, Student's t; those of the page stay within the bounds of counts and shares.`,
		Example: `  gridsweep run my-study.yaml && gridsweep explain my-study.yaml
  gridsweep explain my-study.yaml --format csv > universes.csv`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			studies, err := t.openForRows(c.Context(), &s, args)
			if err != nil {
				return err
			}
			ranked := []rankedStudy{}
			var lacking error
			for _, study := range studies {
				if err := lacksUniverses(study); err != nil {
					lacking = errors.Join(lacking, usageError(err))
					continue
				}
				explanations, err := study.RankUniverses(c.Context())
				switch {
				case errors.As(err, new(workspace.NoRuns)):
					lacking = errors.Join(lacking, err)
				case err != nil:
					return err
				default:
					ranked = append(ranked, rankedStudy{study.Name, explanations})
				}
			}
			if len(ranked) == 0 {
				return lacking
			}
			err = t.print(format, documents(ranked), universeRows(ranked), func() { t.printRankings(ranked) })
			return errors.Join(err, lacking)
		},
	}
	s.addFlags(t, c)
	addFormat(c, &format)
	return c
}

// lacksUniverses returns an error if the plan of a study has no experiment under assumptions.
func lacksUniverses(study *workspace.Study) error {
	unplanned := ""
	for _, e := range study.Plan.Study.Experiments {
		if e.Universes == nil {
			continue
		}
		if study.Plan.Planned(e) != nil {
			return nil
		}
		unplanned = e.Whole // without the part, as --experiment takes it
	}
	if unplanned != "" {
		return fmt.Errorf("%s: experiment %s has universes and is not in the plan; add --experiment %s", study.Name,
			unplanned, unplanned)
	}
	return fmt.Errorf("%s has no experiment under assumptions, so there are no universes to rank", study.Name)
}

// rankedStudy is the rankings of one study.
type rankedStudy struct {
	study        string
	explanations []analysis.Explanation
}

// mostRanked is the number of universes that the table of a ranking shows.
const mostRanked = 20

func (t *terminal) printRankings(ranked []rankedStudy) {
	for i, r := range ranked {
		for k, e := range r.explanations {
			if i+k > 0 {
				fmt.Fprintln(t.out)
			}
			t.printRanking(r.study, e)
		}
	}
}

func (t *terminal) printRanking(study string, e analysis.Explanation) {
	ranking := e.Ranking
	if fits := distinct(e, ranking.Fits); len(fits) > 0 {
		writer := t.titled(study+": universes of "+e.Experiment, "universe", "score", "weight", "inside", "held-out score",
			"held out inside", "p")
		for _, fit := range fits[:min(len(fits), mostRanked)] {
			writer.AppendRow(table.Row{
				e.Universes[fit.Universe].Label, rounded(fit.Score, 1), rounded(fit.Weight, 3),
				fmt.Sprintf("%d of %d", fit.Inside, ranking.Fitted), rounded(fit.HeldScore, 1),
				fmt.Sprintf("%d of %d", fit.HeldInside, ranking.HeldOut), strings.TrimPrefix(pValue(fit), "= "),
			})
		}
		writer.Render()
		if more := len(fits) - mostRanked; more > 0 {
			fmt.Fprintf(t.out, "and %s; --format csv and json have all\n", things(more, "more universe"))
		}
	}
	if len(ranking.Fits) == 0 {
		fmt.Fprintf(t.out, "%s: universes of %s\n", study, e.Experiment)
	}
	for _, sentence := range sentences(e) {
		fmt.Fprintln(t.out, sentence)
	}
}

// sentences returns what a ranking means.
func sentences(e analysis.Explanation) []string {
	ranking := e.Ranking
	if e.Single {
		return []string{fmt.Sprintf("nothing is ranked: each of %s has a single replication, which does not tell how much "+
			"scores differ; the page of the study counts the published numbers that agree in each",
			things(len(e.Universes), "universe"))}
	}
	var all []string
	if n := len(ranking.Unranked); n > 0 {
		all = append(all, fmt.Sprintf("not ranked: %d of %s, with fewer than two replications of most numbers",
			n, things(len(e.Universes), "universe")))
	}
	if len(ranking.Fits) == 0 {
		return append(all, "nothing is ranked: no fitted table has published numbers that the universes predict; in the "+
			"study file, fit names the tables that choose a universe, and the others test the choice")
	}
	all = append(all, equals(e)...)
	all = append(all, choice(e))
	if others := distinct(e, ranking.NotToldApart()); ranking.NamesBest() && len(others) > 0 {
		all = append(all, fmt.Sprintf("not told apart from it by the fitted numbers, with weights of at least %v: %s",
			likelihood.LeastWeight, labelsOf(e, others)))
	}
	var fitted, held []string
	for _, table := range e.Tables {
		if table.HeldOut {
			held = append(held, table.Name)
		} else {
			fitted = append(fitted, table.Name)
		}
	}
	all = append(all, fmt.Sprintf("fitted: %s of %s", things(ranking.Fitted, "number"), strings.Join(fitted, ", ")))
	if ranking.HeldOut == 0 {
		all = append(all, "held out: no number that the universes predict")
	} else {
		all = append(all, fmt.Sprintf("held out: %s of %s; %s", things(ranking.HeldOut, "number"), strings.Join(held, ", "),
			heldOut(e)))
	}
	if ranking.LeftOut+e.Equal > 0 {
		all = append(all, fmt.Sprintf("left out: %s without values in some universe, %s equal to another in print and "+
			"in all runs", things(ranking.LeftOut, "number"), things(e.Equal, "number")))
	}
	return append(all, weights(e)...)
}

// choice says which universes the fitted numbers choose, or why none.
func choice(e analysis.Explanation) string {
	ranking := e.Ranking
	best := distinct(e, ranking.Best())
	switch labels := labelsOf(e, best); {
	case ranking.Replications < likelihood.FewestReplications:
		return fmt.Sprintf("no universe is named: %s do not tell how much scores differ, which takes %d",
			things(ranking.Replications, "replication"), likelihood.FewestReplications)
	case ranking.Fitted < likelihood.FewestFitted:
		return fmt.Sprintf("no universe is named: %s may fit many universes; at least %d are needed",
			things(ranking.Fitted, "fitted number"), likelihood.FewestFitted)
	case ranking.HeldOut == 0:
		return "no universe is named: no number is held out, so nothing tests the choice"
	case len(ranking.Best()) == len(ranking.Fits) && len(ranking.Fits) > 1:
		return "no universe is named: all predict the fitted numbers equally"
	case len(best) > 1:
		return fmt.Sprintf("most consistent with the published numbers, all equally: %s%s; the study's defaults "+
			"stay as they are", labels, contradiction(best))
	default:
		return fmt.Sprintf("most consistent with the published numbers: %s%s; the study's defaults stay as they "+
			"are", labels, contradiction(best))
	}
}

// contradiction tells beside the names of the best universes whether the numbers held out
// contradict them; empty if they do not.
func contradiction(best []likelihood.Fit) string {
	contradicted := 0
	for _, fit := range best {
		if fit.Contradicted() {
			contradicted++
		}
	}
	switch {
	case contradicted == 0:
		return ""
	case len(best) == 1:
		return fmt.Sprintf(", which the numbers held out contradict (p %s)", pValue(best[0]))
	}
	return fmt.Sprintf("; the numbers held out contradict %d of these", contradicted)
}

// distinct returns the fits without universes that have the numbers of an earlier one.
func distinct(e analysis.Explanation, fits []likelihood.Fit) []likelihood.Fit {
	return slices.DeleteFunc(slices.Clone(fits), func(f likelihood.Fit) bool { return e.SameAs[f.Universe] != f.Universe })
}

// equals names the ranked universes that have equal numbers in every replication; none if there are
// none.
func equals(e analysis.Explanation) []string {
	var all []string
	for _, fit := range distinct(e, e.Ranking.Fits) {
		var same []likelihood.Fit
		for _, other := range e.Ranking.Fits {
			if e.SameAs[other.Universe] == fit.Universe {
				same = append(same, other)
			}
		}
		if len(same) > 1 {
			all = append(all, "equal in all numbers, so one universe: "+labelsOf(e, same))
		}
	}
	return all
}

// weights says whether the weights are corrected for the correlation of numbers, and what follows;
// none without weights to compare.
func weights(e analysis.Explanation) []string {
	fits := distinct(e, e.Ranking.Fits)
	if len(fits) < 2 || math.IsNaN(fits[1].Weight) {
		return nil
	}
	fitted := things(e.Ranking.Fitted, "fitted number")
	text := fmt.Sprintf("the %s tell the first two universes apart as independent ones would, so their weights need no "+
		"correction", fitted)
	if independent := fits[1].Independent; rounded(independent, 1) != rounded(float64(e.Ranking.Fitted), 1) {
		text = fmt.Sprintf("numbers of one run are correlated: between the first two universes the %s count as %s "+
			"independent ones, and the weights account for it", fitted, rounded(independent, 1))
	}
	all := []string{text}
	if !slices.IsSortedFunc(fits, func(a, b likelihood.Fit) int { return cmp.Compare(b.Weight, a.Weight) }) {
		all = append(all, "a universe of a lower score may have a larger weight: the numbers in which it differs from the "+
			"best are more correlated, so that they tell less")
	}
	return all
}

// heldOut tells which of the candidates, the best universes and those not told apart from them, the
// numbers held out contradict.
func heldOut(e analysis.Explanation) string {
	if e.Ranking.Replications < likelihood.FewestReplications {
		return fmt.Sprintf("a test needs %d replications", likelihood.FewestReplications)
	}
	tested := func(contradicted bool) []string {
		var names []string
		for _, fit := range distinct(e, e.Ranking.Candidates()) {
			if fit.Contradicted() == contradicted {
				names = append(names, fmt.Sprintf("%s (%d inside, p %s)", e.Universes[fit.Universe].Label, fit.HeldInside,
					cmp.Or(pValue(fit), "unknown")))
			}
		}
		return firstOf(names, mostNamed)
	}
	var phrases []string
	if names := tested(true); len(names) > 0 {
		phrases = append(phrases, "they contradict at 5 %: "+strings.Join(names, "; "))
	}
	if names := tested(false); len(names) > 0 {
		phrases = append(phrases, "they do not contradict at 5 %: "+strings.Join(names, "; "))
	} else {
		phrases = append(phrases, "so no universe fits: the numbers held out contradict each that the fitted numbers do "+
			"not exclude (all must be contradicted, so several tests need no correction)")
	}
	return strings.Join(phrases, "; ")
}

// pValue returns the p-value of a universe with its sign, such as "= 0.043" or "< 0.001"; empty if
// there is none.
func pValue(fit likelihood.Fit) string {
	switch {
	case math.IsNaN(fit.PValue):
		return ""
	case fit.PValue < 0.001:
		return "< 0.001"
	default:
		return "= " + rounded(fit.PValue, 3)
	}
}

// mostNamed is the number of universes that a sentence names.
const mostNamed = 5

// labelsOf lists the labels of universes, and counts those above mostNamed.
func labelsOf(e analysis.Explanation, fits []likelihood.Fit) string {
	var labels []string
	for _, fit := range fits {
		labels = append(labels, e.Universes[fit.Universe].Label)
	}
	return strings.Join(firstOf(labels, mostNamed), "; ")
}

// explanationDocument is a ranking as JSON; what is undefined is null.
type explanationDocument struct {
	Study      string `json:"study"`
	Experiment string `json:"experiment"`
	Fitted     int    `json:"fitted"`
	HeldOut    int    `json:"held_out"`
	LeftOut    int    `json:"left_out"`  // numbers without two values in some ranked universe
	Equal      int    `json:"equal"`     // numbers equal to another in print and in all runs
	FitsNone   bool   `json:"fits_none"` // the numbers held out contradict all candidates
	// Named are the most consistent universes, if there are enough numbers and replications to name
	// them and numbers held out.
	Named []string `json:"most_consistent"`
	// those of a lower score with a weight of at least likelihood.LeastWeight; none without Named
	NotToldApart []string           `json:"not_told_apart"`
	Universes    []universeDocument `json:"universes"` // best first
	Unranked     []string           `json:"unranked"`
}

// universeDocument is a likelihood.Fit as JSON.
type universeDocument struct {
	Universe    string          `json:"universe"`
	SameAs      *string         `json:"same_as"` // the universe with the same numbers
	Score       float64         `json:"score"`
	Weight      *float64        `json:"weight"`
	Independent *float64        `json:"independent_numbers"`
	Inside      int             `json:"inside"`
	HeldScore   *float64        `json:"held_out_score"`
	HeldInside  int             `json:"held_out_inside"`
	PValue      *float64        `json:"p_value"`
	Tables      []tableDocument `json:"tables"`
}

type tableDocument struct {
	Table   string `json:"table"`
	HeldOut bool   `json:"held_out"`
	Numbers int    `json:"numbers"`
	Inside  int    `json:"inside"`
}

func documents(ranked []rankedStudy) []explanationDocument {
	var all []explanationDocument
	for _, r := range ranked {
		for _, e := range r.explanations {
			d := explanationDocument{
				Study: r.study, Experiment: e.Experiment, Fitted: e.Ranking.Fitted, HeldOut: e.Ranking.HeldOut,
				LeftOut: e.Ranking.LeftOut, Equal: e.Equal, FitsNone: e.Ranking.FitsNone(),
				Named: []string{}, NotToldApart: []string{}, Universes: []universeDocument{}, Unranked: []string{},
			}
			label := func(fit likelihood.Fit) string { return e.Universes[fit.Universe].Label }
			if e.Ranking.NamesBest() {
				for _, fit := range e.Ranking.Best() {
					d.Named = append(d.Named, label(fit))
				}
				for _, fit := range e.Ranking.NotToldApart() {
					d.NotToldApart = append(d.NotToldApart, label(fit))
				}
			}
			for _, fit := range e.Ranking.Fits {
				d.Universes = append(d.Universes, documentOf(e, fit))
			}
			for _, u := range e.Ranking.Unranked {
				d.Unranked = append(d.Unranked, e.Universes[u].Label)
			}
			all = append(all, d)
		}
	}
	return all
}

func documentOf(e analysis.Explanation, fit likelihood.Fit) universeDocument {
	d := universeDocument{
		Universe: e.Universes[fit.Universe].Label, Score: fit.Score, Weight: defined(fit.Weight),
		Independent: defined(fit.Independent), Inside: fit.Inside, HeldScore: defined(fit.HeldScore),
		HeldInside: fit.HeldInside, PValue: defined(fit.PValue), Tables: []tableDocument{},
	}
	if same := e.SameAs[fit.Universe]; same != fit.Universe {
		d.SameAs = &e.Universes[same].Label
	}
	for _, t := range e.Tables {
		d.Tables = append(d.Tables, tableDocument{t.Name, t.HeldOut, t.Numbers, t.Inside[fit.Universe]})
	}
	return d
}

// defined returns nil for NaN.
func defined(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// universeRows returns the lines of CSV: the ranked universes, each with its agreement by table.
func universeRows(ranked []rankedStudy) [][]string {
	rows := [][]string{{"study", "experiment", "rank", "universe", "score", "weight", "independent_numbers",
		"held_out_score", "p_value", "table", "held_out", "numbers", "inside"}}
	for _, r := range ranked {
		for _, e := range r.explanations {
			for rank, fit := range e.Ranking.Fits {
				head := []string{r.study, e.Experiment, strconv.Itoa(rank + 1), e.Universes[fit.Universe].Label,
					orEmpty(fit.Score), orEmpty(fit.Weight), orEmpty(fit.Independent), orEmpty(fit.HeldScore), orEmpty(fit.PValue)}
				for _, t := range e.Tables {
					rows = append(rows, append(slices.Clone(head), t.Name, strconv.FormatBool(t.HeldOut), strconv.Itoa(t.Numbers),
						strconv.Itoa(t.Inside[fit.Universe])))
				}
			}
		}
	}
	return rows
}
