// Tests of the errors for malformed studies, from their form to the names in them, against
// configs/testdata/bad.txtar.

package study

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gridsweep/configs"
)

var update = flag.Bool("update", false, "rewrite the expected outputs")

// TestBadStudies reads and binds the files of configs/testdata/bad.txtar and compares the problems
// of each NAME.yaml with NAME.error.
func TestBadStudies(t *testing.T) {
	archiveFile := filepath.Join(workingFolder(t), "..", "..", "configs", "testdata", "bad.txtar")
	archive, err := txtar.ParseFile(archiveFile)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	var rewritten []txtar.File
	wants := map[string]string{}
	for _, f := range archive.Files {
		if name, ok := strings.CutSuffix(f.Name, ".error"); ok {
			wants[name] = string(f.Data)
			continue
		}
		unpack(t, f)
	}
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".yaml")
		if strings.HasSuffix(f.Name, ".error") {
			continue
		}
		rewritten = append(rewritten, f)
		if !ok || strings.HasPrefix(name, "base") {
			continue
		}
		problems := problemsOf(t, f.Name)
		if len(problems) == 0 {
			t.Errorf("%s: no problem", f.Name)
			continue
		}
		got := problems.Error() + "\n"
		if got != wants[name] && !*update {
			t.Errorf("%s:\ngot\n%swant\n%s", f.Name, got, wants[name])
		}
		rewritten = append(rewritten, txtar.File{Name: name + ".error", Data: []byte(got)})
	}
	if *update {
		archive.Files = rewritten
		if err := os.WriteFile(archiveFile, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// problemsOf returns the problems of the form of a file and of the names in it.
func problemsOf(t *testing.T, file string) configs.Problems {
	t.Helper()
	var problems configs.Problems
	study, err := configs.Read(t.Context(), file)
	if err != nil && !errors.As(err, &problems) {
		t.Fatal(err)
	}
	if !study.Broken {
		_, names := Bind(t.Context(), study, nil, Overrides{})
		problems.Add(names...)
	}
	return problems
}

func workingFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func unpack(t *testing.T, f txtar.File) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
		t.Fatal(err)
	}
}
