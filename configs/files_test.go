// The files of a study, put elsewhere with the paths that Files returns, are the same study.

package configs

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

func TestFilesAreTheStudy(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"studies/mine.yaml": "study: mine\ntitle: Mine\nextends: ../base.yaml\n" +
			"tables: {t: {of: e, show: blocking, rows: lambda, published: n.csv}}\n",
		"studies/published/n.csv": "lambda,metric,value,page\n0.3,blocking,0.1,7\n",
		"base.yaml": "study: base\ntitle: Base\nextends: coallocation\nexperiments: {e: {cross: [lambda]}}\n" +
			"factors: {lambda: [0.3]}\n",
		"unused.yaml": "study: unused\n",
	} {
		path := filepath.Join(dir, "deep", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	study, err := Read(t.Context(), filepath.Join(dir, "deep", "studies", "mine.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := study.Files()
	if err != nil || files[0].Path != "studies/mine.yaml" || files[0].InLibrary {
		t.Fatalf("files %v, %v", files, err)
	}
	library, own := fstest.MapFS{}, t.TempDir()
	for _, f := range files {
		if f.InLibrary {
			library[f.Path] = &fstest.MapFile{Data: f.Content}
			continue
		}
		path := filepath.Join(own, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if library["coallocation/coallocation.yaml"] == nil || library["coallocation/published/A.1.csv"] == nil {
		t.Errorf("the files lack those of the program: %v", library)
	}
	if _, err := os.Stat(filepath.Join(own, "unused.yaml")); err == nil {
		t.Error("unused.yaml is no file of the study")
	}
	alone := &Library{[]*folder{{files: library}}} // without the studies of the program
	again, err := alone.Read(t.Context(), filepath.Join(own, "studies", "mine.yaml"))
	if err != nil || again.Title != study.Title && again.Title.Value != "Mine" || len(again.Published("n.csv")) != 1 ||
		len(again.Claims) != len(study.Claims) || len(again.Factors) != len(study.Factors) {
		t.Errorf("%+v, %v", again, err)
	}
}

// A study inherits the citation of its base unless it names another paper, and a built-in paper has
// that of its model.
func TestCitationIsOfThePaper(t *testing.T) {
	const cited, base = "citation: A. Person, A paper, 2026\n", "study: base\nmodel: coallocation\nexperiments: {e: {}}\n"
	for _, c := range []struct {
		base, own, citation string
		citesModel          bool
	}{
		{base, "", "", false},
		{base, cited, "A. Person, A paper, 2026", false},
		{base + cited, "", "A. Person, A paper, 2026", false},
		{base + cited, "paper: base\n", "A. Person, A paper, 2026", false},
		{base + cited, "paper: another\n", "", false},
		{base + cited, "citation: B. Person, 2027\n", "B. Person, 2027", false},
		{"study: base\nextends: coallocation\n", "", "", true},
		{"study: base\nextends: coallocation\n", "model: scheduling\n", "", false},
		{"study: base\nextends: coallocation\n", "paper: another\n", "", false},
		{"study: base\nextends: coallocation\n", cited, "A. Person, A paper, 2026", false},
	} {
		dir := t.TempDir()
		own := "study: own\nextends: base.yaml\n" + c.own
		for name, text := range map[string]string{"base.yaml": c.base, "own.yaml": own} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Read(t.Context(), filepath.Join(dir, "own.yaml"))
		if err != nil || s.Citation.Value != c.citation || s.CitesModel() != c.citesModel {
			t.Errorf("%s%s\ngives %q, of the model %v, %v", c.base, c.own, s.Citation.Value, s.CitesModel(), err)
		}
	}
	for _, name := range List() {
		isOfPaper := name != "backfilling/backfilling" // which only uses the model scheduling
		if s, err := Load(t.Context(), name); err != nil || s.CitesModel() != isOfPaper {
			t.Errorf("%s has the citation of its model: %v, %v", name, !isOfPaper, err)
		}
	}
}
