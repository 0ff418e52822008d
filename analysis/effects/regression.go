package effects

// Least squares of one model, prepared for several responses.

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// regression is a model with some terms. A column is the indicator of a level minus its mean over
// universes, or the product of two such, also with mean 0. So the intercept is the mean of the
// universes, and a level's effect is measured at the mean of the other assumptions.
type regression struct {
	terms     []Term
	estimable []bool          // by term: its column does not depend linearly on the others
	contrasts []*mat.VecDense // by term: the coefficient is the product with the response
	basis     *mat.Dense      // orthonormal, of the space of the columns; nil if its dimension is 0
	rank      int             // with the intercept
}

// newRegression solves a model by the eigenvectors U and eigenvalues Λ of G = XXᵀ, where X has the
// columns. Coefficients are those with the least norm, XᵀG⁺y. That of column x is estimable if and
// only if xᵀG⁺x = 1: otherwise x has a component in the space of the other columns.
func newRegression(universes [][]int, terms []Term) *regression {
	r := &regression{terms: terms, rank: min(1, len(universes))}
	if len(universes) == 0 || len(terms) == 0 {
		return r
	}
	columns := mat.NewDense(len(universes), len(terms), nil)
	for i, term := range terms {
		columns.SetCol(i, term.column(universes))
	}
	gram := mat.NewSymDense(len(universes), nil)
	gram.SymOuterK(1, columns)
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, true) {
		panic("effects: the eigenvalues of a symmetric matrix do not converge")
	}
	var vectors, projected mat.Dense
	eigen.VectorsTo(&vectors)
	projected.Mul(vectors.T(), columns) // UᵀX
	values := eigen.Values(nil)         // ascending
	const negligible, tolerance = 1e-9, 1e-6
	first := 0 // eigenvector with a value above 0
	for first < len(values) && values[first] <= negligible*math.Max(1, values[len(values)-1]) {
		first++
	}
	r.rank += len(values) - first
	if first < len(values) {
		r.basis = mat.DenseCopyOf(vectors.Slice(0, len(universes), first, len(values)))
	}
	for i := range terms {
		leverage, contrast := 0.0, mat.NewVecDense(len(universes), nil)
		for k := first; k < len(values); k++ {
			x := projected.At(k, i)
			leverage += x * x / values[k]
			contrast.AddScaledVec(contrast, x/values[k], vectors.ColView(k))
		}
		r.estimable = append(r.estimable, leverage > 1-tolerance)
		r.contrasts = append(r.contrasts, contrast)
	}
	return r
}

// explained returns the share of the variation of a response that the model explains, R².
func (r *regression) explained(variation mat.Vector) float64 {
	if r.basis == nil {
		return 0
	}
	var projected mat.VecDense
	projected.MulVec(r.basis.T(), variation)
	return mat.Dot(&projected, &projected)
}

// column returns the column of a term.
func (t Term) column(universes [][]int) []float64 {
	column := indicator(universes, t.Assumption, t.Level)
	if t.IsPair() {
		for u, x := range indicator(universes, t.Other, t.OtherLevel) {
			column[u] *= x
		}
		centre(column)
	}
	return column
}

// indicator returns the indicator of a level of an assumption, with mean 0.
func indicator(universes [][]int, assumption, level int) []float64 {
	column := make([]float64, len(universes))
	for u, levels := range universes {
		if levels[assumption] == level {
			column[u] = 1
		}
	}
	centre(column)
	return column
}

// centre subtracts the mean.
func centre(values []float64) {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	for i := range values {
		values[i] -= sum / float64(len(values))
	}
}
