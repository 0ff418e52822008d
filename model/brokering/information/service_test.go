// The service after drawn changes, compared with the Aggregator to the last bit.

package information

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"gridsweep/model/brokering/pool"
)

// TestServiceAsAggregator changes the free amounts of clusters again and again. The aggregated
// computers of each domain equal those that an aggregator makes of its clusters, to the last bit,
// and brokers are in the order of their bounds.
func TestServiceAsAggregator(t *testing.T) {
	platforms := []pool.Platform{{Vendor: "Intel", System: "Linux"}, {Vendor: "Intel", System: "AIX"},
		{Vendor: "AMD", System: "Linux"}}
	rapid.Check(t, func(t *rapid.T) {
		domains := make([][]Cluster, rapid.IntRange(1, 3).Draw(t, "domains"))
		for d := range domains {
			for range rapid.IntRange(1, 5).Draw(t, "clusters") {
				domains[d] = append(domains[d], Cluster{
					Platform: int32(rapid.IntRange(0, len(platforms)-1).Draw(t, "platform")),
					Clock:    rapid.Int64Range(1, 3).Draw(t, "clock"),
					Total:    drawAmount(t, 1, pool.Amount{CPUs: 9, Memory: 9, Disk: 9}),
				})
			}
		}
		c := Config{
			Split:       rapid.SampledFrom([]Split{Whole, Own, Each, Joint}).Draw(t, "split"),
			MatchTotals: rapid.Bool().Draw(t, "total"),
			Term: func(domain int32, characteristic int, amount float64) float64 {
				return float64(1+domain) * amount / float64(3+characteristic)
			},
			Sum: rapid.Bool().Draw(t, "sum"), MaxPriority: 2,
		}
		s := NewService(c, domains, platforms)
		free := make([][]pool.Amount, len(domains))
		for d := range domains {
			for _, cluster := range domains[d] {
				free[d] = append(free[d], cluster.Total)
			}
		}
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			for range rapid.IntRange(0, 3).Draw(t, "clusters that change") {
				d := rapid.IntRange(0, len(domains)-1).Draw(t, "domain")
				i := rapid.IntRange(0, len(domains[d])-1).Draw(t, "cluster")
				free[d][i] = drawAmount(t, 0, domains[d][i].Total)
				s.Update(int32(d), int32(i), &free[d][i])
			}
			for d := range domains {
				var have [][]AggregatedComputer
				for platform := range platforms {
					have = append(have, s.AggregatedComputers(int32(d), int32(platform)).List)
				}
				want := aggregatedComputers(c, int32(d), domains[d], free[d], platforms)
				internal := cmpopts.IgnoreFields(AggregatedComputer{}, "Aggregates")
				if diff := cmp.Diff(want, have, internal, cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("domain %d of %+v with %+v (-aggregated +kept):\n%s", d, domains, free, diff)
				}
			}
			for platform := range platforms {
				checkBounds(t, s, int32(platform), len(domains))
			}
		}
	})
}

// drawAmount draws an amount with CPUs, memory and disk between these bounds.
func drawAmount(t *rapid.T, from int64, to pool.Amount) pool.Amount {
	return pool.Amount{
		CPUs:   rapid.Int64Range(from, to.CPUs).Draw(t, "CPUs"),
		Memory: rapid.Int64Range(from, to.Memory).Draw(t, "memory"),
		Disk:   rapid.Int64Range(from, to.Disk).Draw(t, "disk"),
	}
}

// checkBounds requires that brokers are in the order of their bounds and that no score is above
// these.
func checkBounds(t *rapid.T, s *Service, platform int32, domains int) {
	brokers := s.Brokers(platform)
	for i, b := range brokers {
		if b.Bound != s.Bound(b.Broker, platform) || i > 0 && b.Bound > brokers[i-1].Bound {
			t.Fatalf("brokers of platform %d are in the order %v", platform, brokers)
		}
	}
	for d := range int32(domains) {
		var ranks pool.Ranks
		for _, c := range s.AggregatedComputers(d, platform).List {
			ranks.Add(c.Rank)
		}
		at := slices.IndexFunc(brokers, func(b BoundedBroker) bool { return b.Broker == d })
		if at < 0 != (ranks.Count == 0) {
			t.Fatalf("broker %d has %d computers of platform %d and is broker %d of these", d, ranks.Count, platform, at)
		}
		score := 2 * ranks.Best
		if s.config.Sum {
			score = 2 * ranks.Sum
		}
		if score > s.Bound(d, platform) {
			t.Fatalf("broker %d may score %v, above its bound %v", d, score, s.Bound(d, platform))
		}
	}
}

// aggregatedComputers returns those of each platform that an aggregator makes of the clusters of a
// domain.
func aggregatedComputers(
	c Config, d int32, clusters []Cluster, free []pool.Amount, platforms []pool.Platform,
) [][]AggregatedComputer {
	var computers Computers
	for i, c := range clusters {
		computers.List = append(computers.List, Computer{
			ComputingSystem(computers.Value(CS, platforms[c.Platform].Vendor), float64(c.Clock),
				float64(100*(c.Total.CPUs-free[i].CPUs)), float64(c.Total.CPUs)),
			OperatingSystem(computers.Value(OS, platforms[c.Platform].System), float64(c.Total.Memory),
				float64(free[i].Memory)),
			FileSystem(computers.Value(FS, "/"), float64(c.Total.Disk), float64(free[i].Disk)),
		})
	}
	var a Aggregator
	resources, relationships := a.Aggregate(&computers, c.Split)
	shown, rank := available, func(r *Aggregated) float64 {
		return c.Term(d, 1+int(r.Category), r.Attributes[available[r.Category]].Total/float64(r.Count))
	}
	if c.MatchTotals {
		shown = capacity
	}
	aggregated := make([][]AggregatedComputer, len(platforms))
	for x, cs := range resources {
		for y, os := range resources {
			for z, fs := range resources {
				if os.Category != OS || fs.Category != FS || !slices.Contains(relationships, Relationship{int32(x), int32(y)}) ||
					!slices.Contains(relationships, Relationship{int32(x), int32(z)}) {
					continue
				}
				most := func(r *Aggregated) int64 { return int64(r.Attributes[shown[r.Category]].Max) }
				platform := slices.Index(platforms,
					pool.Platform{Vendor: computers.Names[CS][cs.Value], System: computers.Names[OS][os.Value]})
				clock := cs.Attributes[ClockSpeed]
				aggregated[platform] = append(aggregated[platform], AggregatedComputer{
					Clock: int64(clock.Max), CPUs: most(&cs), Memory: most(&os), Disk: most(&fs),
					Rank: c.Term(d, 0, clock.Total/float64(cs.Count)) + rank(&cs) + rank(&os) + rank(&fs),
				})
			}
		}
	}
	return aggregated
}
