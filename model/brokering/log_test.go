// Tests of workloads from traces, with jobs and requirements worked out by hand.

package brokering

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model/brokering/pool"
	"gridsweep/model/trace"
)

// gwfLog reads a trace in the Grid Workload Format of jobs with a submit, a run time and
// processors.
func gwfLog(t *testing.T, jobs ...[3]int64) []trace.Job {
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

// A trace by hand: two jobs are warm-up, three are in the two weeks that follow, with submits
// halved, CPUs capped at 8 and memory at 8 x 90 MB. Load 0.5 of 12 CPUs in a week is 3,628,800 CPU
// s; the jobs have 100 + 8 x 200 + 2 x 5 = 1,710.
func TestJobsOfATrace(t *testing.T) {
	const begin = 1_000_000
	recorded := gwfLog(t,
		[3]int64{0, 0, 1}, // never ran: it does not count among those skipped
		[3]int64{10, 7, 1}, [3]int64{20, 7, 1},
		[3]int64{begin + 3, 200, 16}, [3]int64{begin, 100, 1}, // not in order
		[3]int64{begin + 5, 50, 0}, [3]int64{begin + twoWeeks - 1, 5, 2},
		[3]int64{begin + twoWeeks, 9, 1}, [3]int64{begin + 9*twoWeeks, 9, 1})
	before := slices.Clone(recorded)
	p := defaults
	p.Scope, p.Trace, p.Skip, p.SmallJobs, p.Load, p.SmallSpan = "small", "my.gwf@sha256:00", 2, 4, 0.5, 7*day
	p.SmallClusters, p.ClockMax, p.MemoryMix, p.MemoryPerCPU, p.DiskPerHour = "Intel/Linux 4,8", 1899, "100:1", 90, 1e-9
	env := envOf(0, logHost{traces: map[string][]trace.Job{"das2": recorded}})
	is := pool.Platform{Vendor: "Intel", System: "Linux"}
	want := []domain{{
		name: "DAS-2", span: 7 * day,
		clusters: []cluster{{platform: is, clock: 1800, cpus: 4, memory: 360, disk: 80_000},
			{platform: is, clock: 1800, cpus: 8, memory: 720, disk: 160_000}},
		jobs: []job{
			{submit: 0, run: 212_211, platform: is, clock: 1800, cpus: 1, memory: 100},
			{submit: 1, run: 424_421, platform: is, clock: 1800, cpus: 8, memory: 720},
			{submit: 604_799, run: 10_611, platform: is, clock: 1800, cpus: 2, memory: 200},
		},
	}}
	if diff := cmp.Diff(want, drawnBy(t, p, env), unexportedOfDomains); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
	// A job submitted at the end of the last day is left out; the others do not change.
	p.Days = 604_799.0 / day
	want[0].jobs = want[0].jobs[:2]
	if diff := cmp.Diff(want, drawnBy(t, p, env), unexportedOfDomains); diff != "" {
		t.Errorf("without the last (-want +have):\n%s", diff)
	}
	// None may run for more than 400,000 s: with g = (3,628,800 - 8 x 400,000) / 110 the others
	// make up for what the second loses.
	p.Days, p.SmallLongest = 0, 400_000
	var runs []int64
	for _, j := range drawnBy(t, p, env)[0].jobs {
		runs = append(runs, j.run)
	}
	if !slices.Equal(runs, []int64{389_818, 400_000, 19_491}) {
		t.Errorf("run times %d", runs)
	}
	p.SmallLongest = defaults.SmallLongest
	// Disk: 1 MB x 212,211 s / 3,600 x 100 MB is 5,894.75 MB, times 0.5 to 1.5; that of the second
	// is more than there is.
	p.DiskPerHour, p.DiskPerCPU = 1, 10_000
	disks := map[int64]bool{}
	for replication := range 200 {
		jobs := drawnBy(t, p, envOf(replication, logHost{traces: map[string][]trace.Job{"das2": recorded}}))[0].jobs
		if disks[jobs[0].disk] = true; jobs[0].disk < 2947 || jobs[0].disk > 8842 {
			t.Errorf("job 1 has %d MB of disk", jobs[0].disk)
		}
		if low := jobs[1].disk < 42_442 || jobs[1].disk > 80_000; low {
			t.Errorf("job 2 has %d MB of disk", jobs[1].disk)
		}
		disks[-jobs[1].disk] = true
	}
	if len(disks) < 150 || !disks[-80_000] {
		t.Errorf("%d values of disk; one at the largest resource's: %t", len(disks), disks[-80_000])
	}
	if diff := cmp.Diff(before, recorded); diff != "" {
		t.Errorf("the trace, which runs share, was changed:\n%s", diff)
	}
}

// Skipped jobs do not count in the two weeks, also if they are submitted in the same second as the
// first job that does.
func TestSkipAmongEqualSubmits(t *testing.T) {
	p := unlimited(defaults)
	p.Scope, p.Trace, p.Skip = "small", "my.gwf@sha256:00", 2
	recorded := gwfLog(t, [3]int64{5, 10, 1}, [3]int64{5, 10, 2}, [3]int64{5, 10, 3}, [3]int64{5, 10, 4})
	var cpus []int32
	for _, j := range drawnBy(t, p, envOf(0, logHost{traces: map[string][]trace.Job{"das2": recorded}}))[0].jobs {
		cpus = append(cpus, j.cpus)
	}
	if !slices.Equal(cpus, []int32{3, 4}) {
		t.Errorf("jobs of %v CPUs, want those of 3 and 4", cpus)
	}
}
