// Distribution: the values of user estimates and how many jobs have each.

package estimates

import (
	"cmp"
	"math"
	"slices"

	"gridsweep/model/rng"
)

const (
	minute    = 60
	hour      = 3600
	popular   = 20   // estimates in the head of the distribution
	headShare = 0.89 // share of jobs that use one of the popular estimates
)

// value is an estimate in s and how many jobs have it; before jobs are counted, their share.
type value struct {
	estimate int64
	share    float64
	jobs     int
}

// distribution draws which estimates that many jobs have, up to the longest in s.
func distribution(jobs int, longest int64, draws *rng.Stream) []value {
	values := head(longest, draws)
	if rest := distinct(jobs) - popular; rest > 0 {
		values = append(values, tail(values, rest, longest, draws)...)
	}
	apportion(values, jobs)
	return values
}

// distinct returns how many different estimates so many jobs have, by linear interpolation.
func distinct(jobs int) int {
	points := [...]struct{ jobs, estimates int }{
		{0, 0}, {20, 10}, {200, 20}, {1000, 35}, {10_000, 90}, {70_000, 340}, {250_000, 565},
	}
	for i, next := range points[1:] {
		if point := points[i]; jobs <= next.jobs {
			slope := float64(next.estimates-point.estimates) / float64(next.jobs-point.jobs)
			return point.estimates + int(math.Round(float64(jobs-point.jobs)*slope))
		}
	}
	return points[len(points)-1].estimates
}

// head returns the popular estimates with their shares. The share of popularity rank r, from 2 to
// 20, is 14.0491·e^(-0.177531·r) + 0.462513 percent; that of rank 1 is the rest of headShare.
func head(longest int64, draws *rng.Stream) []value {
	var shares [popular + 1]float64
	shares[1] = headShare
	for rank := 2; rank <= popular; rank++ {
		shares[rank] = (float64(14.0491*rng.Exp(-0.177531*float64(rank))) + 0.462513) / 100
		shares[1] -= shares[rank]
	}
	ranks := popularityRanks(draws)
	values := make([]value, popular)
	for i, estimate := range popularEstimates(longest) {
		values[i] = value{estimate: estimate, share: shares[ranks[i]]}
	}
	return values
}

// popularEstimates returns the longest estimate, then the other 19 popular ones, ascending: first
// the 15 that are popular in all four logs of the paper, then multiples of round times, from the
// longest multiple down, of the roundest time first.
func popularEstimates(longest int64) []int64 {
	estimates := []int64{longest}
	add := func(estimate int64) {
		if len(estimates) < popular && estimate < longest && !slices.Contains(estimates, estimate) {
			estimates = append(estimates, estimate)
		}
	}
	for _, common := range [...]int64{
		5 * minute, 10 * minute, 15 * minute, 20 * minute, 30 * minute, 1 * hour, 2 * hour, 3 * hour, 4 * hour, 5 * hour,
		6 * hour, 8 * hour, 10 * hour, 12 * hour, 18 * hour,
	} {
		add(common)
	}
	for _, step := range [...]int64{
		200 * hour, 100 * hour, 50 * hour, 10 * hour, 5 * hour, 2 * hour, 1 * hour, 20 * minute, 10 * minute, 5 * minute,
	} {
		for multiple := longest / step * step; multiple > 0 && len(estimates) < popular; multiple -= step {
			add(multiple)
		}
	}
	slices.Sort(estimates[1:])
	return estimates
}

// popularity holds, for the longest popular estimate and then the other 19 in ascending order,
// their popularity ranks in four logs, which the program calls sdsc-106, ctc, kth4h and blue.
var popularity = [popular][4]int{
	{3, 1, 1, 1}, {1, 3, 4, 6}, {4, 4, 10, 5}, {17, 2, 14, 3}, {13, 12, 20, 7},
	{7, 9, 2, 2}, {8, 8, 3, 18}, {18, 18, 7, 19}, {2, 6, 12, 4}, {6, 7, 6, 11},
	{16, 11, 19, 20}, {10, 20, 5, 9}, {5, 16, 18, 10}, {15, 5, 16, 14}, {14, 14, 9, 13},
	{19, 13, 17, 16}, {11, 10, 15, 15}, {12, 15, 13, 17}, {9, 17, 8, 8}, {20, 19, 11, 12},
}

// popularityRanks draws the popularity rank, from 1 on, of each popular estimate. The longest one
// is the most popular.
//
// Each estimate puts the ranks of its row of popularity that are left into a pool. All but the
// longest then take the better of two draws from the pool or, where ranks left are in no later row,
// the best of these.
func popularityRanks(draws *rng.Stream) [popular]int {
	var last [popular + 1]int // row of popularity that has a rank last; popular if it is taken
	for at, row := range popularity {
		for _, rank := range row {
			last[rank] = at
		}
	}
	var ranks [popular]int
	var pool []int
	for at, row := range popularity {
		for _, rank := range row {
			if last[rank] < popular {
				pool = append(pool, rank)
			}
		}
		due := slices.IndexFunc(last[1:], func(lastRow int) bool { return lastRow <= at })
		switch {
		case at == 0:
			ranks[at] = 1
		case due >= 0:
			ranks[at] = due + 1
		default:
			ranks[at] = min(pool[draws.Intn(len(pool))], pool[draws.Intn(len(pool))])
		}
		last[ranks[at]] = popular
		pool = slices.DeleteFunc(pool, func(rank int) bool { return rank == ranks[at] })
	}
	return ranks
}

// tail returns other estimates than the popular ones, at most n, with their shares.
//
// The i-th shortest estimate is longest·(a-1)·x/(a-x), rounded to minutes, with x = i/n and a = 1 +
// 12.1039·K^(-0.6026) for K different estimates. It is moved by 10 to 30 s, or left out, if there
// is one already. The share of popularity rank r, from 21 on, is in proportion to r^(-2.267);
// together they are 1 - headShare. Which estimate has which rank is random.
func tail(head []value, n int, longest int64, draws *rng.Stream) []value {
	a := 1 + float64(12.1039*rng.Pow(float64(n+popular), -0.6026))
	found := make(map[int64]bool, n+popular)
	for _, v := range head {
		found[v.estimate] = true
	}
	values := make([]value, 0, n)
	for i := 1; i <= n; i++ {
		x := float64(i) / float64(n)
		minutes := math.Round(float64(float64(longest)*(float64((a-1)*x)/(a-x))) / minute)
		for _, offset := range [...]int64{0, 30, -30, 20, -20, 10, -10} {
			if estimate := int64(minutes)*minute + offset; estimate > 0 && estimate < longest && !found[estimate] {
				found[estimate] = true
				values = append(values, value{estimate: estimate})
				break
			}
		}
	}
	sum := 0.0
	for i := range values {
		values[i].share = rng.Pow(float64(popular+1+i), -2.267)
		sum += values[i].share
	}
	for i := range values {
		values[i].share *= (1 - headShare) / sum
		other := i + draws.Intn(len(values)-i)
		values[i].estimate, values[other].estimate = values[other].estimate, values[i].estimate
	}
	return values
}

// apportion turns shares into jobs: their product with the number of jobs, rounded, at least 1.
// Then it adds or removes a job at a time, from the most popular estimate down and again, until the
// sum is right. Each estimate keeps a job, unless there are fewer jobs than estimates.
func apportion(values []value, jobs int) {
	slices.SortStableFunc(values, func(a, b value) int { return cmp.Compare(b.share, a.share) })
	left := jobs
	for i := range values {
		values[i].jobs = max(1, int(math.Round(float64(values[i].share*float64(jobs)))))
		left -= values[i].jobs
	}
	fewest := 1
	if jobs < len(values) {
		fewest = 0
	}
	for left != 0 {
		for i := range values {
			switch {
			case left > 0:
				values[i].jobs++
				left--
			case left < 0 && values[i].jobs > fewest:
				values[i].jobs--
				left++
			}
		}
	}
}
