// Parameters: a study's parameters with their types, limits and units, read from struct tags.

package model

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Parameter describes one field of a study's parameters.
type Parameter struct {
	Column  // of the table runs
	Default Value

	choices []string
}

// Parse reads text as a value of the parameter. The error names the value and what would be right.
func (p Parameter) Parse(text string) (Value, error) {
	v, err := ParseValue(p.Type, text)
	if err != nil {
		return Value{}, err
	}
	return v, p.check(v)
}

// Choices returns the words a parameter of TypeString accepts; nil admits any text.
func (p Parameter) Choices() []string { return p.choices }

func (p Parameter) check(v Value) error {
	if p.Type == TypeString {
		if len(p.choices) == 0 || slices.Contains(p.choices, v.Text()) {
			return nil
		}
		return fmt.Errorf("%q is not one of %s", v.Text(), strings.Join(p.choices, ", "))
	}
	if x, _ := v.Number(); !p.limits.contain(x) {
		return fmt.Errorf("%s is outside %s", v, p.limits)
	}
	return nil
}

// limits is an interval of numbers; an absent end is open to infinity.
type limits struct {
	low, high         float64
	hasLow, hasHigh   bool
	openLow, openHigh bool
	unit              string
}

func (l limits) contain(x float64) bool {
	if l.hasLow && (x < l.low || l.openLow && x == l.low) {
		return false
	}
	return !l.hasHigh || (x < l.high || !l.openHigh && x == l.high)
}

// String returns the interval, or what a number must be, as messages continue "is outside".
func (l limits) String() string {
	number := func(x float64) string { return strings.TrimSpace(strconv.FormatFloat(x, 'g', -1, 64) + " " + l.unit) }
	switch {
	case l.hasLow && l.hasHigh:
		left, right := "[", "]"
		if l.openLow {
			left = "("
		}
		if l.openHigh {
			right = ")"
		}
		return "the range " + left + number(l.low) + ", " + number(l.high) + right
	case l.hasLow && l.openLow:
		return "the range: it must be greater than " + number(l.low)
	case l.hasLow:
		return "the range: it must be at least " + number(l.low)
	case l.hasHigh && l.openHigh:
		return "the range: it must be less than " + number(l.high)
	default:
		return "the range: it must be at most " + number(l.high)
	}
}

// parseLimits reads an interval such as "(0,)" or "[1,90]"; false for a malformed tag.
func parseLimits(tag, unit string) (limits, bool) {
	l := limits{unit: unit}
	if tag == "" {
		return l, true
	}
	inner := strings.TrimRight(strings.TrimLeft(tag, "[("), "])")
	low, high, found := strings.Cut(inner, ",")
	l.hasLow, l.hasHigh = low != "", high != ""
	l.openLow, l.openHigh = tag[0] == '(', tag[len(tag)-1] == ')'
	var lowErr, highErr error
	if l.hasLow {
		l.low, lowErr = strconv.ParseFloat(low, 64)
	}
	if l.hasHigh {
		l.high, highErr = strconv.ParseFloat(high, 64)
	}
	return l, found && len(tag) == len(inner)+2 && lowErr == nil && highErr == nil
}

// parametersOf reads the parameters of a study from the tags of its flat struct.
func parametersOf(defaults reflect.Value) ([]Parameter, error) {
	fields, err := fieldsOf(defaults.Type())
	if err != nil {
		return nil, err
	}
	var parameters []Parameter
	for _, field := range fields {
		column, err := columnOf(field)
		if err != nil {
			return nil, err
		}
		if column.Nullable {
			return nil, field.wrongf("is a pointer, which parameters are not: write %s", field.Type.Elem())
		}
		p := Parameter{Column: column, Default: valueOf(defaults.Field(field.Index[0]))}
		if p.Type == TypeString && p.Range != "" {
			p.choices = strings.Split(p.Range, "|")
		}
		if err := p.check(p.Default); err != nil {
			return nil, field.wrongf("has a wrong value in Defaults: %w", err)
		}
		parameters = append(parameters, p)
	}
	return parameters, nil
}
