package statistics

// Comparisons: the jackknife, predictions of further runs, paired differences and tests.

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// jackknife returns the statistic of the rounds with the interval of its pseudo-values n·g −
// (n−1)·g₍ₖ₎, where g₍ₖ₎ leaves round k out (Tukey 1958). It serves what is computed of statistics
// over rounds, such as ratios of means; for the mean itself it is the t interval.
func jackknife(values []float64, statistic func([]float64) float64) Estimate {
	values = present(values)
	e := JackknifeOf(len(values), func(left int) float64 {
		if left < 0 {
			return statistic(values)
		}
		return statistic(slices.Delete(slices.Clone(values), left, left+1))
	})
	e.SD = deviation(values)
	return e
}

// JackknifeOf returns the jackknife estimate of a statistic over n replications. The function gives
// the statistic of all replications where left is −1, and else of all but replication left.
func JackknifeOf(n int, statistic func(left int) float64) Estimate {
	pseudo := make([]float64, n)
	all := statistic(-1)
	for k := range pseudo {
		pseudo[k] = float64(n)*all - float64(n-1)*statistic(k)
	}
	return FromPseudo(all, pseudo)
}

// FromPseudo returns an estimate whose value is known and whose pseudo-values, one for each round,
// give the interval around it and its standard deviation.
func FromPseudo(value float64, pseudo []float64) Estimate {
	pseudo = present(pseudo)
	e := Estimate{Value: value, Low: math.NaN(), High: math.NaN(), N: len(pseudo), SD: deviation(pseudo)}
	e.within(e.SD/math.Sqrt(float64(e.N)), e.N-1)
	return e
}

// Pairs returns b − a round by round: the paired comparison of two policies that met the same
// random numbers. A round that either lacks is NaN.
func Pairs(a, b []float64) []float64 {
	differences := make([]float64, min(len(a), len(b)))
	for k := range differences {
		differences[k] = b[k] - a[k]
	}
	return differences
}

// Prediction returns the 95 % prediction interval for the mean of so many further runs, at least 1:
// mean ± t(.975, n−1)·s·√(1/n + 1/runs). Values are those of our rounds, or pseudo-values (see
// JackknifeOf) where what is predicted is computed of means. Where all rounds agree the interval
// reaches the granularity, the least difference that a run can show, to either side. Both ends are
// NaN for fewer than two rounds.
func Prediction(values []float64, runs int, granularity float64) (low, high float64) {
	values = present(values)
	n := len(values)
	if n < 2 {
		return math.NaN(), math.NaN()
	}
	return predicted(mean(values), deviation(values), n, runs, granularity)
}

// TrimmedPrediction returns the 95 % prediction interval for another trimmed mean, the mean of the
// runs that are left, at least 1, of two more: T ± t(.975, h−1)·√(v·(1/h + 1/left)). T is our
// trimmed mean, of h = n − 2 rounds, and v = Σ(wₖ − w̄)²/(h−1) of the n winsorised values wₖ, so
// that v/h is the squared standard error of T (Tukey and McLaughlin 1963): what Prediction is with
// the h rounds that are left and v for their variance, which would be too small, since the extremes
// are gone. Values and granularity are as there. Both ends are NaN for fewer than four rounds.
func TrimmedPrediction(values []float64, left int, granularity float64) (low, high float64) {
	values = present(values)
	n := len(values)
	if n < 4 {
		return math.NaN(), math.NaN()
	}
	return predicted(trimmedMean(values), keptDeviation(values), n-2, left, granularity)
}

// predicted returns what a mean of so many runs will be in 95 % of all cases, given a mean of n and
// the deviation of one.
func predicted(centre, deviation float64, n, runs int, granularity float64) (low, high float64) {
	half := granularity
	if deviation > 0 {
		half = quantile(n-1, 1-(1-Confidence)/2) * deviation * math.Sqrt(1/float64(n)+1/float64(runs))
	}
	return centre - half, centre + half
}

// Corrected returns the estimate of a number that was chosen among so many as the largest: with the
// interval at the level that Bonferroni's correction asks for, by the ratio of the quantiles of t.
// For one choice it is the same.
func (e Estimate) Corrected(choices int) Estimate {
	if choices < 2 || e.N < 2 || !e.HasInterval() {
		return e
	}
	wider := quantile(e.N-1, 1-(1-Confidence)/2/float64(choices)) / quantile(e.N-1, 1-(1-Confidence)/2)
	e.Low, e.High = e.Value-wider*(e.Value-e.Low), e.Value+wider*(e.High-e.Value)
	return e
}

// OfRounds returns the estimate of a number that is made of others with fewer rounds, the fewest of
// which are given: its interval is as wide as t with their degrees of freedom makes it. Below two
// rounds there is none.
func (e Estimate) OfRounds(fewest int) Estimate {
	switch {
	case fewest >= e.N || !e.HasInterval():
	case fewest < 2:
		e.Low, e.High = math.NaN(), math.NaN()
	default:
		wider := quantile(fewest-1, 1-(1-Confidence)/2) / quantile(e.N-1, 1-(1-Confidence)/2)
		e.Low, e.High = e.Value-wider*(e.Value-e.Low), e.Value+wider*(e.High-e.Value)
	}
	return e
}

// tTest returns the p-value of at least two values; see PValue.
func tTest(values []float64) float64 {
	centre, s := mean(values), deviation(values)
	switch {
	case centre == 0:
		return 1
	case s == 0:
		return 0
	}
	n := float64(len(values))
	t := math.Abs(centre) / (s / math.Sqrt(n))
	return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Survival(t)
}

// signTest returns the p-value of values some of which are above and some below 0; see PValue.
func signTest(values []float64) float64 {
	var above, below float64
	for _, v := range values {
		if v > 0 {
			above++
		}
		if v < 0 {
			below++
		}
	}
	if above+below == 0 {
		return 1
	}
	return math.Min(1, 2*distuv.Binomial{N: above + below, P: 0.5}.CDF(math.Min(above, below)))
}

// Holm reports which of the hypotheses are rejected when all of them together are tested at 5 %
// (Holm 1979): the smallest p-value is held against α/m, the next against α/(m−1), and so on up to
// the first that is not rejected. It is Bonferroni's correction with more power, and needs no
// independence.
func Holm(p []float64) []bool {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	rejected := make([]bool, len(p))
	for rank, i := range order {
		if p[i] > (1-Confidence)/float64(len(p)-rank) {
			break
		}
		rejected[i] = true
	}
	return rejected
}
