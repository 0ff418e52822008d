// Package analysis turns the rows of a plan into what a paper shows: tables, figures and claims,
// each of our numbers with its interval, each published number beside ours, each claim with a
// verdict. Everything is a query over observations, and the published numbers are observations too:
// the same code that judges our runs judges the paper's own tables.
//
// The packages below write a Result out: analysis/tabulate tables, analysis/draw figures,
// analysis/report the page.
package analysis

import (
	"fmt"
	"slices"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/model"
	"gridsweep/sweeps/study"
)

// Result is everything the study file asks for, computed from one plan's rows.
type Result struct {
	Tables   []Table
	Figures  []Figure
	Claims   []Claim
	Unjudged []Statement
	Missing  []string // planned experiments that have no rows because they were not run
	LeftOut  LeftOut
}

// LeftOut names the experiments of the study that were not selected for the plan, and counts the
// tables, figures and claims that need them.
type LeftOut struct {
	Experiments             []string
	Tables, Figures, Claims int
}

// Axis describes what the numbers of a column or the positions along an axis are.
type Axis struct {
	Name   string // of the dimension or column
	Title  string // for people: what it is, with the paper's symbol in front, if it has one
	Symbol string
	Unit   string     // empty for a pure number or names
	Label  string     // what the study calls the axis, in the place of its title; empty for most
	Shown  study.Unit // that the numbers, which are in Unit, are shown in; none where that is not said
	Change string     // how the numbers are compared and with what, in few words: change against best effort; else empty
	Labels []string
}

// Table is a table of the paper: rows and columns of cells.
type Table struct {
	Name, Title string
	Source      string                 // file of published numbers; empty where there are none
	MeanOf      int                    // runs that each published number is the mean of; 0 counts as 1
	Statistics  []statistics.Statistic // over rounds, that our numbers are; published means are trimmed where these are
	Given       bool                   // the published numbers are inputs of the study: shown, and no evidence
	RowHeads    []string               // names of the dimensions that make the rows
	ColumnHeads []string               // names of the dimensions across
	Columns     [][]string
	Rows        []Row
	Decimals    map[string]int // digits after the point, by metric; of the others as many as suit them
	Values      []Axis         // what the columns shown are, one for each column of the table in the query's show
	Agreement   []Agreement
	Warnings    []string
}

// Row is a row of a table: its labels, one for each of RowHeads (empty where a block has fewer row
// dimensions), and a cell for each of the table's columns (nil where there is none).
type Row struct {
	Labels []string
	Cells  []*Cell
}

// Cell is one number of a table.
type Cell struct {
	Metric     string              // column shown
	Ours       statistics.Estimate // its N is 0 and its Value NaN where no run has the number
	Rounds     []float64           // the value of each round, NaN where it has none
	Ran        int                 // rounds that were run; Ours.N of them have a value
	Published  *Published          // nil where the paper prints no number
	Prediction [2]float64          // 95 % prediction interval of what is published, NaN where there is none
	Verdict    Agree

	series      // what the rounds contribute to Ours
	planned int // rounds; 0 where that is not known
}

// Published is a number of the paper.
type Published struct {
	Value   float64
	Printed string
	Page    string // empty for what is computed of printed numbers, as a ratio of them
	Note    string // what is odd about it; empty for most
}

// Agree says whether a published value lies in our prediction interval for what it is, one run or a
// mean of several. Of numbers that are given it says whether ours, rounded as the paper's, are the
// same.
type Agree string

// The verdicts on a cell.
const (
	AgreeNone    Agree = ""        // nothing to compare
	AgreeInside  Agree = "inside"  // in the 95 % prediction interval
	AgreeOutside Agree = "outside" // not in it
)

// Predicted says in words what our prediction intervals are of: what the table's published numbers
// are.
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
	Metric        string
	Measured      bool // times on some machine, which simulate nothing: no summary counts them
	Given         bool // inputs of the study, which agree by construction: no summary counts them
	Cells, Inside int
	Bias          statistics.Estimate // mean of ours − published, its interval over rounds: cells share arrivals
	RMSE          float64             // of our means against the published values
	Granularity   string              // which denominators the published percentages are consistent with
}

// Figure is a figure of the paper as numbers: panels of series of points.
type Figure struct {
	Name, Title string
	Kind        language.FigureKind
	X, Y        Axis
	Right       *Axis // of the series on the right axis; nil where there is none
	Rows        Axis  // of a heat: what its series are
	LogX, LogY  bool
	RangeX      *[2]float64
	RangeY      *[2]float64
	Deviations  bool // the intervals of points are one standard deviation of the replications to either side
	Panels      []Panel
	Caption     string // statistic, rounds and intervals, in one sentence
	Warnings    []string
}

// Panel is one set of axes of a figure.
type Panel struct {
	Label  string      // drawn above it; may be empty where the figure has one panel
	Y      Axis        // the figure's Y unless the panels are metrics
	RangeY *[2]float64 // limits of its own; nil where it has those of the figure
	Series []Series
}

// LimitsY returns the limits of the y axis of a panel; nil where there are none.
func (f Figure) LimitsY(p Panel) *[2]float64 {
	if p.RangeY != nil {
		return p.RangeY
	}
	return f.RangeY
}

// Series is one line, one colour of bars or rectangles, or one cloud of points.
type Series struct {
	Label     string
	Right     bool // its values are read from the right axis, which neither limits nor logarithms concern
	Points    []Point
	Published []Point // the paper's own numbers
}

// Point is one point of a series. For a category axis X is the index of Label in the axis' labels.
// Of a gantt it is a rectangle that begins at X and Y, to the right and upwards.
type Point struct {
	X             float64
	Label         string
	Y             statistics.Estimate
	Width, Height float64 // of a rectangle, in the units of the axes
}

// Verdict is what the evidence says of a claim.
type Verdict string

// The verdicts on a claim.
const (
	Reproduced    Verdict = "reproduced"
	NotReproduced Verdict = "not reproduced"
	Inconclusive  Verdict = "inconclusive"
	NotRun        Verdict = "not run"  // the experiment or a level of it has no rows
	NoValue       Verdict = "no value" // it was run, and no round has the numbers that the test compares
)

// Claim is a claim of the paper with its verdicts.
type Claim struct {
	Name        string
	Doc         string // the statement
	Source      string // where the paper makes it
	Test        string // what was tested, in words
	Unit        string // of the margins
	Ours        Judgement
	Published   *Judgement            // on the paper's own tables, where they hold what the test needs
	Assumptions []AssumptionJudgement // under each level of a repeated experiment, where that was run
}

// Statement is what the paper says and no claim judges.
type Statement struct {
	Name   string `json:"name"`
	Doc    string `json:"doc"`    // the statement
	Source string `json:"source"` // where the paper makes it
	Why    string `json:"why"`    // it is not judged
}

// Judgement is a verdict with its evidence. Margins are at least 0 where the claim holds.
type Judgement struct {
	Verdict     Verdict
	Margin      statistics.Estimate // mean margin over comparisons, its interval over rounds
	Holding     int                 // comparisons that hold
	Comparisons []Comparison
	Note        string   // why there is no verdict, what was left out, and Gaps
	Gaps        []string // which numbers have a value in none or only some of the rounds that were run
}

// Comparison is one of the comparisons of a claim.
type Comparison struct {
	Labels []string // the row, as dimension=level
	What   string   // what is compared with what
	Margin statistics.Estimate
	Clear  int // +1 clearly holds, −1 clearly fails (corrected for the number of comparisons), 0 neither
}

// AssumptionJudgement is a claim's judgement under one level of the factor under which an
// experiment repeats others.
type AssumptionJudgement struct {
	Experiment, Level string
	Judgement
}

// columnAxis describes a column for people.
func columnAxis(c model.Column) Axis {
	title := c.Doc
	if c.Symbol != "" {
		title = c.Symbol + ": " + title
	}
	return Axis{Name: c.Name, Title: title, Symbol: c.Symbol, Unit: c.Unit}
}
