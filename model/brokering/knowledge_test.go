package brokering

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// TestKnownIsAggregatedAnew changes what is free of some resources, again and again: what is then known of their domains is what
// it would be if all had been like that from the beginning.
func TestKnownIsAggregatedAnew(t *testing.T) {
	forStrategies(t, func(t *rapid.T, strategy, preference string) {
		if strategy == "REGULAR" {
			return // nothing is aggregated
		}
		p := drawNaiveParameters(t, strategy, preference)
		domains := drawNaiveWorld(t, p)
		s := newSystem(p, domains)
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			for range rapid.IntRange(1, 3).Draw(t, "resources") {
				m := &s.machines[rapid.IntRange(0, len(s.machines)-1).Draw(t, "resource")]
				m.free = need{
					cpus:   rapid.Int64Range(0, m.total.cpus).Draw(t, "cpus"),
					memory: rapid.Int64Range(0, m.total.memory).Draw(t, "memory"),
					disk:   rapid.Int64Range(0, m.total.disk).Draw(t, "disk"),
				}
				s.tell(m)
			}
			anew := newSystem(p, domains)
			for i := range anew.machines {
				anew.machines[i].free = s.machines[i].free
				anew.tell(&anew.machines[i])
			}
			for d := range int32(len(domains)) {
				if diff := cmp.Diff(anew.knownOf(d).offers, s.knownOf(d).offers, cmp.AllowUnexported(offer{}), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("domain %d (-anew +kept):\n%s\n%s", d+1, diff, describeNaive(p, domains))
				}
			}
			for kind := range s.orders {
				brokers := s.inOrder(int32(kind))
				for i, next := range brokers {
					if next.most != s.most(int32(kind), next.broker) || i > 0 && next.most > brokers[i-1].most {
						t.Fatalf("brokers are ordered as %v\n%s", brokers, describeNaive(p, domains))
					}
				}
			}
		}
	})
}
