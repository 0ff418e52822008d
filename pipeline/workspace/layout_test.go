// Reserved names: all files that a study writes, quick and whole, have reserved names, and studies
// and papers with a reserved name are refused.

package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gridsweep/pipeline"
)

// Every file and folder that is written beside the folders of studies, or in one, has a reserved
// name.
func TestWrittenNamesAreReserved(t *testing.T) {
	out := t.TempDir()
	for _, quick := range []bool{true, false} {
		s := Selection{Out: out, Quick: quick, Set: []string{"requests=50"}, Experiments: []string{"cost"}}
		study := open(t, s, "coallocation")[0]
		if _, err := study.Run(t.Context(), study.Plan.Runs, pipeline.Options{}); err != nil {
			t.Fatal(err)
		}
		result, err := study.Analyze(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		pages, err := study.workspace.Report(t.Context(), []StudyResult{{Study: study, Result: result}})
		if err != nil || !slices.Equal(pages, []string{filepath.Join(s.Root(), "coallocation", "report.html")}) {
			t.Fatal(pages, err)
		}
	}
	written := 0
	for _, folder := range []string{out, filepath.Join(out, "quick"), filepath.Join(out, "coallocation")} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if written++; entry.Name() != "coallocation" && !slices.Contains(reservedNames, entry.Name()) {
				t.Errorf("%s is written in %s, and a study may have its name", entry.Name(), folder)
			}
		}
	}
	if written < 10 {
		t.Errorf("%d files and folders are written, want at least 10", written)
	}
}

func TestReservedNamesAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range append(slices.Clone(reservedNames), "INDEX.HTML", "Quick") {
		for word, line := range map[string]int{"study": 1, "paper": 2} {
			text := fmt.Sprintf("study: %s\nmodel: coallocation\nexperiments: {e: {}}\n", name)
			if word == "paper" {
				text = strings.Replace(text, name, "mine\npaper: "+name, 1)
			}
			write(t, "mine.yaml", text)
			_, err := builtin().Open(t.Context(), Selection{Out: "out"}, []string{"mine.yaml"})
			want := fmt.Sprintf("mine.yaml:%d:8: %s: %q is the name of a file or folder that gridsweep writes", line, word, name)
			if err == nil || strings.Count(err.Error(), "is the name of") != 1 || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %s: error %v, want %s", word, name, err, want)
			}
		}
	}
}
