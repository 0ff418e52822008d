package analysis

// The file claims.json: claims with their verdicts and evidence.

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
)

// WriteClaims writes the claims with their verdicts and evidence as indented JSON. Every number has
// its n and interval; the interval of a published number is null. Equal results give equal bytes.
func WriteClaims(w io.Writer, result *Result) error {
	document := claimsDocument{
		Missing: append([]string{}, result.Missing...), LeftOut: append([]string{}, result.LeftOut.Experiments...),
		Claims: []claimDocument{}, Unjudged: append([]Statement{}, result.Unjudged...),
	}
	for _, c := range result.Claims {
		document.Claims = append(document.Claims, documentOf(result, c))
	}
	for _, t := range result.Tables {
		for _, s := range t.Universes {
			found := agreementsDocument{Table: t.Name, Experiment: s.Experiment}
			for _, u := range s.Universes {
				found.Universes = append(found.Universes, agreementDocument{u.Label, u.Cells, u.Inside})
			}
			document.Agreements = append(document.Agreements, found)
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(document); err != nil {
		return fmt.Errorf("write claims: %w", err)
	}
	return nil
}

type claimsDocument struct {
	Claims   []claimDocument `json:"claims"`
	Unjudged []Statement     `json:"unjudged"`
	Missing  []string        `json:"experiments_not_run"`
	LeftOut  []string        `json:"experiments_left_out"`

	Agreements []agreementsDocument `json:"agreement_by_universe,omitempty"`
}

type claimDocument struct {
	Name        string               `json:"name"`
	Doc         string               `json:"doc"`
	Source      string               `json:"source"`
	Main        bool                 `json:"main,omitempty"`
	Origin      language.Origin      `json:"origin,omitempty"`
	Presupposes string               `json:"presupposes,omitempty"`
	Test        string               `json:"test"`
	Unit        string               `json:"unit,omitempty"`
	Ours        judgementDocument    `json:"ours"`
	Published   *judgementDocument   `json:"published"`
	Assumptions []assumptionDocument `json:"readings,omitempty"`
	Universes   []robustnessDocument `json:"universes,omitempty"`
	Reason      *reasonDocument      `json:"reason,omitempty"`
}

type reasonDocument struct {
	Class ReasonClass `json:"class"`
	Text  string      `json:"text"`
}

type robustnessDocument struct {
	Experiment string           `json:"experiment"`
	Judged     int              `json:"judged"`
	Reproduced int              `json:"reproduced"`
	Failed     int              `json:"not_reproduced"`
	Open       int              `json:"inconclusive"`
	Smallest   *changeDocument  `json:"smallest_change"`
	Nearest    *changeDocument  `json:"nearest"`
	Flips      []flipDocument   `json:"flips"`
	Effects    []effectDocument `json:"effects"`
	NotTold    []string         `json:"aliased,omitempty"`
	LeftOut    []string         `json:"left_out,omitempty"`
}

type changeDocument struct {
	Universe string           `json:"universe"`
	Verdict  Verdict          `json:"verdict"`
	Margin   estimateDocument `json:"mean_margin"`
}

type flipDocument struct {
	Level    string `json:"level"`
	Compared int    `json:"pairs"`
	Flipped  int    `json:"flipped"`
}

type effectDocument struct {
	Levels   string           `json:"levels"`
	Estimate estimateDocument `json:"effect"`
	Clear    bool             `json:"clear"`
	Additive bool             `json:"additive,omitempty"`
}

type agreementsDocument struct {
	Table      string              `json:"table"`
	Experiment string              `json:"experiment"`
	Universes  []agreementDocument `json:"universes"`
}

type agreementDocument struct {
	Universe string `json:"universe"`
	Cells    int    `json:"cells"`
	Inside   int    `json:"inside"`
}

type judgementDocument struct {
	Verdict     Verdict              `json:"verdict"`
	Margin      estimateDocument     `json:"mean_margin"`
	Holding     int                  `json:"comparisons_holding"`
	Of          int                  `json:"comparisons"`
	Needed      int                  `json:"replications_needed,omitempty"`
	Note        string               `json:"note,omitempty"`
	Gaps        []string             `json:"gaps,omitempty"`
	Comparisons []comparisonDocument `json:"evidence,omitempty"`
}

type assumptionDocument struct {
	Experiment string `json:"experiment"`
	Level      string `json:"level"`
	judgementDocument
}

type comparisonDocument struct {
	Labels []string         `json:"labels"`
	What   string           `json:"margin_is"`
	Margin estimateDocument `json:"margin"`
	Clear  int              `json:"clear"`
}

// estimateDocument is an estimate; NaN, which JSON does not have, is null.
type estimateDocument struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
	N     int      `json:"n"`
	SD    *float64 `json:"sd"`
}

func documentOf(result *Result, c Claim) claimDocument {
	d := claimDocument{
		Name: c.Name, Doc: c.Doc, Source: c.Source, Main: c.Main, Presupposes: c.Presupposes, Test: c.Test, Unit: c.Unit,
		Ours: judgementOf(c.Ours),
	}
	if c.Origin != language.OfPaper {
		d.Origin = c.Origin
	}
	if c.Published != nil {
		published := judgementOf(*c.Published)
		d.Published = &published
	}
	for _, r := range c.Assumptions {
		assumption := assumptionDocument{r.Experiment, r.Label, judgementOf(r.Judgement)}
		assumption.Comparisons = nil // there are thousands
		d.Assumptions = append(d.Assumptions, assumption)
	}
	for _, r := range c.Universes {
		d.Universes = append(d.Universes, robustnessOf(result, r))
	}
	if c.Reason != nil {
		d.Reason = &reasonDocument{c.Reason.Class, c.Reason.Text}
	}
	return d
}

func robustnessOf(result *Result, r Robustness) robustnessDocument {
	d := robustnessDocument{
		Experiment: r.Experiment, Judged: len(r.Judgements), Reproduced: r.Changes.Holding, Failed: r.Changes.Failing,
		Open: r.Changes.Open, Flips: []flipDocument{}, Effects: []effectDocument{},
	}
	change := func(u int) *changeDocument {
		if u < 0 {
			return nil
		}
		j := r.Judgements[u]
		return &changeDocument{j.Label, j.Verdict, estimateOf(j.Margin)}
	}
	d.Smallest, d.Nearest = change(r.Changes.Smallest), change(r.Changes.Nearest)
	for _, f := range r.Changes.Flips {
		d.Flips = append(d.Flips, flipDocument{result.LevelName(f.Assumption, f.Level), f.Compared, f.Flipped})
	}
	for _, e := range r.Effects.Effects {
		d.Effects = append(d.Effects, effectDocument{result.TermName(e.Term), estimateOf(e.Estimate), e.Clear, e.Additive})
	}
	for _, t := range r.Effects.Aliased {
		d.NotTold = append(d.NotTold, result.TermName(t))
	}
	for _, u := range r.Effects.LeftOut {
		d.LeftOut = append(d.LeftOut, r.Judgements[u].Label)
	}
	return d
}

func judgementOf(j Judgement) judgementDocument {
	d := judgementDocument{
		Verdict: j.Verdict, Margin: estimateOf(j.Margin), Holding: j.Holding, Of: len(j.Comparisons), Needed: j.Needed,
		Note: j.Note, Gaps: j.Gaps,
	}
	for _, c := range j.Comparisons {
		d.Comparisons = append(d.Comparisons, comparisonDocument{
			Labels: append([]string{}, c.Labels...), What: c.What, Margin: estimateOf(c.Margin), Clear: c.Clear,
		})
	}
	return d
}

func estimateOf(e statistics.Estimate) estimateDocument {
	if e.N == 0 {
		return estimateDocument{}
	}
	number := func(x float64) *float64 {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	return estimateDocument{number(e.Value), number(e.Low), number(e.High), e.N, number(e.SD)}
}
