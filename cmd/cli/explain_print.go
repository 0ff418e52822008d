package cli

// Output of explain as JSON and CSV.

import (
	"math"
	"slices"
	"strconv"

	"gridsweep/analysis"
	"gridsweep/analysis/likelihood"
)

// explanationDocument is a ranking as JSON; what is undefined is null.
type explanationDocument struct {
	Study      string             `json:"study"`
	Experiment string             `json:"experiment"`
	Fitted     int                `json:"fitted"`
	HeldOut    int                `json:"held_out"`
	LeftOut    int                `json:"left_out"`
	Equal      int                `json:"equal"`
	FitsNone   bool               `json:"fits_none"`
	Universes  []universeDocument `json:"universes"` // best first
	Unranked   []string           `json:"unranked"`
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
				Universes: []universeDocument{}, Unranked: []string{},
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
