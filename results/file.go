// Files that are written whole or not at all.

package results

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// WriteFile writes a file whole and on disk, in place of an earlier one, or not at all. It makes
// the folder. It replaces the target of a link, and writes to a device or pipe. The error names the
// file and says what to do.
func WriteFile(path string, data []byte) error { return WriteStream(path, true, writing(data)) }

// CreateFile is like WriteFile, but a file that exists stays as it is and the error is fs.ErrExist.
// A folder of that name is another error. Of several processes that create a file at the same time,
// one succeeds.
func CreateFile(path string, data []byte) error { return WriteStream(path, false, writing(data)) }

// writing returns the function that writes the data.
func writing(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// WriteStream is WriteFile, or CreateFile unless isReplaced is set, with what write writes to its
// argument. It returns the error of write as it is. It calls write again if another process removes
// the folder meanwhile.
func WriteStream(path string, isReplaced bool, write func(io.Writer) error) error {
	var own error // the error of write, unless it is that of the writer; it ends the retries
	record := func(w io.Writer) error {
		to := &Recorder{To: w}
		err := write(to)
		own = nil
		if to.Err == nil {
			own = err
		}
		return err
	}
	target := path
	switch info, err := os.Stat(path); {
	case err != nil: // no file has the name, or else writing returns the error
	case info.IsDir():
		return writeError(path, misplacedError{path, "a folder", "a file"})
	case !isReplaced:
		return writeError(path, errThere)
	case !info.Mode().IsRegular():
		err := writeDevice(path, record)
		return cmp.Or(own, writeError(path, err))
	default:
		if target, err = filepath.EvalSymlinks(path); err != nil {
			return writeError(path, err)
		}
	}
	err := whileCleared(func() error {
		file, err := stageFrom(target, record)
		if own != nil {
			return nil // own is returned below
		}
		if err != nil {
			return err
		}
		defer file.discard()
		if isReplaced {
			return RenameFile(file.temporary, target)
		}
		return file.create(os.Link)
	})
	return cmp.Or(own, writeError(path, err))
}

// RenameFile gives a file another name in its folder and brings that to disk. It replaces a file of
// that name.
func RenameFile(from, to string) error {
	if err := retryWhileShared(func() error { return os.Rename(from, to) }); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(to))
}

// Recorder keeps the error of the writer below it.
type Recorder struct {
	To  io.Writer
	Err error
}

// Write writes to the writer below.
func (r *Recorder) Write(data []byte) (int, error) {
	n, err := r.To.Write(data)
	if err != nil {
		r.Err = err
	}
	return n, err
}

// whileCleared calls write again while another process removes its files and their folders, as
// --fresh does, for at most a second.
func whileCleared(write func() error) (err error) {
	for wait := 5 * time.Millisecond; wait < time.Second/2; wait *= 2 {
		if err = write(); !vanished(err) {
			break
		}
		time.Sleep(wait)
	}
	return err
}

// misplacedError is the error where a file is in place of a folder to write into, or a folder in
// place of a file.
type misplacedError struct{ path, is, wanted string }

func (e misplacedError) Error() string {
	return fmt.Sprintf("%s is %s where %s has to be", e.path, e.is, e.wanted)
}

// staged is a file that is whole and on disk, in its folder, and still has a temporary name.
type staged struct{ path, temporary string }

// stage is stageFrom for data in memory.
func stage(path string, data []byte) (*staged, error) { return stageFrom(path, writing(data)) }

// stageFrom writes a file under a temporary name. It makes the folder. The caller discards the file
// at the end, unless it renamed it.
func stageFrom(path string, write func(io.Writer) error) (*staged, error) {
	dir := filepath.Dir(path)
	if err := MakeFolder(dir); err != nil {
		return nil, err
	}
	pending, err := createTemporary(dir, path)
	if err != nil {
		return nil, err
	}
	file := &staged{path, pending.Name()}
	err = write(pending)
	if err == nil {
		err = pending.Sync()
	}
	if err := errors.Join(err, pending.Close()); err != nil {
		file.discard()
		return nil, err
	}
	return file, nil
}

// discard removes the temporary name. If that fails, Compact removes it later from a dataset.
func (f *staged) discard() { _ = os.Remove(f.temporary) }

// errThere is the error of create if a file has the name already.
var errThere = errors.New("there is one already")

// create gives the file its own name, on disk, unless another file has it: then it returns
// errThere. It makes a hard link, the one call that is atomic on NFS and never replaces a file. A
// rename would replace what another process wrote.
func (f *staged) create(link func(from, to string) error) error {
	switch err := link(f.temporary, f.path); {
	case errors.Is(err, fs.ErrExist):
		// NFS repeats a call whose answer is lost, and the repeated call finds the link of the
		// first.
		if !sameFile(f.temporary, f.path) {
			return errThere
		}
	case hasNoLinks(err):
		// A file system without hard links. If two processes look at the same moment, the second
		// replaces the file of the first, by equal bytes if it is a data file.
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

// ReadFile is os.ReadFile for a file that other machines may replace or remove meanwhile: if NFS
// reports a stale file, it is opened again. A folder, pipe or device is an error at once.
func ReadFile(path string) (data []byte, err error) {
	for range 3 {
		err = retryWhileShared(func() error {
			data, err = readOnce(path)
			return err
		})
		if !errors.Is(err, syscall.ESTALE) {
			break
		}
	}
	return data, err
}

func readOnce(path string) ([]byte, error) {
	// Without NONBLOCK, opening a pipe waits for a writer.
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
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

// vanished reports whether the error of opening or reading a file is that it was removed.
func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESTALE)
}

// removeFile removes a file that other processes may remove at the same time.
func removeFile(path string) error {
	if err := retryWhileShared(func() error { return os.Remove(path) }); err != nil && !vanished(err) {
		return fmt.Errorf("cannot remove %s: %w", path, adviseWriting(err))
	}
	return nil
}

// writeDevice writes to a device or pipe, which must not be replaced by a file.
func writeDevice(path string, write func(io.Writer) error) error {
	device, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(device), device.Close())
}

// writeError returns the error that a file cannot be written; nil if err, the reason, is nil. For
// errThere it is fs.ErrExist.
func writeError(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errThere):
		return fmt.Errorf("cannot create %s: %w", path, fs.ErrExist)
	default:
		return fmt.Errorf("cannot write %s: %w", path, adviseWriting(err))
	}
}

// adviseWriting returns the reason why a file cannot be written or removed, without the name of the
// temporary file, and what to do.
func adviseWriting(err error) error {
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
	case errors.As(err, new(misplacedError)):
		advice = "move it away, or name another folder with --out"
	case IsDiskFull(err):
		advice = "free some space"
	case errors.Is(err, syscall.EFBIG):
		advice = "allow larger files (ulimit -f)"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		advice = "make its folder writable or name another"
	}
	return fmt.Errorf("%w; %s, then run the same command again", err, advice)
}
