package brokering

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// TestKnownIsAggregated changes what is free of some resources, again and again: what is then known of their domains is what an
// aggregator makes of these, to the last bit.
func TestKnownIsAggregated(t *testing.T) {
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
			for d := range int32(len(domains)) {
				var have [][]offer
				for _, of := range s.knownOf(d).kinds {
					have = append(have, of.offers)
				}
				unexported, slots := cmp.AllowUnexported(offer{}), cmpopts.IgnoreFields(offer{}, "slots")
				if diff := cmp.Diff(aggregatedOffers(s, d), have, unexported, slots, cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("domain %d (-aggregated +kept):\n%s\n%s", d+1, diff, describeNaive(p, domains))
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

// aggregatedOffers returns the offers of each kind that an aggregator makes of a domain's resources.
func aggregatedOffers(s *system, d int32) [][]offer {
	var info information
	for i := s.first[d]; i < s.first[d+1]; i++ {
		m := &s.machines[i]
		of := s.kinds[m.kind]
		info.add(
			computingSystem(info.number(computing, of.vendor), float64(m.clock), float64(100*(m.total.cpus-m.free.cpus)), float64(m.total.cpus)),
			operatingSystem(info.number(operating, of.system), float64(m.total.memory), float64(m.free.memory)),
			fileSystem(info.number(storage, "/"), float64(m.total.disk), float64(m.free.disk)))
	}
	var a aggregator
	resources, relationships := a.aggregate(&info, s.split)
	offers := make([][]offer, len(s.kinds))
	for c, cs := range resources {
		for o, os := range resources {
			for f, fs := range resources {
				if os.category != operating || fs.category != storage || !slices.Contains(relationships, relationship{int32(c), int32(o)}) ||
					!slices.Contains(relationships, relationship{int32(c), int32(f)}) {
					continue
				}
				of := slices.Index(s.kinds, kind{info.names[computing][cs.value], info.names[operating][os.value]})
				offers[of] = append(offers[of], offer{
					clock: int64(cs.attributes[clockSpeed].max), cpus: mostOf(s, &cs), memory: mostOf(s, &os), disk: mostOf(s, &fs),
					rank: s.rank(d, cs.attributes[clockSpeed].total/float64(cs.count), averageFree(&cs), averageFree(&os), averageFree(&fs)),
				})
			}
		}
	}
	return offers
}

// mostOf returns the most that is free of an aggregated resource, under SLOW that there is.
func mostOf(s *system, r *aggregated) int64 {
	if s.slow {
		return int64(r.attributes[capacity[r.category]].max)
	}
	return int64(r.attributes[available[r.category]].max)
}

// averageFree returns what is free of an aggregated resource on average.
func averageFree(r *aggregated) float64 {
	return r.attributes[available[r.category]].total / float64(r.count)
}
