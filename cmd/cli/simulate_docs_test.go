package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What docs/reference/simulate.md shows below its commands is what they print, in the order of the
// page, for the trace on it.
func TestDocsOfSimulateAreCurrent(t *testing.T) {
	page, err := filepath.Abs(filepath.Join(root, "docs", "reference", "simulate.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	log := regexp.MustCompile("(?s)```swf\n(.*?)```").FindSubmatch(text)
	if log == nil {
		t.Fatal("docs/reference/simulate.md has no trace")
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("log.swf", log[1], 0o666); err != nil {
		t.Fatal(err)
	}
	ran := 0
	shown := regexp.MustCompile("(?s)```console\n\\$ gridsweep (.*?)\n.*?```")
	current := shown.ReplaceAllStringFunc(string(text), func(block string) string {
		ran++
		command, _, _ := strings.Cut(strings.TrimPrefix(block, "```console\n$ gridsweep "), "\n")
		var out, said strings.Builder
		err := execute(t.Context(), strings.Fields(command), strings.NewReader(""), &out, &said)
		if code := exitCode(err); code == exitUsage || said.Len() > 0 { // compare has 1 for schedules that differ
			t.Errorf("%s: exit code %d, says %s", command, code, said.String())
		}
		return "```console\n$ gridsweep " + command + "\n" + out.String() + "```"
	})
	if ran < 4 {
		t.Errorf("found %d commands: are they still written as before?", ran)
	}
	if *update {
		if err := os.WriteFile(page, []byte(current), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if current != string(text) {
		t.Error("docs/reference/simulate.md does not show what its commands print: make docs")
	}
}
