// Claims in results: their verdicts with the evidence, the reasons, and the judgements under
// alternative assumptions.

package analysis

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"gridsweep/analysis/effects"
	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// Verdict is the verdict on a claim.
type Verdict string

// The verdicts on a claim.
const (
	Reproduced    Verdict = "reproduced"
	NotReproduced Verdict = "not reproduced"
	Inconclusive  Verdict = "inconclusive"
	// Vacuous means that the claim that it presupposes is judged and is not reproduced.
	Vacuous Verdict = "vacuous"
	NotRun  Verdict = "not run" // the experiment or a level of it has no rows
	// NoValue means that it was run, but no replication has the numbers that the test compares.
	NoValue Verdict = "no value"
)

// ClaimNumber is the position of a claim among all claims of its study file, from 1.
type ClaimNumber int

// String returns the number as pages show it, such as C12.
func (n ClaimNumber) String() string { return fmt.Sprintf("C%d", int(n)) }

// Claim is a claim of the paper with its verdicts. Its JSON is that in claims.json; there fields
// tagged - are left out or have another form (see claimDocument).
type Claim struct {
	Name   string          `json:"name"`
	Number ClaimNumber     `json:"number"`
	Doc    string          `json:"doc"`            // the statement
	Source string          `json:"source"`         // section or page where the paper makes it
	Main   bool            `json:"main,omitempty"` // whether it is a main conclusion of the paper
	Origin language.Origin `json:"origin,omitzero"`
	// Sentence is that of the paper, shared by the claims that judge it; may be empty.
	Sentence string `json:"sentence,omitempty"`
	// Presupposes is the claim without which this one means nothing; may be empty.
	Presupposes       string    `json:"presupposes,omitempty"`
	Test              string    `json:"test"`           // what was tested, in words
	Unit              string    `json:"unit,omitempty"` // unit of the margins
	EquivalenceMargin float64   `json:"-"`              // δ, in that unit; mostly 0
	Near              *float64  `json:"-"`              // the number of a claim with near; else nil
	ValueUnit         string    `json:"-"`              // unit of that number
	Ours              Judgement `json:"ours"`
	// Published is the judgement on the published numbers; nil if the paper does not print all.
	Published   *Judgement            `json:"published"`
	Assumptions []AssumptionJudgement `json:"-"` // of each level that was run, also the default
	Universes   []Robustness          `json:"-"` // one for each experiment of universes
	Reason      *Reason               `json:"-"` // why it is not reproduced; nil for other verdicts
}

// Robustness tells how the verdict on a claim depends on the assumptions, over the universes of an
// experiment.
type Robustness struct {
	Experiment string
	Judgements []AssumptionJudgement // judgements of Claim.Assumptions in this experiment
	Changes    *effects.Changes      // changes of the verdict, by indices of Judgements
	Effects    *effects.Fit          // effects on the mean margin
}

// Distinct returns the number of universes without those that have the numbers of another one.
func (r Robustness) Distinct() int {
	count := 0
	for _, j := range r.Judgements {
		if j.SameAs == "" {
			count++
		}
	}
	return count
}

// Smallest returns the judgement under the smallest change of assumptions with another verdict; nil
// if there is none.
func (r Robustness) Smallest() *AssumptionJudgement {
	if r.Changes.Smallest < 0 {
		return nil
	}
	return &r.Judgements[r.Changes.Smallest]
}

// Reason tells why a claim is not reproduced.
type Reason struct {
	Class ReasonClass `json:"class"`
	Text  string      `json:"text"` // a sentence without its full stop
	// Alternatives is the fewest alternative assumptions that make the claim reproduced; 0 unless
	// the class is ClassAssumption or ClassWorkload.
	Alternatives int `json:"-"`
	// OtherDefault is the experiment whose Claim.OtherDefault the text begins with; mostly empty.
	OtherDefault string `json:"-"`
}

// Why returns why a claim is not reproduced, vacuous or inconclusive, a sentence without its full
// stop; empty for other verdicts.
func (c Claim) Why() string {
	switch ours := c.Ours; {
	case c.Reason != nil:
		return c.Reason.Text
	case ours.Verdict == Vacuous:
		return "It " + ours.Unmet
	case ours.Verdict == Inconclusive && ours.Needed > 0:
		return fmt.Sprintf("About %s replications would decide it", humanize.Comma(int64(ours.Needed)))
	case ours.Verdict == Inconclusive:
		return ours.Undecidable
	}
	return ""
}

// ReasonClass names a class of reasons.
type ReasonClass string

// The reasons why a claim is not reproduced.
const (
	ClassPublished   ReasonClass = "published"   // the paper's numbers or statements contradict it
	ClassAssumption  ReasonClass = "assumption"  // it is reproduced under an alternative assumption
	ClassWorkload    ReasonClass = "workload"    // it is reproduced with another stand-in workload
	ClassUnexplained ReasonClass = "unexplained" // no alternative explains it
	ClassNotTried    ReasonClass = "not tried"   // no alternative assumption was run
)

// Judgement is a verdict with its evidence. The margin of a comparison is at least 0 if it holds.
type Judgement struct {
	Verdict Verdict `json:"verdict"`
	// MeanMargin is the mean over comparisons, with its interval over replications. On published
	// numbers it is over those that ours has too, or over all if there are none.
	MeanMargin statistics.Estimate `json:"mean_margin"`
	// MeanValue is the mean of the numbers that a claim with near compares; else nil.
	MeanValue *statistics.Estimate `json:"-"`
	Holding   int                  `json:"comparisons_holding"` // number of comparisons that hold
	Compared  int                  `json:"comparisons"`         // all, also if Comparisons is nil
	// Shared is the number of comparisons that ours has too, on published numbers; else 0.
	Shared int `json:"shared,omitempty"`
	// Steps tells how many steps of a trend go the claimed way; else empty.
	Steps string `json:"steps,omitempty"`
	// Needed is the number of replications that would decide an inconclusive claim; 0 if there is
	// no such number up to mostNeeded.
	Needed int `json:"replications_needed,omitempty"`
	// Undecidable tells why Needed of an inconclusive claim is 0, a sentence without its full stop.
	Undecidable string `json:"undecidable,omitempty"`
	// OnLevelsRun is the verdict on the levels of a trend or spread that a universe runs, where
	// only the levels that it does not run could decide an inconclusive claim; else empty.
	OnLevelsRun Verdict `json:"-"`
	Note        string  `json:"note,omitempty"` // reasons for the verdict, warnings and Gaps
	// Unmet is a phrase on what a vacuous claim presupposes; Note begins with it.
	Unmet string `json:"-"`
	// Gaps are the numbers with a value in none or only some of the replications that were run.
	Gaps []string `json:"gaps,omitempty"`
	// FailsIn has the sets in which a claim about most rows fails on published numbers, in words
	// with their counts of rows.
	FailsIn     []string     `json:"-"`
	Comparisons []Comparison `json:"evidence,omitempty"`
}

// Held returns in words how many comparisons hold, and how many steps of a trend.
func (j Judgement) Held() string {
	text := fmt.Sprintf("%d of %d comparisons hold", j.Holding, len(j.Comparisons))
	switch {
	case len(j.Comparisons) == 1 && j.Holding == 1:
		text = "the comparison holds"
	case len(j.Comparisons) == 1:
		text = "the comparison does not hold"
	}
	if j.Steps != "" {
		text += " (" + j.Steps + ")"
	}
	return text
}

// Comparison is one of the comparisons of a claim.
type Comparison struct {
	Labels []string            `json:"labels"`    // the row, as dimension=level; not nil
	What   string              `json:"margin_is"` // what is compared with what
	Margin statistics.Estimate `json:"margin"`
	// Clear is +1 if it clearly holds, −1 if it clearly fails (Holm's correction for the number of
	// comparisons), else 0.
	Clear int    `json:"clear"`
	Steps []Step `json:"steps,omitempty"` // steps of a trend over more than two levels

	Levels int `json:"-"` // number of levels of a peak or spread, else 0
}

// Step is the change of a trend from a level to the next, above 0 in the claimed direction.
type Step struct {
	What   string              `json:"margin_is"` // what is compared with what
	Margin statistics.Estimate `json:"margin"`
	// Clear is that of Comparison, with Holm's correction for the number of all steps of the claim.
	Clear int `json:"clear"`
}

// AssumptionJudgement is a claim's judgement under an alternative assumption: a level of the factor
// of an experiment that repeats others.
type AssumptionJudgement struct {
	Experiment string
	study.Universe
	Judgement
	// SameAs is the universe of the experiment, of the fewest alternatives, that has the same
	// verdict, and the same numbers in every replication of both, so that this one is no further
	// evidence; mostly empty.
	SameAs string
	// NoEffect is whether SameAs is the universe without alternatives.
	NoEffect bool
}
