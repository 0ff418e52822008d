// Least squares of one model, prepared for several responses.

package effects

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// regression is a model with some terms. A column is the indicator of a level minus its mean over
// universes, or the product of two such, also with mean 0. So the intercept is the mean of the
// universes, and a level's effect is measured at the mean of the other assumptions.
type regression struct {
	terms     []Term
	estimable []bool      // by term: whether its column does not depend linearly on the others
	contrasts [][]float64 // by term: the vector whose product with the response is the coefficient
	basis     [][]float64 // orthonormal vectors of the space of the columns
	rank      int         // rank of the columns, with the intercept
}

// newRegression solves a model by an orthonormal basis Q of the space of its columns X = QR.
// Coefficients are those with the least norm, Rᵀ(RRᵀ)⁻¹Qᵀy. That of the column with coordinates c
// is estimable if and only if cᵀ(RRᵀ)⁻¹c = 1: otherwise the column depends linearly on the others.
func newRegression(universes [][]int, terms []Term) *regression {
	r := &regression{terms: terms, rank: min(1, len(universes))}
	if len(universes) == 0 || len(terms) == 0 {
		return r
	}
	columns := make([][]float64, len(terms))
	for i, term := range terms {
		columns[i] = term.column(universes)
	}
	r.basis = orthonormal(columns)
	r.rank += len(r.basis)
	coordinates := make([][]float64, len(terms)) // Rᵀ
	gram := make([][]float64, len(r.basis))      // RRᵀ
	for k := range gram {
		gram[k] = make([]float64, len(r.basis))
	}
	for i, column := range columns {
		for _, direction := range r.basis {
			coordinates[i] = append(coordinates[i], floats.Dot(direction, column))
		}
		for k, c := range coordinates[i] {
			floats.AddScaled(gram[k], c, coordinates[i])
		}
	}
	factor(gram)
	const tolerance = 1e-6 // more than rounding errors and negligible remainders take from 1
	for i := range terms {
		weights, contrast := solve(gram, coordinates[i]), make([]float64, len(universes))
		for k, direction := range r.basis {
			floats.AddScaled(contrast, weights[k], direction)
		}
		r.estimable = append(r.estimable, floats.Dot(weights, coordinates[i]) > 1-tolerance)
		r.contrasts = append(r.contrasts, contrast)
	}
	return r
}

// orthonormal returns an orthonormal basis of the space of some columns, by the Gram-Schmidt
// process; next is the column with the longest remainder. Each direction is made orthogonal to the
// earlier ones twice, which suffices (Giraud et al., Computers and Mathematics with Applications
// 50, 2005).
func orthonormal(columns [][]float64) (basis [][]float64) {
	remainders := make([][]float64, len(columns))
	longest := 0.0
	for i, column := range columns {
		remainders[i] = slices.Clone(column)
		longest = max(longest, floats.Norm(column, 2))
	}
	const negligible = 1e-5 // of the longest column, at least of 1; rounding errors leave less
	for {
		next, length := 0, 0.0
		for i, column := range remainders {
			if norm := floats.Norm(column, 2); norm > length {
				next, length = i, norm
			}
		}
		if length <= negligible*math.Max(1, longest) {
			return basis
		}
		direction := slices.Clone(remainders[next])
		for _, earlier := range basis {
			floats.AddScaled(direction, -floats.Dot(earlier, direction), earlier)
		}
		floats.Scale(1/floats.Norm(direction, 2), direction)
		basis = append(basis, direction)
		for _, column := range remainders {
			floats.AddScaled(column, -floats.Dot(direction, column), direction)
		}
	}
}

// factor replaces the lower triangle of a symmetric positive definite matrix by that of its
// Cholesky factor.
func factor(matrix [][]float64) {
	for i, row := range matrix {
		for k, other := range matrix[:i+1] {
			rest := row[k] - floats.Dot(row[:k], other[:k])
			if i == k {
				row[k] = math.Sqrt(rest)
			} else {
				row[k] = rest / other[k]
			}
		}
	}
}

// solve returns the solution of the linear equations with a factored matrix.
func solve(factor [][]float64, right []float64) []float64 {
	x := slices.Clone(right)
	for i, row := range factor {
		x[i] = (x[i] - floats.Dot(row[:i], x[:i])) / row[i]
	}
	for i, row := range slices.Backward(factor) {
		x[i] /= row[i]
		floats.AddScaled(x[:i], -x[i], row[:i])
	}
	return x
}

// explained returns the share of the variation of a response that the model explains, R².
func (r *regression) explained(variation []float64) float64 {
	share := 0.0
	for _, direction := range r.basis {
		projected := floats.Dot(direction, variation)
		share += projected * projected
	}
	return share
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
