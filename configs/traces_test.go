// The catalogues of traces have the facts of the papers and archives. Each error in a catalogue is
// found, by changing one word of a correct one, and two traces never share a name or file.

package configs

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestCatalogue compares some entries with what the papers say about their traces, and checks the
// fields that every entry of the program must have.
func TestCatalogue(t *testing.T) {
	type facts struct {
		Format   string
		Jobs     int
		Clusters []int
		Uses     map[string]string
	}
	sharcnet := []int{128, 1068, 128, 384, 128, 128, 1536, 3072, 128, 128}
	grid5000 := []int{128, 112, 106, 96, 94, 64, 48, 216, 114, 96, 80, 64, 40, 32, 22}
	want := map[string]facts{
		"das2": {"gwf", 1124772, []int{144, 64, 64, 64, 64}, map[string]string{
			"multisite": "months 9-12", "intergrid": "months 9-12", "brokering": "11,318 jobs of two weeks",
		}},
		"grid5000": {"gwf", 0, grid5000, map[string]string{
			"intergrid": "months 17-20", "brokering": "12,719 jobs of two weeks",
		}},
		"auvergrid": {"gwf", 404176, []int{112, 84, 186, 38, 55}, map[string]string{"intergrid": "months 5-8"}},
		"sharcnet":  {"gwf", 1195242, sharcnet, map[string]string{"brokering": "13,283 jobs of two weeks"}},
		"ctc-sp2":   {"swf", 77222, []int{338}, map[string]string{"provisioning": "whole, from 28 June 1996"}},
	}
	for name, facts := range want {
		trace, err := Traces().Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if trace.Format.Value != facts.Format || trace.Jobs != facts.Jobs || !slices.Equal(trace.Clusters, facts.Clusters) {
			t.Errorf("%s: %s, %d jobs, clusters %d, want %+v", name, trace.Format.Value, trace.Jobs, trace.Clusters, facts)
		}
		for paper, window := range facts.Uses {
			if !slices.ContainsFunc(trace.Uses, func(u TraceUse) bool {
				return u.Paper.Value == paper &&
					u.Window.Value == window
			}) {
				t.Errorf("%s: %s does not use %s: %+v", name, paper, window, trace.Uses)
			}
		}
	}
	for _, trace := range Traces() {
		for word, line := range map[string]Text{"title": trace.Title, "acknowledge": trace.Acknowledge,
			"reference": trace.Reference} {
			if line.Value == "" || line == trace.Name || strings.Contains(line.Value, "\n") {
				t.Errorf("%s: %s: %s %q is not one line", trace.Name.Pos, trace.Name.Value, word, line.Value)
			}
		}
		for word, address := range map[string]Text{"page": trace.Page, "address": trace.Address} {
			isUnknown := trace.Name.Value == "lublin-256" && word == "address"
			if !strings.HasPrefix(address.Value, "http") && !isUnknown {
				t.Errorf("%s: %s: %s %q is no address", trace.Name.Pos, trace.Name.Value, word, address.Value)
			}
		}
	}
	sum := func(sizes []int) (n int) {
		for _, size := range sizes {
			n += size
		}
		return n
	}
	// The sites' totals, of which 648 of Grid'5000 are dedicated.
	if sum(sharcnet) != 6828 || sum(grid5000) != 1312 || sum(grid5000[:7]) != 648 {
		t.Error("the clusters of SHARCNET or Grid'5000 do not add up")
	}
}

const goodTrace = `
one:
  title: One
  page: https://example.org/one
  address: https://example.org/one.swf
  files: [one.swf]
  format: swf
  clusters: [4, 4]
  acknowledge: One has One's log from One.
  reference: One, On one, 1999.
`

// readTraces writes the content to traces.yaml in a new working directory and reads it.
func readTraces(t *testing.T, known Catalogue, content string) (Catalogue, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	unpack(t, txtar.File{Name: "traces.yaml", Data: []byte(content)})
	return known.Read(t.Context(), "traces.yaml")
}

// TestBadCatalogues changes one word of a good catalogue at a time.
func TestBadCatalogues(t *testing.T) {
	if traces, err := readTraces(t, nil, goodTrace); err != nil || len(traces) != 1 {
		t.Fatal(traces, err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"  format: swf", "  format: swf\n  formt: swf",
			"traces.yaml:8:3: one.formt: unknown key; did you mean format?\n      formt: swf\n      ^"},
		{"format: swf", "format: csv",
			`traces.yaml:7:11: one.format: "csv" is not one of swf, gwf` + "\n      format: csv\n              ^"},
		{"  files: [one.swf]\n", "",
			"traces.yaml:2:1: one.files: is missing; name the file, such as files: [one.swf]\n    one:\n    ^"},
		{"files: [one.swf]", "files: [logs/, one.swf]",
			`traces.yaml:6:11: one.files: "logs/" is no file; write its name, with slashes for folders` +
				"\n      files: [logs/, one.swf]\n              ^"},
		{"files: [one.swf]", "files: [../one.swf, /logs/one.swf]",
			"traces.yaml:6:11: one.files: has no name under which a download could be kept: one without a folder above it" +
				"\n      files: [../one.swf, /logs/one.swf]\n              ^"},
		{"[4, 4]", "[4, 0]", "traces.yaml:8:17: one.clusters: 0 is too small; at least 1\n      clusters: [4, 0]\n         " +
			"           ^"},
		{"[4, 4]", "8", `traces.yaml:8:13: one.clusters: want a list of whole numbers, found "8"` +
			"\n      clusters: 8\n                ^"},
		{"one.swf\n  files", "one.zip\n  files", "traces.yaml:2:1: one.member: names the file inside a .zip, " +
			"so it goes with an address that ends in .zip\n    one:\n    ^"},
		{"one:\n", "auto:\n", "traces.yaml:2:1: auto: cannot be the name of a trace: auto and model mean something else, " +
			"and a study writes NAME,NAME, NAME=FILE and NAME@sha256:...\n    auto:\n    ^"},
		{goodTrace, "auto: {title: x}\n",
			"traces.yaml:1:1: auto: cannot be the name of a trace: auto and model mean something " +
				"else, and a study writes NAME,NAME, NAME=FILE and NAME@sha256:...\n    auto: {title: x}\n    ^"},
		{"format: swf", "format: swf\n  jobs: many",
			`traces.yaml:8:9: one.jobs: "many" is not a whole number; write one in digits, such as 10` +
				"\n      jobs: many\n            ^"},
		{goodTrace, "# nothing yet\n",
			"traces.yaml: the file is empty; a trace starts with NAME: and, below that, files: [NAME.swf]"},
		{"[4, 4]", "&c [4, 4]", "traces.yaml:8:13: catalogues of traces have no anchors; remove &c\n      clusters: &c [4, " +
			"4]\n                ^"},
	} {
		_, err := readTraces(t, nil, strings.Replace(goodTrace, c.from, c.to, 1))
		if err == nil {
			t.Errorf("%s in place of %s: no error", c.to, c.from)
			continue
		}
		if diff := cmp.Diff(c.want, err.Error()); diff != "" {
			t.Errorf("%s in place of %s: (-want +got)\n%s", c.to, c.from, diff)
		}
	}
	if _, err := (Catalogue)(nil).Read(t.Context(), "nowhere.yaml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: error %v", err)
	}
	unpack(t, txtar.File{Name: "large.yaml", Data: bytes.Repeat([]byte("#"), maxFile+1)})
	if _, err := (Catalogue)(nil).Read(t.Context(), "large.yaml"); err == nil || !strings.Contains(err.Error(),
		"large.yaml: is larger than 1 MB") {
		t.Errorf("a large file: error %v", err)
	}
}

// An entry needs only a file.
func TestShortestTrace(t *testing.T) {
	all, err := readTraces(t, Traces(),
		"mine: {files: [mine.swf]}\nfar: {files: /logs/far.swf}\ndas2: {used: {mine: day 1}}\n")
	if err != nil {
		t.Fatal(err)
	}
	mine, err := all.Find("mine")
	if err != nil || mine.Title.Value != "mine" || mine.Kept() != "mine.swf" || mine.Folder != "." {
		t.Errorf("%+v, %v", mine, err)
	}
	if far, err := all.Find("far"); err != nil || far.Kept() != "" {
		t.Errorf("%+v, %v", far, err)
	}
	das2, err := all.Find("das2")
	if last := das2.Uses[len(das2.Uses)-1]; err != nil || last.Paper.Value != "mine" || last.Window.Value != "day 1" {
		t.Errorf("%+v, %v", das2.Uses, err)
	}
	if len(Traces()[0].Uses) == len(das2.Uses) {
		t.Error("the built-in catalogue was changed")
	}
}

// Two traces with one name or one file are an error, in any catalogues.
func TestClashesOfCatalogues(t *testing.T) {
	first, err := readTraces(t, Traces(), goodTrace)
	if err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]string{
		goodTrace + strings.Replace(goodTrace, "one:", "two:",
			1): "traces.yaml:16:11: two.files: one.swf is looked for as one too",
		strings.Replace(goodTrace, "one:", "das2:",
			1): "traces.yaml:2:1: das2: is the name of a built-in trace; give yours another, " +
			"or take your file as that one: gridsweep trace import das2 FILE",
		"mine: {files: [das2.gwf]}": "traces.yaml:1:16: mine.files: das2.gwf is looked for as das2 too; a file is one trace",
		"das3: {used: {mine: all}}": "traces.yaml:1:1: das3: has only used, and there is no such trace to be used; did you " +
			"mean das2?",
	} {
		if _, err := readTraces(t, Traces(), content); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngives %v, want %s", content, err, want)
		}
	}
	_, err = readTraces(t, first, "one: {files: [other.swf]}")
	if want := "traces.yaml:1:1: one: is the name of a trace of traces.yaml:2:1 too; rename one of them"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	once, err := readTraces(t, Traces(), goodTrace)
	if err != nil {
		t.Fatal(err)
	}
	link := "link.yaml"
	if err := os.Symlink("traces.yaml", link); err != nil {
		t.Fatal(err)
	}
	if twice, err := once.Read(t.Context(), link); err != nil || len(twice) != len(once) {
		t.Errorf("a file that is read twice gives %d traces, want %d; %v", len(twice), len(once), err)
	}
}

// The catalogues beside a study and beside those that it extends belong to the study, with their
// problems.
func TestCatalogueOfAStudy(t *testing.T) {
	t.Chdir(t.TempDir())
	unpack(t,
		txtar.File{Name: "base/base.yaml", Data: []byte("study: base\nmodel: m\nexperiments: {e: {}}\n")},
		txtar.File{Name: "base/traces.yaml", Data: []byte("theirs: {files: [theirs.swf]}\n")},
		txtar.File{Name: "mine/mine.yaml", Data: []byte("study: mine\nextends: ../base/base.yaml\n")},
		txtar.File{Name: "mine/more.yaml", Data: []byte("study: more\nextends: mine.yaml\n")},
		txtar.File{Name: "mine/traces.yaml", Data: []byte("mine: {files: [mine.swf]}\n")},
		txtar.File{Name: "none/none.yaml", Data: []byte("study: none\nextends: coallocation\n")},
	)
	names := func(file string, known Catalogue) string {
		study, err := Read(t.Context(), file)
		if err != nil {
			return err.Error()
		}
		all, err := study.Catalogue(known)
		if err != nil {
			return err.Error()
		}
		return strings.Join(all.Names(), " ")
	}
	for file, want := range map[string]string{
		"base/base.yaml": "theirs", "mine/mine.yaml": "mine theirs", "mine/more.yaml": "mine theirs", "none/none.yaml": "",
	} {
		if got := names(file, nil); got != want {
			t.Errorf("%s has the traces %s, want %s", file, got, want)
		}
	}
	known, err := Catalogue(nil).Read(t.Context(), "base/traces.yaml")
	if got := names("mine/mine.yaml", known); err != nil || got != "theirs mine" {
		t.Errorf("with a catalogue that is known already: %s, %v", got, err)
	}
	unpack(t, txtar.File{Name: "other.yaml", Data: []byte("mine: {files: [other.swf]}\n")})
	known, err = Catalogue(nil).Read(t.Context(), "other.yaml")
	want := filepath.FromSlash("mine/traces.yaml:1:1: mine: is the name of a trace of other.yaml:1:1 too; rename one of "+
		"them") +
		"\n    mine: {files: [mine.swf]}\n    ^"
	if got := names("mine/mine.yaml", known); err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	unpack(t, txtar.File{Name: "base/traces.yaml", Data: []byte("theirs: {file: theirs.swf}\n")})
	if got := names("mine/mine.yaml", nil); !strings.Contains(got,
		filepath.FromSlash("base/traces.yaml:1:10: theirs.file: unknown key; did you mean files?")) {
		t.Errorf("a mistake in it gives %s", got)
	}
}

func TestFindTrace(t *testing.T) {
	if trace, err := Traces().Find("ctc-sp2"); err != nil || trace.Title.Value != "CTC-SP2-1996-3.1-cln" {
		t.Errorf("%q, %v", trace.Title.Value, err)
	}
	_, err := Traces().Find("das-2")
	if want := `no trace "das-2" in the catalogue; did you mean das2?`; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
