// Durations: reading and writing times with units, such as 90s, 1h30m or 7d.

package model

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// formUnits are the units of durations in their canonical form, longest first.
var formUnits = []struct {
	name    string
	seconds Seconds
}{{"d", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}}

// String returns a number with the largest unit of which it is a whole multiple, such as 90s, 15min
// or 7d.
func (s Seconds) String() string {
	for _, u := range formUnits {
		if s != 0 && s%u.seconds == 0 {
			return strconv.FormatInt(int64(s/u.seconds), 10) + u.name
		}
	}
	return "0s"
}

// UnitSeconds returns the seconds of a unit of columns, which is s, min, h, d or 1000 s, and 0 of
// another unit.
func UnitSeconds(unit string) Seconds {
	if unit == "1000 s" {
		return 1000
	}
	for _, u := range formUnits {
		if u.name == unit {
			return u.seconds
		}
	}
	return 0
}

// secondsOf has the seconds of the units of durations. Units below a second are for flags:
// simulated time has whole seconds.
var secondsOf = map[string]float64{
	"w": 604800, "d": 86400, "h": 3600, "min": 60, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9,
}

// DurationPattern is the regular expression of durations with units of a second and longer.
const DurationPattern = `[ \t]*[-+]?(` + amount + `[ \t]*(w|d|h|min|m|s)[ \t]*)+`

const amount = `([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?`

var (
	wholeDuration = regexp.MustCompile(`^[ \t]*([-+]?)((?:` + amount + `[ \t]*(?:w|d|h|min|m|s|ms|us|ns)[ \t]*)+)$`)
	durationTerm  = regexp.MustCompile(`(` + amount + `)[ \t]*(min|ms|us|ns|w|d|h|m|s)`)
)

// longestDuration is what a float64 can hold to the second.
const longestDuration = 1 << 53

// ParseDuration reads numbers with units that are added, such as 90s, 15min, 1h30m, 1.5h, 7d or 2w,
// and returns the seconds. A bare 0 needs no unit.
func ParseDuration(text string) (seconds float64, err error) {
	if text == "0" {
		return 0, nil
	}
	whole := wholeDuration.FindStringSubmatch(text)
	if whole == nil {
		return 0, fmt.Errorf("%q is not a duration: write a number and a unit, w, d, h, m or min, s, or several, "+
			"such as 90s, 15min, 1h30m or 7d", text)
	}
	for _, term := range durationTerm.FindAllStringSubmatch(whole[2], -1) {
		number, _ := strconv.ParseFloat(term[1], 64) // infinite where it is too large
		seconds += float64(number * secondsOf[term[len(term)-1]])
	}
	if seconds > longestDuration {
		return 0, fmt.Errorf("%q is too long a duration", text)
	}
	if whole[1] == "-" {
		seconds = -seconds
	}
	return seconds, nil
}

// ParseSeconds is ParseDuration for whole seconds.
func ParseSeconds(text string) (Seconds, error) {
	seconds, err := ParseDuration(text)
	if err != nil {
		return 0, err
	}
	whole := math.Round(seconds)
	// more than rounding: 1.1 * 3600 is 3960.0000000000005
	if math.Abs(seconds-whole) > math.Abs(seconds)*0x1p-51 {
		return 0, fmt.Errorf("%q is not a whole number of seconds", text)
	}
	return Seconds(whole), nil
}

// ParseTime reads whole seconds, with or without a unit: 90, 90s or 1min30s.
func ParseTime(text string) (int64, error) {
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return seconds, nil
	}
	seconds, err := ParseSeconds(text)
	return int64(seconds), err
}
