// Package effects computes what each alternative assumption changes in a number, from replications
// of many universes. A universe is one combination of levels of all assumptions; level 0 is the
// default of each.
//
// The number is fitted by ordinary least squares, replication by replication, with a column for
// each other level of each assumption and, where the universes tell them apart, one for each pair
// (Montgomery, Design and Analysis of Experiments, chapters 5, 6 and 8). Replications are
// independent, but share random numbers across universes, so an effect's interval over replications
// is that of paired differences.
package effects

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"gridsweep/analysis/statistics"
)

// Term is a column of the model: a level other than the default, or two such levels together.
type Term struct {
	Assumption, Level int
	// Other and OtherLevel are the second level of a pair, with Other above Assumption; Other is −1
	// for a level alone.
	Other, OtherLevel int
}

// IsPair reports whether the term is an interaction of two levels.
func (t Term) IsPair() bool { return t.Other >= 0 }

// Effect is what a term changes in the number.
//
// A level alone: the change from the default to the level, averaged over the levels of the other
// assumptions in the design. A pair: the change of the first level's effect from where the other
// assumption has its default to where it has the second level.
type Effect struct {
	Term
	Estimate statistics.Estimate // the change, over replications
	// Clear tells that the effect is not 0 by Holm's procedure over all effects of the fit, at 5 %.
	Clear bool
	// Additive tells that the universes show this effect only if no assumptions interact.
	Additive bool
}

// Fit is the effects of all assumptions on a number.
type Fit struct {
	Effects []Effect
	Aliased []Term // pairs and levels whose effect the universes do not tell from other effects
	// Shares is, by assumption, the share of the variance over universes that only its levels
	// explain: in a balanced design the first-order index of Saltelli et al. (Computer Physics
	// Communications 181, 2010). It is nil if the number is the same in all universes, and without
	// replications.
	Shares []float64
	// Explained is the share of the variance that all levels explain: R² of the model without pairs
	// of the mean over replications; NaN if Shares is nil.
	Explained float64
	// Free is the number of universes beyond the coefficients of that model. With 0, R² is 1 by
	// construction.
	Free         int
	Replications int   // fitted
	LeftOut      []int // universes with values in at most half of the replications
}

// Model is a design prepared for fits of several numbers.
type Model struct {
	universes   [][]int // levels, by universe and assumption
	assumptions int
	levels      *regression   // terms of single levels
	without     []*regression // by assumption: terms of single levels of the others
	pairs       *regression   // terms of single levels, in the same order, and then of pairs
}

// New prepares the fit of a design: the level of each assumption in each universe, 0 for the
// default. All universes have equally many assumptions.
func New(universes [][]int) *Model {
	m := &Model{universes: universes}
	if len(universes) > 0 {
		m.assumptions = len(universes[0])
	}
	var terms []Term
	for a := range m.assumptions {
		var present []int
		for _, levels := range universes {
			if level := levels[a]; level != 0 && !slices.Contains(present, level) {
				present = append(present, level)
			}
		}
		slices.Sort(present)
		for _, level := range present {
			terms = append(terms, Term{a, level, -1, 0})
		}
	}
	m.levels = newRegression(universes, terms)
	for a := range m.assumptions {
		others := slices.DeleteFunc(slices.Clone(terms), func(t Term) bool { return t.Assumption == a })
		m.without = append(m.without, newRegression(universes, others))
	}
	single := len(terms)
	for i := range single {
		for _, second := range terms[i+1 : single] {
			if first := terms[i]; first.Assumption != second.Assumption {
				terms = append(terms, Term{first.Assumption, first.Level, second.Assumption, second.Level})
			}
		}
	}
	m.pairs = newRegression(universes, terms)
	return m
}

// Fit fits a number: its values by universe and replication, NaN where there is none. Universes
// with values in at most half of the replications are left out, and then replications in which
// another universe lacks its value.
func (m *Model) Fit(values [][]float64) *Fit {
	if kept, leftOut := split(values); len(leftOut) > 0 {
		universes, remaining := make([][]int, len(kept)), make([][]float64, len(kept))
		for i, u := range kept {
			universes[i], remaining[i] = m.universes[u], values[u]
		}
		fit := New(universes).Fit(remaining)
		fit.LeftOut = leftOut
		return fit
	}
	responses := complete(values)
	fit := &Fit{Replications: len(responses), Explained: math.NaN(), Free: len(values) - m.levels.rank}
	if len(responses) > 0 {
		fit.effects(m, responses)
		fit.variance(m, mean(responses))
	}
	return fit
}

// split returns the universes with values in more than half of the replications, and the others.
func split(values [][]float64) (kept, leftOut []int) {
	for u, replications := range values {
		present := 0
		for _, x := range replications {
			if !math.IsNaN(x) {
				present++
			}
		}
		if 2*present > len(replications) {
			kept = append(kept, u)
		} else {
			leftOut = append(leftOut, u)
		}
	}
	return kept, leftOut
}

// complete returns, for each replication in which every universe has a value, the values by
// universe.
func complete(values [][]float64) [][]float64 {
	if len(values) == 0 {
		return nil
	}
	var responses [][]float64
	for k := range slices.MinFunc(values, func(a, b []float64) int { return cmp.Compare(len(a), len(b)) }) {
		response := make([]float64, len(values))
		for u := range values {
			response[u] = values[u][k]
		}
		if !floats.HasNaN(response) {
			responses = append(responses, response)
		}
	}
	return responses
}

// mean returns the mean of some responses.
func mean(responses [][]float64) []float64 {
	sum := make([]float64, len(responses[0]))
	for _, response := range responses {
		floats.AddScaled(sum, 1/float64(len(responses)), response)
	}
	return sum
}

// effects estimates each term over replications. A level's effect is estimated beside all pairs if
// the universes allow it, else as if there were no pairs.
func (f *Fit) effects(m *Model, responses [][]float64) {
	var p []float64
	for i, term := range m.pairs.terms {
		from, additive := m.pairs, false
		if !m.pairs.estimable[i] && !term.IsPair() {
			from, additive = m.levels, true
		}
		if !from.estimable[i] {
			f.Aliased = append(f.Aliased, term)
			continue
		}
		coefficients := make([]float64, len(responses))
		for k, response := range responses {
			coefficients[k] = floats.Dot(from.contrasts[i], response)
			if math.Abs(coefficients[k]) <= statistics.Rounding*floats.Norm(response, math.Inf(1)) {
				coefficients[k] = 0
			}
		}
		f.Effects = append(f.Effects, Effect{
			Term: term, Estimate: statistics.Mean.Estimate(coefficients), Additive: additive,
		})
		p = append(p, statistics.Mean.PValue(coefficients))
	}
	for i, isClear := range statistics.Holm(p) {
		f.Effects[i].Clear = isClear
	}
}

// variance splits the variance of the mean over replications.
func (f *Fit) variance(m *Model, response []float64) {
	y := variation(response)
	if y == nil {
		return
	}
	f.Explained = m.levels.explained(y)
	for _, others := range m.without {
		f.Shares = append(f.Shares, f.Explained-others.explained(y))
	}
}

// variation returns the response without its mean over universes, with the norm 1; nil if nothing
// but rounding errors varies.
func variation(response []float64) []float64 {
	y := slices.Clone(response)
	centre(y)
	centre(y) // again, since the first mean has a rounding error
	norm := floats.Norm(y, 2)
	if norm <= statistics.Rounding*floats.Norm(response, 2) {
		return nil
	}
	floats.Scale(1/norm, y)
	return y
}
