// Datasets as their files describe them.

package results

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model"
)

// A dataset that is opened without its model has the rows of one that is opened with it.
func TestExistingHasAllRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := testModel()
		runs := drawRuns(t, m)
		if len(runs) == 0 {
			return
		}
		d, err := Open(tempDir(t), "example", m, "events")
		if err != nil {
			t.Fatal(err)
		}
		scatter(t, d, runs, "first")
		existing, err := Existing(d.dir)
		if err != nil {
			t.Fatal(err)
		}
		if name, version := existing.Model(); name != m.Name || version != m.Version || existing.Study() != "example" {
			t.Fatalf("%s, model %s, version %d", existing.Study(), name, version)
		}
		var names [2][]string
		var sums [2][]map[string]string
		for i, dataset := range []*Dataset{d, existing} {
			for _, c := range dataset.Columns() {
				names[i] = append(names[i], c.Name+" "+c.Type.String()+" "+c.Unit)
			}
			taken, err := dataset.Snapshot(context.Background(), Digests)
			if err != nil {
				t.Fatal(err)
			}
			for _, table := range []string{model.RunsTable, "jobs", "events"} {
				if existing.model.Table(table) < 0 {
					t.Fatalf("no table %s among %v", table, existing.Tables())
				}
				rows, err := taken.Sums(context.Background(), table, taken.Finished())
				if err != nil {
					t.Fatal(err)
				}
				sums[i] = append(sums[i], rows)
			}
		}
		if !slices.Equal(names[0], names[1]) {
			t.Fatalf("columns %q, want %q", names[1], names[0])
		}
		for table := range sums[0] {
			for id, sum := range sums[0][table] {
				if sums[1][table][id] != sum {
					t.Fatalf("table %d has other rows of run %s", table, id)
				}
			}
		}
	})
}

func TestExistingRefuses(t *testing.T) {
	runs := filepath.Join(t.TempDir(), model.RunsTable)
	for _, c := range []struct{ name, text, want string }{
		{"", "", "is no dataset"},
		{"foreign.txt", "text", "is no data file"},
		{strings.Repeat("0", sumDigits) + dataExtension, "text", "is damaged"},
		{sumOf([]byte("text")) + dataExtension, "text", "is no file of this study"},
	} {
		if err := os.RemoveAll(runs); err != nil {
			t.Fatal(err)
		}
		if c.name != "" {
			if err := WriteFile(filepath.Join(runs, c.name), []byte(c.text)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Existing(filepath.Dir(runs)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.name, err, c.want)
		}
	}
}
