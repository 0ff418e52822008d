// Sequential tests: coverage of intervals at the looks, the texts of targets, and the forecast of
// how many replications a target takes.

package sequential

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gridsweep/analysis/statistics"
)

// distributions are populations with a known mean.
var distributions = []struct {
	name        string
	mean        float64
	half        float64 // wanted half-width
	granularity float64
	draw        func(*rand.Rand) float64
}{
	{"normal", 10, 0.5, 0, func(r *rand.Rand) float64 { return 10 + 2*r.NormFloat64() }},
	{"skewed", 1, 0.25, 0, (*rand.Rand).ExpFloat64},
	{"long-tailed", math.Exp(0.5), 0.4, 0, func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) }},
	{"0 or 1", 0.3, 0.15, 1, func(r *rand.Rand) float64 { return float64(r.IntN(10) / 7) }},
	{"rare", 0.05, 0.05, 1, func(r *rand.Rand) float64 { return float64(r.IntN(20) / 19) }},
}

// covers returns the share of sequences whose last interval holds the mean.
func covers(t *testing.T, i int, mean func(values []float64, look int) statistics.Estimate) float64 {
	t.Helper()
	const sequences, most = 4000, 2000
	d, r := distributions[i], rand.New(rand.NewPCG(26, uint64(i)))
	target, covered := Target{HalfWidth: d.half}, 0
	for range sequences {
		var values []float64
		for n, look := fewest, 1; ; n, look = next(n, most), look+1 {
			for len(values) < n {
				values = append(values, d.draw(r))
			}
			e := mean(values, look)
			if !target.isReached(e) && n < most {
				continue
			}
			if e.Low <= d.mean && d.mean <= e.High {
				covered++
			}
			break
		}
	}
	return float64(covered) / sequences
}

// The interval at the look that ends the replications covers the mean in 95 % of all cases.
func TestIntervalsAtTheEndCover(t *testing.T) {
	const deviations = 3 * 0.0035 // of a share of 95 % in 4,000 sequences
	for i, d := range distributions {
		share := covers(t, i, func(values []float64, look int) statistics.Estimate {
			return statistics.MeanAtLook(values, d.granularity, look)
		})
		t.Logf("%s: corrected intervals cover in %.1f %%", d.name, 100*share)
		if share < statistics.Confidence-deviations {
			t.Errorf("%s: corrected intervals cover in %.1f %%", d.name, 100*share)
		}
	}
}

// Without the correction they cover less, so the test above can fail.
func TestUncorrectedIntervalsCoverLess(t *testing.T) {
	for i, d := range distributions {
		share := covers(t, i, func(values []float64, _ int) statistics.Estimate { return statistics.Mean.Estimate(values) })
		t.Logf("%s: uncorrected intervals cover in %.1f %%", d.name, 100*share)
		if share >= statistics.Confidence {
			t.Errorf("%s: uncorrected intervals cover in %.1f %%", d.name, 100*share)
		}
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		text string
		want Target
	}{
		{"decided", Target{WantsVerdicts: true}},
		{"decided in readings of pairs", Target{WantsVerdicts: true, Experiment: "readings of pairs"}},
		{"blocking ±1%", Target{Column: "blocking", HalfWidth: 0.01, IsRelative: true}},
		{"blocking +-0.5", Target{Column: "blocking", HalfWidth: 0.5}},
		{"blocking±5 % in rate", Target{Column: "blocking", HalfWidth: 0.05, IsRelative: true, Experiment: "rate"}},
		{"wait +/- 1e1 in rate lambda=0.3 next=1G", Target{Column: "wait", HalfWidth: 10, Experiment: "rate",
			Levels: [][2]string{{"lambda", "0.3"}, {"next", "1G"}}}},
		{"wait ±5s", Target{Column: "wait", HalfWidth: 5}},
		{"wait ±5 s in rate", Target{Column: "wait", HalfWidth: 5, Experiment: "rate"}},
		{"wait ±5 in lambda=0.3", Target{Column: "wait", HalfWidth: 5, Levels: [][2]string{{"lambda", "0.3"}}}},
	} {
		got, err := Parse(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got.Column != test.want.Column || got.HalfWidth != test.want.HalfWidth || got.IsRelative != test.want.IsRelative ||
			got.WantsVerdicts != test.want.WantsVerdicts || got.Experiment != test.want.Experiment ||
			len(got.Levels) != len(test.want.Levels) || got.Text != test.text {
			t.Errorf("%s: %+v", test.text, got)
		}
	}
	for text, want := range map[string]string{
		"":                        "is no target",
		"blocking":                "is no target",
		"blocking ±":              "is no target",
		"blocking ±x":             "is no target",
		"blocking ±0":             "no number above 0",
		"blocking ±-1":            "no number above 0",
		"blocking ±1e999":         "no number above 0",
		"blocking ±1..2":          "no number above 0",
		"blocking ±1 % of a":      "is no target",
		"blocking ±1% in":         "is no target",
		"blocking ±1% in a b":     "FACTOR=LEVEL",
		"blocking ±1% in a b=c d": "FACTOR=LEVEL",
		"blocking ±1% of a":       "is no target",
		"decided of a":            "is no target",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("blocking ±1% in rate lambda=0.3")
	f.Add("decided")
	f.Fuzz(func(t *testing.T, text string) {
		target, err := Parse(text)
		if err == nil && !target.WantsVerdicts && !(target.HalfWidth > 0 && !math.IsInf(target.HalfWidth, 0)) {
			t.Errorf("%q: half-width %v", text, target.HalfWidth)
		}
	})
}

// Equal values of a column with a granularity are no proof that others do not occur.
func TestEqualValues(t *testing.T) {
	zeros, relative := make([]float64, 30), Target{HalfWidth: 0.01, IsRelative: true}
	if e := statistics.MeanAtLook(zeros, 1, 1); !(e.High > 0.1) || relative.isReached(e) {
		t.Errorf("30 times 0 of counts: up to %v", e.High)
	}
	if e := statistics.MeanAtLook(zeros, 0, 1); e.Low != 0 || e.High != 0 || !relative.isReached(e) {
		t.Errorf("30 times 0: %v to %v", e.Low, e.High)
	}
	if relative.isReached(statistics.MeanAtLook(zeros[:20], 0, 1)) {
		t.Error("20 equal values suffice")
	}
}

// The forecast is the number of replications at which the same mean and deviation reach the target.
func TestNeeded(t *testing.T) {
	cell := Cell{N: 10, Mean: statistics.MeanAtLook([]float64{8, 12, 9, 11, 10, 8, 12, 9, 11, 10}, 0, 1)}
	target := Target{HalfWidth: 0.01, IsRelative: true}
	n, reached := target.needed(cell, 1, 100_000)
	if half := statistics.HalfWidthAtLook(cell.Mean.SD, 0, n, lookOf(n)); !reached || half > 0.1 {
		t.Errorf("%d replications have a half-width of %v", n, half)
	}
	if before := n * 2 / 3; statistics.HalfWidthAtLook(cell.Mean.SD, 0, before, lookOf(n)-1) <= 0.1 {
		t.Errorf("%d replications suffice", before)
	}
	if n, reached := target.needed(cell, 1, 50); reached || n != 50 {
		t.Errorf("with at most 50: %d, %t", n, reached)
	}
}

// lookOf returns the look at which a cell has n replications.
func lookOf(n int) int {
	look := 1
	for k := fewest; k < n; k = next(k, n) {
		look++
	}
	return look
}
