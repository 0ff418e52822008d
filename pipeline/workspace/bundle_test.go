// Bundles that were changed with right checksums: Verify names what the rows do not give.

package workspace

import (
	"archive/zip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gridsweep/pipeline"
	"gridsweep/pipeline/archive"
)

const bundledStudyText = `study: mine
title: Mine
model: coallocation
set: {requests: 50}
factors:
  lambda: [0.3, 3]
experiments:
  compare: {cross: [lambda], rounds: 3}
tables:
  rates: {of: compare, show: blocking, rows: lambda}
figures:
  rate: {of: compare, show: blocking, kind: line, x: lambda}
claims:
  more load, more blocking: {of: compare, show: blocking, along: lambda, trend: rises}
`

// A bundle and its page cite the paper of the study. Where the study has no citation, they name the
// reference of the model as the model's.
func TestBundleCites(t *testing.T) {
	const paper, model = "A. Person, A paper, 2026, https://doi.org/10.1000/1", "model coallocation: Kirushananth"
	for _, c := range []struct{ text, cited, absent string }{
		{"", model, paper},
		{"citation: " + paper + "\n", paper, "Kirushananth"},
	} {
		bundle, err := zip.OpenReader(bundledOf(t, bundledStudyText+c.text))
		if err != nil {
			t.Fatal(err)
		}
		defer bundle.Close()
		for _, name := range []string{bundleReadme, "ro-crate-metadata.json", "results/mine/report.html"} {
			content, err := fs.ReadFile(bundle, name)
			text := strings.ReplaceAll(string(content), `<a href="https://doi.org/10.1000/1">https://doi.org/10.1000/1</a>`,
				"https://doi.org/10.1000/1")
			if err != nil || !strings.Contains(text, c.cited) || strings.Contains(text, c.absent) {
				t.Errorf("%s of a study with %q does not have %q, or has %q: %v", name, c.text, c.cited, c.absent, err)
			}
		}
	}
}

// bundled runs a study and returns its bundle.
func bundled(t *testing.T) string {
	t.Helper()
	return bundledOf(t, bundledStudyText)
}

// bundledOf is bundled for the study with this text.
func bundledOf(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.yaml")
	write(t, file, text)
	studies := open(t, Selection{Out: filepath.Join(dir, "out")}, file)
	to := filepath.Join(dir, "mine.zip")
	options := BundleOptions{To: to, Citation: []byte("cff-version: 1.2.0\n")}
	if _, err := builtin().Bundle(t.Context(), studies, options); !errors.As(err, new(NoRuns)) {
		t.Errorf("a study without runs: error %v", err)
	}
	if _, err := studies[0].Run(t.Context(), studies[0].Plan.Runs, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := builtin().Bundle(t.Context(), studies, options); err != nil {
		t.Fatal(err)
	}
	if _, err := builtin().Bundle(t.Context(), studies, options); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that exists: error %v", err)
	}
	return to
}

// In an extracted bundle a study finds its own trace where the README says.
func TestTraceOfAnExtractedStudy(t *testing.T) {
	t.Chdir(t.TempDir())
	const log = "; MaxProcs: 4\n1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 -1 1 -1 -1 -1\n" +
		"2 7200 -1 10 1 -1 -1 1 10 -1 1 1 1 -1 1 -1 -1 -1\n"
	write(t, "log.swf", log)
	write(t, "mine.yaml", "study: mine\nmodel: scheduling\nset: {trace: log.swf, procs: 4}\nexperiments: {e: {}}\n")
	study := open(t, Selection{Out: "out"}, "mine.yaml")
	if _, err := study[0].Run(t.Context(), study[0].Plan.Runs, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	options := BundleOptions{To: "mine.zip", Citation: []byte("c: 1\n")}
	if _, err := builtin().Bundle(t.Context(), study, options); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("extracted", 0o777); err != nil {
		t.Fatal(err)
	}
	if _, _, err := extractBundle(t.Context(), "mine.zip", "extracted", func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	t.Chdir("extracted")
	readme, err := os.ReadFile("README.md")
	if err != nil || !strings.Contains(string(readme), "`trace: log.swf` at `own/log.swf`") {
		t.Errorf("%v: %s", err, readme)
	}
	s := Selection{Out: "results"}
	if _, err := builtin().Open(t.Context(), s, []string{"own/mine.yaml"}); err == nil {
		t.Error("no error without the trace")
	}
	write(t, "own/log.swf", log)
	if _, err := open(t, s, "own/mine.yaml")[0].Analyze(t.Context()); err != nil {
		t.Error(err)
	}
}

// changed returns a bundle with the files of another one that change keeps, as it changes them.
func changed(t *testing.T, bundle string, change func(name string, content []byte) ([]byte, bool)) string {
	t.Helper()
	from, closer, err := archive.Open(bundle)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	var files []archive.File
	for _, name := range from.Names() {
		content, err := from.Content(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == archive.ManifestFile || name == archive.CrateFile {
			continue
		}
		if content, isKept := change(name, content); isKept {
			files = append(files, archive.File{Name: name, Content: content})
		}
	}
	to := filepath.Join(t.TempDir(), "changed.zip")
	crate := archive.Crate{Describe: func(string) string { return "" }}
	if err := archive.Write(t.Context(), to, false, files, crate, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	return to
}

func TestVerifyNamesDifferences(t *testing.T) {
	bundle := bundled(t)
	replace := func(file, old, changed string) func(string, []byte) ([]byte, bool) {
		return func(name string, content []byte) ([]byte, bool) {
			if !strings.HasSuffix(name, file) {
				return content, true
			}
			if !strings.Contains(string(content), old) {
				t.Errorf("%s has no %q:\n%s", name, old, content)
			}
			return []byte(strings.Replace(string(content), old, changed, 1)), true
		}
	}
	without := func(file string) func(string, []byte) ([]byte, bool) {
		return func(name string, content []byte) ([]byte, bool) { return content, !strings.HasSuffix(name, file) }
	}
	for _, c := range []struct {
		name   string
		change func(string, []byte) ([]byte, bool)
		want   string // in the only difference, or in the error; empty for none
	}{
		{"nothing", without("none"), ""},
		{"a number of a table", replace("rates.csv", "0.3,", "0.4,"), "mine: tables/rates.csv line 2 is "},
		{"a table as LaTeX", replace("rates.tex", "0.3", "0.4"), "mine: tables/rates.tex differs from the one that"},
		{"a missing table", without("rates.md"), "mine: tables/rates.md is missing"},
		{"a verdict", replace("claims.json", `"verdict": "`, `"verdict": "never `),
			`mine: claims.json claims "more load, more blocking" ours verdict: is "never `},
		{"a number of claims", replace("claims.json", `"n": 3`, `"n": 4`), "n: is 4, these rows give 3"},
		{"missing claims", without("claims.json"), "mine: claims.json is missing"},
		{"cells", replace("cells.parquet", "PAR1", "par1"), "mine: cells.parquet differs"},
		{"the record of the plan", replace("plan.json", `"0.3"`, `"0.4"`), "mine: plan.json differs"},
		{"a missing figure", without("rate.svg"), "mine: rate.svg is missing"},
		{"a missing page", without("report.html"), "mine: report.html is missing"},
		{"the digest", replace("bundle.json", `"digest": "`, `"digest": "0`), "mine: the digest of the rows is "},
		{"the number of runs", replace("bundle.json", `"runs": 6`, `"runs": 7`), "the dataset has 6 runs of the plan"},
		{"the study file", replace("own/mine.yaml", "rounds: 3", "rounds: 2"), "the plan of this program has the checksum"},
		{"no runs", without(".parquet"), "has no run of the plan"},
		{"a format", replace("bundle.json", `"format": 1`, `"format": 2`), "has the format 2; this program reads 1"},
		{"no study", replace("own/mine.yaml", "model: coallocation", "model: x"), `there is no model "x"`},
		{"a path", replace("bundle.json", `"file": "own/mine.yaml"`, `"file": "../mine.yaml"`), "is no file of a bundle"},
		{"a folder outside", replace("bundle.json", `"name": "mine"`, `"name": "../.."`), "is no name of a folder"},
		{"a study twice",
			replace("bundle.json", `"studies": [`, `"studies": [{"name": "mine", "file": "own/mine.yaml"},`),
			"bundle.json and its files have different numbers of studies, 2 and 1"},
		{"another name", replace("bundle.json", `"name": "mine"`, `"name": "yours"`), `names the study "yours"`},
		{"no JSON", replace("bundle.json", "{", "["), "bundle.json cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			b, err := builtin().OpenBundle(t.Context(), changed(t, bundle, c.change), dir, func(int, int) {})
			var differences []string
			if err == nil {
				differences, err = b.Verify(t.Context())
			}
			if err != nil {
				differences = append(differences, err.Error())
			}
			named := func(difference string) bool { return c.want != "" && strings.Contains(difference, c.want) }
			if c.want != "" && !slices.ContainsFunc(differences, named) || c.want == "" && len(differences) > 0 {
				t.Errorf("differences %q, want %q", differences, c.want)
			}
		})
	}
}

// A difference is named by its line, and a table that ends early or late by its line breaks.
func TestCompareBytes(t *testing.T) {
	bundled, again := filepath.Join(t.TempDir(), "rates.csv"), filepath.Join(t.TempDir(), "rates.csv")
	write(t, again, "x,y\n1,2\n3,4\n")
	for have, want := range map[string]string{
		"x,y\n1,2\n3,4\n":   "",
		"x,y\n1,9\n3,4\n":   `line 2 is "1,9", these rows give "1,2"`,
		"x,y\n1,2\n":        `line 3 is "", these rows give "3,4"`,
		"x,y\n1,2":          "has 1 line break, these rows give 3",
		"x,y\n1,2\n3,4":     "has 2 line breaks, these rows give 3",
		"x,y\n1,2\n3,4\n\n": "has 4 line breaks, these rows give 3",
	} {
		write(t, bundled, have)
		if text := compareBytes(bundled, again); text != want {
			t.Errorf("%q: %s, want %s", have, text, want)
		}
	}
}

// Runs that are executed again have the rows of the bundle; the seed chooses them. Rows that this
// program does not make are named.
func TestRerun(t *testing.T) {
	bundle := bundled(t)
	b, err := builtin().OpenBundle(t.Context(), bundle, t.TempDir(), func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	again, err := b.Rerun(t.Context(), 4, 7, pipeline.Options{})
	if err != nil || again.Runs != 4 || again.LeftOut != 0 || len(again.Differences) > 0 {
		t.Errorf("%+v, %v", again, err)
	}
	s := b.Studies[0]
	before, err := s.snapshot.Read(t.Context(), "runs", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := compareRows(before, before, s.Plan.Runs[0].ID); text != "" {
		t.Errorf("equal rows differ: %s", text)
	}
	// The rows of other requests have the ids of no run of this plan.
	s60 := Selection{Out: t.TempDir(), Set: []string{"requests=60"}}
	other := open(t, s60, filepath.Join(filepath.Dir(bundle), "mine.yaml"))[0]
	if _, err := other.Run(t.Context(), other.Plan.Runs, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	snapshot, err := other.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	now, err := snapshot.Read(t.Context(), "runs", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := compareRows(before, now, s.Plan.Runs[0].ID); text != "1 row in the bundle, 0 when run again" {
		t.Errorf("a run that is missing: %s", text)
	}
	if entries, err := os.ReadDir(filepath.Dir(bundle)); err != nil || len(entries) != 3 {
		t.Errorf("beside the bundle: %v, %v", entries, err)
	}
}
