// diff of a dataset and an archive, also one that is hostile.

package cli

import (
	"archive/zip"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

// archiveOf writes an archive with files by their names, of which the folders of studies lie under
// results.
func archiveOf(t *testing.T, name string, folders map[string]string, others map[string]string) {
	t.Helper()
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	writer := zip.NewWriter(file)
	add := func(name string, data []byte) {
		entry, err := writer.Create(name)
		if err == nil {
			_, err = entry.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for study, folder := range folders {
		files := os.DirFS(folder)
		err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := fs.ReadFile(files, path)
			add("results/"+study+"/"+path, data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range others {
		add(name, []byte(text))
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestDiffWithArchive(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	small := []string{"coallocation", "--experiment", "cost", "--set", "requests=10"}
	run := func(args ...string) (code int, out, messages string) {
		var stdout, stderr strings.Builder
		err := execute(t.Context(), args, nil, &stdout, &stderr)
		return exitCode(err), stdout.String(), stderr.String()
	}
	for _, args := range [][]string{
		append([]string{"reproduce"}, small...),
		{"run", "coallocation", "--experiment", "cost", "--set", "requests=20", "--out", "other"},
	} {
		if code, _, messages := run(args...); code != 0 {
			t.Fatalf("%q: %s", args, messages)
		}
	}
	archiveOf(t, "same.zip", map[string]string{"coallocation": "out/coallocation"},
		map[string]string{"README.md": "an archive", "results/coallocation/report.html": "a page"})
	archiveOf(t, "other.zip", map[string]string{"coallocation": "other/coallocation"}, nil)
	archiveOf(t, "two.zip", map[string]string{"coallocation": "out/coallocation", "another": "other/coallocation"}, nil)
	archiveOf(t, "none.zip", nil, map[string]string{"results/coallocation/claims.json": "{}"})
	archiveOf(t, "outside.zip", nil, map[string]string{
		"results/../runs/" + strings.Repeat("0", 64) + ".parquet": "outside", "../escaped": "outside",
		"results/coallocation/runs/..": "outside",
	})
	archiveOf(t, "damaged.zip", nil, map[string]string{
		"results/coallocation/runs/" + strings.Repeat("0", 64) + ".parquet": "damaged",
	})
	for _, c := range []struct {
		a, b string
		code int
		want string
	}{
		{"out/coallocation", "same.zip", 0, "90 in both, 0 with different rows"},
		{"same.zip", "same.zip", 0, "90 in both"},
		{"same.zip", "out/coallocation", 0, "A: same.zip: 90 runs of coallocation, model coallocation, version 1"},
		{"out/coallocation", "other.zip", 1, "only in B: 90 runs"},
		{"out/coallocation", "two.zip", 0, "90 in both, 0 with different rows"},
		{"two.zip", "two.zip", 2, "two.zip: has the datasets of several studies, "},
		{"out/coallocation", "none.zip", 2, "none.zip: has no dataset in results/STUDY/runs"},
		{"out/coallocation", "outside.zip", 2, "outside.zip: "},
		{"out/coallocation", "damaged.zip", 2, "is damaged"},
	} {
		code, out, messages := run("diff", c.a, c.b)
		if code != c.code || !strings.Contains(out+messages, c.want) {
			t.Errorf("diff %s %s: exit code %d, want %d with %q; prints\n%s%s", c.a, c.b, code, c.code, c.want, out, messages)
		}
	}
	left, err := os.ReadDir(os.TempDir())
	if err != nil || len(left) > 0 {
		t.Errorf("diff leaves %v in the temporary folder (%v)", left, err)
	}
	entries, err := os.ReadDir(".")
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if slices.Contains(names, "escaped") || err != nil {
		t.Errorf("the folder has %v (%v)", names, err)
	}
}
