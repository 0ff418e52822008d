// Reading of rows: only the selected runs of a table are read, and Analyze stops at every point at
// which its context can end.

package analysis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/results"
)

// reads records the runs for which each table is read.
type reads struct {
	Rows
	ids map[string]map[string]bool // by table
}

func (r reads) Read(ctx context.Context, table string, columns []string, ids map[string]bool) (*results.Frame, error) {
	r.ids[table] = ids
	return r.Rows.Read(ctx, table, columns, ids)
}

// A long table is read for the runs that an output selects or compares with, and for their
// repetitions under alternative assumptions if the output is a claim.
func TestReadsWhatIsSelected(t *testing.T) {
	const more = `
figures:
  x: {of: rate, from: sites, show: load, where: {lambda: 0.10, policy: a}, against: {policy: b}, kind: bar, x: site}
claims:
  x: {of: solo, from: sites, show: load, where: {policy: c}, for: site, above: 0}
`
	toy := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		outcome := linear(p, replication)
		outcome.Sites = []toySite{{"here", float64(1 + replication)}}
		return outcome
	}, nil)
	noted := reads{toy.dataset, map[string]map[string]bool{}}
	result, err := Analyze(t.Context(), toy.plan, noted, "here", nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(result.Figures[0].Panels[0].Series[0].Points); n != 1 || result.Claims[0].Ours.Verdict != Reproduced ||
		len(result.Claims[0].Assumptions) != 2 {
		t.Errorf("%d points; %+v", n, result.Claims[0])
	}
	var read []string
	for _, r := range toy.plan.Runs {
		if r.Replication == 0 && noted.ids["sites"][r.ID] {
			p := r.Point
			read = append(read, fmt.Sprint(p[0].Float(), " ", p[1].Text(), " ", p[3].Text()))
		}
	}
	slices.Sort(read)
	if diff := cmp.Diff([]string{"0.1 a plain", "0.1 b plain", "0.1 c odd", "0.1 c plain"}, read); diff != "" {
		t.Error(diff)
	}
}

// doneAfter is a context that is done after Err was called a number of times.
type doneAfter struct {
	context.Context
	left int
}

func (l *doneAfter) Err() error {
	if l.left == 0 {
		return context.Canceled
	}
	l.left--
	return nil
}

// unhindered reads without the context.
type unhindered struct{ Rows }

func (u unhindered) Read(_ context.Context, table string, columns []string, ids map[string]bool) (*results.Frame,
	error) {
	return u.Rows.Read(context.Background(), table, columns, ids)
}

// Analyze checks its context before each table, figure and claim and at each of their cells, and
// stops wherever it is done.
func TestAnalyzeIsInterrupted(t *testing.T) {
	for _, item := range []string{
		"tables: {x: {of: rate, show: loss, rows: lambda, columns: policy}}",
		"figures: {x: {of: rate, show: loss, kind: line, x: lambda, series: policy}}",
		"figures: {x: {of: rate, show: loss, kind: points, x: wait, series: [lambda, policy]}}",
		"claims: {x: {of: rate, show: loss, for: lambda, along: policy, order: [a, b]}}",
	} {
		toy := run(t, "\n"+item+"\n", linear, nil)
		cells := len(toy.experiment(t, "rate").Cells)
		for n := 0; ; n++ {
			result, err := Analyze(&doneAfter{t.Context(), n}, toy.plan, unhindered{toy.dataset}, "here", nil)
			if err == nil {
				if n < 1+cells {
					t.Errorf("%s: the context was checked %d times for %d cells", item, n, cells)
				}
				break
			}
			if result != nil || !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: after %d checks: %v, error %v", item, n, result, err)
			}
		}
	}
}
