// Package design chooses combinations of the levels of several factors. A design is a list of
// combinations; a combination has the index of a level for each factor, and level 0 is the default.
// Every design leaves out the combination of defaults, which an experiment runs as its baseline.
package design

import (
	"math/bits"
	"slices"

	"gridsweep/model/rng"
)

// Singles returns each level but the default of each factor alone. Levels has the number of levels
// of each factor.
func Singles(levels []int) [][]int {
	var all [][]int
	for f, n := range levels {
		for level := 1; level < n; level++ {
			combination := make([]int, len(levels))
			combination[f] = level
			all = append(all, combination)
		}
	}
	return all
}

// Pairs returns Singles, and after it each pair of levels of two factors, neither the default.
func Pairs(levels []int) [][]int {
	all := Singles(levels)
	for f := range levels {
		for g := f + 1; g < len(levels); g++ {
			for a := 1; a < levels[f]; a++ {
				for b := 1; b < levels[g]; b++ {
					combination := make([]int, len(levels))
					combination[f], combination[g] = a, b
					all = append(all, combination)
				}
			}
		}
	}
	return all
}

// Size returns the number of combinations of Full, or most if there are more.
func Size(levels []int, most int) int {
	product := 1
	for _, n := range levels {
		if product *= n; product > most {
			return most
		}
	}
	return product - 1
}

// Full returns all combinations, the first factor varying slowest.
func Full(levels []int) [][]int {
	all := [][]int{{}}
	for _, n := range levels {
		var longer [][]int
		for _, combination := range all {
			for level := range n {
				longer = append(longer, append(slices.Clone(combination), level))
			}
		}
		all = longer
	}
	return all[1:]
}

// Fractional returns a fraction of the factorial design of n factors with two levels: the one of
// resolution IV with the fewest combinations, in which no main effect is aliased with another or
// with a pair (Box and Hunter, Technometrics 3, 1961). It has 2^k combinations, with the defaults,
// for up to 2^(k-1) factors: the levels of a factor are the products of an odd number of k basic
// columns.
func Fractional(n int) [][]int {
	k := 1
	for 1<<(k-1) < n {
		k++
	}
	var words []uint // one for each factor: the basic columns whose product it is
	for column := range k {
		words = append(words, 1<<column)
	}
	for word := range uint(1) << k {
		if ones := bits.OnesCount(word); ones > 1 && ones%2 == 1 {
			words = append(words, word)
		}
	}
	var all [][]int
	for row := range uint(1) << k {
		combination := make([]int, n)
		for f := range combination {
			combination[f] = bits.OnesCount(row&words[f]) % 2
		}
		all = append(all, combination)
	}
	return all[1:] // the first row is the defaults
}

// Latin returns a Latin hypercube sample of at most n combinations (McKay, Beckman and Conover,
// Technometrics 21, 1979): each factor takes each of its levels equally often, or once more, in a
// random order. Repetitions of a combination, and the defaults, are left out.
func Latin(levels []int, n int, source rng.Source) [][]int {
	sample := make([][]int, n)
	for i := range sample {
		sample[i] = make([]int, len(levels))
	}
	stream := source.Stream("latin hypercube")
	for f, count := range levels {
		// A random order of the levels decides which come once more where n is no multiple.
		order := permutation(count, stream)
		for i, at := range permutation(n, stream) {
			sample[i][f] = order[at%count]
		}
	}
	defaults := make([]int, len(levels))
	var all [][]int
	for _, combination := range sample {
		isTwice := func(other []int) bool { return slices.Equal(combination, other) }
		if !slices.Equal(combination, defaults) && !slices.ContainsFunc(all, isTwice) {
			all = append(all, combination)
		}
	}
	return all
}

// permutation returns the numbers from 0 to n - 1 in a random order.
func permutation(n int, stream *rng.Stream) []int {
	order := make([]int, n)
	for i := range order {
		j := stream.Intn(i + 1)
		order[i], order[j] = order[j], i
	}
	return order
}
