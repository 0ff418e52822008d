// The bounded slowdowns of domains and clusters over time (Figures 10 and 11).

package brokering

import (
	"fmt"
	"strconv"
)

// mostSamples bounds what is kept of the bounded slowdowns over time.
const mostSamples = 10_000_000

// samples are the bounded slowdowns of domains and clusters over time.
type samples struct {
	next     int64     // s, of the next sample
	every    int64     // s
	domains  []average // jobs that have finished
	times    []int64   // of the samples, in h
	slowdown []*float64
	clusters []*float64
}

func newSamples(s *system) samples {
	every := s.p.Sample * hour
	return samples{next: every, every: every, domains: make([]average, len(s.domains))}
}

// add adds a job that has finished at a resource.
func (c *samples) add(slowdown float64, at *resource) { c.domains[at.Domain].add(slowdown) }

// takeUntil takes the samples before a second, once everything before it has happened. Too many
// samples are an error.
func (c *samples) takeUntil(s *system, before int64) error {
	for ; c.next < before; c.next += c.every {
		if len(c.clusters) > mostSamples {
			return fmt.Errorf("sample: every %d h are more than %d numbers: take more hours", s.p.Sample, mostSamples)
		}
		c.times = append(c.times, c.next/hour)
		for d := range c.domains {
			c.slowdown = append(c.slowdown, c.domains[d].mean())
		}
		for i := range s.resources {
			c.clusters = append(c.clusters, s.resources[i].slowdown.mean())
		}
	}
	return nil
}

// rows returns the samples of domains and of clusters.
func (c *samples) rows(s *system) ([]SlowdownRow, []ClusterSlowdownRow) {
	slowdown := make([]SlowdownRow, 0, len(c.slowdown))
	clusters := make([]ClusterSlowdownRow, 0, len(c.clusters))
	for t, time := range c.times {
		for d := range s.domains {
			slowdown = append(slowdown, SlowdownRow{Time: time, Domain: s.domains[d].name, BSLD: c.slowdown[t*len(s.domains)+d]})
		}
		for i := range s.resources {
			m := &s.resources[i]
			clusters = append(clusters, ClusterSlowdownRow{
				Time: time, Domain: s.domains[m.Domain].name, Cluster: strconv.Itoa(int(m.place) + 1), BSLD: c.clusters[t*len(s.resources)+i],
			})
		}
	}
	return slowdown, clusters
}
