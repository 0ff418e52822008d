// Results: the tables, figures and claims of a study, as numbers and words.

package analysis

import (
	"fmt"
	"slices"

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
	Unjudged    []study.Statement
	Assumptions []study.Assumption // assumptions of the study, in the order of Universe.Levels
	Missing     []string           // planned experiments without rows, because they were not run
	LeftOut     LeftOut
}

// LeftOut names the experiments of tables, figures and claims that were not selected for the plan.
// It counts the figures and claims that need one of them, and the tables that have no others.
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
	Shown  study.Unit // unit in which tables and figures show the numbers; if none, Unit
	// Change is how the numbers are compared, such as "change against best effort"; else empty.
	Change string
	Labels []string // names along the axis; nil for numbers
}

// Table is a table of the paper: rows and columns of cells.
type Table struct {
	Name, Title string
	Source      string // file of published numbers; empty if there are none
	// MeanOf is the number of runs that each published number is the mean of; 1 if it is no mean.
	MeanOf int
	// Statistics are those of our numbers over replications; published means are trimmed if these
	// are.
	Statistics []statistics.Statistic
	// Given tells that the published numbers are inputs of the study: shown, but no evidence.
	Given bool
	// RowDimensions are the names of the dimensions that make the rows. Rows that have only the
	// label of their block have one dimension without a name.
	RowDimensions    []string
	ColumnDimensions []string // names of the dimensions across
	Columns          [][]string
	Rows             []Row
	Decimals         map[string]int // digits after the point, by metric; else tabulate chooses
	Values           []Axis         // one for each metric of the cells
	Agreement        []Agreement
	Universes        []Agreements // one for each experiment that repeats the table in universes
	Warnings         []string
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
	study.Universe
	Cells  int `json:"cells"`  // cells with a verdict
	Inside int `json:"inside"` // cells inside their prediction interval
	// Numbers is a hash of ours in every replication: the published numbers do not tell universes
	// with equal hashes apart.
	Numbers uint64 `json:"-"`
}

// Row is a row of a table: its labels, one for each of RowDimensions (empty if its block has
// fewer), and a cell for each of the table's columns (nil if there is none).
type Row struct {
	Labels []string
	Cells  []*Cell
}

// Cell is one number of a table.
type Cell struct {
	Metric string              // column shown
	Ours   statistics.Estimate // N is 0 and Value NaN if no run has the number
	Values []float64           // the value of each replication, NaN if it has none
	Ran    int                 // replications that were run; Ours.N of them have a value
	// Published is the number of the paper, nil if there is none. One that is computed from printed
	// ones has no page.
	Published *study.PublishedNumber
	// Prediction is the 95 % prediction interval of the published number; NaN if there is none.
	Prediction [2]float64
	Verdict    Agree
	Trivial    bool // whether the published number and ours are 0, ours in every replication
	// Repeated tells that earlier cells of the study have the published number, or all that it is
	// computed from.
	Repeated bool

	number                 // the contributions of replications to Ours
	planned        int     // number of planned replications; 0 if unknown
	verdictWithout []Agree // by group of replications left out; nil where there are too few
	// own counts our replications that were judged like the published number, by those of the other
	// groups (see leftOutGroups), and ownInside those of them inside; 0 where there are too few, or
	// the published number is a mean of several runs.
	own, ownInside int
	rounding       float64  // half a unit of the last printed digit, the column's or an input's own
	domain         *domain  // the numbers that are possible; nil without bounds
	identity       string   // the same for all cells of the study that show the number
	shownItself    bool     // whether an earlier cell shows the number, not only its operands
	operands       []string // numbers that the published one is computed from, if it is not printed
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
	// Biased are the subtables whose own bias is clear, the largest first: columns, or rows at a
	// label.
	Biased []BiasedSubtable
	// Rounding is the bias that rounding the printed numbers may make: half a unit of the last
	// digit.
	Rounding float64
	RMSE     float64 // root mean square of ours − published
	// Denominators are those that the published percentages are consistent with, in words.
	Denominators string
}

// IsBiased reports whether the interval of the bias lies beyond 0 and beyond the rounding of the
// printed numbers.
func (a Agreement) IsBiased() bool { return a.Bias.Low > a.Rounding || a.Bias.High < -a.Rounding }

// BiasedSubtable is a column of a table, or its rows at a label, whose mean difference to the
// published numbers is clear (Agreement.IsBiased for its cells alone).
type BiasedSubtable struct {
	Labels        []string // of a column, or of a row dimension; see LevelName
	Cells, Inside int      // cells with a verdict, and those of them inside
	Bias          statistics.Estimate
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
	// Whiskers are the intervals of points. Empty and "interval" mean those of the statistics.
	Whiskers language.Whiskers
	Diagonal bool // whether there is a line where both axes have equal numbers
	Panels   []Panel
	Caption  string // statistic, replications and intervals, in one sentence
	Warnings []string
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

// columnAxis returns the axis of a column, with its description as title.
func columnAxis(c model.Column) Axis {
	title := c.Doc
	if c.Symbol != "" {
		title = c.Symbol + ": " + title
	}
	return Axis{Name: c.Name, Title: title, Symbol: c.Symbol, Unit: c.Unit}
}
