// Folders that are made durably, and listed without taking a lost one for an empty one.

package results

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// MakeFolder makes a folder and the missing ones above it, and brings their names to disk.
// Otherwise a power failure may remove a new folder, together with files in it that were synced.
func MakeFolder(dir string) error { return makeFolder(filepath.Clean(dir), syncFolder) }

func makeFolder(dir string, sync func(dir string) error) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	above := filepath.Dir(dir)
	if above != dir {
		if err := makeFolder(above, sync); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		// A process that has just made it may be killed before it syncs, so this one syncs too.
		if info, statErr := os.Stat(dir); statErr != nil || !info.IsDir() {
			return cmp.Or(blocking(dir), err)
		}
	}
	return sync(above)
}

// blocking returns an error that names what is in place of a folder to make; nil if nothing is.
func blocking(dir string) error {
	switch info, err := os.Lstat(dir); {
	case err != nil:
		return nil
	case info.Mode()&fs.ModeSymlink != 0:
		return misplacedError{dir, "a link that leads to no folder", "a folder"}
	default:
		return misplacedError{dir, "a file", "a folder"}
	}
}

// ListFolder returns the entries of a folder in the order of their names. The error is
// fs.ErrNotExist only if the folder certainly does not exist: the folder above it can be read and
// does not have it, or does not exist either. If a folder is removed, renamed or lost by a file
// server while it is read, the error is another one and says what to do, so that the caller does
// not take the runs in it for missing.
func ListFolder(dir string) (entries []os.DirEntry, err error) {
	wasOpen := false
	// Another process may remove the folder and make it again, as with --fresh.
	for wait := 5 * time.Millisecond; wait < 500*time.Millisecond; wait *= 2 {
		var folder *os.File
		folder, err = os.OpenFile(dir, os.O_RDONLY|onlyFolders, 0)
		switch {
		case err == nil:
			wasOpen = true
			if entries, err = readEntries(folder); err == nil {
				return entries, nil
			}
		case errors.Is(err, fs.ErrNotExist) && !wasOpen:
			isListed, aboveErr := listedAbove(dir)
			if aboveErr != nil {
				return nil, aboveErr
			}
			if !isListed {
				return nil, err
			}
		}
		if !vanished(err) {
			return nil, adviseAccess(err)
		}
		time.Sleep(wait)
	}
	return nil, lostFolder(dir, err)
}

// readEntries returns the entries of an open folder, which it closes.
func readEntries(folder *os.File) ([]os.DirEntry, error) {
	entries, err := folder.ReadDir(-1)
	if err := errors.Join(err, folder.Close()); err != nil {
		return nil, err
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// listedAbove reports whether the folder above a folder lists it. The error is that of reading the
// folder above.
func listedAbove(dir string) (bool, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false, err
	}
	above, err := ListFolder(filepath.Dir(dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return slices.ContainsFunc(above, func(e os.DirEntry) bool { return e.Name() == filepath.Base(dir) }), nil
}

// errLost is the error of a folder that exists, or existed a moment ago, and cannot be read.
var errLost = errors.New("cannot be read")

// lostFolder returns an errLost that is not fs.ErrNotExist, even if the reason is.
func lostFolder(dir string, reason error) error {
	return fmt.Errorf("%s %w: it is listed or was there, and now the system says %q; see whether it was moved, removed "+
		"or leads nowhere, and whether its file system is there, then run the same command again", dir, errLost, reason)
}

// listIfThere is ListFolder, but a folder that does not exist has no entries.
func listIfThere(dir string) ([]os.DirEntry, error) {
	entries, err := ListFolder(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}
