// Expressions: compiled functions of a job and the time, with the range of their values.

package ordering

import (
	"fmt"
	"math"
	"strings"

	"gridsweep/model/cluster"
	"gridsweep/model/profile"
	"gridsweep/model/rng"
)

// value is a compiled expression: its value for a job at a time in s. It allocates nothing.
// Products are rounded before they are added, as in all of package model.
type value func(job *cluster.Job, now int64) float64

// expression is an expression, or an operand of one, with the range of its values.
type expression struct {
	value     value
	low, high float64 // of all jobs at all times
	constant  bool
	changes   bool // with time
}

// finite reports whether all values are numbers that are not infinite.
func (e expression) finite() bool { return e.low >= -math.MaxFloat64 && e.high <= math.MaxFloat64 }

// whole returns the constant whole number that the expression is, within mostPower of 0.
func (e expression) whole() (n int, whole bool) {
	if !e.constant || e.low != math.Floor(e.low) || math.Abs(e.low) > mostPower {
		return 0, false
	}
	return int(e.low), true
}

// canBe returns a phrase for messages: that the expression can have a value, or always has it.
func (e expression) canBe(value float64) string {
	if e.constant {
		return fmt.Sprintf("it is %g", value)
	}
	return fmt.Sprintf("it is from %g to %g and can be %g", e.low, e.high, value)
}

// variable is a quantity of a job that expressions may use.
type variable struct {
	name      string
	low, high float64
	value     value
	changes   bool
}

// farthest is above all seconds of a simulation.
const farthest = float64(cluster.Never)

var variables = []variable{
	{"wait", 0, farthest, func(j *cluster.Job, now int64) float64 { return float64(now - j.Submit) }, true},
	{"estimate", 1, cluster.MaxSeconds, func(j *cluster.Job, _ int64) float64 { return float64(j.Estimate) }, false},
	{"procs", 1, float64(profile.MostProcs), func(j *cluster.Job, _ int64) float64 { return float64(j.Procs) }, false},
	{"submit", 0, farthest, func(j *cluster.Job, _ int64) float64 { return float64(j.Submit) }, false},
}

func variableNames() string { return joined(variables, func(v variable) string { return v.name }) }

// joined returns the names of a list, separated by commas.
func joined[T any](list []T, name func(T) string) string {
	names := make([]string, len(list))
	for i, element := range list {
		names[i] = name(element)
	}
	return strings.Join(names, ", ")
}

func (v variable) expression() expression {
	return expression{value: v.value, low: v.low, high: v.high, changes: v.changes}
}

func number(x float64) expression {
	return expression{value: func(*cluster.Job, int64) float64 { return x }, low: x, high: x, constant: true}
}

// computed returns the expression of a value that is computed from others, with its range. A
// constant is computed once.
func computed(v value, low, high float64, from ...expression) expression {
	e := expression{value: v, low: low, high: high, constant: true}
	for _, operand := range from {
		e.constant = e.constant && operand.constant
		e.changes = e.changes || operand.changes
	}
	if e.constant {
		return number(v(nil, 0))
	}
	return e
}

func negated(e expression) expression {
	operand := e.value
	return computed(func(j *cluster.Job, now int64) float64 { return -operand(j, now) }, -e.high, -e.low, e)
}

// binary returns the sum, difference, product or quotient of two expressions; a divisor is never 0.
// Each takes its least and largest value at ends of their ranges.
func binary(operator byte, left, right expression) expression {
	a, b := left.value, right.value
	switch operator {
	case '+':
		sum := func(j *cluster.Job, now int64) float64 { return a(j, now) + b(j, now) }
		return computed(sum, left.low+right.low, left.high+right.high, left, right)
	case '-':
		difference := func(j *cluster.Job, now int64) float64 { return a(j, now) - b(j, now) }
		return computed(difference, left.low-right.high, left.high-right.low, left, right)
	case '*':
		low, high := ends(left, right, func(x, y float64) float64 { return x * y })
		product := func(j *cluster.Job, now int64) float64 { return float64(a(j, now) * b(j, now)) }
		return computed(product, low, high, left, right)
	default:
		low, high := ends(left, right, func(x, y float64) float64 { return x / y })
		return computed(func(j *cluster.Job, now int64) float64 { return a(j, now) / b(j, now) }, low, high, left, right)
	}
}

// ends returns the least and the largest value of f at the ends of two ranges.
func ends(left, right expression, f func(x, y float64) float64) (low, high float64) {
	a, b, c, d := f(left.low, right.low), f(left.low, right.high), f(left.high, right.low), f(left.high, right.high)
	return min(a, b, c, d), max(a, b, c, d)
}

// mostPower bounds whole exponents, whose powers are products.
const mostPower = 64

// wholePower returns the base to the power of n, which is at least 0 where the base can be 0.
func wholePower(base expression, n int) expression {
	operand := base.value
	low, high := raised(base.low, n), raised(base.high, n)
	low, high = min(low, high), max(low, high)
	if n%2 == 0 && n > 0 && base.low < 0 && base.high > 0 {
		low = 0
	}
	return computed(func(j *cluster.Job, now int64) float64 { return raised(operand(j, now), n) }, low, high, base)
}

// raised returns x to the power of n by squaring.
func raised(x float64, n int) float64 {
	if n < 0 {
		return 1 / raised(x, -n)
	}
	product := 1.0
	for ; n > 0; n /= 2 {
		if n%2 == 1 {
			product = float64(product * x)
		}
		x = float64(x * x)
	}
	return product
}

// power returns the base, at least 0, to the power of the exponent, which is at least 0 where the
// base can be 0.
func power(base, exponent expression) expression {
	a, b := base.value, exponent.value
	low, high := ends(base, exponent, rng.Pow)
	v := func(j *cluster.Job, now int64) float64 { return rng.Pow(a(j, now), b(j, now)) }
	return computed(v, low-float64(slack*low), high+float64(slack*high), base, exponent)
}

// slack widens ranges by far more than rng.Log and rng.Pow may be off, relatively.
const slack = 1e-9

// function is a function of expressions. The first argument must be at least domain, or above it
// where open is set; safe shows how to write one that is.
type function struct {
	name        string
	least, most int // arguments
	domain      float64
	open        bool
	safe        string
	apply       func(args []expression) expression
}

var functions = []function{
	logarithm("log2", rng.Log2), logarithm("log10", log10), logarithm("ln", rng.Log),
	{name: "sqrt", least: 1, most: 1, safe: "sqrt(max(…, 0)) or sqrt(abs(…))", apply: func(args []expression) expression {
		operand, low, high := args[0].value, math.Sqrt(args[0].low), math.Sqrt(args[0].high)
		return computed(func(j *cluster.Job, now int64) float64 { return math.Sqrt(operand(j, now)) }, low, high, args[0])
	}},
	{name: "abs", least: 1, most: 1, domain: math.Inf(-1), apply: func(args []expression) expression {
		operand, low, high := args[0].value, args[0].low, args[0].high
		v := func(j *cluster.Job, now int64) float64 { return math.Abs(operand(j, now)) }
		return computed(v, max(0, low, -high), max(-low, high), args[0])
	}},
	{name: "min", least: 2, most: math.MaxInt, domain: math.Inf(-1), apply: func(args []expression) expression {
		return pairwise(args, func(x, y float64) float64 { return min(x, y) })
	}},
	{name: "max", least: 2, most: math.MaxInt, domain: math.Inf(-1), apply: func(args []expression) expression {
		return pairwise(args, func(x, y float64) float64 { return max(x, y) })
	}},
}

func functionNames() string { return joined(functions, func(f function) string { return f.name }) }

func (f function) usage() string {
	if f.least == 1 {
		return f.name + "(…)"
	}
	return f.name + "(…, …)"
}

// logarithm returns the function of that name: its value rises with its argument.
func logarithm(name string, log func(float64) float64) function {
	safe := name + "(max(…, 1)) or " + name + "(1 + …)"
	return function{name: name, least: 1, most: 1, open: true, safe: safe, apply: func(args []expression) expression {
		operand, low, high := args[0].value, log(args[0].low), log(args[0].high)
		v := func(j *cluster.Job, now int64) float64 { return log(operand(j, now)) }
		return computed(v, low-float64(slack*math.Abs(low)), high+float64(slack*math.Abs(high)), args[0])
	}}
}

var ln10 = rng.Log(10)

func log10(x float64) float64 { return rng.Log(x) / ln10 }

// pairwise folds the arguments with f, min or max, from the left.
func pairwise(args []expression, f func(x, y float64) float64) expression {
	e := args[0]
	for _, next := range args[1:] {
		a, b := e.value, next.value
		v := func(j *cluster.Job, now int64) float64 { return f(a(j, now), b(j, now)) }
		e = computed(v, f(e.low, next.low), f(e.high, next.high), e, next)
	}
	return e
}
