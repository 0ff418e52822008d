// Snapshots: which runs a dataset has at one moment, and their rows.

package results

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"gridsweep/model"
)

// Use says what a snapshot will be used for, besides which runs there are and which source made
// them. It saves reading the files of the table runs twice.
type Use uint8

// What a snapshot may be taken for.
const (
	Rows    Use = 1 << iota // Read: the rows of the table runs are kept
	Digests                 // Digest: what it needs of a file is computed when the file is read
)

// Snapshot is the runs that a dataset had when the snapshot was taken or last updated. Commit files
// are verified then, and every other file when it is read: for Read, Digest or Verify of a run of
// its batch. The snapshot keeps the rows of the timings, those of the table runs if Use has Rows,
// and the hashes of a digest. It reads the files of other tables again for each Read.
//
// A snapshot is for one goroutine at a time. Meanwhile other processes may write into the dataset,
// compact it and clear it.
type Snapshot struct {
	dataset  *Dataset
	use      Use
	batches  map[string]committed // batches by the name of the commit file
	finished map[string]bool      // ids of the runs that have all tables they need in one batch
	lacking  map[string]bool      // ids of the runs of batches that lack such a table

	// Results of the files that were read.
	verified map[fileID]bool              // files with verified bytes
	rows     map[string]*collected        // the rows that are kept, by table
	kept     map[fileID]bool              // files whose rows are kept
	sums     map[string]map[string]rowSum // what a digest needs, by table and run
	summed   map[fileID]bool              // files whose rows are in sums
}

// fileID is a data file: the name of the commit file of its batch, and its table.
type fileID struct{ commit, table string }

// Snapshot finds out which runs are in the dataset. The error names a commit file that is damaged
// or foreign, or a file that no dataset wrote, and says what to do.
func (d *Dataset) Snapshot(ctx context.Context, use Use) (*Snapshot, error) {
	s := &Snapshot{dataset: d, use: use, batches: map[string]committed{}}
	s.reset()
	if err := s.Update(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// reset drops the results of all files that were read.
func (s *Snapshot) reset() {
	s.verified, s.kept, s.summed = map[fileID]bool{}, map[fileID]bool{}, map[fileID]bool{}
	s.rows, s.sums = map[string]*collected{}, map[string]map[string]rowSum{}
}

// Dataset returns the dataset of the snapshot.
func (s *Snapshot) Dataset() *Dataset { return s.dataset }

// Update brings the snapshot up to date: it reads the commit files that are new. Its errors are
// those of Dataset.Snapshot.
func (s *Snapshot) Update(ctx context.Context) error {
	err := s.dataset.checkNames(s.dataset.longTables())
	present := map[string]bool{}
	if err == nil {
		err = s.dataset.commits(ctx, func(name string) error {
			present[name] = true
			return s.open(name)
		})
	}
	if err != nil {
		return fmt.Errorf("find out which runs are finished: %w", err)
	}
	before := len(s.batches)
	maps.DeleteFunc(s.batches, func(name string, _ committed) bool { return !present[name] })
	if len(s.batches) < before {
		s.reset() // if the dataset was cleared, a run of the same id may have other rows now
	}
	s.finished, s.lacking = map[string]bool{}, map[string]bool{}
	for _, b := range s.batches {
		runs := s.finished
		for name := range s.dataset.optional {
			if b.files[name] == "" {
				runs = s.lacking
			}
		}
		for _, id := range b.runs {
			runs[id] = true
		}
	}
	return nil
}

// open reads a commit file that was not read before.
func (s *Snapshot) open(name string) error {
	if _, known := s.batches[name]; known {
		return nil
	}
	b, f, err := s.dataset.openCommitted(name)
	if err != nil {
		return err
	}
	b.metadata = map[string]string{keySource: b.metadata[keySource]} // to free the rest
	if s.use != 0 {
		if err := s.take(b, f, model.RunsTable, s.keeping(model.RunsTable)); err != nil {
			return err
		}
	}
	s.batches[name] = b
	return nil
}

// Finished returns the ids of the runs that have all tables they need, according to their commit
// files; Verify reads these tables. The caller must not change the map.
func (s *Snapshot) Finished() map[string]bool { return s.finished }

// has reports whether the snapshot has a run, and ids contains it or is nil.
func (s *Snapshot) has(id string, ids map[string]bool) bool {
	return (ids == nil || ids[id]) && (s.finished[id] || s.lacking[id])
}

// each calls visit for each batch with a run in ids, or for all batches where ids is nil, in the
// order of their names. If another process has merged a batch into a larger one since, visit gets
// that one instead.
func (s *Snapshot) each(ctx context.Context, ids map[string]bool, visit func(committed) error) error {
	listed := false
	names := func() ([]string, error) { // those of the snapshot, and later those in the folder
		if listed {
			return s.dataset.commitNames()
		}
		listed = true
		return slices.Sorted(maps.Keys(s.batches)), nil
	}
	return s.dataset.visitListed(ctx, names, func(name string) error {
		if err := s.open(name); err != nil {
			return err
		}
		b := s.batches[name]
		if !slices.ContainsFunc(b.runs, func(id string) bool { return s.has(id, ids) }) {
			return nil
		}
		err := visit(b)
		if errors.Is(err, errVanished) {
			delete(s.batches, name)
		}
		return err
	})
}

// Verify reads and verifies the files that were not read so far, of the batches with a run in ids,
// or of all batches where ids is nil. The error names a file that is damaged or missing and says
// what to do.
func (s *Snapshot) Verify(ctx context.Context, ids map[string]bool) error {
	err := s.each(ctx, ids, func(b committed) error {
		for _, table := range slices.Sorted(maps.Keys(b.files)) {
			file := fileID{b.name(), table}
			if s.verified[file] {
				continue
			}
			if _, err := readVerified(s.dataset.path(table, b.files[table]), b.files[table]); err != nil {
				return b.adviseNamed(err)
			}
			s.verified[file] = true
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("verify the files of the runs: %w", err)
	}
	return nil
}

// Files returns the data files of the batches with a run in ids, or of all batches where ids is
// nil: their paths in the folder of the dataset, with slashes, in ascending order. It does not
// verify those of long tables.
func (s *Snapshot) Files(ctx context.Context, ids map[string]bool) ([]string, error) {
	var files []string
	err := s.each(ctx, ids, func(b committed) error {
		files = append(files, path.Join(model.RunsTable, b.name()))
		for table, sum := range b.files {
			files = append(files, path.Join(table, sum+dataExtension))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the files of the runs: %w", err)
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// Read returns the named columns of a table for the runs in ids. Nil stands for all columns and
// for all runs. A run that is in several batches is read once. Of an optional table, Read returns
// the rows of the runs that were written with it. Of TimingsTable, it returns all different rows,
// since a run may have been timed more than once.
//
// The error names an unknown column, or a file that is damaged, foreign or missing and what to do,
// or two files whose rows of one run differ.
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
		err := s.each(ctx, ids, func(b committed) error {
			if s.kept[fileID{b.name(), table}] {
				return nil
			}
			return s.load(b, table, rows)
		})
		if err != nil {
			return nil, err
		}
		return rows.selection(selected, wanted)
	}
	rows := newCollected(table, selected)
	rows.wanted = wanted
	if err := s.each(ctx, ids, func(b committed) error { return s.load(b, table, rows) }); err != nil {
		return nil, err
	}
	return rows.frame()
}

// keeping returns where the rows of a table are kept, nil where they are not. Those of the timings
// always are: to know which rows are different takes all columns.
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

// load reads a batch's file of a table, if it has one.
func (s *Snapshot) load(b committed, table string, rows *collected) error {
	columns, err := s.dataset.columnsOf(table)
	if err != nil {
		return err
	}
	f, err := s.dataset.openTable(b, table, columns)
	if err != nil || f == nil {
		return err
	}
	return s.take(b, f, table, rows)
}

// take reads a file of a table. It adds the rows to rows, unless that is nil, and computes the
// hashes of the rows if the snapshot is taken for a digest.
func (s *Snapshot) take(b committed, f *dataFile, table string, rows *collected) error {
	file := fileID{b.name(), table}
	var columns []*Column
	if rows != nil {
		columns = rows.empty()
	}
	isSummed := s.use&Digests != 0 && table != TimingsTable && !s.summed[file]
	if isSummed {
		columns = withOthers(columns, f.columns)
	}
	if rows == nil && !isSummed {
		return nil // the file was gone for a moment, and its hashes are known
	}
	spans, err := f.readRuns(b.runs, columns)
	if err != nil {
		return err
	}
	s.verified[file] = true
	if isSummed {
		s.addSums(table, f, columns, spans)
		s.summed[file] = true
	}
	if rows != nil {
		rows.add(spans, columns[:len(rows.columns)])
		s.kept[file] = rows == s.rows[table] // rows may be of one query alone
	}
	return nil
}
