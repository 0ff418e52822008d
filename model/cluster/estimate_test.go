package cluster

import (
	"math"
	"strings"
	"testing"

	"gridsweep/model/rng"
)

// Tests of the estimates exact, user, factor and uniform: how they are written, rounded and drawn.

func TestEstimates(t *testing.T) {
	for _, c := range []struct {
		name                 string
		run, requested, want int64
	}{
		{"exact", 10, 60, 10},
		{"user", 10, math.MaxInt64, maxSeconds}, {"user", 10, 60, 60}, {"user", 10, 5, 5},
		{"user", 10, 0, 10}, {"user", 10, -1, 10},
		{"factor:2", 10, 60, 20}, {"factor:1.25", 10, 60, 13},
		{"factor:1.249", 10, 60, 12}, {"factor:0.01", 10, 60, 1},
		{"factor:1e+06", math.MaxInt64, -1, maxSeconds},
		{"uniform:1", 10, 60, 10},
	} {
		e, err := ParseEstimates(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if e.String() != c.name {
			t.Errorf("%s becomes %s", c.name, e)
		}
		if have := e.Of(c.run, c.requested, rng.New("estimates").Stream("estimates")); have != c.want {
			t.Errorf("%s of %d s, requested %d s: %d, want %d", c.name, c.run, c.requested, have, c.want)
		}
	}
}

// Uniform estimates lie in [run, F run], fill it evenly, and are the same for the same stream.
func TestUniformEstimates(t *testing.T) {
	e, err := ParseEstimates("uniform:5")
	if err != nil {
		t.Fatal(err)
	}
	draws, again := rng.New("estimates").Stream("estimates"), rng.New("estimates").Stream("estimates")
	const n, run = 100_000, 1000
	var tenths [10]int
	for range n {
		have := e.Of(run, -1, draws)
		if have != e.Of(run, 7, again) {
			t.Fatal("the requested time or chance changes a draw")
		}
		if have < run || have > 5*run {
			t.Fatalf("%d lies outside [%d, %d]", have, run, 5*run)
		}
		tenths[min(9, (have-run)*10/(4*run))]++
	}
	for i, have := range tenths {
		if deviation := math.Abs(float64(have)-n/10) / math.Sqrt(n*0.09); deviation > 5 {
			t.Errorf("tenth %d has %d of %d draws, %.1f standard deviations off", i, have, n, deviation)
		}
	}
}

func TestWrongEstimates(t *testing.T) {
	for name, want := range map[string]string{
		"":            "write exact, user, factor:F or uniform:F",
		"users":       "write exact, user, factor:F or uniform:F",
		"exact:2":     "write exact, user, factor:F or uniform:F",
		"factor":      "write exact, user, factor:F or uniform:F",
		"factor:":     "F must be a number above 0",
		"factor:0":    "F must be a number above 0",
		"factor:NaN":  "F must be a number above 0",
		"factor:1e7":  "at most a million",
		"uniform:0.5": "F must be at least 1",
	} {
		if _, err := ParseEstimates(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", name, err, want)
		}
	}
}
