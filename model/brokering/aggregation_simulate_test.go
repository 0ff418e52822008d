// Tests of the study brokering-aggregation: distributions of the drawn computers, counts that
// follow from the numbers of values and subcategories, and cancelled runs.

package brokering

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
	"gridsweep/model/brokering/information"
)

// drawn returns the computers that a run with these parameters describes.
func drawn(p AggregationParameters) *information.Computers {
	return drawComputers(context.Background(), p, model.New(AggregationSpec).Env(1, 0, nil).Seed.Stream("computers"))
}

// Computers are drawn uniformly from the values of the parameters, within four standard deviations.
func TestDrawnComputers(t *testing.T) {
	p := aggregationDefaults
	p.Computers, p.FileSystems = 20_000, 2
	info := drawn(p)
	n := float64(p.Computers)
	counts, used := map[any]float64{}, [information.Categories]float64{}
	for _, computer := range info.List {
		for c := range information.Categories {
			r := &computer[c]
			size, available := r.Attributes[0], r.Attributes[1]
			if c == information.CS {
				size, available = 100*r.Attributes[information.TotalCPUs],
					100*r.Attributes[information.TotalCPUs]-r.Attributes[information.CPUUtil]
				counts[[2]any{"clock", r.Attributes[information.ClockSpeed]}]++
			}
			counts[[2]any{c, size}]++
			counts[[2]any{c, info.Names[c][r.Value]}]++
			used[c] += 1 - available/size
			if available < 0 || available > size || available != math.Trunc(available) {
				t.Errorf("of %v %v are available", size, available)
			}
		}
	}
	uniform := func(what any, labels ...any) {
		share := 1 / float64(len(labels))
		for _, label := range labels {
			key := [2]any{what, label}
			if have := counts[key]; math.Abs(have-n*share) > 4*math.Sqrt(n*share*(1-share)) {
				t.Errorf("%v of %v computers have %v, want about %v", have, n, key, n*share)
			}
			delete(counts, key)
		}
	}
	uniform(information.CS, "Intel", "AMD", "PowerPC", "SPARC", "Itanium", "MIPS")
	uniform("clock", 1600.0, 1800.0, 2000.0, 2200.0, 2400.0, 2600.0, 2800.0, 3000.0)
	uniform(information.CS, 100.0, 200.0, 400.0, 800.0, 1600.0)
	uniform(information.OS, "Linux", "AIX", "Solaris", "HP-UX", "IRIX", "Tru64", "FreeBSD", "Windows")
	uniform(information.OS, 1000.0, 2000.0, 4000.0, 8000.0, 16_000.0, 32_000.0, 64_000.0)
	uniform(information.FS, "/", "/fs2")
	uniform(information.FS, 100_000.0, 150_000.0, 200_000.0, 250_000.0)
	if len(counts) > 0 {
		t.Errorf("unexpected values %v", counts)
	}
	for c, sum := range used {
		if mean := sum / n; math.Abs(mean-0.5) > 4/math.Sqrt(12*n) {
			t.Errorf("category %d: %v are used on average, want 0.5", c, mean)
		}
	}
}

// A larger set of computers begins with the smaller one, so that sizes are compared on the same
// computers.
func TestComputersDoNotDependOnTheirNumber(t *testing.T) {
	few, many := aggregationDefaults, aggregationDefaults
	few.Computers, many.Computers = 10, 50
	a, b := drawn(few), drawn(many)
	if diff := cmp.Diff(a.List, b.List[:10]); diff != "" {
		t.Errorf("10 computers (-) are not the first of 50 (+):\n%s", diff)
	}
	many.Systems = 4
	for i, have := range drawn(many).List {
		have[information.OS].Value = b.List[i][information.OS].Value
		if diff := cmp.Diff(b.List[i], have); diff != "" {
			t.Errorf("with fewer operating systems (+) computer %d differs in more than its own:\n%s", i, diff)
		}
	}
}

// All values have different names, also beyond the listed ones.
func TestNamesDiffer(t *testing.T) {
	p := aggregationDefaults
	p.Computers, p.Vendors, p.Systems, p.FileSystems = 5000, 100, 100, 100
	for c, names := range drawn(p).Names {
		slices.Sort(names)
		if different := len(slices.Compact(names)); different != 100 {
			t.Errorf("category %d has %d names, want 100", c, different)
		}
	}
}

// Where every combination occurs, the counts follow from the numbers of values and subcategories: 6
// vendors, 8 operating systems and 1 file system in 3 subcategories.
func TestAggregationCounts(t *testing.T) {
	for _, test := range []struct {
		form, split              string
		resources, relationships int64
	}{
		{"original", "own", 3 * 20_000, 2 * 20_000},
		{"simple", "own", 6 + 8 + 1, 6*8 + 6*1},
		{"categorized", "own", 3 * 15, 3 * 3 * 54},
		// Of two attributes all levels are joined, of one attribute equal ones.
		{"categorized", "each", 9 * 15, (6*9 + 3*3) * 54},
		{"categorized", "paired", 9 * 15, 3 * 3 * 54},
		{"categorized", "joint", 27 * 15, 27 * 54},
	} {
		p := aggregationDefaults
		p.Computers, p.Form, p.Split = 20_000, test.form, test.split
		o, err := simulateAggregation(t.Context(), p, model.New(AggregationSpec).Env(1, 0, nil))
		if err != nil {
			t.Fatal(err)
		}
		if o.Resources != test.resources || o.Relationships != test.relationships {
			t.Errorf("%s %s: %d resources and %d relationships, want %d and %d", test.form, test.split,
				o.Resources, o.Relationships, test.resources, test.relationships)
		}
		if each := float64(o.Bytes) / float64(test.resources+test.relationships); o.BytesEach != each {
			t.Errorf("%s %s: %v B each, want %v", test.form, test.split, o.BytesEach, each)
		}
	}
}

// SIMPLE mixes a free computer with a busy one, CATEGORIZED does not.
func TestInaccuracy(t *testing.T) {
	info := &information.Computers{Names: [information.Categories][]string{{"Intel"}, {"Linux"}, {"/"}}}
	info.List = []information.Computer{
		{information.ComputingSystem(0, 3000, 0, 4), information.OperatingSystem(0, 1000, 500),
			information.FileSystem(0, 100, 25)},
		{information.ComputingSystem(0, 3000, 400, 4), information.OperatingSystem(0, 3000, 1500),
			information.FileSystem(0, 100, 75)},
	}
	var a information.Aggregator
	for _, test := range []struct {
		by   information.Split
		want float64
	}{{information.Whole, (2*50.0 + 2*0 + 2*25) / 6}, {information.Own, 0}, {information.Each, 0},
		{information.Paired, 0}, {information.Joint, 0}} {
		a.Aggregate(info, test.by)
		if have := a.Inaccuracy(info); have != test.want {
			t.Errorf("split %d: inaccuracy %v, want %v", test.by, have, test.want)
		}
	}
}

// spans is a host that counts the measured items.
type spans struct {
	model.Host
	open, done map[string]int
}

func (s spans) Span(section string, items int) func() {
	s.open[section] += items
	return func() { s.done[section] += items }
}

// One aggregation of all computers is measured, and none in the original form.
func TestAggregationIsMeasured(t *testing.T) {
	for form, want := range map[string]map[string]int{
		"original": {}, "simple": {"aggregate": 100}, "categorized": {"aggregate": 100},
	} {
		p := aggregationDefaults
		p.Form = form
		s := spans{open: map[string]int{}, done: map[string]int{}}
		if _, err := simulateAggregation(t.Context(), p, model.New(AggregationSpec).Env(1, 0, s)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, s.open) + cmp.Diff(want, s.done); diff != "" {
			t.Errorf("%s: measured (-want +have):\n%s", form, diff)
		}
	}
}

// A cancelled run returns the context's error. The context is checked while computers are drawn,
// after that, between aggregations or while lines of text are counted, and at the end.
func TestAggregationIsCancelled(t *testing.T) {
	for form, most := range map[string]int{"original": 3 + 1 + 10 + 1, "simple": 3 + 1 + 1 + 1} {
		p := aggregationDefaults
		p.Form, p.Computers = form, 2*model.CancelEvery+1
		for checks := range most + 1 {
			want := context.Canceled
			if checks == most {
				want = nil
			}
			env := model.New(AggregationSpec).Env(1, 0, nil)
			if _, err := simulateAggregation(&cancelledAfter{t.Context(), checks}, p, env); err != want {
				t.Fatalf("%s: error %v after %d checks, want %v", form, err, checks, want)
			}
		}
	}
}
