// Properties of whole runs: strategies that must be equal, local scheduling against package
// cluster, conserved jobs, cancelled runs.

package brokering

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gridsweep/model/brokering/pool"
	engine "gridsweep/model/cluster"
	"pgregory.net/rapid"
)

// requireRun simulates the domains and returns the outcome and its jobs in the order of arrival.
func requireRun(t rapid.TB, p Parameters, domains []domain) (Outcome, []JobRow) {
	t.Helper()
	o, err := runJobs(context.Background(), p, domains)
	if err != nil {
		t.Fatalf("%v\n%s", err, describeNaive(p, domains))
	}
	jobs := slices.Collect(o.JobRows)
	o.JobRows = nil
	return o, jobs
}

// drawSimulation draws parameters and domains with at least one job.
func drawSimulation(t *rapid.T, strategy, preference string) (Parameters, []domain) {
	p := drawNaiveParameters(t, strategy, preference)
	domains := drawNaiveDomains(t, p)
	if !slices.ContainsFunc(domains, func(d domain) bool { return len(d.jobs) > 0 }) {
		t.Skip("no jobs")
	}
	return p, domains
}

// drawAlone is drawSimulation for one domain alone.
func drawAlone(t *rapid.T, strategy, preference string) (Parameters, []domain) {
	p, domains := drawSimulation(t, strategy, preference)
	if len(domains[0].jobs) == 0 {
		t.Skip("no jobs")
	}
	p.Scope = "small"
	return p, domains[:1:1]
}

// TestOneDomainMakesStrategiesEqual has one domain alone: under all strategies its broker gets
// every job and chooses the resource that REGULAR chooses.
func TestOneDomainMakesStrategiesEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, domains := drawAlone(t, "REGULAR", "equal")
		want, wantJobs := requireRun(t, p, domains)
		for _, strategy := range []string{"AGGR_SIMP", "AGGR_CAT"} {
			for _, preference := range []string{"none", "equal", "own"} {
				other := p
				other.Strategy, other.Preference = strategy, preference
				if preference == "own" {
					other.OwnAs = "priority"
				}
				got, jobs := requireRun(t, other, domains)
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()) + cmp.Diff(wantJobs, jobs); diff != "" {
					t.Fatalf("%s under %s (-REGULAR +this):\n%s\n%s", strategy, preference, diff, describeNaive(p, domains))
				}
			}
		}
	})
}

// TestOneDomainIsLocalScheduling has one domain alone under SLOW: under all preferences jobs run as
// without a broker.
func TestOneDomainIsLocalScheduling(t *testing.T) {
	queued := 0
	rapid.Check(t, func(t *rapid.T) {
		p, domains := drawAlone(t, "SLOW", "none")
		local := scheduleLocally(p, domains[0])
		queued += local.branches["shortest queue"]
		want, wantJobs := requireRun(t, p, domains)
		for i, j := range local.jobs {
			if row := wantJobs[i]; int64(row.Start) != j.start || int(row.Cluster) != j.cluster+1 {
				t.Fatalf("job %d starts at %d at resource %d, without a broker at %d at %d\n%s", i+1, row.Start, row.Cluster,
					j.start, j.cluster+1, describeNaive(p, domains))
			}
		}
		for _, own := range []struct{ preference, as string }{{"equal", "priority"}, {"own", "priority"}, {"own", "queue"}} {
			other := p
			other.Preference, other.OwnAs = own.preference, own.as
			got, jobs := requireRun(t, other, domains)
			if diff := cmp.Diff(want, got) + cmp.Diff(wantJobs, jobs); diff != "" {
				t.Fatalf("under %s %s (-none +this):\n%s\n%s", own.preference, own.as, diff, describeNaive(p, domains))
			}
		}
	})
	if queued == 0 {
		t.Error("no job joined a queue")
	}
}

// scheduleLocally sends every job of a domain on arrival to the fitting resource of highest rank,
// else to the shortest queue.
func scheduleLocally(p Parameters, d domain) *naive {
	n := newNaive(p, []domain{d})
	for n.proceed() {
		n.passWhere(n.stop())
		for _, j := range n.jobs {
			if j.state == "to come" && j.submit == n.now {
				n.join(j, 0)
			}
		}
	}
	return n
}

// TestOneClusterIsLocalScheduling has one domain of one cluster with plenty of memory and disk:
// then every strategy equals a policy of package cluster. Broker queues that later jobs may pass
// are left out, since no policy does that.
func TestOneClusterIsLocalScheduling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, domains := drawSimulation(t, "REGULAR", "equal")
		d := domains[0]
		if len(d.jobs) == 0 {
			t.Skip("no jobs")
		}
		d.clusters = []cluster{{platform: pool.Platform{Vendor: "Intel", System: "Linux"},
			clock: 1800, cpus: 8, memory: 1 << 40,
			disk: 1 << 40}}
		d.jobs = slices.Clone(d.jobs)
		jobs := make([]engine.Job, len(d.jobs))
		for i := range d.jobs {
			j := &d.jobs[i]
			j.platform, j.clock = d.clusters[0].platform, 1800
			jobs[i] = engine.Job{Submit: j.submit, Run: j.run, Procs: j.cpus}
		}
		p.Scope, p.BrokerQueue = "small", "fcfs"
		for _, strategy := range []string{"REGULAR", "AGGR_SIMP", "AGGR_CAT", "SLOW"} {
			p.Strategy = strategy
			policy := "fcfs"
			if strategy == "SLOW" {
				policy = p.Local
			}
			parsed, err := engine.ParsePolicy(policy)
			if err != nil {
				t.Fatal(err)
			}
			schedule, err := engine.Simulate(context.Background(), engine.Config{Procs: 8, Policy: parsed}, jobs)
			if err != nil {
				t.Fatal(err)
			}
			_, rows := requireRun(t, p, []domain{d})
			for i, row := range rows {
				if int64(row.Start) != schedule.Start[i] {
					t.Fatalf("%s: job %d starts at %d, under %s at %d\n%s", strategy, i+1, row.Start, policy, schedule.Start[i],
						describeNaive(p, []domain{d}))
				}
			}
		}
	})
}

// TestWithoutForwardingAsIfAlone has all domains in one run in which no job is forwarded: each
// has the schedule that it has alone.
func TestWithoutForwardingAsIfAlone(t *testing.T) {
	for _, strategy := range []string{"REGULAR", "AGGR_SIMP", "AGGR_CAT", "SLOW"} {
		t.Run(strategy, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p, domains := drawSimulation(t, strategy, "none")
				_, jobs := requireRun(t, p, domains)
				for _, d := range domains {
					if len(d.jobs) == 0 {
						continue
					}
					own := slices.DeleteFunc(slices.Clone(jobs), func(r JobRow) bool { return r.Domain != d.name })
					_, alone := requireRun(t, p, []domain{d})
					// A broker retries waiting jobs when a job ends anywhere. Those attempts fail,
					// but they count.
					if diff := cmp.Diff(alone, own, cmpopts.IgnoreFields(JobRow{}, "Attempts", "Conflicts")); diff != "" {
						t.Fatalf("%s (-alone +among others):\n%s\n%s", d.name, diff, describeNaive(p, domains))
					}
				}
			})
		})
	}
}

// TestJobsAreConserved requires that every job runs once, at a domain whose resource could hold it,
// and that the rows agree about it.
func TestJobsAreConserved(t *testing.T) {
	forStrategies(t, func(t *rapid.T, strategy, preference string) {
		p, domains := drawSimulation(t, strategy, preference)
		o, jobs := requireRun(t, p, domains)
		submitted := map[string]int64{}
		sum := int64(0)
		for _, d := range domains {
			submitted[d.name] = int64(len(d.jobs))
			sum += int64(len(d.jobs))
		}
		if o.Jobs != sum || int64(len(jobs)) != sum {
			t.Fatalf("%d jobs and %d rows of %d", o.Jobs, len(jobs), sum)
		}
		for _, row := range jobs {
			at := slices.IndexFunc(domains, func(d domain) bool { return d.name == row.At })
			c := domains[at].clusters[row.Cluster-1]
			if c.platform != (pool.Platform{Vendor: row.Vendor, System: row.System}) || c.clock < row.Clock ||
				int64(c.cpus) < row.Procs || c.memory < row.Memory || c.disk < row.Disk {
				t.Errorf("%+v runs on %+v", row, c)
			}
			if row.Start < row.Submit {
				t.Errorf("%+v starts before its submit", row)
			}
		}
		from, to := map[string]int64{}, map[string]int64{}
		for _, f := range o.Forwarding {
			from[f.Source] += f.Jobs
			to[f.Target] += f.Jobs
			if (f.Forwarded == nil) != (f.Source == f.Target) {
				t.Errorf("forwarded from %s to %s: %v", f.Source, f.Target, f.Forwarded)
			}
		}
		for _, d := range o.DomainRows {
			if from[d.Domain] != submitted[d.Domain] || d.Jobs != submitted[d.Domain] {
				t.Errorf("%s: %d jobs by the matrix, %d by its row, want %d", d.Domain, from[d.Domain], d.Jobs, submitted[d.Domain])
			}
			if to[d.Domain] != d.Ran || d.Ran-d.Received != d.Jobs-d.Sent {
				t.Errorf("%s ran %d jobs by the matrix: %+v", d.Domain, to[d.Domain], d)
			}
			checkShares(t, d.ConflictsCPU, d.ConflictsMemory, d.ConflictsDisk)
		}
		checkShares(t, o.ConflictsCPU, o.ConflictsMemory, o.ConflictsDisk)
	})
}

// cancelledAfter is a context that is cancelled after so many calls of Err.
type cancelledAfter struct {
	context.Context
	left int
}

func (c *cancelledAfter) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestSimulationChecksTheContext cancels runs at each of their checks of the context: no two jobs
// start between two of them, even if all do in one second.
func TestSimulationChecksTheContext(t *testing.T) {
	linux := pool.Platform{Vendor: "Intel", System: "Linux"}
	d := domain{name: "DAS-2", span: 1}
	for range 8 {
		d.clusters = append(d.clusters, cluster{linux, 1800, 1, 1, 1})
	}
	for range 24 {
		d.jobs = append(d.jobs, job{run: 10, platform: linux, clock: 1800, cpus: 1, memory: 1, disk: 1})
	}
	for name, change := range map[string]func(*Parameters){
		"first-fit": func(*Parameters) {},
		"fcfs":      func(p *Parameters) { p.BrokerQueue = "fcfs" },
		"own queue": func(p *Parameters) { p.Preference, p.OwnAs = "own", "queue" },
		"AGGR_CAT":  func(p *Parameters) { p.Strategy = "AGGR_CAT" },
		"SLOW":      func(p *Parameters) { p.Strategy = "SLOW" },
	} {
		p := defaults
		change(&p)
		before := 0
		for checks := 0; before < len(d.jobs); checks++ {
			sim := newSimulation(&cancelledAfter{t.Context(), checks}, p, []domain{d})
			err := sim.run()
			started := 0
			for i := range sim.requests {
				if sim.requests[i].resource != absent {
					started++
				}
			}
			if err != context.Canceled || started > before+1 {
				t.Fatalf("%s: cancelled after %d checks, %d jobs started, and %d after one less: %v", name, checks, started, before,
					err)
			}
			before = started
		}
	}
}

// idle is an index that tries no job again.
type idle struct{}

func (idle) Add(int32, pool.Requirement, pool.Counts)        {}
func (idle) Remove(int32)                                    {}
func (idle) Update(pool.Position)                            {}
func (idle) Retry(func(int32) (started bool, score float64)) {}
func (idle) RetryAtOrigin(func(int32))                       {}

// A job that waits for ever is named, instead of a wrong result.
func TestWaitingForEverPanics(t *testing.T) {
	domains := parseDomains(t, `home 1000 4 4 4`, `home 0 10 4 1 1
		home 0 10 4 1 1`)
	s := newSimulation(t.Context(), defaults, domains)
	s.waiting = idle{}
	defer func() {
		const want = "job 2 of domain home still waits"
		if have := fmt.Sprint(recover()); !strings.Contains(have, want) {
			t.Errorf("panics with %q, want %q", have, want)
		}
	}()
	if err := s.run(); err != nil {
		t.Error(err)
	}
}
