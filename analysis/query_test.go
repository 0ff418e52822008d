package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"gridsweep/configs"
)

// noiseOf returns normal values of a fixed seed.
func noiseOf(seed uint64) func() float64 { return rand.New(rand.NewPCG(seed, 1)).NormFloat64 }

func text(value string) configs.Text { return configs.Text{Value: value} }

func texts(values ...string) []configs.Text {
	var list []configs.Text
	for _, v := range values {
		list = append(list, text(v))
	}
	return list
}

// cube is observations of three policies at two loads in five rounds.
func cube(noise func() float64) *observations {
	o := &observations{rounds: 5, dims: []dimension{
		{"load", []string{"0.5", "1"}, false}, {"policy", []string{"a", "b", "c"}, false}, {metricDimension, []string{"wait"}, false},
	}}
	for load := range 2 {
		for policy := range 3 {
			row := &observation{at: []int{load, policy, 0}}
			for range o.rounds {
				row.values = append(row.values, 10+noise())
			}
			o.rows = append(o.rows, row)
		}
	}
	return o
}

var queries = map[string]configs.Query{
	"plain":   {},
	"ratio":   {Against: []configs.Selection{{Dimension: text("policy"), Labels: texts("b")}}, As: text(asRatio)},
	"over":    {Over: texts("policy")},
	"worst":   {Worst: true, As: text(asPercent)},
	"medians": {Worst: true, As: text(asRatio), Stat: texts("median")},
	"better":  {Against: []configs.Selection{{Dimension: text("policy"), Labels: texts("b")}}, As: text(asImprovement)},
	"sd":      {Stat: texts("sd", "median")},
	"percent": {Against: []configs.Selection{{Dimension: text("load"), Labels: texts("0.50")}}, As: text(asPercent), Over: texts("policy")},
}

func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	o := cube(noiseOf(3))
	all := cmp.AllowUnexported(grid{}, dimension{}, sample{}, series{}, shortfall{})
	rapid.Check(t, func(t *rapid.T) {
		shuffled := *o
		shuffled.rows = rapid.Permutation(o.rows).Draw(t, "rows")
		for name, q := range queries {
			want, err := evaluate(o, q, []string{"load", "policy"}, false)
			if err != nil {
				t.Fatal(err)
			}
			have, err := evaluate(&shuffled, q, []string{"load", "policy"}, false)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, have, all, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-9)); d != "" {
				t.Fatalf("%s: %s", name, d)
			}
		}
	})
}

// Twice all numbers doubles differences and leaves ratios, and so do their intervals.
func TestUnitsDoNotMatter(t *testing.T) {
	o, twice := cube(noiseOf(4)), cube(noiseOf(4))
	for _, row := range twice.rows {
		for k := range row.values {
			row.values[k] *= 2
		}
	}
	for name, q := range queries {
		factor := 2.0
		if q.As.Value != "" {
			factor = 1
		}
		a, err := evaluate(o, q, []string{"load", "policy"}, false)
		if err != nil {
			t.Fatal(err)
		}
		b, err := evaluate(twice, q, []string{"load", "policy"}, false)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.samples {
			x, y := a.samples[i].estimate, b.samples[i].estimate
			if math.Abs(factor*x.Value-y.Value) > 1e-9 || math.Abs(factor*x.Low-y.Low) > 1e-9 {
				t.Errorf("%s: %v and %v", name, x, y)
			}
		}
	}
}

// Medians are of what each round gives compared, so that their interval is one of order statistics.
func TestMedianOfRatios(t *testing.T) {
	row := []float64{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}
	base := []float64{10, 10, 10, 10, 10, 10, 10, 10, 10, 1000}
	s := (&sampler{as: asRatio, kind: "median", over: "mean", members: []pair{{row, base}}, rounds: 10}).sample()
	if s.estimate.Value != 4.5 || s.estimate.Low != 1 || s.estimate.High != 8 {
		t.Errorf("%+v", s.estimate) // of 0.1, 1, 2 … 9: 1 − 2·11/1024 = 97.9 % between the second and the ninth
	}
}

// The improvement ratio is of the same size whichever is the better: 10 against 40 is 3, 40 against 10 is −3.
func TestImprovement(t *testing.T) {
	fast, slow := []float64{9, 10, 11}, []float64{38, 40, 42}
	for _, c := range []struct {
		pair pair
		want float64
	}{{pair{fast, slow}, 3}, {pair{slow, fast}, -3}, {pair{fast, fast}, 0}} {
		s := (&sampler{as: asImprovement, kind: "mean", over: "mean", members: []pair{c.pair}, rounds: 3}).sample()
		if e := s.estimate; e.Value != c.want || !(e.Low <= c.want && c.want <= e.High) || e.N != 3 {
			t.Errorf("%+v, want %v", e, c.want)
		}
	}
}

func TestWhatVariesMustBeNamed(t *testing.T) {
	g, err := evaluate(cube(noiseOf(5)), configs.Query{}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lay(g, "load"); err == nil || !strings.Contains(err.Error(), "policy varies (a, b, c)") {
		t.Errorf("error %v", err)
	}
	if _, err := lay(g, "load", "policy"); err != nil {
		t.Error(err)
	}
}

func TestScaleOf(t *testing.T) {
	cases := []struct {
		labels []string
		unit   string
		first  float64
		names  bool
	}{
		{[]string{"0.30", "1"}, "", 0.3, false},
		{[]string{"15min", "2h"}, "s", 900, false},
		{[]string{"15 min", "2 h"}, "s", 900, false},
		{[]string{"1A", "1E"}, "", 0, true},
		{[]string{"ask", "2h"}, "", 0, true},
		{[]string{"nan", "1"}, "", 0, true},
	}
	for _, c := range cases {
		scale, unit := scaleOf(c.labels)
		if (scale == nil) != c.names || unit != c.unit || !c.names && scale[c.labels[0]] != c.first {
			t.Errorf("%v: %v in %q", c.labels, scale, unit)
		}
	}
}
