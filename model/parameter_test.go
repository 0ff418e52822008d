// Parameter tests: ranges of each type against values inside and outside, parameters made from
// struct tags, and malformed tags.

package model

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRanges(t *testing.T) {
	parameter := func(t Type, interval, unit string) Parameter {
		l, _ := parseLimits(interval, unit)
		return Parameter{Column: Column{Name: "x", Type: t, Unit: unit, Range: interval, limits: l}}
	}
	for _, test := range []struct {
		parameter Parameter
		text      string
		want      string // part of the error; empty where the value is good
	}{
		{parameter(TypeFloat, "", ""), "-1e300", ""},
		{parameter(TypeFloat, "(0,)", "1/min"), "1e-9", ""},
		{parameter(TypeFloat, "(0,)", "1/min"), "0", "0 is outside the range: it must be greater than 0 1/min"},
		{parameter(TypeFloat, "[0,)", ""), "0", ""},
		{parameter(TypeFloat, "[0,)", ""), "-1", "it must be at least 0"},
		{parameter(TypeFloat, "(,1)", ""), "0.99", ""},
		{parameter(TypeFloat, "(,1)", ""), "1", "it must be less than 1"},
		{parameter(TypeFloat, "(,1]", ""), "1", ""},
		{parameter(TypeFloat, "(,1]", ""), "2", "it must be at most 1"},
		{parameter(TypeFloat, "(0,1]", ""), "0", "outside the range (0, 1]"},
		{parameter(TypeFloat, "[0,1)", ""), "1", "outside the range [0, 1)"},
		{parameter(TypeFloat, "[0,1)", ""), "x", "not a number"},
		{parameter(TypeInt, "[1,1e7]", ""), "10000000", ""},
		{parameter(TypeInt, "[1,1e7]", ""), "10000001", "outside the range [1, 1e+07]"},
		{parameter(TypeSeconds, "[60,3600]", "s"), "1h", ""},
		{parameter(TypeSeconds, "[60,3600]", "s"), "61min", "61min is outside the range [60 s, 3600 s]"},
		{parameter(TypeBool, "", ""), "true", ""},
		{Parameter{Column: Column{Type: TypeString}}, "anything", ""},
		{Parameter{Column: Column{Type: TypeString}, choices: []string{"nested", "random"}}, "random", ""},
		{Parameter{Column: Column{Type: TypeString}, choices: []string{"nested", "random"}}, "Random",
			`"Random" is not one of nested, random`},
	} {
		value, err := test.parameter.Parse(test.text)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s %s: %s is refused: %v", test.parameter.Type, test.parameter.Range, test.text, err)
		case test.want != "" && err == nil:
			t.Errorf("%s %s: %s is accepted as %v", test.parameter.Type, test.parameter.Range, test.text, value)
		case test.want != "" && !strings.Contains(err.Error(), test.want):
			t.Errorf("%s %s: %s: error %q does not say %q", test.parameter.Type, test.parameter.Range, test.text, err, test.want)
		}
	}
}

// An interval contains exactly the numbers between its ends, and the closed ends.
func TestLimitsAgainstTheirDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		end := rapid.IntRange(-3, 3)
		l := limits{
			low: float64(end.Draw(t, "low")), hasLow: rapid.Bool().Draw(t, "hasLow"), openLow: rapid.Bool().Draw(t, "openLow"),
			high: float64(end.Draw(t, "high")), hasHigh: rapid.Bool().Draw(t, "hasHigh"), openHigh: rapid.Bool().Draw(t,
				"openHigh"),
		}
		x := float64(end.Draw(t, "x"))
		aboveLow := !l.hasLow || x > l.low || x == l.low && !l.openLow
		belowHigh := !l.hasHigh || x < l.high || x == l.high && !l.openHigh
		if l.contain(x) != (aboveLow && belowHigh) {
			t.Fatalf("%+v contains %v: got %t, want %t", l, x, l.contain(x), aboveLow && belowHigh)
		}
	})
}

func TestMalformedRanges(t *testing.T) {
	for _, tag := range []string{"0,1", "[0", "[0]", "[a,b]", "(0,1", "[0;1]", "[[0,1]]", "x"} {
		if l, ok := parseLimits(tag, ""); ok {
			t.Errorf("%s is %+v", tag, l)
		}
	}
}

func TestParametersComeFromTheTags(t *testing.T) {
	type parameters struct {
		Rate  float64 `name:"rate" unit:"1/min" range:"(0,)" symbol:"λ" doc:"arrival rate"`
		Delay Seconds `name:"delay" doc:"delay"`
		Rule  string  `name:"rule" range:"a|b"`
	}
	got, err := parametersOf(reflect.ValueOf(parameters{Rate: 0.5, Delay: 7200, Rule: "b"}))
	if err != nil {
		t.Fatal(err)
	}
	rate, delay, rule := got[0], got[1], got[2]
	if rate.Name != "rate" || rate.Type != TypeFloat || rate.Unit != "1/min" || rate.Range != "(0,)" ||
		rate.Symbol != "λ" || rate.Doc != "arrival rate" || rate.Default != FloatValue(0.5) || rate.Choices() != nil {
		t.Errorf("rate is %+v", rate)
	}
	if delay.Type != TypeSeconds || delay.Unit != "s" || delay.Default.String() != "2h" {
		t.Errorf("delay is %+v", delay)
	}
	if !reflect.DeepEqual(rule.Choices(), []string{"a", "b"}) || rule.Default.Text() != "b" {
		t.Errorf("rule is %+v", rule)
	}
}
