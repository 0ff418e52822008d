// Experiments whose cells have different numbers of replications: each number is over its own, a
// comparison over the common ones. Plans are counted against formulas on random numbers.

package analysis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"gridsweep/sweeps"
)

// With rounds_at, each number is over the replications of its cell, and a comparison over those
// that both cells have.
func TestReplicationsOfLevels(t *testing.T) {
	more := `
tables:
  all: {of: more, show: loss, rows: [lambda, policy]}
  less: {of: more, show: loss, rows: lambda, columns: policy, against: {policy: a}}
figures:
  all: {of: more, show: loss, kind: line, x: lambda, series: policy}
  few: {of: more, show: loss, kind: line, x: lambda, series: policy, where: {lambda: [0.1, 0.3], policy: [a, b]}}
  rows: {of: more, show: loss, kind: points, x: wait, series: [lambda, policy]}
claims:
  c is worst: {of: more, show: loss, for: lambda, along: policy, order: [a, c]}
`
	text := strings.Replace(head, "  gaps:",
		"  more: {cross: [lambda, policy], rounds: 2, rounds_at: {lambda: {0.20: 3}, policy: {c: 4, b: 1}}}\n  gaps:", 1)
	toy := runStudy(t, text+more, linear, nil)
	planned := toy.experiment(t, "more")
	want := []int{2, 1, 4, 3, 3, 4, 2, 1, 4}
	result := toy.analyze(t)
	for i, cell := range planned.Cells {
		shown := result.Tables[0].Rows[i].Cells[0]
		if len(cell.Runs) != want[i] || shown.Ran != want[i] || shown.Ours.N != want[i] {
			t.Errorf("%v has %d runs, %d of %d replications, want %d", cell.Labels, len(cell.Runs), shown.Ours.N, shown.Ran,
				want[i])
		}
	}
	if planned.Fewest != 1 || planned.Most != 4 || planned.Runs() != 24 {
		t.Errorf("%d to %d replications, %d runs", planned.Fewest, planned.Most, planned.Runs())
	}
	for row, want := range []int{2, 3, 2} {
		if n := result.Tables[1].Rows[row].Cells[1].Ours.N; n != want {
			t.Errorf("c is compared with a over %d replications, want %d", n, want)
		}
	}
	for i, want := range []string{"Mean over 1 to 4 replications", "Mean over 1 to 2 replications",
		"Every row of the table runs, of all 1 to 4 replications."} {
		if caption := result.Figures[i].Caption; !strings.HasPrefix(caption, want) {
			t.Errorf("%q, want %q", caption, want)
		}
	}
	if c := result.Claims[0].Ours; c.Verdict != Reproduced || len(result.Tables[0].Warnings) > 0 {
		t.Errorf("%s, %q", c.Verdict, result.Tables[0].Warnings)
	}
	quick := readStudy(t, text+"quick: {rounds: 1}\n", nil)
	plan, err := sweeps.Expand(t.Context(), quick, toyModel(linear), sweeps.Options{Quick: true,
		Experiments: []string{"more"}})
	if err != nil || plan.Experiments[0].Runs() != 9 {
		t.Errorf("quick asks for %d runs: %v", plan.Experiments[0].Runs(), err)
	}
}

// The number of runs that is computed without making the cells equals that of the cells.
func TestRunsAskedFor(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var factors []string
		for _, factor := range [][]string{{"lambda", "0.1", "0.2", "0.3"}, {"policy", "a", "b", "c"}, {"gap", "15min", "1h",
			"2h"}} {
			var own []string
			for _, level := range factor[1:] {
				if n := rapid.IntRange(0, 5).Draw(r, level); n > 0 {
					own = append(own, level+": "+string(rune('0'+n)))
				}
			}
			if own != nil {
				factors = append(factors, factor[0]+": {"+strings.Join(own, ", ")+"}")
			}
		}
		at := ""
		if factors != nil {
			at = ", rounds_at: {" + strings.Join(factors, ", ") + "}"
		}
		text := strings.Replace(head, "  gaps:", "  more: {cross: [lambda, policy, gap], rounds: 3"+at+"}\n  gaps:", 1)
		plan, err := sweeps.Expand(t.Context(), readStudy(t, text, nil), toyModel(nil),
			sweeps.Options{Experiments: []string{"more"}})
		if err != nil {
			r.Fatal(err)
		}
		e := plan.Experiments[0]
		if total := e.Bound.TotalRuns().Int64(); total != int64(e.Runs()) {
			r.Errorf("%d runs before expansion, %d in the plan", total, e.Runs())
		}
	})
}

// The replications of other levels do not change the verdict and evidence of a claim.
func TestReplicationsOfOtherLevels(t *testing.T) {
	claims := `
claims:
  above: {of: more, show: loss, where: {lambda: 0.3}, for: policy, above: 30}
  rises: {of: more, show: loss, for: policy, along: lambda, trend: rises, where: {lambda: [0.1, 0.3]}}
`
	var judged []Judgement
	for _, replications := range []string{"rounds: 3", "rounds: 3, rounds_at: {lambda: {0.2: 4}}"} {
		text := strings.Replace(head, "  gaps:", "  more: {cross: [lambda, policy], "+replications+"}\n  gaps:", 1)
		for _, claim := range runStudy(t, text+claims, linear, nil).analyze(t).Claims {
			judged = append(judged, claim.Ours)
		}
	}
	for i := range 2 {
		if diff := cmp.Diff(judged[i], judged[i+2], cmpopts.EquateNaNs()); diff != "" {
			t.Error(diff)
		}
	}
}

// Compared with the worst, no number exceeds 1, also if policies have different numbers of
// replications.
func TestWorstOfOtherReplications(t *testing.T) {
	more := "tables: {x: {of: more, show: loss, rows: policy, against: worst, as: ratio, where: {lambda: [0.2]}}}\n"
	for _, most := range []string{"a", "b", "c"} {
		rising := func(p toyPoint, replication int) *toyOutcome {
			loss := 10 + float64(10*replication)
			if p.Policy == most {
				loss -= 1 // the smallest in each replication, but the largest over all of its own
			}
			return &toyOutcome{Loss: loss}
		}
		text := strings.Replace(head, "  gaps:",
			"  more: {cross: [lambda, policy], rounds: 2, rounds_at: {policy: {"+most+": 4}}}\n  gaps:", 1)
		for _, row := range runStudy(t, text+more, rising, nil).analyze(t).Tables[0].Rows {
			if ratio := row.Cells[0].Ours.Value; ratio > 1 {
				t.Errorf("%s with more replications: %v is %v of the largest", most, row.Labels, ratio)
			}
		}
	}
}
