// Workload tests: Grid jobs cut from a trace, jobs that replications share, drawn deadlines, and
// the oracle's demand against a count by seconds.

package multisite

import (
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
	"gridsweep/model/rng"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
)

// host is a host with one trace.
type host struct {
	model.Host
	jobs []trace.Job
}

func (h host) Memo(ctx context.Context, _ any, build func(context.Context) (any, error)) (any, error) {
	return build(ctx)
}

func (h host) Trace(context.Context, string) (*trace.Log, error) {
	return &trace.Log{Jobs: h.jobs}, nil
}

// environment returns the environment of a replication of a study with a host.
func environment(replication int, h model.Host) model.Env {
	return model.New(Spec).Env(1, replication, h)
}

// rigid returns a job; times in s.
func rigid(submit, run int64, procs int32) job { return job{Submit: submit, Run: run, Procs: procs} }

// The months of the trace are counted from its first submit; jobs that cannot be simulated are
// dropped, and jobs larger than every cluster are counted.
func TestGridJobsOfATrace(t *testing.T) {
	const begin = 1_000_000
	at := func(month int64, after int64) int64 { return begin + (month-1)*trace.Month + after }
	recorded := []trace.Job{
		{ID: 1, Submit: begin, Run: 10, Procs: 1},
		{ID: 2, Submit: at(9, -1), Run: 10, Procs: 1},
		{ID: 3, Submit: at(9, 5), Run: 20, Procs: 2},
		// submitted before the job in front of it
		{ID: 4, Submit: at(9, 3), Run: 30, Procs: -1, ReqProcs: 4},
		{ID: 5, Submit: at(9, 9), Run: 0, Procs: 2}, // never ran
		// larger than the largest cluster
		{ID: 6, Submit: at(10, 0), Run: 40, Procs: 145},
		{ID: 7, Submit: at(12, trace.Month-1), Run: 50, Procs: 144},
		{ID: 8, Submit: at(13, 0), Run: 10, Procs: 1},
		{ID: 9, Submit: -1, Run: 10, Procs: 1}, // without a submit
	}
	before := append([]trace.Job(nil), recorded...)
	p := defaults
	p.Trace = "das2@sha256:00"
	w, err := draw(context.Background(), p, environment(0, host{jobs: recorded}))
	if err != nil {
		t.Fatal(err)
	}
	want := []job{rigid(3, 30, 4), rigid(5, 20, 2), rigid(4*trace.Month-1, 50, 144)}
	if diff := cmp.Diff(want, w.gridJobs); diff != "" || w.dropped != 1 {
		t.Errorf("%d dropped, want 1; jobs (-want +have):\n%s", w.dropped, diff)
	}
	if diff := cmp.Diff(before, recorded); diff != "" {
		t.Errorf("the trace, which runs share, was changed:\n%s", diff)
	}
	p.FirstMonth = 20
	if _, err := draw(context.Background(), p, environment(0, host{jobs: recorded})); err == nil {
		t.Error("months after the trace's end are no error")
	}
}

// The Grid jobs of the site model are the same in all replications; local jobs are drawn for each
// provider and replication.
func TestWorkloadsOfReplications(t *testing.T) {
	p := defaults
	p.Trace, p.Months = model.TraceModel, 1
	replications := make([]*jobs, 2)
	for replication := range replications {
		w, err := draw(context.Background(), p, environment(replication, nil))
		if err != nil {
			t.Fatal(err)
		}
		replications[replication] = w
	}
	same := func(a, b []job) bool { return cmp.Equal(a, b) }
	if !same(replications[0].gridJobs, replications[1].gridJobs) {
		t.Error("two replications have different Grid jobs")
	}
	for i, procs := range workload.Sizes(p.Sizes) {
		local := replications[0].localJobs[i]
		if same(local, replications[1].localJobs[i]) {
			t.Errorf("two replications have the same local jobs of provider %d", i+1)
		}
		if i > 1 && same(local, replications[0].localJobs[1]) {
			t.Errorf("providers 2 and %d have the same local jobs", i+1)
		}
		for _, j := range local {
			if j.Procs > procs || j.Submit >= span(p) {
				t.Fatalf("provider %d of %d processors has %+v", i+1, procs, j)
			}
		}
	}
}

// A deadline is the submit plus the stringency times the response in the base run. The share of
// jobs is met, and a larger share only adds jobs.
func TestDeadlinesAreDrawn(t *testing.T) {
	const n = 20_000
	w := &jobs{gridJobs: make([]job, n)}
	base := &baseStarts{gridJobs: make([]int64, n)}
	for i := range w.gridJobs {
		w.gridJobs[i] = job{Submit: int64(i), Run: 100, Procs: 1}
		base.gridJobs[i] = int64(i) + 3
	}
	draw := func(share float64) []int64 {
		p := defaults
		p.DeadlineShare, p.Stringency = share, 2.5
		w.drawDeadlines(p, base, model.Env{Seed: rng.New("deadlines")})
		return w.deadlines
	}
	few, count := draw(0.2), 0
	for i, deadline := range few {
		if deadline == never {
			continue
		}
		if count++; deadline != int64(i)+258 { // 2.5 × 103 is 257.5
			t.Fatalf("job %d has deadline %d, want %d", i, deadline, i+258)
		}
	}
	if share := float64(count) / n; math.Abs(share-0.2) > 4*math.Sqrt(0.2*0.8/n) {
		t.Errorf("a share of %v of the jobs has a deadline, want 0.2", share)
	}
	for i, deadline := range draw(0.6) {
		if few[i] < never && deadline == never {
			t.Fatalf("job %d has a deadline at a share of 0.2 and none at 0.6", i)
		}
	}
}

// TestDemand compares the oracle's demand of each interval with a count second by second.
func TestDemand(t *testing.T) {
	local := []job{rigid(2, 5, 3), rigid(2, 1, 1), rigid(4, 10, 2)}
	starts := []int64{3, 2, 9}
	for _, running := range []bool{false, true} {
		d := newDemand(local, starts, running)
		for from := int64(0); from < 25; from++ {
			for to := from; to < 25; to++ {
				want := int64(0)
				for i, j := range local {
					begin := j.Submit
					if running {
						begin = starts[i]
					}
					for at := from; at < to; at++ {
						if begin <= at && at < starts[i]+j.Run {
							want += int64(j.Procs)
						}
					}
				}
				if have := d.between(from, to); have != want {
					t.Fatalf("running %t, [%d, %d): %d, want %d", running, from, to, have, want)
				}
			}
		}
	}
}
