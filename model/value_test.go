// Value tests: the texts of each type that are read or refused, and canonical forms that round-trip
// for drawn values.

package model

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseValue(t *testing.T) {
	for _, test := range []struct {
		typ  Type
		text string
		want Value
	}{
		{TypeBool, "true", BoolValue(true)},
		{TypeBool, "false", BoolValue(false)},
		{TypeInt, "0", IntValue(0)},
		{TypeInt, "-7", IntValue(-7)},
		{TypeInt, "+7", IntValue(7)},
		{TypeInt, "007", IntValue(7)},
		{TypeInt, "9223372036854775807", IntValue(math.MaxInt64)},
		{TypeFloat, "0.30", FloatValue(0.3)},
		{TypeFloat, "1e-6", FloatValue(1e-6)},
		{TypeFloat, "-0", FloatValue(0)},
		{TypeFloat, "3", FloatValue(3)},
		{TypeString, "", StringValue("")},
		{TypeString, "0.30", StringValue("0.30")},
		{TypeString, "1A,1E", StringValue("1A,1E")},
		{TypeSeconds, "0", SecondsValue(0)},
		{TypeSeconds, "90s", SecondsValue(90)},
		{TypeSeconds, "15min", SecondsValue(900)},
		{TypeSeconds, "15 min", SecondsValue(900)},
		{TypeSeconds, "1.5h", SecondsValue(5400)},
		// 1.1 * 3600 is a hair above 3960 in floating point
		{TypeSeconds, "1.1h", SecondsValue(3960)},
		{TypeSeconds, "0.7d", SecondsValue(60480)},
		{TypeSeconds, "2d", SecondsValue(172800)},
		{TypeSeconds, "-1h", SecondsValue(-3600)},
		{TypeSeconds, "90m", SecondsValue(5400)},
		{TypeSeconds, "1h30m", SecondsValue(5400)},
		{TypeSeconds, "-1h 30min", SecondsValue(-5400)},
		{TypeSeconds, "1.5h0.5min30s", SecondsValue(5460)},
		{TypeSeconds, "2w", SecondsValue(1209600)},
		{TypeSeconds, "7d", SecondsValue(604800)},
		{TypeSeconds, "1e3s", SecondsValue(1000)},
		{TypeSeconds, "2000ms", SecondsValue(2)},
	} {
		got, err := ParseValue(test.typ, test.text)
		if err != nil || got != test.want {
			t.Errorf("ParseValue(%s, %q) = %v, %v; want %v", test.typ, test.text, got, err, test.want)
		}
	}
}

func TestParseValueRefuses(t *testing.T) {
	for _, test := range []struct {
		typ  Type
		text string
		want string // part of the error, besides the text itself
	}{
		{TypeBool, "True", "write true or false"},
		{TypeBool, "1", "write true or false"},
		{TypeBool, "", "write true or false"},
		{TypeInt, "1.0", "whole number"},
		{TypeInt, "1e3", "whole number"},
		{TypeInt, "1_000", "whole number"},
		{TypeInt, "0x10", "whole number"},
		{TypeInt, "9223372036854775808", "whole number"},
		{TypeInt, "", "whole number"},
		{TypeFloat, "", "not a number"},
		{TypeFloat, "1,5", "not a number"},
		{TypeFloat, "NaN", "not a number"},
		{TypeFloat, "Inf", "not a number"},
		{TypeFloat, "1e400", "not a number"},
		{TypeFloat, "0x1p-2", "not a number"},
		{TypeFloat, "1_000", "not a number"},
		{TypeSeconds, "", "a number and a unit"},
		{TypeSeconds, "90", "a number and a unit"},
		{TypeSeconds, "s", "a number and a unit"},
		{TypeSeconds, "5M", "a number and a unit"},
		{TypeSeconds, "1h30", "a number and a unit"},
		{TypeSeconds, "1h-30m", "a number and a unit"},
		{TypeSeconds, "2 weeks", "a number and a unit"},
		{TypeSeconds, "90s;", "a number and a unit"},
		{TypeSeconds, "500ms", "whole number of seconds"},
		{TypeSeconds, "1min1.5s", "whole number of seconds"},
		{TypeSeconds, "1e999h", "too long"},
		{TypeSeconds, "nans", "a number and a unit"},
		{TypeSeconds, "0x10s", "a number and a unit"},
		{TypeSeconds, "1.5s", "whole number of seconds"},
		{TypeSeconds, "0.0001h", "whole number of seconds"},
		{TypeSeconds, "1e20s", "too long"},
		{TypeSeconds, "infd", "a number and a unit"},
	} {
		got, err := ParseValue(test.typ, test.text)
		if err == nil {
			t.Errorf("ParseValue(%s, %q) = %v, want an error", test.typ, test.text, got)
			continue
		}
		if text := err.Error(); !strings.Contains(text, test.want) || !strings.Contains(text, `"`+test.text+`"`) {
			t.Errorf("ParseValue(%s, %q): error %q does not name the value and %q", test.typ, test.text, text, test.want)
		}
	}
}

// anyValue draws a value of any type that a study file can hold.
func anyValue() *rapid.Generator[Value] {
	const longest = 1 << 53 // seconds; longer durations are refused
	return rapid.OneOf(
		rapid.Map(rapid.Bool(), BoolValue),
		rapid.Map(rapid.Int64(), IntValue),
		rapid.Map(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64), FloatValue),
		rapid.Map(rapid.String(), StringValue),
		rapid.Map(rapid.Int64Range(-longest, longest), func(s int64) Value { return SecondsValue(Seconds(s)) }),
		rapid.Map(rapid.Int64Range(-1000, 1000), func(h int64) Value { return SecondsValue(Seconds(h * 3600)) }),
	)
}

func TestCanonicalFormRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue().Draw(t, "value")
		got, err := ParseValue(v.Type(), v.String())
		if err != nil || got != v {
			t.Fatalf("%s %q reads back as %v, %v", v.Type(), v, got, err)
		}
	})
}

func TestEqualFormsMeanEqualValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyValue().Draw(t, "a")
		b := anyValue().Filter(func(v Value) bool { return v.Type() == a.Type() }).Draw(t, "b")
		if (a == b) != (a.String() == b.String()) {
			t.Fatalf("%q and %q: equal values %t, equal forms %t", a, b, a == b, a.String() == b.String())
		}
	})
}

func TestCanonicalForms(t *testing.T) {
	for _, test := range []struct {
		value Value
		want  string
	}{
		{FloatValue(math.Copysign(0, -1)), "0"},
		{FloatValue(0.1), "0.1"},
		{FloatValue(1e21), "1e+21"},
		{SecondsValue(0), "0s"},
		{SecondsValue(61), "61s"},
		{SecondsValue(5400), "90min"},
		{SecondsValue(7200), "2h"},
		{SecondsValue(-86400), "-1d"},
		{BoolValue(true), "true"},
		{NullValue(TypeFloat), ""},
		{Value{}, ""},
	} {
		if got := test.value.String(); got != test.want {
			t.Errorf("%s %#v is written %q, want %q", test.value.Type(), test.value, got, test.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, test := range []struct {
		value    Value
		want     float64
		isNumber bool
	}{
		{BoolValue(true), 1, true},
		{BoolValue(false), 0, true},
		{IntValue(-3), -3, true},
		{FloatValue(0.5), 0.5, true},
		{SecondsValue(90), 90, true},
		{StringValue("3"), 0, false},
		{NullValue(TypeFloat), 0, false},
		{NullValue(TypeInt), 0, false},
		{Value{}, 0, false},
	} {
		if got, isNumber := test.value.Number(); got != test.want || isNumber != test.isNumber {
			t.Errorf("Number of %s %q = %v, %t; want %v, %t", test.value.Type(), test.value, got, isNumber, test.want,
				test.isNumber)
		}
	}
	if NullValue(TypeInt) == IntValue(0) {
		t.Error("null is equal to 0")
	}
}

// The units of durations in tables have their seconds, other units none.
func TestUnitSeconds(t *testing.T) {
	for unit, want := range map[string]Seconds{
		"s": 1, "min": 60, "h": 3600, "d": 86400, "1000 s": 1000, "SU": 0, "1/s": 0, "": 0,
	} {
		if have := UnitSeconds(unit); have != want {
			t.Errorf("%q has %d s, want %d", unit, have, want)
		}
	}
}
