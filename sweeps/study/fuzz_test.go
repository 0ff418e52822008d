// Fuzz test of binding: any file gives a bound study or problems with positions.

package study

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gridsweep/configs"
)

// FuzzBind checks that a file of any bytes gives a study whose entries are bound, or problems that
// can be printed.
func FuzzBind(f *testing.F) {
	every, err := os.ReadFile("../../configs/testdata/good/every.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(every)
	bad, err := txtar.ParseFile("../../configs/testdata/bad.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range bad.Files {
		f.Add(file.Data)
	}
	f.Add([]byte(head + "claims: {x: {of: rate, show: loss, for: lambda, along: policy, order: [a, rest]}}\n"))
	f.Add([]byte(head + "tables: {x: {of: solo, from: sites, show: load, rows: site, over: policy, against: {policy: " +
		"a}}}\n"))
	f.Add([]byte(head + "figures: {x: {of: gaps, show: [wait, loss], right: loss, kind: line, x: gap, at: place}}\n"))
	m := toyModel()
	f.Fuzz(func(t *testing.T, content []byte) {
		file := filepath.Join(t.TempDir(), "fuzz.yaml")
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
		read, err := configs.Read(t.Context(), file)
		var form configs.Problems
		if read == nil || read.Broken || err != nil && !errors.As(err, &form) {
			return
		}
		bound, problems := Bind(t.Context(), read, m, Overrides{})
		if text := problems.Error(); len(problems) > 0 && text == "" {
			t.Errorf("%d problems that cannot be printed", len(problems))
		}
		if len(form)+len(problems) > 0 {
			return
		}
		isBound := func(q *Query) bool {
			return q.isBound && len(q.Shown) > 0 && len(q.OverBy) == len(q.Shown)
		}
		for _, table := range bound.Tables {
			for i := range table.Blocks {
				if !isBound(&table.Blocks[i].Query) {
					t.Errorf("table %s is not bound: %+v", table.Name, table.Blocks[i])
				}
			}
		}
		for _, f := range bound.Figures {
			if !isBound(&f.Query) || !f.Kind.DrawsRows() && f.X < 0 {
				t.Errorf("figure %s is not bound: %+v", f.Name, f)
			}
		}
		for _, claim := range bound.Claims {
			for i := range claim.Assertions {
				if !isBound(&claim.Assertions[i].Query) {
					t.Errorf("claim %s is not bound: %+v", claim.Name, claim.Assertions[i])
				}
			}
		}
	})
}
