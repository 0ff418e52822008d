package cluster

// Selective: backfilling that books the jobs that have waited long for their estimates.

import (
	"errors"
	"math"
	"strconv"
)

// selective gives a waiting job a booking once its expansion factor, (wait + estimate) / estimate,
// reaches a threshold (Srinivasan, Kettimuthu, Subramani & Sadayappan, Selective reservation
// strategies for backfill job scheduling, JSSPP 2002).
type selective struct {
	site      *Site
	threshold float64 // 0: the mean slowdown of the jobs that have ended
	slowdowns float64 // sum over the jobs that have ended
	ended     int

	// The shortest estimate, in s, of the jobs that wait without a booking, of each blockOfJobs
	// jobs of neighbouring numbers and of each groupOfJobs: a lower bound, as jobs leave.
	blocks, groups []int64
}

const (
	blockOfJobs = 64
	groupOfJobs = 32 * blockOfJobs
)

// parseSelective reads the threshold; "" is the mean slowdown.
func parseSelective(argument string) (Policy, error) {
	threshold := 0.0
	if argument != "" {
		var err error
		threshold, err = strconv.ParseFloat(argument, 64)
		if err != nil || !(threshold >= 1 && threshold <= math.MaxFloat64) {
			return Policy{}, errors.New("write selective:X with an expansion factor, a number from 1 on, " +
				"such as selective:2")
		}
	}
	return Policy{
		scheduler: func(s *Site) scheduler { return newGuaranteeing(s, &selective{site: s, threshold: threshold}) },
		check:     (*Config).checkGuaranteeing,
	}, nil
}

// bound returns the threshold at now. It is 1 until a job has ended.
func (p *selective) bound() float64 {
	switch {
	case p.threshold > 0:
		return p.threshold
	case p.ended == 0:
		return 1
	}
	return p.slowdowns / float64(p.ended)
}

// end adds the bounded slowdown of a job, of which 10 s is the shortest run time that counts.
func (p *selective) end(number int32) {
	const shortest = 10
	s := p.site
	job := &s.jobs[number]
	run := s.now - s.starts[number]
	p.slowdowns += max(1, float64(s.now-job.Submit)/float64(max(run, shortest)))
	p.ended++
}

func (p *selective) onArrival() bool { return p.bound() <= 1 }

func (p *selective) start(job *Job) int64 {
	return p.site.plan.earliest(p.site.now, job.Procs, job.Estimate)
}

// wait adds a job to its block and group.
func (p *selective) wait(number int32) {
	estimate := p.site.jobs[number].Estimate
	for int(number/blockOfJobs) >= len(p.blocks) {
		p.blocks = append(p.blocks, Never)
	}
	for int(number/groupOfJobs) >= len(p.groups) {
		p.groups = append(p.groups, Never)
	}
	p.blocks[number/blockOfJobs] = min(p.blocks[number/blockOfJobs], estimate)
	p.groups[number/groupOfJobs] = min(p.groups[number/groupOfJobs], estimate)
}

// due looks into the groups and blocks in which a job that was submitted first and has the shortest
// estimate would be due. There numbers, and so submits, are close together.
func (p *selective) due(list []int32, from int32) []int32 {
	s, bound := p.site, p.bound()
	reached := func(number int, estimate int64) bool {
		waited := s.now - s.jobs[number].Submit
		return estimate != Never && float64(waited+estimate)/float64(estimate) >= bound
	}
	for g := range p.groups {
		if !reached(g*groupOfJobs, p.groups[g]) {
			continue
		}
		p.groups[g] = Never
		for b := g * (groupOfJobs / blockOfJobs); b < min((g+1)*(groupOfJobs/blockOfJobs), len(p.blocks)); b++ {
			if reached(b*blockOfJobs, p.blocks[b]) {
				p.blocks[b] = Never
				for n := b * blockOfJobs; n < min((b+1)*blockOfJobs, int(from)); n++ {
					if s.starts[n] != Never {
						continue
					}
					if estimate := s.jobs[n].Estimate; reached(n, estimate) {
						list = append(list, int32(n))
					} else {
						p.blocks[b] = min(p.blocks[b], estimate)
					}
				}
			}
			p.groups[g] = min(p.groups[g], p.blocks[b])
		}
	}
	return list
}
