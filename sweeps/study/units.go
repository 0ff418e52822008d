// Units in which numbers are shown.

package study

import (
	"slices"

	"gridsweep/configs"
)

// Unit is one in which numbers of a column are shown; the zero Unit is the column's own.
type Unit struct {
	Name string
	Size float64 // size in the column's own unit
}

// unitFamilies are lists of units of the same quantity, each with its size in the first one.
var unitFamilies = [][]Unit{
	{{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}, {"w", 7 * 86400}},
	{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}},
	{{"1/s", 1}, {"1/min", 1. / 60}, {"1/h", 1. / 3600}},
	{{"MHz", 1}, {"GHz", 1e3}},
}

// unitOf returns the unit that has the name, for showing numbers that are in the unit own. It
// reports a unit of another quantity.
func (b *binder) unitOf(name configs.Text, own, key string) Unit {
	if name.Value == "" {
		return Unit{}
	}
	isIt := func(unit string) func(Unit) bool { return func(u Unit) bool { return u.Name == unit } }
	for _, family := range unitFamilies {
		from := slices.IndexFunc(family, isIt(own))
		if from < 0 {
			continue
		}
		if to := slices.IndexFunc(family, isIt(name.Value)); to >= 0 {
			return Unit{name.Value, family[to].Size / family[from].Size}
		}
		known := mapped(family, func(u Unit) string { return u.Name })
		b.report(name, key, "%q does not measure what is in %s; %s", configs.Shortened(name.Value), own,
			configs.Suggest(name.Value, known))
		return Unit{}
	}
	if own == "" {
		b.report(name, key, "the numbers have no unit, so they cannot be shown in another one")
	} else {
		b.report(name, key, "the numbers are in %s, which can be shown in no other unit", own)
	}
	return Unit{}
}
