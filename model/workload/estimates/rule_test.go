// Rule tests: names of rules, rounding and draws of estimates, and the jobs of a machine with them.

package estimates

import (
	"math"
	"strings"
	"testing"

	"gridsweep/model/cluster"
	"gridsweep/model/rng"
	"gridsweep/model/trace"
)

func TestRules(t *testing.T) {
	for _, c := range []struct {
		name                 string
		run, requested, want int64
	}{
		{"exact", 10, 60, 10},
		{"user", 10, math.MaxInt64, Longest}, {"user", 10, 60, 60}, {"user", 10, 5, 5},
		{"user", 10, 0, 10}, {"user", 10, -1, 10},
		{"factor:2", 10, 60, 20}, {"factor:1.25", 10, 60, 13},
		{"factor:1.249", 10, 60, 12}, {"factor:0.01", 10, 60, 1},
		{"factor:1e+06", math.MaxInt64, -1, Longest},
		{"uniform:1", 10, 60, 10},
	} {
		e, err := Parse(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if e.String() != c.name {
			t.Errorf("%s becomes %s", c.name, e)
		}
		if have := e.of(c.run, c.requested, rng.New("estimates").Stream("estimates")); have != c.want {
			t.Errorf("%s of %d s, requested %d s: %d, want %d", c.name, c.run, c.requested, have, c.want)
		}
	}
}

// Uniform estimates lie in [run, F run], fill it evenly, and are the same for the same stream.
func TestUniform(t *testing.T) {
	e, err := Parse("uniform:5")
	if err != nil {
		t.Fatal(err)
	}
	draws, again := rng.New("estimates").Stream("estimates"), rng.New("estimates").Stream("estimates")
	const n, run = 100_000, 1000
	var tenths [10]int
	for range n {
		have := e.of(run, -1, draws)
		if have != e.of(run, 7, again) {
			t.Fatal("equal streams give different draws, or the requested time changes one")
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

func TestNamesOfTsafrir(t *testing.T) {
	for name, want := range map[string]string{
		"tsafrir": "tsafrir", "tsafrir:64800": "tsafrir:18h", "tsafrir:1.5h90min": "tsafrir:3h",
		"tsafrir:6001": "tsafrir:6001s",
	} {
		if r, err := Parse(name); err != nil || r.String() != want {
			t.Errorf("%s becomes %s, want %s; error %v", name, r, want, err)
		}
	}
}

// Without a time in the rule, the longest estimate is the longest requested time or, without these,
// the longest run time, in whole hours. Jobs have the fields of the trace.
func TestJobs(t *testing.T) {
	for name, c := range map[string]struct{ requested, run, longest int64 }{
		"requested": {30*hour - 5, 200, 30 * hour}, "run times": {-1, 5*hour + 1, 6 * hour}, "short": {60, 60, 2 * hour},
		"too long": {math.MaxInt64, 60, Longest},
	} {
		list := make([]trace.Job, 100)
		for i := range list {
			list[i] = trace.Job{Submit: int64(i), Run: 10, ReqTime: -1, Procs: int32(i) + 1, Queue: int32(i%3) - 1}
		}
		list[50].Run, list[50].ReqTime = c.run, c.requested
		rule, err := Parse("tsafrir")
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := rule.Jobs(list, stream(name))
		if err != nil {
			t.Fatal(err)
		}
		longest := int64(0)
		for i, job := range jobs {
			longest = max(longest, job.Estimate)
			priority := [...]int32{math.MinInt32, 0, -1}[i%3]
			want := cluster.Job{
				Submit: int64(i), Run: list[i].Run, Procs: int32(i) + 1, Priority: priority, Estimate: job.Estimate,
			}
			if job != want || job.Estimate < job.Run {
				t.Errorf("%s: job %+v, want %+v", name, job, want)
			}
		}
		if longest != c.longest {
			t.Errorf("%s: the longest estimate is %d s, want %d", name, longest, c.longest)
		}
	}
}

func TestWrongRules(t *testing.T) {
	for name, want := range map[string]string{
		"":            "write exact, user, factor:F, uniform:F, tsafrir or tsafrir:LONGEST",
		"users":       "write exact, user, factor:F, uniform:F, tsafrir or tsafrir:LONGEST",
		"exact:2":     "write exact, user, factor:F, uniform:F, tsafrir or tsafrir:LONGEST",
		"factor":      "write exact, user, factor:F, uniform:F, tsafrir or tsafrir:LONGEST",
		"factor:":     "F must be a number above 0",
		"factor:0":    "F must be a number above 0",
		"factor:NaN":  "F must be a number above 0",
		"factor:1e7":  "at most a million",
		"uniform:0.5": "F must be at least 1",
		"tsafrir:":    "write a longest estimate from 100min to 2^32 s",
		"tsafrir:1h":  "write a longest estimate from 100min to 2^32 s",
		"tsafrir:x":   "write a longest estimate from 100min to 2^32 s",
	} {
		if _, err := Parse(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", name, err, want)
		}
	}
}
