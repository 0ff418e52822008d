package model

// Value tests: the texts of each kind that are read or refused, and canonical forms that round-trip
// for drawn values.

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseValue(t *testing.T) {
	for _, test := range []struct {
		kind Kind
		text string
		want Value
	}{
		{KindBool, "true", BoolValue(true)},
		{KindBool, "false", BoolValue(false)},
		{KindInt, "0", IntValue(0)},
		{KindInt, "-7", IntValue(-7)},
		{KindInt, "+7", IntValue(7)},
		{KindInt, "007", IntValue(7)},
		{KindInt, "9223372036854775807", IntValue(math.MaxInt64)},
		{KindFloat, "0.30", FloatValue(0.3)},
		{KindFloat, "1e-6", FloatValue(1e-6)},
		{KindFloat, "-0", FloatValue(0)},
		{KindFloat, "3", FloatValue(3)},
		{KindString, "", StringValue("")},
		{KindString, "0.30", StringValue("0.30")},
		{KindString, "1A,1E", StringValue("1A,1E")},
		{KindSeconds, "0", SecondsValue(0)},
		{KindSeconds, "90s", SecondsValue(90)},
		{KindSeconds, "15min", SecondsValue(900)},
		{KindSeconds, "15 min", SecondsValue(900)},
		{KindSeconds, "1.5h", SecondsValue(5400)},
		// 1.1 * 3600 is a hair above 3960 in floating point
		{KindSeconds, "1.1h", SecondsValue(3960)},
		{KindSeconds, "0.7d", SecondsValue(60480)},
		{KindSeconds, "2d", SecondsValue(172800)},
		{KindSeconds, "-1h", SecondsValue(-3600)},
		{KindSeconds, "90m", SecondsValue(5400)},
		{KindSeconds, "1h30m", SecondsValue(5400)},
		{KindSeconds, "-1h 30min", SecondsValue(-5400)},
		{KindSeconds, "1.5h0.5min30s", SecondsValue(5460)},
		{KindSeconds, "2w", SecondsValue(1209600)},
		{KindSeconds, "7d", SecondsValue(604800)},
		{KindSeconds, "1e3s", SecondsValue(1000)},
		{KindSeconds, "2000ms", SecondsValue(2)},
	} {
		got, err := ParseValue(test.kind, test.text)
		if err != nil || got != test.want {
			t.Errorf("ParseValue(%s, %q) = %v, %v; want %v", test.kind, test.text, got, err, test.want)
		}
	}
}

func TestParseValueRefuses(t *testing.T) {
	for _, test := range []struct {
		kind Kind
		text string
		want string // part of the error, besides the text itself
	}{
		{KindBool, "True", "write true or false"},
		{KindBool, "1", "write true or false"},
		{KindBool, "", "write true or false"},
		{KindInt, "1.0", "whole number"},
		{KindInt, "1e3", "whole number"},
		{KindInt, "1_000", "whole number"},
		{KindInt, "0x10", "whole number"},
		{KindInt, "9223372036854775808", "whole number"},
		{KindInt, "", "whole number"},
		{KindFloat, "", "not a number"},
		{KindFloat, "1,5", "not a number"},
		{KindFloat, "NaN", "not a number"},
		{KindFloat, "Inf", "not a number"},
		{KindFloat, "1e400", "not a number"},
		{KindFloat, "0x1p-2", "not a number"},
		{KindFloat, "1_000", "not a number"},
		{KindSeconds, "", "a number and a unit"},
		{KindSeconds, "90", "a number and a unit"},
		{KindSeconds, "s", "a number and a unit"},
		{KindSeconds, "5M", "a number and a unit"},
		{KindSeconds, "1h30", "a number and a unit"},
		{KindSeconds, "1h-30m", "a number and a unit"},
		{KindSeconds, "2 weeks", "a number and a unit"},
		{KindSeconds, "90s;", "a number and a unit"},
		{KindSeconds, "500ms", "whole number of seconds"},
		{KindSeconds, "1min1.5s", "whole number of seconds"},
		{KindSeconds, "1e999h", "too long"},
		{KindSeconds, "nans", "a number and a unit"},
		{KindSeconds, "0x10s", "a number and a unit"},
		{KindSeconds, "1.5s", "whole number of seconds"},
		{KindSeconds, "0.0001h", "whole number of seconds"},
		{KindSeconds, "1e20s", "too long"},
		{KindSeconds, "infd", "a number and a unit"},
	} {
		got, err := ParseValue(test.kind, test.text)
		if err == nil {
			t.Errorf("ParseValue(%s, %q) = %v, want an error", test.kind, test.text, got)
			continue
		}
		if text := err.Error(); !strings.Contains(text, test.want) || !strings.Contains(text, `"`+test.text+`"`) {
			t.Errorf("ParseValue(%s, %q): error %q does not name the value and %q", test.kind, test.text, text, test.want)
		}
	}
}

// anyValue draws a value of any kind that a study file can hold.
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
		got, err := ParseValue(v.Kind(), v.String())
		if err != nil || got != v {
			t.Fatalf("%s %q reads back as %v, %v", v.Kind(), v, got, err)
		}
	})
}

func TestEqualFormsMeanEqualValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyValue().Draw(t, "a")
		b := anyValue().Filter(func(v Value) bool { return v.Kind() == a.Kind() }).Draw(t, "b")
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
		{NullValue(KindFloat), ""},
		{Value{}, ""},
	} {
		if got := test.value.String(); got != test.want {
			t.Errorf("%s %#v is written %q, want %q", test.value.Kind(), test.value, got, test.want)
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
		{NullValue(KindFloat), 0, false},
		{NullValue(KindInt), 0, false},
		{Value{}, 0, false},
	} {
		if got, isNumber := test.value.Number(); got != test.want || isNumber != test.isNumber {
			t.Errorf("Number of %s %q = %v, %t; want %v, %t", test.value.Kind(), test.value, got, isNumber, test.want,
				test.isNumber)
		}
	}
	if NullValue(KindInt) == IntValue(0) {
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
