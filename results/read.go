package results

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/model"
)

// checkNames refuses a file that no dataset wrote in the folder of a long table, of the timings or
// of the others named.
func (d *Dataset) checkNames(others ...string) error {
	tables := append([]string{TimingsTable}, others...)
	for _, table := range d.model.Tables[1:] {
		tables = append(tables, table.Name)
	}
	for _, table := range tables {
		entries, err := listFolder(filepath.Join(d.dir, table))
		if err != nil {
			return err
		}
		for _, entry := range entries {
			sum, found := strings.CutSuffix(entry.Name(), partExtension)
			if !(found && isHex(sum, sumDigits) || strings.HasPrefix(entry.Name(), ".")) {
				return fmt.Errorf("%s is no part of this dataset, whose parts are named by the SHA-256 of their bytes: "+
					"move it away", filepath.Join(d.dir, table, entry.Name()))
			}
		}
	}
	return nil
}

// selectColumns returns the columns to read, without rows; the run id is the first.
func (d *Dataset) selectColumns(table string, names []string) ([]*Column, error) {
	all, err := d.columnsOf(table)
	if err != nil {
		return nil, err
	}
	if names == nil {
		for _, c := range all {
			names = append(names, c.Name)
		}
	}
	selected := []*Column{newColumn(runID)}
	for _, name := range names {
		i := slices.IndexFunc(all, func(c model.Column) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("table %s has no column %q", table, name)
		}
		if !slices.ContainsFunc(selected, func(c *Column) bool { return c.Name == name }) {
			selected = append(selected, newColumn(all[i]))
		}
	}
	return selected, nil
}

// newColumns returns columns without rows.
func newColumns(columns []model.Column) []*Column {
	list := make([]*Column, len(columns))
	for i, c := range columns {
		list[i] = newColumn(c)
	}
	return list
}

// withOthers appends those of a file's columns, without rows, that are not among them.
func withOthers(columns []*Column, all []model.Column) []*Column {
	for _, c := range all {
		if !slices.ContainsFunc(columns, func(have *Column) bool { return have.Name == c.Name }) {
			columns = append(columns, newColumn(c))
		}
	}
	return columns
}

// readRuns reads the file of the runs into columns, of which the run id is the first, and returns
// where the rows of each run lie.
func (p *part) readRuns(runs []string, columns []*Column) ([]span, error) {
	if err := p.read(columns); err != nil {
		return nil, err
	}
	return spansOf(columns[0], runs, p.path)
}

// span is where the rows of a run lie: in [from, to) of the columns, read from the file.
type span struct {
	id       string
	from, to int
	path     string
	next     int // of collected timings, the index of the run's next span; 0 where this is the last
}

// spansOf returns where the rows of each of the runs lie in a file, of which ids is the column of
// run ids.
func spansOf(ids *Column, runs []string, path string) ([]span, error) {
	spans := make([]span, len(runs))
	for i, id := range runs {
		spans[i] = span{id: id, path: path}
	}
	var index map[string]int // of each run in runs, made where the file has them in another order
	next := 0
	for from := 0; from < len(ids.bits); {
		to := from + 1
		for to < len(ids.bits) && ids.bits[to] == ids.bits[from] {
			to++
		}
		id := ids.words.list[ids.bits[from]]
		i := next
		for index == nil && i < len(runs) && runs[i] != id {
			i++
		}
		found := i < len(runs)
		if index == nil && !found {
			index = make(map[string]int, len(runs))
			for i, id := range runs {
				index[id] = i
			}
		}
		if index != nil {
			i, found = index[id]
		}
		if !found || spans[i].to > 0 {
			return nil, fmt.Errorf("%s has rows of run %s where they cannot belong: move it away, "+
				"or start over with --fresh", path, id)
		}
		spans[i] = span{id: id, path: path, from: from, to: to}
		from, next = to, i+1
	}
	return spans, nil
}

// collected is the rows of a table found so far, in the order of the files.
type collected struct {
	table     string
	columns   []*Column
	wanted    func(id string) bool // which runs are collected; nil for all
	spans     []span
	first     []int32          // by the code of a run's id, 1 + the index of its first span; 0 where it has none
	conflicts map[string]error // by the id of a run that two files have with different rows
}

func newCollected(table string, columns []*Column) *collected {
	return &collected{table: table, columns: columns, conflicts: map[string]error{}}
}

// empty returns columns to read a file into, whose rows are then added.
func (r *collected) empty() []*Column {
	columns := make([]*Column, len(r.columns))
	for i, c := range r.columns {
		columns[i] = c.empty()
	}
	return columns
}

// addPart adds the rows of a file of the runs.
func (r *collected) addPart(runs []string, p *part) error {
	columns := r.empty()
	spans, err := p.readRuns(runs, columns)
	if err == nil {
		r.add(spans, columns)
	}
	return err
}

// add adds rows of a file, which are at the spans of columns.
func (r *collected) add(spans []span, columns []*Column) {
	for _, s := range spans {
		if r.wanted == nil || r.wanted(s.id) {
			r.addRun(s, columns)
		}
	}
}

// addRun appends the rows of a run, which are at s in chunk, or checks that they are the ones
// already there.
func (r *collected) addRun(s span, chunk []*Column) {
	words := r.columns[0].words
	code := words.code([]byte(s.id))
	r.first = append(r.first, make([]int32, len(words.list)-len(r.first))...)
	switch i := int(r.first[code]) - 1; {
	case i < 0:
		r.first[code] = int32(len(r.spans)) + 1
		s.id = words.list[code] // the file's copy of it may go
		r.appendRows(s, chunk)
	case r.table == TimingsTable:
		r.addTimings(i, s, chunk)
	default:
		if err := r.compare(r.spans[i], s, chunk); err != nil && r.conflicts[s.id] == nil {
			r.conflicts[s.id] = err
		}
	}
}

func (r *collected) appendRows(s span, chunk []*Column) {
	from := len(r.columns[0].bits)
	for i, c := range r.columns {
		c.appendRows(chunk[i], s.from, s.to)
	}
	r.spans = append(r.spans, span{id: s.id, from: from, to: from + s.to - s.from, path: s.path})
}

// addTimings appends those rows of a run that are not there yet; first is the run's first span. A
// row that a file has twice is there twice, and one that two files have, such as a part and the
// larger one that it went into, once.
func (r *collected) addTimings(first int, s span, chunk []*Column) {
	for row := s.from; row < s.to; row++ {
		copies := 0 // of the row, up to it in its file, less those that are there
		for i := s.from; i <= row; i++ {
			if sameRow(chunk, i, chunk, row) {
				copies++
			}
		}
		last := first
		for i, more := first, true; more; i, more = r.spans[i].next, r.spans[i].next > 0 {
			for there := r.spans[i].from; there < r.spans[i].to; there++ {
				if sameRow(r.columns, there, chunk, row) {
					copies--
				}
			}
			last = i
		}
		if copies > 0 {
			r.spans[last].next = len(r.spans)
			r.appendRows(span{id: s.id, from: row, to: row + 1, path: s.path}, chunk)
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

func (r *collected) compare(first, again span, chunk []*Column) error {
	if first.to-first.from != again.to-again.from {
		return unequal(first, again, fmt.Sprintf("%d and %d rows", first.to-first.from, again.to-again.from))
	}
	for i, c := range r.columns {
		for row := range first.to - first.from {
			if !c.same(first.from+row, chunk[i], again.from+row) {
				return unequal(first, again, fmt.Sprintf("column %s, row %d: %q and %q",
					c.Name, row, c.Value(first.from+row), chunk[i].Value(again.from+row)))
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

// frame returns what was collected, sorted by run id, and keeps nothing. The error is of a run with
// different rows.
func (r *collected) frame() (*Frame, error) {
	if err := r.conflict(nil); err != nil {
		return nil, err
	}
	f := newFrame(r.spans)
	for i, c := range r.columns {
		r.columns[i] = nil // its memory goes before the next column's is needed
		f.add(c, r.spans)
	}
	return f, nil
}

// selection returns the columns with these names of what was collected of the wanted runs, sorted
// by run id. The error is of a wanted run with different rows.
func (r *collected) selection(names []*Column, wanted func(id string) bool) (*Frame, error) {
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
	for _, name := range names {
		i := slices.IndexFunc(r.columns, func(c *Column) bool { return c.Name == name.Name })
		f.add(r.columns[i], spans)
	}
	return f, nil
}

// conflict returns the error of the first wanted run that has different rows in two files, nil
// where there is none; a nil wanted wants all.
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
