// Schedules of small random systems, compared with the naive simulator.

package brokering

import (
	"maps"
	"slices"
	"testing"

	"gridsweep/model/rng"
	"pgregory.net/rapid"
)

// naiveBranches are the branches that the drawn systems must take. Under -short, with a fifth of
// the systems, a rare one may be missing.
var naiveBranches = []string{
	"local job first", "blocked", "joins without being tried", "handed back", "waits elsewhere", "no broker keeps it",
	"shortest queue", "local job ahead in a local queue",
	"backfilled before the pivot", "backfilled beside the pivot", "held back by the pivot",
	"conflict by CPUs", "conflict by memory", "conflict by disk", "forwarded", "memory beyond what there is",
}

// TestNaiveSchedules checks properties of the schedules and tables of the naive simulator.
func TestNaiveSchedules(t *testing.T) {
	met := map[string]int{}
	forStrategies(t, func(t *rapid.T, strategy, preference string) {
		p := drawNaiveParameters(t, strategy, preference)
		n := newNaive(p, drawNaiveDomains(t, p))
		if len(n.jobs) == 0 {
			t.Skip("no jobs")
		}
		n.run()
		n.checkSchedule(t)
		n.checkTables(t)
		for branch, times := range n.branches {
			met[branch] += times
		}
	})
	for _, branch := range naiveBranches {
		if met[branch] == 0 && !testing.Short() {
			t.Errorf("no system took the branch %q", branch)
		}
	}
	for _, branch := range slices.Sorted(maps.Keys(met)) {
		t.Logf("%9d %s", met[branch], branch)
	}
}

// forStrategies runs a check under each strategy and preference.
func forStrategies(t *testing.T, check func(t *rapid.T, strategy, preference string)) {
	for _, strategy := range []string{"REGULAR", "AGGR_SIMP", "AGGR_CAT", "SLOW"} {
		for _, preference := range []string{"none", "equal", "own"} {
			t.Run(strategy+" "+preference, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) { check(t, strategy, preference) })
			})
		}
	}
}

// checkSchedule checks that each job ran once, on a resource that had room for it, after its
// submit.
func (n *naive) checkSchedule(t *rapid.T) {
	for _, j := range n.jobs {
		switch {
		case j.state != "ended":
			t.Fatalf("job %d of %s is %s when all is over\n%s", j.number, n.domains[j.origin].name, j.state, n.describe())
		case j.start < j.submit:
			t.Fatalf("job %d of %s starts before its submit\n%s", j.number, n.domains[j.origin].name, n.describe())
		case !n.couldHold(j, j.broker, j.cluster):
			t.Fatalf("job %d of %s runs where it cannot\n%s", j.number, n.domains[j.origin].name, n.describe())
		case n.p.Preference == "none" && j.broker != j.origin:
			t.Fatalf("job %d of %s was forwarded\n%s", j.number, n.domains[j.origin].name, n.describe())
		case n.p.Strategy == "SLOW" && (j.attempts != 1 || n.p.Preference == "none" && j.rescheduled):
			t.Fatalf("job %d of %s was tried %d times under SLOW\n%s", j.number, n.domains[j.origin].name, j.attempts,
				n.describe())
		}
		if j.broker != j.origin {
			n.branches["forwarded"]++
		}
		for platform, name := range []string{"conflict by CPUs", "conflict by memory", "conflict by disk"} {
			n.branches[name] += int(j.conflicts[platform])
		}
		n.checkRoom(t, j)
	}
}

// checkRoom checks that the resource of a job is not overbooked at its start, when the use of the
// resource rises.
func (n *naive) checkRoom(t *rapid.T, j *naiveJob) {
	resource := n.domains[j.broker].clusters[j.cluster]
	cpus, memory, disk := int64(0), int64(0), int64(0)
	for _, other := range n.ranIn(j.broker, j.cluster) {
		if other.start <= j.start && j.start < other.end() {
			cpus, memory, disk = cpus+int64(other.cpus), memory+other.memory, disk+other.disk
		}
	}
	if cpus > int64(resource.cpus) {
		t.Fatalf("%d CPUs are held of %+v at %d\n%s", cpus, resource, j.start, n.describe())
	}
	if memory > resource.memory || disk > resource.disk {
		if n.p.Strategy != "SLOW" || n.p.LocalNeeds != "cpus" {
			t.Fatalf("%d MB of memory and %d of disk are held of %+v at %d\n%s", memory, disk, resource, j.start, n.describe())
		}
		n.branches["memory beyond what there is"]++
	}
}

// checkTables checks sums over the tables.
func (n *naive) checkTables(t *rapid.T) {
	out := n.outcome()
	for _, row := range out.DomainRows {
		from, to := int64(0), int64(0)
		for _, f := range out.Forwarding {
			if f.Source == row.Domain {
				from += f.Jobs
			}
			if f.Target == row.Domain {
				to += f.Jobs
			}
		}
		if from != row.Jobs || to != row.Ran || row.Jobs-row.Sent+row.Received != row.Ran {
			t.Fatalf("%s: %d jobs, %d ran, forwarding has %d and %d\n%s", row.Domain, row.Jobs, row.Ran, from, to, n.describe())
		}
		if !(row.Utilisation >= 0 && row.Utilisation <= 100) {
			t.Fatalf("%s has a utilisation of %v %%\n%s", row.Domain, row.Utilisation, n.describe())
		}
		checkShares(t, row.ConflictsCPU, row.ConflictsMemory, row.ConflictsDisk)
	}
	checkShares(t, out.ConflictsCPU, out.ConflictsMemory, out.ConflictsDisk)
	if e := out.ForwardingEntropy; e != nil && !(*e >= -1e-12 && *e <= 1+1e-12) {
		t.Fatalf("entropy %v\n%s", *e, n.describe())
	}
	for _, row := range out.Arrivals {
		if row.Arrived != nil && !(*row.Arrived >= 0 && *row.Arrived <= 100) {
			t.Fatalf("%v %% of the jobs have arrived", *row.Arrived)
		}
	}
}

// checkShares checks that the shares of conflicts sum to 100.
func checkShares(t *rapid.T, shares ...*float64) {
	sum := 0.0
	for _, share := range shares {
		if share == nil {
			return
		}
		sum += *share
	}
	if sum < 100-1e-9 || sum > 100+1e-9 {
		t.Fatalf("the shares of conflicts sum to %v %%", sum)
	}
}

func (n *naive) describe() string { return describeNaive(n.p, n.domains) }

// TestNaiveDomains checks that every job of drawn domains could run at its origin, and that the
// load is met.
func TestNaiveDomains(t *testing.T) {
	p := defaults
	p.Domains, p.Copies = 6, "seeded"
	p.SmallJobs, p.MediumJobs, p.BigJobs = 900, 1000, 1100
	domains := naiveDomains(p, rng.New("naive domains"), nil)
	if len(domains) != 6 {
		t.Fatalf("%d domains, want 6", len(domains))
	}
	for i, d := range domains {
		work, cpus := 0.0, 0.0
		for _, c := range d.clusters {
			cpus += float64(c.cpus)
		}
		if want := []float64{400, 985, 3712}[i%3]; cpus != want {
			t.Errorf("%s has %v CPUs, want %v", d.name, cpus, want)
		}
		n := newNaive(p, domains[i:i+1])
		for _, j := range n.jobs {
			work += float64(j.work())
			if !slices.ContainsFunc(d.clusters, func(c cluster) bool {
				return c.platform == j.platform && c.clock >= j.clock && c.cpus >= j.cpus && c.memory >= j.memory &&
					c.disk >= j.disk
			}) {
				t.Errorf("job %d of %s cannot run at its origin: %+v", j.number, d.name, j.job)
			}
		}
		if load := work / cpus / float64(d.span); len(d.jobs) < 850 || load < 0.5 || load > 0.75 {
			t.Errorf("%s has %d jobs and a load of %.3f, want some 1,000 and 0.7", d.name, len(d.jobs), load)
		}
	}
	if slices.Equal(domains[0].jobs, domains[3].jobs) {
		t.Error("under seeded, two domains of a type have the same jobs")
	}
	p.Copies, p.Scope = "same", "medium"
	domains = naiveDomains(p, rng.New("naive domains"), nil)
	if len(domains) != 2 || domains[1].name != "Grid5000 2" || !slices.Equal(domains[0].jobs, domains[1].jobs) {
		t.Errorf("%d domains of one type, want two with the same jobs", len(domains))
	}
}
