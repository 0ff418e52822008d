// The first files of a study or model: which names are allowed, that existing files stay, and which
// module the files need.

package starter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"queue": true, "my-study2": true, "": false, "Queue": false, "2nd": false, "a--b": false, "a/b": false, "a-": false,
		strings.Repeat("a", 51): false,
	} {
		if IsName(name) != want {
			t.Errorf("%q can be a name: %t", name, !want)
		}
	}
}

// An existing file is named in the error and stays, and no other file is written.
func TestNothingIsOverwritten(t *testing.T) {
	files, err := Study("mine")
	if err != nil || len(files) != 1 || files[0].Path != "mine.yaml" || !strings.Contains(string(files[0].Content),
		"study: mine\n") {
		t.Fatalf("%+v, %v", files, err)
	}
	dir := filepath.Join(t.TempDir(), "deep", "mine")
	if err := CheckNew(dir, files); err != nil {
		t.Error(err)
	}
	if err := Write(dir, files); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "mine.yaml")
	if err := CheckNew(dir, files); err == nil || !strings.Contains(err.Error(), path+" is there already") {
		t.Errorf("error %v", err)
	}
	if err := Write(dir, []File{{Path: "mine.yaml", Content: []byte("other")}}); err == nil {
		t.Error("it is overwritten")
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != string(files[0].Content) {
		t.Errorf("it is now %s, %v", text, err)
	}
}

// The source is found above the first folder that is in it. A module in between, such as one that
// new has written into the clone, and a module with a similar name are passed over.
func TestSourceIsFoundAbove(t *testing.T) {
	base := t.TempDir()
	clone, deep := filepath.Join(base, "clone"), filepath.Join(base, "clone", "mine", "simulation")
	for dir, module := range map[string]string{
		clone: "module gridsweep\n\ngo 1.26.0\n", filepath.Dir(deep): "module example.org/mine\n",
		filepath.Join(base, "fork"): "module gridsweep/fork\n",
	} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		folders []string
		want    string
	}{
		{[]string{clone}, clone}, {[]string{deep}, clone}, {[]string{base, filepath.Join(base, "fork"), deep}, clone},
		{[]string{base, filepath.Join(base, "fork")}, ""}, {nil, ""},
	} {
		if found := sourceAbove(c.folders...); found != c.want {
			t.Errorf("above %q it is %q, want %q", c.folders, found, c.want)
		}
	}
}

func TestModuleOfAnotherSource(t *testing.T) {
	dir := t.TempDir()
	if _, err := Module("queue", dir); err == nil || !strings.Contains(err.Error(), "--source "+dir) {
		t.Errorf("a folder without a module: error %v", err)
	}
	for _, file := range []string{"go.mod", "go.sum"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte("module example.org/other\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Module("queue", dir); err == nil || !strings.Contains(err.Error(), "another module") {
		t.Errorf("another module: error %v", err)
	}
	source, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := Module("queue", source)
	if err != nil || len(files) != 6 || !strings.Contains(string(files[4].Content),
		"gridsweep => "+quotedPath(source)+"\n") {
		t.Errorf("%d files, %v", len(files), err)
	}
}
