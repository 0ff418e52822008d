package analysis

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// Dimensions that are no factors or keys.
const (
	metricDimension = "metric"
	statDimension   = "stat"
)

// observations are numbers by round, each with its level along every dimension. Rows of our runs and published
// numbers both become observations, so that one code judges both; published ones have a single round. The columns
// shown are the levels of the last dimension, metric.
type observations struct {
	dims   []dimension
	rounds int
	rows   []*observation
	runs   []planned // that should have rows here
}

// observation is one place in the dimensions with a number for each round; NaN where a round has none.
type observation struct {
	at     []int
	values []float64
	ran    []bool                 // by round: whether the run has rows; nil for published numbers
	cell   *configs.PublishedCell // nil for our own
}

// dimension is a name with its levels in order.
type dimension struct {
	name   string
	levels []string
	key    bool // a key of a table, whose levels are those that rows have
}

// dimensionsOf returns the dimensions of an experiment with the levels that are planned.
func dimensionsOf(e *sweeps.Experiment) []dimension {
	dims := make([]dimension, len(e.Dimensions))
	for i, d := range e.Dimensions {
		dims[i] = dimension{name: d.Name, levels: d.Levels}
	}
	return dims
}

// level returns the index of a label, or -1. Numbers match by value.
func (d dimension) level(label string) int {
	if i := slices.Index(d.levels, label); i >= 0 {
		return i
	}
	return slices.IndexFunc(d.levels, func(l string) bool { return configs.SameLabel(l, label) })
}

// noRow says that the rows, of which the dimension is a key, do not have a label, and which they have.
func (d dimension) noRow(label string) string {
	const mostShown = 8
	shown := slices.Clone(d.levels[:min(len(d.levels), mostShown)])
	if len(shown) < len(d.levels) {
		shown = append(shown, fmt.Sprintf("%d more", len(d.levels)-len(shown)))
	}
	if len(shown) == 0 {
		shown = append(shown, "none")
	}
	return fmt.Sprintf("no row has %s %s; there are %s", d.name, label, list(shown, "and"))
}

// dim returns the index of the named dimension, or -1.
func (o *observations) dim(name string) int {
	return slices.IndexFunc(o.dims, func(d dimension) bool { return d.name == name })
}

// observe returns the columns of the experiment's rows in a table. A run without rows leaves NaN and is named in
// runs. The error is about a table whose keys do not tell the rows of a run apart, or that of ctx when it is done.
func (s *store) observe(ctx context.Context, e *sweeps.Experiment, table string, shown []string) (*observations, error) {
	o := &observations{rounds: e.Rounds, dims: dimensionsOf(e)}
	src := s.tables[table]
	if src == nil {
		return nil, fmt.Errorf("no rows of table %s were read", table)
	}
	keys := s.keyLevels(e, table, src)
	for _, k := range keys {
		o.dims = append(o.dims, dimension{k.column.Name, k.levels, true})
	}
	o.dims = append(o.dims, dimension{name: metricDimension, levels: shown})
	filler := &filler{store: s, o: o, src: src, table: table, keys: keys, places: map[uint64]*observation{}}
	for _, name := range shown {
		filler.columns = append(filler.columns, src.frame.Column(name))
	}
	for c, cell := range e.Cells {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := filler.cell(e, c, cell); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// key is a key column with the number of each of its texts.
type key struct {
	column *results.Column
	levels []string
	index  map[model.Value]int
}

// keyLevels returns the keys of a table with the levels that the experiment's rows have: ascending where all are
// numbers or durations, else as the model first names them, whose order has a meaning.
func (s *store) keyLevels(e *sweeps.Experiment, table string, src *source) []key {
	var keys []key
	for _, name := range keysOf(columnsOf(s.plan.Model, table)) {
		k := key{column: src.frame.Column(name), index: map[model.Value]int{}}
		for _, cell := range e.Cells {
			for _, run := range cell.Runs {
				for i := src.spans[run][0]; i < src.spans[run][1]; i++ {
					v := k.column.Value(i)
					if _, known := k.index[v]; !known {
						k.index[v] = 0
						k.levels = append(k.levels, v.String())
					}
				}
			}
		}
		ascending(k.levels)
		for v := range k.index {
			k.index[v] = slices.Index(k.levels, v.String())
		}
		keys = append(keys, k)
	}
	return keys
}

// filler puts rows at their places.
type filler struct {
	*store
	o       *observations
	src     *source
	table   string
	keys    []key
	columns []*results.Column
	places  map[uint64]*observation
	ran     []bool // by round, of the cell that is filled
}

func (f *filler) cell(e *sweeps.Experiment, number int, cell sweeps.Cell) error {
	at := make([]int, len(f.o.dims))
	for d, label := range cell.Labels {
		at[d] = f.o.dims[d].level(label)
	}
	place := slices.Clone(at[:len(cell.Labels)])
	f.ran = make([]bool, f.o.rounds)
	for round, run := range cell.Runs {
		span := f.src.spans[run]
		if !f.present[run] || f.table == timingsTable && span[0] == span[1] {
			name := fmt.Sprintf("round %d", round)
			if len(place) > 0 {
				name = f.o.label(place) + ", " + name
			}
			f.o.runs = append(f.o.runs, planned{place, run, name})
			continue
		}
		f.o.runs = append(f.o.runs, planned{at: place, number: run})
		f.ran[round] = true
		for i := span[0]; i < span[1]; i++ {
			if f.table == timingsTable && !f.counts(e, i) {
				continue
			}
			if err := f.row(number, at, round, i); err != nil {
				return fmt.Errorf("%w (run %s)", err, f.plan.Runs[run].ID)
			}
		}
	}
	return nil
}

// counts reports whether a timing is of the machine whose timings are used and, for an experiment that measures, was
// measured.
func (f *filler) counts(e *sweeps.Experiment, i int) bool {
	if f.machine != "" && f.src.frame.Column(results.MachineColumn).Value(i).Text() != f.machine {
		return false
	}
	return !e.Measure || f.src.frame.Column(results.MeasuredColumn).Value(i).Bool()
}

// row notes the numbers of a frame's row. Only timings may have several: of repeated measurements of one run the
// least counts, since what disturbs a measurement only adds to it.
func (f *filler) row(cell int, at []int, round, i int) error {
	first := len(f.o.dims) - 1 - len(f.keys)
	place := uint64(cell)
	for k, key := range f.keys {
		level := key.index[key.column.Value(i)]
		at[first+k] = level
		place = place*uint64(len(key.levels)) + uint64(level)
	}
	for m, column := range f.columns {
		at[len(at)-1] = m
		o := f.place(place*uint64(len(f.columns))+uint64(m), at)
		number, ok := column.Number(i)
		switch {
		case !ok:
		case math.IsNaN(o.values[round]):
			o.values[round] = number
		case f.table == timingsTable:
			o.values[round] = math.Min(o.values[round], number)
		default:
			return fmt.Errorf("a run has several rows of table %s at %s: its keys do not tell them apart",
				f.table, f.o.label(at))
		}
	}
	return nil
}

func (f *filler) place(place uint64, at []int) *observation {
	o := f.places[place]
	if o == nil {
		o = &observation{at: slices.Clone(at), values: nothing(f.o.rounds), ran: f.ran}
		f.places[place] = o
		f.o.rows = append(f.o.rows, o)
	}
	return o
}

// label names a place by its levels along the first dimensions, or along all.
func (o *observations) label(at []int) string {
	text := ""
	for d, level := range at {
		if d > 0 {
			text += ", "
		}
		text += o.dims[d].name + "=" + o.dims[d].levels[level]
	}
	return text
}

// nothing returns n rounds without a value.
func nothing(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = math.NaN()
	}
	return values
}

// ascending sorts labels that are all numbers or durations, and leaves others.
func ascending(labels []string) {
	if scale, _ := scaleOf(labels); scale != nil {
		slices.SortFunc(labels, func(a, b string) int { return cmp.Or(cmp.Compare(scale[a], scale[b]), cmp.Compare(a, b)) })
	}
}

// LevelName returns a level of a dimension as it reads without the dimension beside it: resources 5, but 1A.
func LevelName(dimension, label string) string {
	if scale, _ := scaleOf([]string{label}); scale != nil {
		return dimension + " " + label
	}
	return label
}

// scaleOf returns the number that each label stands for and their unit, "s" for durations; nil where one is a name.
func scaleOf(labels []string) (scale map[string]float64, unit string) {
	scale = map[string]float64{}
	for _, label := range labels {
		x, err := strconv.ParseFloat(label, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			scale = nil
			break
		}
		scale[label] = x
	}
	if scale != nil {
		return scale, ""
	}
	scale = map[string]float64{}
	for _, label := range labels {
		v, err := model.ParseValue(model.KindSeconds, label)
		if err != nil {
			return nil, ""
		}
		scale[label] = float64(v.Int())
	}
	return scale, "s"
}
