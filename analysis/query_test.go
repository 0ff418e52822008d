// Evaluation of queries on observations made of noise: it depends neither on the order of rows nor
// on the unit of the numbers, and comparisons equal values computed by hand.

package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"gridsweep/analysis/statistics"
	"gridsweep/configs"
	"gridsweep/configs/language"
	"gridsweep/model"
	"gridsweep/sweeps/study"
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

// cube is observations of three policies at two loads in five replications.
func cube(noise func() float64) *observations {
	o := &observations{replications: 5, granularity: []float64{0}, dims: []dimension{
		{"load", labels("0.5", "1"), false}, {"policy", labels("a", "b", "c"), false}, {"metric", labels("wait"), false},
	}}
	for load := range 2 {
		for policy := range 3 {
			row := &observation{at: []int{load, policy, 0}}
			for range o.replications {
				row.values = append(row.values, 10+noise())
			}
			o.rows = append(o.rows, row)
		}
	}
	return o
}

// labels returns texts as labels.
func labels(texts ...string) []study.Label {
	var list []study.Label
	for _, text := range texts {
		list = append(list, study.NewLabel(text))
	}
	return list
}

// The dimensions of cube.
const (
	load = iota
	policy
)

// queryOf returns a query of cube.
func queryOf(q study.Query) *study.Query {
	q.From = &study.Source{Name: "runs"}
	q.Shown, q.OverBy = []model.Column{{Name: "wait"}}, []statistics.Statistic{statistics.Mean}
	q.Dims = []study.Dimension{{Name: "load"}, {Name: "policy"}, {Name: "metric"}, {Name: "stat"}}
	if q.As == "" {
		q.As = language.Difference
	}
	return &q
}

var queries = map[string]*study.Query{
	"plain":   queryOf(study.Query{}),
	"ratio":   queryOf(study.Query{Against: []study.Selection{{Dim: policy, Labels: labels("b")}}, As: language.Ratio}),
	"over":    queryOf(study.Query{Over: []int{policy}}),
	"worst":   queryOf(study.Query{Worst: true, As: language.Percent}),
	"medians": queryOf(study.Query{Worst: true, As: language.Ratio, Stats: []statistics.Statistic{statistics.Median}}),
	"better": queryOf(study.Query{Against: []study.Selection{{Dim: policy, Labels: labels("b")}},
		As: language.Improvement}),
	"sd": queryOf(study.Query{Stats: []statistics.Statistic{statistics.SD, statistics.Median}}),
	"percent": queryOf(study.Query{Against: []study.Selection{{Dim: load, Labels: labels("0.50")}}, As: language.Percent,
		Over: []int{policy}}),
}

func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	o := cube(noiseOf(3))
	all := cmp.AllowUnexported(evaluation{}, dimension{}, sample{}, number{}, domain{}, study.Label{})
	rapid.Check(t, func(t *rapid.T) {
		shuffled := *o
		shuffled.rows = rapid.Permutation(o.rows).Draw(t, "rows")
		for name, q := range queries {
			want := evaluate(o, q, []int{load, policy}, false)
			have := evaluate(&shuffled, q, []int{load, policy}, false)
			if d := cmp.Diff(want, have, all, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-9)); d != "" {
				t.Fatalf("%s: %s", name, d)
			}
		}
	})
}

// Doubling all numbers doubles differences and their intervals, and leaves ratios unchanged.
func TestUnitsDoNotMatter(t *testing.T) {
	o, twice := cube(noiseOf(4)), cube(noiseOf(4))
	for _, row := range twice.rows {
		for k := range row.values {
			row.values[k] *= 2
		}
	}
	for name, q := range queries {
		factor := 2.0
		if q.As != language.Difference {
			factor = 1
		}
		a := evaluate(o, q, []int{load, policy}, false)
		b := evaluate(twice, q, []int{load, policy}, false)
		for i := range a.samples {
			x, y := a.samples[i].estimate, b.samples[i].estimate
			if math.Abs(factor*x.Value-y.Value) > 1e-9 || math.Abs(factor*x.Low-y.Low) > 1e-9 {
				t.Errorf("%s: %v and %v", name, x, y)
			}
		}
	}
}

// A median of ratios is that of the ratios of the replications, with an interval of order
// statistics.
func TestMedianOfRatios(t *testing.T) {
	row := []float64{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}
	base := []float64{10, 10, 10, 10, 10, 10, 10, 10, 10, 1000}
	members := []member{{row, base}}
	s := (&sampler{as: language.Ratio, stat: "median", over: "mean", members: members, replications: 10}).sample()
	if s.estimate.Value != 4.5 || s.estimate.Low != 1 || s.estimate.High != 8 {
		// of 0.1, 1, 2 … 9: 1 − 2·11/1024 = 97.9 % between the second and the ninth
		t.Errorf("%+v", s.estimate)
	}
}

// The improvement ratio is antisymmetric: 10 against 40 is 3, 40 against 10 is −3.
func TestImprovement(t *testing.T) {
	fast, slow := []float64{9, 10, 11}, []float64{38, 40, 42}
	for _, c := range []struct {
		compared member
		want     float64
	}{{member{fast, slow}, 3}, {member{slow, fast}, -3}, {member{fast, fast}, 0}} {
		members := []member{c.compared}
		s := (&sampler{as: language.Improvement, stat: "mean", over: "mean", members: members, replications: 3}).sample()
		if e := s.estimate; e.Value != c.want || !(e.Low <= c.want && c.want <= e.High) || e.N != 3 {
			t.Errorf("%+v, want %v", e, c.want)
		}
	}
}

func TestIsAmbiguous(t *testing.T) {
	for _, c := range []struct {
		laid []int
		want bool
	}{{[]int{load}, true}, {[]int{load, policy}, false}} {
		if got := evaluate(cube(noiseOf(5)), queries["plain"], c.laid, false).isAmbiguous(); got != c.want {
			t.Errorf("laid out along %v: %t", c.laid, got)
		}
	}
}

// Medians of counts that are equal in all replications have an interval of no width, that of order
// statistics. Means have a wider one, since such counts are no proof that they always are equal.
func TestMediansHaveNoGranularity(t *testing.T) {
	six := slices.Repeat([]float64{0.4}, 6)
	rare := math.Log(40)
	for stat, want := range map[statistics.Statistic]float64{"median": 0, "mean": rare / 6, "trimmed": rare / 4} {
		members := []member{{row: six}}
		s := (&sampler{as: "difference", stat: stat, over: "mean", members: members, replications: 6, perEvent: 1}).sample()
		have := s.interval()
		if math.Abs(have.High-0.4-want) > 1e-9 || math.Abs(0.4-want-have.Low) > 1e-9 {
			t.Errorf("%s of 0.4 in six replications: %v to %v, want ±%v", stat, have.Low, have.High, want)
		}
	}
}

// Values vary if two replications differ, also if the first one has no value: only then are numbers
// that equal others left out of claims.
func TestNumbersVaryWithoutTheFirstReplication(t *testing.T) {
	for want, values := range map[bool][]float64{true: {math.NaN(), 1, 2}, false: {math.NaN(), 1, 1}} {
		s := &sampler{replications: 3, members: []member{{row: values}}}
		if have := s.ids() != nil; have != want {
			t.Errorf("%v varies: %t, want %t", values, have, want)
		}
	}
}
