package results

// What the calls of Windows do, where those of Unix differ: see system_unix.go.

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

// onlyFolders is a flag of Unix: on Windows no path beside files leads to a pipe.
const onlyFolders = 0

// createTemporary creates a file in a folder that is to become the file at a path: a dot, its name
// and a random number. It inherits the permissions of the folder.
func createTemporary(dir, path string) (*os.File, error) {
	return os.CreateTemp(dir, "."+filepath.Base(path)+"*")
}

// whileShared reads, renames or removes a file that others may have open. Windows refuses to rename
// or remove such a file, and to open one that is just being renamed or removed. Others are processes
// of this program and those that look for viruses, so it is tried again for two seconds.
func whileShared(do func() error) error {
	const most, pause = 2 * time.Second, 20 * time.Millisecond
	for start := time.Now(); ; time.Sleep(pause) {
		err := do()
		isOpen := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !isOpen || time.Since(start) > most {
			return err
		}
	}
}

// syncFolder does nothing: Windows has no call that brings the names in a folder to disk. NTFS logs
// them in order, so that a power failure takes back the last ones at most.
func syncFolder(string) error { return nil }

// hasNoLinks reports whether the error of making a link is that the file system cannot, as FAT and
// some shares.
func hasNoLinks(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, windows.ERROR_INVALID_FUNCTION) ||
		errors.Is(err, windows.ERROR_TOO_MANY_LINKS) || errors.Is(err, windows.ERROR_NOT_SAME_DEVICE)
}

// IsDiskFull reports whether an error is that a disk or a user's share of it is full.
func IsDiskFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) ||
		errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED)
}
