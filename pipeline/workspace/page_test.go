// The page of a paper with three studies: which of them it shows, with which flags and commands, is
// compared with texts after some of them are run.

package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/analysis/report"
	"gridsweep/pipeline"
)

// The digest of a plan's runs in a folder with others is that of a folder with these runs alone.
func TestDigests(t *testing.T) {
	t.Chdir(t.TempDir())
	digestsOf := func(s Selection) Digests {
		t.Helper()
		digests, err := open(t, s, "coallocation")[0].Digests(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return digests
	}
	few := Selection{Out: "out", Set: []string{"requests=20"}, Experiments: []string{"cost"}, Replications: 1}
	alone, all := few, few
	alone.Out, all.Replications = "alone", 2
	for _, s := range []Selection{all, alone} {
		study := open(t, s, "coallocation")[0]
		if _, err := study.Run(t.Context(), study.Plan.Runs, pipeline.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	want, whole := digestsOf(alone), digestsOf(all)
	if want.Plan != "" || whole.Plan != "" || want.Runs != want.Planned || whole.Runs <= want.Runs {
		t.Errorf("the plans have all runs: %+v, %+v", want, whole)
	}
	have := digestsOf(few)
	if have != (Digests{Folder: whole.Folder, Plan: want.Folder, Runs: whole.Runs, Planned: want.Runs}) {
		t.Errorf("have %+v of %+v and %+v", have, whole, want)
	}
}

// A page made for one study of its paper also shows the others that have runs, and says which have
// none.
func TestPageKeepsTheOtherStudies(t *testing.T) {
	t.Chdir(t.TempDir())
	const study = "study: %s\ntitle: Study %s\npaper: both\nmodel: coallocation\nset: {requests: 20}\n" +
		"factors: {lambda: [0.1, 3]}\nexperiments: {%s: {cross: lambda, rounds: 2}, %s2: {cross: lambda, rounds: 2, " +
		"optional: true}}\n" +
		"tables: {t: {title: T, of: %s2, show: blocking, rows: lambda}}\n"
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(name+".yaml", []byte(strings.ReplaceAll(study, "%s", name)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// runOf runs a study with these flags.
	runOf := func(file string, flags ...string) *Study {
		t.Helper()
		s := Selection{Out: "out"}
		for i := 0; i < len(flags); i += 2 {
			switch flags[i] {
			case "--set":
				s.Set = append(s.Set, flags[i+1])
			case "--experiment":
				s.Experiments = append(s.Experiments, flags[i+1])
			}
		}
		study := open(t, s, file)[0]
		if _, err := study.Run(t.Context(), study.Plan.Runs, pipeline.Options{}); err != nil {
			t.Fatal(err)
		}
		return study
	}
	// pageOf returns the page of b with these flags, after it has run b.
	pageOf := func(flags ...string) report.Page {
		t.Helper()
		study := runOf("b.yaml", flags...)
		result, err := study.Result(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		requested := []StudyResult{{Study: study, Result: result}}
		page, err := study.workspace.page(t.Context(), "both", requested, []string{"a.yaml", "b.yaml", "c.yaml"})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range page.Studies {
			if s.Name == "b" {
				continue // the caller analyzes the requested study
			}
			if err := os.Remove(filepath.Join("out", s.Name, claimsFile)); err != nil {
				t.Errorf("the files of %s are not those of the page: %v", s.Name, err)
			}
		}
		return page
	}
	shown := func(page report.Page) (lines []string) {
		for _, s := range page.Studies {
			lines = append(lines, s.Name+" without "+s.NotApplied+", "+s.CompleteCommand)
		}
		for _, a := range page.Absent {
			lines = append(lines, a.Heading+" "+a.Why+", "+a.Command)
		}
		return lines
	}
	runOf("a.yaml")
	for _, c := range []struct{ flags, want []string }{
		{nil, []string{
			"a without , gridsweep reproduce a.yaml --experiment a --experiment a2",
			"b without , gridsweep reproduce b.yaml --experiment b --experiment b2",
			"Study c has not been run, gridsweep reproduce c.yaml"}},
		{[]string{"--set", "tasks_max=3"}, []string{ // fits a, which has no such run
			"a without --set tasks_max=3, gridsweep reproduce a.yaml --experiment a --experiment a2",
			"b without , gridsweep reproduce b.yaml --set tasks_max=3 --experiment b --experiment b2",
			"Study c has not been run, gridsweep reproduce c.yaml"}},
		{[]string{"--experiment", "b"}, []string{ // does not fit a
			"a without , gridsweep reproduce a.yaml --experiment a --experiment a2",
			"b without , gridsweep reproduce b.yaml --experiment b --experiment b2",
			"Study c has not been run, gridsweep reproduce c.yaml"}},
	} {
		if diff := cmp.Diff(c.want, shown(pageOf(c.flags...))); diff != "" {
			t.Errorf("%q: %s", c.flags, diff)
		}
	}
	// A study with runs of the changed parameter is shown with it. A dataset that cannot be read
	// does not prevent the page.
	runOf("a.yaml", "--set", "tasks_max=3")
	if page := pageOf("--set", "tasks_max=3"); page.Studies[0].NotApplied != "" || page.Changed != "--set tasks_max=3" {
		t.Errorf("a is shown without %q, want nothing; changed: %s", page.Studies[0].NotApplied, page.Changed)
	}
	files, err := filepath.Glob("out/a/runs/*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	if err := os.Truncate(files[0], 5); err != nil {
		t.Fatal(err)
	}
	page := pageOf()
	if len(page.Studies) != 1 || len(page.Absent) != 2 || !strings.Contains(page.Absent[0].Why, files[0]+" is damaged") {
		t.Errorf("%d studies, want 1; absent %+v, want two, of which the first is damaged", len(page.Studies), page.Absent)
	}
}
