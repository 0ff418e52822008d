// Prices by Equations 2 and 3 as printed, and the comparison of the closed forms with them, with
// integrals and with numbers computed from the paper's L and k.

package intergrid

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// naiveCost is the total cost of a load of o CPU·s at the price p.
func naiveCost(beta, p, load, o float64) float64 {
	return load * o * (p + p*(beta*load)*(beta*load))
}

// naiveUnitCost is Equation 2 as printed, for a request of u units.
func naiveUnitCost(beta, p, load, u, o float64) float64 {
	return (naiveCost(beta, p, load+u/o, o) - naiveCost(beta, p, load, o)) / u
}

// naiveSmallUnitCost is the limit of naiveUnitCost for a request that adds no load.
func naiveSmallUnitCost(beta, p, load float64) float64 {
	return p * (1 + 3*beta*beta*load*load)
}

// naiveRange is Equation 3 as printed, for a request that adds the load added.
func naiveRange(beta, p, level, k, added float64) float64 {
	return naiveUnitCost(beta, p, level-added, added, 1) - naiveUnitCost(beta, p, level-k-added, added, 1)
}

// printed has the prices computed from the paper's L and k, for β = p = 1.
var printed = struct {
	priceMax map[float64]float64    // by L
	ranges   map[[2]float64]float64 // by L and k
}{
	map[float64]float64{0.99: 3.9403, 0.95: 3.7075},
	map[[2]float64]float64{{0.99, 0.01}: 0.0591, {0.99, 0.05}: 0.2895, {0.99, 0.1}: 0.5640, {0.99, 0.2}: 1.0680},
}

func TestPrintedPrices(t *testing.T) {
	for level, want := range printed.priceMax {
		if got := maximumPrice(1, 1, level); math.Abs(got-want) > 0.00005 {
			t.Errorf("maximumPrice at L = %v is %v, want %v", level, got, want)
		}
		if got := naiveUnitCost(1, 1, level, 1e-6, 1); math.Abs(got-want) > 0.0001 {
			t.Errorf("the unit cost of a tiny request at L = %v is %v, want %v", level, got, want)
		}
	}
	for at, want := range printed.ranges {
		if got := priceRange(1, 1, at[0], at[1]); math.Abs(got-want) > 0.00005 {
			t.Errorf("priceRange at L = %v for k = %v is %v, want %v", at[0], at[1], got, want)
		}
		if got := naiveRange(1, 1, at[0], at[1], 1e-6); math.Abs(got-want) > 0.0001 {
			t.Errorf("Equation 3 for a tiny request at L = %v for k = %v is %v, want %v", at[0], at[1], got, want)
		}
	}
}

// TestUnitCostIsDifferenceOfTotals adds the costs of as many tiny requests as make up a large one:
// the marginal cost is the derivative of the total.
func TestUnitCostIsDifferenceOfTotals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		beta, p := rapid.Float64Range(0, 10).Draw(t, "beta"), rapid.Float64Range(0.1, 3).Draw(t, "p")
		load, added := rapid.Float64Range(0, 1).Draw(t, "load"), rapid.Float64Range(0.001, 2).Draw(t, "added")
		const steps = 2000
		integral := 0.0
		for i := range steps {
			integral += maximumPrice(beta, p, load+added*(float64(i)+0.5)/steps) / steps
		}
		cost, price := unitCost(beta, p, load, added), maximumPrice(beta, p, load)
		requireNear(t, "unitCost against the integral of maximumPrice", cost, integral, 1e-5)
		requireNear(t, "unitCost against Equation 2", cost, naiveUnitCost(beta, p, load, added*1000, 1000), 1e-9)
		requireNear(t, "maximumPrice against Equation 2", price, naiveUnitCost(beta, p, load, 1e-6, 1), 1e-4)
		requireNear(t, "maximumPrice", price, naiveSmallUnitCost(beta, p, load), 1e-12)
	})
}

// TestPriceRangeIsEquation3 compares the price range with Equation 3 and with the integral of the
// unit cost's derivative from L - k to L.
func TestPriceRangeIsEquation3(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		beta, p := rapid.Float64Range(0, 10).Draw(t, "beta"), rapid.Float64Range(0.1, 3).Draw(t, "p")
		level := rapid.Float64Range(0, 1).Draw(t, "level")
		k := level * rapid.Float64Range(0, 1).Draw(t, "k/level")
		got, scale := priceRange(beta, p, level, k), maximumPrice(beta, p, level)
		if want := scale - naiveSmallUnitCost(beta, p, level-k); math.Abs(got-want) > 1e-12*scale {
			t.Errorf("priceRange is %v, want %v", got, want)
		}
		if want := naiveRange(beta, p, level, k, 1e-6); math.Abs(got-want) > 1e-4*scale {
			t.Errorf("priceRange is %v, by Equation 3 %v", got, want)
		}
		const steps = 2000
		integral := 0.0
		for i := range steps {
			integral += 6 * beta * beta * p * (level - k + k*(float64(i)+0.5)/steps) * k / steps
		}
		if math.Abs(got-integral) > 1e-9*scale {
			t.Errorf("priceRange is %v, the integral of its derivative %v", got, integral)
		}
	})
}

func requireNear(t *rapid.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*max(1, math.Abs(want)) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
