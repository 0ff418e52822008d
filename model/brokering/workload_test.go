// Tests of the requirements of jobs: distributions, bursts, loads and streams against
// docs/explanation/papers/brokering.md.

package brokering

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model"
	"gridsweep/model/brokering/pool"
	"gridsweep/model/workload"
)

// checkDomain fails the test for an invalid domain.
func checkDomain(t testingT, p Parameters, d *domain) {
	t.Helper()
	clock := d.clusters[0].clock
	for _, c := range d.clusters {
		clock = min(clock, c.clock)
	}
	for i, j := range d.jobs {
		held := slices.ContainsFunc(d.clusters, func(c cluster) bool {
			return c.platform == j.platform && c.clock >= j.clock && c.cpus >= j.cpus && c.memory >= j.memory && c.disk >= j.disk
		})
		switch {
		case !held:
			t.Fatalf("%s: no resource could hold job %d: %+v", d.name, i+1, j)
		case j.cpus < 1 || j.run < 1 || j.run > longestAt(p, d) || j.memory < 1 || j.disk < 0 || j.submit < 0:
			t.Fatalf("%s: job %d is %+v", d.name, i+1, j)
		case j.clock != clock:
			t.Fatalf("%s: job %d needs %d MHz, want the lowest, %d", d.name, i+1, j.clock, clock)
		case p.Days > 0 && float64(j.submit) >= p.Days*day:
			t.Fatalf("%s: job %d is submitted at %d s, after %v days", d.name, i+1, j.submit, p.Days)
		case i > 0 && j.submit < d.jobs[i-1].submit:
			t.Fatalf("%s: job %d is submitted before the one in front of it", d.name, i+1)
		}
	}
}

// longestAt returns the longest run time of a domain's jobs, in s.
func longestAt(p Parameters, d *domain) int64 {
	domainType := slices.IndexFunc(titles[:], func(title string) bool { return strings.HasPrefix(d.name, title) })
	return parametersOf(p)[domainType].longest
}

type testingT interface {
	Helper()
	Fatalf(format string, args ...any)
}

// unitsOf returns the CPU·s of jobs together.
func unitsOf(jobs []job) float64 {
	sum := 0.0
	for _, j := range jobs {
		sum += float64(j.cpus) * float64(j.run)
	}
	return sum
}

// TestJobsOfSiteModels checks the study's domains: numbers of jobs, load, bursts, platforms and
// memory are those of the parameters.
func TestJobsOfSiteModels(t *testing.T) {
	p := ofModels()
	for i, d := range drawnBy(t, p, envOf(0, nil)) {
		checkDomain(t, p, &d)
		wanted := [...]int{11_318, 12_719, 13_283}[i]
		if len(d.jobs) != wanted {
			t.Errorf("%s has %d jobs, want %d", d.name, len(d.jobs), wanted)
		}
		cpus := cpusWhere(&d, func(*cluster) bool { return true })
		offered, rounding := unitsOf(d.jobs)/(float64(cpus)*float64(d.span)), 0.0
		for _, j := range d.jobs {
			// of a run time, to 1 s
			rounding += 0.5 * float64(j.cpus) / (float64(cpus) * float64(d.span))
		}
		if math.Abs(offered-0.7) > 2*rounding {
			t.Errorf("%s has a load of %v, want 0.7 within %v", d.name, offered, rounding)
		}
		// A platform's share of the bursts and of the jobs is its share of the CPUs, with the
		// standard deviation of n bursts.
		bursts := float64(len(d.jobs)) / 4.5
		for _, k := range d.clusters {
			jobs := 0
			for _, j := range d.jobs {
				if j.platform == k.platform {
					jobs++
				}
			}
			share := float64(cpusWhere(&d, func(c *cluster) bool { return c.platform == k.platform })) / float64(cpus)
			if have := float64(jobs) / float64(len(d.jobs)); math.Abs(have-share) > 4.5*math.Sqrt(share*(1-share)/bursts) {
				t.Errorf("%s: %v of the jobs need %v, want %v", d.name, have, k.platform, share)
			}
		}
		memory := map[int64]float64{}
		for _, j := range d.jobs {
			if per := j.memory / int64(j.cpus); j.memory%int64(j.cpus) == 0 && j.cpus == 1 {
				memory[per]++
				memory[0]++
			}
		}
		for mb, share := range map[int64]float64{128: 0.3, 256: 0.3, 512: 0.2, 1024: 0.15, 2048: 0.05} {
			if have := memory[mb] / memory[0]; memory[0] > 100 &&
				math.Abs(have-share) > 4.5*math.Sqrt(share*(1-share)/memory[0]) {
				t.Errorf("%s: %v of the serial jobs need %d MB, want %v", d.name, have, mb, share)
			}
		}
	}
}

// The factor of run times gives the load, or is an error where not even all jobs at their longest
// run times reach it.
func TestRunFactor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		submitted := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) workload.Job {
			return workload.Job{Run: rapid.OneOf(rapid.Int64Range(1, 9), rapid.Int64Range(1, workload.LongestRun)).Draw(t,
				"run")}
		}), 1, 30).Draw(t, "jobs")
		needs := make([]burstNeeds, len(submitted))
		for i := range needs {
			needs[i].cpus = rapid.Int32Range(1, 64).Draw(t, "cpus")
		}
		span, most := rapid.Int64Range(3600, 1e8).Draw(t, "span"),
			rapid.SampledFrom([]int64{60, 540_000, 4e9}).Draw(t, "longest")
		p := template{typeParameters: typeParameters{span: span, longest: most}}
		clusters := []cluster{{cpus: 64}}
		all := 0.0 // CPU·s of all jobs at their longest
		for i := range needs {
			all += float64(needs[i].cpus) * float64(most)
		}
		// Loads from nearly nothing to a little more than all.
		p.Load = rapid.SampledFrom([]float64{0.001, 0.3, 0.5, 0.9, 0.999999, 1, 1.001}).Draw(t,
			"part") * all / (64 * float64(span))
		wanted := p.Load * 64 * float64(span)
		factor, err := p.runFactor(clusters, submitted, needs)
		have := 0.0
		for i, s := range submitted {
			have += float64(needs[i].cpus) * min(factor*float64(s.Run), float64(most))
		}
		switch {
		case wanted > 1.0001*all:
			if err == nil {
				t.Fatalf("factor %v for a load of which all jobs are %v", factor, all/wanted)
			}
		case err != nil:
			if wanted < 0.9999999999*all {
				t.Fatal(err)
			}
		case math.Abs(have-wanted) > 1e-9*wanted:
			t.Fatalf("with factor %v jobs take %v CPU s, want %v", factor, have, wanted)
		}
	})
}

// The search for the factor ends also where rounding alone decides whether a job is cut to the
// longest run time.
func TestRunFactorEnds(t *testing.T) {
	var p template
	for n := 1; n <= 2000; n++ {
		submitted, needs := make([]workload.Job, 7), make([]burstNeeds, 7)
		for i := range submitted {
			submitted[i].Run, needs[i].cpus = int64(n+i*i), int32(1+i*n%13)
		}
		p.span, p.longest = 3600, int64(60+n)
		wanted := 0.0 // where the i-th job is just as long as the longest
		for i := range submitted {
			wanted += float64(needs[i].cpus) * min(float64(p.longest),
				float64(p.longest)*float64(submitted[i].Run)/float64(submitted[3].Run))
		}
		p.Load = wanted / 3600 / 5
		if _, err := p.runFactor([]cluster{{cpus: 5}}, submitted, needs); err != nil {
			t.Fatal(err)
		}
	}
}

// Without the parameter for disks, jobs take the same share of the disks as of memory, averaged
// over CPU·s.
func TestDisksAsFullAsMemory(t *testing.T) {
	p := ofModels()
	p.MemoryPerCPU, p.DiskPerCPU = 51_200, 3_000_000 // so much that nothing is cut
	const replications = 40                          // a few long jobs weigh much
	var memory, disk [3]float64                      // MB·s
	for replication := range replications {
		for i, d := range drawnBy(t, p, envOf(replication, nil)) {
			for _, j := range d.jobs {
				memory[i] += float64(j.run) * float64(j.memory)
				disk[i] += float64(j.run) * float64(j.disk)
			}
		}
	}
	for i, title := range titles {
		if have, want := disk[i]/memory[i], 3_000_000/51_200.0; math.Abs(have/want-1) > 0.05 {
			t.Errorf("%s: %v MB of disk for each of memory, want %v", title, have, want)
		}
	}
}

// Where each CPU has its own platform, the lengths of bursts are visible: 3, 4, 5 and 6 jobs,
// equally often.
func TestBursts(t *testing.T) {
	p := ofModels()
	p.Scope = "small"
	var clusters []string
	for i := range 5000 {
		clusters = append(clusters, fmt.Sprintf("V%d/S 1", i))
	}
	p.SmallClusters = strings.Join(clusters, ";")
	count := map[int]int{}
	jobs := drawnBy(t, p, envOf(0, nil))[0].jobs
	bursts, begin := 0, 0
	for i := range jobs {
		if i == len(jobs)-1 || jobs[i+1].platform != jobs[i].platform {
			if i < len(jobs)-1 { // the last may be cut
				count[i+1-begin]++
				bursts++
			}
			begin = i + 1
		}
	}
	longer := 0
	for length, n := range count {
		if length < 3 {
			t.Errorf("%d bursts of %d jobs", n, length)
		}
		if length > 6 { // two neighbours of one platform
			longer += n
		}
	}
	if longer > 5 {
		t.Errorf("%d of %d bursts are longer than 6 jobs", longer, bursts)
	}
	for length := 3; length <= 6; length++ {
		if want := float64(bursts) / 4; math.Abs(float64(count[length])-want) > 5*math.Sqrt(want*0.75) {
			t.Errorf("%d bursts of %d jobs, want about %v", count[length], length, want)
		}
	}
}

// TestStreams draws the numbers of docs/explanation/papers/brokering.md one by one and compares the
// domains.
func TestStreams(t *testing.T) {
	p := ofModels()
	p.Scope, p.Domains, p.Copies, p.SmallJobs, p.DiskPerHour = "small", 6, "seeded", 200, 4
	p.SmallClusters, p.MemoryMix = "A/X 3,1;B/X 2;A/Y 1;A/X 4", "128:0.25,512:0.75"
	env := envOf(3, nil)
	m, err := workload.Find("das2")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range drawnBy(t, p, env) {
		seed := env.Seed.Child(d.name)
		clocks, bursts, memory, disk := seed.Stream("clocks"), seed.Stream("bursts"), seed.Stream("memory"),
			seed.Stream("disk")
		for i, c := range d.clusters {
			if want := 1800 + 100*int64(clocks.Intn(13)); c.clock != want {
				t.Errorf("%s: resource %d has %d MHz, want %d", d.name, i+1, c.clock, want)
			}
		}
		submitted, err := m.Generate(t.Context(), workload.Options{Jobs: 200, Span: twoWeeks}, seed.Child("jobs"))
		if err != nil {
			t.Fatal(err)
		}
		burst, platform := 0, 0
		for i, j := range d.jobs {
			if burst == 0 {
				burst = 3 + bursts.Intn(4)
				platform = [11]int{0, 0, 0, 1, 2, 2, 3, 4, 4, 4, 4}[bursts.Intn(11)]
			}
			burst--
			largest := d.clusters[[5]int{4, 4, 2, 3, 4}[platform]]
			perCPU := int64(128)
			if memory.Float64() >= 0.25 {
				perCPU = 512
			}
			cpus := min(submitted[i].Size(), largest.cpus)
			used := min(int64(cpus)*perCPU, largest.memory)
			want := job{
				submit: submitted[i].Submit * 6 / 14, run: j.run, platform: largest.platform,
				clock: j.clock, cpus: cpus, memory: used,
				disk: int64(min(4*float64(j.run)/3600*float64(used)*(0.5+disk.Float64()), float64(largest.disk))),
			}
			if j != want {
				t.Fatalf("%s: job %d is %+v, want %+v", d.name, i+1, j, want)
			}
		}
	}
}

// A change of one parameter changes only the quantities listed for it: each quantity has its own
// stream.
func TestStreamsAreApart(t *testing.T) {
	first := drawnBy(t, quickly(), envOf(0, nil))
	for name, c := range map[string]struct {
		change func(*Parameters)
		blank  func(*cluster, *job) // what it may change
	}{
		"memory_mix": {func(p *Parameters) { p.MemoryMix = "64:0.9,8192:0.1" },
			func(_ *cluster, j *job) { j.memory, j.disk = 0, 0 }},
		"disk_per_hour": {func(p *Parameters) { p.DiskPerHour = 1 }, func(_ *cluster, j *job) { j.disk = 0 }},
		"clock_max":     {func(p *Parameters) { p.ClockMax = 9000 }, func(c *cluster, j *job) { c.clock, j.clock = 0, 0 }},
		"load":          {func(p *Parameters) { p.Load = 1.2 }, func(_ *cluster, j *job) { j.run, j.disk = 0, 0 }},
		"span": {func(p *Parameters) { p.SmallSpan, p.MediumSpan, p.BigSpan = 3*day, 2*day, day },
			func(_ *cluster, j *job) { j.submit, j.run, j.disk = 0, 0, 0 }},
		"burst_max": {func(p *Parameters) { p.BurstMax = 20 },
			func(_ *cluster, j *job) { j.platform, j.cpus, j.run, j.memory, j.disk = pool.Platform{}, 0, 0, 0, 0 }},
	} {
		p := quickly()
		unchanged := drawnBy(t, p, envOf(0, nil))
		c.change(&p)
		changed := drawnBy(t, p, envOf(0, nil))
		for i := range changed {
			if cmp.Equal(unchanged[i], changed[i], unexportedOfDomains) && (name != "burst_max" || i > 0) {
				t.Errorf("%s changes nothing of %s", name, changed[i].name)
			}
			a, b := withoutSome(unchanged[i], c.blank), withoutSome(changed[i], c.blank)
			if diff := cmp.Diff(a, b, unexportedOfDomains); diff != "" {
				t.Errorf("%s (-before +after):\n%s", name, diff)
			}
		}
	}
	// Days leave jobs out and change none.
	p := quickly()
	p.Days = 2
	for i, d := range drawnBy(t, p, envOf(0, nil)) {
		n := len(d.jobs)
		if all := first[i].jobs; n >= len(all) || !slices.Equal(d.jobs, all[:n]) || all[n].submit < 2*day {
			t.Errorf("%s: %d jobs in 2 days, %d in 14", d.name, n, len(all))
		}
	}
}

// withoutSome returns a copy of a domain without its span and the fields that blank removes.
func withoutSome(d domain, blank func(*cluster, *job)) domain {
	d.clusters, d.jobs, d.span = slices.Clone(d.clusters), slices.Clone(d.jobs), 0
	for i := range d.clusters {
		blank(&d.clusters[i], new(job))
	}
	for i := range d.jobs {
		blank(new(cluster), &d.jobs[i])
	}
	return d
}

// Parameters at the ends of their ranges are errors or give valid domains.
func TestHostileDomains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := func(name string, values ...int64) int64 { return rapid.SampledFrom(values).Draw(t, name) }
		p := ofModels()
		p.Scope = rapid.SampledFrom([]string{"all", "small", "medium", "big"}).Draw(t, "scope")
		p.Copies = rapid.SampledFrom([]string{"same", "seeded"}).Draw(t, "copies")
		p.Domains = whole("domains", 3, 6, 30)
		p.SmallJobs, p.MediumJobs, p.BigJobs = whole("small", 1, 2, 300), whole("medium", 1, 40), whole("big", 1, 40)
		p.MediumSpan, p.BigSpan = 3600, 1e8
		clusters := rapid.SampledFrom([]string{"A/B 1", "A/B 268435456", "A/B 1,2;C/B 3;A/B 4", "A/B 512;A/C 1",
			defaults.BigClusters})
		p.SmallClusters, p.MediumClusters, p.BigClusters = clusters.Draw(t, "small"), clusters.Draw(t, "medium"),
			clusters.Draw(t, "big")
		p.ClockMin, p.ClockMax = whole("clock_min", 1, 1800), whole("clock_max", 1800, 1e6)
		p.MemoryPerCPU, p.DiskPerCPU = whole("memory", 1, 512, 1e9), whole("disk", 1, 20_000, 1e9)
		p.BurstMin, p.BurstMax = whole("burst_min", 1, 3), whole("burst_max", 3, 1000)
		p.MemoryMix = rapid.SampledFrom([]string{"1:1", "1000000000:1", "1:0.999999999,1000000000:1e-9", "1:0,2:1"}).Draw(t,
			"mix")
		p.DiskPerHour = rapid.SampledFrom([]float64{0, 4, 1e6}).Draw(t, "disk_per_hour")
		p.Load = rapid.SampledFrom([]float64{0.001, 0.7, 10}).Draw(t, "load")
		p.Days = rapid.SampledFrom([]float64{0, 0.01, 14}).Draw(t, "days")
		p.SmallLongest, p.MediumLongest, p.BigLongest = 4e9, 4e9, model.Seconds(whole("big_longest", 60, 1e8, 4e9))
		if validate(p) != nil {
			return
		}
		domains, err := draw(t.Context(), p, envOf(0, nil))
		if err != nil {
			if text := err.Error(); !strings.Contains(text, "set load to") && !strings.Contains(text, "set days to more") {
				t.Fatal(err)
			}
			return
		}
		for i := range domains {
			checkDomain(t, p, &domains[i])
		}
	})
}
