// The study of docs/how-to/add-a-paper.md is laid over the source, built and reproduced.

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files of docs/how-to/add-a-paper.md are laid over the source; the program is built and
// reproduces the study.
func TestAddingAStudyAsDocumented(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds the program")
	}
	t.Parallel()
	files := filesOfDocs(t, "docs/how-to/add-a-paper.md")
	if len(files) != 3 {
		t.Fatalf("the page has %d files, want the model, the study file and the line of the list", len(files))
	}
	const listed = "model/studies/studies.go"
	list, err := os.ReadFile(filepath.Join(root, listed))
	if err != nil {
		t.Fatal(err)
	}
	added := strings.NewReplacer(
		"\t\"gridsweep/model\"\n", "\t\"gridsweep/model\"\n\t\"gridsweep/model/queueing\"\n",
		"return []*model.Model{\n", "return []*model.Model{\n"+files[listed],
	).Replace(string(list))
	dir := t.TempDir()
	overlay := map[string]string{}
	files[listed] = added
	for name, content := range files {
		over := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(over, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		target, err := filepath.Abs(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		overlay[target] = over
	}
	replacements, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	file, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "gridsweep")
	if err := os.WriteFile(file, replacements, 0o666); err != nil {
		t.Fatal(err)
	}
	output(t, root, nil, "go", "build", "-overlay", file, "-o", program, "./cmd/gridsweep")
	if shown := output(t, dir, nil, program, "check", "queueing"); !strings.Contains(shown,
		"1 table, 1 figure, 2 claims") {
		t.Errorf("check says %s", shown)
	}
	output(t, dir, nil, program, "reproduce", "queueing", "--quick", "--strict")
	for _, made := range []string{"queueing/tables/wait.md", "queueing/figures/wait.svg", "queueing/report.html"} {
		if _, err := os.Stat(filepath.Join(dir, "out", "quick", made)); err != nil {
			t.Error(err)
		}
	}
}
