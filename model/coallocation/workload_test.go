// Workload tests: moments and bounds of requests against Table 4-1, and which parameters and
// algorithms share which random numbers.

package coallocation

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"gridsweep/model"
)

// TestWorkloadMoments compares means with those of the distributions of Table 4-1, within five
// standard errors, and the bounds.
func TestWorkloadMoments(t *testing.T) {
	p := Spec.Defaults
	p.Requests = 100000
	requests := workloadFor(t, p, study.Env(1, 0, nil))
	n := float64(len(requests))
	var delays, services, tasks []float64
	for i, r := range requests {
		if i > 0 && r.arrival < requests[i-1].arrival {
			t.Fatalf("request %d arrives before the one before", i)
		}
		if r.deadline-r.earliest != 5*r.service {
			t.Fatalf("request %d: %+v does not have laxity 5", i, r)
		}
		delays = append(delays, float64(r.earliest-r.arrival))
		services = append(services, float64(r.service))
		tasks = append(tasks, float64(len(r.types)))
	}
	mean := 60 / 0.4 // s between arrivals; exponential, so it is the deviation too
	if got := float64(requests[len(requests)-1].arrival) / n; math.Abs(got-mean) > 5*mean/math.Sqrt(n) {
		t.Errorf("mean time between arrivals %v s, want %v", got, mean)
	}
	for _, q := range []struct {
		name       string
		drawn      []float64
		low, high  float64
		deviations float64 // of the distribution
	}{
		{"delay", delays, 0, 36000, 36000 / math.Sqrt(12)},
		{"service", services, 600, 5400, 4800 / math.Sqrt(12)},
		{"tasks", tasks, 2, 6, math.Sqrt(2)},
	} {
		sum := 0.0
		for _, x := range q.drawn {
			sum += x
		}
		if want := (q.low + q.high) / 2; math.Abs(sum/n-want) > 5*q.deviations/math.Sqrt(n) {
			t.Errorf("mean %s %v, want %v", q.name, sum/n, want)
		}
		if low, high := slices.Min(q.drawn), slices.Max(q.drawn); low < q.low || high > q.high {
			t.Errorf("%s from %v to %v, want %v to %v", q.name, low, high, q.low, q.high)
		}
	}
}

// TestTimesAreNearestSeconds draws the same streams again: no time is more than half a second off,
// the clock included, since it is the clock that is rounded and not the gaps between arrivals.
func TestTimesAreNearestSeconds(t *testing.T) {
	p := Spec.Defaults
	p.Laxity = 3.3
	env := study.Env(1, 0, nil)
	arrivals, delays, services := env.Seed.Stream("arrivals"), env.Seed.Stream("delay"), env.Seed.Stream("service")
	clock := 0.0
	for i, r := range workloadFor(t, p, env) {
		clock += arrivals.Exp() / p.Lambda * 60
		for _, q := range []struct {
			name string
			got  model.Seconds
			want float64
		}{
			{"arrival", r.arrival, clock},
			{"delay", r.earliest - r.arrival, 36000 * delays.Float64()},
			{"service", r.service, 600 + 4800*services.Float64()},
			{"laxity", r.deadline - r.earliest, 3.3 * float64(r.service)},
		} {
			if math.Abs(float64(q.got)-q.want) > 0.5+1e-6 {
				t.Fatalf("request %d: %s %d s, want %v s", i, q.name, q.got, q.want)
			}
		}
	}
}

// TestSlackBeyond: the execution time is added to the time from the earliest start to the deadline,
// and nothing else changes.
func TestSlackBeyond(t *testing.T) {
	p := Spec.Defaults
	p.Laxity = 1.5
	with := workloadFor(t, p, study.Env(1, 0, nil))
	p.Slack = "beyond"
	for i, r := range workloadFor(t, p, study.Env(1, 0, nil)) {
		want := with[i]
		want.deadline += want.service
		if !reflect.DeepEqual(r, want) {
			t.Fatalf("request %d: %+v, want %+v", i, r, want)
		}
	}
}

// TestGranularity: all times are multiples of the granularity, no more than half of it off, and no
// execution time is 0.
func TestGranularity(t *testing.T) {
	p := Spec.Defaults
	p.ServiceMin, p.Laxity = 1, 1.3
	exact := workloadFor(t, p, study.Env(1, 0, nil))
	p.Granularity = 60
	for i, r := range workloadFor(t, p, study.Env(1, 0, nil)) {
		e := exact[i]
		for _, times := range [][2]model.Seconds{
			{r.arrival, e.arrival}, {r.earliest - r.arrival, e.earliest - e.arrival}, {r.service, e.service},
			{r.deadline - r.earliest, model.Seconds(1.3 * float64(r.service))},
		} {
			off := max(times[0]-times[1], times[1]-times[0])
			if times[0]%60 != 0 || off > 31 && times[0] > 60 {
				t.Fatalf("request %d: %d s instead of %d s", i, times[0], times[1])
			}
		}
		if r.service < 60 || r.deadline-r.earliest < r.service {
			t.Fatalf("request %d: %+v", i, r)
		}
	}
}

func TestTypesOfTasks(t *testing.T) {
	for _, test := range []struct {
		types string
		tasks int64
		check func(types []uint16) bool
	}{
		{"nested", 6, func(types []uint16) bool { return slices.Equal(types, []uint16{0, 1, 2, 3, 4, 5}[:len(types)]) }},
		{"nested", 10, func(types []uint16) bool {
			return slices.Equal(types, []uint16{0, 1, 2, 3, 4, 5, 0, 1, 2, 3}[:len(types)])
		}},
		{"random", 10, func(types []uint16) bool { return slices.Max(types) < 6 }},
		{"distinct", 6, func(types []uint16) bool {
			sorted := slices.Clone(types)
			slices.Sort(sorted)
			return slices.Max(types) < 6 && len(slices.Compact(sorted)) == len(types)
		}},
		{"first", 6, func(types []uint16) bool {
			sorted := slices.Clone(types)
			slices.Sort(sorted)
			return types[0] == 0 && slices.Max(types) < 6 && len(slices.Compact(sorted)) == len(types)
		}},
	} {
		p := Spec.Defaults
		p.Types, p.TasksMax, p.Requests = test.types, test.tasks, 20000
		needed, tasks := make([]int, 6), 0
		for _, r := range workloadFor(t, p, study.Env(1, 0, nil)) {
			if !test.check(r.types) {
				t.Fatalf("%s: types %v", test.types, r.types)
			}
			for _, resourceType := range r.types {
				needed[resourceType]++
			}
			tasks += len(r.types)
		}
		alike, drawn := needed, tasks // types that are drawn, and the tasks that draw them
		switch test.types {
		case "nested":
			continue
		case "first":
			alike, drawn = needed[1:], tasks-needed[0]
		}
		share := 1 / float64(len(alike))
		for i, n := range alike { // each type alike, within five binomial standard deviations
			if off := math.Abs(float64(n) - float64(drawn)*share); off > 5*math.Sqrt(float64(drawn)*share*(1-share)) {
				t.Errorf("%s: type %d of %d is needed by %d of %d tasks", test.types, i, len(alike), n, drawn)
			}
		}
	}
}

// TestCommonRandomNumbers: the parameters of the algorithm change no request, and those of the
// workload only scale.
func TestCommonRandomNumbers(t *testing.T) {
	env := study.Env(1, 0, nil)
	base := Spec.Defaults
	requests := workloadFor(t, base, env)

	workloadParameters := []string{"lambda", "requests", "delay", "service_min", "service_max", "laxity", "tasks_min",
		"tasks_max", "resource_types", "types", "slack", "granularity"}
	for _, parameter := range study.Parameters {
		p := base
		field := fieldOf(&p, parameter.Name)
		switch words := parameter.Choices(); {
		case words != nil && field.String() == words[0]:
			field.SetString(words[1])
		case words != nil:
			field.SetString(words[0])
		case field.CanFloat():
			field.SetFloat(2 * field.Float())
		default:
			field.SetInt(field.Int() + 1)
		}
		if same := workloadOf(p) == workloadOf(base); same == slices.Contains(workloadParameters, parameter.Name) {
			t.Errorf("a change of %s: same requests %v", parameter.Name, same)
		}
	}

	twice := base
	twice.Lambda, twice.Delay, twice.ServiceMin, twice.ServiceMax = 0.2, 2*base.Delay, 2*base.ServiceMin, 2*base.ServiceMax
	twice.Laxity, twice.TasksMax = 3, 10
	near := func(x, y model.Seconds) bool { return x-y <= 1 && y-x <= 1 }
	for i, r := range workloadFor(t, twice, env) {
		before := requests[i]
		scaled := near(r.arrival, 2*before.arrival) && near(r.service, 2*before.service) &&
			near((r.earliest-r.arrival), 2*(before.earliest-before.arrival)) && r.deadline-r.earliest == 3*r.service
		// of [0, 1), where the one uniform draw lies
		fifth, ninth := len(before.types)-2, len(r.types)-2
		if !scaled || fifth*9 >= (ninth+1)*5 || ninth*5 >= (fifth+1)*9 {
			t.Fatalf("request %d: %+v, at double times %+v", i, before, r)
		}
	}
	if reflect.DeepEqual(requests, workloadFor(t, base, study.Env(1, 1, nil))) {
		t.Error("two replications have the same requests")
	}
}

// TestTypesAreShared: points with other numbers of tasks draw the same types for the tasks that
// both have.
func TestTypesAreShared(t *testing.T) {
	env := study.Env(1, 0, nil)
	for _, types := range choices("types") {
		p := Spec.Defaults
		p.Types, p.Requests = types, 1000
		requests := workloadFor(t, p, env)
		p.TasksMax = 3
		for i, r := range workloadFor(t, p, env) {
			both := min(len(r.types), len(requests[i].types))
			if !slices.Equal(r.types[:both], requests[i].types[:both]) {
				t.Fatalf("%s: request %d has types %v, with at most 3 tasks %v", types, i, requests[i].types, r.types)
			}
		}
	}
}

// TestStreamsAreIndependent: no two quantities of a request are correlated, neither with one
// another nor with what policies draw, within five standard errors.
func TestStreamsAreIndependent(t *testing.T) {
	p := Spec.Defaults
	p.Types, p.Requests = "random", 100000
	env := study.Env(1, 0, nil)
	ties, ran := env.Seed.Stream("ties"), env.Seed.Stream("ran")
	names := []string{"arrivals", "delay", "service", "tasks", "type of task 1", "type of task 2", "ties", "ran"}
	drawn := make([][]float64, len(names))
	before := model.Seconds(0)
	for _, r := range workloadFor(t, p, env) {
		for i, x := range []float64{
			float64(r.arrival - before), float64(r.earliest - r.arrival), float64(r.service), float64(len(r.types)),
			float64(r.types[0]), float64(r.types[1]), ties.Float64(), ran.Float64(),
		} {
			drawn[i] = append(drawn[i], x)
		}
		before = r.arrival
	}
	for i, x := range drawn {
		for j, y := range drawn[:i] {
			if r := stat.Correlation(x, y, nil); math.Abs(r) > 5/math.Sqrt(float64(len(x))) {
				t.Errorf("%s and %s are correlated: %v", names[i], names[j], r)
			}
		}
	}
}

// TestPoliciesShiftNoRequest checks that policies which draw much, little and nothing book the same
// times where all requests can start at their earliest.
func TestPoliciesShiftNoRequest(t *testing.T) {
	p := Spec.Defaults
	p.Requests, p.Resources, p.Laxity = 200, 200, 1
	var want Outcome
	for i, set := range []func(*Parameters){
		func(*Parameters) {},
		func(p *Parameters) { p.Ties = "random" },
		func(p *Parameters) { p.NextOrder, p.Ties = "random", "random" },
		func(p *Parameters) { p.Algorithm = "random" },
	} {
		point := p
		set(&point)
		have, err := simulate(t.Context(), point, study.Env(1, 0, nil))
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = have
		}
		if have.Rejected != 0 || have.Utilisation != want.Utilisation || have.Observation != want.Observation {
			t.Errorf("%+v has %+v, want that of %+v", point, have, want)
		}
	}
}
