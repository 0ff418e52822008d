// Broker tests: every decision against the naive broker, and properties of the bookings of
// full-size points: capacity, Little's law, scaled times and renamed types.

package coallocation

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model"
	"gridsweep/model/rng"
)

// study is the model under test.
var study = model.New(Spec)

// choices returns the words that a parameter admits.
func choices(name string) []string { return study.Parameters[study.Parameter(name)].Choices() }

// fieldOf returns the field of a parameter.
func fieldOf(p *Parameters, name string) reflect.Value {
	fields := reflect.ValueOf(p).Elem()
	for i := range fields.NumField() {
		if fields.Type().Field(i).Tag.Get("name") == name {
			return fields.Field(i)
		}
	}
	panic("no parameter " + name)
}

// drawSmall draws a small and busy system, so that all cases occur: any algorithm and assumption,
// few resources, times of seconds.
func drawSmall(t *rapid.T) Parameters {
	p := Spec.Defaults
	for _, parameter := range study.Parameters {
		if words := parameter.Choices(); words != nil {
			fieldOf(&p, parameter.Name).SetString(rapid.SampledFrom(words).Draw(t, parameter.Name))
		}
	}
	p.Requests = rapid.Int64Range(1, 40).Draw(t, "requests")
	p.ResourceTypes = rapid.Int64Range(1, 4).Draw(t, "resource_types")
	p.Resources = rapid.Int64Range(1, 4).Draw(t, "resources")
	p.TasksMax = rapid.Int64Range(1, min(4, p.ResourceTypes*p.Resources)).Draw(t, "tasks_max")
	if p.Types == "distinct" || p.Types == "first" {
		p.TasksMax = min(p.TasksMax, p.ResourceTypes)
	}
	p.TasksMin = rapid.Int64Range(1, p.TasksMax).Draw(t, "tasks_min")
	p.ServiceMin = model.Seconds(rapid.Int64Range(1, 4).Draw(t, "service_min"))
	p.ServiceMax = p.ServiceMin + model.Seconds(rapid.Int64Range(0, 5).Draw(t, "service spread"))
	p.Delay = model.Seconds(rapid.Int64Range(0, 20).Draw(t, "delay"))
	p.Laxity = rapid.SampledFrom([]float64{1, 1.5, 2, 3.3, 5}).Draw(t, "laxity")
	p.Granularity = model.Seconds(rapid.Int64Range(1, 3).Draw(t, "granularity"))
	p.Lambda = rapid.SampledFrom([]float64{5, 20, 60}).Draw(t, "lambda")
	if problems := validate(p); problems != nil {
		t.Fatalf("drew a point that is not valid: %v", problems)
	}
	return p
}

// workloadFor returns the requests of a point.
func workloadFor(t testing.TB, p Parameters, env model.Env) []request {
	t.Helper()
	requests, err := generate(context.Background(), workloadOf(p), env)
	if err != nil {
		t.Fatal(err)
	}
	return requests
}

// horizon returns a time by which all requests are over.
func horizon(requests []request) int {
	last := 0
	for i := range requests {
		last = max(last, int(requests[i].deadline))
	}
	return last + 1
}

// differences places the requests with the fast and with the naive broker and describes the first
// difference.
func differences(p Parameters, env model.Env, requests []request) string {
	fast, slow := newBroker(p, env.Seed), newNaive(p, env.Seed, horizon(requests))
	for i := range requests {
		r := &requests[i]
		start, accepted := fast.place(r)
		var got placement
		if accepted {
			got = fast.placed(r, start)
		}
		want, feasible := placement{}, false
		if p.Algorithm == "stepwise" {
			want, feasible = slow.stepwise(r)
		} else {
			// RAN/RAN may take any feasible combination; TestRandomIsUniform looks at how often it
			// takes which
			slow.lists(r)
			combinations := slow.combinations(r)
			feasible = len(combinations) > 0
			same := func(c placement) bool { return reflect.DeepEqual(c, got) }
			if j := slices.IndexFunc(combinations, same); j >= 0 {
				want = combinations[j]
			}
		}
		if accepted != feasible || !reflect.DeepEqual(got, want) {
			return fmt.Sprintf("request %d, %+v: got %+v, %v, want %+v, %v", i, *r, got, accepted, want, feasible)
		}
		if accepted {
			slow.book(r, got)
		}
	}
	if fast.listedResources != slow.listedResources || fast.listedIntervals != slow.listedIntervals {
		return fmt.Sprintf("candidates: got %d resources, %d intervals, want %d, %d",
			fast.listedResources, fast.listedIntervals, slow.listedResources, slow.listedIntervals)
	}
	return ""
}

// TestPlacesAsTheNaiveBroker compares every decision on drawn systems. A request that RAN/RAN
// rejects has no feasible combination.
func TestPlacesAsTheNaiveBroker(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawSmall(t)
		env := study.Env(rapid.Int64().Draw(t, "seed"), 0, nil)
		requests, err := generate(context.Background(), workloadOf(p), env)
		if err != nil {
			t.Fatal(err)
		}
		if text := differences(p, env, requests); text != "" {
			t.Fatal(text)
		}
	})
}

// TestPairsOfAssumptionsPlaceAsTheNaiveBroker goes through all pairs of alternative assumptions,
// with each of the 16 algorithms.
func TestPairsOfAssumptionsPlaceAsTheNaiveBroker(t *testing.T) {
	p := Spec.Defaults
	p.Requests, p.ResourceTypes, p.Resources, p.TasksMin, p.TasksMax = 12, 2, 3, 2, 4
	p.ServiceMin, p.ServiceMax, p.Delay, p.Laxity, p.Lambda = 2, 6, 5, 4, 60
	names := []string{"window", "window_start", "start_task", "next_order", "leftover", "load_over", "latest_by", "ties",
		"slack", "earliest_task", "interval_ties", "ends"}
	combination := 0
	vary := func(p Parameters, names []string, check func(p Parameters)) {
		for _, name := range names {
			for _, word := range choices(name) {
				p := p
				fieldOf(&p, name).SetString(word)
				check(p)
			}
		}
	}
	check := func(p Parameters) {
		env := study.Env(int64(combination), 0, nil)
		combination++
		if text := differences(p, env, workloadFor(t, p, env)); text != "" {
			t.Fatalf("%+v\n%s", p, text)
		}
	}
	for i, name := range names {
		vary(p, []string{name}, func(p Parameters) {
			vary(p, names[i+1:], func(p Parameters) {
				vary(p, []string{"start"}, func(p Parameters) { vary(p, []string{"next"}, check) })
			})
		})
	}
}

// booking is one task of an accepted request.
type booking struct {
	request  *request
	task     int
	resource int
	start    model.Seconds
}

// run places all requests and returns the bookings in order.
func run(p Parameters, seed rng.Source, requests []request) []booking {
	b := newBroker(p, seed)
	var bookings []booking
	for i := range requests {
		r := &requests[i]
		if start, accepted := b.place(r); accepted {
			for task := range r.types {
				bookings = append(bookings, booking{r, task, b.globalResource(task), start})
			}
		}
	}
	return bookings
}

// eachAlgorithm runs the check on full-size points: the 16 algorithms, RAN/RAN, and each
// alternative assumption on its own.
func eachAlgorithm(t *testing.T, check func(t *testing.T, p Parameters)) {
	p := Spec.Defaults
	p.Requests = 1000
	points := map[string]Parameters{}
	for _, start := range choices("start") {
		for _, next := range choices("next") {
			p := p
			p.Start, p.Next = start, next
			points[start+","+next] = p
		}
	}
	for _, parameter := range study.Parameters {
		for _, word := range parameter.Choices() {
			p := p
			fieldOf(&p, parameter.Name).SetString(word)
			points[parameter.Name+" "+word] = p
		}
	}
	many := p
	many.TasksMax = 10
	points["many tasks"] = many
	minutes := p
	minutes.Granularity, minutes.Ends = 60, "closed"
	points["closed minutes"] = minutes
	for name, p := range points {
		t.Run(name, func(t *testing.T) { check(t, p) })
	}
}

func TestBookingsAreValid(t *testing.T) {
	eachAlgorithm(t, func(t *testing.T, p Parameters) {
		env := study.Env(1, 0, nil)
		bookings := run(p, env.Seed, workloadFor(t, p, env))
		tasks := map[*request]int{}
		resourceOfRequest := map[*request]map[int]bool{}
		startOf := map[*request]model.Seconds{}
		byResource := map[int][]booking{}
		for _, k := range bookings {
			r := k.request
			if k.start < r.earliest || k.start+r.service > r.deadline {
				t.Fatalf("%+v starts at %d, too early or too late", *r, k.start)
			}
			if k.resource/int(p.Resources) != int(r.types[k.task]) {
				t.Fatalf("task %d of %+v runs on resource %d, of another type", k.task, *r, k.resource)
			}
			if start, known := startOf[r]; known && start != k.start {
				t.Fatalf("tasks of %+v start at %d and %d", *r, start, k.start)
			}
			if resourceOfRequest[r][k.resource] {
				t.Fatalf("two tasks of %+v run on resource %d", *r, k.resource)
			}
			if resourceOfRequest[r] == nil {
				resourceOfRequest[r] = map[int]bool{}
			}
			resourceOfRequest[r][k.resource] = true
			startOf[r] = k.start
			tasks[r]++
			byResource[k.resource] = append(byResource[k.resource], k)
		}
		for r, n := range tasks {
			if n != len(r.types) {
				t.Fatalf("%d tasks of %+v run, want all", n, *r)
			}
		}
		for resource, bookings := range byResource {
			slices.SortFunc(bookings, func(x, y booking) int { return int(x.start - y.start) })
			for i := 1; i < len(bookings); i++ {
				if before := bookings[i-1]; before.start+before.request.service > bookings[i].start {
					t.Fatalf("resource %d is booked twice: %+v, %+v", resource, before, bookings[i])
				}
			}
		}
	})
}

// TestWorkIsWithinCapacity checks per type: accepted work <= resources x (last end - first t_EST).
func TestWorkIsWithinCapacity(t *testing.T) {
	eachAlgorithm(t, func(t *testing.T, p Parameters) {
		p.Lambda = 1 // saturated
		env := study.Env(1, 0, nil)
		requests := workloadFor(t, p, env)
		first := make([]model.Seconds, p.ResourceTypes)
		last := make([]model.Seconds, p.ResourceTypes)
		work := make([]model.Seconds, p.ResourceTypes)
		for i := range first {
			first[i] = forever
		}
		for _, k := range run(p, env.Seed, requests) {
			resourceType := k.request.types[k.task]
			first[resourceType] = min(first[resourceType], k.request.earliest)
			last[resourceType] = max(last[resourceType], k.start+k.request.service)
			work[resourceType] += k.request.service
		}
		for resourceType := range work {
			if bound := model.Seconds(p.Resources) * (last[resourceType] - first[resourceType]); work[resourceType] > bound {
				t.Errorf("type %d: %d s of work in %d s of all resources", resourceType, work[resourceType], bound)
			}
		}
	})
}

// TestLittlesLaw checks the thesis' own check (section 3.2.6.2): the mean number of accepted
// requests in the system, seen second by second, is their rate times their mean time in it. The
// occupied resources, likewise, are the utilisation that the run reports.
func TestLittlesLaw(t *testing.T) {
	eachAlgorithm(t, func(t *testing.T, p Parameters) {
		env := study.Env(1, 0, nil)
		outcome, err := Spec.Simulate(context.Background(), p, env)
		if err != nil {
			t.Fatal(err)
		}
		end := int(outcome.Observation)
		enter, occupy := make([]int, end+1), make([]int, end+1) // changes by second
		response, accepted := 0, 0
		for _, k := range run(p, env.Seed, workloadFor(t, p, env)) {
			finish := int(k.start + k.request.service)
			occupy[k.start]++
			occupy[finish]--
			if k.task == 0 {
				enter[k.request.arrival]++
				enter[finish]--
				accepted++
				response += finish - int(k.request.arrival)
			}
		}
		inSystem, occupied, area, busy := 0, 0, 0, 0
		for second := range end {
			inSystem += enter[second]
			occupied += occupy[second]
			area += inSystem
			busy += occupied
		}
		mean, rate := float64(area)/float64(end), float64(accepted)/float64(end)
		if want := rate * float64(response) / float64(accepted); !near(mean, want) {
			t.Errorf("mean number in the system %v, rate x mean response time %v", mean, want)
		}
		capacity := float64(end) * float64(p.ResourceTypes*p.Resources)
		if want := 100 * float64(busy) / capacity; !near(outcome.Utilisation, want) {
			t.Errorf("utilisation %v, resources were occupied %v %% of the time", outcome.Utilisation, want)
		}
		if int64(accepted)+outcome.Rejected != p.Requests {
			t.Errorf("%d accepted and %d rejected, want %d in all", accepted, outcome.Rejected, p.Requests)
		}
	})
}

func near(x, y float64) bool { return max(x, y)-min(x, y) <= 1e-9*max(x, y) }

// TestScalesWithTime: doubling all times doubles all starts and changes nothing else, and so does
// shifting.
func TestScalesWithTime(t *testing.T) {
	eachAlgorithm(t, func(t *testing.T, p Parameters) {
		env := study.Env(2, 0, nil)
		requests := workloadFor(t, p, env)
		for _, change := range []struct{ factor, shift model.Seconds }{{2, 0}, {1, 12345}, {3, 7}} {
			changed := slices.Clone(requests)
			for i := range changed {
				r := &changed[i]
				for _, clock := range []*model.Seconds{&r.arrival, &r.earliest, &r.deadline} {
					*clock = change.factor**clock + change.shift
				}
				r.service *= change.factor
			}
			want := run(p, env.Seed, requests)
			scaled := p
			scaled.Granularity *= change.factor
			got := run(scaled, env.Seed, changed)
			if len(got) != len(want) {
				t.Fatalf("%+v: %d tasks placed, want %d", change, len(got), len(want))
			}
			for i, k := range got {
				before := want[i]
				if k.resource != before.resource || k.start != change.factor*before.start+change.shift {
					t.Fatalf("%+v: task %d at %d on %d, unchanged at %d on %d",
						change, i, k.start, k.resource, before.start, before.resource)
				}
			}
		}
	})
}

// TestTypesAreOnlyNames: permuting the types permutes the resources and changes nothing else.
func TestTypesAreOnlyNames(t *testing.T) {
	eachAlgorithm(t, func(t *testing.T, p Parameters) {
		env := study.Env(3, 0, nil)
		requests := workloadFor(t, p, env)
		renamed := slices.Clone(requests)
		name := func(resourceType int) int { return (resourceType*5 + 2) % int(p.ResourceTypes) }
		for i := range renamed {
			renamed[i].types = slices.Clone(renamed[i].types)
			for j, resourceType := range renamed[i].types {
				renamed[i].types[j] = uint16(name(int(resourceType)))
			}
		}
		want, got := run(p, env.Seed, requests), run(p, env.Seed, renamed)
		if len(got) != len(want) {
			t.Fatalf("%d tasks placed, want %d", len(got), len(want))
		}
		for i, k := range got {
			m := int(p.Resources)
			if resource := name(want[i].resource/m)*m + want[i].resource%m; k.start != want[i].start || k.resource != resource {
				t.Fatalf("task %d at %d on %d, want at %d on %d", i, k.start, k.resource, want[i].start, resource)
			}
		}
	})
}

// TestLongListsSortAsShortOnes crosses the length from which lists are sorted by another method.
func TestLongListsSortAsShortOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.Int64Range(-5, 5), 0, 150).Draw(t, "keys")
		var c candidates
		for i, key := range keys {
			at := model.Seconds(key)
			c.list = append(c.list, candidate{resourceGap{gap{at, at}, i}, key<<resourceBits | int64(i)})
		}
		want := slices.Clone(c.list)
		slices.SortFunc(want, func(x, y candidate) int {
			if x.begin != y.begin {
				return int(x.begin - y.begin)
			}
			return x.resource - y.resource
		})
		c.sort(startRule{begin: 1})
		unexported := cmp.AllowUnexported(candidate{}, resourceGap{}, gap{})
		if diff := cmp.Diff(want, c.list, unexported); len(keys) > 0 && diff != "" {
			t.Fatal(diff)
		}
	})
}
