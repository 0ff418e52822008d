// Error rates of verdicts: numbers with known means and noise, for every test. A verdict
// may be wrong in at most 5 % of claims, whatever the means are.

package analysis

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// world is a claim about numbers with known means: what its rows have at the levels of along.
type world struct {
	name  string
	test  study.Test
	most  bool
	means [][]float64 // by row and level
	noise []float64   // standard deviations, by level; 1 for all if there are none
	wrong Verdict     // NotReproduced if the claim is true in this world, else Reproduced
}

// judge draws the replications of the world and judges the claim on them. All numbers of a
// replication share half of their noise, as with common random numbers.
func (w *world) judge(draw *rand.Rand, replications int) Verdict {
	shared := make([]float64, replications)
	for k := range shared {
		shared[k] = draw.NormFloat64()
	}
	var margins []margin
	for i, means := range w.means {
		row := &claimRow{along: dimension{name: "x"}}
		for level, mean := range means {
			sd := 1.0
			if w.noise != nil {
				sd = w.noise[level]
			}
			terms := make([]float64, replications)
			for k := range terms {
				terms[k] = mean + sd*draw.NormFloat64()
				if len(means) > 1 {
					terms[k] += shared[k]
				}
			}
			row.along.levels = append(row.along.levels, study.NewLabel(fmt.Sprint(level)))
			row.samples = append(row.samples, &sample{
				estimate: statistics.Mean.Estimate(terms),
				series:   series{terms: terms, by: statistics.Mean, scale: 1},
			})
		}
		for _, m := range row.compare(w.test) {
			m.row = fmt.Sprint(i)
			margins = append(margins, m)
		}
	}
	r := rule{most: w.most, hasTolerance: w.test.HasTolerance(), delta: w.test.Delta, correction: 1}
	verdict, _ := r.verdict(margins)
	return verdict
}

// repeat returns n rows with the same means.
func repeat(n int, means ...float64) [][]float64 { return slices.Repeat([][]float64{means}, n) }

func worlds() []world {
	zero, one, three := 0.0, 1.0, 3.0
	labels := func(names ...string) (groups [][]study.Label) {
		for _, name := range names {
			groups = append(groups, []study.Label{study.NewLabel(name)})
		}
		return groups
	}
	order := study.Test{Order: labels("0", "1", "2")}
	equivalent := study.Test{Order: labels("0", "1"), Delta: 1}
	rises, falls, peaks := study.Test{Trend: language.Rises}, study.Test{Trend: language.Falls}, study.Test{
		Trend: language.Peaks,
	}
	above, below := study.Test{Above: &one}, study.Test{Below: &one}
	near, spread := study.Test{Near: &zero, Within: 1}, study.Test{Spread: &three}
	uneven := []float64{0.1, 0.1, 4}
	with := func(rows [][]float64, means ...float64) [][]float64 { return append(rows, means) }
	const t, f = NotReproduced, Reproduced // the wrong verdicts on true and on false claims
	return []world{
		{"all levels are equal", order, false, repeat(1, 0, 0, 0), nil, f},
		{"one of ten rows has two equal levels", order, false, with(repeat(9, 0, 9, 19), 0, 9, 9), nil, f},
		{"one of ten rows is barely the other way", order, false, with(repeat(9, 0, 9, 19), 0, 9, 8.99), nil, f},
		{"ten rows are barely in order", order, false, repeat(10, 0, 1e-9, 2e-9), nil, t},
		{"two of ten rows are equal to the margin", equivalent, false, with(repeat(9, 0, 9), 0, -1), nil, f},
		{"no difference is above the margin", equivalent, false, repeat(10, 0, 1), nil, f},
		{"one of ten is above the margin, the others at its lower end", equivalent, false,
			with(repeat(9, 0, -1), 0, 1.01), nil, t},
		{"flat", rises, false, repeat(1, 0, 0, 0, 0, 0), nil, f},
		{"rises, and one step is flat", rises, false, repeat(1, 0, 5, 10, 10, 15), nil, f},
		{"falls, and one step barely rises", falls, false, repeat(4, 9, 6, 6.01, 3), nil, f},
		{"rises barely", rises, false, repeat(4, 0, 1e-9, 2e-9, 3e-9, 4e-9), nil, t},
		{"rises at the end alone", rises, false, repeat(4, 0, 1e-9, 2e-9, 3e-9, 9), nil, t},
		{"no peak", peaks, false, repeat(1, slices.Repeat([]float64{0}, 10)...), nil, f},
		{"as high as one end", peaks, false, repeat(1, 0, 3, 6, 9, 9), nil, f},
		{"one of six rows has no peak", peaks, false, with(repeat(5, 0, 9, 0), 0, 0, 0), nil, f},
		{"a low peak", peaks, false, repeat(6, 0, 0, 1e-9, 0, 0), nil, t},
		{"one of ten at the limit", above, false, with(repeat(9, 9), 1), nil, f},
		{"ten at the limit", above, false, repeat(10, 1), nil, t},
		{"one of ten at the limit", below, false, with(repeat(9, -9), 1), nil, f},
		{"ten at the limit", below, false, repeat(10, 1), nil, t},
		{"ten on the bound", near, false, repeat(10, 1), nil, t},
		{"five on each bound", near, false, append(repeat(5, 1), repeat(5, -1)...), nil, t},
		{"one of ten outside", near, false, with(repeat(9, 0), 1.001), []float64{0.1}, f},
		{"ten outside", near, false, repeat(10, 1.001), []float64{0.1}, f},
		{"as far as the bound", spread, false, repeat(6, 0, 1, 2, 3), nil, t},
		{"all levels differ by the bound", spread, false, repeat(4, 0, 3, 0, 3, 0, 3), nil, t},
		{"one of six rows differs by more", spread, false, with(repeat(5, 0, 0), 0, 3.001), []float64{0.1, 0.1}, f},
		{"a noisy level differs by more", spread, false, repeat(1, 0, 2.9, 3.001), uneven, f},
		{"no row of ten differs", order, true, repeat(10, 0, 0, 0), nil, f},
		{"half of ten rows hold, the others are equal", order, true,
			append(repeat(5, 0, 9, 19), repeat(5, 0, 0, 0)...), nil, f},
		{"half of ten rows hold, the others barely not", order, true,
			append(repeat(5, 0, 9, 19), repeat(5, 0, -1e-9, -2e-9)...), nil, f},
		{"six of ten rows hold barely", order, true, append(repeat(4, 19, 9, 0), repeat(6, 0, 1e-9, 2e-9)...), nil, t},
		{"six of ten inside, on the bound", near, true, append(repeat(4, 9), repeat(6, 1)...), nil, t},
		{"five of ten inside, the others barely outside", near, true, append(repeat(5, 0), repeat(5, 1.001)...),
			[]float64{0.1}, f},
		{"six of ten rows differ by the bound", spread, true, append(repeat(4, 0, 9), repeat(6, 0, 3)...), nil, t},
		{"six of ten rows are above the margin, four far below", equivalent, true,
			append(repeat(4, 0, -9), repeat(6, 0, 1.001)...), nil, t},
		{"five of ten above the margin, five barely below it", equivalent, true,
			append(repeat(5, 0, 9), repeat(5, 0, -1.001)...), nil, f},
	}
}

func TestErrorRates(t *testing.T) {
	trials, most := 4000, 4000/20
	if testing.Short() {
		trials, most = 400, 400/12 // three standard deviations more than 5 %
	}
	for _, replications := range []int{3, 10} {
		for i, w := range worlds() {
			draw := rand.New(rand.NewPCG(uint64(i), uint64(replications)))
			wrong := 0
			for range trials {
				if w.judge(draw, replications) == w.wrong {
					wrong++
				}
			}
			t.Logf("%4.1f %% wrong of %d replications: %s", 100*float64(wrong)/float64(trials), replications, w.name)
			if wrong > most {
				t.Errorf("%d of %d claims of %d replications are wrong: %s", wrong, trials, replications, w.name)
			}
		}
	}
}

// A comparison is marked as clearly failing exactly if the verdict finds that one clearly fails:
// Bonferroni's correction of the verdict is the first step of Holm's, which makes the marks.
func TestMarksAgreeWithVerdict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var margins []margin
		for range rapid.IntRange(1, 4).Draw(t, "comparisons") {
			terms := make([]float64, 4) // a tie
			if rapid.Bool().Draw(t, "differs") {
				shift := rapid.Float64Range(-3, 1).Draw(t, "shift")
				for k := range terms {
					terms[k] = shift + rapid.Float64Range(-1, 1).Draw(t, "noise")
				}
			}
			s := series{terms: terms, by: statistics.Mean, scale: 1}
			margins = append(margins, margin{series: s, asserts: nonNegative(s), supports: nonNegative(s)})
		}
		r := rule{correction: 1}
		marked, fails := slices.Contains(r.marks(margins), -1), r.pValues(margins).fails
		if marked != (fails <= significance) {
			t.Fatalf("p = %v that one fails, but the marks are %v", fails, r.marks(margins))
		}
	})
}
