// Queue orders of the reference scheduler: each key compares two jobs, exactly where the definition
// has no rounding.

package cluster_test

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strings"
)

// inOrder returns the queue as it is sorted now: by the last key, then, stably, by each key before
// it.
func (r *reference) inOrder() []*job {
	sorted := slices.Clone(r.queue)
	for _, key := range slices.Backward(strings.Split(r.words.Order, ",")) {
		slices.SortStableFunc(sorted, func(a, b *job) int { return r.compare(key, a, b) })
	}
	return sorted
}

// compare orders two jobs by a key.
func (r *reference) compare(key string, a, b *job) int {
	switch key {
	case "shortest":
		return cmp.Compare(a.estimate, b.estimate)
	case "longest":
		return cmp.Compare(b.estimate, a.estimate)
	case "smallest":
		return cmp.Compare(a.procs, b.procs)
	case "largest":
		return cmp.Compare(b.procs, a.procs)
	case "smallest-area":
		return cmp.Compare(a.area(), b.area())
	case "largest-area":
		return cmp.Compare(b.area(), a.area())
	case "priority":
		return cmp.Compare(b.priority, a.priority)
	case "wfp3":
		return r.compareWFP3(a, b)
	case "unicef":
		return r.compareUNICEF(a, b)
	}
	return 0 // arrival
}

func (j *job) area() int64 { return int64(j.procs) * j.estimate }

// compareWFP3 compares -(w/e)³·p without rounding.
func (r *reference) compareWFP3(a, b *job) int {
	cube := func(x int64) *big.Int { return new(big.Int).Exp(big.NewInt(x), big.NewInt(3), nil) }
	scaled := func(x, y *job) *big.Int { // x's score without its sign, times both estimates cubed
		product := new(big.Int).Mul(cube(r.now-x.submit), cube(y.estimate))
		return product.Mul(product, big.NewInt(int64(x.procs)))
	}
	return scaled(b, a).Cmp(scaled(a, b))
}

// compareUNICEF compares -w/(log2(p)*e) in double precision: w/e first, so that jobs of one size
// are equal where w/e is.
func (r *reference) compareUNICEF(a, b *job) int {
	if a.procs == 1 || b.procs == 1 {
		return cmp.Compare(min(a.procs, 2), min(b.procs, 2))
	}
	score := func(j *job) float64 {
		return float64(r.now-j.submit) / float64(j.estimate) / math.Log2(float64(j.procs))
	}
	return cmp.Compare(score(b), score(a))
}
