// How the page names the workload of the runs: traces with checksum and acknowledgement, a user's
// own file, a workload model, or several of these.

package report

import (
	"regexp"
	"strings"
	"testing"
)

var das2 = Trace{Name: "das2", Title: "GWA-T-1 DAS-2", SHA256: "e3b0c442", Acknowledge: "The DAS-2 team provided it.",
	Reference: "A. Iosup et al., The Grid Workloads Archive, https://doi.org/10.1016/j.future.2008.02.003"}

// The head of the page and its provenance name the workload; if there are several, also the number
// of runs of each.
func TestWorkloadOnThePage(t *testing.T) {
	unread := Trace{Name: "das2", Title: "GWA-T-1 DAS-2", HasAddress: true}
	three := []Trace{{Name: "das2", HasAddress: true}, {Name: "auvergrid", HasAddress: true}, {Name: "grid5000",
		HasAddress: true}}
	own := Trace{Name: "lab", Title: "Our log"}
	read := Workload{Resolved: "das2@sha256:e3b0c442", Traces: []Trace{das2}, Runs: 1600}
	for name, c := range map[string]struct {
		workloads []Workload
		head      []string
		origin    []string
	}{
		"no traces": {},
		"read": {[]Workload{read},
			[]string{"Workload: the trace das2 (GWA-T-1 DAS-2). das2 has the SHA-256 e3b0c442. The DAS-2 team provided it. A. " +
				"Iosup et al., The Grid Workloads Archive, https://doi.org/10.1016/j.future.2008.02.003"},
			[]string{"1,600 runs: das2@sha256:e3b0c442"}},
		"cleaned": {[]Workload{{Traces: []Trace{own}, Resolved: "lab@1", LeftOut: []int64{0, 1200, 7}, Runs: 2}},
			[]string{"Workload: the trace lab (Our log), of which cleaning leaves out 0 to 1,200 jobs. lab has"},
			[]string{"2 runs: lab@1"}},
		"one left out": {[]Workload{{Traces: []Trace{own}, Resolved: "lab@1", LeftOut: []int64{1}, Runs: 2}},
			[]string{"Workload: the trace lab (Our log), of which cleaning leaves out 1 job. lab has"},
			[]string{"2 runs: lab@1"}},
		"none left out": {[]Workload{{Traces: []Trace{own}, Resolved: "lab@1", LeftOut: []int64{0}, Runs: 2}},
			[]string{"Workload: the trace lab (Our log). lab has"},
			[]string{"2 runs: lab@1"}},
		"not found": {[]Workload{{Resolved: "model", Model: true, Traces: []Trace{unread}, Missing: []Trace{unread},
			Runs: 7}},
			[]string{"Workload: a workload model in place of the trace das2 (GWA-T-1 DAS-2), which was not found. gridsweep " +
				"trace fetch das2 downloads it, gridsweep trace import das2 FILE imports a file that you have; reproduce the " +
				"study again to use it."},
			[]string{"7 runs: a workload model in place of the trace das2 (GWA-T-1 DAS-2), which was not found"}},
		"three not found": {[]Workload{{Resolved: "model", Model: true, Traces: three, Missing: three, Runs: 1}},
			[]string{"Workload: a workload model in place of the traces das2, auvergrid and grid5000, which were not found. " +
				"gridsweep trace fetch das2 auvergrid grid5000 downloads them, gridsweep trace import das2 FILE and gridsweep " +
				"trace import auvergrid FILE and gridsweep trace import grid5000 FILE import files that you have; reproduce " +
				"the study again to use them."},
			[]string{"1 run: a workload model in place of the traces das2, auvergrid and grid5000, which were not found"}},
		"own not found": {[]Workload{{Resolved: "model", Model: true, Traces: []Trace{own}, Missing: []Trace{own}, Runs: 7}},
			[]string{"Workload: a workload model in place of the trace lab (Our log), which was not found. gridsweep trace " +
				"import lab FILE imports a file that you have; reproduce the study again to use it."},
			[]string{"7 runs: a workload model in place of the trace lab (Our log), which was not found"}},
		"one of two has no address": {[]Workload{{Resolved: "model", Model: true, Traces: []Trace{unread, own},
			Missing: []Trace{unread, own}, Runs: 7}},
			[]string{"Workload: a workload model in place of the traces das2 (GWA-T-1 DAS-2) and lab (Our log), which were " +
				"not found. gridsweep trace fetch das2 downloads it, gridsweep trace import das2 FILE and gridsweep trace " +
				"import lab FILE import files that you have; reproduce the study again to use them."},
			[]string{"7 runs: a workload model in place of the traces das2 (GWA-T-1 DAS-2) and lab (Our log), which were not " +
				"found"}},
		"several": {[]Workload{{Resolved: "model", Model: true, Runs: 1}, read},
			[]string{"Workload, 1 run: a workload model.", "Workload, 1,600 runs: the trace das2 (GWA-T-1 DAS-2). das2 has"},
			[]string{"1 run: a workload model", "1,600 runs: das2@sha256:e3b0c442"}},
	} {
		page := fakePage()
		page.Studies[0].Workloads = c.workloads
		content := htmlOf(t, page)
		checkSound(t, content)
		var head, origin []string
		elements := parse(t, content)
		for i, e := range elements {
			text := strings.TrimSpace(regexp.MustCompile(`\s+`).ReplaceAllString(e.text, " "))
			switch {
			case e.name == "p" && strings.HasPrefix(text, "Workload"):
				head = append(head, text)
			case e.name == "dd" && elements[i-1].text == "Workload":
				origin = append(origin, text)
			}
		}
		checkBeginnings(t, name, head, c.head)
		checkBeginnings(t, name, origin, c.origin)
	}
}

func checkBeginnings(t *testing.T, name string, texts, want []string) {
	t.Helper()
	if len(texts) != len(want) {
		t.Fatalf("%s: %q, want %q", name, texts, want)
	}
	for i, text := range texts {
		if !strings.HasPrefix(text, want[i]) {
			t.Errorf("%s:\n%s, want\n%s", name, text, want[i])
		}
	}
}
