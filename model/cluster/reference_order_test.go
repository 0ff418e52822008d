package cluster_test

import (
	"cmp"
	"math"
	"math/big"
	"slices"
)

// inOrder returns the queue as it is sorted now.
func (r *reference) inOrder() []*job {
	sorted := slices.Clone(r.queue)
	slices.SortStableFunc(sorted, func(a, b *job) int {
		switch r.words.Order {
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
	})
	return sorted
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

// compareUNICEF compares -w/(log₂(p)·e): as floating-point numbers where they are far apart, else without rounding, by
// w₁·e₂·log p₂ < w₂·e₁·log p₁ if p₂^(w₁·e₂) < p₁^(w₂·e₁).
func (r *reference) compareUNICEF(a, b *job) int {
	if a.procs == 1 || b.procs == 1 {
		return cmp.Compare(min(a.procs, 2), min(b.procs, 2))
	}
	left, right := (r.now-a.submit)*b.estimate, (r.now-b.submit)*a.estimate
	x, y := float64(left)*math.Log(float64(b.procs)), float64(right)*math.Log(float64(a.procs))
	if math.Abs(x-y) > 1e-9*max(x, y) {
		return cmp.Compare(y, x)
	}
	power := func(base int, exponent int64) *big.Int {
		return new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(exponent), nil)
	}
	return power(a.procs, right).Cmp(power(b.procs, left))
}
