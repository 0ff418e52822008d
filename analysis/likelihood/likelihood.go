// Package likelihood ranks universes, which are combinations of alternative assumptions, by how
// well their replications predict the published numbers.
//
// The score of a universe is a composite log-likelihood: the sum of the log predictive densities of
// the published numbers, as if they were independent (Varin, Reid and Firth, An overview of
// composite likelihood methods, Statistica Sinica 21, 2011). The numbers of one run share their
// arrivals, so they are not: the ranking stays valid, but differences of scores are too large.
// Weights therefore divide each difference by its variance over replications in proportion to the
// variance of independent numbers, the magnitude adjustment of Pauli, Racugno and Ventura (Bayesian
// composite marginal likelihoods, Statistica Sinica 21, 2011).
//
// Some numbers are fitted, which means that they choose the universe. The others are held out: they
// score the choice and tell whether the published numbers look like a further replication at all.
package likelihood

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"gridsweep/analysis/statistics"
)

// Number is a published number with the values that predict it.
type Number struct {
	Value   float64
	Runs    int     // number of runs that it is the mean of; at least 1
	Trimmed bool    // whether it is a trimmed mean: Runs of Runs + 2 remain
	Unit    float64 // unit of its last printed digit, above 0
	HeldOut bool    // whether it is held out
	// Ours are our values by universe and replication; NaN or none where a replication has no
	// value. The replications of two universes may share random numbers.
	Ours [][]float64
}

// Ranking is the universes in the order of their scores.
type Ranking struct {
	Fits            []Fit  // best first
	Fitted, HeldOut int    // numbers that can be scored
	Scored          []bool // by number: whether it is scored; none is if Fitted is 0
	// LeftOut is how many numbers have fewer than two values in a ranked universe; of trimmed
	// means, fewer than two that are kept.
	LeftOut      int
	Unranked     []int // universes with fewer than two values for more than half of the numbers
	Replications int   // the most that a number has in any universe
}

// Fit is the agreement of a universe with the published numbers.
type Fit struct {
	Universe int
	Score    float64 // composite log-likelihood of the fitted numbers, a natural logarithm
	// Weight is the likelihood in proportion to that of the best universe, with the magnitude
	// adjustment: 1 for the best, NaN for all with fewer than FewestReplications.
	Weight float64
	// Independent is the number of independent numbers that would tell this universe from the best
	// as well as the fitted numbers do; NaN where Weight is, and for the best.
	Independent float64
	Inside      int     // fitted numbers in their 95 % prediction interval
	HeldScore   float64 // composite log-likelihood of the numbers held out; NaN if there are none
	HeldInside  int     // numbers held out in their 95 % prediction interval
	Within      []bool  // by number: whether it is scored and in its 95 % prediction interval
	// PValue is that of the hypothesis that the numbers held out are a further replication of the
	// universe; NaN without such numbers, and with fewer than FewestReplications.
	PValue float64
}

// The least numbers of replications and of fitted numbers with which a universe is named as the
// most consistent one. With fewer replications there are neither weights nor p-values, since it is
// not known how much scores differ: in tests, the true universe has a weight of LeastWeight in 84
// % of draws at three replications, and in at least 90 % at five.
const (
	FewestReplications = 5
	FewestFitted       = 5
)

// LeastWeight is the weight below which the fitted numbers tell a universe from the best.
const LeastWeight = 0.05

// fewest is the least number of replications from which a number is predicted.
const fewest = 2

// NamesBest reports whether there are enough replications and numbers to name the best universe,
// and numbers held out that test it.
func (r *Ranking) NamesBest() bool {
	return len(r.Fits) > 0 && r.Replications >= FewestReplications && r.Fitted >= FewestFitted && r.HeldOut > 0
}

// Best returns the universes of the highest score, which are several where universes predict the
// fitted numbers equally, such as where an assumption has no effect on them.
func (r *Ranking) Best() []Fit {
	n := 0
	for n < len(r.Fits) && r.Fits[n].Score == r.Fits[0].Score {
		n++
	}
	return r.Fits[:n]
}

// NotToldApart returns the universes of a lower score whose weight is at least LeastWeight.
func (r *Ranking) NotToldApart() []Fit {
	others := slices.Clone(r.Fits[len(r.Best()):])
	return slices.DeleteFunc(others, func(f Fit) bool { return !(f.Weight >= LeastWeight) })
}

// Candidates returns the best universes and those not told apart from them.
func (r *Ranking) Candidates() []Fit { return slices.Concat(r.Best(), r.NotToldApart()) }

// Contradicted reports whether the numbers held out contradict the universe, at 5 %.
func (f Fit) Contradicted() bool { return f.PValue < 0.05 }

// FitsNone reports whether the numbers held out contradict all candidates. Each is tested at 5 %:
// if one of them made the numbers, it must be rejected too, so the error is at most 5 % however
// many there are (Berger, Multiparameter hypothesis testing and acceptance sampling, Technometrics
// 24, 1982).
func (r *Ranking) FitsNone() bool {
	return len(r.Fits) > 0 && !slices.ContainsFunc(r.Candidates(), func(f Fit) bool { return !f.Contradicted() })
}

// Rank ranks universes, count of them, by the fitted numbers. Universes with equal scores keep
// their order. Without a fitted number none is ranked, since nothing chooses.
func Rank(numbers []Number, count int) *Ranking {
	ranking, universes, byIndex := &Ranking{}, make([]*universe, 0, count), make([]*universe, count)
	for _, number := range numbers {
		for _, values := range number.Ours {
			ranking.Replications = max(ranking.Replications, len(values))
		}
	}
	for i := range count {
		u := newUniverse(i, ranking.Replications, numbers)
		if u.lacking > len(numbers)/2 {
			ranking.Unranked = append(ranking.Unranked, i)
			continue
		}
		universes, byIndex[i] = append(universes, u), u
	}
	var fitted, held []int
	for j, number := range numbers {
		switch {
		case slices.ContainsFunc(universes, func(u *universe) bool { return u.series[j].n < fewest }):
			ranking.LeftOut++
		case number.HeldOut:
			held = append(held, j)
		default:
			fitted = append(fitted, j)
		}
	}
	ranking.Fitted, ranking.HeldOut, ranking.Scored = len(fitted), len(held), make([]bool, len(numbers))
	if len(fitted) == 0 {
		return ranking
	}
	for _, j := range slices.Concat(fitted, held) {
		ranking.Scored[j] = true
	}
	for _, u := range universes {
		fit := Fit{Universe: u.index, HeldScore: math.NaN(), Within: make([]bool, len(numbers)), Weight: math.NaN(),
			Independent: math.NaN()}
		fit.Score, fit.Inside = u.score(numbers, fitted, fit.Within)
		fit.PValue = u.pFurther(numbers, held)
		if len(held) > 0 {
			fit.HeldScore, fit.HeldInside = u.score(numbers, held, fit.Within)
		}
		ranking.Fits = append(ranking.Fits, fit)
	}
	slices.SortStableFunc(ranking.Fits, func(a, b Fit) int { return cmp.Compare(b.Score, a.Score) })
	if ranking.Replications < FewestReplications {
		return ranking
	}
	for i := range ranking.Fits {
		fit, best := &ranking.Fits[i], ranking.Fits[0]
		if fit.Weight = 1; i > 0 {
			fit.weigh(byIndex[best.Universe], byIndex[fit.Universe], numbers, fitted, best.Score)
		}
	}
	return ranking
}

// weigh sets the weight of another universe against the best one, whose score is bestScore. The
// variance of the difference of scores is estimated from n replications, so the weight is the
// likelihood ratio of Student's t with n − 1 degrees of freedom in place of the exponential
// function, its limit.
func (f *Fit) weigh(best, other *universe, numbers []Number, fitted []int, bestScore float64) {
	ratio, degrees := dependence(best, other, numbers, fitted), float64(best.replications-1)
	f.Weight = math.Pow(1+2*(bestScore-f.Score)/ratio/degrees, -(degrees+1)/2)
	f.Independent = float64(len(fitted)) / ratio
}

// universe is the replications of a universe.
type universe struct {
	index        int
	replications int         // of the ranking
	values       [][]float64 // values by number and replication
	residuals    [][]float64 // the same, standardised; of trimmed means they are winsorised
	series       []series    // by number: what predicts the published number
	single       []series    // by number: what predicts a further run; never trimmed
	lacking      int         // numbers with fewer than two values, or kept values
}

// series is the values of one number over the replications. That of a trimmed mean has the values
// kept.
type series struct {
	n    int
	mean float64
	// squares is (n − 1)·s²: the sum of the squares of the distances from the mean or, of a trimmed
	// mean, those of all winsorised values (see statistics.KeptDeviation).
	squares float64
}

func newUniverse(index, replications int, numbers []Number) *universe {
	u := &universe{index: index, replications: replications}
	for _, number := range numbers {
		values := number.Ours[index]
		single := newSeries(values)
		predicting, deviating := single, standardised(values, single)
		if number.Trimmed {
			winsorised := statistics.Winsorised(values)
			predicting, deviating = newTrimmed(values), standardised(winsorised, newSeries(winsorised))
		}
		u.values, u.residuals = append(u.values, values), append(u.residuals, deviating)
		u.series, u.single = append(u.series, predicting), append(u.single, single)
		if predicting.n < fewest {
			u.lacking++
		}
	}
	return u
}

// value returns the value of a number in a replication; NaN if it has none.
func (u *universe) value(number, replication int) float64 {
	if replication < len(u.values[number]) {
		return u.values[number][replication]
	}
	return math.NaN()
}

// newSeries returns the series of the values that are not NaN.
func newSeries(values []float64) series {
	var s series
	present := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if s.n = len(present); s.n == 0 {
		return s
	}
	s.mean = statistics.Mean.Of(present) // exact if all are equal
	for _, x := range present {
		s.squares += (x - s.mean) * (x - s.mean)
	}
	return s
}

// newTrimmed returns the series of a trimmed mean.
func newTrimmed(values []float64) series {
	s := series{n: len(statistics.Trimmed.Kept(values)), mean: statistics.Trimmed.Of(values)}
	if s.n >= fewest {
		deviation := statistics.KeptDeviation(values)
		s.squares = deviation * deviation * float64(s.n-1)
	}
	return s
}

// standardised returns the distances of values from the mean of their series in its standard
// deviations.
func standardised(values []float64, s series) []float64 {
	deviation, residuals := math.Sqrt(s.squares/float64(s.n-1)), make([]float64, len(values))
	for k, x := range values {
		residuals[k] = (x - s.mean) / deviation
	}
	return residuals
}

// without returns the series without one of its values; it is not that of a trimmed mean.
func (s series) without(x float64) series {
	if s.squares == 0 {
		return series{n: s.n - 1, mean: s.mean}
	}
	n := float64(s.n)
	left := series{n: s.n - 1, mean: (n*s.mean - x) / (n - 1)}
	d := x - s.mean
	if left.squares = s.squares - d*d*n/(n-1); left.squares < statistics.Rounding*s.squares {
		left.squares = 0
	}
	return left
}

// predict returns the predictive distribution of a published number: Student's t with n − 1 degrees
// of freedom around our mean, with variance s²·(1/n + 1/runs) + unit²/12. The last term is that of
// rounding to the printed digits. If all n values are equal, s² is unit²/(n+1), the variance with
// one more value that differs by a unit.
func (s series) predict(runs int, unit float64) statistics.StudentsT {
	n := float64(s.n)
	variance := s.squares / (n - 1)
	if s.squares == 0 {
		variance = unit * unit / (n + 1)
	}
	return statistics.StudentsT{
		Location: s.mean, Scale: math.Sqrt(variance*(1/n+1/float64(runs)) + unit*unit/12), Degrees: n - 1,
	}
}

// score returns the composite log-likelihood of some numbers, and how many of them lie in their 95
// % prediction interval. These are marked in within.
func (u *universe) score(numbers []Number, scored []int, within []bool) (score float64, inside int) {
	for _, j := range scored {
		number := numbers[j]
		predictive := u.series[j].predict(number.Runs, number.Unit)
		score += predictive.LogProb(number.Value)
		if p := predictive.CDF(number.Value); p >= 0.025 && p <= 0.975 {
			within[j] = true
			inside++
		}
	}
	return score, inside
}

// dependence returns the variance of the difference of two universes' scores over runs, in
// proportion to its variance if the numbers were independent; at least 1. The difference is linear
// in the standardised residuals of the numbers, with the standardised differences of the universes'
// means as weights, so its variance over replications takes in all correlations that matter for the
// comparison. It is the mean of the variances in both universes. Numbers without variance have only
// independent rounding errors.
func dependence(a, b *universe, numbers []Number, scored []int) float64 {
	shifts := make([]float64, len(scored))
	independent := 0.0
	for i, j := range scored {
		number := numbers[j]
		x, y := a.series[j].predict(number.Runs, number.Unit), b.series[j].predict(number.Runs, number.Unit)
		shifts[i] = (x.Location - y.Location) / math.Sqrt((x.Scale*x.Scale+y.Scale*y.Scale)/2)
		independent += shifts[i] * shifts[i]
	}
	if independent == 0 {
		return 1
	}
	variance := (a.variance(shifts, scored) + b.variance(shifts, scored)) / 2
	return math.Max(1, variance/independent)
}

// variance returns the variance over replications of the weighted sum of some numbers' standardised
// residuals; those of trimmed means are of winsorised values, as what moves a trimmed mean. A
// missing value has the residual 0.
func (u *universe) variance(weights []float64, scored []int) float64 {
	sum, rounding := 0.0, 0.0
	for i, j := range scored {
		if u.series[j].squares == 0 {
			rounding += weights[i] * weights[i]
		}
	}
	for k := range u.replications {
		projected := 0.0
		for i, j := range scored {
			if u.series[j].squares > 0 && k < len(u.residuals[j]) && !math.IsNaN(u.residuals[j][k]) {
				projected += weights[i] * u.residuals[j][k]
			}
		}
		sum += projected * projected
	}
	return sum/float64(u.replications-1) + rounding
}

// pFurther returns the p-value of the hypothesis that the published numbers held out are a further
// replication of the universe, against the alternative that they lie further off. Where all
// replications deviate equally, as they do if nothing is random, it is 1 if all numbers lie in
// their 95 % prediction intervals, else 0. It is NaN without numbers, and with fewer than
// FewestReplications. In the package's tests, a true hypothesis is rejected at 5 % in 3 to 7 % of
// draws.
//
// Each replication is rounded to the printed digits, left out, and predicted from the others; the
// published numbers are predicted from all. The mean deviance over the numbers is compared after
// its cube root is taken, which makes it nearly normal (Wilson and Hilferty, The distribution of
// chi-square, PNAS 17, 1931): p is that of the prediction interval of Student's t. Correlation
// between numbers widens the spread over replications in the same way. A run left out is no trimmed
// mean and is predicted from the mean of the others. A published trimmed mean has fewer degrees of
// freedom, so its deviance is scaled to the mean deviance of a run left out.
func (u *universe) pFurther(numbers []Number, held []int) float64 {
	var roots []float64
	for k := range u.replications {
		sum, present := 0.0, 0
		for _, j := range held {
			x, unit := u.value(j, k), numbers[j].Unit
			if math.IsNaN(x) || u.single[j].n < FewestReplications {
				continue
			}
			sum += deviance(u.single[j].without(x).predict(1, unit), math.Round(x/unit)*unit)
			present++
		}
		if present > 0 {
			roots = append(roots, math.Cbrt(sum/float64(present)))
		}
	}
	if len(roots) < FewestReplications {
		return math.NaN()
	}
	published := 0.0
	for _, j := range held {
		predictive, scale := u.series[j].predict(numbers[j].Runs, numbers[j].Unit), 1.0
		if numbers[j].Trimmed {
			scale = meanDeviance(float64(u.single[j].n-2)) / meanDeviance(predictive.Degrees)
		}
		published += scale * deviance(predictive, numbers[j].Value)
	}
	spread := newSeries(roots)
	if spread.squares > 0 {
		return spread.further().Survival(math.Cbrt(published / float64(len(held))))
	}
	if _, inside := u.score(numbers, held, make([]bool, len(numbers))); inside < len(held) {
		return 0
	}
	return 1
}

// deviance returns twice the loss of log density at a value against the mode.
func deviance(predictive statistics.StudentsT, value float64) float64 {
	z := (value - predictive.Location) / predictive.Scale
	return (predictive.Degrees + 1) * math.Log1p(z*z/predictive.Degrees)
}

// meanDeviance returns the mean deviance of values of Student's t from their own distribution, the
// larger the fewer its degrees of freedom.
func meanDeviance(degrees float64) float64 {
	return (degrees + 1) * (mathext.Digamma((degrees+1)/2) - mathext.Digamma(degrees/2))
}

// further returns the predictive distribution of a further normal value.
func (s series) further() statistics.StudentsT {
	n := float64(s.n)
	return statistics.StudentsT{Location: s.mean, Scale: math.Sqrt(s.squares / (n - 1) * (1 + 1/n)), Degrees: n - 1}
}
