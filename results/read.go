// The rows of data files, joined into frames: each run once, sorted by run id.

package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gridsweep/model"
)

// selectColumns returns the columns to read, without rows; the run id is the first.
func (d *Dataset) selectColumns(table string, names []string) ([]*Column, error) {
	all, err := d.columnsOf(table)
	if err != nil {
		return nil, err
	}
	if names == nil {
		return newColumns(all), nil
	}
	selected := []*Column{newColumn(runID)}
	for _, name := range names {
		i := slices.IndexFunc(all, func(c model.Column) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("table %s has no column %q", table, name)
		}
		selected = withOthers(selected, all[i:i+1])
	}
	return selected, nil
}

// newColumns returns columns without rows.
func newColumns(columns []model.Column) []*Column { return withOthers(nil, columns) }

// withOthers appends those of the columns, without rows, that are not in the list.
func withOthers(list []*Column, columns []model.Column) []*Column {
	for _, c := range columns {
		if !slices.ContainsFunc(list, func(have *Column) bool { return have.Name == c.Name }) {
			list = append(list, newColumn(c))
		}
	}
	return list
}

// span has the position of a run's rows: [from, to) of the columns that were read from the file.
type span struct {
	id       string
	from, to int
	path     string
	next     int // of collected timings, the index of the run's next span; 0 for the last
}

// spansOf returns where the rows of each run are in a file, whose column of run ids is ids. All
// files of a batch have its runs in one order; a run may have no rows.
func spansOf(ids *Column, runs []string, path string) ([]span, error) {
	spans := make([]span, len(runs))
	for i, id := range runs {
		spans[i] = span{id: id, path: path}
	}
	next := 0
	for from := 0; from < len(ids.bits); {
		to := from + 1
		for to < len(ids.bits) && ids.bits[to] == ids.bits[from] {
			to++
		}
		id := ids.dictionary.values[ids.bits[from]]
		for next < len(runs) && runs[next] != id {
			next++
		}
		if next == len(runs) {
			return nil, unreadable(path, fmt.Errorf("has rows of run %s where they cannot belong", id))
		}
		spans[next].from, spans[next].to = from, to
		from, next = to, next+1
	}
	return spans, nil
}

// collected is the rows of a table found so far, in the order of the files.
type collected struct {
	table     string
	columns   []*Column
	wanted    func(id string) bool // which runs are collected; nil for all
	spans     []span
	first     []int32          // by code of a run's id: 1 + the index of its first span, or 0
	conflicts map[string]error // by run id: error of a run that two files have with different rows
}

func newCollected(table string, columns []*Column) *collected {
	return &collected{table: table, columns: columns, conflicts: map[string]error{}}
}

// empty returns columns to read a file into, for add.
func (r *collected) empty() []*Column {
	columns := make([]*Column, len(r.columns))
	for i, c := range r.columns {
		columns[i] = c.empty()
	}
	return columns
}

// addFile adds the rows of a file, which has rows of these runs.
func (r *collected) addFile(runs []string, f *dataFile) error {
	columns := r.empty()
	spans, err := f.readRuns(runs, columns)
	if err == nil {
		r.add(spans, columns)
	}
	return err
}

// add adds the rows of a file, which are at the spans of columns.
func (r *collected) add(spans []span, columns []*Column) {
	for _, s := range spans {
		if r.wanted == nil || r.wanted(s.id) {
			r.addRun(s, columns)
		}
	}
}

// addRun appends the rows of a run, which are at s in columns. If the run has rows already, it
// checks that they are equal.
func (r *collected) addRun(s span, columns []*Column) {
	ids := r.columns[0].dictionary
	code := ids.code([]byte(s.id))
	r.first = append(r.first, make([]int32, len(ids.values)-len(r.first))...)
	switch i := int(r.first[code]) - 1; {
	case i < 0:
		r.first[code] = int32(len(r.spans)) + 1
		s.id = ids.values[code] // so that the file's copy can be freed
		r.appendRows(s, columns)
	case r.table == TimingsTable:
		r.addTimings(i, s, columns)
	default:
		if err := r.compare(r.spans[i], s, columns); err != nil && r.conflicts[s.id] == nil {
			r.conflicts[s.id] = err
		}
	}
}

func (r *collected) appendRows(s span, columns []*Column) {
	from := len(r.columns[0].bits)
	for i, c := range r.columns {
		c.appendRows(columns[i], s.from, s.to)
	}
	r.spans = append(r.spans, span{id: s.id, from: from, to: from + s.to - s.from, path: s.path})
}

// addTimings appends the rows of a run that were not collected before; first is the index of the
// run's first span. A row that one file has twice is kept twice. A row that two files have, such as
// a batch and the merged one that replaces it, is kept once.
func (r *collected) addTimings(first int, s span, columns []*Column) {
	for row := s.from; row < s.to; row++ {
		missing := 0 // copies of the row in its file up to here, less the collected ones
		for i := s.from; i <= row; i++ {
			if sameRow(columns, i, columns, row) {
				missing++
			}
		}
		last := first
		for {
			for have := r.spans[last].from; have < r.spans[last].to; have++ {
				if sameRow(r.columns, have, columns, row) {
					missing--
				}
			}
			if r.spans[last].next == 0 {
				break
			}
			last = r.spans[last].next
		}
		if missing > 0 {
			r.spans[last].next = len(r.spans)
			r.appendRows(span{id: s.id, from: row, to: row + 1, path: s.path}, columns)
		}
	}
}

func sameRow(a []*Column, i int, b []*Column, j int) bool {
	for c := range a {
		if !a[c].same(i, b[c], j) {
			return false
		}
	}
	return true
}

// compare returns an error if the collected rows of a run differ from those at again in columns.
func (r *collected) compare(first, again span, columns []*Column) error {
	if first.to-first.from != again.to-again.from {
		return unequal(first, again, fmt.Sprintf("%d and %d rows", first.to-first.from, again.to-again.from))
	}
	for i, c := range r.columns {
		for row := range first.to - first.from {
			if !c.same(first.from+row, columns[i], again.from+row) {
				return unequal(first, again, fmt.Sprintf("column %s, row %d: %q and %q",
					c.Name, row, c.Value(first.from+row), columns[i].Value(again.from+row)))
			}
		}
	}
	return nil
}

func unequal(first, again span, difference string) error {
	return fmt.Errorf("%s and %s hold different rows of run %s (%s), so the model is not deterministic, "+
		"or it changed without a new version: start over with --fresh",
		first.path, again.path, first.id, difference)
}

// frame returns all collected rows, sorted by run id, and frees them. It returns an error if a run
// has different rows in two files.
func (r *collected) frame() (*Frame, error) {
	if err := r.conflict(nil); err != nil {
		return nil, err
	}
	f := newFrame(r.spans)
	for i, c := range r.columns {
		r.columns[i] = nil // its memory is free before the next column needs some
		f.add(c, r.spans)
	}
	return f, nil
}

// selection returns columns of the collected rows of the wanted runs, sorted by run id. It returns
// an error if a wanted run has different rows in two files.
func (r *collected) selection(columns []*Column, wanted func(id string) bool) (*Frame, error) {
	if err := r.conflict(wanted); err != nil {
		return nil, err
	}
	var spans []span
	for _, s := range r.spans {
		if wanted(s.id) {
			spans = append(spans, s)
		}
	}
	f := newFrame(spans)
	for _, column := range columns {
		i := slices.IndexFunc(r.columns, func(c *Column) bool { return c.Name == column.Name })
		f.add(r.columns[i], spans)
	}
	return f, nil
}

// conflict returns the error of the first wanted run that has different rows in two files. A nil
// wanted stands for all runs.
func (r *collected) conflict(wanted func(id string) bool) error {
	for _, id := range slices.Sorted(maps.Keys(r.conflicts)) {
		if wanted == nil || wanted(id) {
			return r.conflicts[id]
		}
	}
	return nil
}

// newFrame returns a frame without columns for rows at the spans, which it sorts by run id.
func newFrame(spans []span) *Frame {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(strings.Compare(a.id, b.id), cmp.Compare(a.from, b.from)) })
	f := &Frame{starts: []int{0}}
	rows := 0
	for i, s := range spans {
		rows += s.to - s.from
		if i > 0 && spans[i-1].id == s.id {
			f.starts[len(f.starts)-1] = rows
			continue
		}
		f.runs = append(f.runs, s.id)
		f.starts = append(f.starts, rows)
	}
	return f
}

// add adds the rows of a column at the spans.
func (f *Frame) add(c *Column, spans []span) {
	sorted := c.empty()
	sorted.bits = make([]uint64, 0, f.Len())
	for _, s := range spans {
		sorted.appendRows(c, s.from, s.to)
	}
	f.columns = append(f.columns, sorted)
}
