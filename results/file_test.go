//go:build unix

// File tests: atomic writing and creation beside existing files, links and devices, and on file
// systems without hard links.

package results

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "deep", "file")
	for _, text := range []string{"first", "second"} {
		if err := WriteFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if files := tree(t, dir); len(files) != 1 || files["/deep/file"] != text {
			t.Errorf("after writing %q the folder holds %q", text, files)
		}
	}
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o666); err != nil { // under the same umask
		t.Fatal(err)
	}
	if have, want := mode(t, path), mode(t, plain); have != want {
		t.Errorf("the file's mode is %v, want %v", have, want)
	}
}

// Of many goroutines that create one file one succeeds, the others get fs.ErrExist, and the file
// has the bytes of the first.
func TestCreateFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "deep", "file")
	var created atomic.Int64
	var group sync.WaitGroup
	var text atomic.Value
	for i := range 20 {
		group.Go(func() {
			mine := strings.Repeat(string(rune('a'+i)), 1000)
			switch err := CreateFile(path, []byte(mine)); {
			case err == nil:
				created.Add(1)
				text.Store(mine)
			case !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), path):
				t.Error(err)
			}
			if have, err := os.ReadFile(path); err != nil || len(have) != 1000 {
				t.Errorf("%d bytes, %v", len(have), err)
			}
		})
	}
	group.Wait()
	if files := tree(t, dir); created.Load() != 1 || len(files) != 1 || files["/deep/file"] != text.Load() {
		t.Errorf("%d created it, the folder holds %d files", created.Load(), len(files))
	}
	err := CreateFile(filepath.Join(path, "x"), nil)
	if err == nil || !strings.Contains(err.Error(), "run the same command again") {
		t.Errorf("below a file: error %v", err)
	}
}

// The errors of link on different file systems, and what happens to the file.
func TestCreateWhereLinksFail(t *testing.T) {
	answer := func(err error) func(string, string) error {
		return func(from, to string) error { return &os.LinkError{Op: "link", Old: from, New: to, Err: err} }
	}
	for name, c := range map[string]struct {
		link        func(from, to string) error
		there, want string // before and after
		err         error
	}{
		"no links":              {answer(syscall.EPERM), "", "new", nil},
		"no links on this disk": {answer(syscall.ENOTSUP), "", "new", nil},
		"no links, there":       {answer(syscall.ENOSYS), "old", "old", errThere},
		"there":                 {answer(syscall.EEXIST), "old", "old", errThere},
		"full":                  {answer(syscall.ENOSPC), "", "", syscall.ENOSPC},
		"answered twice by NFS": {func(from, to string) error {
			if err := os.Link(from, to); err != nil {
				return err
			}
			return os.Link(from, to)
		}, "", "new", nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "file")
			want := map[string]string{}
			if c.want != "" {
				want["/file"] = c.want
			}
			if c.there != "" {
				write(t, path, []byte(c.there))
			}
			file, err := stage(path, []byte("new"))
			if err != nil {
				t.Fatal(err)
			}
			if err := file.create(c.link); !errors.Is(err, c.err) {
				t.Errorf("error %v, want %v", err, c.err)
			}
			file.discard()
			if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// WriteFile does not replace a device, a pipe or a folder by a file.
func TestWriteFileThroughLinksAndToDevices(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", link); err != nil {
		t.Skip(err)
	}
	if err := WriteFile(link, []byte("after")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link has become %v, %v", info.Mode(), err)
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "after" {
		t.Errorf("the target of the link holds %q, %v", text, err)
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip(err)
	}
	read := make(chan string)
	go func() {
		text, _ := os.ReadFile(pipe)
		read <- string(text)
	}()
	if err := WriteFile(pipe, []byte("through")); err != nil {
		t.Fatal(err)
	}
	if text := <-read; text != "through" {
		t.Errorf("the pipe brought %q", text)
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the pipe has become %v, %v", info.Mode(), err)
	}
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func TestAdviceWhenAFileCannotBeWritten(t *testing.T) {
	const again = ", then run the same command again"
	for want, err := range map[string]error{
		"no space left on device; free some space" + again: &fs.PathError{Op: "write", Path: ".x9", Err: syscall.ENOSPC},
		"disk quota exceeded; free some space" + again:     &fs.PathError{Op: "sync", Path: ".x9", Err: syscall.EDQUOT},
		"permission denied; make its folder writable or name another" + again: &fs.PathError{
			Op: "open", Path: ".x9", Err: syscall.EACCES,
		},
		"read-only file system; make its folder writable or name another" + again: &fs.PathError{
			Op: "mkdir", Path: "out", Err: syscall.EROFS,
		},
		"is a directory; see to that" + again: &os.LinkError{Op: "rename", Old: ".x9", New: "x", Err: syscall.EISDIR},
	} {
		if have := writeError("x", err).Error(); have != "cannot write x: "+want {
			t.Errorf("%q, want %q", have, want)
		}
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := WriteFile(path, nil); err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(path, "x")
	for what, c := range map[string]struct {
		write func() error
		want  string
	}{
		"a file, folder to write into": {func() error { return WriteFile(inside, nil) },
			"cannot write " + inside + ": " + path + " is a file where a folder has to be; move it away, or name another"},
		"a file, folder to create in": {func() error { return CreateFile(filepath.Join(inside, "y"), nil) },
			path + " is a file where a folder has to be"},
		"a folder, file to write": {func() error { return WriteFile(filepath.Dir(path), nil) },
			filepath.Dir(path) + " is a folder where a file has to be; move it away"},
	} {
		if err := c.write(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", what, err, c.want)
		}
	}
}

// WriteStream writes a whole file or none, replaces one only if that is wanted, and returns the
// error of its function as it is.
func TestWriteStream(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new", "file")
	saying := func(text string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			if _, failed := io.WriteString(w, text); failed != nil {
				return failed
			}
			return err
		}
	}
	own := errors.New("own")
	if err := WriteStream(os.DevNull, true, saying("half", own)); err != own {
		t.Errorf("writing to a device: error %v, want %v", err, own)
	}
	if err := WriteStream(path, false, saying("half", own)); err != own {
		t.Errorf("error %v, want that of the function", err)
	}
	for _, c := range []struct {
		isReplaced bool
		text, want string
		err        error
	}{
		{false, "first", "first", nil}, {false, "second", "first", fs.ErrExist}, {true, "third", "third", nil},
	} {
		err := WriteStream(path, c.isReplaced, saying(c.text, nil))
		if have, unread := os.ReadFile(path); string(have) != c.want || unread != nil || !errors.Is(err, c.err) {
			t.Errorf("%q: the file has %q (%v), error %v", c.text, have, unread, err)
		}
	}
	if err := WriteStream(filepath.Dir(path), true, saying("", nil)); err == nil {
		t.Error("a folder is no error")
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left in the folder: %v, %v", entries, err)
	}
}
