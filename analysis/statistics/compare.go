// Comparisons: the jackknife, predictions of further runs, paired differences and tests.

package statistics

import (
	"cmp"
	"math"
	"slices"
)

// jackknife returns the statistic of the replications with the interval of its pseudo-values n·g −
// (n−1)·g₍ₖ₎, where g₍ₖ₎ leaves out replication k (Tukey 1958). It gives intervals for functions of
// statistics over replications, such as ratios of means; for the mean it equals the t interval.
func jackknife(values []float64, statistic func([]float64) float64) Estimate {
	values = present(values)
	e := JackknifeOf(len(values), func(leftOut int) float64 {
		if leftOut < 0 {
			return statistic(values)
		}
		return statistic(slices.Delete(slices.Clone(values), leftOut, leftOut+1))
	})
	e.SD = deviation(values)
	return e
}

// JackknifeOf returns the jackknife estimate of a statistic over n replications. The function
// computes the statistic without replication leftOut, or with all of them if leftOut is −1.
func JackknifeOf(n int, statistic func(leftOut int) float64) Estimate {
	pseudo := make([]float64, n)
	all := statistic(-1)
	for k := range pseudo {
		pseudo[k] = float64(n)*all - float64(n-1)*statistic(k)
	}
	return FromPseudo(all, pseudo)
}

// FromPseudo returns an estimate with the value, and with the interval and standard deviation of
// the pseudo-values, one for each replication.
func FromPseudo(value float64, pseudo []float64) Estimate {
	pseudo = present(pseudo)
	e := Estimate{Value: value, Low: math.NaN(), High: math.NaN(), N: len(pseudo), SD: deviation(pseudo)}
	e.setInterval(e.SD/math.Sqrt(float64(e.N)), e.N-1)
	return e
}

// Pairs returns b − a replication by replication: the paired comparison of two policies with common
// random numbers. The difference is NaN if either value is.
func Pairs(a, b []float64) []float64 {
	differences := make([]float64, min(len(a), len(b)))
	for k := range differences {
		differences[k] = b[k] - a[k]
	}
	return differences
}

// Prediction returns the 95 % prediction interval for the mean of a number of further runs, at
// least 1: mean ± t(.975, n−1)·s·√(1/n + 1/runs). Values are those of our replications, or
// pseudo-values (see JackknifeOf) if a function of means is predicted. If all values are equal, the
// half-width is the granularity, the least difference that a run can show. Both ends are NaN for
// fewer than two values.
func Prediction(values []float64, runs int, granularity float64) (low, high float64) {
	values = present(values)
	n := len(values)
	if n < 2 {
		return math.NaN(), math.NaN()
	}
	return predicted(mean(values), deviation(values), n, runs, granularity)
}

// BoundedPrediction returns the 95 % prediction interval for one further run of numbers that are at
// least 0 and at most most, which may be infinite. Few counts near a bound have the interval of
// fewCounts. Others have that of Prediction if it is within these bounds.
//
// Else it is, of equal values, that of Prediction cut at the bounds and, of others, that of
// variance-stabilising transforms, also cut there (Anscombe 1948). The transform of a number
// k·granularity is √(k + 3/8) if it has no upper bound, as counts, and arcsin √((k + 3/8)/(K +
// 3/4)) if it is at most K·granularity, as shares. With an unknown granularity, 0, the 3/8 and 3/4
// are left out and no numbers are counts.
func BoundedPrediction(values []float64, granularity, most float64) (low, high float64) {
	values = present(values)
	counts, rest := make([]float64, len(values)), make([]float64, len(values))
	for k, v := range values {
		counts[k], rest[k] = v/granularity, (most-v)/granularity
	}
	if low, high, isFew := fewCounts(counts); isFew {
		return low * granularity, math.Min(most, high*granularity)
	}
	if low, high, isFew := fewCounts(rest); isFew {
		return math.Max(0, most-high*granularity), most - low*granularity
	}
	low, high = Prediction(values, 1, granularity)
	switch {
	case !(low < 0 || high > most):
		return low, high
	case constant(values):
		return math.Max(low, 0), math.Min(high, most)
	}
	shift, total := 3./8*granularity, math.Inf(+1)
	transform, inverse := math.Sqrt, func(y float64) float64 { return y * y }
	if !math.IsInf(most, 1) {
		total = most + 2*shift
		transform = func(x float64) float64 { return math.Asin(math.Sqrt(x / total)) }
		inverse = func(y float64) float64 { return total * math.Pow(math.Sin(math.Min(y, math.Pi/2)), 2) }
	}
	stable := make([]float64, len(values))
	for k, v := range values {
		stable[k] = transform(v + shift)
	}
	low, high = Prediction(stable, 1, 0)
	return math.Max(0, inverse(math.Max(0, low))-shift), math.Min(most, inverse(high)-shift)
}

// The largest mean of few counts, and their largest variance in proportion to it: that of
// independent events is 1.
const (
	mostFew       = 4.0
	mostDispersed = 1.4
)

// fewCounts returns the 95 % prediction interval for one further count, if the values are whole
// numbers with a small mean, and their variance is at most mostDispersed times it. With a sum of K
// in n replications the count is negative binomial, with shape K + 1/2 and probability n/(n+1): the
// predictive distribution of a Poisson mean with Jeffreys' prior. The interval is its most probable
// counts, as many as bring their probability nearest to 95 %. So it covers about 95 % on average
// over the means; no interval of whole numbers does at each (Brown, Cai and DasGupta 2001).
func fewCounts(counts []float64) (low, high float64, isFew bool) {
	isWhole := func(x float64) bool { return math.Abs(x-math.Round(x)) <= 1e-6 }
	if len(counts) < 2 || slices.ContainsFunc(counts, func(x float64) bool { return !isWhole(x) }) {
		return 0, 0, false
	}
	middle, spread := mean(counts), deviation(counts)
	if middle > mostFew || spread*spread > mostDispersed*middle*(1+Rounding) {
		return 0, 0, false
	}
	n := float64(len(counts))
	shape := n*middle + 1./2
	p := []float64{math.Pow(n/(n+1), shape)}
	for sum := p[0]; sum < 0.9999; sum += p[len(p)-1] {
		k := float64(len(p) - 1)
		p = append(p, p[len(p)-1]*(shape+k)/(k+1)/(n+1))
	}
	first := slices.Index(p, slices.Max(p))
	last, covered := first, p[first]
	for {
		below, above := 0.0, 0.0
		if first > 0 {
			below = p[first-1]
		}
		if last < len(p)-1 {
			above = p[last+1]
		}
		next := math.Max(below, above)
		// the next one brings it no nearer to 95 %
		if next == 0 || covered+next/2 >= Confidence {
			return float64(first), float64(last), true
		}
		if covered += next; below > above {
			first--
		} else {
			last++
		}
	}
}

// RatioPrediction returns the 95 % prediction interval for one further run of numbers that are at
// least least, such as ratios of positive numbers or changes of at least −100 %. It is that of
// Prediction if it does not go below this bound. Otherwise it is
//
//   - that of Prediction cut at the bound, if all values are equal or one is at the bound;
//   - else that of the logarithms of the distances from the bound, as of a ratio whose numbers
//     deviate in proportion to their size.
func RatioPrediction(values []float64, granularity, least float64) (low, high float64) {
	values = present(values)
	low, high = Prediction(values, 1, granularity)
	switch {
	case !(low < least):
		return low, high
	case constant(values) || slices.Min(values) <= least:
		return least, max(high, least)
	}
	logarithms := make([]float64, len(values))
	for k, v := range values {
		logarithms[k] = math.Log(v - least)
	}
	low, high = Prediction(logarithms, 1, 0)
	return least + math.Exp(low), least + math.Exp(high)
}

// TrimmedPrediction returns the 95 % prediction interval for another trimmed mean, that of runs + 2
// further runs, of which runs remain (at least 1): T ± t(.975, h−1)·√(v·(1/h + 1/runs)). T is our
// trimmed mean over the h = n − 2 replications that remain, and √v is its KeptDeviation: the
// variance of the h values themselves is too small, since they lack the extremes. Values and
// granularity are those of Prediction. Both ends are NaN for fewer than four values.
func TrimmedPrediction(values []float64, runs int, granularity float64) (low, high float64) {
	values = present(values)
	n := len(values)
	if n < 4 {
		return math.NaN(), math.NaN()
	}
	return predicted(trimmedMean(values), KeptDeviation(values), n-2, runs, granularity)
}

// predicted returns the 95 % prediction interval for the mean of runs further values around a mean
// of n, with the standard deviation of one value.
func predicted(centre, deviation float64, n, runs int, granularity float64) (low, high float64) {
	half := granularity
	if deviation > 0 {
		half = quantile(n-1, 1-(1-Confidence)/2) * deviation * math.Sqrt(1/float64(n)+1/float64(runs))
	}
	return centre - half, centre + half
}

// OfReplications returns the estimate of a number that is computed from others, one of which has
// only fewest replications: its interval has the width of t with fewest − 1 degrees of freedom. For
// fewer than two replications there is no interval.
func (e Estimate) OfReplications(fewest int) Estimate {
	if fewest >= e.N || !e.HasInterval() {
		return e
	}
	wider := math.NaN()
	if fewest >= 2 {
		wider = quantile(fewest-1, 1-(1-Confidence)/2) / quantile(e.N-1, 1-(1-Confidence)/2)
	}
	e.Low, e.High = e.Value-wider*(e.Value-e.Low), e.Value+wider*(e.High-e.Value)
	return e
}

// tTest returns the p-value of at least two values; see PValueOf.
func tTest(values []float64, n int, granularity float64) float64 {
	return max(tail(mean(values), deviation(values)/math.Sqrt(float64(n)), n-1), eventTest(values, n, granularity))
}

// trimmedTest returns the p-value of a trimmed mean; see PValueOf. Fewer than four values give 1.
func trimmedTest(values []float64, n int, granularity float64) float64 {
	if len(values) < 4 {
		return 1
	}
	inner := kept(values)
	return max(tail(mean(inner), KeptDeviation(values)/math.Sqrt(float64(n-2)), n-3), eventTest(inner, n-2, granularity))
}

// tail returns the two-sided p-value of a number with its standard error, by Student's t.
func tail(value, standardError float64, degrees int) float64 {
	switch {
	case value == 0:
		return 1
	case standardError == 0:
		return 0
	}
	return 2 * StudentsT{Degrees: float64(degrees)}.above(math.Abs(value)/standardError)
}

// eventTest returns the p-value of the evidence that the mean of values with a granularity is on
// the side of 0 where it is. If all values were equal to the one farthest from 0, the mean would be
// there; some events, each of the granularity, bring it nearer to 0. The p-value is twice the
// probability of at most so many if as many were expected as bring it to 0. Events are Poisson's.
// For counts that are at most a limit this is the exact test of Garwood (Biometrika 28, 1936), for
// n equal values v it is 2·exp(−n·|v|/granularity).
//
// Example: of ten counts one is 1, the others 0, and the claim is that their mean is below 0.6. The
// values are the margins 0.6, nine times, and −0.4, their granularity is 1. Together they lie 1
// event below the farthest, 6 are expected if the mean margin is 0, and p = 2·(1 + 6)·exp(−6) =
// 0.035.
//
// The t test alone errs often where events are rare, since most samples are equal or nearly so
// then. It errs rarely for values that are skewed away from 0, since the mean and the deviation of
// a sample are large together. The p-value is 0 for these, and without a granularity.
func eventTest(values []float64, n int, granularity float64) float64 {
	if granularity == 0 || isSkewedAway(values, n, granularity) {
		return 0
	}
	middle, farthest := mean(values), slices.Max(values)
	if middle < 0 {
		farthest = slices.Min(values)
	}
	events := float64(n) / granularity
	return math.Min(1, 2*poissonCDF(events*math.Abs(farthest), events*math.Abs(farthest-middle)))
}

// leastSkew is the sum of the cubes of standardised deviations above which values count as skewed.
// TestErrorsOfFewCounts computes how often the tests of 2 to 5 counts with means of 0.1 to 4 err to
// one side: in at most 4.0 % of samples. With 0 those of five counts with a mean of 1.4 would in
// 5.0 %; with more than 2 fewer differences would be found. TestRareErrors of package analysis
// simulates 2 to 100 counts with means of 0.02 to 2: at most 4.5 %.
const leastSkew = 2

// isSkewedAway reports whether n values that are distributed like these are skewed away from 0: the
// cubes of their standardised deviations from the mean have a sum above leastSkew with the sign of
// the mean. The counts 0, 0, 1, 0, 1 have a mean of 0.4, a deviation of 0.548 and the sum 2·1.31 −
// 3·0.39 = 1.46: they are not skewed away from 0, but with n = 10 in place of 5 they are, by 2.92.
func isSkewedAway(values []float64, n int, granularity float64) bool {
	middle, cubes := mean(values), 0.0
	for _, v := range values {
		cubes += math.Pow(v-middle, 3)
	}
	cubes *= float64(n) / float64(len(values)) * math.Copysign(1, middle)
	const rounding = 1e-6 // of the granularity
	return cubes > math.Max(leastSkew*math.Pow(deviation(values), 3), math.Pow(rounding*granularity, 3))
}

// signTest returns the p-value of the sign test, which leaves out zeros; see PValueOf.
func signTest(values []float64, n int, _ float64) float64 {
	above, below := 0, 0
	for _, v := range values {
		if v > 0 {
			above++
		}
		if v < 0 {
			below++
		}
	}
	signs, fewer := (above+below)*n/len(values), min(above, below)*n/len(values)
	if signs == 0 {
		return 1
	}
	return math.Min(1, 2*coinCDF(signs, fewer))
}

// Holm reports which hypotheses are rejected at a family-wise error rate of 5 % (Holm 1979): the
// smallest of m p-values is compared with α/m, the next with α/(m−1), and so on up to the first
// that is not rejected. The procedure has more power than Bonferroni's and needs no independence.
func Holm(p []float64) []bool {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	rejected := make([]bool, len(p))
	for rank, i := range order {
		if p[i] > (1-Confidence)/float64(len(p)-rank) {
			break
		}
		rejected[i] = true
	}
	return rejected
}
