// Package language declares the fixed values of keys of study files: kinds of figures, comparisons,
// trends, designs, origins of claims, whiskers and axes. Statistics are in package
// analysis/statistics. The packages that read, resolve, evaluate and draw a study share these
// declarations.
package language

// FigureKind is the form of a figure.
type FigureKind string

// The kinds of figures.
const (
	Line   FigureKind = "line"   // from point to point
	Bar    FigureKind = "bar"    // at equal distances, for any values of x
	Points FigureKind = "points" // every row of the table
	Heat   FigureKind = "heat"   // one colour for each x and series
	Gantt  FigureKind = "gantt"  // every row of the table as a rectangle
)

// FigureKinds are all kinds, in the order in which messages list them.
var FigureKinds = []FigureKind{Line, Bar, Points, Heat, Gantt}

// DrawsRows reports whether a figure of the kind draws rows themselves instead of statistics.
func (k FigureKind) DrawsRows() bool { return k == Points || k == Gantt }

// Comparison is a function that compares two numbers.
type Comparison string

// The comparisons of a number x with a base b.
const (
	Difference  Comparison = "difference"  // x − b
	Percent     Comparison = "percent"     // (x − b) / b · 100
	Ratio       Comparison = "ratio"       // x / b
	Improvement Comparison = "improvement" // (b − x) / min(b, x)
)

// Comparisons are all comparisons, in the order in which messages list them.
var Comparisons = []Comparison{Difference, Percent, Ratio, Improvement}

// Trend is a shape of numbers along a dimension.
type Trend string

// The trends.
const (
	Rises Trend = "rises" // each level is above the one before
	Falls Trend = "falls" // each level is below the one before
	Peaks Trend = "peaks" // is larger at a level between the ends than at both
)

// Trends are all trends, in the order in which messages list them.
var Trends = []Trend{Rises, Falls, Peaks}

// Design is a choice of universes: combinations of the levels of assumptions.
type Design string

// The designs.
const (
	Singles Design = "singles" // each alternative alone
	Pairs   Design = "pairs"   // each alternative alone, and each pair of them
	Full    Design = "full"    // all combinations
	// of assumptions of two levels: a factorial fraction of resolution IV
	Fractional Design = "fractional"
	Latin      Design = "latin" // a Latin hypercube sample
)

// Designs are all designs, in the order in which messages list them.
var Designs = []Design{Singles, Pairs, Full, Fractional, Latin}

// AllAssumptions replaces the names of all assumptions of the study.
const AllAssumptions = "all"

// Origin is what a claim rests on.
type Origin string

// The origins.
const (
	OfPaper   Origin = "paper"   // a sentence, table or figure of the paper
	OfReading Origin = "reading" // a second reading of a sentence that another claim judges
	OfOurs    Origin = "ours"    // no sentence of the paper
)

// Origins are all origins, in the order in which messages list them.
var Origins = []Origin{OfPaper, OfReading, OfOurs}

// IsZero reports whether a claim rests on the paper, as most do; JSON leaves that out.
func (o Origin) IsZero() bool { return o == OfPaper || o == "" }

// Whiskers is the extent of the lines through marks and bars.
type Whiskers string

// The whiskers.
const (
	Interval  Whiskers = "interval" // the 95 % interval of the statistic
	Deviation Whiskers = "sd"       // one standard deviation of the replications to either side
)

// AllWhiskers are all whiskers, in the order in which messages list them.
var AllWhiskers = []Whiskers{Interval, Deviation}

// Axis is an axis of a figure.
type Axis string

// The axes.
const (
	X Axis = "x"
	Y Axis = "y"
)

// Axes are all axes, in the order in which messages list them.
var Axes = []Axis{X, Y}

// The dimensions of a query that are neither a factor nor a key column.
const (
	MetricDimension = "metric" // of the columns shown
	StatDimension   = "stat"   // of the statistics taken
)

// Words that replace a name.
const (
	Each  = "each"  // in a claim: the factor that a part of the experiment varies
	Rest  = "rest"  // in an order: all levels that the order does not name
	Worst = "worst" // in against: the largest of all numbers of a column in the result
)

// Strings returns words as plain text.
func Strings[W ~string](words []W) []string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = string(word)
	}
	return texts
}
