package results

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
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
	if err := os.WriteFile(plain, nil, 0o644); err != nil { // under the same umask
		t.Fatal(err)
	}
	if have, want := mode(t, path), mode(t, plain); have != want {
		t.Errorf("the file's mode is %v, want %v", have, want)
	}
}

// What is no file stays what it is.
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
		t.Errorf("what the link leads to holds %q, %v", text, err)
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

func TestWhatIsAdvisedWhenAFileCannotBeWritten(t *testing.T) {
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
		if have := writeError(err).Error(); have != want {
			t.Errorf("%q, want %q", have, want)
		}
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := WriteFile(path, nil); err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(path, "x")
	if err := WriteFile(inside, nil); err == nil || strings.Count(err.Error(), path) != 1 || !strings.Contains(err.Error(), inside) {
		t.Errorf("error %v names the file not once", err)
	}
}
