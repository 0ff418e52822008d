// Effects against a textbook's, in designs that tell all, some or no pairs apart, under noise and
// with missing values.

package effects

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var nan = math.NaN()

func near(t *testing.T, what string, have, want, within float64) {
	t.Helper()
	if !(math.Abs(have-want) <= within) {
		t.Errorf("%s is %v, want %v", what, have, want)
	}
}

// crossed returns all combinations of levels.
func crossed(levels ...int) [][]int {
	universes := [][]int{{}}
	for _, n := range levels {
		var more [][]int
		for level := range n {
			for _, u := range universes {
				more = append(more, append(slices.Clone(u), level))
			}
		}
		universes = more
	}
	return universes
}

// single returns values of one replication.
func single(values ...float64) [][]float64 {
	all := make([][]float64, len(values))
	for u, value := range values {
		all[u] = []float64{value}
	}
	return all
}

func (f *Fit) effectOf(term Term) *Effect {
	i := slices.IndexFunc(f.Effects, func(e Effect) bool { return e.Term == term })
	if i < 0 {
		return nil
	}
	return &f.Effects[i]
}

// The filtration rate of Montgomery, Design and Analysis of Experiments, example 6.2. The book's
// interactions are half of ours: they are the difference of effects from their mean.
func TestMontgomery(t *testing.T) {
	model := New(crossed(2, 2, 2, 2))
	fit := model.Fit(
		single(45, 71, 48, 65, 68, 60, 80, 65, 43, 100, 45, 104, 75, 86, 70, 96))
	for _, c := range []struct {
		term Term
		want float64
	}{
		{Term{0, 1, -1, 0}, 21.625}, {Term{1, 1, -1, 0}, 3.125}, {Term{2, 1, -1, 0}, 9.875}, {Term{3, 1, -1, 0}, 14.625},
		{Term{0, 1, 1, 1}, 2 * 0.125}, {Term{0, 1, 2, 1}, 2 * -18.125}, {Term{0, 1, 3, 1}, 2 * 16.625},
		{Term{1, 1, 2, 1}, 2 * 2.375}, {Term{1, 1, 3, 1}, 2 * -0.375}, {Term{2, 1, 3, 1}, 2 * -1.125},
	} {
		near(t, "effect", fit.effectOf(c.term).Estimate.Value, c.want, 1e-9)
	}
	// The book's sums of squares: A 1870.56, B 39.0625, C 390.062, D 855.563 of 5730.94 in total.
	near(t, "share of A", fit.Shares[0], 1870.56/5730.94, 1e-5)
	near(t, "share of D", fit.Shares[3], 855.563/5730.94, 1e-5)
	near(t, "R² of levels", fit.Explained, (1870.56+39.0625+390.062+855.563)/5730.94, 1e-5)
	if fit.Free != 11 || model.pairs.rank != 11 || len(fit.Aliased) > 0 {
		t.Errorf("%d free universes, %d coefficients with pairs, aliased %v", fit.Free, model.pairs.rank, fit.Aliased)
	}
}

func TestOneAtATime(t *testing.T) {
	fit := New([][]int{{0, 0}, {1, 0}, {2, 0}, {0, 1}}).Fit([][]float64{{1, 3}, {2, 4.5}, {5, 6}, {0, 2}})
	near(t, "first level", fit.effectOf(Term{0, 1, -1, 0}).Estimate.Value, 1.25, 1e-12)
	near(t, "second level", fit.effectOf(Term{0, 2, -1, 0}).Estimate.Value, 3.5, 1e-12)
	near(t, "other assumption", fit.effectOf(Term{1, 1, -1, 0}).Estimate.Value, -1, 1e-12)
	if e := fit.effectOf(Term{1, 1, -1, 0}); !e.Clear || !e.Additive || e.Estimate.N != 2 {
		t.Errorf("an equal change in both replications: %+v", e)
	}
	if want := []Term{{0, 1, 1, 1}, {0, 2, 1, 1}}; !slices.Equal(fit.Aliased, want) {
		t.Errorf("aliased %v, want %v", fit.Aliased, want)
	}
}

// All pairs of levels of three assumptions tell each pair apart, and a level that no universe has
// is no term. Effects of levels are averaged over the design, in which each level has 3 of 7
// universes.
func TestAllPairs(t *testing.T) {
	const share = 3.0 / 7
	fit := New([][]int{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 1, 0}, {2, 0, 1}, {0, 1, 1}}).Fit(
		single(1, 3, 0, 1, 7, 3, 0))
	for term, want := range map[Term]float64{
		{0, 2, -1, 0}: 2 + 5*share, {1, 1, -1, 0}: -1 + 5*share, {2, 1, -1, 0}: 0, {0, 2, 1, 1}: 5,
		{0, 2, 2, 1}: 0, {1, 1, 2, 1}: 0,
	} {
		near(t, "effect", fit.effectOf(term).Estimate.Value, want, 1e-9)
	}
	if len(fit.Effects) != 6 || len(fit.Aliased) > 0 {
		t.Errorf("effects %+v, aliased %v", fit.Effects, fit.Aliased)
	}
}

// In a fraction of resolution IV pairs are aliased with each other, in one of resolution III with
// levels alone.
func TestFractions(t *testing.T) {
	var four, three [][]int
	for _, u := range crossed(2, 2, 2) {
		four = append(four, append(slices.Clone(u), (u[0]+u[1]+u[2])%2))
	}
	for _, u := range crossed(2, 2) {
		three = append(three, append(slices.Clone(u), (u[0]+u[1])%2))
	}
	fit := New(four).Fit(single(0, 1, 2, 3, 4, 5, 6, 8))
	if len(fit.Effects) != 4 || len(fit.Aliased) != 6 || fit.Effects[0].Additive {
		t.Errorf("resolution IV: effects %+v, aliased %v", fit.Effects, fit.Aliased)
	}
	fit = New(three).Fit(single(0, 1, 2, 4))
	if len(fit.Effects) != 3 || len(fit.Aliased) != 3 || !fit.Effects[0].Additive {
		t.Errorf("resolution III: effects %+v, aliased %v", fit.Effects, fit.Aliased)
	}
}

// Whatever the design, effects of a number without interactions are the changes that made it, and
// estimable pairs are the interactions.
func TestEstimableEffectsAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var counts []int
		for range rapid.IntRange(1, 4).Draw(t, "assumptions") {
			counts = append(counts, rapid.IntRange(2, 3).Draw(t, "levels"))
		}
		all := crossed(counts...)
		universes := rapid.Permutation(all).Draw(t, "order")[:rapid.IntRange(1, len(all)).Draw(t, "universes")]
		truth, interact := map[Term]float64{}, rapid.Bool().Draw(t, "interact")
		model := New(universes)
		for _, term := range model.pairs.terms {
			if !term.IsPair() || interact {
				truth[term] = rapid.Float64Range(-9, 9).Draw(t, "effect")
			}
		}
		values := make([]float64, len(universes))
		for u, levels := range universes {
			values[u] = 5
			for _, term := range model.pairs.terms {
				if levels[term.Assumption] == term.Level && (!term.IsPair() || levels[term.Other] == term.OtherLevel) {
					values[u] += truth[term]
				}
			}
		}
		fit := model.Fit(single(values...))
		for _, e := range fit.Effects {
			if (e.IsPair() || !interact) && math.Abs(e.Estimate.Value-truth[e.Term]) > 1e-6 {
				t.Fatalf("effect %+v, want %v", e, truth[e.Term])
			}
		}
		if len(fit.Effects)+len(fit.Aliased) != len(model.pairs.terms) {
			t.Fatalf("%d effects and %d aliased of %d terms", len(fit.Effects), len(fit.Aliased), len(model.pairs.terms))
		}
		if len(universes) == len(all) && len(fit.Aliased) > 0 {
			t.Fatalf("aliased in a full design: %v", fit.Aliased)
		}
		y := variation(values)
		if (y == nil) != (fit.Shares == nil) {
			t.Fatalf("variation %v, shares %v", y, fit.Shares)
		}
		for _, model := range []*regression{model.levels, model.pairs} {
			if y != nil && model.rank == len(values) && math.Abs(model.explained(y)-1) > 1e-9 {
				t.Fatalf("R² %v of as many coefficients as universes", model.explained(y))
			}
		}
	})
}

// Noise alone has a clear effect in at most 5 % of fits, and intervals hold the true effect in 95
// %.
func TestNoise(t *testing.T) {
	model, random := New(crossed(2, 2, 3)), rand.New(rand.NewPCG(3, 4))
	const draws = 1000
	wrong, inside := 0, 0
	for range draws {
		values := make([][]float64, 12)
		for u := range values {
			values[u] = make([]float64, 6)
		}
		for k := range 6 {
			common := 10 * random.NormFloat64()
			for u := range values {
				values[u][k] = common + random.NormFloat64()
			}
		}
		fit := model.Fit(values)
		if slices.ContainsFunc(fit.Effects, func(e Effect) bool { return e.Clear }) {
			wrong++
		}
		if e := fit.Effects[0].Estimate; e.Low <= 0 && e.High >= 0 {
			inside++
		}
	}
	if share := float64(wrong) / draws; share > 0.065 {
		t.Errorf("noise has a clear effect in %.3f of fits", share)
	}
	if share := float64(inside) / draws; share < 0.93 || share > 0.97 {
		t.Errorf("the interval of an effect holds it in %.3f of fits", share)
	}
}

func TestMissingValues(t *testing.T) {
	fit := New([][]int{{0}, {1}, {2}}).Fit([][]float64{{1, 2, 3, nan}, {2, 4, 3, 9}, {5, nan, nan, nan}})
	if !slices.Equal(fit.LeftOut, []int{2}) || fit.Replications != 3 {
		t.Errorf("left out %v, %d replications", fit.LeftOut, fit.Replications)
	}
	near(t, "effect", fit.effectOf(Term{0, 1, -1, 0}).Estimate.Value, 1, 1e-12)
	fit = New([][]int{{0}, {1}}).Fit([][]float64{{nan}, {nan}})
	if len(fit.Effects) > 0 || len(fit.LeftOut) != 2 || fit.Shares != nil {
		t.Errorf("without values: %+v", fit)
	}
	if fit = New(nil).Fit(nil); len(fit.Effects) > 0 {
		t.Errorf("without universes: %+v", fit)
	}
}

// A number that is 0.1 in all universes has no effects but rounding errors, which are none.
func TestConstant(t *testing.T) {
	values := make([][]float64, 8)
	for u := range values {
		values[u] = slices.Repeat([]float64{0.1}, 5)
	}
	fit := New(crossed(2, 2, 2)).Fit(values)
	for _, e := range fit.Effects {
		if e.Clear || e.Estimate.Value != 0 {
			t.Errorf("effect %+v", e)
		}
	}
	if fit.Shares != nil || !math.IsNaN(fit.Explained) {
		t.Errorf("shares %v, R² %v of no variance", fit.Shares, fit.Explained)
	}
}

// A variation that is just above the rounding errors of numbers is split without the rounding error
// of their mean.
func TestVariationNearRounding(t *testing.T) {
	small := math.Ldexp(1, -36)
	fit := New(crossed(3)).Fit(single(5, 5+small, 5+small))
	near(t, "R² of as many coefficients as universes", fit.Explained, 1, 1e-12)
	near(t, "share of the only assumption", fit.Shares[0], 1, 1e-12)
	if fit = New(crossed(3)).Fit(single(5, 5+small/4, 5+small/4)); fit.Shares != nil {
		t.Errorf("shares %v of rounding errors", fit.Shares)
	}
}

func TestCompare(t *testing.T) {
	universes := [][]int{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}}
	c := Compare(universes, []Judged{{Fails, -2}, {Open, -0.5}, {Fails, -3}, {None, nan}, {Holds, 2}, {Holds, 1}})
	if c.Holding != 2 || c.Failing != 2 || c.Open != 1 {
		t.Errorf("counts %+v", c)
	}
	if c.Smallest != 4 || c.Nearest != 4 {
		t.Errorf("smallest change %d, nearest %d", c.Smallest, c.Nearest)
	}
	// From the default to level 2 of the first assumption both fail; with level 1 of the second the
	// claim holds in one of them.
	if want := []Flip{{0, 2, 1, 0}, {1, 1, 1, 1}}; !slices.Equal(c.Flips, want) {
		t.Errorf("flips %v, want %v", c.Flips, want)
	}
	c = Compare(universes[:3], []Judged{{Holds, 2}, {Fails, -1}, {Fails, -3}})
	if c.Smallest != 2 || c.Nearest != 0 {
		t.Errorf("a claim that holds: smallest change %d, nearest %d", c.Smallest, c.Nearest)
	}
	c = Compare(universes[:1], []Judged{{Fails, nan}})
	if c.Smallest != -1 || c.Nearest != -1 || c.Holding != 0 {
		t.Errorf("no change: %+v", c)
	}
}

func BenchmarkFit(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	universes, values := make([][]int, 256), make([][]float64, 256)
	for u := range universes {
		for range 15 {
			universes[u] = append(universes[u], random.IntN(3))
		}
		for range 10 {
			values[u] = append(values[u], random.NormFloat64())
		}
	}
	b.Run("model", func(b *testing.B) {
		for b.Loop() {
			New(universes)
		}
	})
	model := New(universes)
	b.Run("fit", func(b *testing.B) {
		for b.Loop() {
			model.Fit(values)
		}
	})
}
