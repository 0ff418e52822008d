package brokering

import (
	"fmt"
	"strconv"
)

// mostSamples bounds what is kept of the bounded slowdowns over time.
const mostSamples = 10_000_000

// course is how the bounded slowdowns of domains and clusters go over time.
type course struct {
	next     int64     // s, of the next sample
	every    int64     // s
	domains  []average // jobs that have finished
	times    []int64   // of the samples, in h
	slowdown []*float64
	clusters []*float64
}

func newCourse(s *system) course {
	every := s.p.Sample * hour
	return course{next: every, every: every, domains: make([]average, len(s.domains))}
}

// add adds a job that has finished at a resource.
func (c *course) add(slowdown float64, m *machine) { c.domains[m.domain].add(slowdown) }

// note takes the samples before a second, when all has happened that did until then. It returns an error when there are too
// many.
func (c *course) note(s *system, before int64) error {
	for ; c.next < before; c.next += c.every {
		if len(c.clusters) > mostSamples {
			return fmt.Errorf("sample: every %d h are more than %d numbers: take more hours", s.p.Sample, mostSamples)
		}
		c.times = append(c.times, c.next/hour)
		for d := range c.domains {
			c.slowdown = append(c.slowdown, c.domains[d].mean())
		}
		for i := range s.machines {
			c.clusters = append(c.clusters, s.machines[i].slowdown.mean())
		}
	}
	return nil
}

// rows returns the samples of domains and of clusters.
func (c *course) rows(s *system) ([]SlowdownRow, []ClusterSlowdownRow) {
	slowdown := make([]SlowdownRow, 0, len(c.slowdown))
	clusters := make([]ClusterSlowdownRow, 0, len(c.clusters))
	for t, time := range c.times {
		for d := range s.domains {
			slowdown = append(slowdown, SlowdownRow{Time: time, Domain: s.domains[d].name, BSLD: c.slowdown[t*len(s.domains)+d]})
		}
		for i := range s.machines {
			m := &s.machines[i]
			clusters = append(clusters, ClusterSlowdownRow{
				Time: time, Domain: s.domains[m.domain].name, Cluster: strconv.Itoa(int(m.place) + 1), BSLD: c.clusters[t*len(s.machines)+i],
			})
		}
	}
	return slowdown, clusters
}
