// Values: the types of parameters and columns, and a value of any of them.

package model

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Seconds is simulated time or a duration, in whole seconds.
type Seconds int64

// Type is the type of a parameter or of a column.
type Type uint8

// The types. A study file writes them as true, 3, 0.3, text and 90s, 15min, 1h30m or 7d.
const (
	TypeBool Type = iota + 1
	TypeInt
	TypeFloat
	TypeString
	TypeSeconds
)

// typeNames are the words that messages and documentation use for the types.
var typeNames = [...]string{
	TypeBool: "bool", TypeInt: "int", TypeFloat: "float", TypeString: "string", TypeSeconds: "duration",
}

// String returns the word that messages and documentation use for the type.
func (t Type) String() string {
	if t == 0 || int(t) >= len(typeNames) {
		return "invalid"
	}
	return typeNames[t]
}

// Value is one parameter or one cell of a table: a bool, int64, float64, string or Seconds, or
// null. The zero Value has no type and stands for nothing.
type Value struct {
	typ  Type
	null bool
	bits uint64
	text string
}

// BoolValue returns b as a Value.
func BoolValue(b bool) Value {
	v := Value{typ: TypeBool}
	if b {
		v.bits = 1
	}
	return v
}

// IntValue returns i as a Value.
func IntValue(i int64) Value { return Value{typ: TypeInt, bits: uint64(i)} }

// FloatValue returns f as a Value. Negative zero becomes zero, so that equal numbers have one form.
func FloatValue(f float64) Value {
	if f == 0 {
		f = 0
	}
	return Value{typ: TypeFloat, bits: math.Float64bits(f)}
}

// StringValue returns s as a Value.
func StringValue(s string) Value { return Value{typ: TypeString, text: s} }

// SecondsValue returns s as a Value.
func SecondsValue(s Seconds) Value { return Value{typ: TypeSeconds, bits: uint64(s)} }

// NullValue returns the undefined value of a nullable column of type t.
func NullValue(t Type) Value { return Value{typ: t, null: true} }

// Type returns the type of v.
func (v Value) Type() Type { return v.typ }

// IsNull reports whether v is undefined.
func (v Value) IsNull() bool { return v.null }

// Bool returns a bool; v is of TypeBool.
func (v Value) Bool() bool { return v.bits != 0 }

// Int returns the number of an int or of a duration, in seconds.
func (v Value) Int() int64 { return int64(v.bits) }

// Float returns the number of a float.
func (v Value) Float() float64 { return math.Float64frombits(v.bits) }

// Text returns the text of a string.
func (v Value) Text() string { return v.text }

// Number returns v as a float64 (a duration in seconds, a bool as 0 or 1) and whether v is a number
// at all.
func (v Value) Number() (float64, bool) {
	if v.null {
		return 0, false
	}
	switch v.typ {
	case TypeBool, TypeInt, TypeSeconds:
		return float64(v.Int()), true
	case TypeFloat:
		return v.Float(), true
	default:
		return 0, false
	}
}

// String returns the one canonical form of v: equal values have equal forms and ParseValue reads it
// back. A null is the empty string.
func (v Value) String() string {
	if v.null {
		return ""
	}
	switch v.typ {
	case TypeBool:
		return strconv.FormatBool(v.Bool())
	case TypeInt:
		return strconv.FormatInt(v.Int(), 10)
	case TypeFloat:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case TypeString:
		return v.text
	case TypeSeconds:
		return Seconds(v.Int()).String()
	default:
		return ""
	}
}

// ParseValue reads text as a value of the type. The error names what the type accepts.
func ParseValue(t Type, text string) (Value, error) {
	switch t {
	case TypeBool:
		switch text {
		case "true":
			return BoolValue(true), nil
		case "false":
			return BoolValue(false), nil
		}
		return Value{}, fmt.Errorf("%q is not a bool: write true or false", text)
	case TypeInt:
		i, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return Value{}, fmt.Errorf("%q is not a whole number", text)
		}
		return IntValue(i), nil
	case TypeFloat:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) || strings.ContainsAny(text, "xX_") {
			return Value{}, fmt.Errorf("%q is not a number", text)
		}
		return FloatValue(f), nil
	case TypeString:
		return StringValue(text), nil
	case TypeSeconds:
		s, err := ParseSeconds(text)
		if err != nil {
			return Value{}, err
		}
		return SecondsValue(s), nil
	default:
		panic(fmt.Sprintf("model: parse a value of type %d", t))
	}
}
