// Tests of cleaning a trace that was read.

package traces

import (
	"testing"

	"gridsweep/model/trace"
)

// TestCleanKeepsTheEnd: the zero selection takes all jobs as they are, so that the header's EndTime
// stays.
func TestCleanKeepsTheEnd(t *testing.T) {
	for _, c := range []struct {
		selection trace.Selection
		kept      bool
	}{
		{trace.Selection{}, true}, {trace.Selection{ScaleArrivals: 1, ScaleRuntimes: 1}, true},
		{trace.Selection{ScaleRuntimes: 2}, false}, {trace.Selection{From: 1}, false},
	} {
		l := &Trace{
			Format: trace.SWF, Header: &trace.Header{Lines: []string{"; EndTime: Thu Jan  1 00:17:50 UTC 1970"}},
			Jobs: []trace.Job{{ID: 1, Run: 1, Procs: 1}, {ID: 2, Submit: 5, Run: 1, Procs: 1}},
		}
		if err := l.Clean(false, &c.selection); err != nil {
			t.Fatal(err)
		}
		if _, kept := l.Header.Value("EndTime"); kept != c.kept {
			t.Errorf("%+v: EndTime kept: %v", c.selection, kept)
		}
	}
}
