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

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func TestWhatIsAdvisedWhenAFileCannotBeWritten(t *testing.T) {
	const again = ", then run the same command again: what is finished is kept"
	for want, err := range map[string]error{
		"no space left on device; free some space" + again: &fs.PathError{Op: "write", Path: ".x9", Err: syscall.ENOSPC},
		"disk quota exceeded; free some space" + again:     &fs.PathError{Op: "sync", Path: ".x9", Err: syscall.EDQUOT},
		"permission denied; make its folder writable or name another with --out" + again: &fs.PathError{
			Op: "open", Path: ".x9", Err: syscall.EACCES,
		},
		"read-only file system; make its folder writable or name another with --out" + again: &fs.PathError{
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
