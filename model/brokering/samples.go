// The bounded slowdowns of domains and clusters over time (Figures 10 and 11).

package brokering

import (
	"fmt"
	"strconv"
)

// mostSamples bounds the rows of clusters over time.
const mostSamples = 10_000_000

// samples are the bounded slowdowns of domains and clusters over time.
type samples struct {
	next     int64     // s, of the next sample
	domains  []average // of the jobs that have finished
	slowdown []SlowdownRow
	clusters []ClusterSlowdownRow
}

// sample takes the samples before a second, once all that happens before it has happened. Too many
// samples are an error.
func (s *simulation) sample(before int64) error {
	for c := &s.samples; c.next < before; c.next += s.p.Sample * hour {
		if len(c.clusters) > mostSamples {
			return fmt.Errorf("sample: every %d h are more than %d numbers: take more hours", s.p.Sample, mostSamples)
		}
		time := c.next / hour
		for d := range s.domains {
			row := SlowdownRow{Time: time, Domain: s.domains[d].name, BSLD: c.domains[d].mean()}
			c.slowdown = append(c.slowdown, row)
		}
		for i := range s.resources {
			r := &s.resources[i]
			c.clusters = append(c.clusters, ClusterSlowdownRow{
				Time: time, Domain: s.domains[r.Domain].name, Cluster: strconv.Itoa(int(r.inDomain) + 1), BSLD: r.slowdown.mean(),
			})
		}
	}
	return nil
}
