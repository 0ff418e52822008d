// Package results stores the runs of one study as a dataset of Parquet files and reads them back.
//
// A batch is the runs that a process finished within some seconds. Each of its tables is a data
// file, named by the SHA-256 of its bytes and written whole. The file of the table runs is the
// commit file: it is written last and names the others in its metadata, so a batch is in the
// dataset if its commit file is. There is no journal and no lock. Processes on any machines may
// write into one folder, and files of a killed process, which no commit file names, are not read. A
// run that is in two batches is read once, and its rows must be equal in both.
//
// No process replaces a file of another one. Compact writes a large batch beside small ones and
// then removes these; a reader that misses a file lists the folder again.
//
// Files are verified before they are parsed. A file that is damaged or foreign stays in place, and
// the error names it.
package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"gridsweep/model"
)

// TimingsTable is the name of the table of wall-clock times. It does not belong to a run's outcome:
// the digest leaves it out, and a run may have been timed more than once.
const TimingsTable = model.TimingsTable

// Folders of a dataset without data files.
const (
	FailedFolder  = "failed"  // records of failed runs
	RunningFolder = "running" // heartbeats of processes that add runs
	TablesFolder  = "tables"  // the study's tables
	FiguresFolder = "figures" // the study's figures
)

// Folders returns the folders that runs have in every dataset; each long table of the model has one
// more.
func Folders() []string { return []string{model.RunsTable, TimingsTable, FailedFolder, RunningFolder} }

const dataExtension = ".parquet"

// Dataset is the folder with the runs of one study. Its methods may be called concurrently, also by
// other processes on the same folder. To read it, take a Snapshot.
type Dataset struct {
	dir, study string
	model      *model.Model
	optional   map[string]bool // the optional tables that runs are to have
	hadRuns    atomic.Bool     // the folder runs existed; only Clear removes it

	// Called once, when first needed.
	syncAbove   func() error           // brings dir's name and those of the folders above to disk
	fingerprint func() (string, error) // of the model's source
}

// Open returns the dataset of a study in dir, which need not exist. Optional names the model's
// optional tables that are written, and that a run must have to count as finished. The error lists
// the model's optional tables, or has a name of the model that the dataset reserves.
func Open(dir, study string, m *model.Model, optional ...string) (*Dataset, error) {
	if err := checkReserved(m); err != nil {
		return nil, err
	}
	d := &Dataset{
		dir: dir, study: study, model: m, optional: map[string]bool{},
		syncAbove:   sync.OnceValue(func() error { return syncAbove(dir) }),
		fingerprint: sync.OnceValues(m.Fingerprint),
	}
	var known []string
	for _, table := range m.Tables {
		if table.Optional {
			known = append(known, table.Name)
		}
	}
	for _, name := range optional {
		switch {
		case len(known) == 0:
			return nil, fmt.Errorf("model %s has no optional table %q: it has none", m.Name, name)
		case !slices.Contains(known, name):
			return nil, fmt.Errorf("model %s has no optional table %q, only: %s", m.Name, name, strings.Join(known, ", "))
		}
		d.optional[name] = true
	}
	return d, nil
}

// Clear removes the runs of this study: batches, failures and the temporary files of writers.
// Everything else stays, also files of other studies. If the folder of a table has a file that no
// dataset wrote, Clear removes nothing and returns an error that names it, since the next run would
// refuse the folder.
func (d *Dataset) Clear() error {
	folders, err := listIfThere(d.dir)
	if err != nil {
		return fmt.Errorf("clear the dataset: %w", err)
	}
	if err := d.checkNames(append(d.longTables(), model.RunsTable)); err != nil {
		return fmt.Errorf("clear the dataset: %w", err)
	}
	d.hadRuns.Store(false)
	// The commit files go first: an interrupted Clear leaves none without its data files. Those of
	// writers at work that came meanwhile may name files that are gone, so they go at the end.
	if err := d.clearCommits(); err != nil {
		return err
	}
	for _, folder := range folders {
		if folder.Name() == model.RunsTable {
			continue
		}
		if _, err := d.clearFolder(filepath.Join(d.dir, folder.Name())); err != nil {
			return fmt.Errorf("clear the dataset: %w", err)
		}
	}
	return d.clearCommits()
}

// clearCommits removes the commit files, until there are none.
func (d *Dataset) clearCommits() error {
	for {
		removed, err := d.clearFolder(filepath.Join(d.dir, model.RunsTable))
		if err == nil && removed > 0 {
			// a power failure must not bring back a commit file without its data files
			err = d.syncRemoved()
		}
		if err != nil {
			return fmt.Errorf("clear the dataset: %w", err)
		}
		if removed == 0 {
			return nil
		}
	}
}

// syncRemoved brings the removal of commit files to disk, and of their folder if it went too.
func (d *Dataset) syncRemoved() error {
	for _, folder := range []string{filepath.Join(d.dir, model.RunsTable), d.dir} {
		if err := syncFolder(folder); err != nil && !vanished(err) {
			return writeError(folder, err)
		}
	}
	return nil
}

// clearFolder removes the files of this study's runs from a folder, and the folder if nothing else
// is in it. It returns how many files it removed. It follows no link to a folder, which may be in
// an archive.
func (d *Dataset) clearFolder(folder string) (removed int, err error) {
	if info, err := os.Lstat(folder); err == nil && !info.IsDir() {
		return 0, nil
	}
	entries, err := listIfThere(folder)
	if errors.Is(err, errLost) {
		return 0, nil // another process clears it too
	}
	if err != nil {
		return 0, err
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		ours, err := d.wrote(path)
		if err != nil {
			return removed, err
		}
		if !ours {
			continue
		}
		if err := removeFile(path); err != nil {
			return removed, err
		}
		removed++
	}
	if removed == 0 || removed < len(entries) {
		return removed, nil
	}
	err = os.Remove(folder)
	if vanished(err) || errors.Is(err, fs.ErrExist) {
		err = nil // another process clears it too, or writes into it
	}
	return removed, err
}

// wrote reports whether a dataset of this study wrote a file, as far as can be known. A file that
// is named as a data file and has other bytes counts as a damaged data file of this study.
func (d *Dataset) wrote(path string) (bool, error) {
	name := filepath.Base(path)
	if filepath.Base(filepath.Dir(path)) == FailedFolder {
		id, found := strings.CutSuffix(name, failureExtension)
		return found && isHex(id, runIDDigits) || isTemporary(name, failureExtension), nil
	}
	if isTemporary(name, dataExtension) {
		return true, nil
	}
	sum, found := strings.CutSuffix(name, dataExtension)
	if !found || !isHex(sum, sumDigits) {
		return false, nil
	}
	data, err := ReadFile(path)
	if vanished(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if sumOf(data) != sum {
		return true, nil
	}
	reader, err := openParquet(data)
	if err != nil {
		return false, nil
	}
	return metadataOf(reader)[keyStudy] == d.study, nil
}

// Lengths of the hexadecimal names of runs and of data files.
const (
	runIDDigits = 32
	sumDigits   = 64
)

func isHex(s string, digits int) bool {
	return len(s) == digits && strings.Trim(s, "0123456789abcdef") == ""
}

// isTemporary reports whether a file is a temporary one of a writer, at work or killed: its name is
// a dot, the name that the file is to get and a random number.
func isTemporary(name, extension string) bool {
	name, isHidden := strings.CutPrefix(name, ".")
	base, random, found := strings.Cut(name, extension)
	return isHidden && found && (isHex(base, runIDDigits) || isHex(base, sumDigits)) &&
		strings.Trim(random, "0123456789") == ""
}
