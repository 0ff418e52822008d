package main

import (
	"os"
	"strings"
	"testing"
)

// What cannot be read is all that is wrong with a file: nothing is said of the model that nobody could read.
func TestUnreadableFileHasOneProblem(t *testing.T) {
	t.Chdir(t.TempDir())
	for content, want := range map[string]string{
		"":                                    "a.yaml: the file is empty; a study starts with study: NAME",
		"model: coallocation\nset:\n\tx: 1":   "a.yaml:3:1: not YAML: a tab; indent with spaces\n    \tx: 1\n    ^",
		"model: coallocation\ntitle: caf\xe9": "a.yaml:2: byte 0xe9 is not UTF-8; save the file as UTF-8",
		"study: a\nextends: a.yaml":           "a.yaml:2:10: extends: a.yaml is extended in a circle\n    extends: a.yaml\n             ^",
		"model: coallocation\nset: &b {x: 1}": "a.yaml:2:6: study files have no anchors; remove &b\n    set: &b {x: 1}\n         ^",
	} {
		if err := os.WriteFile("a.yaml", []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := (&selection{out: "out"}).targets(t.Context(), []string{"a.yaml"})
		if exitCode(err) != exitUsage || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", content, err, want)
		}
	}
}

// Results lie under the name of their study, so one command takes it from one file only, however that is named.
func TestTwoFilesOfOneName(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, file := range []string{"a.yaml", "b.yaml"} {
		if err := os.WriteFile(file, []byte("study: a\nextends: coallocation\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := selection{out: "out"}
	const want = "b.yaml:1:8: study: a.yaml has a study of this name too; give one of them another"
	_, err := s.targets(t.Context(), []string{"a.yaml", "coallocation", "b.yaml"})
	if exitCode(err) != exitUsage || !strings.Contains(err.Error(), want) {
		t.Errorf("two files: %v", err)
	}
	names := []string{"a.yaml", "./a.yaml", "coallocation", "coallocation", "coallocation/coallocation"}
	targets, err := s.targets(t.Context(), names)
	if err != nil || len(targets) != 2 || targets[0].name != "a.yaml" || targets[1].name != "coallocation" {
		t.Errorf("files named twice: %d studies, %v", len(targets), err)
	}
	if err := os.WriteFile("b.yaml", []byte("study: b\nextends: nothing\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := s.targets(t.Context(), []string{"b.yaml", "b.yaml"}); err == nil || strings.Count(err.Error(), "nothing") != 2 { // text and line
		t.Errorf("a file with a problem, named twice: %v", err)
	}
}
