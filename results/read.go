package results

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gridsweep/model"
)

// Finished returns the ids of the runs in the dataset that have all tables they need. It verifies the bytes of every
// file of the dataset, of which Stale may just have verified some; the error names the file that is damaged, foreign or
// missing and says what to do.
func (d *Dataset) Finished(ctx context.Context) (map[string]bool, error) {
	finished := map[string]bool{}
	if err := d.checkNames(); err != nil {
		return nil, fmt.Errorf("look which runs are finished: %w", err)
	}
	var opened map[string]source
	if looked := d.looked.Swap(nil); looked != nil {
		opened = *looked
	}
	err := d.commits(ctx, func(name string) error {
		s, found := opened[name]
		if !found {
			var err error
			if s, err = d.openSource(name); err != nil {
				return err
			}
		}
		files, err := filesOf(s.commit.metadata)
		if err != nil {
			return fmt.Errorf("%s %w: move it away, or start over with --fresh", s.commit.path, err)
		}
		for table, sum := range files {
			if _, err := readVerified(d.path(table, sum), sum); err != nil {
				return adviseNamed(err, s.commit)
			}
		}
		for name := range d.optional {
			if files[name] == "" {
				return nil // written when nobody asked for the table
			}
		}
		for _, id := range s.runs {
			finished[id] = true
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look which runs are finished: %w", err)
	}
	return finished, nil
}

// checkNames refuses a file that no dataset wrote in the folder of a long table, of the timings or of the others named.
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

// Read returns the named columns of a table (all of them where columns is nil), for the runs that ids contains (for
// every run where ids is nil). A run that lies in several parts is read once. The error names a file that is damaged,
// foreign or missing and says what to do, two files whose rows of one run differ in these columns, or an unknown
// column. Of an optional table come the rows of the runs for which it was written, and of TimingsTable all different
// rows there are: a run may have been timed more than once.
func (d *Dataset) Read(ctx context.Context, table string, columns []string, ids map[string]bool) (*Frame, error) {
	selected, err := d.selectColumns(table, columns)
	if err != nil {
		return nil, fmt.Errorf("read the dataset: %w", err)
	}
	rows := newCollected(table, slices.Clone(selected))
	if table == TimingsTable { // whole rows tell which are different
		if rows.columns, err = d.selectColumns(table, nil); err != nil {
			return nil, err
		}
	}
	err = d.parts(ctx, table, func(runs []string, p *part) error { return rows.addPart(runs, p, ids) })
	if err != nil {
		return nil, fmt.Errorf("read the dataset: %w", err)
	}
	frame := rows.frame()
	frame.keep(selected)
	return frame, nil
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

// span is where the rows of a run lie: in [from, to) of the columns, read from the file.
type span struct {
	id       string
	from, to int
	path     string
	next     int // of collected timings, the index of the run's next span; 0 where this is the last
}

// spansOf returns where the rows of each of the runs lie in a file, of which ids is the column of run ids.
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
	table   string
	columns []*Column
	spans   []span
	first   []int32 // by the code of a run's id, 1 + the index of its first span; 0 where it has none
}

func newCollected(table string, columns []*Column) *collected {
	return &collected{table: table, columns: columns}
}

// addPart adds the rows of a file for those of its runs that ids contains, for all of them where ids is nil.
func (r *collected) addPart(runs []string, p *part, ids map[string]bool) error {
	chunk := make([]*Column, len(r.columns))
	for i, c := range r.columns {
		chunk[i] = c.empty()
	}
	if err := p.read(chunk); err != nil {
		return err
	}
	spans, err := spansOf(chunk[0], runs, p.path)
	if err != nil {
		return err
	}
	for i, id := range runs {
		if ids != nil && !ids[id] {
			continue
		}
		if err := r.add(spans[i], chunk); err != nil {
			return err
		}
	}
	return nil
}

// add appends the rows of a run, which are at s in chunk, or checks that they are the ones already there.
func (r *collected) add(s span, chunk []*Column) error {
	words := r.columns[0].words
	code := words.code([]byte(s.id))
	r.first = append(r.first, make([]int32, len(words.list)-len(r.first))...)
	switch i := int(r.first[code]) - 1; {
	case i < 0:
		r.first[code] = int32(len(r.spans)) + 1
		s.id = words.list[code] // the file's copy of it may go
		r.appendRows(s, chunk)
		return nil
	case r.table == TimingsTable:
		r.addTimings(i, s, chunk)
		return nil
	default:
		return r.compare(r.spans[i], s, chunk)
	}
}

func (r *collected) appendRows(s span, chunk []*Column) {
	from := len(r.columns[0].bits)
	for i, c := range r.columns {
		c.appendRows(chunk[i], s.from, s.to)
	}
	r.spans = append(r.spans, span{id: s.id, from: from, to: from + s.to - s.from, path: s.path})
}

// addTimings appends those rows of a run that are not there yet; first is the run's first span. A row that a file has
// twice is there twice, and one that two files have, such as a part and the larger one that it went into, once.
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

// frame sorts what was collected by run id.
func (r *collected) frame() *Frame {
	slices.SortFunc(r.spans, func(a, b span) int { return cmp.Or(strings.Compare(a.id, b.id), cmp.Compare(a.from, b.from)) })
	f := &Frame{starts: []int{0}}
	rows := 0
	for i, s := range r.spans {
		rows += s.to - s.from
		if i > 0 && r.spans[i-1].id == s.id {
			f.starts[len(f.starts)-1] = rows
			continue
		}
		f.runs = append(f.runs, s.id)
		f.starts = append(f.starts, rows)
	}
	for i, c := range r.columns {
		sorted := c.empty()
		sorted.bits = make([]uint64, 0, rows)
		for _, s := range r.spans {
			sorted.appendRows(c, s.from, s.to)
		}
		r.columns[i] = nil // its memory goes before the next column's is needed
		f.columns = append(f.columns, sorted)
	}
	return f
}
