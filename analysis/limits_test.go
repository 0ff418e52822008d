// Values outside the limits of an axis, counted in captions; SideOf on random limits; and the
// warning that sums up missing runs.

package analysis

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The caption counts each value outside the limits once and tells how it is drawn.
func TestCaptionCountsValuesOutside(t *testing.T) {
	more := `
figures:
  within: {of: solo, show: loss, kind: bar, x: policy, range: {y: [-10, 10]}}
  bar: {of: solo, show: loss, kind: bar, x: policy, range: {y: [-5, 5]}}
  log: {of: solo, show: loss, kind: line, x: policy, log: y, range: {y: [1, 5]}}
  heat: {of: solo, show: loss, kind: heat, x: policy, series: metric, range: {y: [0, 5]}}
  points: {of: solo, show: loss, kind: points, x: wait, series: policy, range: {x: [0, 1.5], y: [0, 5]}}
  names: {of: solo, show: loss, kind: line, x: policy, range: {x: [1, 2]}}
`
	want := []string{
		"",
		"2 of 3 values lie outside the limits of the vertical axis: bars are cut there, with the value where there is room.",
		"1 of 3 values lies outside the limits of the vertical axis: their marks stand at the limit, with an arrow and, " +
			"where there is room, the value.",
		"2 of 3 values lie outside the limits of the colours: an arrow marks them.",
		"4 of 12 values lie left or right of the limits and are not shown. 4 of 12 values lie outside the limits of the " +
			"vertical axis: " +
			"their marks stand at the limit, with an arrow and, where there is room, the value.",
		"",
	}
	figures := run(t, more, func(p toyPoint, _ int) *toyOutcome {
		return &toyOutcome{
			Loss: map[string]float64{"a": -10, "b": 5, "c": 10}[p.Policy], Wait: map[string]float64{"a": 1, "b": 1,
				"c": 2}[p.Policy],
		}
	}, nil).analyze(t).Figures
	for i, figure := range figures {
		if have := figure.Outside(); have != want[i] || !strings.HasSuffix(figure.Caption, want[i]) {
			t.Errorf("%s: %q, want %q; caption %q", figure.Name, have, want[i], figure.Caption)
		}
	}
}

// SideOf returns 0 for a limit itself despite rounding, but not for a value a millionth outside.
func TestSideOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-1e6, 1e6).Draw(t, "low")
		width := rapid.Float64Range(1e-3, 1e6).Draw(t, "width")
		limits := [2]float64{low, low + width}
		share := rapid.Float64Range(-2, 3).Draw(t, "share")
		want := 0
		switch {
		case share < -1e-6:
			want = -1
		case share > 1+1e-6:
			want = 1
		case share < 0 || share > 1:
			t.Skip("too close to tell")
		}
		if got := SideOf(limits, low+share*width); got != want {
			t.Fatalf("side %d at %v of the way, want %d", got, share, want)
		}
		if SideOf(limits, limits[0]) != 0 || SideOf(limits, limits[1]) != 0 || SideOf(limits, math.NaN()) != 0 {
			t.Fatal("a limit or NaN lies outside")
		}
	})
}

// Missing runs make one warning for a table or claim, in which a run of two blocks counts once.
func TestMissingRunsAreOneSentence(t *testing.T) {
	more := `
tables:
  x: {show: wait, columns: policy, blocks: [{of: solo, label: mean}, {of: solo, stat: sd, label: sd}]}
  y: {of: solo, show: wait, columns: policy, where: {policy: [b, c]}}
claims:
  all: {of: solo, show: wait, along: policy, order: [a, b, c]}
`
	result := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		if p.Policy == "a" && replication > 0 {
			return nil
		}
		return steps(p, replication)
	}, nil).analyze(t)
	const want = "3 of 12 runs are missing"
	if have := strings.Join(result.Tables[0].Warnings, "; "); have != want {
		t.Errorf("table: %q", have)
	}
	if have := result.Tables[1].Warnings; len(have) > 0 {
		t.Errorf("table of other runs: %q", have)
	}
	if have := result.Claims[0].Ours.Note; strings.Count(have, want) != 1 || strings.Contains(have, "policy=") {
		t.Errorf("claim: %q", have)
	}
}
