// Simulation tests: one base run for all policies of a replication, with the start of every job.

package multisite

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model"
)

// memory is a host that builds one value for equal keys, and keeps the base runs.
type memory struct {
	model.Host
	built map[any]any
	bases []*baseStarts
}

func (m *memory) Memo(ctx context.Context, key any, build func(context.Context) (any, error)) (any, error) {
	if value, known := m.built[key]; known {
		return value, nil
	}
	value, err := build(ctx)
	if err != nil {
		return nil, err
	}
	m.built[key] = value
	if base, ok := value.(*baseStarts); ok {
		m.bases = append(m.bases, base)
	}
	return value, nil
}

func (*memory) Span(string, int) func() { return func() {} }

// All policies of a replication share one base run. The pair of the base run differs from it in no
// job, the other pairs in some. The base run lasts until all jobs have ended, the others until the
// last arrival.
func TestPoliciesShareTheBaseRun(t *testing.T) {
	p := defaults
	p.Sizes, p.Months, p.Warmup, p.Training, p.Trace, p.LocalLoad = "16,8", 0.3, 2*day, day, model.TraceModel, 0.8
	host := &memory{built: map[any]any{}}
	for _, policy := range pairs {
		p.Provider, p.Gateway, p.DeadlineShare = policy[0], policy[1], 0
		if p.Gateway != "least-load" {
			p.DeadlineShare = 0.2
		}
		o, err := simulate(context.Background(), p, environment(0, host))
		if err != nil {
			t.Fatal(err)
		}
		if (o.DeadlineJobs > 0) != (p.DeadlineShare > 0) {
			t.Errorf("%v: %d jobs have a deadline at a share of %v", policy, o.DeadlineJobs, p.DeadlineShare)
		}
		rows := slices.Collect(o.Jobs)
		last := slices.MaxFunc(rows, func(a, b JobRow) int { return int(a.Submit - b.Submit) }).Submit
		compared, differ, unfinished := 0, 0, 0
		for _, row := range rows {
			if row.Start != nil && *row.Start > last || row.BaseStart != nil && *row.BaseStart+row.Run > last {
				t.Fatalf("%v: %+v is beyond the last arrival at %d s", policy, row, last)
			}
			if row.End == nil {
				unfinished++
			}
			if row.Improvement == nil {
				continue
			}
			if compared++; *row.Improvement != 0 {
				differ++
			}
		}
		isBase := policy == [2]string{"ArEb", "least-load"}
		if compared == 0 || unfinished == 0 || isBase != (differ == 0) {
			t.Errorf("%v: R is not 0 for %d of %d jobs, %d have not ended", policy, differ, compared, unfinished)
		}
	}
	if len(host.bases) != 1 {
		t.Errorf("%d base runs of the policies of a replication, want 1", len(host.bases))
	}
	if _, err := simulate(context.Background(), p, environment(1, host)); err != nil || len(host.bases) != 2 {
		t.Errorf("%d base runs of two replications, want 2 (%v)", len(host.bases), err)
	}
	for replication, base := range host.bases {
		for _, starts := range append(base.localJobs, base.gridJobs) {
			if slices.Contains(starts, never) {
				t.Errorf("replication %d: a job of the base run has no start", replication+1)
			}
		}
	}
}

// Each job of the base run has a start, also the last to arrive.
func TestBaseRunEndsAllJobs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorkload(t, 2, 5)
		base := baseOf(t, small("5,8", "ArCb", "earliest-partial"), w)
		if len(base.gridJobs) != len(w.gridJobs) {
			t.Fatalf("%d starts of %d Grid jobs", len(base.gridJobs), len(w.gridJobs))
		}
		for i, starts := range append(base.localJobs, base.gridJobs) {
			list := append(slices.Clone(w.localJobs), w.gridJobs)[i]
			for k, j := range list {
				if starts[k] < j.Submit || starts[k] == never {
					t.Fatalf("%+v starts at %d", j, starts[k])
				}
			}
		}
	})
}

// The base run depends on the parameters of the workload and on the assumptions that apply to it,
// and on no other.
func TestBaseParameters(t *testing.T) {
	want := []string{"Sizes", "FirstMonth", "Months", "Trace", "LocalLoad", "ReportInterval", "CountsWaiting", "Pivot",
		"Placement"}
	base := baseParameters(defaults)
	if base.Provider != "ArEb" || base.Gateway != "least-load" {
		t.Errorf("the base run is %s+%s, want ArEb+least-load", base.Provider, base.Gateway)
	}
	var taken []string
	for i := range reflect.TypeFor[Parameters]().NumField() {
		p, name := defaults, reflect.TypeFor[Parameters]().Field(i).Name
		if name == "_" {
			continue // documentation
		}
		switch v := reflect.ValueOf(&p).Elem().Field(i); v.Kind() {
		case reflect.String:
			v.SetString(v.String() + " other")
		case reflect.Int64:
			v.SetInt(v.Int() + 1)
		case reflect.Float64:
			v.SetFloat(v.Float() + 1)
		case reflect.Bool:
			v.SetBool(!v.Bool())
		default:
			t.Fatalf("%s is a %s: extend this test by another value for it", name, v.Kind())
		}
		if baseParameters(p) != base {
			taken = append(taken, name)
		}
	}
	if diff := cmp.Diff(want, taken); diff != "" {
		t.Errorf("parameters that the base run takes (-want +have):\n%s", diff)
	}
}
