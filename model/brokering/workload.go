// The jobs of a domain with their requirements (section 5.2).

package brokering

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gridsweep/model"
	"gridsweep/model/brokering/pool"
	"gridsweep/model/workload"
)

// twoWeeks, in s, is the time from which the jobs of a domain are taken, before their submits are
// fitted to its span (section 5.2).
const twoWeeks = 14 * day

// burstNeeds are the requirements of a job that follow from its burst.
type burstNeeds struct {
	cluster int   // index of the domain's largest cluster of the platform that the burst requires
	cpus    int32 // of the job, at most those of that cluster
}

// drawJobs draws the jobs of a domain from those submitted. It fits submits to the span and run
// times to the load, and draws requirements: from the end of step 1 on of "Jobs of a domain" in
// docs/explanation/papers/brokering.md.
func drawJobs(ctx context.Context, t template, clusters []cluster, submitted []workload.Job,
	env model.Env) ([]job, error) {
	seed := env.Seed.Child(t.seed)
	needs := drawBursts(t, clusters, submitted, env)
	factor, err := t.runFactor(clusters, submitted, needs)
	if err != nil {
		return nil, err
	}
	perHour := t.diskFactor(submitted, needs, factor)
	mix, err := parseMix(t.MemoryMix)
	if err != nil {
		panic("brokering: " + err.Error()) // validate has checked it
	}
	memories, disks := seed.Stream("memory"), seed.Stream("disk")
	clock := slices.MinFunc(clusters, func(a, b cluster) int { return cmp.Compare(a.clock, b.clock) }).clock
	jobs := make([]job, 0, len(submitted))
	for i, s := range submitted {
		if model.Cancelled(ctx, i) {
			return nil, ctx.Err()
		}
		submit := s.Submit * t.span / twoWeeks
		if t.Days > 0 && float64(submit) >= t.Days*day {
			break // so are the others
		}
		largest := &clusters[needs[i].cluster]
		// bounded before it is an int64, which the product may exceed
		run := max(1, int64(min(float64(float64(s.Run)*factor)+0.5, float64(t.longest))))
		j := job{submit: submit, run: run, platform: largest.platform, clock: clock, cpus: needs[i].cpus}
		j.memory = min(int64(j.cpus)*memoryAt(mix, memories.Float64()), largest.memory)
		disk := perHour * float64(j.run) / hour * float64(j.memory) * disks.Uniform(0.5, 1.5)
		j.disk = int64(min(disk, float64(largest.disk)))
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// drawBursts draws the platforms of the jobs in bursts. The CPUs of the jobs follow from them.
func drawBursts(t template, clusters []cluster, submitted []workload.Job, env model.Env) []burstNeeds {
	bursts := env.Seed.Child(t.seed).Stream("bursts")
	largest := largestOfPlatforms(clusters)
	last := make([]int, len(clusters)) // number of each cluster's last CPU, among all CPUs
	cpus := 0
	for i := range clusters {
		cpus += int(clusters[i].cpus)
		last[i] = cpus - 1
	}
	needs := make([]burstNeeds, len(submitted))
	for i := 0; i < len(needs); {
		length := int(t.BurstMin) + bursts.Intn(int(t.BurstMax-t.BurstMin)+1)
		at, _ := slices.BinarySearch(last, bursts.Intn(cpus))
		for end := min(i+length, len(needs)); i < end; i++ {
			needs[i] = burstNeeds{cluster: largest[at], cpus: min(submitted[i].Procs, clusters[largest[at]].cpus)}
		}
	}
	return needs
}

// largestOfPlatforms returns for each cluster the index of the largest of its platform, of equal
// ones the first.
func largestOfPlatforms(clusters []cluster) []int {
	largestOf := map[pool.Platform]int{}
	for i, c := range clusters {
		if at, known := largestOf[c.platform]; !known || c.cpus > clusters[at].cpus {
			largestOf[c.platform] = i
		}
	}
	largest := make([]int, len(clusters))
	for i, c := range clusters {
		largest[i] = largestOf[c.platform]
	}
	return largest
}

// runFactor returns the factor of run times that makes the offered load as large as the parameter:
// CPU·s of all jobs, none of which runs for more than the longest, over CPUs and span. No such
// factor is an error.
func (t *template) runFactor(clusters []cluster, submitted []workload.Job, needs []burstNeeds) (float64, error) {
	cpus := int64(0)
	for i := range clusters {
		cpus += int64(clusters[i].cpus)
	}
	wanted := float64(t.Load * float64(cpus) * float64(t.span))
	factor := 0.0
	// Each turn cuts jobs that run too long and raises the factor of the others, until no further
	// one is cut.
	for before := -1; ; {
		cut := 0                    // jobs that the factor would make run too long
		others, longest := 0.0, 0.0 // CPU·s
		for i, s := range submitted {
			if float64(s.Run)*factor >= float64(t.longest) {
				cut++
				longest += float64(float64(needs[i].cpus) * float64(t.longest))
			} else {
				others += float64(float64(needs[i].cpus) * float64(s.Run))
			}
		}
		if cut <= before { // less than before only by rounding
			return factor, nil
		}
		if others == 0 || longest >= wanted {
			return 0, fmt.Errorf("load %v is out of reach of %d jobs at %s that run for %d s at most: "+
				"set load to %.3g or less, or %s_longest or %s_jobs to more",
				t.Load, len(submitted), t.seed, t.longest, 0.99*t.Load*longest/wanted, types[t.domainType], types[t.domainType])
		}
		before, factor = cut, (wanted-longest)/others
	}
}

// diskFactor returns the MB of disk that a job requires for each MB of memory and hour: the
// parameter, or the number with which disks are as full as memory.
func (t *template) diskFactor(submitted []workload.Job, needs []burstNeeds, factor float64) float64 {
	if t.DiskPerHour > 0 {
		return t.DiskPerHour
	}
	work, hours := 0.0, 0.0
	for i, s := range submitted {
		run := min(float64(t.longest), float64(s.Run)*factor)
		work += float64(float64(needs[i].cpus) * run)
		hours += float64(float64(needs[i].cpus)*run) * run / hour
	}
	return float64(t.DiskPerCPU) / float64(t.MemoryPerCPU) * work / hours
}
