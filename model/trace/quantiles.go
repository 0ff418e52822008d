// Quantiles: the description of a sample of whole numbers.

package trace

// Quantiles describe a sample of whole numbers: R's type 7, which NumPy has too, linear between the
// values next to (n-1)*p (Hyndman and Fan, Sample quantiles in statistical packages, The American
// Statistician 50, 1996, https://doi.org/10.1080/00031305.1996.10473566). All are 0 for an empty
// sample.
type Quantiles struct {
	Min    int64   `json:"min"`
	P5     float64 `json:"p5"`
	P25    float64 `json:"p25"`
	Median float64 `json:"median"`
	Mean   float64 `json:"mean"`
	P75    float64 `json:"p75"`
	P95    float64 `json:"p95"`
	P99    float64 `json:"p99"`
	Max    int64   `json:"max"`
}

// quantilesOf describes values that are sorted.
func quantilesOf(sorted []int64) Quantiles {
	if len(sorted) == 0 {
		return Quantiles{}
	}
	sum := 0.0
	for _, value := range sorted {
		sum += float64(value)
	}
	return Quantiles{
		Min: sorted[0], Max: sorted[len(sorted)-1], Mean: sum / float64(len(sorted)),
		P5: quantile(sorted, 0.05), P25: quantile(sorted, 0.25), Median: quantile(sorted, 0.5),
		P75: quantile(sorted, 0.75), P95: quantile(sorted, 0.95), P99: quantile(sorted, 0.99),
	}
}

// quantile returns the quantile p in [0, 1] of one or more values that are sorted, as Quantiles has
// it.
func quantile(sorted []int64, p float64) float64 {
	at := float64(float64(len(sorted)-1) * p)
	below := int(at)
	low := float64(sorted[below])
	if below+1 == len(sorted) {
		return low
	}
	return low + float64((at-float64(below))*(float64(sorted[below+1])-low))
}
