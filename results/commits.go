// How batches are committed, and visited while other processes add and remove some.

package results

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gridsweep/model"
)

// errVanished is the error of reading a batch whose commit file was removed after its folder was
// listed: the runs are in another batch.
var errVanished = errors.New("was removed while it was read")

// If commit files vanish, the folder is listed again, after growing pauses. Together these are
// longer than the minute for which NFS may show an outdated folder.
const (
	listings     = 25
	longestPause = 5 * time.Second
)

// commits calls visit once with the name of each commit file, in their order. If visit returns
// errVanished, because another process has merged the batch, commits lists the folder again and
// goes on with what is new. It may leave out commit files that are written meanwhile.
func (d *Dataset) commits(ctx context.Context, visit func(name string) error) error {
	return d.visitListed(ctx, d.commitNames, visit)
}

// visitListed is commits for the names that list returns. It calls list again if a file has
// vanished.
func (d *Dataset) visitListed(ctx context.Context, list func() ([]string, error), visit func(name string) error) error {
	visited := map[string]bool{}
	pause := time.Millisecond
	for range listings {
		names, err := list()
		if err != nil {
			return err
		}
		again := false
		for _, name := range names {
			if visited[name] {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			err := visit(name)
			if errors.Is(err, errVanished) {
				again = true
				continue
			}
			if err != nil {
				return err
			}
			visited[name] = true
		}
		if !again {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		pause = min(2*pause, longestPause)
	}
	return fmt.Errorf("%s was listed %d times, and each time files were gone before they were read: another process "+
		"keeps removing them; wait until it ends, then run the same command again",
		filepath.Join(d.dir, model.RunsTable), listings)
}

// commitNames returns the names of the commit files, in their order. It lists the folder twice:
// while Compact is at work, one listing can miss a merged batch, which is added where the listing
// has passed, and also a batch that was merged into it, which is removed where the listing has not
// been yet. Without the folder there are no names; if the folder existed before, that is an error.
func (d *Dataset) commitNames() ([]string, error) {
	names := map[string]bool{}
	for range 2 {
		folder := filepath.Join(d.dir, model.RunsTable)
		entries, err := ListFolder(folder)
		switch {
		case errors.Is(err, fs.ErrNotExist) && d.hadRuns.Load():
			return nil, lostFolder(folder, err)
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		d.hadRuns.Store(true)
		for _, entry := range entries {
			if !strings.HasPrefix(entry.Name(), ".") { // a writer's temporary file
				names[entry.Name()] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// isGone reports whether a file does not exist. It opens the file, since a stat may be answered
// from a cache of NFS.
func isGone(path string) bool {
	file, err := os.Open(path)
	if err == nil {
		file.Close()
	}
	return vanished(err)
}

// isDangling reports whether a path that cannot be opened is a symbolic link.
func isDangling(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// stagedBatch is a batch that is being written. All its files are on disk under temporary names
// before the first of them gets its own, so that a full disk leaves no incomplete batch.
type stagedBatch struct {
	dataset *Dataset
	files   []stagedFile // the commit file is the last
}

type stagedFile struct {
	*staged
	sum string
}

// add brings a file of the batch to disk.
func (b *stagedBatch) add(f encodedFile) error {
	path := b.dataset.path(f.table, f.sum)
	file, err := stage(path, f.data)
	if err != nil {
		return writeError(path, err)
	}
	b.files = append(b.files, stagedFile{file, f.sum})
	return nil
}

// sum returns the SHA-256 of the commit file, after it was added.
func (b *stagedBatch) sum() string { return b.files[len(b.files)-1].sum }

// commit gives the files their own names, the commit file last.
func (b *stagedBatch) commit() error {
	last := len(b.files) - 1
	for _, f := range b.files[:last] {
		if err := f.publish(); err != nil {
			return err
		}
	}
	if err := b.dataset.syncFolders(); err != nil {
		return err
	}
	if err := b.files[last].publish(); err != nil {
		return err
	}
	// If this process was suspended for more than a day, Compact may have removed the data files,
	// which no commit file named then.
	for _, f := range b.files[:last] {
		if isGone(f.path) {
			if err := f.publish(); err != nil {
				return err
			}
		}
	}
	return nil
}

// syncFolders brings the names of the dataset's folders to disk, which the commit file depends on.
// The process that made them may have been killed before it did so.
func (d *Dataset) syncFolders() error {
	err := d.syncAbove()
	if err == nil {
		err = syncFolder(d.dir)
	}
	return writeError(d.dir, err)
}

// syncAbove syncs the folders above a path.
func syncAbove(path string) error {
	for path != filepath.Dir(path) {
		path = filepath.Dir(path)
		if err := syncFolder(path); err != nil {
			return err
		}
	}
	return nil
}

// discard removes the temporary names.
func (b *stagedBatch) discard() {
	for _, f := range b.files {
		f.staged.discard()
	}
}

// publish gives the file its own name. If a file has that name already, it must have the same
// bytes; otherwise it is damaged and stays in place.
func (f stagedFile) publish() error {
	const attempts = 10
	for n := 1; ; n++ {
		err := f.create(os.Link)
		if !errors.Is(err, errThere) {
			return writeError(f.path, err)
		}
		if _, err = readVerified(f.path, f.sum); err == nil {
			// The process that made the file may have been killed before it synced the folder.
			return writeError(f.path, syncFolder(filepath.Dir(f.path)))
		}
		if !errors.Is(err, errMissing) || n == attempts { // a missing one was removed just now
			return advise(err, "move it away")
		}
	}
}
