// Metrics tests: a schedule of three jobs worked out by hand, drawn schedules against the formulas
// on sorted values, and a benchmark.

package metrics

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model/rng"
)

// Three jobs on four processors: the second overtakes none, the third overtakes the second.
var three = Schedule{
	Submit: []int64{100, 110, 120}, Start: []int64{100, 200, 130}, End: []int64{200, 205, 170}, Procs: []int32{3, 4, 1},
}

func TestSummarise(t *testing.T) {
	have, err := Summarise(three, 4, Window{})
	if err != nil {
		t.Fatal(err)
	}
	want := Summary{
		All: 3, Span: 20, Makespan: 105, Utilisation: (3*100.0 + 4*5 + 40) / (4 * 105),
		Measures: Measures{
			Jobs: 3, Work: 360, Backfilled: 1,
			Wait:     Statistics{Mean: 100.0 / 3, Median: 10, P95: 90, Max: 90},
			Response: Statistics{Mean: 245.0 / 3, Median: 95, P95: 100, Max: 100},
			Slowdown: Statistics{Mean: (1 + 19 + 1.25) / 3, Median: 1.25, P95: 19, Max: 19},
			Bounded:  Statistics{Mean: (1 + 9.5 + 1.25) / 3, Median: 1.25, P95: 9.5, Max: 9.5},
		},
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}

// A warm-up and a cool-down leave jobs out of the measures by their submit, not out of utilisation
// or makespan; a job that is left out can still be overtaken.
func TestWindow(t *testing.T) {
	for _, c := range []struct {
		window           Window
		jobs, backfilled int
		wait             float64
	}{
		{Window{}, 3, 1, 100.0 / 3},
		{Window{Warmup: 10}, 2, 1, 50},
		{Window{Warmup: 11}, 1, 1, 10},
		{Window{Cooldown: 10}, 2, 0, 45},
		{Window{Warmup: 1, Cooldown: 1}, 1, 0, 90},
	} {
		have, err := Summarise(three, 4, c.window)
		if err != nil {
			t.Fatal(err)
		}
		if have.Jobs != c.jobs || have.Backfilled != c.backfilled || have.Wait.Mean != c.wait {
			t.Errorf("%+v: %d jobs, %d backfilled, mean wait %v; want %+v",
				c.window, have.Jobs, have.Backfilled, have.Wait.Mean, c)
		}
		if have.All != 3 || have.Makespan != 105 || have.Utilisation != 360.0/420 {
			t.Errorf("%+v changes the measures of all jobs: %+v", c.window, have)
		}
	}
}

func TestWrongSchedules(t *testing.T) {
	change := func(f func(*Schedule)) Schedule {
		s := Schedule{
			slices.Clone(three.Submit), slices.Clone(three.Start), slices.Clone(three.End), slices.Clone(three.Procs),
		}
		f(&s)
		return s
	}
	for _, c := range []struct {
		schedule Schedule
		machine  int32
		window   Window
		want     string
	}{
		{change(func(s *Schedule) { s.Start[1] = 109 }), 4, Window{},
			"job 2 of the schedule: start 109: is before the submit at 110"},
		{change(func(s *Schedule) { s.End[2] = 130 }), 4, Window{},
			"job 3 of the schedule: end 130: must be after the start at 130"},
		{change(func(s *Schedule) { s.Procs[0] = 0 }), 4, Window{}, "job 1 of the schedule: procs 0: must be at least 1"},
		{change(func(s *Schedule) { s.End[0] = math.MaxInt64 }), 4, Window{}, "must be at most 4503599627370496"},
		{change(func(s *Schedule) { s.Submit[0] = math.MinInt64 }), 4, Window{}, "must be at least -4503599627370496"},
		{Schedule{}, 4, Window{}, "it has no jobs"},
		{three, 0, Window{}, "a machine of 0 processors"},
		{three, 4, Window{Warmup: 21}, "a warm-up of 21 s and a cool-down of 0 s leave no job of a span of 20 s"},
	} {
		if _, err := Summarise(c.schedule, c.machine, c.window); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
		if c.machine == 0 {
			continue
		}
		if _, err := By(c.schedule, c.window, make([]int32, c.schedule.Len())); err == nil || !strings.Contains(err.Error(),
			c.want) {
			t.Errorf("by group: error %v, want %s", err, c.want)
		}
	}
}

// drawSchedule draws a schedule of few distinct times, so that there are ties.
func drawSchedule(t *rapid.T) Schedule {
	var s Schedule
	n := rapid.IntRange(1, 60).Draw(t, "jobs")
	long := rapid.SampledFrom([]int64{3, 1000, 1 << 40}).Draw(t, "long")
	submit := int64(0)
	for range n {
		submit += rapid.Int64Range(0, long).Draw(t, "gap")
		start := submit + rapid.Int64Range(0, long).Draw(t, "wait")
		s.Submit = append(s.Submit, submit)
		s.Start = append(s.Start, start)
		s.End = append(s.End, start+rapid.Int64Range(1, long).Draw(t, "run"))
		s.Procs = append(s.Procs, rapid.Int32Range(1, 40).Draw(t, "procs"))
	}
	return s
}

// TestMeasuresByTheFormulas applies the formulas to sorted values one by one.
func TestMeasuresByTheFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		have, err := Summarise(s, 64, Window{})
		if err != nil {
			t.Fatal(err)
		}
		statistics := func(value func(i int) float64) Statistics {
			var values []float64
			sum := 0.0
			for i := range s.Submit {
				values = append(values, value(i))
				sum += value(i)
			}
			slices.Sort(values)
			n := len(values)
			return Statistics{
				Mean: sum / float64(n), Median: (values[(n-1)/2] + values[n/2]) / 2,
				P95: values[int(math.Ceil(float64(95*n)/100))-1], Max: values[n-1],
			}
		}
		response := func(i int) float64 { return float64(s.End[i] - s.Submit[i]) }
		run := func(i int) float64 { return float64(s.End[i] - s.Start[i]) }
		want := have
		want.Wait = statistics(func(i int) float64 { return response(i) - run(i) })
		want.Response = statistics(response)
		want.Slowdown = statistics(func(i int) float64 { return response(i) / run(i) })
		want.Bounded = statistics(func(i int) float64 { return math.Max(1, response(i)/math.Max(10, run(i))) })
		var waits []float64
		for i := range s.Submit {
			waits = append(waits, float64(s.Start[i]-s.Submit[i]))
		}
		if p95 := P95Of(waits); p95 != want.Wait.P95 {
			t.Fatalf("of the waits %v the 95th percentile is %v, want %v", waits, p95, want.Wait.P95)
		}
		want.Backfilled = 0
		for i := range s.Submit {
			if slices.ContainsFunc(s.Start[:i], func(earlier int64) bool { return s.Start[i] < earlier }) {
				want.Backfilled++
			}
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Fatal(diff)
		}
	})
}

// A group has the measures of a schedule of its jobs alone, except that jobs of other groups can be
// overtaken.
func TestGroupsPartTheJobs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		keys := make([]int32, s.Len())
		for i := range keys {
			keys[i] = rapid.Int32Range(-1, 3).Draw(t, "key")
		}
		groups, err := By(s, Window{}, keys)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := Summarise(s, 64, Window{})
		if err != nil {
			t.Fatal(err)
		}
		jobs, backfilled, share := 0, 0, 0.0
		for k, group := range groups {
			if k > 0 && group.Key <= groups[k-1].Key {
				t.Fatalf("key %d comes after %d", group.Key, groups[k-1].Key)
			}
			var alone Schedule
			for i, key := range keys {
				if key == group.Key {
					alone.Submit, alone.Start = append(alone.Submit, s.Submit[i]), append(alone.Start, s.Start[i])
					alone.End, alone.Procs = append(alone.End, s.End[i]), append(alone.Procs, s.Procs[i])
				}
			}
			want, err := Summarise(alone, 64, Window{})
			if err != nil {
				t.Fatal(err)
			}
			want.Backfilled = group.Backfilled
			if diff := cmp.Diff(want.Measures, group.Measures); diff != "" {
				t.Fatal(diff)
			}
			jobs, backfilled, share = jobs+group.Jobs, backfilled+group.Backfilled, share+group.Share
		}
		if jobs != s.Len() || backfilled != whole.Backfilled || math.Abs(share-1) > 1e-9 {
			t.Fatalf("%d jobs, %d backfilled, shares of %v in the groups; %d and %d in all",
				jobs, backfilled, share, s.Len(), whole.Backfilled)
		}
	})
}

func TestPowersOfTwo(t *testing.T) {
	ranges := PowersOfTwo()
	for p := int64(1); p <= 5000; p++ {
		var low, high int64
		name := ranges.Name(ranges.Of(p))
		if n, _ := fmt.Sscanf(name, "%d-%d", &low, &high); n == 1 {
			high = low
		}
		if p < low || p > high {
			t.Fatalf("%d processors are in the range %s", p, name)
		}
	}
	var have []string
	for i := range 5 {
		have = append(have, ranges.Name(i))
	}
	if diff := cmp.Diff([]string{"1", "2-4", "5-8", "9-16", "17-32"}, have); diff != "" {
		t.Error(diff)
	}
	if name := ranges.Name(ranges.Of(math.MaxInt32)); name != "1073741825-2147483648" {
		t.Errorf("the greatest range is %s", name)
	}
}

func BenchmarkSummarise(b *testing.B) {
	const n = 1_000_000
	random := rng.New("summarise").Stream("jobs")
	s := Schedule{make([]int64, n), make([]int64, n), make([]int64, n), make([]int32, n)}
	for i := range n {
		s.Submit[i] = int64(30 * i)
		s.Start[i] = s.Submit[i] + max(0, int64(random.Exp()*20_000)-10_000)
		s.End[i] = s.Start[i] + 1 + int64(random.Exp()*random.Exp()*4000)
		s.Procs[i] = int32(1 + random.Intn(64))
	}
	for b.Loop() {
		if _, err := Summarise(s, 1024, Window{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestImprovementIsSymmetric(t *testing.T) {
	for _, c := range []struct{ base, other, want float64 }{{2, 1, 1}, {1, 2, -1}, {3, 3, 0}, {1, 4, -3}, {2.5, 2, 0.25}} {
		if got := Improvement(c.base, c.other); got != c.want {
			t.Errorf("from %v to %v the improvement is %v, want %v", c.base, c.other, got, c.want)
		}
	}
}

func TestBoundedSlowdownOfAJob(t *testing.T) {
	for _, c := range []struct {
		submit, start, end int64
		want               float64
	}{{0, 0, 1, 1}, {0, 30, 31, 3.1}, {5, 5, 105, 1}, {100, 200, 300, 2}, {0, 5, 10, 1}} {
		if got := BoundedSlowdown(c.submit, c.start, c.end, Bound); got != c.want {
			t.Errorf("submitted at %d, run from %d to %d: bounded slowdown %v, want %v", c.submit, c.start, c.end, got, c.want)
		}
	}
}
