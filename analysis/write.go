// The file claims.json: claims with their verdicts and evidence.

package analysis

import (
	"encoding/json"
	"fmt"
	"io"

	"gridsweep/analysis/statistics"
	"gridsweep/sweeps/study"
)

// WriteClaims writes the claims with their verdicts and evidence as indented JSON. Every number has
// its n and interval; the interval of a published number is null. Equal results give equal bytes.
func WriteClaims(w io.Writer, result *Result) error {
	document := claimsDocument{
		Missing: append([]string{}, result.Missing...), LeftOut: append([]string{}, result.LeftOut.Experiments...),
		Claims: []claimDocument{}, Unjudged: append([]study.Statement{}, result.Unjudged...),
	}
	for _, c := range result.Claims {
		document.Claims = append(document.Claims, documentOf(result, c))
	}
	for _, t := range result.Tables {
		for _, s := range t.Universes {
			document.Agreements = append(document.Agreements, agreementsDocument{t.Name, s})
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
	Claims   []claimDocument   `json:"claims"`
	Unjudged []study.Statement `json:"unjudged"`
	Missing  []string          `json:"experiments_not_run"`
	LeftOut  []string          `json:"experiments_left_out"`

	Agreements []agreementsDocument `json:"agreement_by_universe,omitempty"`
}

type claimDocument struct {
	Claim
	Assumptions []assumptionDocument `json:"readings,omitempty"`
	Universes   []robustnessDocument `json:"universes,omitempty"`
	Reason      *Reason              `json:"reason,omitempty"`
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
	Aliased    []string         `json:"aliased,omitempty"`
	LeftOut    []string         `json:"left_out,omitempty"`
}

type changeDocument struct {
	Universe   string              `json:"universe"`
	Verdict    Verdict             `json:"verdict"`
	MeanMargin statistics.Estimate `json:"mean_margin"`
}

type flipDocument struct {
	Level    string `json:"level"`
	Compared int    `json:"pairs"`
	Flipped  int    `json:"flipped"`
}

type effectDocument struct {
	Levels   string              `json:"levels"`
	Estimate statistics.Estimate `json:"effect"`
	Clear    bool                `json:"clear"`
	Additive bool                `json:"additive,omitempty"`
}

type agreementsDocument struct {
	Table string `json:"table"`
	Agreements
}

type assumptionDocument struct {
	Experiment string `json:"experiment"`
	Level      string `json:"level"`
	SameAs     string `json:"same_as,omitempty"`
	Judgement
}

func documentOf(result *Result, c Claim) claimDocument {
	d := claimDocument{Claim: c, Reason: c.Reason}
	for _, j := range c.Assumptions {
		assumption := assumptionDocument{j.Experiment, j.Label, j.SameAs, j.Judgement}
		assumption.Comparisons = nil // there are thousands
		d.Assumptions = append(d.Assumptions, assumption)
	}
	for _, r := range c.Universes {
		d.Universes = append(d.Universes, robustnessOf(result, r))
	}
	return d
}

func robustnessOf(result *Result, r Robustness) robustnessDocument {
	d := robustnessDocument{
		Experiment: r.Experiment, Judged: r.Distinct(), Reproduced: r.Changes.Holding, Failed: r.Changes.Failing,
		Open: r.Changes.Open, Flips: []flipDocument{}, Effects: []effectDocument{},
	}
	change := func(u int) *changeDocument {
		if u < 0 {
			return nil
		}
		j := r.Judgements[u]
		return &changeDocument{j.Label, j.Verdict, j.MeanMargin}
	}
	d.Smallest, d.Nearest = change(r.Changes.Smallest), change(r.Changes.Nearest)
	for _, f := range r.Changes.Flips {
		d.Flips = append(d.Flips, flipDocument{result.AlternativeName(f.Assumption, f.Level), f.Compared, f.Flipped})
	}
	for _, e := range r.Effects.Effects {
		d.Effects = append(d.Effects, effectDocument{result.TermName(e.Term), e.Estimate, e.Clear, e.Additive})
	}
	for _, t := range r.Effects.Aliased {
		d.Aliased = append(d.Aliased, result.TermName(t))
	}
	for _, u := range r.Effects.LeftOut {
		d.LeftOut = append(d.LeftOut, r.Judgements[u].Label)
	}
	return d
}
