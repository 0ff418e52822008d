// Package study binds a study file to its model: it resolves each name once, to a factor, level,
// column or dimension, and reports all names that have no meaning together. Package sweeps expands
// a bound study and package analysis evaluates it.
package study

import (
	"math/big"
	"slices"
	"strings"

	"gridsweep/analysis/statistics"
	"gridsweep/configs"
	"gridsweep/configs/language"
	"gridsweep/model"
)

// Study is a study file bound to its model.
type Study struct {
	Name, Paper, Title string
	File               *configs.Study // as read; for messages and provenance
	Model              *model.Model
	Seed               int64 // of all replications

	Base        []Assignment // of the study, quick and the command line; a later one overrides an earlier one
	Set         []Assignment // those of the command line, which Base has too
	Factors     []Factor
	Assumptions []Assumption
	Deviations  []Deviation
	Experiments []*Experiment // in the order of the file, with each and repeat written out
	Tables      []Table
	Figures     []Figure
	Claims      []Claim
	Unjudged    []Statement
}

// Deviation is a parameter whose value in the study is not the one that the paper prints.
type Deviation struct {
	Parameter   int    // index in the model
	Printed     string // its value in the paper, as the parameter writes it; empty if the paper prints none
	Source, Why string
}

// Overrides are the values of a command that replace those of the file.
type Overrides struct {
	Quick  bool                // apply the file's overlay for small runs
	Set    []configs.Setting   // parameters
	Levels []configs.Selection // levels of factors
	// Universes is the most universes of an experiment under assumptions, in any design that has no
	// more; 0 leaves each experiment its own design.
	Universes int
	Rounds    int // the most replications of a cell; 0 leaves each experiment its own
}

// Assignment gives a parameter a value.
type Assignment struct {
	Parameter int // of the model; 0 where Wrong
	Value     model.Value
	Setting   configs.Setting // where it was written
	Wrong     bool            // there is no such parameter or value, which is reported
}

// IsWrong reports whether there is no such parameter or value.
func (a Assignment) IsWrong() bool { return a.Wrong }

// Factor is a variable of experiments.
type Factor struct {
	Name   string
	List   bool    // the levels are values of the parameter of the factor's name
	Levels []Level // of quick or the command line where they name some, else of the file
	Pos    configs.Pos
	Broken bool // not all of it could be read

	own        []Level        // the file's
	byLabel    map[string]int // index in own, from 1, by canonical label
	labels     labelSet       // of own; empty where the factor is broken
	overridden bool
	parameters []string        // that some level sets, each once
	always     map[string]bool // parameters that every level sets
}

// Level is one level of a factor.
type Level struct {
	Label       Label
	Assignments []Assignment
}

// IsWrong reports whether an assignment of the level is wrong.
func (l Level) IsWrong() bool {
	for _, a := range l.Assignments {
		if a.Wrong {
			return true
		}
	}
	return false
}

// Experiment is a crossed design: every combination of the levels of its factors is a cell.
type Experiment struct {
	Index    int // in Study.Experiments
	Name     string
	Doc      string
	Whole    string // name in the file; that of the whole experiment for a part
	Pos      configs.Pos
	Fixed    []Assignment // a later one overrides an earlier one
	Crossed  []Crossed
	Rounds   int         // replications of cells whose levels have no own number; see RoundsOf
	Measure  bool        // its runs are timed
	Optional bool        // run only when named
	Again    *Experiment // the experiment that it repeats under every level of its first factor; nil for most
	// Universes are the levels of the first factor of an experiment under assumptions; nil for
	// others.
	Universes []Universe
	Wrong     bool // some of its settings or factors are wrong, which is reported

	file  experiment
	short []shortage
}

// Broken reports whether the experiment could not be read in whole, or varies an unknown factor.
func (e *Experiment) Broken() bool { return e.file.Broken }

// IsPartOf reports whether the experiment is the named one of the study file or, as name/factor, a
// part of it.
func (e *Experiment) IsPartOf(name string) bool { return isPart(e.Name, name) }

func isPart(experiment, name string) bool {
	return experiment == name || strings.HasPrefix(experiment, name+"/")
}

// Crossed is a factor with the levels that an experiment takes of it.
type Crossed struct {
	*Factor
	Levels []Level
	rounds []int // by level: its own number of replications, 0 for none; nil where no level has one
}

// RoundsOf returns the number of replications of the cell with these levels: the largest of its
// levels' own numbers, else the experiment's.
func (e *Experiment) RoundsOf(levels []int) int {
	most := 0
	for i, level := range levels {
		if own := e.Crossed[i].rounds; own != nil {
			most = max(most, own[level])
		}
	}
	if most == 0 {
		return e.Rounds
	}
	return most
}

// RangeOfRounds returns the least and the largest number of replications of the cells; see
// RoundsOf.
func (e *Experiment) RangeOfRounds() (fewest, most int) {
	atLeast, smallest := 0, 0 // the number that the levels give every cell; the smallest that they give some cell
	for _, crossed := range e.Crossed {
		if crossed.rounds == nil {
			continue
		}
		atLeast, most = max(atLeast, slices.Min(crossed.rounds)), max(most, slices.Max(crossed.rounds))
		for _, rounds := range crossed.rounds {
			if rounds > 0 && (smallest == 0 || rounds < smallest) {
				smallest = rounds
			}
		}
	}
	switch {
	case atLeast > 0:
		return atLeast, most
	case smallest > 0:
		return min(e.Rounds, smallest), max(e.Rounds, most)
	}
	return e.Rounds, e.Rounds
}

// TotalRuns returns the number of runs of all cells; a run of several cells counts in each.
func (e *Experiment) TotalRuns() *big.Int {
	cells := func(atMost int) *big.Int { // whose levels have at most so many own replications
		product := big.NewInt(1)
		for _, crossed := range e.Crossed {
			count := len(crossed.Levels)
			for _, own := range crossed.rounds {
				if own > atMost {
					count--
				}
			}
			product.Mul(product, big.NewInt(int64(count)))
		}
		return product
	}
	var steps []int
	for _, crossed := range e.Crossed {
		steps = append(steps, crossed.rounds...)
	}
	slices.Sort(steps)
	counted := cells(0) // whose levels have no own number of replications
	total := new(big.Int).Mul(counted, big.NewInt(int64(e.Rounds)))
	for _, rounds := range slices.Compact(steps) {
		if rounds > 0 {
			all := cells(rounds)
			more := new(big.Int).Sub(all, counted)
			total.Add(total, more.Mul(more, big.NewInt(int64(rounds))))
			counted = all
		}
	}
	return total
}

// Source is a table of the model that queries read.
type Source struct {
	Name    string
	Columns []model.Column // the table of runs has the parameters too
	Keys    []model.Column // columns that tell the rows of a run apart
}

// Dimension is one along which the numbers of a query may differ: a factor, a key column, metric or
// stat.
type Dimension struct {
	Name      string
	Factor    *Crossed      // nil for the others
	Parameter *model.Column // whose values the factor lists; nil for the others
	Key       *model.Column // nil for the others
}

// Query says which numbers a table, figure or claim is about. A dimension is an index in Dims; -1
// is none.
type Query struct {
	Of       *Experiment
	From     *Source
	Shown    []model.Column
	Dims     []Dimension // the factors of the experiment, the keys of the table, metric and stat
	Where    []Selection
	Against  []Selection // one label each: the base that every number is compared with
	Worst    bool        // the base is the largest number along the dimensions that are laid out
	As       language.Comparison
	Over     []bool                 // by dimension: whether the mean over it is taken
	Averaged []int                  // the dimensions of Over, in the order of the file
	Stats    []statistics.Statistic // over replications; empty for the mean
	OverBy   []statistics.Statistic // by column shown: over the dimensions of Over, in place of the mean
}

// Metric returns the dimension of the columns shown.
func (q *Query) Metric() int { return len(q.Dims) - 2 }

// Stat returns the dimension of the statistics taken.
func (q *Query) Stat() int { return len(q.Dims) - 1 }

// Selection names some levels of a dimension.
type Selection struct {
	Dim    int
	Labels []Label
}

// Selected returns the labels that where names of a dimension; nil for all labels.
func (q *Query) Selected(dim int) []Label {
	for _, w := range q.Where {
		if w.Dim == dim {
			return w.Labels
		}
	}
	return nil
}

// Base returns the label of the base along a dimension; false where the query has none.
func (q *Query) Base(dim int) (Label, bool) {
	for _, a := range q.Against {
		if a.Dim == dim {
			return a.Labels[0], true
		}
	}
	return Label{}, false
}

// Takes reports whether the query shows numbers at a level of a dimension, or compares with them.
func (q *Query) Takes(dim int, label Label) bool {
	named := q.Selected(dim)
	base, compares := q.Base(dim)
	return named == nil || IndexOf(named, label) >= 0 || compares && base.Same(label)
}

// Table is one table: one or more blocks stacked.
type Table struct {
	Name, Title string
	Columns     []string        // names of the dimensions across
	Published   string          // file of published numbers; empty where there is none
	MeanOf      int             // runs in the mean that a published number is, at least 1; of trimmed means those left
	Given       bool            // the published numbers are inputs of the study, and no evidence
	Fitted      bool            // its published numbers choose a universe; those of other tables are held out
	Decimals    map[string]int  // digits after the point, by column; of the others as many as suit them
	Units       map[string]Unit // that columns are shown in; the others in their own
	Blocks      []Block
}

// Block is a query of a table and how it is laid out.
type Block struct {
	Query
	Rows    []int   // dimensions
	Columns []int   // dimensions, those of the table
	Label   string  // names the row of a block without row dimensions
	Printed []Print // the table's published numbers that belong here
}

// Print is a published number with its labels among the numbers of a block.
type Print struct {
	Labels []Label // by dimension; empty along those that the block takes the mean over, metric and stat
	Metric int     // index of the column shown
	Stat   Label   // the statistic by the file; may be empty
	Value  float64
	Text   string // the value as printed
	Page   string // empty where it is not known
	Note   string // a remark of the file; empty for most
}

// PublishedFile is a file of published numbers.
type PublishedFile struct {
	Name   string
	MeanOf int // runs that each number is the mean of
}

// Figure is one figure: a query drawn.
type Figure struct {
	Name, Title string
	Query
	Kind language.FigureKind
	X    int // dimension; -1 where rows are drawn
	// of rows that are drawn: along x; of rectangles also where they end and how tall they are
	Begin, End, Height model.Column
	Position           *Position // where a level of X lies on the axis; nil where its label says so
	Series             []int     // dimensions; the first is metric where there is a right axis
	Panels             int       // dimension
	Right              int       // index of the column shown that has the right axis
	LogX, LogY         bool
	RangeX, RangeY     *[2]float64
	PanelRanges        []PanelRange // of y, in the place of RangeY
	Labels             AxisLabels
	Units              AxisUnits
	Whiskers           language.Whiskers
	Round              *int // the one replication that is drawn; nil for the statistic over all
	Published          []PublishedFile
}

// PanelRange limits the y axis of one panel.
type PanelRange struct {
	Panel  Label
	Limits [2]float64
}

// AxisLabels are titles of axes in place of those of columns and dimensions; empty for these. Right
// is the axis on the right, or the colours of a heat map.
type AxisLabels struct{ X, Y, Right string }

// AxisUnits are the units that axes are shown in.
type AxisUnits struct{ X, Y, Right Unit }

// Position is a column whose mean over the rows of a level is the level's position on an axis.
type Position struct {
	Query      // of the column alone
	X      int // the dimension along the axis
	Column model.Column
}

// Claim is a statement of the paper with the test that judges it.
type Claim struct {
	Name, Doc, Source string
	Main              bool // one of the main conclusions of the paper
	Origin            language.Origin
	Presupposes       string // another claim; this one is vacuous unless that is reproduced; may be empty
	Test
	Assertions  []Assertion  // what is asserted of single experiments, judged together
	Repetitions []Repetition // experiments that run all of these again
}

// Test is how a claim is judged. It has exactly one of Order, Trend, Above, Below, Near and Spread.
type Test struct {
	Order        [][]Label // ascending; the labels of a group are in no order
	Trend        language.Trend
	Above, Below *float64
	Near         *float64
	Within       float64
	Spread       *float64
	Margin       float64 // differences up to it neither support nor refute the others than Near and Spread
}

// HasBounds reports whether the test is of bounds, which may be met exactly.
func (t Test) HasBounds() bool { return t.Near != nil || t.Spread != nil }

// Assertion is what a claim asserts of one experiment.
type Assertion struct {
	Query
	For, Most []int // dimensions
	Along     int   // dimension
}

// Rows returns the dimensions for and most, whose levels make the rows of the claim.
func (a *Assertion) Rows() []int { return append(append([]int{}, a.For...), a.Most...) }

// Laid returns the dimensions for, most and along, in this order.
func (a *Assertion) Laid() []int {
	if a.Along < 0 {
		return a.Rows()
	}
	return append(a.Rows(), a.Along)
}

// Repetition is an experiment that runs the experiments of a claim again under every level of a
// factor, such as in every universe. The factor is the first dimension of each
// assertion.
type Repetition struct {
	Experiment string
	Assertions []Assertion
}

// Statement is a statement of the paper that no claim judges.
type Statement struct{ Name, Doc, Source, Why string }
