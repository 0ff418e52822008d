package configs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCatalogue holds what the papers say of their traces: a word that is lost shows here.
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
	got := map[string]facts{}
	for _, trace := range Traces() {
		f := facts{trace.Format.Value, trace.Jobs, trace.Clusters, map[string]string{}}
		for _, use := range trace.Uses {
			f.Uses[use.Paper.Value] = use.Window.Value
		}
		got[trace.Name.Value] = f
		for _, line := range []Text{trace.Title, trace.Acknowledge, trace.Reference} {
			if strings.Contains(line.Value, "\n") {
				t.Errorf("%s: %q is not one line", trace.Name.Value, line.Value)
			}
		}
		for _, address := range []Text{trace.Page, trace.Address} {
			if !strings.HasPrefix(address.Value, "http") {
				t.Errorf("%s: %s is no address", trace.Name.Value, address.Value)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
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

// TestBadCatalogues changes one word of a good catalogue at a time.
func TestBadCatalogues(t *testing.T) {
	if traces, err := ParseTraces("traces.yaml", []byte(goodTrace)); err != nil || len(traces) != 1 {
		t.Fatal(traces, err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"  format: swf", "  format: swf\n  formt: swf",
			"traces.yaml:8:3: one.formt: unknown key; did you mean format?\n      formt: swf\n      ^"},
		{"format: swf", "format: csv", `traces.yaml:7:11: one.format: "csv" is not one of swf, gwf` + "\n      format: csv\n              ^"},
		{"  format: swf\n", "", "traces.yaml:2:1: one.format: is missing\n    one:\n    ^"},
		{"[4, 4]", "[4, 0]", "traces.yaml:8:17: one.clusters: 0 is too small; at least 1\n      clusters: [4, 0]\n                    ^"},
		{"[4, 4]", "8", `traces.yaml:8:13: one.clusters: want a list of whole numbers, found "8"` +
			"\n      clusters: 8\n                ^"},
		{"one.swf\n  files", "one.zip\n  files", "traces.yaml:2:1: one.member: names the file inside a .zip, " +
			"so it goes with an address that ends in .zip\n    one:\n    ^"},
		{"one:\n", "auto:\n", "traces.yaml:2:1: auto: cannot be the name of a trace: auto and model mean something else, " +
			"and a study writes NAME,NAME and NAME@sha256:...\n    auto:\n    ^"},
		{"format: swf", "format: swf\n  jobs: many",
			`traces.yaml:8:9: one.jobs: "many" is not a whole number; write one in digits, such as 10` +
				"\n      jobs: many\n            ^"},
	} {
		_, err := ParseTraces("traces.yaml", []byte(strings.Replace(goodTrace, c.from, c.to, 1)))
		if err == nil {
			t.Errorf("%s in place of %s: no error", c.to, c.from)
			continue
		}
		if diff := cmp.Diff(c.want, err.Error()); diff != "" {
			t.Errorf("%s in place of %s: (-want +got)\n%s", c.to, c.from, diff)
		}
	}
	twice := goodTrace + strings.Replace(goodTrace, "one:", "two:", 1)
	_, err := ParseTraces("traces.yaml", []byte(twice))
	if err == nil || !strings.Contains(err.Error(), "traces.yaml:16:11: two.files: one.swf is looked for as one too") {
		t.Errorf("a file of two traces: %v", err)
	}
}

func TestFindTrace(t *testing.T) {
	if trace, err := FindTrace("ctc-sp2"); err != nil || trace.Title.Value != "CTC-SP2-1996-3.1-cln" {
		t.Errorf("%q, %v", trace.Title.Value, err)
	}
	_, err := FindTrace("das-2")
	if want := `no trace "das-2" in the catalogue; did you mean das2?`; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
