// The domains of a replication, compared with those of the naive simulator.

package brokering

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model"
	"gridsweep/model/trace"
)

// Domains equal those of the naive simulator under all parameters, from site models and from
// traces.
func TestDomainsAgainstReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawDomainParameters(t)
		if problems := validate(p); problems != nil {
			t.Fatal(problems)
		}
		h := logHost{}
		var clean map[string][]trace.Job // what the reference takes
		if rapid.Bool().Draw(t, "traces") {
			h.traces, clean = map[string][]trace.Job{}, map[string][]trace.Job{}
			p.Trace = ""
			for i, name := range traces(p) {
				if i > 0 {
					p.Trace += ","
				}
				p.Trace += name + ".gwf@sha256:00"
				h.traces[name] = drawRecorded(t, name)
				clean[name], _ = trace.Clean(slices.Clone(h.traces[name]), trace.Rules{})
			}
		}
		env := envOf(rapid.IntRange(0, 3).Draw(t, "replication"), h)
		have, err := draw(t.Context(), p, env)
		want := naiveDomains(p, env.Seed, clean)
		some := slices.ContainsFunc(want, func(d domain) bool { return len(d.jobs) > 0 })
		p.Days = 0
		reached := !slices.ContainsFunc(naiveDomains(p, env.Seed, clean), func(d domain) bool {
			return !slices.ContainsFunc(d.jobs, func(j job) bool { return j.run < longestAt(p, &d) })
		})
		if refused := !some || !reached; refused != (err != nil) {
			t.Fatalf("error %v; the reference has jobs: %t, with the load: %t", err, some, reached)
		}
		if err != nil {
			return
		}
		if diff := cmp.Diff(want, have, unexportedOfDomains); diff != "" {
			t.Fatalf("(-reference +have):\n%s", diff)
		}
	})
}

// drawDomainParameters draws those parameters on which domains depend, with few jobs.
func drawDomainParameters(t *rapid.T) Parameters {
	whole := func(name string, low, high int64) int64 { return rapid.Int64Range(low, high).Draw(t, name) }
	text := func(name string, values ...string) string { return rapid.SampledFrom(values).Draw(t, name) }
	p := defaults
	p.Trace = model.TraceModel
	p.Scope, p.Copies = text("scope", "all", "small", "medium", "big"), text("copies", "same", "seeded")
	p.Domains = 3 * whole("domains of a type", 1, 3)
	p.SmallJobs, p.MediumJobs, p.BigJobs = whole("small_jobs", 1, 60), whole("medium_jobs", 1, 60),
		whole("big_jobs", 1, 60)
	p.SmallSpan = model.Seconds(whole("small_span", 3600, 30*day))
	p.MediumSpan = model.Seconds(whole("medium_span", 3600, 30*day))
	for _, field := range []*model.Seconds{&p.SmallLongest, &p.MediumLongest, &p.BigLongest} {
		*field = model.Seconds(rapid.SampledFrom([]int64{30 * day, 10 * day, 90 * day, 4e9}).Draw(t, "longest"))
	}
	p.Skip = whole("skip", 0, 4)
	p.Load = rapid.Float64Range(0.001, 2).Draw(t, "load")
	p.Days = rapid.SampledFrom([]float64{0, 0.5, 3, 14}).Draw(t, "days")
	for _, field := range []*string{&p.SmallClusters, &p.MediumClusters, &p.BigClusters} {
		*field = text("clusters", "A/X 1", "A/X 3,1;B/X 2; A/Y 1 ;A/X 4,4", "A/X 64; B/Y 2", defaults.MediumClusters,
			defaults.BigClusters)
	}
	p.ClockMin = whole("clock_min", 1, 2000)
	p.ClockMax = p.ClockMin + whole("clock_max", 0, 500)
	p.MemoryPerCPU, p.DiskPerCPU = whole("memory_per_cpu", 1, 2000), whole("disk_per_cpu", 1, 20_000)
	p.BurstMin = whole("burst_min", 1, 6)
	p.BurstMax = p.BurstMin + whole("burst_max", 0, 6)
	p.MemoryMix = text("memory_mix", defaults.MemoryMix, "128:1", "1:0,7:0.1,9:0.9", "5:0.5, 3:0.5")
	p.DiskPerHour = rapid.SampledFrom([]float64{0, 4, 1000}).Draw(t, "disk_per_hour")
	return p
}

// drawRecorded draws a trace of which at least four jobs are left when it is cleaned, with more
// than skip leaves out.
func drawRecorded(t *rapid.T, name string) []trace.Job {
	jobs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) trace.Job {
		return trace.Job{
			Submit: rapid.SampledFrom([]int64{-1, 0, 0, 1, day, 10 * day, twoWeeks - 1, twoWeeks, twoWeeks + 1, 20 * day,
				28 * day}).Draw(t, "submit"),
			Run: rapid.Int64Range(0, 100_000).Draw(t, "run"), Procs: rapid.Int32Range(-1, 100).Draw(t, "procs"),
			ReqProcs: rapid.Int32Range(-1, 3).Draw(t, "requested"), Status: int8(rapid.IntRange(0, 5).Draw(t, "status")),
		}
	}), 0, 40).Draw(t, name)
	for len(trace.Window(jobs, trace.Rules{}, 0, math.MaxInt64)) < 5 {
		jobs = append(jobs, trace.Job{Submit: int64(len(jobs)) * day, Run: 50, Procs: 2})
	}
	for i := range jobs {
		jobs[i].ID = int64(i) + 1
	}
	return jobs
}
