package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// WriteFile makes a file appear under its name, whole and on disk, in place of an earlier one, or not at all. It makes
// the folder. The error names the file and says what to do. Whatever a command writes, it writes by this function.
func WriteFile(path string, data []byte) error {
	dir := filepath.Dir(path)
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		err = renameio.WriteFile(path, data, 0o644, renameio.WithTempDir(dir))
	}
	if err == nil {
		err = syncFolder(dir)
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, writeError(err))
	}
	return nil
}

// syncFolder brings the names in a folder to disk: without it a power failure may take back a file that was renamed,
// and so the table that a later commit names.
func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	err = folder.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil // some file systems have no way to do it
	}
	return err
}

// writeError returns why a file cannot be written, without the name of the temporary file, and what to do.
func writeError(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	advice := "see to that"
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		advice = "free some space"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		advice = "make its folder writable or name another with --out"
	}
	return fmt.Errorf("%w; %s, then run the same command again: what is finished is kept", err, advice)
}
