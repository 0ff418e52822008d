package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The study that docs/explanation/architecture.md adds as an example works: its files are laid over
// the source, the program is built and reproduces it.
func TestAddingAStudyAsDocumented(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds the program")
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "explanation", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(?:go|yaml)\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 3 {
		t.Fatalf("docs/explanation/architecture.md has %d blocks of Go and YAML, "+
			"want the model, the study file and the line of the list", len(blocks))
	}
	list, err := os.ReadFile(filepath.Join(root, "model", "studies", "studies.go"))
	if err != nil {
		t.Fatal(err)
	}
	added := strings.NewReplacer(
		"\t\"gridsweep/model\"\n", "\t\"gridsweep/model\"\n\t\"gridsweep/model/queueing\"\n",
		"return []*model.Model{\n", "return []*model.Model{\n"+blocks[2][1],
	).Replace(string(list))
	dir := t.TempDir()
	overlay := map[string]string{}
	for name, content := range map[string]string{
		"model/queueing/queueing.go":     blocks[0][1],
		"configs/queueing/queueing.yaml": blocks[1][1],
		"model/studies/studies.go":       added,
	} {
		over := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(over, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		place, err := filepath.Abs(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		overlay[place] = over
	}
	places, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	file, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "gridsweep")
	if err := os.WriteFile(file, places, 0o666); err != nil {
		t.Fatal(err)
	}
	output(t, root, nil, "go", "build", "-overlay", file, "-o", program, "./cmd/gridsweep")
	if shown := output(t, dir, nil, program, "check", "queueing"); !strings.Contains(shown, "1 table, 1 figure, 2 claims") {
		t.Errorf("check says %s", shown)
	}
	output(t, dir, nil, program, "reproduce", "queueing", "--quick", "--strict")
	for _, made := range []string{"queueing/tables/wait.md", "queueing/figures/wait.svg", "queueing/report.html"} {
		if _, err := os.Stat(filepath.Join(dir, "out", "quick", made)); err != nil {
			t.Error(err)
		}
	}
}
