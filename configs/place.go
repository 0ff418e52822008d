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

// maxFile is the most bytes a file may have, ten times those of a long study. YAML takes up to 200
// times its bytes in memory.
const maxFile = 1 << 20

// place is where a file lies: among the built-in ones or on the user's disk.
type place struct {
	folder *folder // of built-in files; nil for the user's disk
	path   string
}

// isBuiltin reports whether the file is one of the program's, which its user did not write.
func (p place) isBuiltin() bool { return p.folder != nil && p.folder.dir == "" }

// isFile reports whether a name given for a study is a path, and not the name of a built-in study.
func isFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// shown returns what messages call the file.
func (p place) shown() string {
	if p.folder != nil {
		return p.folder.shown + p.path
	}
	return p.path
}

// beside returns the place of a file named relative to this one.
func (p place) beside(name string) place {
	switch {
	case p.folder != nil:
		return place{folder: p.folder, path: path.Join(path.Dir(p.path), name)}
	case filepath.IsAbs(name):
		return place{path: name}
	default:
		return place{path: filepath.Join(filepath.Dir(p.path), filepath.FromSlash(name))}
	}
}

// is reports whether both are the same file, also by way of links.
func (p place) is(other place) bool {
	if p.folder != nil || other.folder != nil {
		return p == other
	}
	a, errA := os.Stat(p.path)
	b, errB := os.Stat(other.path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// read returns the bytes of the file. Its errors name the file.
func (p place) read() ([]byte, error) {
	file, err := p.open()
	if err != nil {
		return nil, p.because(err)
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, p.because(err)
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a folder, not a file", p.shown())
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is no regular file", p.shown())
	}
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, p.because(err)
	}
	if len(content) > maxFile {
		return nil, fmt.Errorf("%s: is larger than %d MB", p.shown(), maxFile>>20)
	}
	return content, nil
}

func (p place) stat() (fs.FileInfo, error) {
	if p.folder != nil {
		return fs.Stat(p.folder.files, p.path)
	}
	return os.Stat(p.path)
}

func (p place) open() (fs.File, error) {
	info, err := p.stat()
	// To open a device may already do something to it, and to open a pipe may wait for ever.
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, errors.New("is no regular file")
	}
	if p.folder != nil {
		return p.folder.files.Open(p.path)
	}
	return os.OpenFile(p.path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// because names the file in front of what the system says.
func (p place) because(err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Errorf("%s: %w", p.shown(), err)
}

// names returns the files of a folder, for messages; none where it cannot be read.
func (p place) names() []string {
	var entries []fs.DirEntry
	if p.folder != nil {
		entries, _ = fs.ReadDir(p.folder.files, p.path)
	} else {
		entries, _ = os.ReadDir(p.path)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}
