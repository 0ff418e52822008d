// Drawing the domains of a replication (section 5.2).

package brokering

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"gridsweep/model"
	"gridsweep/model/workload"
)

// isInScope reports whether the domains of a type, an index in types, are in the scope.
func isInScope(p Parameters, domainType int) bool {
	return p.Scope == "all" || p.Scope == types[domainType]
}

// domainsPerType returns how many domains of each type there are.
func domainsPerType(p Parameters) int { return int(p.Domains) / len(types) }

// typeParameters are the parameters of one type of domains.
type typeParameters struct {
	jobs     int64 // of a domain, in two weeks
	span     int64 // s, to which the two weeks are fitted
	longest  int64 // s, run time of a job
	clusters string
}

func parametersOf(p Parameters) [len(types)]typeParameters {
	return [...]typeParameters{
		{p.SmallJobs, int64(p.SmallSpan), int64(p.SmallLongest), p.SmallClusters},
		{p.MediumJobs, int64(p.MediumSpan), int64(p.MediumLongest), p.MediumClusters},
		{p.BigJobs, int64(p.BigSpan), int64(p.BigLongest), p.BigClusters},
	}
}

// template is all that a domain depends on except its name. It is the key of domains that runs
// share.
type template struct {
	Parameters // those on which a domain depends, with the trace of its jobs alone; others are zero
	typeParameters
	domainType int    // type of domain, an index in types
	seed       string // name of the domain whose random numbers it takes
}

// templateOf returns the template of the domains of a type, an index in types, with the random
// numbers of the domain that seed names.
func templateOf(p Parameters, domainType int, seed string) template {
	needed := Parameters{
		Trace: model.TraceAt(p.Trace, slices.Index(traces(p), workloads[domainType])), Load: p.Load, Days: p.Days,
		ClockMin: p.ClockMin, ClockMax: p.ClockMax, MemoryPerCPU: p.MemoryPerCPU, DiskPerCPU: p.DiskPerCPU,
		BurstMin: p.BurstMin, BurstMax: p.BurstMax, MemoryMix: p.MemoryMix, DiskPerHour: p.DiskPerHour,
	}
	if p.Trace != model.TraceModel {
		needed.Skip = p.Skip
	}
	return template{needed, parametersOf(p)[domainType], domainType, seed}
}

// draw returns the domains in the scope of a replication, in order, with their jobs. Runs share
// them, and so do the domains of a type where copies are the same.
//
// Its errors are those of the traces, of the site models and of the context, one for run times that
// the load makes too long, and one if no job is submitted.
func draw(ctx context.Context, p Parameters, env model.Env) ([]domain, error) {
	var domains []domain
	var first [len(types)]domain
	jobs := 0
	for n := range domainsPerType(p) {
		for domainType, title := range titles {
			if !isInScope(p, domainType) {
				continue
			}
			name, seed := title, title
			if n > 0 {
				name += " " + strconv.Itoa(n+1)
			}
			if p.Copies == "seeded" {
				seed = name
			}
			d := first[domainType]
			if seed == name { // else it is the same as the first of its type
				var err error
				if d, err = model.Memo(ctx, env, templateOf(p, domainType, seed), drawDomain); err != nil {
					return nil, err
				}
				first[domainType] = d
			}
			d.name = name
			domains = append(domains, d)
			jobs += len(d.jobs)
		}
	}
	if jobs == 0 {
		return nil, fmt.Errorf("no job is submitted in the first %v days: set days to more", p.Days)
	}
	return domains, nil
}

// drawDomain returns a domain without a name.
func drawDomain(ctx context.Context, t template, env model.Env) (domain, error) {
	d := domain{span: t.span, clusters: drawClusters(t, env)}
	recorded, err := workload.Window{
		Site: workloads[t.domainType], Trace: t.Trace, Seed: env.Seed.Child(t.seed).Child("jobs"),
		Skip: t.Skip, Span: twoWeeks, Jobs: t.jobs,
	}.Read(ctx, env)
	if err != nil {
		return domain{}, err
	}
	d.jobs, err = drawJobs(ctx, t, d.clusters, recorded.Jobs, env)
	return d, err
}

// clockStep is the step in MHz in which clocks are drawn.
const clockStep = 100

// drawClusters returns the resources of a domain with their clocks.
func drawClusters(t template, env model.Env) []cluster {
	clusters, err := parseClusters(t.clusters)
	if err != nil {
		panic("brokering: " + err.Error()) // validate has checked them
	}
	clocks := env.Seed.Child(t.seed).Stream("clocks")
	steps := int((t.ClockMax - t.ClockMin) / clockStep)
	for i := range clusters {
		c := &clusters[i]
		c.clock = t.ClockMin + clockStep*int64(clocks.Intn(steps+1))
		c.memory, c.disk = int64(c.cpus)*t.MemoryPerCPU, int64(c.cpus)*t.DiskPerCPU
	}
	return clusters
}
