// Locations of files: in the program, in a folder of studies or on the user's disk.

package configs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// maxFile is the maximum size of a file in bytes, ten times that of a long study. Parsed YAML takes
// up to 200 times its size in memory.
const maxFile = 1 << 20

// location is a file: in a library's folder or on the user's disk.
type location struct {
	folder *folder // of the library; nil for the user's disk
	path   string
}

// isBuiltin reports whether the file belongs to the program.
func (l location) isBuiltin() bool { return l.folder != nil && l.folder.dir == "" }

// isFile reports whether a study is named by a path, and not by a name of the library.
func isFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// shown returns the file's name in messages.
func (l location) shown() string {
	if l.folder != nil {
		return l.folder.shown + l.path
	}
	return l.path
}

// beside returns the location of a file named relative to this one.
func (l location) beside(name string) location {
	switch {
	case l.folder != nil:
		return location{folder: l.folder, path: path.Join(path.Dir(l.path), name)}
	case filepath.IsAbs(name):
		return location{path: name}
	default:
		return location{path: filepath.Join(filepath.Dir(l.path), filepath.FromSlash(name))}
	}
}

// is reports whether both are the same file, also through links.
func (l location) is(other location) bool {
	if l.folder != nil || other.folder != nil {
		return l == other
	}
	a, errA := os.Stat(l.path)
	b, errB := os.Stat(other.path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// read returns the bytes of the file. Its errors name the file.
func (l location) read() ([]byte, error) {
	info, err := l.stat()
	switch {
	case err != nil:
		return nil, l.because(err)
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a folder, not a file", l.shown())
	case !info.Mode().IsRegular(): // opening a device may change its state, a pipe may wait forever
		return nil, fmt.Errorf("%s: is no regular file", l.shown())
	}
	file, err := l.open()
	if err != nil {
		return nil, l.because(err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, l.because(err)
	}
	if len(content) > maxFile {
		return nil, fmt.Errorf("%s: is larger than %d MB", l.shown(), maxFile>>20)
	}
	return content, nil
}

func (l location) stat() (fs.FileInfo, error) {
	if l.folder != nil {
		return fs.Stat(l.folder.files, l.path)
	}
	return os.Stat(l.path)
}

func (l location) open() (fs.File, error) {
	if l.folder != nil {
		return l.folder.files.Open(l.path)
	}
	// without waiting if the file has become a pipe since stat
	return os.OpenFile(l.path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// because returns the system's error with the name of the file.
func (l location) because(err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Errorf("%s: %w", l.shown(), err)
}

// names returns the names in a folder; none if it cannot be read.
func (l location) names() []string {
	var entries []fs.DirEntry
	if l.folder != nil {
		entries, _ = fs.ReadDir(l.folder.files, l.path)
	} else {
		entries, _ = os.ReadDir(l.path)
	}
	return mapped(entries, fs.DirEntry.Name)
}
