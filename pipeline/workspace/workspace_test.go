// Studies opened by name: unreadable files and two files of one name are refused, each with one
// message.

package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gridsweep/configs"
	"gridsweep/model/studies"
)

// builtin is a workspace of the models that are built in.
func builtin() *Workspace { return &Workspace{Studies: configs.Builtin(), Models: studies.All()} }

// open returns studies, planned as the selection says.
func open(t *testing.T, s Selection, names ...string) []*Study {
	t.Helper()
	opened, err := builtin().Open(t.Context(), s, names)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A file that cannot be read has that one problem: no other is reported, such as an unknown model.
func TestUnreadableFileHasOneProblem(t *testing.T) {
	t.Chdir(t.TempDir())
	for content, want := range map[string]string{
		"":                                    "a.yaml: the file is empty; a study starts with study: NAME",
		"model: coallocation\nset:\n\tx: 1":   "a.yaml:3:1: not YAML: a tab; indent with spaces\n    \tx: 1\n    ^",
		"model: coallocation\ntitle: caf\xe9": "a.yaml:2: byte 0xe9 is not UTF-8; save the file as UTF-8",
		"study: a\nextends: a.yaml": "a.yaml:2:10: extends: a.yaml is extended in a circle\n    extends: " +
			"a.yaml\n             ^",
		"model: coallocation\nset: &b {x: 1}": "a.yaml:2:6: study files have no anchors; remove &b\n    set: &b {x: 1}\n   " +
			"      ^",
	} {
		write(t, "a.yaml", content)
		_, err := builtin().Open(t.Context(), Selection{Out: "out"}, []string{"a.yaml"})
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", content, err, want)
		}
	}
}

// One command takes a study from one file only, by any name of the file, since the results lie
// under the name of the study.
func TestTwoFilesOfOneStudy(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, file := range []string{"a.yaml", "b.yaml"} {
		write(t, file, "study: a\nextends: coallocation\n")
	}
	w, s := builtin(), Selection{Out: "out", Quick: true}
	const want = "b.yaml:1:8: study: a.yaml has a study of this name too; give one of them another"
	_, err := w.Open(t.Context(), s, []string{"a.yaml", "coallocation", "b.yaml"})
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("two files: %v", err)
	}
	names := []string{"a.yaml", "./a.yaml", "coallocation", "coallocation", "coallocation/coallocation"}
	opened, err := w.Open(t.Context(), s, names)
	if err != nil || len(opened) != 2 || opened[0].Name != "a.yaml" || opened[1].Name != "coallocation" {
		t.Errorf("files named twice: %d studies, %v", len(opened), err)
	}
	write(t, "b.yaml", "study: b\nextends: nothing\n")
	// text and line
	if _, err := w.Open(t.Context(), s, []string{"b.yaml", "b.yaml"}); err == nil || strings.Count(err.Error(),
		"nothing") != 2 {
		t.Errorf("a file with a problem, named twice: %v", err)
	}
}
