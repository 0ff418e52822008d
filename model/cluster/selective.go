// Selective: backfilling that books the jobs that have waited long in comparison with their
// estimates.

package cluster

import (
	"errors"
	"math"
	"strconv"

	"gridsweep/model/metrics"
)

// selective gives a waiting job a booking once its expansion factor, (wait + estimate) / estimate,
// reaches a threshold (Srinivasan, Kettimuthu, Subramani & Sadayappan, Selective reservation
// strategies for backfill job scheduling, JSSPP 2002).
type selective struct {
	site      *Site
	threshold float64 // 0: the mean bounded slowdown of the jobs that have ended
	slowdowns float64 // sum of bounded slowdowns of the jobs that have ended
	counted   int     // number of these jobs

	// blocks and groups have the shortest estimate, in s, of the jobs that wait without a booking,
	// for each jobsPerBlock and each jobsPerGroup consecutive job numbers; Never where there are
	// none. It is a lower bound: jobs that leave do not raise it.
	blocks, groups []int64
}

const (
	jobsPerBlock   = 64
	blocksPerGroup = 32
	jobsPerGroup   = blocksPerGroup * jobsPerBlock
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
		needs:     simple | endInTime,
	}, nil
}

// expansion returns the expansion factor from which on a job gets a booking now. Without a
// threshold of the policy it is 1 until a job has ended.
func (p *selective) expansion() float64 {
	switch {
	case p.threshold > 0:
		return p.threshold
	case p.counted == 0:
		return 1
	}
	return p.slowdowns / float64(p.counted)
}

// ended adds the bounded slowdown of a job that has ended.
func (p *selective) ended(number int32) {
	s := p.site
	p.slowdowns += metrics.BoundedSlowdown(s.jobs[number].Submit, s.starts[number], s.now, metrics.Bound)
	p.counted++
}

func (p *selective) bookedStart(job *Job) int64 {
	return p.site.plan.earliest(p.site.now, job.Procs, job.Estimate)
}

// arrived lowers the shortest estimates of the block and group of a job without a booking.
func (p *selective) arrived(number int32) bool {
	if p.expansion() <= 1 {
		return true
	}
	estimate := p.site.jobs[number].Estimate
	for int(number/jobsPerBlock) >= len(p.blocks) {
		p.blocks = append(p.blocks, Never)
	}
	for int(number/jobsPerGroup) >= len(p.groups) {
		p.groups = append(p.groups, Never)
	}
	p.blocks[number/jobsPerBlock] = min(p.blocks[number/jobsPerBlock], estimate)
	p.groups[number/jobsPerGroup] = min(p.groups[number/jobsPerGroup], estimate)
	return false
}

// due skips groups and blocks in which no job can be due: those where a job with the first submit
// and the shortest estimate is not. Few of the others have no job that is due, as consecutive
// numbers have close submits.
func (p *selective) due(list []int32, firstArrival int32) []int32 {
	expansion := p.expansion()
	for g := range p.groups {
		if !p.reached(expansion, g*jobsPerGroup, p.groups[g]) {
			continue
		}
		p.groups[g] = Never
		for b := g * blocksPerGroup; b < min((g+1)*blocksPerGroup, len(p.blocks)); b++ {
			if p.reached(expansion, b*jobsPerBlock, p.blocks[b]) {
				list = p.dueOf(list, b, int(firstArrival), expansion)
			}
			p.groups[g] = min(p.groups[g], p.blocks[b])
		}
	}
	return list
}

// dueOf appends the jobs of a block that are due, and renews its shortest estimate.
func (p *selective) dueOf(list []int32, block, firstArrival int, expansion float64) []int32 {
	starts, shortest, end := p.site.starts, Never, min((block+1)*jobsPerBlock, firstArrival)
	for n := block * jobsPerBlock; n < end; n++ {
		if starts[n] != Never {
			continue
		}
		if estimate := p.site.jobs[n].Estimate; p.reached(expansion, n, estimate) {
			list = append(list, int32(n))
		} else {
			shortest = min(shortest, estimate)
		}
	}
	p.blocks[block] = shortest
	return list
}

// reached reports whether a job with this estimate in s, submitted when the job of the number was,
// has reached the expansion factor.
func (p *selective) reached(expansion float64, number int, estimate int64) bool {
	waited := p.site.now - p.site.jobs[number].Submit
	return estimate != Never && float64(waited+estimate)/float64(estimate) >= expansion
}
