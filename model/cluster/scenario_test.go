// Engine and reference are compared with the schedules of the conformance set, and its files with
// their written form.

package cluster_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model/cluster/conformance"
)

// update writes the reference's schedules into the scenario files. Check what changes by hand.
var update = flag.Bool("update", false, "rewrite the schedules of the scenarios in docs/reference/conformance")

// folder holds the scenarios.
const folder = "../../docs/reference/conformance"

// scenarios reads the conformance set, by file.
func scenarios(t *testing.T) map[string]*conformance.Scenario {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios in %s (%v)", folder, err)
	}
	found := map[string]*conformance.Scenario{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := conformance.Parse(file, bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		found[file] = s
	}
	return found
}

// Reference and engine follow each scenario to the second.
func TestScenarios(t *testing.T) {
	for file, s := range scenarios(t) {
		t.Run(s.Name, func(t *testing.T) {
			for i, block := range s.Blocks {
				for n, words := range block.Configurations {
					r, err := refer(s.Procs, s.Reservations, s.Jobs, words)
					if err != nil {
						t.Fatal(err)
					}
					want := r.schedule()
					if *update && n == 0 {
						block.Schedule = want
						s.Blocks[i].Schedule = want
					}
					if diff := cmp.Diff(block.Schedule, want); diff != "" {
						t.Errorf("%s: the file (-) and the reference (+) differ:\n%s", words, diff)
					}
					if err := check(s, words, block.Schedule); err != nil {
						t.Errorf("%s: %v", words, err)
					}
					t.Run(words.String(), func(t *testing.T) {
						if diff := cmp.Diff(block.Schedule, simulate(t, s, words)); diff != "" {
							t.Errorf("the file (-) and the engine (+) differ:\n%s", diff)
						}
					})
				}
			}
			if *update {
				if err := os.WriteFile(file, []byte(formatted(s)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// The files have the form that they would be written in, and names that sort as words.
func TestScenariosAreFormatted(t *testing.T) {
	for file, s := range scenarios(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(formatted(s), string(text)); diff != "" {
			t.Errorf("%s is not as -update writes it:\n%s", file, diff)
		}
		if strings.ToLower(s.Name) != s.Name || strings.ContainsAny(s.Name, " _.") {
			t.Errorf("%s: use lower case and hyphens", file)
		}
	}
}

// The page that explains the set lists what there is, and its example is the file.
func TestScenarioPageIsCurrent(t *testing.T) {
	const begin, end = "<!-- scenarios -->\n", "<!-- end of scenarios -->\n"
	page := filepath.Join(folder, "README.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no place for the scenarios", page)
	}
	var table strings.Builder
	table.WriteString("| scenario | jobs | schedules | what it shows |\n| --- | --- | --- | --- |\n")
	set := scenarios(t)
	for _, file := range slices.Sorted(maps.Keys(set)) {
		s := set[file]
		fmt.Fprintf(&table, "| [%s](%s.txt) | %d | %d | %s |\n", s.Name, s.Name, len(s.Jobs), s.ScheduleCount(), s.Title())
	}
	want := before + begin + table.String() + end + after
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("%s is not current: run this test with -update:\n%s", page, diff)
	}
	example := formatted(set[filepath.Join(folder, "backfill-to-the-pivot.txt")])
	if !strings.Contains(want, "```\n"+example+"```\n") {
		t.Errorf("the worked example of %s is not the file", page)
	}
}
