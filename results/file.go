package results

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// WriteFile makes a file appear under its name, whole and on disk, in place of an earlier one, or
// not at all. It makes the folder. A link stays one, and what it leads to is replaced; a device or
// pipe is written to. The error names the file and says what to do. Whatever a command writes, it
// writes by this function.
func WriteFile(path string, data []byte) error {
	info, err := os.Stat(path)
	switch {
	case err != nil: // there is none, or writing says why
		err = replaceFile(path, data)
	case !info.Mode().IsRegular() && !info.IsDir():
		err = writeDevice(path, data)
	case info.IsDir():
		err = inTheWay{path, "a folder", "a file"}
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
	file, err := stage(path, data)
	if err != nil {
		return err
	}
	if err := RenameFile(file.temporary, path); err != nil {
		file.discard()
		return err
	}
	return nil
}

// RenameFile gives a file that is on disk another name in its folder, on disk too, in place of a
// file of that name.
func RenameFile(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(to))
}

// CreateFile makes a file appear under its name, whole and on disk, where there is none, or not at
// all. It makes the folder. Of several processes that create one file at the same time, one does.
// The others get fs.ErrExist, like whoever comes later, and its file stays as it is. Other errors
// are as those of WriteFile.
func CreateFile(path string, data []byte) error {
	file, err := stage(path, data)
	if err == nil {
		err = file.create(os.Link)
		file.discard()
	}
	switch {
	case errors.Is(err, errThere):
		return fmt.Errorf("cannot create %s: %w", path, fs.ErrExist)
	case err != nil:
		return fmt.Errorf("cannot write %s: %w", path, writeError(err))
	default:
		return nil
	}
}

// inTheWay is the error of something that stands where something else has to be written.
type inTheWay struct{ path, is, wanted string }

func (e inTheWay) Error() string {
	return fmt.Sprintf("%s is %s where %s has to be", e.path, e.is, e.wanted)
}

// staged is a file that is whole and on disk, but under a temporary name beside its own.
type staged struct{ path, temporary string }

// stage writes a file under a temporary name. It makes the folder. Whoever gets the file discards
// it in the end, unless it renamed it.
func stage(path string, data []byte) (*staged, error) {
	dir := filepath.Dir(path)
	if err := MakeFolder(dir); err != nil {
		return nil, err
	}
	pending, err := renameio.NewPendingFile(path,
		renameio.WithTempDir(dir), renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return nil, err
	}
	file := &staged{path, pending.Name()}
	_, err = pending.Write(data)
	if err == nil {
		err = pending.Sync()
	}
	if err := errors.Join(err, pending.Close()); err != nil {
		file.discard()
		return nil, err
	}
	return file, nil
}

// discard removes the temporary name. Where that cannot be done, nobody reads the file, and Compact
// removes it later.
func (f *staged) discard() { _ = os.Remove(f.temporary) }

// errThere is the error of create where there is a file of the name already.
var errThere = errors.New("there is one already")

// create gives the file its own name, on disk, where no file has it; else it returns errThere. It
// does so with a link, the one call that never replaces a file and that NFS does as one: a rename
// would replace what another process wrote.
func (f *staged) create(link func(from, to string) error) error {
	switch err := link(f.temporary, f.path); {
	case errors.Is(err, fs.ErrExist):
		// NFS sends a call again when the answer is lost, and then answers that the link is there.
		if !sameFile(f.temporary, f.path) {
			return errThere
		}
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.EOPNOTSUPP),
		errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.EMLINK), errors.Is(err, syscall.EXDEV):
		// A file system without links. Two processes that look at the same moment both find
		// nothing: then the second replaces the first's part by the same bytes.
		if _, err := os.Lstat(f.path); err == nil {
			return errThere
		}
		if err := os.Rename(f.temporary, f.path); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	return syncFolder(filepath.Dir(f.path))
}

func sameFile(a, b string) bool {
	first, err := os.Lstat(a)
	if err != nil {
		return false
	}
	second, err := os.Lstat(b)
	return err == nil && os.SameFile(first, second)
}

// ReadFile is os.ReadFile for a file that other machines may replace or remove meanwhile: where NFS
// says that what was opened is stale, opening it again finds what is there now. What is no file,
// such as a pipe that nobody writes to, is an error at once.
func ReadFile(path string) (data []byte, err error) {
	for range 3 {
		if data, err = readOnce(path); !errors.Is(err, syscall.ESTALE) {
			break
		}
	}
	return data, err
}

func readOnce(path string) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // else who opens a pipe waits for its writer
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is no file, but a folder, pipe or device")}
	}
	var data bytes.Buffer
	data.Grow(int(info.Size()) + bytes.MinRead)
	_, err = data.ReadFrom(file)
	return data.Bytes(), err
}

// vanished reports whether the error of opening or reading a file is that it is no longer there.
func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESTALE)
}

// removeFile removes a file that other processes may remove at the same time.
func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !vanished(err) {
		return fmt.Errorf("cannot remove %s: %w", path, writeError(err))
	}
	return nil
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

// syncFolder brings the names in a folder to disk: without it a power failure may take back a file
// that was renamed, and so the table that a later commit names.
func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil // who may write into a folder, but not list it, has no way to do it
	}
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

// writeError returns why a file cannot be written, without the name of the temporary file, and what
// to do.
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
	case errors.As(err, new(inTheWay)):
		advice = "move it away, or name another folder with --out"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		advice = "free some space"
	case errors.Is(err, syscall.EFBIG):
		advice = "allow larger files (ulimit -f)"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		advice = "make its folder writable or name another"
	}
	return fmt.Errorf("%w; %s, then run the same command again", err, advice)
}
