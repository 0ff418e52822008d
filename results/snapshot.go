package results

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"gridsweep/model"
)

// Use says what a snapshot will be asked, beside which runs there are and who made them. For what
// it was not taken for it reads the files of the table runs again.
type Use uint8

// What a snapshot may be taken for.
const (
	Rows    Use = 1 << iota // Read: the rows of the table runs are kept
	Digests                 // Digest: what it needs of a file is computed when the file is read
)

// Snapshot is the runs that a dataset had when the snapshot was taken or last updated. Commits are
// verified then, every other file when it is needed, and none of a part without a run that is asked
// for. No file is read twice, but for those of the table runs as Use says, and those of long tables
// that are read after they were verified. A snapshot is for one goroutine at a time; other
// processes may write into the dataset, compact it and clear it meanwhile.
type Snapshot struct {
	dataset  *Dataset
	use      Use
	entries  map[string]entry // by the names of their commits
	finished map[string]bool  // ids of the runs that have all tables they need
	lacking  map[string]bool  // ids of the other runs

	// What is known of the files that were read.
	sound map[tableFileID]bool         // those that were verified, of tables but runs
	rows  map[string]*collected        // by table: the rows that are kept
	kept  map[tableFileID]bool         // those whose rows are kept
	sums  map[string]map[string]rowSum // by table and run: what a digest needs
	sumOf map[tableFileID]bool         // those whose rows are in sums
}

// entry is a part that a snapshot found.
type entry struct {
	source
	files map[string]string // table to SHA-256, all but the commit
}

// tableFileID names a file by its part's commit and its table.
type tableFileID struct{ commit, table string }

// Snapshot looks which runs are in the dataset. The error names a commit that is damaged or
// foreign, or a file that no dataset wrote, and says what to do.
func (d *Dataset) Snapshot(ctx context.Context, use Use) (*Snapshot, error) {
	s := &Snapshot{dataset: d, use: use, entries: map[string]entry{}}
	s.forget()
	if err := s.Update(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// forget drops what is known of the files that were read.
func (s *Snapshot) forget() {
	s.sound, s.kept, s.sumOf = map[tableFileID]bool{}, map[tableFileID]bool{}, map[tableFileID]bool{}
	s.rows, s.sums = map[string]*collected{}, map[string]map[string]rowSum{}
}

// Dataset returns the dataset that the snapshot is of.
func (s *Snapshot) Dataset() *Dataset { return s.dataset }

// Update makes the snapshot one of the dataset as it is now: it reads the commits that are new. The
// error is one of Dataset.Snapshot.
func (s *Snapshot) Update(ctx context.Context) error {
	err := s.dataset.checkNames()
	there := map[string]bool{}
	if err == nil {
		err = s.dataset.commits(ctx, func(name string) error {
			there[name] = true
			return s.open(name)
		})
	}
	if err != nil {
		return fmt.Errorf("look which runs are finished: %w", err)
	}
	before := len(s.entries)
	maps.DeleteFunc(s.entries, func(name string, _ entry) bool { return !there[name] })
	if len(s.entries) < before {
		s.forget() // perhaps the dataset was cleared, and a run of the same id has other rows now
	}
	s.finished, s.lacking = map[string]bool{}, map[string]bool{}
	for _, e := range s.entries {
		runs := s.finished
		for name := range s.dataset.optional {
			if e.files[name] == "" {
				runs = s.lacking // written when nobody asked for the table
			}
		}
		for _, id := range e.runs {
			runs[id] = true
		}
	}
	return nil
}

// open reads a commit, unless it was read before.
func (s *Snapshot) open(name string) error {
	if _, known := s.entries[name]; known {
		return nil
	}
	commit, err := s.dataset.openCommit(name)
	if err != nil {
		return err
	}
	var e entry
	if e.runs, err = commit.runs(); err != nil {
		return err
	}
	if e.files, err = filesOf(commit.metadata); err != nil {
		return fmt.Errorf("%s %w: move it away, or start over with --fresh", commit.path, err)
	}
	e.commit = &part{path: commit.path, metadata: map[string]string{ // the rest may go
		keySource: commit.metadata[keySource], keyFiles: commit.metadata[keyFiles],
	}}
	if s.use != 0 {
		if err := s.take(e, commit, model.RunsTable, s.keeping(model.RunsTable)); err != nil {
			return err
		}
	}
	s.entries[name] = e
	return nil
}

// Finished returns the ids of the runs that have all tables they need, by what their commits say;
// Verify looks at these tables. Whoever gets the ids does not change them.
func (s *Snapshot) Finished() map[string]bool { return s.finished }

// has reports whether the snapshot has a run, and ids contains it or is nil.
func (s *Snapshot) has(id string, ids map[string]bool) bool {
	return (ids == nil || ids[id]) && (s.finished[id] || s.lacking[id])
}

// each calls visit for each part with a run of ids, of all parts where ids is nil, in the order of
// their names. Where another process has put a part into a larger one since, that one is visited in
// its place.
func (s *Snapshot) each(ctx context.Context, ids map[string]bool, visit func(entry) error) error {
	names := func() ([]string, error) {
		return slices.Sorted(maps.Keys(s.entries)), nil
	}
	next := func() ([]string, error) {
		list := names
		names = s.dataset.commitNames
		return list()
	}
	return s.dataset.visitListed(ctx, next, func(name string) error {
		if err := s.open(name); err != nil {
			return err
		}
		e := s.entries[name]
		if !slices.ContainsFunc(e.runs, func(id string) bool { return s.has(id, ids) }) {
			return nil
		}
		err := visit(e)
		if errors.Is(err, errVanished) {
			delete(s.entries, name)
		}
		return err
	})
}

// Verify verifies the files, so far not read, of the parts with a run of ids, of all parts where
// ids is nil. The error names a file that is damaged or missing and says what to do.
func (s *Snapshot) Verify(ctx context.Context, ids map[string]bool) error {
	err := s.each(ctx, ids, func(e entry) error {
		for _, table := range slices.Sorted(maps.Keys(e.files)) {
			file := tableFileID{e.commit.name(), table}
			if s.sound[file] {
				continue
			}
			if _, err := readVerified(s.dataset.path(table, e.files[table]), e.files[table]); err != nil {
				return adviseNamed(err, e.commit)
			}
			s.sound[file] = true
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("look whether the runs are whole: %w", err)
	}
	return nil
}

// Read returns the named columns of a table (all of them where columns is nil), for the runs that
// ids contains (for every run where ids is nil). A run that lies in several parts is read once. The
// error names a file that is damaged, foreign or missing and says what to do, two files whose rows
// of one run differ, or an unknown column. Of an optional table come the rows of the runs for which
// it was written, and of TimingsTable all different rows there are: a run may have been timed more
// than once.
func (s *Snapshot) Read(ctx context.Context, table string, columns []string, ids map[string]bool) (*Frame, error) {
	frame, err := s.read(ctx, table, columns, ids)
	if err != nil {
		return nil, fmt.Errorf("read the dataset: %w", err)
	}
	return frame, nil
}

func (s *Snapshot) read(ctx context.Context, table string, columns []string, ids map[string]bool) (*Frame, error) {
	selected, err := s.dataset.selectColumns(table, columns)
	if err != nil {
		return nil, err
	}
	wanted := func(id string) bool { return s.has(id, ids) }
	if rows := s.keeping(table); rows != nil {
		err := s.each(ctx, ids, func(e entry) error {
			if s.kept[tableFileID{e.commit.name(), table}] {
				return nil
			}
			return s.load(e, table, rows)
		})
		if err != nil {
			return nil, err
		}
		return rows.selection(selected, wanted)
	}
	rows := newCollected(table, selected)
	rows.wanted = wanted
	if err := s.each(ctx, ids, func(e entry) error { return s.load(e, table, rows) }); err != nil {
		return nil, err
	}
	return rows.frame()
}

// keeping returns where the rows of a table are kept, nil where they are not. Those of the timings
// always are, since whole rows tell which are different.
func (s *Snapshot) keeping(table string) *collected {
	if table != TimingsTable && (table != model.RunsTable || s.use&Rows == 0) {
		return nil
	}
	if s.rows[table] == nil {
		columns, err := s.dataset.columnsOf(table)
		if err != nil {
			panic(err) // every dataset has both tables
		}
		s.rows[table] = newCollected(table, newColumns(columns))
	}
	return s.rows[table]
}

// load reads what a part has of a table.
func (s *Snapshot) load(e entry, table string, rows *collected) error {
	columns, err := s.dataset.columnsOf(table)
	if err != nil {
		return err
	}
	p, err := s.dataset.openTable(e.commit, table, columns)
	if err != nil || p == nil {
		return err
	}
	return s.take(e, p, table, rows)
}

// take reads a file of a table: its rows are added to those given, if any, and to what a digest
// needs, where there will be one.
func (s *Snapshot) take(e entry, p *part, table string, rows *collected) error {
	file := tableFileID{e.commit.name(), table}
	var columns []*Column
	if rows != nil {
		columns = rows.empty()
	}
	isSummed := s.use&Digests != 0 && table != TimingsTable && !s.sumOf[file]
	if isSummed {
		columns = withOthers(columns, p.columns)
	}
	spans, err := p.readRuns(e.runs, columns)
	if err != nil {
		return err
	}
	s.sound[file] = true
	if isSummed {
		s.addSums(table, p, columns, spans)
		s.sumOf[file] = true
	}
	if rows != nil {
		rows.add(spans, columns[:len(rows.columns)])
		s.kept[file] = rows == s.rows[table]
	}
	return nil
}
