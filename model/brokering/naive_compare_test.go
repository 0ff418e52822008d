// Whole runs, compared with those of the naive simulator.

package brokering

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gridsweep/model/brokering/pool"
	"gridsweep/model/rng"
	"pgregory.net/rapid"
)

// TestSimulationEqualsNaive compares whole outcomes, to the last bit. With -rapid.checks=10000 it
// compares more.
func TestSimulationEqualsNaive(t *testing.T) {
	forStrategies(t, func(t *rapid.T, strategy, preference string) {
		p := drawNaiveParameters(t, strategy, preference)
		domains := drawNaiveDomains(t, p)
		if !slices.ContainsFunc(domains, func(d domain) bool { return len(d.jobs) > 0 }) {
			t.Skip("no jobs")
		}
		requireNaiveOutcome(t, p, domains)
	})
}

// requireNaiveOutcome compares the simulator's outcome with that of the naive one.
func requireNaiveOutcome(t rapid.TB, p Parameters, domains []domain) Outcome {
	t.Helper()
	want, wantJobs := naiveRun(p, domains)
	got, err := runJobs(context.Background(), p, domains)
	if err != nil {
		t.Fatalf("simulation: %v\n%s", err, describeNaive(p, domains))
	}
	if diff := cmp.Diff(wantJobs, slices.Collect(got.JobRows)); diff != "" {
		t.Fatalf("jobs differ (-naive +simulation):\n%s\n%s", diff, describeNaive(p, domains))
	}
	got.JobRows = nil
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("outcomes differ (-naive +simulation):\n%s\n%s", diff, describeNaive(p, domains))
	}
	return want
}

// TestSimulationEqualsNaiveAtScale compares runs of the study's domains with fewer jobs, which are
// submitted closer together.
func TestSimulationEqualsNaiveAtScale(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: the slow reference simulates thousands of jobs")
	}
	p := defaults
	p.Domains, p.Copies, p.Load = 3, "seeded", 6
	p.SmallJobs, p.MediumJobs, p.BigJobs, p.Sample = 120, 120, 120, 500
	p.SmallLongest, p.MediumLongest, p.BigLongest = 4e9, 4e9, 4e9 // so few jobs make the load
	domains := naiveDomains(p, rng.New("naive at scale"), nil)
	for _, strategy := range []string{"REGULAR", "AGGR_SIMP", "AGGR_CAT", "SLOW"} {
		for _, split := range []string{"own", "each", "joint"} {
			for _, slow := range []string{"inverse", "lexicographic"} {
				if split != "own" && (strategy == "REGULAR" || strategy == "AGGR_SIMP") || slow != "inverse" && strategy != "SLOW" {
					continue // that does not matter
				}
				t.Run(strategy+" "+split+" "+slow, func(t *testing.T) {
					p := p
					p.Strategy, p.Split, p.Slow = strategy, split, slow
					out := requireNaiveOutcome(t, p, domains)
					if out.Wait == 0 || out.Conflicts == 0 || out.Forwarded == 0 {
						t.Errorf("wait %v s, %d conflicts, %v %% forwarded: each of these ought to happen", out.Wait, out.Conflicts,
							out.Forwarded)
					}
				})
			}
		}
	}
}

// TestWaitingJobFollowsAScoreThatRises has two jobs wait at a broker where no resource fits. When
// all running jobs end, the first takes the other broker that fits. The second must start at the
// broker where it waits, whose score has risen.
func TestWaitingJobFollowsAScoreThatRises(t *testing.T) {
	p := defaults
	p.Strategy, p.Rank, p.Split, p.Sample = "AGGR_CAT", "mean", "each", 1
	linux := pool.Platform{Vendor: "Intel", System: "Linux"}
	small, large := cluster{linux, 1800, 1, 1, 1}, cluster{linux, 1800, 1, 2, 2}
	domains := []domain{
		{name: "DAS-2", span: 1, clusters: []cluster{small}},
		{name: "Grid5000", span: 1, clusters: []cluster{large}},
		{name: "Sharcnet", span: 1, clusters: []cluster{large, {linux, 3000, 2, 1, 1}, large, large}},
	}
	for range 7 {
		domains[0].jobs = append(domains[0].jobs, job{run: 1, platform: linux, clock: 1800, cpus: 1, memory: 1})
	}
	requireNaiveOutcome(t, p, domains)
	n := newNaive(p, domains)
	n.run()
	if last := n.jobs[6]; last.start != 1 || last.broker != 2 || last.attempts != 2 {
		t.Errorf("the last job starts at %d at broker %d after %d attempts, want 1, 2 and 2", last.start, last.broker,
			last.attempts)
	}
}

// TestClassSplitByAChange has two waiting jobs that differ in their disks alone. Two resources
// become free in one second: the first fits both, the second only the later job.
func TestClassSplitByAChange(t *testing.T) {
	p := defaults
	p.Strategy, p.Sample = "AGGR_SIMP", 1
	linux, aix := pool.Platform{Vendor: "Intel", System: "Linux"}, pool.Platform{Vendor: "AMD", System: "AIX"}
	domains := []domain{
		{name: "DAS-2", span: 3, clusters: []cluster{{linux, 3000, 3, 4, 10}, {linux, 3000, 1, 8, 20}}, jobs: []job{
			{run: 10, platform: linux, cpus: 1, memory: 1, disk: 1},   // at the second
			{run: 10, platform: linux, cpus: 1, memory: 3},            // at the first
			{run: 1000, platform: linux, cpus: 1, memory: 1, disk: 7}, // at the first
			{submit: 1, run: 1, platform: linux, cpus: 1, memory: 1, disk: 5},
			{submit: 2, run: 1, platform: linux, cpus: 1, memory: 1, disk: 1},
		}},
		{name: "Grid5000", span: 3, clusters: []cluster{{linux, 1000, 1, 1, 5}}},
		{name: "Sharcnet", span: 3, clusters: []cluster{{aix, 1000, 1, 1, 1}},
			jobs: []job{{submit: 3, run: 1, platform: aix, cpus: 1}}},
	}
	requireNaiveOutcome(t, p, domains)
	n := newNaive(p, domains)
	n.run()
	for i, cluster := range []int{1, 0} {
		if j := n.jobs[3+i]; j.start != 10 || j.broker != 0 || j.cluster != cluster {
			t.Errorf("job %d starts at %d at resource %d of broker %d, want 10, %d and 0", 4+i, j.start, j.cluster, j.broker,
				cluster)
		}
	}
}
