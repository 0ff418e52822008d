// Labels of levels and the numbers among them: 0.30 is the level 0.3.

package configs

import (
	"strconv"
	"strings"
)

// SameLabel reports whether two labels name the same level: the same text, or two notations of the
// same decimal number, such as 0.30, 0.3 and 3e-1. Labels that are no plain number, such as U(2,3),
// 1E, 0x10 and nan, are text.
func SameLabel(a, b string) bool { return a == b || CanonicalLabel(a) == CanonicalLabel(b) }

// CanonicalLabel returns one text for all notations of a label: for a number its digits without
// leading and trailing zeros and a power of ten, which distinguishes more digits than a float64;
// any other label unchanged.
func CanonicalLabel(label string) string {
	digits, negative := strings.CutPrefix(label, "-")
	if !negative {
		digits = strings.TrimPrefix(digits, "+")
	}
	power := 0
	if e := strings.IndexAny(digits, "eE"); e >= 0 {
		exponent, err := strconv.ParseInt(digits[e+1:], 10, 16)
		if err != nil {
			return label
		}
		digits, power = digits[:e], int(exponent)
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	digits = whole + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return label
	}
	power -= len(fraction)
	trimmed := strings.TrimRight(digits, "0")
	power += len(digits) - len(trimmed)
	trimmed = strings.TrimLeft(trimmed, "0")
	if trimmed == "" {
		return "0"
	}
	if negative {
		trimmed = "-" + trimmed
	}
	return trimmed + "e" + strconv.Itoa(power)
}

// isNumber reports whether the text is a plain decimal number.
func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil && text != "" && strings.Trim(text, "0123456789+-.eE") == ""
}
