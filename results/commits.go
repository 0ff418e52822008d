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

// errVanished is the error of reading a commit that was there when its folder was listed and is
// there no more: what it held is in another one.
var errVanished = errors.New("was removed while it was read")

// Where commits vanish, the folder is listed again at once, then after growing pauses. All of them
// together are longer than the minute for which NFS may show a folder as it was.
const (
	listings     = 25
	longestPause = 5 * time.Second
)

// commits calls visit with the name of each file in the folder runs, in their order, once. Where
// visit returns errVanished, because another process has put its runs into a larger part, it lists
// the folder again and goes on with what is new. Commits of writers that are at work may be left
// out: a reader need not catch up with them.
func (d *Dataset) commits(ctx context.Context, visit func(name string) error) error {
	return d.visitListed(ctx, d.commitNames, visit)
}

// visitListed is commits for a reader that knows what is there: list is called first, and again
// where a file has vanished.
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

// commitNames returns the names of the files in the folder runs, in their order. It looks twice: a
// single look may pass the place of a new part before it is there, and that of the one whose runs
// it holds after that is gone. There are none where the folder was never made; one that was there
// before and is not now is an error.
func (d *Dataset) commitNames() ([]string, error) {
	names := map[string]bool{}
	for range 2 {
		folder := filepath.Join(d.dir, model.RunsTable)
		entries, err := ListFolder(folder)
		switch {
		case errors.Is(err, fs.ErrNotExist) && d.hasCommits.Load():
			return nil, lostFolder(folder, err)
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		d.hasCommits.Store(true)
		for _, entry := range entries {
			if !strings.HasPrefix(entry.Name(), ".") { // a writer's temporary file
				names[entry.Name()] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// gone reports whether a file that was there is no more. It opens the file: a stat may be answered
// from a cache.
func gone(path string) bool {
	file, err := os.Open(path)
	if err == nil {
		file.Close()
	}
	return vanished(err)
}

// leadsNowhere reports whether the path is a link to what is not there.
func leadsNowhere(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// newPart is a part that is being written. Its files are on disk under temporary names before the
// first of them appears: a disk that gets full takes part of none.
type newPart struct {
	dataset *Dataset
	files   []newFile // the commit is the last
}

type newFile struct {
	*staged
	sum string
}

// add brings a file of the part to disk.
func (p *newPart) add(f tableFile) error {
	path := p.dataset.path(f.table, f.sum)
	file, err := stage(path, f.data)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, writeError(err))
	}
	p.files = append(p.files, newFile{file, f.sum})
	return nil
}

// name returns the name of the part once its commit was added.
func (p *newPart) name() string { return p.files[len(p.files)-1].sum }

// commit makes the files appear, the commit after those that it names.
func (p *newPart) commit() error {
	last := len(p.files) - 1
	for i, f := range p.files {
		if i == last {
			if err := p.dataset.syncFolders(); err != nil {
				return err
			}
		}
		if err := f.appear(); err != nil {
			return err
		}
	}
	// A writer that stood still for more than a day, on a computer that slept, finds that Compact
	// has removed the files that nobody named. Now somebody does.
	for _, f := range p.files[:last] {
		if gone(f.path) {
			if err := f.appear(); err != nil {
				return err
			}
		}
	}
	return nil
}

// syncFolders brings the names of the folders to disk that a commit is in and needs. Whoever made
// them, in this process or another, may not have come to it, or have been killed before.
func (d *Dataset) syncFolders() error {
	err := d.syncAbove()
	if err == nil {
		err = syncFolder(d.dir)
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", d.dir, writeError(err))
	}
	return nil
}

// syncAbove syncs the folders above a path.
func syncAbove(path string) error {
	for above := filepath.Dir(path); above != path; path, above = above, filepath.Dir(above) {
		if err := syncFolder(above); err != nil {
			return err
		}
	}
	return nil
}

// discard removes the temporary names.
func (p *newPart) discard() {
	for _, f := range p.files {
		f.staged.discard()
	}
}

// appear gives the file its own name. Where there is one of that name, it has the same bytes, or it
// is damaged and stays in place.
func (f newFile) appear() error {
	const attempts = 10
	for n := 1; ; n++ {
		err := f.create(os.Link)
		if err == nil {
			return nil
		}
		if !errors.Is(err, errThere) {
			return fmt.Errorf("cannot write %s: %w", f.path, writeError(err))
		}
		_, err = readVerified(f.path, f.sum)
		switch {
		case err == nil:
			if err := syncFolder(filepath.Dir(f.path)); err != nil { // which whoever made it may not have come to
				return fmt.Errorf("cannot write %s: %w", f.path, writeError(err))
			}
			return nil
		case errors.Is(err, errMissing) && n < attempts: // removed since: now ours may appear
		default:
			return advise(err, "move it away")
		}
	}
}
