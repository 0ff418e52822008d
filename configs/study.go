// Package configs reads study files: the factors, experiments, tables, figures, claims and
// published numbers of a study as data. It checks their form (known keys, types of values) and
// keeps the position of every text, so that other packages can report a problem with its line.
// Package sweeps/study resolves the names (factors, parameters, columns, units).
package configs

import (
	"slices"

	"gridsweep/analysis/statistics"
)

// Pos is a position in a file. Line 0 is the whole file or the command line, where File is a flag
// or empty.
type Pos struct {
	File         string
	Line, Column int // from 1
}

// Text is a scalar of a file as written, with its position. A label is not converted: 0.30 does not
// become 0.3.
type Text struct {
	Value string
	Pos   Pos
}

// is reports whether two texts are equal, at any positions.
func (t Text) is(other Text) bool { return t.Value == other.Value }

// Setting gives a parameter a value.
type Setting struct {
	Name, Value Text
	Key         string // path of the key, for problems
}

// Study is one study file with the entries that it inherits.
type Study struct {
	File  string // as messages show it
	Name  Text
	Paper Text // that it belongs to; by default the study's name
	Title Text
	// of the paper; empty if it is not known, and if CitesModel reports that the model has it
	Citation Text
	Model    Text
	Seed     Text // of all replications; by default "1"
	Set      []Setting
	Quick    Quick
	// tables, or "table: column", whose published numbers choose the universe that fits best
	Fit    []Text
	Source []byte // the bytes of the file itself, for provenance

	Factors     []Factor
	Assumptions []Assumption
	Deviations  []Deviation
	Experiments []Experiment
	Tables      []Table
	Figures     []Figure
	Claims      []Claim
	Unjudged    []Statement

	// Broken is set if a reported problem left some of the study unread, so that its names cannot
	// be checked.
	Broken bool
	Unread Unread
	Base   *Study // that it extends; nil for none

	from      location
	published map[string][]PublishedCell
	traces    []Trace // of the catalogues beside the files
	sources   sources
	removed   map[string][]Text // by section: the names of inherited entries that null removes
}

// Unread has the sections of which no entry could be read.
type Unread struct{ Factors, Experiments bool }

// Factor is a variable of experiments. The levels of a list are values of the parameter of the
// factor's name; other levels have settings.
type Factor struct {
	Name      Text
	List      bool
	Levels    []Level
	InForeach bool // named by a foreach of the factor's file
	Broken    bool // not all of it could be read
}

// Level is one level of a factor. Tables, figures and claims name it by its label.
type Level struct {
	Label    Text
	Settings []Setting
}

// Experiment defines points to run. Each factor of Each is varied alone, in a part of the
// experiment that is named "name/factor". The factors of Cross are crossed with one another and
// with that one.
type Experiment struct {
	Name         Text
	Doc          Text
	Set          []Setting
	Each         []Text
	Cross        []Crossed
	Replications int
	// of cells with these levels, instead of Replications; a cell with several has the most
	ReplicationsAt []LevelReplications
	Measure        bool // its runs are timed: first, one at a time, without memo
	Optional       bool // run only when named
	// instead of Each and Cross: the experiments to run again under every level of Under
	Repeat []Text
	Under  Text
	// with Repeat: the assumptions, or all, whose combinations are the levels of a factor that is
	// named Under
	Assumptions []Text
	// one of language.Designs; if empty, the first of full, fractional and latin that has at most
	// Universes
	Design    Text
	Universes int // most combinations; 0 for the default
	// with Repeat: label of the unchanged experiments, which are then run besides the levels of
	// Under; empty for none
	Baseline Text
	Levels   []Selection // with Repeat: the only levels kept of some factors; Under may be one
	// a field that determines its cells was not read or names something unknown: its dimensions are
	// unknown
	Broken bool
}

// LevelReplications is the number of replications of the cells with a level.
type LevelReplications struct {
	Factor, Level Text
	Replications  int
	Key           string // path of the key, for problems
}

// Crossed is a factor with the levels an experiment takes from it; nil takes all.
type Crossed struct {
	Factor   Text
	Baseline Text // label of a first level that sets nothing; empty for most
	Levels   []Text
	Key      string // path of the key with the levels, for problems
}

// Quick holds the changes that --quick makes to a study: small runs that still show every table and
// figure.
type Quick struct {
	Set          []Setting
	Levels       []Selection
	Replications int // 0 leaves each experiment's own
}

// Selection names some levels of a dimension.
type Selection struct {
	Dimension Text
	Labels    []Text
}

// Query selects the numbers of a table, figure or claim. Its dimensions are the factors of the
// experiment, the key columns of the table, "metric" for several columns and "stat" for several
// statistics. A dimension that varies and is not named is an error.
type Query struct {
	Of    Text   // experiment
	From  Text   // table; if empty, runs
	Show  []Text // columns
	Where []Selection
	// one label each: the base of the comparison, which is left out of the result
	Against []Selection
	// instead of Against: the base is the largest of all numbers of a column in the result
	Worst  bool
	As     Text      // one of language.Comparisons; if empty, the difference
	Over   []Text    // dimensions to take the mean over
	Stat   []Text    // one or more of statistics.All, over the replications; if empty, the mean
	OverBy []Setting // column → statistic that replaces the mean over Over
	Broken bool      // not all of the entry was read, so that a field may be missing
}

// Table is one table: one or more blocks stacked, each a query laid out in rows and columns.
type Table struct {
	Name      Text
	Title     Text
	Columns   []Text // dimensions across
	Published Text   // file of published numbers; empty for none
	// number of runs behind each published mean, at least 1; for trimmed means, after trimming
	MeanOf   int
	Given    bool      // the published numbers are inputs of the study, and no evidence
	Decimals []Setting // column → digits after the point; one without a column is for all
	Units    []Setting // column → unit in which its numbers are shown
	Blocks   []Block
}

// IsTrimmed reports whether the table shows trimmed means.
func (t *Table) IsTrimmed() bool {
	return slices.ContainsFunc(t.Blocks, func(b Block) bool {
		return slices.ContainsFunc(b.Stat, Text{Value: string(statistics.Trimmed)}.is)
	})
}

// Block is a query of a table and the dimensions that make its rows.
type Block struct {
	Query
	Rows  []Text
	Label Text // names the row of a block without row dimensions
}

// Figure is one figure: a query drawn.
type Figure struct {
	Name  Text
	Title Text
	Query
	Kind   Text // line, bar, points, heat or gantt
	X      Text // dimension, or for points and gantt a column
	End    Text // column where the rectangles of a gantt end, which begin at X
	Height Text // column that says how tall they are, from the column of Show on
	// column with a level's position on the x axis, for a factor whose labels are not numbers
	At     Text
	Series []Text // dimensions, one line or colour for each combination
	Panels Text   // dimension, one panel for each level
	Right  Text   // the column, of two, that has its axis on the right
	Log    []Text // x, y
	Range  []Range
	Labels AxisWords // titles that replace those of the columns and dimensions
	Units  AxisWords // in which numbers are shown
	// interval (by default) or sd: how far the lines through marks and bars reach
	Whiskers    Text
	Replication *int // the replication that is drawn; nil draws the statistic over all
	Published   []Text
}

// AxisWords is a text for each axis of a figure; empty for none.
type AxisWords struct{ X, Y, Right Text }

// Range limits an axis of a figure.
type Range struct {
	Axis      Text // x or y
	Panel     Text // the panel whose y axis is limited; empty for all
	Low, High float64
}

// Claim is a statement of the paper with the test that judges it: exactly one of Order, Trend,
// Above, Below, Near and Spread. Of may name an experiment with Each, whose parts the claim judges
// together.
type Claim struct {
	Name   Text
	Doc    Text // the statement, in our words
	Source Text // section, table or figure of the paper
	Query
	For    []Text   // dimensions: the claim is asserted at every level
	Most   []Text   // dimensions: the claim is asserted at more than half of the levels
	Along  Text     // the dimension of Order, Trend and Spread
	Order  [][]Text // ascending; the labels of a group are in no order; rest means all other levels
	Trend  Text     // rises, falls or peaks
	Above  *float64
	Below  *float64
	Near   *float64
	Within float64  // the largest difference from Near
	Spread *float64 // the largest difference of two numbers along Along
	// differences up to it neither support nor refute Order, Trend, Above and Below; 0 if the file
	// has none
	Margin      float64
	Main        bool // one of the main conclusions of the paper
	Origin      Text // one of language.Origins; if empty, paper
	Sentence    Text // of the paper, which claims of the same text judge together; may be empty
	Presupposes Text // the claim without which this one means nothing; may be empty
	// why the paper's own statements rule the claim out, without a full stop; may be empty
	Contradicted Text
}

// Statement is a statement of the paper without a claim that judges it.
type Statement struct {
	Name   Text
	Doc    Text // the statement, in our words
	Source Text // section, table or figure of the paper
	Why    Text // why it is not judged
}

// PublishedCell is one number of the paper.
type PublishedCell struct {
	Levels  []LevelOf // in the order of the file's columns
	At      []Pos     // of the levels
	Metric  string
	Value   float64
	Printed string // the value as the file, and so the paper, writes it, without a percent sign
	// whether a percent sign follows: where the column is a share, the number is Value / 100
	IsPercent bool
	Page      string // empty if unknown
	Note      string // what is odd about the number; empty for most
	Pos       Pos
}

// LevelOf is a dimension with one of its levels.
type LevelOf struct{ Dimension, Level string }
