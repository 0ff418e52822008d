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
// the folder. A link stays one, and what it leads to is replaced; a device or pipe is written to. The error names the
// file and says what to do. Whatever a command writes, it writes by this function.
func WriteFile(path string, data []byte) error {
	info, err := os.Stat(path)
	switch {
	case err != nil: // there is none, or writing says why
		err = replaceFile(path, data)
	case !info.Mode().IsRegular() && !info.IsDir():
		err = writeDevice(path, data)
	default:
		var target string
		if target, err = filepath.EvalSymlinks(path); err == nil {
			err = replaceFile(target, data)
		}
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, writeError(err))
	}
	return nil
}

// replaceFile renames a whole new file to the path.
func replaceFile(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := renameio.WriteFile(path, data, 0o644, renameio.WithTempDir(dir)); err != nil {
		return err
	}
	return syncFolder(dir)
}

// writeDevice writes to what is no file, and must not become one.
func writeDevice(path string, data []byte) error {
	device, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = device.Write(data)
	return errors.Join(err, device.Close())
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
		advice = "make its folder writable or name another"
	}
	return fmt.Errorf("%w; %s, then run the same command again", err, advice)
}
