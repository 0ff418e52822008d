// Test of experiments with each and repeat written out, against golden files.

package study

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/configs"
)

// TestExperiments compares the experiments that files stand for, written out, with golden texts.
func TestExperiments(t *testing.T) {
	for _, name := range []string{"every", "derived"} {
		file, err := configs.Read(t.Context(), filepath.FromSlash("../../configs/testdata/good/"+name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for e := range writtenOut(file) {
			fmt.Fprintf(&text, "%s: %d replications", e.Name.Value, e.Replications)
			for _, s := range e.Set {
				fmt.Fprintf(&text, ", set %s=%s", s.Name.Value, s.Value.Value)
			}
			for _, c := range e.Cross {
				fmt.Fprintf(&text, ", cross %s %q", c.Factor.Value, texts(c.Levels))
			}
			fmt.Fprintf(&text, ", measure %t, optional %t, repeats %q\n", e.Measure, e.Optional, e.repeats)
		}
		golden := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), text.String()); diff != "" {
			t.Errorf("%s: (-want +got, -update rewrites it)\n%s", golden, diff)
		}
	}
}
