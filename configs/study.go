// Package configs reads study files: the factors, experiments, tables, figures, claims and
// published numbers of a study as data. It checks their form (known keys, types of values) and
// keeps the position of every text, so that later packages can report a problem with its line.
// Package sweeps/study resolves the names (factors, parameters, columns, units).
package configs

import (
	"slices"

	"gridsweep/analysis/statistics"
)

// Pos is a position in a file; the zero Pos is the command line.
type Pos struct {
	File         string
	Line, Column int // from 1
}

// Text is a scalar of a file as written, with its position. A label stays the text that it is: 0.30
// does not become 0.3.
type Text struct {
	Value string
	Pos   Pos
}

// Setting gives a parameter a value.
type Setting struct {
	Name, Value Text
	Key         string // path of the key, as problems have it
}

// Study is one study file with the entries that it inherits.
type Study struct {
	File   string // as it is shown in messages
	Name   Text
	Paper  Text // the paper it belongs to; the study's own name where the file does not say
	Title  Text
	Model  Text
	Seed   Text // of all rounds; "1" where the file does not say
	Set    []Setting
	Quick  Quick
	Source []byte // the bytes of the file itself, for provenance

	Factors     []Factor
	Experiments []Experiment
	Tables      []Table
	Figures     []Figure
	Claims      []Claim
	Unjudged    []Statement

	// Broken says that the study could not be read in whole, which is reported: its names cannot be
	// checked.
	Broken bool
	Unread Unread
	Base   *Study // that it extends; nil for none

	from      location
	published map[string][]PublishedCell
	traces    []Trace // of the catalogues beside the files
	sources   sources
	removed   map[string][]Text // by section: the names of inherited entries that the file takes out
}

// Unread says which sections the file has without an entry that could be read.
type Unread struct{ Factors, Experiments bool }

// Factor is a variable of experiments. The levels of a list are values of the parameter of the
// factor's name; other levels have settings.
type Factor struct {
	Name   Text
	List   bool
	Levels []Level
	Broken bool // not all of it could be read
}

// Level is one level of a factor. Tables, figures and claims name it by its label.
type Level struct {
	Label    Text
	Settings []Setting
}

// Experiment says which points are run. Each factor of Each is varied alone, in a part of the
// experiment that is named "name/factor". The factors of Cross are crossed with one another and
// with that one.
type Experiment struct {
	Name     Text
	Doc      Text
	Set      []Setting
	Each     []Text
	Cross    []Crossed
	Rounds   int
	RoundsAt []LevelRounds // of cells with these levels, in place of Rounds; the most where a cell has several
	Measure  bool          // its runs are timed: first, one at a time, without memo
	Optional bool          // run only when named
	Repeat   []Text        // instead of Each and Cross: the experiments to run again under every level of Under
	Under    Text
	// with Repeat: label of what is run as it is, beside the levels of Under; empty where that is
	// left out
	Baseline Text
	Levels   []Selection // with Repeat: the levels that are left of factors, Under among them
	Broken   bool        // it could not be read in whole, or varies an unknown factor: its dimensions are not known
}

// LevelRounds is the rounds of the cells with a level.
type LevelRounds struct {
	Factor, Level Text
	Rounds        int
	Key           string // path of the key, as problems have it
}

// Crossed is a factor with the levels an experiment takes from it; nil takes all.
type Crossed struct {
	Factor   Text
	Baseline Text // label of a first level that sets nothing; empty for most
	Levels   []Text
	Key      string // path of the key with the levels, as problems have it
}

// Quick is what --quick changes of a study: small runs that still show every table and figure.
type Quick struct {
	Set    []Setting
	Levels []Selection
	Rounds int // 0 leaves each experiment's own
}

// Selection names some levels of a dimension.
type Selection struct {
	Dimension Text
	Labels    []Text
}

// Query says which numbers a table, figure or claim is about. Its dimensions are the factors of the
// experiment, the key columns of the table, "metric" for several columns and "stat" for several
// statistics. A dimension that varies and is not named is an error.
type Query struct {
	Of      Text   // experiment
	From    Text   // table; runs where empty
	Show    []Text // columns
	Where   []Selection
	Against []Selection // one label each: what every number is compared with; it drops out of the result
	Worst   bool        // against: worst — the largest of the rows along the dimensions that are shown
	As      Text        // one of language.Comparisons; the difference where empty
	Over    []Text      // dimensions to take the mean over
	Stat    []Text      // one or more of statistics.All, over the replications; the mean where empty
	OverBy  []Setting   // column → statistic that stands in for the mean over Over
	Broken  bool        // the entry could not be read in whole: a missing field may be one of those
}

// Table is one table: one or more blocks stacked, each a query laid out in rows and columns.
type Table struct {
	Name      Text
	Title     Text
	Columns   []Text // dimensions across
	Published Text   // file of published numbers; empty where there is none
	// runs that each published number is the mean of, at least 1; of trimmed means, those that are
	// left
	MeanOf   int
	Given    bool      // the published numbers are inputs of the study, and no evidence
	Decimals []Setting // column → digits after the point; a lone one without a column is of all
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
	Kind      Text   // line, bar, points, heat or gantt
	X         Text   // dimension, or for points and gantt a column
	End       Text   // column where the rectangles of a gantt end, which begin at X
	Height    Text   // column that says how tall they are, from the column of Show on
	At        Text   // column with a level's position on the x axis, for a factor whose labels are not numbers
	Series    []Text // dimensions, one line or colour for each combination
	Panels    Text   // dimension, one panel for each level
	Right     Text   // the one of two columns shown that is drawn against an axis on the right
	Log       []Text // x, y
	Range     []Range
	Labels    AxisWords // titles in place of what the columns and dimensions say
	Units     AxisWords // in which numbers are shown
	Whiskers  Text      // interval (where empty) or sd: how far the lines through marks and bars reach
	Round     *int      // the one round that is drawn; nil draws the statistic over all
	Published []Text
}

// AxisWords is a text for each axis of a figure; empty for none.
type AxisWords struct{ X, Y, Right Text }

// Range limits an axis of a figure to part of it.
type Range struct {
	Axis      Text // x or y
	Panel     Text // the panel whose y axis is limited; empty for all
	Low, High float64
}

// Claim is a statement of the paper with the test that judges it. Exactly one of Order, Trend,
// Above, Below, Near and Spread is given. Of may name an experiment with Each, of whose parts the
// claim is judged together.
type Claim struct {
	Name   Text
	Doc    Text // the statement, in our words
	Source Text // section, table or figure of the paper
	Query
	For    []Text   // dimensions: the claim is asserted at every level
	Most   []Text   // dimensions: the claim is asserted at more than half of the levels
	Along  Text     // the dimension that Order, Trend and Spread run along
	Order  [][]Text // ascending; the labels of a group are in no order; rest is all levels that are not named
	Trend  Text     // rises, falls or peaks
	Above  *float64
	Below  *float64
	Near   *float64
	Within float64
	Spread *float64
}

// Statement is a statement of the paper that no claim judges.
type Statement struct {
	Name   Text
	Doc    Text // the statement, in our words
	Source Text // section, table or figure of the paper
	Why    Text // it is not judged
}

// PublishedCell is one number of the paper.
type PublishedCell struct {
	Labels  []Label // in the order of the file's columns
	Metric  string
	Value   float64
	Printed string // the value as the file, and so the paper, writes it
	Page    string // empty where it is not known
	Note    string // what is odd about it; empty for most
	Pos     Pos
}

// Label is a dimension with one of its levels.
type Label struct{ Dimension, Level string }
