//go:build unix

// This file has the system calls that differ on Windows, see system_windows.go.

package results

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/google/renameio/v2"
)

// onlyFolders makes opening anything but a folder an error. Opening a pipe would wait for its
// writer.
const onlyFolders = syscall.O_DIRECTORY

// createTemporary creates a temporary file in a folder for the file at a path. Its name is a dot,
// the name of that file and a random number. It has the permissions of the file that it will
// replace, or those of a new file.
func createTemporary(dir, path string) (*os.File, error) {
	pending, err := renameio.NewPendingFile(path,
		renameio.WithTempDir(dir), renameio.WithPermissions(0o666), renameio.WithExistingPermissions())
	if err != nil {
		return nil, err
	}
	return pending.File, nil
}

// retryWhileShared calls do, which reads, renames or removes a file that other processes may have
// open. Unix allows that, so there is nothing to retry.
func retryWhileShared(do func() error) error { return do() }

// syncFolder brings the names in a folder to disk. Otherwise a power failure may undo the renaming
// of a data file that a commit file names.
func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil // a folder that may be written but not listed cannot be synced
	}
	if err != nil {
		return err
	}
	defer folder.Close()
	err = folder.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil // some file systems cannot sync a folder
	}
	return err
}

// hasNoLinks reports whether the error of making a link is that the file system cannot make it.
func hasNoLinks(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EPERM) ||
		errors.Is(err, syscall.EMLINK) || errors.Is(err, syscall.EXDEV)
}

// IsDiskFull reports whether an error is that a disk or a user's share of it is full.
func IsDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
