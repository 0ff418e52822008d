// Fingerprint tests: the embedded source against the files on disk, and fingerprints of models with
// other or unknown source.

package model

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// TestLibraryIsComplete checks that the embedded source has every source file of the packages below
// this one, and that none of them embeds files of its own.
func TestLibraryIsComplete(t *testing.T) {
	embedded := map[string]bool{}
	err := fs.WalkDir(library, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			embedded[name] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		name := filepath.ToSlash(path)
		isBelow := strings.Contains(name, "/")
		if err != nil || !isBelow || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if want, err := fs.ReadFile(library, name); err != nil || string(want) != string(text) {
			t.Errorf("%s is not embedded: add a pattern for it in fingerprint.go (%v)", name, err)
		}
		if strings.Contains(string(text), "\n//go:embed ") {
			t.Errorf("%s embeds files, which its fingerprint does not cover: extend the fingerprint to them", name)
		}
		delete(embedded, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range embedded {
		t.Errorf("%s is embedded and is no source", name)
	}
}

func TestFingerprintOfModels(t *testing.T) {
	fingerprint := func(spec Spec[point, result]) string {
		f, err := New(spec).Fingerprint()
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	spec := testSpec()
	spec.Source = fstest.MapFS{"a.go": {Data: []byte("package a")}}
	mine := fingerprint(spec)
	spec.Source = fstest.MapFS{"a.go": {Data: []byte("package a; var x int")}}
	if other := fingerprint(spec); len(mine) != 64 || mine == other {
		t.Errorf("fingerprints of two sources are %q and %q, want 64 digits each, and different", mine, other)
	}
	type unknown = struct { // without a name, so of no package
		X int64 `name:"x"`
	}
	if f, err := New(Spec[unknown, result]{Name: "unknown"}).Fingerprint(); f != "" || err != nil {
		t.Errorf("the fingerprint of an unknown source is %q, %v, want none", f, err)
	}
}
