// The naive simulator: the domains of a replication.

package brokering

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gridsweep/model/brokering/pool"
	"gridsweep/model/rng"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
)

// naiveFortnight is the time taken from a trace or drawn from a model, in s.
const naiveFortnight = 14 * 24 * 3600

// naiveDomains draws the domains from docs/explanation/papers/brokering.md alone: with the jobs of
// the recorded traces, cleaned, one for each type, or of the site models where there are none.
func naiveDomains(p Parameters, seed rng.Source, recorded map[string][]trace.Job) []domain {
	var domains []domain
	for i := range int(p.Domains) {
		platform := i % 3
		if p.Scope != "all" && p.Scope != types[platform] {
			continue
		}
		name := titles[platform]
		if i >= 3 {
			name = fmt.Sprintf("%s %d", titles[platform], i/3+1)
		}
		stream := titles[platform]
		if p.Copies == "seeded" {
			stream = name
		}
		d := naiveDrawing{p: p, seed: seed.Child(stream), recorded: recorded[workloads[platform]]}
		switch platform {
		case 0:
			d.number, d.span, d.longest, d.description = p.SmallJobs, int64(p.SmallSpan), int64(p.SmallLongest), p.SmallClusters
		case 1:
			d.number, d.span, d.longest, d.description = p.MediumJobs, int64(p.MediumSpan), int64(p.MediumLongest),
				p.MediumClusters
		case 2:
			d.number, d.span, d.longest, d.description = p.BigJobs, int64(p.BigSpan), int64(p.BigLongest), p.BigClusters
		}
		clusters := d.clusters()
		domains = append(domains, domain{
			name: name, clusters: clusters, span: d.span, jobs: d.jobs(clusters, d.submitted(workloads[platform])),
		})
	}
	return domains
}

// naiveDrawing has the inputs of a domain.
type naiveDrawing struct {
	p            Parameters
	seed         rng.Source
	recorded     []trace.Job
	number, span int64
	longest      int64  // s, run time
	description  string // of its clusters
}

func (d naiveDrawing) clusters() []cluster {
	clocks := d.seed.Stream("clocks")
	steps := 0 // clocks to choose from
	for clock := d.p.ClockMin; clock <= d.p.ClockMax; clock += 100 {
		steps++
	}
	var clusters []cluster
	for _, group := range strings.Split(d.description, ";") {
		names, list, _ := strings.Cut(strings.TrimSpace(group), " ")
		vendor, system, _ := strings.Cut(names, "/")
		for _, text := range strings.Split(list, ",") {
			cpus, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil {
				panic(err)
			}
			clusters = append(clusters, cluster{
				platform: pool.Platform{Vendor: vendor, System: system}, clock: d.p.ClockMin + 100*int64(clocks.Intn(steps)),
				cpus:   int32(cpus),
				memory: int64(cpus) * d.p.MemoryPerCPU, disk: int64(cpus) * d.p.DiskPerCPU,
			})
		}
	}
	return clusters
}

// submitted returns the jobs of 14 days, with submits from their beginning.
func (d naiveDrawing) submitted(site string) []trace.Job {
	if d.recorded == nil {
		m, err := workload.Find(site)
		if err != nil {
			panic(err)
		}
		jobs, err := m.Generate(context.Background(), workload.Options{Jobs: d.number, Span: naiveFortnight},
			d.seed.Child("jobs"))
		if err != nil {
			panic(err)
		}
		return jobs
	}
	left := d.recorded[min(int(d.p.Skip), len(d.recorded)):]
	var nearest []trace.Job
	for i, first := range left {
		var window []trace.Job
		for _, j := range left {
			if first.Submit <= j.Submit && j.Submit < first.Submit+naiveFortnight {
				j.Submit -= first.Submit
				window = append(window, j)
			}
		}
		if i == 0 || naiveDistance(len(window), d.number) < naiveDistance(len(nearest), d.number) {
			nearest = window
		}
	}
	return nearest
}

func naiveDistance(n int, wanted int64) int64 { return max(int64(n)-wanted, wanted-int64(n)) }

// jobs gives the submitted jobs their requirements, step by step for all jobs.
func (d naiveDrawing) jobs(clusters []cluster, submitted []trace.Job) []job {
	jobs := make([]job, len(submitted))
	for i, s := range submitted {
		jobs[i] = job{submit: s.Submit * d.span / naiveFortnight, run: s.Run, cpus: s.Size()}
	}
	d.drawPlatforms(jobs, clusters)
	for i := range jobs {
		jobs[i].cpus = min(jobs[i].cpus, naiveLargest(clusters, jobs[i].platform).cpus)
	}
	runs := d.scaled(jobs, clusters)
	c := d.diskPerHour(jobs, runs)
	memory, disk := d.seed.Stream("memory"), d.seed.Stream("disk")
	for i := range jobs {
		j := &jobs[i]
		largest := naiveLargest(clusters, j.platform)
		j.run = max(1, int64(math.Floor(runs[i]+0.5)))
		j.memory = min(int64(j.cpus)*naiveMix(d.p.MemoryMix, memory.Float64()), largest.memory)
		need := c * float64(j.run) / 3600 * float64(j.memory) * (0.5 + disk.Float64())
		j.disk = int64(min(math.Floor(need), float64(largest.disk)))
		j.clock = slices.MinFunc(clusters, func(a, b cluster) int { return int(a.clock - b.clock) }).clock
	}
	if d.p.Days == 0 {
		return jobs
	}
	return slices.DeleteFunc(jobs, func(j job) bool { return float64(j.submit) >= d.p.Days*24*3600 })
}

// scaled returns the run times of jobs at the offered load, at most the longest, before they are
// rounded.
func (d naiveDrawing) scaled(jobs []job, clusters []cluster) []float64 {
	cpus := 0
	for _, c := range clusters {
		cpus += int(c.cpus)
	}
	runs := make([]float64, len(jobs))
	for before, cut := -1, make([]bool, len(jobs)); ; {
		// jobs that are cut, CPU·s of these, of the others
		count, most, others := 0, int64(0), int64(0)
		for i, j := range jobs {
			if cut[i] {
				count++
				most += int64(j.cpus) * d.longest
			} else {
				others += int64(j.cpus) * j.run
			}
		}
		if count <= before || others == 0 { // fewer than before: by rounding
			return runs
		}
		before = count
		g := (float64(d.p.Load*float64(cpus)*float64(d.span)) - float64(most)) / float64(others)
		for i, j := range jobs {
			cut[i] = g*float64(j.run) >= float64(d.longest)
			runs[i] = min(g*float64(j.run), float64(d.longest))
		}
	}
}

// diskPerHour returns the MB of disk for each MB of memory and hour.
func (d naiveDrawing) diskPerHour(jobs []job, runs []float64) float64 {
	if d.p.DiskPerHour != 0 {
		return d.p.DiskPerHour
	}
	work, hours := 0.0, 0.0
	for i, j := range jobs {
		work += float64(float64(j.cpus) * runs[i])
		hours += float64(j.cpus) * runs[i] * runs[i] / 3600
	}
	return float64(d.p.DiskPerCPU) / float64(d.p.MemoryPerCPU) * work / hours
}

// drawPlatforms gives the jobs their platforms, burst by burst.
func (d naiveDrawing) drawPlatforms(jobs []job, clusters []cluster) {
	var platforms []pool.Platform // of each CPU
	for _, c := range clusters {
		for range c.cpus {
			platforms = append(platforms, c.platform)
		}
	}
	bursts := d.seed.Stream("bursts")
	for i := 0; i < len(jobs); {
		length := int(d.p.BurstMin) + bursts.Intn(int(d.p.BurstMax-d.p.BurstMin)+1)
		platform := platforms[bursts.Intn(len(platforms))]
		for range length {
			if i < len(jobs) {
				jobs[i].platform = platform
			}
			i++
		}
	}
}

// naiveLargest returns the largest cluster of a platform.
func naiveLargest(clusters []cluster, platform pool.Platform) cluster {
	var largest cluster
	for _, c := range clusters {
		if c.platform == platform && c.cpus > largest.cpus {
			largest = c
		}
	}
	return largest
}

// naiveMix returns the number of the mix, such as 128:0.3,256:0.7, whose cumulated share is the
// first above u.
func naiveMix(mix string, u float64) int64 {
	number, cumulated := 0, 0.0
	for _, entry := range strings.Split(mix, ",") {
		text, share, _ := strings.Cut(strings.TrimSpace(entry), ":")
		x, err := strconv.ParseFloat(share, 64)
		if err != nil {
			panic(err)
		}
		if number, err = strconv.Atoi(text); err != nil {
			panic(err)
		}
		if cumulated += x; cumulated > u {
			break
		}
	}
	return int64(number)
}
