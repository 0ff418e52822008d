// Synthetic checks: a known universe is found, foreign data fits none, correlated numbers do not
// make the weights overconfident.

package likelihood

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/analysis/statistics"
)

// world draws replications of universes whose numbers share a common disturbance, as the numbers of
// one run share its arrivals.
type world struct {
	random       *rand.Rand
	means        [][]float64 // by universe and number
	replications int
	shared       float64 // share of the variance that all numbers of a run have in common
	runs         int     // of which a published number is the mean
	trimmed      bool    // whether these are what remains of two more runs
	unit         float64
	held         int // numbers held out, the last ones
}

// noise returns the residuals of a run, with variance 1.
func (w *world) noise() []float64 {
	common, residuals := w.random.NormFloat64(), make([]float64, len(w.means[0]))
	for j := range residuals {
		residuals[j] = math.Sqrt(w.shared)*common + math.Sqrt(1-w.shared)*w.random.NormFloat64()
	}
	return residuals
}

// ours returns our values, with common random numbers across universes.
func (w *world) ours() [][][]float64 {
	values := make([][][]float64, len(w.means))
	for range w.replications {
		residuals := w.noise()
		for u, means := range w.means {
			values[u] = append(values[u], plus(means, residuals))
		}
	}
	return values
}

// rank ranks universes by numbers with values by universe, replication and number.
func rank(numbers []Number, values [][][]float64) *Ranking {
	numbers = slices.Clone(numbers)
	for j := range numbers {
		numbers[j].Ours = make([][]float64, len(values))
		for u, replications := range values {
			for _, row := range replications {
				numbers[j].Ours[u] = append(numbers[j].Ours[u], row[j])
			}
		}
	}
	return Rank(numbers, len(values))
}

// published returns the numbers that a paper prints if the means are true.
func (w *world) published(means []float64) []Number {
	statistic, runs := statistics.Mean, w.runs
	if w.trimmed {
		statistic, runs = statistics.Trimmed, w.runs+2
	}
	noise := make([][]float64, len(means)) // by number and run
	for range runs {
		for j, residual := range w.noise() {
			noise[j] = append(noise[j], residual)
		}
	}
	numbers := make([]Number, len(means))
	for j := range numbers {
		value := means[j] + statistic.Of(noise[j])
		numbers[j] = Number{
			Value: math.Round(value/w.unit) * w.unit, Runs: w.runs, Trimmed: w.trimmed, Unit: w.unit,
			HeldOut: j >= len(means)-w.held,
		}
	}
	return numbers
}

func plus(a, b []float64) []float64 {
	sum := make([]float64, len(a))
	for i := range sum {
		sum[i] = a[i] + b[i]
	}
	return sum
}

// shifted returns the means of universes: universe u moves the numbers u, u + every, u + 2·every, …
// by size.
func shifted(universes, numbers, every int, size float64) [][]float64 {
	means := make([][]float64, universes)
	for u := range means {
		means[u] = make([]float64, numbers)
		for j := range means[u] {
			means[u][j] = 10 + float64(j)
			if j%every == u {
				means[u][j] += size
			}
		}
	}
	return means
}

// rates returns how often each property of a ranking holds over seeded draws.
func rates(draws int, draw func(random *rand.Rand) []bool) []float64 {
	var counts []float64
	for i := range draws {
		held := draw(rand.New(rand.NewPCG(24, uint64(i))))
		if counts == nil {
			counts = make([]float64, len(held))
		}
		for k, h := range held {
			if h {
				counts[k] += 1 / float64(draws)
			}
		}
	}
	return counts
}

func TestKnownUniverseIsFoundAndFits(t *testing.T) {
	for _, c := range []struct {
		what         string
		replications int
		shared       float64
		runs         int
		trimmed      bool
		size, unit   float64
	}{
		{"independent numbers", 10, 0, 1, false, 3, 0.01},
		{"correlated numbers", 10, 0.5, 1, false, 3, 0.01},
		{"means of 8 runs", 10, 0.3, 8, false, 2, 0.01},
		{"trimmed means of 8 of 10 runs", 10, 0.3, 8, true, 2, 0.01},
		{"independent trimmed means", 10, 0, 8, true, 2, 0.01},
		{"trimmed means, six replications", 6, 0.3, 8, true, 2, 0.01},
		{"trimmed means, hundred replications", 100, 0.3, 8, true, 2, 0.01},
		{"two replications", 2, 0.3, 1, false, 3, 0.01},
		{"five replications", 5, 0.3, 1, false, 3, 0.01},
		{"printed to whole units", 10, 0.3, 1, false, 4, 1},
		{"hundred replications", 100, 0.3, 1, false, 3, 0.01},
	} {
		have := rates(400, func(random *rand.Rand) []bool {
			w := &world{random: random, means: shifted(8, 80, 8, c.size), replications: c.replications, shared: c.shared,
				runs: c.runs, trimmed: c.trimmed, unit: c.unit, held: 40}
			truth := random.IntN(8)
			ranking := rank(w.published(w.means[truth]), w.ours())
			return []bool{ranking.Fits[0].Universe == truth, ranking.FitsNone()}
		})
		t.Logf("%s: found %.3f, fits none %.3f", c.what, have[0], have[1])
		if have[0] < 0.95 {
			t.Errorf("%s: the true universe is the best in %.3f of draws", c.what, have[0])
		}
		if have[1] > 0.08 {
			t.Errorf("%s: data of a universe is said to fit none in %.3f of draws", c.what, have[1])
		}
	}
}

func TestForeignDataFitsNone(t *testing.T) {
	for _, c := range []struct {
		what         string
		replications int
		shared, off  float64
	}{
		{"independent numbers", 10, 0, 2},
		{"correlated numbers", 10, 0.3, 3},
		{"five replications", 5, 0.3, 5},
	} {
		have := rates(400, func(random *rand.Rand) []bool {
			w := &world{random: random, means: shifted(8, 80, 8, 3), replications: c.replications, shared: c.shared,
				runs: 1, unit: 0.01, held: 40}
			foreign := slices.Clone(w.means[0])
			for j := range foreign {
				if j%2 == 0 {
					foreign[j] += c.off
				} else {
					foreign[j] -= c.off
				}
			}
			return []bool{rank(w.published(foreign), w.ours()).FitsNone()}
		})
		t.Logf("%s: fits none %.3f", c.what, have[0])
		if have[0] < 0.9 {
			t.Errorf("%s: data of no universe is said to fit none in only %.3f of draws", c.what, have[0])
		}
	}
}

// Universes that shift all numbers together differ exactly where a run's common disturbance moves
// the numbers, the worst case for likelihoods that take the numbers as independent.
func TestWeightsOfCorrelatedNumbers(t *testing.T) {
	for _, c := range []struct {
		what         string
		replications int
		shared       float64
		runs         int
		trimmed      bool
	}{
		{"independent numbers", 10, 0, 1, false},
		{"weakly correlated numbers", 10, 0.1, 1, false},
		{"strongly correlated numbers", 10, 0.6, 1, false},
		{"five replications", 5, 0.4, 1, false},
		{"trimmed means", 10, 0.4, 8, true},
		{"trimmed means of six replications", 6, 0.4, 8, true},
	} {
		const universes, numbers = 9, 60
		naive := 0.0
		have := rates(400, func(random *rand.Rand) []bool {
			means := make([][]float64, universes)
			for u := range means {
				means[u] = slices.Repeat([]float64{10 + 0.25*float64(u)}, numbers)
			}
			w := &world{random: random, means: means, replications: c.replications, shared: c.shared, runs: c.runs,
				trimmed: c.trimmed, unit: 0.01}
			truth := random.IntN(universes)
			ranking := rank(w.published(means[truth]), w.ours())
			i := slices.IndexFunc(ranking.Fits, func(f Fit) bool { return f.Universe == truth })
			if ranking.Fits[i].Score-ranking.Fits[0].Score >= math.Log(0.05) {
				naive += 1.0 / 400
			}
			return []bool{ranking.Fits[i].Weight >= 0.05}
		})
		t.Logf("%s: weight %.3f, naive %.3f", c.what, have[0], naive)
		if have[0] < 0.9 {
			t.Errorf("%s: the true universe has a weight of 5 %% in only %.3f of draws", c.what, have[0])
		}
		if c.shared > 0.5 && naive > 0.7 {
			t.Errorf("%s: the case is easy: without adjustment the weight is 5 %% in %.3f of draws", c.what, naive)
		}
	}
}

// The correlation of all numbers is ρ, so shifts of all of them count as about 1/ρ numbers.
func TestIndependentNumbers(t *testing.T) {
	for _, c := range []struct{ shared, least, most float64 }{{0, 45, 60}, {0.2, 4, 7}, {0.5, 1.8, 2.8}} {
		w := &world{random: rand.New(rand.NewPCG(5, 5)), replications: 100, shared: c.shared, runs: 1, unit: 0.01,
			means: [][]float64{slices.Repeat([]float64{10}, 60), slices.Repeat([]float64{11}, 60)}}
		ranking := rank(w.published(w.means[0]), w.ours())
		if have := ranking.Fits[1].Independent; have < c.least || have > c.most {
			t.Errorf("correlation %v: %.1f independent numbers, want %v to %v", c.shared, have, c.least, c.most)
		}
	}
}

func rows(values ...float64) [][]float64 {
	all := make([][]float64, len(values))
	for k, value := range values {
		all[k] = []float64{value}
	}
	return all
}

func TestScore(t *testing.T) {
	near := func(what string, have, want float64) {
		t.Helper()
		if !(math.Abs(have-want) < 1e-5) {
			t.Errorf("%s: %v, want %v", what, have, want)
		}
	}
	score := func(value float64, runs int, unit float64, values ...float64) float64 {
		return rank([]Number{{Value: value, Runs: runs, Unit: unit}}, [][][]float64{rows(values...)}).Fits[0].Score
	}
	const mode = 0.353553 // density of Student's t with 2 degrees of freedom at 0
	near("one run", score(2, 1, 1e-9, 1, 2, 3), math.Log(mode/math.Sqrt(4.0/3)))
	near("mean of 6 runs", score(2, 6, 1e-9, 1, 2, 3), math.Log(mode/math.Sqrt(1.0/2)))
	near("missing value", score(2, 1, 1e-9, 1, math.NaN(), 2, 3), math.Log(mode/math.Sqrt(4.0/3)))
	near("rounding", score(2, 1, 6, 1, 2, 3), math.Log(mode/math.Sqrt(4.0/3+3)))
	near("equal values", score(7, 1, 1, 7, 7, 7), math.Log(mode/math.Sqrt(4.0/3/4+1.0/12)))
	// Of 1, 2, 3, 4 and 90 three are kept: 2, 3 and 4. Winsorised they are 2, 2, 3, 4 and 4, so v
	// is 4/2.
	trimmed := []Number{{Value: 3, Runs: 8, Trimmed: true, Unit: 6}}
	near("trimmed mean", rank(trimmed, [][][]float64{rows(3, math.NaN(), 90, 1, 4, 2)}).Fits[0].Score,
		math.Log(mode/math.Sqrt(2*(1.0/3+1.0/8)+3)))
	near("equal values kept", rank(trimmed, [][][]float64{rows(3, 3, 90, 1, 3)}).Fits[0].Score,
		math.Log(mode/math.Sqrt(36.0/4*(1.0/3+1.0/8)+3)))
	if three := rank(trimmed, [][][]float64{rows(1, 2, 3), rows(1, 2, 3, 4)}); three.LeftOut+len(three.Unranked) != 1 {
		t.Errorf("a trimmed mean of 3 is predicted: %+v", three)
	}
}

func TestWhatIsRanked(t *testing.T) {
	nan := math.NaN()
	numbers := []Number{
		{Value: 1, Runs: 1, Unit: 1}, {Value: 1, Runs: 1, Unit: 1, HeldOut: true}, {Value: 1, Runs: 1, Unit: 1}}
	ranking := rank(numbers, [][][]float64{
		{{5, 1, 1}, {6, 1, 1}, {7, 1, 2}, {5, 2, 1}},
		{{nan, nan, 1}, {nan, 1, 1}, {2, nan, 1}, {nan, nan, 1}},
		{{1, 1, nan}, {1, 2, nan}, {1, 1, 1}, {2, 1, nan}},
	})
	if ranking.Fitted != 1 || ranking.HeldOut != 1 || ranking.LeftOut != 1 || !slices.Equal(ranking.Unranked, []int{1}) {
		t.Errorf("%d fitted, %d held out, %d left out, %v unranked", ranking.Fitted, ranking.HeldOut, ranking.LeftOut,
			ranking.Unranked)
	}
	if len(ranking.Fits) != 2 || ranking.Fits[0].Universe != 2 || !math.IsNaN(ranking.Fits[1].Weight) {
		t.Errorf("fits %+v", ranking.Fits)
	}
	ranking = rank(numbers[:1], [][][]float64{rows(1, 2, 3, 4)})
	if fit := ranking.Fits[0]; !math.IsNaN(fit.PValue) || !math.IsNaN(fit.HeldScore) || ranking.FitsNone() {
		t.Errorf("without numbers held out: %+v", fit)
	}
	if empty := Rank(nil, 0); len(empty.Fits) > 0 || empty.FitsNone() {
		t.Errorf("nothing ranked: %+v", empty)
	}
}

// A universe is named with at least FewestReplications and FewestFitted and numbers held out,
// together with those of the same score; others of a large weight are not told apart from it.
func TestWhatIsNamed(t *testing.T) {
	for _, c := range []struct {
		replications, fitted, held int
		names                      bool
	}{{4, 5, 1, false}, {5, 4, 1, false}, {5, 5, 1, true}, {5, 5, 0, false}} {
		w := &world{random: rand.New(rand.NewPCG(3, 3)), replications: c.replications, runs: 1, unit: 0.01,
			means: [][]float64{slices.Repeat([]float64{10}, c.fitted), slices.Repeat([]float64{10.2}, c.fitted),
				slices.Repeat([]float64{40}, c.fitted)}}
		numbers, ours := w.published(w.means[0]), w.ours()
		ours = append(ours, ours[0]) // a universe without an effect
		if c.held > 0 {
			last := numbers[0]
			last.HeldOut = true
			numbers = append(numbers, last)
			for u := range ours {
				ours[u] = slices.Clone(ours[u])
				for k, row := range ours[u] {
					ours[u][k] = append(slices.Clip(row), row[0])
				}
			}
		}
		ranking := rank(numbers, ours)
		if ranking.NamesBest() != c.names || ranking.Replications != c.replications {
			t.Errorf("%+v: names %v after %d replications", c, ranking.NamesBest(), ranking.Replications)
		}
		universes := func(fits []Fit) (indices []int) {
			for _, fit := range fits {
				indices = append(indices, fit.Universe)
			}
			return indices
		}
		if best := universes(ranking.Best()); !slices.Equal(best, []int{0, 3}) {
			t.Errorf("%+v: the best are %v", c, best)
		}
		weights := []float64{ranking.Fits[0].Weight, ranking.Fits[1].Weight}
		if c.replications < FewestReplications {
			if !math.IsNaN(weights[0]) || len(ranking.NotToldApart()) > 0 {
				t.Errorf("%+v: weights %v, not told apart %v", c, weights, ranking.NotToldApart())
			}
			continue
		}
		others := universes(ranking.NotToldApart())
		if !slices.Equal(others, []int{1}) || weights[0] != 1 || weights[1] != 1 {
			t.Errorf("%+v: weights %v, not told apart %v", c, weights, others)
		}
	}
	if none := Rank(nil, 0); none.NamesBest() || len(none.Best())+len(none.NotToldApart()) > 0 {
		t.Errorf("nothing ranked names %+v", none)
	}
}

// No universe fits if the numbers held out contradict the best and all that are not told apart.
func TestFitsNoneOfTheCandidates(t *testing.T) {
	for _, c := range []struct {
		others []Fit
		none   bool
	}{
		{nil, true},
		{[]Fit{{Score: -2, Weight: 0.42, PValue: 0.092}}, false},
		{[]Fit{{Score: -2, Weight: 0.42, PValue: 0.03}}, true},
		{[]Fit{{Score: -9, Weight: 0.01, PValue: 0.9}}, true},
		{[]Fit{{Score: -2, Weight: 0.42, PValue: math.NaN()}}, false},
	} {
		ranking := &Ranking{Fits: append([]Fit{{Score: -1, Weight: 1, PValue: 0.01}}, c.others...)}
		if ranking.FitsNone() != c.none {
			t.Errorf("%+v: fits none %v", c.others, ranking.FitsNone())
		}
	}
}

// Numbers that are the same in all replications contradict other numbers and agree with their own.
func TestConstantNumbers(t *testing.T) {
	constant := slices.Repeat([][]float64{{3.14159, 2.71828}}, 5)
	for _, c := range []struct {
		value float64
		none  bool
	}{{2.72, false}, {3.5, true}} {
		numbers := []Number{{Value: 3.14, Runs: 1, Unit: 0.01}, {Value: c.value, Runs: 1, Unit: 0.01, HeldOut: true}}
		if ranking := rank(numbers, [][][]float64{constant}); ranking.FitsNone() != c.none {
			t.Errorf("%v held out: p = %v", c.value, ranking.Fits[0].PValue)
		}
	}
}

// Another unit of measurement changes no weight, and the order of universes no score.
func TestInvariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{random: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), means: shifted(3, 12, 3, 1),
			replications: rapid.IntRange(4, 9).Draw(t, "replications"), shared: 0.4, runs: 1, unit: 0.01, held: 6}
		numbers, ours := w.published(w.means[0]), w.ours()
		scale := rapid.Float64Range(0.001, 1000).Draw(t, "scale")
		scaled, other := slices.Clone(numbers), [][][]float64{}
		for j := range scaled {
			scaled[j].Value, scaled[j].Unit = scaled[j].Value*scale, scaled[j].Unit*scale
		}
		for _, u := range []int{2, 1, 0} {
			var replications [][]float64
			for _, values := range ours[u] {
				row := make([]float64, len(values))
				for j := range row {
					row[j] = values[j] * scale
				}
				replications = append(replications, row)
			}
			other = append(other, replications)
		}
		a, b := rank(numbers, ours), rank(scaled, other)
		for i := range a.Fits {
			x, y := a.Fits[i], b.Fits[i]
			if x.Universe != 2-y.Universe || math.Abs(x.Weight-y.Weight) > 1e-9 || math.Abs(x.PValue-y.PValue) > 1e-6 {
				t.Fatalf("fit %d: %+v, scaled and reversed %+v", i, x, y)
			}
		}
	})
}
