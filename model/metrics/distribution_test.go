// Distribution tests: quantiles, intervals and indices of fairness of drawn schedules against
// counts by definition.

package metrics

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A quantile is the least value that a share of the jobs do not exceed.
func TestDistribution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		p := rapid.SampledFrom([]float64{0.01, 0.07, 0.25, 0.5, 0.9, 0.999, 1}).Draw(t, "probability")
		window := Window{Bound: rapid.Int64Range(1, 30).Draw(t, "bound")}
		have, err := Distribution(s, window, []float64{p})
		if err != nil {
			t.Fatal(err)
		}
		want := func(value func(i int) float64) float64 {
			values := make([]float64, s.Len())
			for i := range values {
				values[i] = value(i)
			}
			slices.Sort(values)
			for i, v := range values {
				if float64(i+1) >= p*float64(len(values))-1e-9 {
					return v
				}
			}
			return math.NaN()
		}
		wanted := Quantile{
			Probability: p,
			Wait:        want(func(i int) float64 { return float64(s.Start[i] - s.Submit[i]) }),
			Slowdown:    want(func(i int) float64 { return float64(s.End[i]-s.Submit[i]) / float64(s.End[i]-s.Start[i]) }),
			Bounded:     want(func(i int) float64 { return BoundedSlowdown(s.Submit[i], s.Start[i], s.End[i], window.Bound) }),
		}
		if diff := cmp.Diff([]Quantile{wanted}, have); diff != "" {
			t.Error(diff)
		}
	})
	if _, err := Distribution(three, Window{Warmup: 100}, []float64{0.5}); err == nil {
		t.Error("no error although no job counts")
	}
}

// The 95th percentile of a distribution is that of a summary.
func TestDistributionAgreesWithSummary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		summary, err := Summarise(s, 8, Window{})
		if err != nil {
			t.Fatal(err)
		}
		quantiles, err := Distribution(s, Window{}, []float64{0.95, 1})
		if err != nil {
			t.Fatal(err)
		}
		if quantiles[0].Wait != summary.Wait.P95 || quantiles[0].Bounded != summary.Bounded.P95 ||
			quantiles[1].Slowdown != summary.Slowdown.Max {
			t.Errorf("quantiles %+v, summary %+v", quantiles, summary)
		}
	})
}

// A bound of 0 stands for the default of 10 s.
func TestBound(t *testing.T) {
	for bound, want := range map[int64]float64{0: 9.5, 10: 9.5, 19: 5, 1: 19, 1000: 1} {
		summary, err := Summarise(three, 4, Window{Bound: bound})
		if err != nil || summary.Bounded.Max != want {
			t.Errorf("bound %d: the largest is %v (%v), want %v", bound, summary.Bounded.Max, err, want)
		}
		groups, err := By(three, Window{Bound: bound}, []int32{1, 2, 3})
		if err != nil || groups[1].Bounded.Mean != want {
			t.Errorf("bound %d: of the second job %v (%v), want %v", bound, groups[1].Bounded.Mean, err, want)
		}
	}
}

// drawShortSchedule draws a schedule whose seconds can be counted.
func drawShortSchedule(t *rapid.T) Schedule {
	var s Schedule
	submit := rapid.Int64Range(0, 50).Draw(t, "first")
	for range rapid.IntRange(1, 30).Draw(t, "jobs") {
		submit += rapid.Int64Range(0, 20).Draw(t, "gap")
		start := submit + rapid.Int64Range(0, 40).Draw(t, "wait")
		s.Submit, s.Start = append(s.Submit, submit), append(s.Start, start)
		s.End = append(s.End, start+rapid.Int64Range(1, 40).Draw(t, "run"))
		s.Procs = append(s.Procs, rapid.Int32Range(1, 8).Draw(t, "procs"))
	}
	return s
}

// TestOverTime compares the intervals with a count second by second.
func TestOverTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawShortSchedule(t)
		n := rapid.IntRange(1, 60).Draw(t, "intervals")
		have, err := OverTime(s, 8, n)
		if err != nil {
			t.Fatal(err)
		}
		first, last := slices.Min(s.Submit), slices.Max(s.End)
		if have[0].From != 0 || int64(have[len(have)-1].To) != last-first {
			t.Fatalf("from %d to %d, want 0 to %d", have[0].From, have[len(have)-1].To, last-first)
		}
		for k, interval := range have {
			want := Interval{Number: int64(k), From: interval.From, To: interval.To}
			length := int64(interval.To - interval.From)
			if most := (last-first)/int64(n) + 1; length < 1 || length > most || k > 0 && interval.From != have[k-1].To {
				t.Fatalf("interval %d is %d to %d s, want at most %d s", k, interval.From, interval.To, most)
			}
			for second := first + int64(interval.From); second < first+int64(interval.To); second++ {
				for i := range s.Submit {
					if s.Submit[i] == second {
						want.Offered += float64(int64(s.Procs[i]) * (s.End[i] - s.Start[i]))
					}
					if s.Start[i] <= second && second < s.End[i] {
						want.Utilisation += float64(s.Procs[i])
					}
					if s.Submit[i] <= second && second < s.Start[i] {
						want.Queue++
					}
				}
			}
			want.Offered /= float64(8 * length)
			want.Utilisation /= float64(8 * length)
			want.Queue /= float64(length)
			if diff := cmp.Diff(want, interval); diff != "" {
				t.Errorf("interval %d: %s", k, diff)
			}
		}
	})
	for _, c := range []struct {
		s                  Schedule
		machine, intervals int
	}{{three, 4, 0}, {three, 4, 10_001}, {three, 0, 1}, {Schedule{}, 4, 1}} {
		if _, err := OverTime(c.s, int32(c.machine), c.intervals); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}

// Bounds of intervals do not overflow at the largest times.
func TestOverTimeOfTheLongestSchedule(t *testing.T) {
	s := Schedule{Submit: []int64{-latest}, Start: []int64{0}, End: []int64{latest}, Procs: []int32{1}}
	have, err := OverTime(s, 1, 10_000)
	if err != nil || len(have) != 10_000 {
		t.Fatalf("%d intervals, %v", len(have), err)
	}
	for k, interval := range have {
		if want := float64(k / 5000); interval.Utilisation != want || interval.Queue != 1-want {
			t.Fatalf("interval %d: %+v", k, interval)
		}
	}
}

func TestFairness(t *testing.T) {
	for _, c := range []struct {
		values     []float64
		jain, gini float64
	}{
		{[]float64{5}, 1, 0},
		{[]float64{2, 2, 2}, 1, 0},
		{[]float64{0, 0, 6}, 1.0 / 3, 2.0 / 3},
		{[]float64{3, 1}, 0.8, 0.25},
	} {
		jain, gini := JainIndex(c.values), Gini(c.values)
		if jain == nil || gini == nil || math.Abs(*jain-c.jain) > 1e-15 || math.Abs(*gini-c.gini) > 1e-15 {
			t.Errorf("%v: Jain %v, Gini %v; want %v, %v", c.values, jain, gini, c.jain, c.gini)
		}
	}
	for _, values := range [][]float64{nil, {0, 0}} {
		if JainIndex(values) != nil || Gini(values) != nil {
			t.Errorf("%v: Jain %v, Gini %v; want none", values, JainIndex(values), Gini(values))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0.1, 100), 1, 20).Draw(t, "values")
		sum, differences := 0.0, 0.0
		for _, x := range values {
			sum += x
			for _, y := range values {
				differences += math.Abs(x - y)
			}
		}
		if want := differences / (2 * float64(len(values)) * sum); math.Abs(*Gini(values)-want) > 1e-12 {
			t.Errorf("Gini %v, by all pairs %v", *Gini(values), want)
		}
	})
}

// Keys in a narrow and in a wide range are sorted alike.
func TestSortByKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int32{3, math.MaxInt32}).Draw(t, "most")
		keys := rapid.SliceOfN(rapid.Int32Range(-most, most), 1, 50).Draw(t, "keys")
		var list []int32
		for i := range keys {
			if rapid.Bool().Draw(t, "taken") || i == 0 {
				list = append(list, int32(i))
			}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b int32) int { return int(min(max(int64(keys[a])-int64(keys[b]), -1), 1)) })
		if diff := cmp.Diff(want, sortByKey(list, keys)); diff != "" {
			t.Error(diff)
		}
	})
}
