// diff of a dataset and a bundle.

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
	for name, text := range map[string]string{
		"studies/both/first.yaml": "study: first\npaper: both\ntitle: First\nextends: second\n",
		"studies/both/second.yaml": "study: second\npaper: both\ntitle: Second\nmodel: coallocation\n" +
			"set: {requests: 10}\nexperiments: {e: {rounds: 2}}\n",
		"none.zip": "no zip file",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	changed := []string{"coallocation", "--experiment", "cost", "--set", "requests=20", "--out", "other"}
	for _, args := range [][]string{
		append([]string{"bundle", "--to", "same.zip"}, small...),
		append([]string{"bundle", "--to", "other.zip"}, changed...),
		{"run", "both", "--studies", "studies"},
		{"bundle", "both", "--studies", "studies", "--to", "two.zip"},
	} {
		if code, _, messages := run(args...); code != 0 {
			t.Fatalf("%q: %s", args, messages)
		}
	}
	whole, err := os.ReadFile("same.zip")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("damaged.zip", whole[:len(whole)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b string
		code int
		want string
	}{
		{"out/coallocation", "same.zip", 0, "90 in both, 0 with different rows"},
		{"same.zip", "same.zip", 0, "90 in both"},
		{"same.zip", "out/coallocation", 0, "A: same.zip: 90 runs of coallocation, model coallocation, version 1"},
		{"out/coallocation", "other.zip", 1, "only in B: 90 runs"},
		{"out/second", "two.zip", 0, "2 in both, 0 with different rows"},
		{"two.zip", "two.zip", 2, "two.zip: has the datasets of several studies, first, second; extract it"},
		{"out/coallocation", "two.zip", 2, "two.zip: has no dataset of the study coallocation, only of first, second"},
		{"out/coallocation", "none.zip", 2, "none.zip: is no whole zip file"},
		{"out/coallocation", "damaged.zip", 2, "damaged.zip: is no whole zip file"},
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
}
