package cli

// Command explain: which combination of assumptions the published numbers are most consistent with.

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
Numbers that the study file names in fit choose the universe, and the others are held out: they test the choice.
The study's defaults stay as they are. Give the same flags as to run.

The score is a composite log-likelihood: the sum of the log predictive densities of the fitted numbers. Numbers of
one run share its arrivals, so scores differ too much. A weight is the likelihood in proportion to that of the best
universe, after the difference of the scores is divided by its variance over replications in proportion to that of
independent numbers. Universes with a weight of 0.05 or more are not told apart from the best, and none is named as
most consistent with fewer than 5 replications or 5 fitted numbers. p tells whether the numbers held out look like a
further replication of the universe.`,
		Example: `  gridsweep run my-study.yaml && gridsweep explain my-study.yaml
  gridsweep explain my-study.yaml --format csv > universes.csv`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			studies, err := t.openForRows(c.Context(), &s, args)
			if err != nil {
				return err
			}
			ranked := []rankedStudy{}
			var without error
			for _, study := range studies {
				if err := lacksUniverses(study); err != nil {
					without = errors.Join(without, usageError(err))
					continue
				}
				explanations, err := study.RankUniverses(c.Context())
				switch {
				case errors.As(err, new(workspace.NoRuns)):
					without = errors.Join(without, err)
				case err != nil:
					return err
				default:
					ranked = append(ranked, rankedStudy{study.Name, explanations})
				}
			}
			if len(ranked) == 0 {
				return without
			}
			err = t.print(format, documents(ranked), universeRows(ranked), func() { t.printRankings(ranked) })
			return errors.Join(err, without)
		},
	}
	s.addFlags(t, c)
	s.addUntil()
	addFormat(c, &format)
	return c
}

// lacksUniverses returns an error if the plan of a study has no experiment under assumptions.
func lacksUniverses(study *workspace.Study) error {
	unplanned := ""
	for _, e := range study.Plan.Study.Experiments {
		switch {
		case e.Universes == nil:
		case study.Plan.Planned(e) != nil:
			return nil
		default:
			unplanned = e.Whole
		}
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
	if len(ranking.Fits) > 0 {
		writer := t.titled(study+": universes of "+e.Experiment, "universe", "score", "weight", "inside", "held-out score",
			"held out inside", "p")
		for _, fit := range ranking.Fits[:min(len(ranking.Fits), mostRanked)] {
			writer.AppendRow(table.Row{
				e.Universes[fit.Universe].Label.Text, rounded(fit.Score, 1), rounded(fit.Weight, 3),
				fmt.Sprintf("%d of %d", fit.Inside, ranking.Fitted), rounded(fit.HeldScore, 1),
				fmt.Sprintf("%d of %d", fit.HeldInside, ranking.HeldOut), rounded(fit.PValue, 3),
			})
		}
		writer.Render()
		if more := len(ranking.Fits) - mostRanked; more > 0 {
			fmt.Fprintf(t.out, "and %s; --format csv and json have all\n", things(more, "more universe"))
		}
	}
	for _, sentence := range sentences(e) {
		fmt.Fprintln(t.out, sentence)
	}
}

// sentences returns what a ranking means.
func sentences(e analysis.Explanation) []string {
	ranking := e.Ranking
	var fitted, held []string
	for _, table := range e.Tables {
		if name := table.Name; table.HeldOut {
			held = append(held, name)
		} else {
			fitted = append(fitted, name)
		}
	}
	var all []string
	if n := len(ranking.Unranked); n > 0 {
		all = append(all, fmt.Sprintf("not ranked: %d of %s, with fewer than two replications of most numbers",
			n, things(len(e.Universes), "universe")))
	}
	if len(ranking.Fits) == 0 || ranking.Fitted == 0 {
		return append(all, "nothing is ranked: no fitted table has published numbers that the universes predict")
	}
	best := ranking.Best()
	switch labels := labelsOf(e, best); {
	case ranking.Replications < likelihood.FewestReplications:
		all = append(all, fmt.Sprintf("no universe is named: %s do not tell how much scores differ, which takes %d",
			things(ranking.Replications, "replication"), likelihood.FewestReplications))
	case !ranking.Names():
		all = append(all, fmt.Sprintf("no universe is named: %s may fit many universes; at least %d are needed",
			things(ranking.Fitted, "fitted number"), likelihood.FewestFitted))
	case len(best) == len(ranking.Fits) && len(best) > 1:
		all = append(all, "no universe is named: all predict the fitted numbers equally")
	case len(best) > 1:
		all = append(all, fmt.Sprintf("most consistent with the published numbers, all equally: %s; the study's defaults "+
			"stay as they are", labels))
	default:
		all = append(all, "most consistent with the published numbers: "+labels+"; the study's defaults stay as they are")
	}
	if others := ranking.NotToldApart(); ranking.Names() && len(others) > 0 {
		all = append(all, fmt.Sprintf("not told apart from it by the fitted numbers, with weights of at least %v: %s",
			likelihood.LeastWeight, labelsOf(e, others)))
	}
	all = append(all, fmt.Sprintf("fitted: %s of %s", things(ranking.Fitted, "number"), strings.Join(fitted, ", ")))
	if ranking.HeldOut == 0 {
		all = append(all, "held out: no number that the universes predict, so nothing tests the choice")
	} else {
		all = append(all, fmt.Sprintf("held out: %s of %s%s", things(ranking.HeldOut, "number"), strings.Join(held, ", "),
			heldOut(e)))
	}
	if ranking.LeftOut+e.Equal > 0 {
		all = append(all, fmt.Sprintf("left out: %s without values in some universe, %s equal to another in print and "+
			"in all runs", things(ranking.LeftOut, "number"), things(e.Equal, "number")))
	}
	if len(ranking.Fits) > 1 && !math.IsNaN(ranking.Fits[1].Weight) {
		all = append(all, fmt.Sprintf("numbers of one run are correlated: between the first two universes the %s count "+
			"as %s independent ones, and the weights account for it", things(ranking.Fitted, "fitted number"),
			rounded(ranking.Fits[1].Independent, 1)))
	}
	return all
}

// heldOut tells how the best universe of a ranking agrees with the numbers held out: of several
// that are equally good the one with the largest p-value.
func heldOut(e analysis.Explanation) string {
	first := slices.MaxFunc(e.Ranking.Best(), func(a, b likelihood.Fit) int { return cmp.Compare(a.PValue, b.PValue) })
	text := fmt.Sprintf(", %d of them in the 95 %% prediction intervals of %s; ", first.HeldInside,
		labelsOf(e, []likelihood.Fit{first}))
	switch {
	case math.IsNaN(first.PValue):
		return text + fmt.Sprintf("a test needs %d replications", likelihood.FewestReplications)
	case e.Ranking.FitsNone():
		return text + fmt.Sprintf("they contradict it at 5 %%, so no universe fits (p = %s)", rounded(first.PValue, 3))
	default:
		return text + fmt.Sprintf("they do not contradict it at 5 %% (p = %s)", rounded(first.PValue, 3))
	}
}

// mostNamed is the number of universes that a sentence names.
const mostNamed = 5

// labelsOf returns the labels of some universes in words.
func labelsOf(e analysis.Explanation, fits []likelihood.Fit) string {
	var labels []string
	for _, fit := range fits[:min(len(fits), mostNamed)] {
		labels = append(labels, e.Universes[fit.Universe].Label.Text)
	}
	if more := len(fits) - mostNamed; more > 0 {
		labels = append(labels, fmt.Sprintf("%d more", more))
	}
	return strings.Join(labels, "; ")
}

// explanationDocument is a ranking as JSON; what is undefined is null.
type explanationDocument struct {
	Study      string `json:"study"`
	Experiment string `json:"experiment"`
	Fitted     int    `json:"fitted"`
	HeldOut    int    `json:"held_out"`
	LeftOut    int    `json:"left_out"`
	Equal      int    `json:"equal"`
	FitsNone   bool   `json:"fits_none"`
	// Named are the most consistent universes, if there are enough numbers and replications to name
	// them; weights of those not told apart are at least likelihood.LeastWeight.
	Named        []string           `json:"most_consistent"`
	NotToldApart []string           `json:"not_told_apart"`
	Universes    []universeDocument `json:"universes"` // best first
	Unranked     []string           `json:"unranked"`
}

type universeDocument struct {
	Universe    string          `json:"universe"`
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
			label := func(fit likelihood.Fit) string { return e.Universes[fit.Universe].Label.Text }
			if e.Ranking.Names() {
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
				d.Unranked = append(d.Unranked, e.Universes[u].Label.Text)
			}
			all = append(all, d)
		}
	}
	return all
}

func documentOf(e analysis.Explanation, fit likelihood.Fit) universeDocument {
	d := universeDocument{
		Universe: e.Universes[fit.Universe].Label.Text, Score: fit.Score, Weight: defined(fit.Weight),
		Independent: defined(fit.Independent), Inside: fit.Inside, HeldScore: defined(fit.HeldScore),
		HeldInside: fit.HeldInside, PValue: defined(fit.PValue), Tables: []tableDocument{},
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
				head := []string{r.study, e.Experiment, strconv.Itoa(rank + 1), e.Universes[fit.Universe].Label.Text,
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
