// Package results stores the runs of one study as a dataset of Parquet files and reads them back.
//
// A part is what a worker finished in the last seconds: one file for each table, written whole and
// named by the SHA-256 of its bytes. The long tables and the timings come first; the file under
// runs/ names them in its metadata and is the commit. So there is no journal and no lock: parts of
// any number of workers, shards and machines lie in one folder, what a kill leaves behind is named
// by nobody, and a run that lies in two parts is read once. No process replaces a file of another
// one: Compact makes a large part of many small ones beside them, and then removes those, while who
// reads lists the folder again where one has gone.
//
//	dataset, err := results.Open("out/coallocation", "coallocation", m)
//	err = dataset.WritePart(runs, provenance)
//	snapshot, err := dataset.Snapshot(ctx, results.Rows)
//	frame, err := snapshot.Read(ctx, model.RunsTable, nil, snapshot.Finished())
//
// Files are verified before they are parsed; one that is damaged or foreign is named, refused and
// left in place.
package results

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"gridsweep/model"
)

// TimingsTable is the name of the table of wall-clock times. It is no part of a run's outcome: it
// stays outside the digest, and a run may have been timed more than once.
const TimingsTable = model.TimingsTable

// The other folders beside that of the runs.
const (
	FailedFolder  = "failed"  // records of failed runs
	RunningFolder = "running" // heartbeats of the processes at work on the dataset
	TablesFolder  = "tables"  // the study's tables, as files
	FiguresFolder = "figures" // its figures
)

// Folders returns the names of the folders of every dataset; long tables have more.
func Folders() []string { return []string{model.RunsTable, TimingsTable, FailedFolder, RunningFolder} }

const partExtension = ".parquet"

// Dataset is the folder with the runs of one study. Its methods may be called concurrently, also by
// other processes on the same folder. What is in it a Snapshot tells.
type Dataset struct {
	dir, study string
	model      *model.Model
	optional   map[string]bool // the optional tables that runs shall have
	hasCommits atomic.Bool     // the folder runs was listed, and nothing but Clear removes it

	// What is done once, when it is first needed.
	syncAbove   func() error           // brings the name of dir to disk, and those of the folders above
	fingerprint func() (string, error) // of the model's source
}

// Open returns the dataset of a study in dir, which need not exist yet. Optional names the model's
// optional tables that are written and that a run needs to count as finished. The error lists the
// optional tables there are.
func Open(dir, study string, m *model.Model, optional ...string) (*Dataset, error) {
	checkReserved(m)
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

// Clear removes what this study's runs left in the folder: parts, timings, failures and the
// temporary files of killed writers. Everything else stays, also files of other studies. Where a
// file lies among the parts that no dataset wrote, it removes nothing and returns an error that
// names it: the next run would refuse the folder.
func (d *Dataset) Clear() error {
	folders, err := listFolder(d.dir)
	if err != nil {
		return fmt.Errorf("clear the dataset: %w", err)
	}
	if err := d.checkNames(model.RunsTable); err != nil {
		return fmt.Errorf("clear the dataset: %w", err)
	}
	d.hasCommits.Store(false)
	// The commits go first: an interrupted Clear leaves no commit without its tables.
	slices.SortStableFunc(folders, func(a, b os.DirEntry) int {
		switch {
		case a.Name() == model.RunsTable && b.Name() != model.RunsTable:
			return -1
		case b.Name() == model.RunsTable && a.Name() != model.RunsTable:
			return 1
		}
		return 0
	})
	for _, folder := range folders {
		removed, err := d.clearFolder(filepath.Join(d.dir, folder.Name()))
		if err == nil && removed > 0 && folder.Name() == model.RunsTable {
			err = d.syncRemoved() // a power failure must not bring a commit back without its tables
		}
		if err != nil {
			return fmt.Errorf("clear the dataset: %w", err)
		}
	}
	// Commits of writers at work that came since may name tables that are gone.
	for removed := 1; removed > 0; {
		if removed, err = d.clearFolder(filepath.Join(d.dir, model.RunsTable)); err != nil {
			return fmt.Errorf("clear the dataset: %w", err)
		}
	}
	return nil
}

// syncRemoved brings to disk that files of the folder runs were removed, perhaps with the folder.
func (d *Dataset) syncRemoved() error {
	for _, folder := range []string{filepath.Join(d.dir, model.RunsTable), d.dir} {
		if err := syncFolder(folder); err != nil && !vanished(err) {
			return fmt.Errorf("cannot write %s: %w", folder, writeError(err))
		}
	}
	return nil
}

// clearFolder removes what this study's runs left in a folder, and the folder if nothing else is
// there. It returns how many files it removed: none from what is no folder but a link to one,
// perhaps into an archive.
func (d *Dataset) clearFolder(folder string) (removed int, err error) {
	if info, err := os.Lstat(folder); err == nil && !info.IsDir() {
		return 0, nil
	}
	entries, err := listFolder(folder)
	if errors.Is(err, errLost) {
		return 0, nil // others clear it too
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
	if vanished(err) || errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.EEXIST) {
		err = nil // others clear it too, or write into it
	}
	return removed, err
}

// wrote reports whether a file was written by a dataset of this study, as far as that can be told:
// a file with a part's name whose bytes are not those of the name is a damaged part.
func (d *Dataset) wrote(path string) (bool, error) {
	name := filepath.Base(path)
	if filepath.Base(filepath.Dir(path)) == FailedFolder {
		id, found := strings.CutSuffix(name, failureExtension)
		return found && isHex(id, runIDDigits) || isTemporary(name, failureExtension), nil
	}
	if isTemporary(name, partExtension) {
		return true, nil
	}
	sum, found := strings.CutSuffix(name, partExtension)
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

// Lengths of the hexadecimal names of runs and of parts.
const (
	runIDDigits = 32
	sumDigits   = 64
)

func isHex(s string, digits int) bool {
	return len(s) == digits && strings.Trim(s, "0123456789abcdef") == ""
}

// isTemporary reports whether name is that of a temporary file of a writer that was killed: a dot,
// the name of the file it was to become and a random number.
func isTemporary(name, extension string) bool {
	base, random, found := strings.Cut(strings.TrimPrefix(name, "."), extension)
	return found && name[0] == '.' && (isHex(base, runIDDigits) || isHex(base, sumDigits)) &&
		strings.Trim(random, "0123456789") == ""
}
