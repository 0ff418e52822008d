package brokering

import (
	"context"
	"fmt"
	"slices"

	"gridsweep/model"
)

// cancelEvery is how many jobs are drawn between two looks at the context.
const cancelEvery = 1 << 14

// demand is what the kind that a burst requires leaves of a job: the domain's largest resource of it, and CPUs of that.
type demand struct {
	largest int // place among the clusters
	cpus    int32
}

// drawJobs makes the jobs of a domain from those submitted: docs/brokering.md, "Jobs of a domain", from the kind on.
func drawJobs(ctx context.Context, t template, clusters []cluster, submitted []submission, env model.Env) ([]job, error) {
	seed := env.Seed.Child(t.seed)
	needs := drawNeeds(t, clusters, submitted, env)
	factor := t.runFactor(clusters, submitted, needs)
	mix, err := parseMix(t.memoryMix)
	if err != nil {
		panic("brokering: " + err.Error()) // validate has checked it
	}
	memories, disks := seed.Stream("memory"), seed.Stream("disk")
	clock := lowestClock(clusters)
	jobs := make([]job, 0, len(submitted))
	for i, s := range submitted {
		if i%cancelEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		submit := s.submit * t.span / twoWeeks
		if float64(submit) >= t.days*day {
			break // and so are all after it
		}
		run := max(1, float64(float64(s.run)*factor)+0.5)
		if run >= longest+1 {
			return nil, t.tooLong(i, run)
		}
		at := &clusters[needs[i].largest]
		j := job{submit: submit, run: int64(run), kind: at.kind, clock: clock, cpus: needs[i].cpus}
		j.memory = min(int64(j.cpus)*choose(mix, memories.Float64()), at.memory)
		disk := t.diskPerHour * float64(j.run) / 3600 * float64(j.memory) * disks.Uniform(0.5, 1.5)
		j.disk = int64(min(disk, float64(at.disk)))
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// drawNeeds draws the kinds of the jobs in bursts and the CPUs that follow from them.
func drawNeeds(t template, clusters []cluster, submitted []submission, env model.Env) []demand {
	bursts := env.Seed.Child(t.seed).Stream("bursts")
	largest := largestOfKinds(clusters)
	last := make([]int, len(clusters)) // numbers of the clusters' last CPUs
	cpus := 0
	for i := range clusters {
		cpus += int(clusters[i].cpus)
		last[i] = cpus - 1
	}
	needs := make([]demand, len(submitted))
	for i := 0; i < len(needs); {
		length := int(t.burstMin) + bursts.Intn(int(t.burstMax-t.burstMin)+1)
		at, _ := slices.BinarySearch(last, bursts.Intn(cpus))
		for end := min(i+length, len(needs)); i < end; i++ {
			needs[i] = demand{largest: largest[at], cpus: min(submitted[i].procs, clusters[largest[at]].cpus)}
		}
	}
	return needs
}

// largestOfKinds returns for each cluster the place of the first of the largest of its kind.
func largestOfKinds(clusters []cluster) []int {
	places := map[kind]int{}
	for i := range clusters {
		at, known := places[clusters[i].kind]
		if !known || clusters[i].cpus > clusters[at].cpus {
			places[clusters[i].kind] = i
		}
	}
	largest := make([]int, len(clusters))
	for i := range clusters {
		largest[i] = places[clusters[i].kind]
	}
	return largest
}

func lowestClock(clusters []cluster) int64 {
	lowest := clusters[0].clock
	for i := range clusters {
		lowest = min(lowest, clusters[i].clock)
	}
	return lowest
}

// runFactor returns the factor of run times that makes the CPU·s of all jobs submitted, over CPUs and span, the load.
func (t *template) runFactor(clusters []cluster, submitted []submission, needs []demand) float64 {
	cpus, units := int64(0), int64(0)
	for i := range clusters {
		cpus += int64(clusters[i].cpus)
	}
	for i, s := range submitted {
		units += int64(needs[i].cpus) * s.run
	}
	return t.load * float64(cpus) * float64(t.span) / float64(units)
}

// tooLong is the error for a job, a place among those submitted, with such a run time in s.
func (t *template) tooLong(i int, run float64) error {
	return fmt.Errorf("load %v gives job %d of %s a run time of %.4g s, want at most %d: set load to %.2g or less, or %s_span to less",
		t.load, i+1, t.seed, run, int64(longest), 0.99*t.load*longest/run, types[t.of])
}
