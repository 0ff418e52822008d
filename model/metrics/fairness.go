// Fairness: the Jain index and the Gini coefficient.

package metrics

import "slices"

// JainIndex returns the fairness of an allocation of values of at least 0: (sum x)^2 / (n sum x^2),
// which is 1 where all are equal and 1/n where one has everything (Jain, Chiu & Hawe, A
// quantitative measure of fairness and discrimination for resource allocation in shared computer
// systems, DEC Research Report TR-301, 1984). It is nil, for undefined, without values or where all
// are 0.
func JainIndex(values []float64) *float64 {
	sum, squares := 0.0, 0.0
	for _, x := range values {
		sum += x
		squares += float64(x * x)
	}
	return Mean(float64(sum*sum), float64(float64(len(values))*squares))
}

// Gini returns the Gini coefficient of values of at least 0: the mean difference of all pairs, each
// with itself too, divided by twice the mean; 0 where all are equal, towards 1 where one has
// everything (C. Gini, Variabilità e mutabilità, 1912; computed from the sorted values, as in
// Dixon, Weiner, Mitchell-Olds & Woodley, Bootstrapping the Gini coefficient of inequality, Ecology
// 68(5), 1987). It is nil, for undefined, without values or where all are 0.
func Gini(values []float64) *float64 {
	sorted := slices.Sorted(slices.Values(values))
	sum, weighted := 0.0, 0.0
	for i, x := range sorted {
		sum += x
		weighted += float64(float64(2*(i+1)-len(sorted)-1) * x)
	}
	return Mean(weighted, float64(float64(len(sorted))*sum))
}
