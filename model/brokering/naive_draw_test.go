// Small random systems for the comparison with the naive simulator.

package brokering

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"gridsweep/model/brokering/pool"
	"pgregory.net/rapid"
)

// naiveUnits are lengths of the unit of time of a system, in s: with some, runs are shorter
// than the 60 s that bound slowdowns.
var naiveUnits = []int64{1, 1, 1, 7, 60, 600}

// drawNaiveParameters draws the parameters of a run except strategy, preference and those of the
// drawing of domains.
func drawNaiveParameters(t *rapid.T, strategy, preference string) Parameters {
	p := defaults
	p.Strategy, p.Preference = strategy, preference
	choose := func(field *string, name string, values ...string) { *field = rapid.SampledFrom(values).Draw(t, name) }
	choose(&p.Scope, "scope", "all", "all", "all", "small", "medium", "big")
	p.Domains = rapid.SampledFrom([]int64{3, 3, 3, 6, 9}).Draw(t, "domains")
	choose(&p.Copies, "copies", "same", "seeded")
	choose(&p.OwnAs, "own_as", "priority", "queue")
	choose(&p.Ranking, "ranking", "bal", "cpu", "mem", "disk")
	p.Factor = rapid.SampledFrom([]float64{2.5, 2, 3, 0, 0.1}).Draw(t, "factor")
	choose(&p.Rank, "rank", "sum", "mean", "best")
	choose(&p.Split, "split", "own", "each", "joint")
	choose(&p.Slow, "slow", "inverse", "lexicographic")
	choose(&p.BrokerQueue, "broker_queue", "first-fit", "fcfs")
	choose(&p.Local, "local", "easy", "easy", "fcfs")
	choose(&p.LocalNeeds, "local_needs", "all", "cpus")
	p.Sample = rapid.SampledFrom([]int64{1, 4, 20}).Draw(t, "sample")
	if p.Preference == "own" && p.OwnAs == "queue" {
		p.BrokerQueue = "first-fit" // docs/explanation/papers/brokering.md: not with fcfs
	}
	return p
}

// drawNaiveDomains draws small domains with few platforms, clocks and submits, so that there are
// ties, and memory and disk that run short. Every job could run at its origin.
func drawNaiveDomains(t *rapid.T, p Parameters) []domain {
	unit := rapid.SampledFrom(naiveUnits).Draw(t, "unit of time")
	platforms := []pool.Platform{{Vendor: "Intel", System: "Linux"}, {Vendor: "AMD", System: "Linux"},
		{Vendor: "Intel", System: "AIX"}, {Vendor: "AMD", System: "AIX"}}
	platforms = platforms[:rapid.IntRange(1, len(platforms)).Draw(t, "platforms")]
	perCPU := rapid.SampledFrom([]int64{1, 2, 4, 100}).Draw(t, "memory and disk for each CPU")
	var domains []domain
	for i := range int(p.Domains) {
		if p.Scope != "all" && p.Scope != types[i%3] {
			continue
		}
		d := domain{name: titles[i%3]}
		if i >= 3 {
			d.name = fmt.Sprintf("%s %d", titles[i%3], i/3+1)
		}
		first := slices.IndexFunc(domains, func(other domain) bool { return other.name == titles[i%3] })
		if p.Copies == "same" && first >= 0 {
			d.clusters, d.span, d.jobs = domains[first].clusters, domains[first].span, domains[first].jobs
		} else {
			d.clusters = drawNaiveClusters(t, platforms, perCPU)
			d.span = rapid.Int64Range(1, 200).Draw(t, "span") * unit
			d.jobs = drawNaiveJobs(t, d.clusters, unit)
		}
		domains = append(domains, d)
	}
	return domains
}

func drawNaiveClusters(t *rapid.T, platforms []pool.Platform, perCPU int64) []cluster {
	clusters := make([]cluster, rapid.SampledFrom([]int{1, 1, 2, 3, 4}).Draw(t, "clusters"))
	for i := range clusters {
		cpus := rapid.SampledFrom([]int32{1, 2, 3, 4, 6, 8}).Draw(t, "cpus")
		clusters[i] = cluster{
			platform: rapid.SampledFrom(platforms).Draw(t, "platform"),
			clock:    rapid.SampledFrom([]int64{1800, 1800, 2400, 3000}).Draw(t, "clock"),
			cpus:     cpus,
			memory:   int64(cpus) * perCPU, disk: int64(cpus) * perCPU,
		}
		if rapid.Bool().Draw(t, "of another size") {
			clusters[i].memory = rapid.Int64Range(1, 8*perCPU).Draw(t, "memory")
			clusters[i].disk = rapid.Int64Range(1, 8*perCPU).Draw(t, "disk")
		}
	}
	return clusters
}

func drawNaiveJobs(t *rapid.T, clusters []cluster, unit int64) []job {
	jobs := make([]job, rapid.SampledFrom([]int{0, 1, 2, 3, 5, 8, 12, 16, 24}).Draw(t, "jobs"))
	submit := int64(0)
	for i := range jobs {
		chosen := rapid.SampledFrom(clusters).Draw(t, "chosen")
		submit += unit * rapid.SampledFrom([]int64{0, 0, 0, 1, 2, 5}).Draw(t, "gap")
		jobs[i] = job{
			submit: submit, run: unit * rapid.SampledFrom([]int64{1, 1, 2, 3, 5, 8, 90}).Draw(t, "run"),
			platform: chosen.platform, cpus: rapid.Int32Range(1, chosen.cpus).Draw(t, "cpus"),
			memory: rapid.Int64Range(0, chosen.memory).Draw(t, "memory"), disk: rapid.Int64Range(0, chosen.disk).Draw(t, "disk"),
		}
		j := &jobs[i]
		lowest := slices.MinFunc(clusters, func(a, b cluster) int { return int(a.clock - b.clock) })
		j.clock = rapid.SampledFrom([]int64{lowest.clock, lowest.clock, chosen.clock}).Draw(t, "clock")
		switch rapid.IntRange(0, 5).Draw(t, "extreme") {
		case 0:
			j.memory, j.disk = chosen.memory, 0
		case 1:
			j.memory, j.disk = 0, chosen.disk
		case 2:
			j.cpus, j.memory, j.disk = chosen.cpus, chosen.memory, chosen.disk
		case 3:
			j.cpus, j.disk = 1, 0
		}
	}
	return jobs
}

// describeNaive has the parameters that differ from the defaults, the clusters and the jobs.
func describeNaive(p Parameters, domains []domain) string {
	var b strings.Builder
	fmt.Fprintf(&b, "parameters (-defaults +these):\n%s", cmp.Diff(defaults, p))
	for _, d := range domains {
		fmt.Fprintf(&b, "%s, span %d\n", d.name, d.span)
		for _, c := range d.clusters {
			fmt.Fprintf(&b, "\t%+v\n", c)
		}
		for _, j := range d.jobs {
			fmt.Fprintf(&b, "\t%+v\n", j)
		}
	}
	return b.String()
}
