// Workload tests: requests cut from traces, and which replications and runs share requests, Grids
// and base runs.

package intergrid

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
)

// host is a host with traces, which keeps the values of Memo where kept is not nil.
type host struct {
	model.Host
	traces map[string][]trace.Job
	kept   map[any]any
	bases  *int // base runs built
}

func (h host) Memo(ctx context.Context, key any, build func(context.Context) (any, error)) (any, error) {
	if value, ok := h.kept[key]; ok {
		return value, nil
	}
	value, err := build(ctx)
	if err == nil && h.kept != nil {
		h.kept[key] = value
	}
	if _, ok := value.([][]int64); ok && h.bases != nil {
		*h.bases++
	}
	return value, err
}

func (h host) Trace(_ context.Context, name string) (*trace.Log, error) {
	jobs, ok := h.traces[name]
	if !ok {
		return nil, errors.New("no trace " + name)
	}
	return &trace.Log{Jobs: jobs}, nil
}

// environment returns the environment of a replication of a study with a host.
func environment(replication int, h model.Host) model.Env {
	return model.New(Spec).Env(1, replication, h)
}

// gwf reads a trace in the Grid Workload Format of jobs with a submit, a run time and processors.
func gwf(t *testing.T, jobs ...[3]int64) []trace.Job {
	t.Helper()
	var text strings.Builder
	for i, j := range jobs {
		fmt.Fprintf(&text, "%d %d -1 %d %d -1 -1 -1 -1 -1 1 U1 G1 X1 Q1 P1 S1 S1 UNITARY%s\n", i+1, j[0], j[1], j[2],
			strings.Repeat(" -1", 10))
	}
	read, err := trace.NewReader(strings.NewReader(text.String()), "log", trace.Options{}).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// drawn returns the Grids of draw, which must not fail.
func drawn(t *testing.T, p Parameters, env model.Env) []grid {
	t.Helper()
	grids, err := draw(context.Background(), p, env)
	if err != nil {
		t.Fatal(err)
	}
	return grids
}

// same reports whether two Grids are equal, sameProvider two providers. They replace cmp, which is
// slow for so many requests.
func same(a, b grid) bool {
	return a.name == b.name && a.dropped == b.dropped && slices.Equal(a.requests, b.requests) &&
		slices.EqualFunc(a.providers, b.providers, sameProvider)
}

func sameProvider(a, b provider) bool {
	return a.cpus == b.cpus && a.dedicated == b.dedicated && a.cost == b.cost && slices.Equal(a.supply, b.supply)
}

var unexported = cmp.AllowUnexported(grid{}, provider{}, supplyInterval{}, request{})

const threeTraces = "my-das2.gwf@sha256:00,my-auvergrid.gwf@sha256:01,my-grid5000.gwf@sha256:02"

// months returns a host with traces that have jobs before, at and after the bounds of their
// windows.
func months(t *testing.T) host {
	at := func(month, after int64) int64 { return 1_000_000 + (month-1)*trace.Month + after }
	return host{traces: map[string][]trace.Job{
		siteNames[0]: gwf(t,
			[3]int64{at(0, 0), 0, 1}, // never ran: months count from the next one on
			[3]int64{at(1, 0), 10, 1}, [3]int64{at(9, -1), 10, 1},
			[3]int64{at(9, 5), 20, 2}, [3]int64{at(9, 3), 30, 144}, // not in order
			[3]int64{at(10, 0), 40, 145}, // larger than DAS-2's largest provider
			[3]int64{at(12, trace.Month-1), 50, 1}, [3]int64{at(13, 0), 60, 1}),
		siteNames[1]: gwf(t, [3]int64{500, 10, 1}, [3]int64{500 + 4*trace.Month, 70, 216},
			[3]int64{501 + 4*trace.Month, 80, 217}),
		siteNames[2]: gwf(t, [3]int64{0, 10, 1}, [3]int64{20*trace.Month - 1, 90, 3}),
	}}
}

// The months of each trace are counted from its first submit; a request that is larger than every
// provider of all Grids is dropped.
func TestRequestsOfTraces(t *testing.T) {
	h := months(t)
	before := map[string][]trace.Job{}
	for _, name := range siteNames {
		before[name] = slices.Clone(h.traces[name])
	}
	p := defaults
	p.Trace, p.DeadlineShare = threeTraces, 0
	grids := drawn(t, p, environment(0, h))
	want := [][]request{
		{{3, 30, never, 144}, {5, 20, never, 2}, {trace.Month, 40, never, 145}, {4*trace.Month - 1, 50, never, 1}},
		{{0, 70, never, 216}},
		{{4*trace.Month - 1, 90, never, 3}},
	}
	for i := range grids {
		if diff := cmp.Diff(want[i], grids[i].requests, unexported); diff != "" {
			t.Errorf("requests of %s (-want +have):\n%s", grids[i].name, diff)
		}
		if dropped := [3]int64{0, 1, 0}[i]; grids[i].dropped != dropped {
			t.Errorf("%s has %d requests dropped, want %d", grids[i].name, grids[i].dropped, dropped)
		}
	}
	if last := lastArrival(grids); last != 4*trace.Month-1 {
		t.Errorf("the last arrival is at %d, want %d", last, int64(4*trace.Month-1))
	}
	if diff := cmp.Diff(before, h.traces); diff != "" {
		t.Errorf("the traces, which runs share, were changed:\n%s", diff)
	}
}

// A request larger than its Grid's providers has no deadline: it has no end in the base run.
func TestDeadlinesOfATrace(t *testing.T) {
	p := defaults
	p.Trace, p.DeadlineShare = threeTraces, 1
	p.OnShareMin, p.OffShareMin, p.OffShareMax = 1, 1, 1 // all providers offer all
	grids := drawn(t, p, environment(0, months(t)))
	want := [][]int64{{3 + 150, 5 + 100, never, 4*trace.Month - 1 + 250}, {never}, {4*trace.Month - 1 + 450}}
	for i := range grids {
		for k, r := range grids[i].requests {
			if r.deadline != want[i][k] {
				t.Errorf("request %d of %s has deadline %d, want %d", k+1, grids[i].name, r.deadline, want[i][k])
			}
		}
	}
}

func TestRequestErrors(t *testing.T) {
	for _, c := range []struct {
		change func(*Parameters, host)
		want   string
	}{
		{func(p *Parameters, _ host) { p.AuverGridMonth = 20 },
			"trace my-auvergrid.gwf has no job in the window that begins on day 578.3 of its 121.7 days: " +
				"change auvergrid_month or months"},
		{func(_ *Parameters, h host) { delete(h.traces, siteNames[0]) }, "no trace das2"},
	} {
		p, h := defaults, months(t)
		p.Trace = threeTraces
		c.change(&p, h)
		if _, err := draw(context.Background(), p, environment(0, h)); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	p := defaults
	p.Trace = model.TraceModel
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := draw(ctx, p, environment(0, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled draw: %v", err)
	}
}

// quick are parameters of a small replication of site models.
func quick() Parameters {
	p := defaults
	p.Trace, p.Months, p.Warmup = model.TraceModel, 0.1, day
	return p
}

// Replications share the requests of site models or draw their own, by workload_seed. They share no
// other draws. A replication repeats.
func TestReplicationsOfSiteModels(t *testing.T) {
	for _, c := range []struct {
		seed   string
		shared bool
	}{{"study", true}, {"round", false}} {
		p := quick()
		p.WorkloadSeed = c.seed
		a, again, b := drawn(t, p, environment(0, nil)), drawn(t, p, environment(0, nil)), drawn(t, p, environment(1, nil))
		if !slices.EqualFunc(a, again, same) {
			t.Fatal("a replication does not repeat")
		}
		for i := range a {
			deadlines, want := 0, float64(p.DeadlineShare)*float64(len(a[i].requests))
			plain := func(requests []request) []request {
				list := slices.Clone(requests)
				for k := range list {
					list[k].deadline = never
				}
				return list
			}
			for _, r := range a[i].requests {
				if r.deadline < never {
					deadlines++
				}
			}
			if d := float64(deadlines) - want; d*d > 16*want || deadlines == 0 {
				t.Errorf("%s: %d of %d requests have a deadline, want %.0f", a[i].name, deadlines, len(a[i].requests), want)
			}
			if shared := slices.Equal(plain(a[i].requests), plain(b[i].requests)); shared != c.shared {
				t.Errorf("workload_seed %s: two replications share requests: %t", c.seed, shared)
			}
			if slices.Equal(a[i].requests, b[i].requests) {
				t.Error("two replications have the same deadlines")
			}
			if slices.EqualFunc(a[i].providers, b[i].providers, sameProvider) {
				t.Error("two replications have the same supply and costs")
			}
			if i > 0 && slices.Equal(plain(a[i].requests), plain(a[0].requests)) {
				t.Errorf("%s and %s have the same requests", a[i].name, a[0].name)
			}
		}
	}
}

// Replications share the windows of traces, for all values of workload_seed.
func TestReplicationsShareTraces(t *testing.T) {
	h := months(t)
	h.kept = map[any]any{}
	p := defaults
	p.Trace, p.DeadlineShare, p.WorkloadSeed = threeTraces, 0, "round"
	windows := 0
	for replication := range 2 {
		drawn(t, p, environment(replication, h))
	}
	for _, value := range h.kept {
		if _, ok := value.(workload.Recorded); ok {
			windows++
		}
	}
	if windows != len(siteNames) {
		t.Errorf("%d windows of traces are kept after two replications, want %d", windows, len(siteNames))
	}
}

// Without deadlines no base run is made. The longest run time is accepted.
func TestWithoutBaseRun(t *testing.T) {
	bases := 0
	h := months(t)
	h.bases = &bases
	h.traces[siteNames[2]][1].Run = workload.LongestRun
	p := defaults
	p.Trace, p.DeadlineShare = threeTraces, 0
	if run := drawn(t, p, environment(0, h))[2].requests[0].run; run != workload.LongestRun || bases != 0 {
		t.Errorf("run time %d, want %d; %d base runs, want none", run, int64(workload.LongestRun), bases)
	}
}

// Runs that differ in contracts share the Grids; those that differ in prices or deadlines share the
// base run.
func TestWhatRunsShare(t *testing.T) {
	bases := 0
	env := environment(0, host{kept: map[any]any{}, bases: &bases})
	first := drawn(t, quick(), env)
	for _, change := range []func(*Parameters){
		func(p *Parameters) {
			p.Contracts, p.Level, p.K, p.Beta, p.PriceOf, p.Update = false, 0.9, 0.1, 1, "buyer", 60
		},
		func(p *Parameters) {
			p.Trigger, p.Horizon, p.Slots, p.Interval, p.Queue, p.Negotiation =
				"price-and-threshold", "finish", "current", 1, "above", "tick"
		},
		func(p *Parameters) { p.Warmup, p.DAS2Month = 0, 1 },
	} {
		p := quick()
		change(&p)
		if grids := drawn(t, p, env); &grids[0] != &first[0] {
			t.Errorf("the Grids of %+v were drawn again", p)
		}
	}
	for _, change := range []func(*Parameters){
		func(p *Parameters) { p.PriceLoad = "offered" },
		func(p *Parameters) { p.CostMin = 0.5 },
		func(p *Parameters) { p.DeadlineShare = 0.1 },
		func(p *Parameters) { p.Stringency = 2 },
	} {
		p := quick()
		change(&p)
		if grids := drawn(t, p, env); slices.EqualFunc(grids, first, same) {
			t.Errorf("the Grids of %+v are the same", p)
		}
	}
	if bases != 1 {
		t.Errorf("%d base runs, want 1", bases)
	}
	for _, change := range []func(*Parameters){
		func(p *Parameters) { p.OnMin++ },
		func(p *Parameters) { p.OffShareMax = 0.4 },
		func(p *Parameters) { p.Months = 0.11 },
		func(p *Parameters) { p.AuverGridOnOff = "186" },
		func(p *Parameters) { p.WorkloadSeed = "round" },
	} {
		p := quick()
		change(&p)
		if drawn(t, p, env); bases == 1 {
			t.Errorf("the base run of %+v is that of other parameters", p)
		}
		bases = 1
	}
}

// The site models offer loads near those of the paper's workloads: 10, 70 and 10 % of the CPUs
// offered.
func TestOfferedLoad(t *testing.T) {
	p := defaults
	p.Trace, p.DeadlineShare = model.TraceModel, 0
	grids := drawn(t, p, environment(0, nil))
	last := lastArrival(grids)
	for i, bounds := range [3][2]float64{{8, 16}, {66, 77}, {8, 16}} {
		g := &grids[i]
		units, offered := int64(0), 0.0
		for k := range g.requests {
			units += g.requests[k].units()
		}
		for k := range g.providers {
			offered += meanOffered(&g.providers[k], last)
		}
		load := 100 * float64(units) / (offered * float64(last))
		t.Logf("%s: %d requests, %.0f CPUs offered, load %.2f %%", g.name, len(g.requests), offered, load)
		if load < bounds[0] || load > bounds[1] {
			t.Errorf("%s has a load of %.2f %%, want %v to %v", g.name, load, bounds[0], bounds[1])
		}
	}
}

// meanOffered returns the CPUs that a provider offers up to a second, in the mean.
func meanOffered(v *provider, until int64) float64 {
	sum, from := int64(0), int64(0)
	for _, interval := range v.supply {
		to := min(interval.until, until)
		sum += int64(interval.cpus) * max(0, to-from)
		from = to
	}
	return float64(sum) / float64(until)
}
