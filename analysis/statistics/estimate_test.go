// Estimates, confidence intervals and prediction intervals: against textbook values, and by their
// coverage of simulated samples, also with missing or too few replications.

package statistics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

var nan = math.NaN()

func near(t *testing.T, what string, have, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(have) != math.IsNaN(want) || math.Abs(have-want) > tolerance {
		t.Errorf("%s: %v, want %v", what, have, want)
	}
}

// The nine values have mean 5 and deviation √7.5; t(.975, 8) = 2.306004 and t(.975, 6) = 2.446912
// are in any table.
func TestTextbook(t *testing.T) {
	values := []float64{9, 1, 8, 2, 7, 3, 6, 4, 5}
	half := 2.306004 * math.Sqrt(7.5) / 3
	cases := []struct {
		stat             Statistic
		value, low, high float64
	}{
		{Mean, 5, 5 - half, 5 + half},
		{Median, 5, 2, 8}, // 1 − 2·(1 + 9)/512 = 96.1 %
		// Winsorised 2 2 3 4 5 6 7 8 8: squares 46; the squared standard error is 46/(7·6).
		{Trimmed, 5, 5 - 2.446912*math.Sqrt(46.0/42), 5 + 2.446912*math.Sqrt(46.0/42)},
		{Min, 1, nan, nan},
		{Max, 9, nan, nan},
	}
	for _, c := range cases {
		e := c.stat.Estimate(values)
		near(t, string(c.stat), e.Value, c.value, 1e-12)
		near(t, string(c.stat)+" low", e.Low, c.low, 1e-5)
		near(t, string(c.stat)+" high", e.High, c.high, 1e-5)
		near(t, string(c.stat)+" deviation", e.SD, math.Sqrt(7.5), 1e-12)
		if e.N != 9 {
			t.Errorf("%s: n = %d", c.stat, e.N)
		}
	}
	near(t, "sd", SD.Estimate(values).Value, math.Sqrt(7.5), 1e-12)
}

// Each word for a statistic in study files has a definition, and a comparison of two such numbers
// has an interval if they have: that of the replications' comparisons, or the jackknife's. The
// deviation of differences is no difference of deviations.
func TestEveryStatisticIsDefined(t *testing.T) {
	for _, stat := range All() {
		e := stat.Estimate([]float64{1, 2, 3, 4, 5, 6, 7, 8})
		if e.HasInterval() != stat.HasInterval() || stat.IntervalName() == "" || !(e.Value > 0) {
			t.Errorf("%s: %v, %q", stat, e, stat.IntervalName())
		}
		if stat.HasInterval() && !stat.IsPairwise() && !stat.IsSmooth() {
			t.Errorf("%s has an interval, but no comparison of two has one", stat)
		}
		if stat.IsPairwise() != (stat.definition().pValue != nil) {
			t.Errorf("%s is pairwise without a test or has a test and is not pairwise", stat)
		}
		if stat.IsPairwise() && !stat.HasInterval() {
			t.Errorf("%s is pairwise without an interval", stat)
		}
		if measures := stat.Measures(); measures < Location || measures > Extreme {
			t.Errorf("%s measures neither a location, nor a dispersion, nor an extreme", stat)
		}
		if stat.Measures() == Dispersion && stat.IsPairwise() {
			t.Errorf("%s is a dispersion and is taken of differences", stat)
		}
	}
}

func TestTooFew(t *testing.T) {
	least := map[Statistic]int{Mean: 2, Median: 6, Trimmed: 4, SD: 3}
	for _, stat := range All() {
		n, known := least[stat]
		if known != stat.HasInterval() {
			t.Errorf("%s needs the fewest values of an interval if and only if it has one", stat)
		}
		if fewest := stat.FewestOfInterval(); fewest != n {
			t.Errorf("%s needs %d values of an interval, not %d", stat, n, fewest)
		}
		if !known {
			continue
		}
		values := []float64{3, 1, 4, 1.5, 5, 9}
		if e := stat.Estimate(values[:n]); !e.HasInterval() {
			t.Errorf("%s of %d has no interval: %v", stat, n, e)
		}
		if e := stat.Estimate(values[:n-1]); e.HasInterval() {
			t.Errorf("%s of %d has an interval: %v", stat, n-1, e)
		}
	}
	for _, stat := range All() {
		if e := stat.Estimate(nil); !math.IsNaN(e.Value) || e.N != 0 || e.HasInterval() {
			t.Errorf("%s of nothing: %v", stat, e)
		}
	}
}

// NaN is a missing replication: estimates leave it out.
func TestMissingReplicationsAreLeftOut(t *testing.T) {
	full, holes := []float64{3, 1, 4, 1.5, 5, 9, 2.6}, []float64{nan, 3, 1, nan, 4, 1.5, 5, 9, nan, 2.6}
	for _, stat := range All() {
		a, b := stat.Estimate(full), stat.Estimate(holes)
		near(t, string(stat), b.Value, a.Value, 0)
		near(t, string(stat)+" low", b.Low, a.Low, 0)
		if b.N != 7 {
			t.Errorf("%s: n = %d", stat, b.N)
		}
	}
}

func TestConstantHasNoWidth(t *testing.T) {
	values := slices.Repeat([]float64{0.1}, 10)
	for _, stat := range All() {
		if e := stat.Estimate(values); stat.HasInterval() && (e.Low != e.Value || e.High != e.Value) {
			t.Errorf("%s of equal values: %v", stat, e)
		}
	}
}

// coverage returns how often the interval of n normal values with mean 10 and deviation 2 holds the
// truth.
func coverage(n int, truth float64, interval func([]float64) (low, high float64)) float64 {
	normal := func(random *rand.Rand) float64 { return 10 + 2*random.NormFloat64() }
	return coverageOf(normal, n, truth, interval)
}

// coverageOf returns how often the interval of n drawn values holds the truth.
func coverageOf(
	draw func(*rand.Rand) float64, n int, truth float64, interval func([]float64) (low, high float64),
) float64 {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	const trials = 4000
	hits := 0
	for range trials {
		if low, high := interval(drawn(random, draw, n)); low <= truth && truth <= high {
			hits++
		}
	}
	return float64(hits) / trials
}

// The interval of each statistic holds the true value in about 95 % of samples, and the test of the
// replications rejects the true value at 5 % exactly where the interval leaves it out, so that its
// level is right, too. Normal values have one location; in exponential ones the mean, the median
// and the trimmed mean differ.
func TestCoverage(t *testing.T) {
	draws := map[string]func(*rand.Rand) float64{
		"normal":      func(random *rand.Rand) float64 { return 10 + 2*random.NormFloat64() },
		"exponential": (*rand.Rand).ExpFloat64, // with mean 1
	}
	// The extremes of n exponential values have the means 1/n and 1 + 1/2 + … + 1/n, for 40 4.2785.
	const trimmedOf40 = (40 - 1./40 - 4.2785) / 38
	type sampling struct {
		draw       string
		n          int
		truth      float64
		least, top float64
	}
	samplings := map[Statistic][]sampling{
		Mean: {
			{"normal", 3, 10, 0.94, 0.96}, {"normal", 10, 10, 0.94, 0.96}, {"exponential", 40, 1, 0.92, 0.96},
		},
		Median: {
			{"normal", 6, 10, 0.96, 0.98}, {"normal", 10, 10, 0.97, 0.99}, {"exponential", 40, math.Ln2, 0.95, 0.97},
		},
		Trimmed: {{"normal", 10, 10, 0.935, 0.965}, {"exponential", 40, trimmedOf40, 0.92, 0.96}},
		// The jackknife is somewhat narrow, and more so with heavier tails.
		SD: {{"normal", 30, 2, 0.90, 0.96}, {"exponential", 40, 1, 0.80, 0.96}},
	}
	for _, stat := range All() {
		for name := range draws {
			of := func(s sampling) bool { return s.draw == name }
			if slices.ContainsFunc(samplings[stat], of) != stat.HasInterval() {
				t.Errorf("%s needs its true value in %s samples if and only if it has an interval", stat, name)
			}
		}
		for _, s := range samplings[stat] {
			differ := 0
			have := coverageOf(draws[s.draw], s.n, s.truth, func(values []float64) (float64, float64) {
				e, p := stat.Estimate(values), testOf(stat, values, s.truth)
				if (p < 0.05) != (s.truth < e.Low || s.truth > e.High) {
					differ++
				}
				return e.Low, e.High
			})
			if differ > 0 {
				t.Errorf("%s of %d %s values: test and interval differ in %d samples", stat, s.n, s.draw, differ)
			}
			t.Logf("%s of %d %s values: %.3f", stat, s.n, s.draw, have)
			if have < s.least || have > s.top {
				t.Errorf("%s of %d %s values: the interval holds the truth in %.3f of all cases", stat, s.n, s.draw, have)
			}
		}
	}
}

// testOf returns the p-value of the hypothesis that a statistic is a number. As in comparisons, a
// statistic that is not pairwise is tested as the mean of the jackknife's pseudo-values, moved such
// that their mean is the statistic.
func testOf(stat Statistic, values []float64, number float64) float64 {
	terms, by, moved := slices.Clone(values), stat, -number
	if n := len(values); !stat.IsPairwise() {
		for k := range terms {
			terms[k] = -float64(n-1) * stat.Of(slices.Delete(slices.Clone(values), k, k+1))
		}
		by, moved = Mean, stat.Of(values)-mean(terms)-number
	}
	for k := range terms {
		terms[k] += moved
	}
	return by.PValue(terms)
}

// The jackknife's interval of a percentage of means holds the true one in about 95 % of cases.
func TestJackknifeCoverage(t *testing.T) {
	have := coverage(10, 25, func(values []float64) (float64, float64) {
		e := jackknife(values, func(v []float64) float64 { return 100 * (Mean.Of(v) - 8) / 8 })
		return e.Low, e.High
	})
	if have < 0.94 || have > 0.96 {
		t.Errorf("the true percentage is inside in %.3f of all cases", have)
	}
}

// The prediction interval of one run holds a further value in 95 % of cases.
func TestPredictionCoverage(t *testing.T) {
	have := coverage(6, 0, func(values []float64) (float64, float64) {
		low, high := Prediction(values[:5], 1, 0)
		return low - values[5], high - values[5]
	})
	if have < 0.94 || have > 0.96 {
		t.Errorf("a further run is inside in %.3f of all cases", have)
	}
}

// The prediction interval of a mean of 8 runs holds the mean of 8 further values in 95 % of cases.
func TestPredictionOfAMeanCoverage(t *testing.T) {
	have := coverage(13, 0, func(values []float64) (float64, float64) {
		low, high := Prediction(values[:5], 8, 0)
		return low - Mean.Of(values[5:]), high - Mean.Of(values[5:])
	})
	if have < 0.94 || have > 0.96 {
		t.Errorf("a mean of 8 further runs is inside in %.3f of all cases", have)
	}
}

// The prediction interval of a trimmed mean holds another trimmed mean in about 95 % of cases: of
// as many replications as ours or other numbers of them, of normal, skewed and heavy-tailed values.
func TestTrimmedPredictionCoverage(t *testing.T) {
	draws := map[string]func(*rand.Rand) float64{
		"normal": (*rand.Rand).NormFloat64,
		"skewed": func(random *rand.Rand) float64 { return math.Exp(random.NormFloat64() / 2) },
		"heavy":  func(random *rand.Rand) float64 { return random.NormFloat64() / math.Sqrt(random.ExpFloat64()) },
	}
	cases := []struct {
		what       string
		ours, left int
		least, top float64
	}{
		{"normal", 10, 8, 0.94, 0.96},
		{"normal", 5, 8, 0.925, 0.96},
		{"normal", 4, 8, 0.92, 0.96},
		{"normal", 30, 8, 0.94, 0.97},
		{"skewed", 10, 8, 0.92, 0.96},
		{"heavy", 10, 8, 0.92, 0.97},
	}
	for _, c := range cases {
		random := rand.New(rand.NewPCG(2, uint64(c.ours)))
		const trials = 8000
		hits := 0
		for range trials {
			low, high := TrimmedPrediction(drawn(random, draws[c.what], c.ours), c.left, 0)
			if another := Trimmed.Of(drawn(random, draws[c.what], c.left+2)); low <= another && another <= high {
				hits++
			}
		}
		if have := float64(hits) / trials; have < c.least || have > c.top {
			t.Errorf("%s, %d replications: a mean of %d that remain is inside in %.4f of cases", c.what, c.ours, c.left, have)
		}
	}
}

func drawn(random *rand.Rand, draw func(*rand.Rand) float64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = draw(random)
	}
	return values
}

func TestTrimmedPrediction(t *testing.T) {
	low, high := TrimmedPrediction([]float64{9, 1, nan, 8, 2, 7, 3, 6, 4, 5}, 8, 9)
	half := 2.446912 * math.Sqrt(46.0/6*(1.0/7+1.0/8)) // as in TestTextbook
	near(t, "low", low, 5-half, 1e-5)
	near(t, "high", high, 5+half, 1e-5)
	// the values that remain are equal
	low, high = TrimmedPrediction([]float64{3, 3, 3, 3, 7}, 8, 0.02)
	near(t, "constant low", low, 2.98, 1e-12)
	near(t, "constant high", high, 3.02, 1e-12)
	if low, _ := TrimmedPrediction([]float64{1, 2, 3}, 8, 1); !math.IsNaN(low) {
		t.Errorf("three replications predict from %v", low)
	}
}

func TestPrediction(t *testing.T) {
	low, high := Prediction([]float64{1, 2, 3, nan}, 1, 9)
	half := 4.302653 * math.Sqrt(4.0/3) // t(.975, 2), s = 1
	near(t, "low", low, 2-half, 1e-5)
	near(t, "high", high, 2+half, 1e-5)
	low, high = Prediction([]float64{1, 2, 3}, 50, 9)
	half = 4.302653 * math.Sqrt(1.0/3+1.0/50)
	near(t, "low of a mean", low, 2-half, 1e-5)
	near(t, "high of a mean", high, 2+half, 1e-5)
	low, high = Prediction([]float64{0, 0, 0}, 1, 0.02)
	near(t, "constant low", low, -0.02, 0)
	near(t, "constant high", high, 0.02, 0)
	if low, _ := Prediction([]float64{7}, 1, 1); !math.IsNaN(low) {
		t.Errorf("one replication predicts from %v", low)
	}
}

func TestJackknifeOfMeanIsT(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 2, 12).Draw(t, "values")
		a, b := Mean.Estimate(values), jackknife(values, Mean.Of)
		for _, pair := range [][2]float64{{a.Value, b.Value}, {a.Low, b.Low}, {a.High, b.High}} {
			if math.Abs(pair[0]-pair[1]) > 1e-6 {
				t.Fatalf("t %v, jackknife %v", a, b)
			}
		}
	})
}

func TestSpread(t *testing.T) {
	// The quartiles of 8, 10, 10, 12 are 8 and 10, the median is 10.
	near(t, "spread", Spread([]float64{8, 10, 12, 10, math.NaN()}), 0.2, 1e-12)
	if few := Spread([]float64{1, 2, 3}); !math.IsNaN(few) {
		t.Errorf("three values spread by %v", few)
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 100), 6, 12).Draw(t, "values")
		shuffled := rapid.Permutation(values).Draw(t, "shuffled")
		for _, stat := range All() {
			a, b := stat.Estimate(values), stat.Estimate(shuffled)
			if math.Abs(a.Value-b.Value) > 1e-9 || math.Abs(a.Low-b.Low) > 1e-6 {
				t.Fatalf("%s: %v and %v", stat, a, b)
			}
		}
	})
}

// Counts and shares of 2,000 requests are in their prediction interval in 94 to 96 % of cases on
// average over the means up to 5 requests, and at each from there on; at some of these in 93 % if
// chances vary between replications. At a single small mean it is 92 to 100 %, as intervals of
// whole requests must be.
func TestCoverageOfSharesAndCounts(t *testing.T) {
	const requests = 2000
	random := rand.New(rand.NewPCG(7, 7))
	next := func(rate, varies float64) distuv.Binomial { // of a replication
		if varies > 0 {
			rate *= distuv.Gamma{Alpha: 1 / varies, Beta: 1 / varies, Src: random}.Rand()
		}
		return distuv.Binomial{N: requests, P: math.Min(1, rate/requests), Src: random}
	}
	covered := func(n int, rate, varies float64) (sum float64) {
		trials, further := 2000, 1 // further runs for each interval
		if n >= 50 {
			trials = 400 // the interval hardly varies
		}
		if varies > 0 {
			further = 10
		}
		values := make([]float64, n)
		for range trials {
			for k := range values {
				values[k] = 100 * next(rate, varies).Rand() / requests
			}
			low, high := BoundedPrediction(values, 100./requests, 100)
			if low < 0 || high > 100 || !(low <= high) {
				t.Fatalf("%v: interval %v to %v", values, low, high)
			}
			for range further {
				sum += within(next(rate, varies), low*requests/100, high*requests/100)
			}
		}
		return sum / float64(trials*further)
	}
	rare, few, many := evenly(0.02, 0.25), evenly(0.25, 5), []float64{5, 10, 20, 50, 100, 200}
	for i, varies := range []float64{0, 0.2} {
		floor := []float64{0.94, 0.93}[i] // from 5 requests on
		for _, n := range []int{3, 5, 10, 50, 100} {
			// average checks the coverage at each mean and on average over the means.
			average := func(rates []float64, floor, ceiling, least, most float64) (sum float64) {
				for _, rate := range rates {
					c := covered(n, rate, varies)
					sum += c / float64(len(rates))
					if c < floor || c > ceiling && rate > 0.5 {
						t.Errorf("%d replications, %v requests, varying %v: %.4f", n, rate, varies, c)
					}
				}
				if sum < least || sum > most {
					t.Errorf("%d replications, varying %v: %.4f over means of %v", n, varies, sum, rates)
				}
				return sum
			}
			t.Logf("%d replications, varying %v: %.3f up to 0.25 requests, %.3f up to 5, %.3f beyond", n, varies,
				average(rare, 0.92, 1, 0.94, 0.998), average(few, 0.92, 0.995, 0.94, 0.962),
				average(many, floor, 0.96, 0.94, 0.96))
		}
	}
}

// evenly returns the middles of steps from 0 to most.
func evenly(step, most float64) (means []float64) {
	for mean := step / 2; mean < most; mean += step {
		means = append(means, mean)
	}
	return means
}

// within returns the probability that a count is in an interval, whose ends may have a rounding
// error.
func within(count interface{ CDF(float64) float64 }, low, high float64) float64 {
	const tiny = 1e-6
	return count.CDF(math.Floor(high+tiny)) - count.CDF(math.Ceil(low-tiny)-1)
}

// With 3, 5 and 10 replications of independent counts the prediction interval covers 94 to 97.9 %
// on average over the means from 0.01 to 2 requests, and at least 92 % at each. All samples are
// enumerated, with Poisson probabilities. The interval of zeros is 0 to 1 with 3 replications,
// since 0 alone would cover too rarely, and 0 alone with 5 and 10.
func TestCoverageNearZero(t *testing.T) {
	for _, c := range []struct {
		n          int
		most, high float64 // the largest count of a sample, and that of the interval of zeros
	}{{3, 12, 1}, {5, 11, 0}, {10, 10, 0}} {
		means := append(evenly(0.02, 0.5), evenly(0.05, 2)...)
		coverage := poissonCoverage(c.n, c.most, means)
		t.Logf("%d replications: %.3f to %.3f, mean %.3f", c.n, slices.Min(coverage), slices.Max(coverage), mean(coverage))
		if least, average := slices.Min(coverage), mean(coverage); least < 0.92 || average < 0.94 || average > 0.979 {
			t.Errorf("%d replications: the least coverage is %.4f, on average it is %.4f", c.n, least, average)
		}
		if low, high := BoundedPrediction(make([]float64, c.n), 1, 1e6); low != 0 || high != c.high {
			t.Errorf("the interval of %d zeros is %v to %v", c.n, low, high)
		}
		poisson := distuv.Poisson{Lambda: 0.2}
		zeros := math.Pow(poisson.Prob(0), float64(c.n))
		alone := poissonCoverage(c.n, c.most, []float64{0.2})[0] - c.high*zeros*poisson.Prob(1)
		if c.high == 1 && alone > 0.92 {
			t.Errorf("%d replications: 0 alone for zeros would cover %.4f", c.n, alone)
		}
	}
}

// poissonCoverage returns, for each mean, the probability that a further Poisson count is in the
// prediction interval of n others. It enumerates all samples with counts up to most, which are to
// have all but 10⁻⁴ of the probability.
func poissonCoverage(n int, most float64, means []float64) []float64 {
	counts, p := make([]distuv.Poisson, len(means)), make([][]float64, len(means))
	for i, mean := range means {
		counts[i] = distuv.Poisson{Lambda: mean}
		for k := 0.0; k <= most; k++ {
			p[i] = append(p[i], counts[i].Prob(k))
		}
	}
	coverage := make([]float64, len(means))
	values := make([]float64, 0, n)
	// enumerate extends an ascending sample to n counts in all ways. So far its last count, least,
	// occurs equal times, and the sample has so many permutations.
	var enumerate func(least float64, equal, permutations float64)
	enumerate = func(least float64, equal, permutations float64) {
		if len(values) == n {
			low, high := BoundedPrediction(values, 1, 1e6)
			for i, count := range counts {
				probability := permutations
				for _, v := range values {
					probability *= p[i][int(v)]
				}
				if probability > 1e-12 {
					coverage[i] += probability * within(count, low, high)
				}
			}
			return
		}
		for k := least; k <= most; k++ {
			if k > least {
				equal = 0
			}
			values = append(values, k)
			enumerate(k, equal+1, permutations*float64(len(values))/(equal+1))
			values = values[:len(values)-1]
		}
	}
	enumerate(0, 0, 1)
	return coverage
}

// Few counts near 0 and near the most have intervals that mirror one another; numbers that are not
// whole, and counts that vary more than independent ones, have those of the transforms.
func TestFewCounts(t *testing.T) {
	for _, c := range []struct {
		values    []float64
		low, high float64
	}{
		{make([]float64, 3), 0, 1}, {make([]float64, 4), 0, 1}, {make([]float64, 5), 0, 0}, {[]float64{0, 1, 0, 0, 0}, 0, 1},
		{[]float64{2, 2, 1, 3, 2}, 0, 5}, {[]float64{100, 100, 99}, 98, 100},
	} {
		low, high := BoundedPrediction(c.values, 1, 100)
		if math.Abs(low-c.low) > 1e-9 || math.Abs(high-c.high) > 1e-9 {
			t.Errorf("%v: %v to %v, want %v to %v", c.values, low, high, c.low, c.high)
		}
	}
	for _, values := range [][]float64{{0, 0, 6}, {0.5, 0.6, 0.7}, {5, 5, 4}} {
		if _, _, isFew := fewCounts(values); isFew {
			t.Errorf("%v are few counts", values)
		}
	}
}
