// Observations: the values of a column in each cell and replication, read from rows.

package analysis

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis/statistics"
	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// observations are values by replication, each with its level along every dimension. Rows of our
// runs and published numbers both become observations, so the same code compares both; published
// numbers have a single replication. The last dimension is metric, whose levels are the columns
// shown. Published numbers of several statistics have the dimension stat after it.
type observations struct {
	dims         []dimension // dimensions of the query
	replications int
	rows         []*observation
	runs         []plannedRun // runs that should have rows
	hasStat      bool         // whether the last dimension is stat
	granularity  []float64    // by metric; see GranularityOf. Nil for published numbers
	warning      string       // on the machine whose timings they are; mostly empty
}

// observation is the values of one column at one level of each dimension.
type observation struct {
	at      []int     // indices of levels, by dimension
	values  []float64 // values by replication; NaN if it has none
	ran     []bool    // by replication: whether the run has rows; nil for published numbers
	planned int       // replications planned for the cell; 0 for published numbers
	// run is the first run of the cell, which identifies it in all experiments; 0 for published
	// numbers.
	run     int
	printed *study.PublishedNumber // the published number; nil for our own
}

// first returns the observation with no more than the first n replications.
func (o *observation) first(n int) observation {
	first := *o
	if n < o.planned {
		first.values, first.ran, first.planned = noValues(len(o.values)), make([]bool, len(o.ran)), n
		copy(first.values, o.values[:n])
		copy(first.ran, o.ran[:n])
	}
	return first
}

// dimension is a name with its levels in order.
type dimension struct {
	name   string
	levels []study.Label
	key    bool // whether it is a key column, whose levels are those of the rows
}

// dimensionsOf returns the dimensions of an experiment with the levels that are planned.
func dimensionsOf(e *sweeps.Experiment) []dimension {
	dims := make([]dimension, len(e.Bound.Crossed))
	for i, crossed := range e.Bound.Crossed {
		dims[i].name = crossed.Name
		for _, level := range crossed.Levels {
			dims[i].levels = append(dims[i].levels, level.Label)
		}
	}
	return dims
}

// metricOf returns the dimension of the columns that a query shows.
func metricOf(q *study.Query) dimension {
	metric := dimension{name: q.Dims[q.Metric()].Name}
	for _, c := range q.Shown {
		metric.levels = append(metric.levels, study.NewLabel(c.Name))
	}
	return metric
}

// level returns the index of a label, or -1. Numbers match by value.
func (d dimension) level(label study.Label) int { return study.IndexOf(d.levels, label) }

// noRow returns a text that no row has a label of the key column, with the labels that exist.
func (d dimension) noRow(label study.Label) string {
	const mostShown = 8
	shown := study.Texts(d.levels[:min(len(d.levels), mostShown)])
	if len(shown) < len(d.levels) {
		shown = append(shown, fmt.Sprintf("%d more", len(d.levels)-len(shown)))
	}
	if len(shown) == 0 {
		shown = append(shown, "none")
	}
	return fmt.Sprintf("no row has %s %s; there are %s", d.name, label.Text, english.WordSeries(shown, "and"))
}

// observedKey is the key of the cache of observations.
type observedKey struct {
	experiment *sweeps.Experiment
	table      string
	columns    string
}

// observe returns the observations of the columns that a query shows, for an experiment. They are
// cached and must not be changed. A run without rows has the value NaN. The error names a table
// whose keys do not identify the rows of a run, or is that of ctx when ctx is done.
func (s *store) observe(ctx context.Context, e *sweeps.Experiment, q *study.Query) (*observations, error) {
	key := observedKey{e, q.From.Name, strings.Join(columnNames(q.Shown), "\x00")}
	if o := s.observed[key]; o != nil {
		return o, nil
	}
	o, err := s.observeRows(ctx, e, q)
	if err == nil {
		s.observed[key] = o
	}
	return o, err
}

func (s *store) observeRows(ctx context.Context, e *sweeps.Experiment, q *study.Query) (*observations, error) {
	o := &observations{replications: e.Most, dims: dimensionsOf(e)}
	if isTimings(q) {
		o.warning = s.warning
	}
	src := s.tables[q.From.Name]
	keys := s.keyLevels(e, q.From, src)
	for _, k := range keys {
		o.dims = append(o.dims, dimension{k.column.Name, k.levels, true})
	}
	o.dims = append(o.dims, metricOf(q))
	filler := &filler{store: s, o: o, src: src, table: q.From.Name, keys: keys, found: map[uint64]*observation{}}
	for _, c := range q.Shown {
		filler.columns = append(filler.columns, src.frame.Column(c.Name))
	}
	for c, cell := range e.Cells {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := filler.cell(e, c, cell); err != nil {
			return nil, err
		}
	}
	values := make([][][]float64, len(q.Shown)) // by metric and row
	for _, row := range o.rows {
		metric := row.at[len(row.at)-1]
		values[metric] = append(values[metric], row.values)
	}
	for metric, column := range q.Shown {
		o.granularity = append(o.granularity, GranularityOf(column, values[metric]))
	}
	return o, nil
}

// GranularityOf returns what one event adds to a value of a column, estimated from the values of
// each cell; 0 if unknown. Where statistics.Granularity finds none, it is 1 for whole numbers: a
// count may be 0 in all replications of all cells since its events are rare, while fractions that
// never vary say nothing about the size of an event.
func GranularityOf(column model.Column, cells [][]float64) float64 {
	granularity := statistics.Granularity(cells)
	if granularity == 0 && (column.Type == model.TypeInt || column.Type == model.TypeBool) {
		return 1
	}
	return granularity
}

// key is a key column with its levels.
type key struct {
	column *results.Column
	levels []study.Label
	index  map[model.Value]int // indices of levels by their value
}

// keyLevels returns the keys of a table with the levels of the experiment's rows: ascending if all
// are numbers or durations, else in the order in which the rows have them first.
func (s *store) keyLevels(e *sweeps.Experiment, from *study.Source, src *tableRows) []key {
	var keys []key
	for _, c := range from.Keys {
		k := key{column: src.frame.Column(c.Name), index: map[model.Value]int{}}
		for _, cell := range e.Cells {
			for _, run := range cell.Runs {
				for i := src.spans[run][0]; i < src.spans[run][1]; i++ {
					v := k.column.Value(i)
					if _, known := k.index[v]; !known {
						k.index[v] = 0 // until the levels are sorted
						k.levels = append(k.levels, study.NewLabel(v.String()))
					}
				}
			}
		}
		ascending(k.levels)
		for v := range k.index {
			text := v.String()
			k.index[v] = slices.IndexFunc(k.levels, func(l study.Label) bool { return l.Text == text })
		}
		keys = append(keys, k)
	}
	return keys
}

// filler makes observations of rows.
type filler struct {
	*store
	o       *observations
	src     *tableRows
	table   string
	keys    []key
	columns []*results.Column
	found   map[uint64]*observation // observations by cell, levels of the keys and column
	ran     []bool                  // by replication of the current cell: whether it has rows
	planned int                     // replications planned for the current cell
	run     int                     // first run of the current cell
}

// cell adds the rows of all runs of a cell, by its index in the experiment.
func (f *filler) cell(e *sweeps.Experiment, index int, cell sweeps.Cell) error {
	at := make([]int, len(f.o.dims))
	copy(at, cell.Levels)
	f.ran, f.planned, f.run = make([]bool, f.o.replications), len(cell.Runs), cell.Runs[0]
	for k, run := range cell.Runs {
		span := f.src.spans[run]
		if !f.hasRow(run) || f.table == model.TimingsTable && span[0] == span[1] {
			name := fmt.Sprintf("replication %d", k)
			if len(cell.Levels) > 0 {
				name = f.o.label(cell.Levels) + ", " + name
			}
			f.o.runs = append(f.o.runs, plannedRun{cell.Levels, run, name})
			continue
		}
		f.o.runs = append(f.o.runs, plannedRun{at: cell.Levels, index: run})
		f.ran[k] = true
		for i := span[0]; i < span[1]; i++ {
			if f.table == model.TimingsTable && !f.isUsed(e, i) {
				continue
			}
			if err := f.row(index, at, k, i); err != nil {
				return fmt.Errorf("%w (run %s)", err, f.plan.Runs[run].ID)
			}
		}
	}
	return nil
}

// isUsed reports whether a timing is used: it must be of the chosen machine and, in an experiment
// that measures times, of a run that was alone on the machine.
func (f *filler) isUsed(e *sweeps.Experiment, i int) bool {
	if f.machine != "" && f.src.frame.Column(results.MachineColumn).Value(i).Text() != f.machine {
		return false
	}
	return !e.Bound.Measure || f.src.frame.Column(results.MeasuredColumn).Value(i).Bool()
}

// row adds the values of a row of the frame. Only timings may have several rows of one run with the
// same keys: the smallest of repeated measurements counts, since a disturbance only adds time.
func (f *filler) row(cell int, at []int, replication, i int) error {
	first := len(f.o.dims) - 1 - len(f.keys)
	index := uint64(cell)
	for k, key := range f.keys {
		level := key.index[key.column.Value(i)]
		at[first+k] = level
		index = index*uint64(len(key.levels)) + uint64(level)
	}
	for m, column := range f.columns {
		at[len(at)-1] = m
		o := f.observation(index*uint64(len(f.columns))+uint64(m), at)
		number, ok := column.Number(i)
		switch {
		case !ok: // it stays NaN
		case math.IsNaN(o.values[replication]):
			o.values[replication] = number
		case f.table == model.TimingsTable:
			o.values[replication] = math.Min(o.values[replication], number)
		default:
			return fmt.Errorf("a run has several rows of table %s at %s: its keys do not tell them apart",
				f.table, f.o.label(at))
		}
	}
	return nil
}

// observation returns the observation of an index in found, and creates it on the first call.
func (f *filler) observation(index uint64, at []int) *observation {
	o := f.found[index]
	if o == nil {
		o = &observation{at: slices.Clone(at), values: noValues(f.o.replications), ran: f.ran, planned: f.planned, run: f.run}
		f.found[index] = o
		f.o.rows = append(f.o.rows, o)
	}
	return o
}

// label names levels along all dimensions, or along the first ones.
func (o *observations) label(at []int) string {
	text := ""
	for d, level := range at {
		if d > 0 {
			text += ", "
		}
		text += o.dims[d].name + "=" + o.dims[d].levels[level].Text
	}
	return text
}

// noValues returns NaN for n replications.
func noValues(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

// ascending sorts labels that are all numbers or durations, and leaves others.
func ascending(labels []study.Label) {
	if scale, _ := study.Scale(labels); scale != nil {
		slices.SortFunc(labels, func(a, b study.Label) int {
			return cmp.Or(compareLabels(a, b), cmp.Compare(a.Text, b.Text))
		})
	}
}

// compareLabels compares numbers and durations by value and other labels by the alphabet.
func compareLabels(a, b study.Label) int {
	if scale, _ := study.Scale([]study.Label{a, b}); scale != nil {
		return cmp.Compare(scale[0], scale[1])
	}
	return cmp.Compare(a.Text, b.Text)
}

// LevelName returns a level of a dimension for texts that do not name the dimension: "resources 5"
// for a number, but "1A" for a name.
func LevelName(dimension, label string) string {
	if scale, _ := study.Scale([]study.Label{study.NewLabel(label)}); scale != nil {
		return dimension + " " + label
	}
	return label
}
