// Package analysis turns the rows of a plan into what a paper shows: tables, figures and claims,
// each of our numbers with its interval, each published number beside ours, each claim with a
// verdict. Everything is a query over observations, and the published numbers are observations too:
// the same code judges our runs and the paper's own tables.
//
// Analyze computes a Result. The packages below write it: analysis/tabulate tables, analysis/draw
// figures, analysis/report the page.
package analysis

import (
	"fmt"
	"slices"

	"github.com/dustin/go-humanize"

	"gridsweep/analysis/effects"
	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/model"
	"gridsweep/sweeps/study"
)

// Result is the tables, figures and claims of a study, computed from the rows of one plan.
type Result struct {
	Tables      []Table
	Figures     []Figure
	Claims      []Claim
	Unjudged    []Statement
	Assumptions []Assumption // assumptions of the study, in the order of Universe.Levels
	Missing     []string     // planned experiments that have no rows because they were not run
	LeftOut     LeftOut
}

// Assumption is a choice that the paper leaves open.
type Assumption struct {
	Name        string
	Doc         string   // what is chosen
	Source, Why string   // what leaves it open; why the default is the default
	Levels      []string // the first is the default
}

// LeftOut names the experiments of the study that were not selected for the plan, and counts the
// tables, figures and claims that need them.
type LeftOut struct {
	Experiments             []string
	Tables, Figures, Claims int
}

// Axis describes the numbers of a column or the positions along an axis.
type Axis struct {
	Name   string // name of the dimension or column
	Title  string // description, after the paper's symbol if it has one
	Symbol string
	Unit   string     // unit of the numbers; empty for a pure number or names
	Label  string     // label of the study file, instead of the title; mostly empty
	Shown  study.Unit // unit in which tables and figures show the numbers; none: Unit
	// Change is how the numbers are compared, such as "change against best effort"; else empty.
	Change string
	Labels []string // names along the axis; nil for numbers
}

// Table is a table of the paper: rows and columns of cells.
type Table struct {
	Name, Title string
	Source      string // file of published numbers; empty if there are none
	// MeanOf is the number of runs that each published number is the mean of; 0 counts as 1.
	MeanOf int
	// Statistics are those of our numbers over replications; published means are trimmed if these
	// are.
	Statistics []statistics.Statistic
	// Given tells that the published numbers are inputs of the study: shown, but no evidence.
	Given       bool
	RowHeads    []string // names of the dimensions that make the rows
	ColumnHeads []string // names of the dimensions across
	Columns     [][]string
	Rows        []Row
	Decimals    map[string]int // digits after the point, by metric; for others tabulate chooses
	Values      []Axis         // one for each metric of the cells
	Agreement   []Agreement
	Universes   []Agreements // one for each experiment that repeats the table in universes
	Warnings    []string
}

// Agreements is the agreement of a table with the published numbers in each universe of an
// experiment, over the replications of that experiment. Those of a single replication are predicted
// with the deviations of the study's own experiments.
type Agreements struct {
	Experiment string `json:"experiment"`
	// Repeats is the experiment that it repeats, whose numbers the table shows.
	Repeats      string              `json:"of"`
	Replications int                 `json:"replications"` // replications of each universe
	Universes    []UniverseAgreement `json:"universes"`
}

// UniverseAgreement is the agreement of a table in a universe, by the cells that summaries count.
type UniverseAgreement struct {
	Universe
	Cells  int `json:"cells"`  // cells with a verdict
	Inside int `json:"inside"` // cells inside their prediction interval
	// Numbers is a hash of ours in every replication: universes of an experiment with equal ones
	// are one to the published numbers.
	Numbers uint64 `json:"-"`
}

// Row is a row of a table: its labels, one for each of RowHeads (empty if its block has fewer row
// dimensions), and a cell for each of the table's columns (nil if there is none).
type Row struct {
	Labels []string
	Cells  []*Cell
}

// Cell is one number of a table.
type Cell struct {
	Metric    string              // column shown
	Ours      statistics.Estimate // N is 0 and Value NaN if no run has the number
	Values    []float64           // the value of each replication, NaN if it has none
	Ran       int                 // replications that were run; Ours.N of them have a value
	Published *Published          // nil if the paper prints no number
	// Prediction is the 95 % prediction interval of the published number; NaN if there is none.
	Prediction [2]float64
	Verdict    Agree
	Trivial    bool // whether the published number and ours are 0, ours in every replication
	// Repeated tells that earlier cells of the study have the published number, or all that it is
	// computed from.
	Repeated bool

	series            // the contributions of replications to Ours
	planned  int      // number of planned replications; 0 if unknown
	without  []Agree  // the verdict without each group of replications; nil where there are too few
	domain   *domain  // the numbers that are possible; nil without bounds
	identity string   // the same for all cells of the study that show the number
	operands []string // numbers that the published one is computed from, if it is not printed
}

// Published is a number of the paper.
type Published struct {
	Value   float64
	Printed string
	Page    string // page of the paper; empty for a number computed from printed ones
	Note    string // note on an oddity of the printed number; mostly empty
}

// Agree tells whether a published value lies in our prediction interval of one run or of a mean of
// several. For a published number that is an input of the study it tells whether ours, rounded to
// the printed digits, is equal.
type Agree string

// The verdicts on a cell.
const (
	AgreeNone    Agree = ""        // nothing to compare
	AgreeInside  Agree = "inside"  // in the 95 % prediction interval, or equal to the input
	AgreeOutside Agree = "outside" // neither
)

// Predicted returns in words what our prediction intervals are for: one run, or a mean of several.
func (t Table) Predicted() string {
	switch {
	case t.MeanOf < 2:
		return "one run"
	case slices.Contains(t.Statistics, statistics.Trimmed):
		return fmt.Sprintf("a mean of the %d runs left of %d", t.MeanOf, t.MeanOf+2)
	}
	return fmt.Sprintf("a mean of %d runs", t.MeanOf)
}

// Agreement sums up a table against the paper, for each metric with published numbers.
type Agreement struct {
	Metric string
	// Measured tells that the numbers are wall-clock times of some machine, which summaries do not
	// count.
	Measured bool
	// Given tells that they are inputs of the study, which agree by construction, so that summaries
	// do not count them.
	Given         bool
	Cells, Inside int      // cells with a verdict, and those of them inside
	Evidence      Evidence // the cells that summaries count
	// Bias is the mean of ours − published, with its interval over replications, as cells share
	// arrivals.
	Bias statistics.Estimate
	// Biased are the columns of the table whose own bias is clear, the largest first.
	Biased []BiasedColumn
	// Rounding is the bias that rounding the printed numbers may make: half a unit of the last
	// digit.
	Rounding float64
	RMSE     float64 // root mean square of ours − published
	// Granularity is the denominators that the published percentages are consistent with, in words.
	Granularity string
}

// IsBiased reports whether the interval of the bias lies beyond 0 and beyond the rounding of the
// printed numbers.
func (a Agreement) IsBiased() bool { return a.Bias.Low > a.Rounding || a.Bias.High < -a.Rounding }

// BiasedColumn is a column of a table whose mean difference to the published numbers is clear
// (Agreement.IsBiased for its cells alone).
type BiasedColumn struct {
	Labels []string
	Bias   statistics.Estimate
}

// Figure is a figure of the paper as numbers: panels of series of points.
type Figure struct {
	Name, Title string
	Kind        language.FigureKind
	X, Y        Axis
	Right       *Axis // axis of the series on the right; nil if there is none
	Rows        Axis  // axis of the series of a heat map
	LogX, LogY  bool
	RangeX      *[2]float64 // limits of the axis; nil for those of the data
	RangeY      *[2]float64
	// Deviations tells that the intervals of points are one standard deviation of the replications
	// to either side.
	Deviations bool
	Diagonal   bool // whether there is a line where both axes have equal numbers
	Panels     []Panel
	Caption    string // statistic, replications and intervals, in one sentence
	Warnings   []string
}

// Panel is one set of axes of a figure.
type Panel struct {
	Label  string      // label above it; may be empty if the figure has one panel
	Y      Axis        // vertical axis: the figure's Y unless the panels are metrics
	RangeY *[2]float64 // limits of its own; nil for those of the figure
	Series []Series
}

// LimitsY returns the limits of the y axis of a panel; nil if there are none.
func (f Figure) LimitsY(p Panel) *[2]float64 {
	if p.RangeY != nil {
		return p.RangeY
	}
	return f.RangeY
}

// Series is one line, one colour of bars or rectangles, or one cloud of points.
type Series struct {
	Label     string
	Right     bool // whether it is on the right axis, which has neither limits nor logarithms
	Points    []Point
	Published []Point // published numbers
}

// Point is one point of a series. On a category axis X is the index of Label in the axis' labels.
// In a gantt it is a rectangle whose lower left corner is at X and Y.
type Point struct {
	X             float64
	Label         string
	Y             statistics.Estimate
	Width, Height float64 // size of a rectangle, in the units of the axes
}

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

// Claim is a claim of the paper with its verdicts.
type Claim struct {
	Name        string
	Doc         string // the statement
	Source      string // section or page where the paper makes it
	Main        bool   // whether it is one of the main conclusions of the paper
	Origin      language.Origin
	Sentence    string // sentence of the paper, shared by the claims that judge it; may be empty
	Presupposes string // the claim without which this one means nothing; may be empty
	Test        string // what was tested, in words
	Unit        string // unit of the margins
	Near        *Near  // the number of a claim with near; else nil
	Ours        Judgement
	// Published is the judgement on the published numbers; nil if the paper does not print all.
	Published   *Judgement
	Assumptions []AssumptionJudgement // judgements under each alternative assumption that was run
	Universes   []Robustness          // one for each experiment of universes
	Reason      *Reason               // why a claim is not reproduced; nil for other verdicts
}

// Near is the number that a claim with near names.
type Near struct {
	Value float64
	Unit  string
}

// Universe is a combination of alternative assumptions.
type Universe struct {
	Label string `json:"universe"`
	// Levels are by Result.Assumptions, 0 for the default; nil for a level of a factor that is no
	// universe.
	Levels []int `json:"-"`
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
	Contradicted ReasonClass = "published"   // the paper's own numbers or statements contradict it
	Hinges       ReasonClass = "assumption"  // it is reproduced under an alternative assumption
	Suspect      ReasonClass = "workload"    // it is reproduced with another stand-in workload
	Unexplained  ReasonClass = "unexplained" // no alternative explains it
	NotTried     ReasonClass = "not tried"   // no alternative assumption was run
)

// Statement is a statement of the paper that no claim judges.
type Statement struct {
	Name   string `json:"name"`
	Doc    string `json:"doc"`    // the statement
	Source string `json:"source"` // section or page where the paper makes it
	Why    string `json:"why"`    // why it is not judged
}

// Judgement is a verdict with its evidence. The margin of a comparison is at least 0 if it holds.
type Judgement struct {
	Verdict    Verdict
	MeanMargin statistics.Estimate // mean over comparisons, with its interval over replications
	// MeanValue is the mean of the numbers that a claim with near compares; else nil.
	MeanValue   *statistics.Estimate
	Holding     int // number of comparisons that hold
	Comparisons []Comparison
	Steps       string // how many steps of a trend go the claimed way; else empty
	// Needed is the number of replications that would decide an inconclusive claim; 0 if there is
	// no such number up to mostNeeded.
	Needed int
	// Undecidable tells why Needed of an inconclusive claim is 0, a sentence without its full stop.
	Undecidable string
	Note        string // reasons for the verdict, warnings and Gaps
	Unmet       string // phrase on what a vacuous claim presupposes; Note begins with it
	// Gaps are the numbers with a value in none or only some of the replications that were run.
	Gaps []string
	// Against says at which levels of for a claim about most rows fails on published numbers.
	Against []string
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
	Universe
	Judgement
	// SameAs is the universe of the experiment, of the fewest alternatives, that has the same
	// numbers in every replication, so that this one is no further evidence; mostly empty.
	SameAs string

	numbers uint64 // hash of the numbers compared; 0 if none of them varies over replications
}

// columnAxis returns the axis of a column, with its description as title.
func columnAxis(c model.Column) Axis {
	title := c.Doc
	if c.Symbol != "" {
		title = c.Symbol + ": " + title
	}
	return Axis{Name: c.Name, Title: title, Symbol: c.Symbol, Unit: c.Unit}
}
