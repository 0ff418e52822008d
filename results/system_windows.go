// This file has the system calls that differ on Unix, see system_unix.go.

package results

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

// onlyFolders is a flag of Unix, against opening a pipe; Windows has no pipes among its files.
const onlyFolders = 0

// createTemporary creates a temporary file in a folder for the file at a path. Its name is a dot,
// the name of that file and a random number. It inherits the permissions of the folder.
func createTemporary(dir, path string) (*os.File, error) {
	return os.CreateTemp(dir, "."+filepath.Base(path)+"*")
}

// retryWhileShared calls do, which reads, renames or removes a file that other processes may have
// open, such as those of this program and virus scanners. Windows refuses to rename or remove an
// open file, and to open one that is being renamed or removed, so retryWhileShared retries for two
// seconds.
func retryWhileShared(do func() error) error {
	const most, pause = 2 * time.Second, 20 * time.Millisecond
	for start := time.Now(); ; time.Sleep(pause) {
		err := do()
		isOpen := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !isOpen || time.Since(start) > most {
			return err
		}
	}
}

// syncFolder does nothing, since Windows has no call that brings the names in a folder to disk.
// NTFS logs them in order, so that a power failure can undo only the last ones.
func syncFolder(string) error { return nil }

// hasNoLinks reports whether the error of making a link is that the file system cannot make it, as
// FAT and some shares cannot.
func hasNoLinks(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, windows.ERROR_INVALID_FUNCTION) ||
		errors.Is(err, windows.ERROR_TOO_MANY_LINKS) || errors.Is(err, windows.ERROR_NOT_SAME_DEVICE)
}

// IsDiskFull reports whether an error is that a disk or a user's share of it is full.
func IsDiskFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) ||
		errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED)
}
