// Package ordering makes queue orders from text: names of the literature, such as saf or f1, and
// expressions of the attributes of a waiting job, such as -(wait + estimate)/estimate. The job with
// the lowest value is first. Several keys are separated by commas; each breaks the ties of those
// before it, and the order of the trace breaks the last.
//
// Its one idea: an expression is checked by the range of its values. From the ranges of its
// variables follows that of each operation, so that a division by zero, a logarithm of 0 or a value
// that is not a finite number is found when the text is read, with its column, and never in a
// simulation.
//
// Values are the same bits on every processor.
package ordering

import (
	"fmt"
	"slices"
	"strings"

	"gridsweep/model/cluster"
)

// Named is an order of the literature, written as an order of this package or of package cluster.
type Named struct {
	Name, Order, Source string
}

// Names lists the names that Parse accepts.
func Names() []string {
	names := cluster.OrderNames()
	for _, n := range Literature() {
		names = append(names, n.Name)
	}
	return names
}

// IsName reports whether a text is one of Names, in any case.
func IsName(text string) bool { return slices.Contains(Names(), strings.ToLower(text)) }

// meanings are what the orders of package cluster sort by, lowest first.
var meanings = map[string]string{
	"shortest": "estimate", "longest": "-estimate", "smallest": "procs", "largest": "-procs",
	"smallest-area": "procs*estimate", "largest-area": "-procs*estimate",
	"wfp3": "-(wait/estimate)^3*procs", "unicef": "-wait/estimate/log2(procs)", "priority": "-priority",
}

// namesWithMeaning lists the names of Names, each but arrival with what it sorts by, lowest first.
func namesWithMeaning() []string {
	names := cluster.OrderNames()
	for i, name := range names {
		if meaning := meanings[name]; meaning != "" {
			names[i] += " (" + meaning + ")"
		}
	}
	for _, n := range Literature() {
		names = append(names, n.Name+" ("+n.Order+")")
	}
	return names
}

// Literature returns the orders that Parse knows beside those of package cluster.
func Literature() []Named {
	const (
		only = "Carastan-Santos, de Camargo, Trystram & Zrigui," +
			" One can only gain by replacing EASY backfilling, CCGrid 2019"
		dynamic = "Carastan-Santos & de Camargo," +
			" Obtaining dynamic scheduling policies with simulation and machine learning, SC 2017"
	)
	return []Named{
		{"sjf", "estimate", "shortest job first, the usual name"},
		{"spf", "estimate", "smallest estimated processing time first: " + only},
		{"sqf", "procs", "smallest resource requirement first: " + only},
		{"saf", "procs*estimate", "smallest estimated area first: " + only},
		{"xfactor", "-(wait + estimate)/estimate", "largest expansion factor first:" +
			" Srinivasan, Kettimuthu, Subramani & Sadayappan, Characterization of backfilling strategies, ICPP Workshops 2002"},
		{"lxf", "-(wait + estimate)/estimate", "largest expansion factor first: Chiang, Arpaci-Dusseau & Vernon," +
			" The impact of more accurate requested runtimes on production job scheduling performance, JSSPP 2002"},
		{"unicep", "unicef", "Tang, Lan, Desai & Buettner, CLUSTER 2009, as later papers spell it"},
		{"f1", "log10(estimate)*procs + 8.70e2*log10(max(submit, 1))", dynamic},
		{"f2", "sqrt(estimate)*procs + 2.56e4*log10(max(submit, 1))", dynamic},
		{"f3", "estimate*procs + 6.86e6*log10(max(submit, 1))", dynamic},
		{"f4", "estimate*sqrt(procs) + 5.30e5*log10(max(submit, 1))", dynamic},
	}
}

// ParsePolicy returns the policy of a name as cluster.ParsePolicy does. The error for the name of
// an order, such as sjf, says that it is one.
func ParsePolicy(name string) (cluster.Policy, error) {
	policy, err := cluster.ParsePolicy(name)
	if err != nil && IsName(name) {
		return policy, fmt.Errorf("there is no policy %q, which is an order of the queue: write the order %[1]s, and the "+
			"policy fcfs, or easy or sjbf for backfilling", strings.ToLower(name))
	}
	return policy, err
}

// longestText bounds an order, in bytes.
const longestText = 1000

// Parse returns an order: its first key, with the others in Then. A key is a name of Names,
// in lower or upper case, or an expression of
//
//	wait      s since the job's submit
//	estimate  s of run time that the scheduler plans with, at least 1
//	procs     processors, at least 1
//	submit    s, from the beginning of the simulation
//
// with numbers, + - * / ^, parentheses and the functions log2, log10, ln, sqrt, abs of one value,
// min and max of two or more. ^ binds closest and from the right, so -2^3^2 is -(2^(3^2)). The Name
// of a key is its text, and Changes is set where it uses wait.
//
// The error has the column, what is wrong there and what would be right.
func Parse(text string) (cluster.Order, error) {
	if len(text) > longestText {
		return cluster.Order{}, fmt.Errorf("a queue order of %d characters: write at most %d", len(text), longestText)
	}
	var keys []cluster.Order
	for from := 0; from <= len(text); {
		end := from + keyLength(text[from:])
		key, err := parseKey(text[from:end])
		if err != nil {
			return cluster.Order{}, fmt.Errorf("queue order %q: column %d: %w", text, columnOf(text, from, err), err)
		}
		if key.Score == nil && end < len(text) {
			return cluster.Order{}, fmt.Errorf("queue order %q: column %d: %s leaves no ties: write it as the last key",
				text, columnOf(text, from, nil), key.Name)
		}
		keys = append(keys, key)
		from = end + 1
	}
	order := keys[0]
	order.Then = keys[1:]
	return order, nil
}

// keyLength returns the length of the text before the first comma outside parentheses.
func keyLength(text string) int {
	depth := 0
	for i, c := range []byte(text) {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth <= 0:
			return i
		}
	}
	return len(text)
}

// parseKey returns the order of a key.
func parseKey(text string) (cluster.Order, error) {
	trimmed := strings.TrimSpace(text)
	name := strings.ToLower(trimmed)
	if order, err := cluster.ParseOrder(name); err == nil {
		return order, nil
	}
	names := Literature()
	if i := slices.IndexFunc(names, func(n Named) bool { return n.Name == name }); i >= 0 {
		order, err := parseKey(names[i].Order)
		order.Name = name
		return order, err
	}
	e, err := parseExpression(text)
	if err != nil {
		return cluster.Order{}, err
	}
	return cluster.Order{Name: trimmed, Score: e.value, Changes: e.changes}, nil
}
