// Means: quotients that are undefined where the divisor is not above 0.

package metrics

// Mean returns sum / count; nil, for undefined, if the count is not above 0.
func Mean[N int64 | float64](sum float64, count N) *float64 {
	if count <= 0 {
		return nil
	}
	mean := sum / float64(count)
	return &mean
}

// Percent returns 100 × amount / whole; nil, for undefined, if the whole is not above 0.
func Percent[N int64 | float64](amount int64, whole N) *float64 {
	return Mean(100*float64(amount), whole)
}
