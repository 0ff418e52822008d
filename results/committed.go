// A committed batch: its commit file and the data files that it names.

package results

import (
	"errors"
	"fmt"
	"path/filepath"

	"gridsweep/model"
)

// committed is a batch in the dataset, by what its commit file says.
type committed struct {
	path     string            // path of the commit file
	metadata map[string]string // metadata of the commit file
	runs     []string          // ids, ascending
	files    map[string]string // SHA-256 of the data file of each table but runs
}

// name returns the name of the commit file.
func (b committed) name() string { return filepath.Base(b.path) }

// openCommitted opens the commit file of a batch. The error is errVanished where another process
// has removed the file; others say what to do.
func (d *Dataset) openCommitted(name string) (committed, *dataFile, error) {
	f, err := d.openCommit(name)
	if err != nil {
		return committed{}, nil, err
	}
	b := committed{path: f.path, metadata: f.metadata}
	ids := newColumn(runID)
	if err := f.read([]*Column{ids}); err != nil {
		return committed{}, nil, err
	}
	b.runs = ids.dictionary.values // the different ids
	if len(b.runs) != len(ids.bits) {
		return committed{}, nil, unreadable(f.path, errors.New("names a run twice"))
	}
	if b.files, err = filesOf(f.metadata); err != nil {
		return committed{}, nil, unreadable(f.path, err)
	}
	return b, f, nil
}

// openCommit opens a file of the folder runs.
func (d *Dataset) openCommit(name string) (*dataFile, error) {
	path := filepath.Join(d.dir, model.RunsTable, name)
	sum, err := checkName(path)
	if err != nil {
		return nil, err
	}
	f, err := d.open(path, sum, model.RunsTable, runsColumns(d.model))
	if errors.Is(err, errMissing) && !isDangling(path) {
		return nil, fmt.Errorf("%s %w", path, errVanished)
	}
	if err != nil {
		return nil, advise(err, "move it away")
	}
	return f, nil
}

// openTable opens the data file of a batch for a table; nil where the batch was written without
// this optional table. The error is errVanished where another process has removed the batch.
func (d *Dataset) openTable(b committed, table string, columns []model.Column) (*dataFile, error) {
	if table == model.RunsTable {
		return d.openCommit(b.name())
	}
	sum, found := b.files[table]
	if !found {
		if i := d.model.Table(table); i > 0 && d.model.Tables[i].Optional {
			return nil, nil
		}
		return nil, unreadable(b.path, fmt.Errorf("names no file of table %s", table))
	}
	f, err := d.open(d.path(table, sum), sum, table, columns)
	if err != nil {
		return nil, b.adviseNamed(err)
	}
	return f, nil
}

// adviseNamed adds what to do to the error of a data file that the commit file names. It is
// errVanished where the commit file is gone too.
func (b committed) adviseNamed(err error) error {
	if errors.Is(err, errMissing) && isGone(b.path) {
		return fmt.Errorf("%s %w", b.path, errVanished)
	}
	return advise(err, fmt.Sprintf("move %s away, which needs it and whose runs will be run again", b.path))
}
