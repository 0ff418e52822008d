// Durations on the command line: units of flags, and times of traces with or without a unit.

package cli

import (
	"strings"
	"testing"
	"time"
)

func TestDurationFlag(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "90s": 90 * time.Second, "1h30m": 90 * time.Minute, "1h30m0s": 90 * time.Minute, "15min": 15 * time.Minute,
		"7d": 168 * time.Hour, "1.5s": 1500 * time.Millisecond, "1ns": 1, "-5s": -5 * time.Second,
	} {
		var d duration
		if err := d.Set(text); err != nil || time.Duration(d) != want {
			t.Errorf("%s: %s, error %v", text, time.Duration(d), err)
		}
		if err := d.Set(d.String()); err != nil || time.Duration(d) != want {
			t.Errorf("%s, written and read again: %s, error %v", text, time.Duration(d), err)
		}
	}
	for text, want := range map[string]string{"90": "write a number and a unit", "soon": "1h30m", "1e6w": "too long",
		"": "write"} {
		var d duration
		if err := d.Set(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestParseTime(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "90": 90, "90m": 5400, "1h30m": 5400, "36h": 129600, "7d": 604800,
		"1.5h": 5400} {
		if have, err := parseTime("--from", text); err != nil || have != want {
			t.Errorf("%q: %d, error %v", text, have, err)
		}
	}
	for _, text := range []string{"-1", "-1h", "1.5", "1.5s", "1y", "1e9w"} {
		if have, err := parseTime("--from", text); err == nil {
			t.Errorf("%q is read as %d", text, have)
		}
	}
}
