// A run of the study of the aggregation algorithms (section 6.2).

package brokering

import (
	"context"
	"fmt"
	"math"

	"gridsweep/model"
	"gridsweep/model/brokering/information"
	"gridsweep/model/rng"
)

// simulateAggregation draws computers and counts the resources, relationships and bytes that
// describe them. It times the second aggregation, which reuses memory like that of a broker.
func simulateAggregation(ctx context.Context, p AggregationParameters, env model.Env) (AggregationOutcome, error) {
	computers := drawComputers(ctx, p, env.Seed.Stream("computers"))
	if ctx.Err() != nil {
		return AggregationOutcome{}, ctx.Err()
	}
	if p.Form == "original" {
		n, bytes := len(computers.List), information.Size(ctx, computers.Lines())
		return aggregationOutcome(3*n, 2*n, bytes, 0), ctx.Err() // Listing 1
	}
	var a information.Aggregator
	by := p.splitting()
	a.Aggregate(computers, by)
	if ctx.Err() != nil {
		return AggregationOutcome{}, ctx.Err()
	}
	end := env.Span("aggregate", int(p.Computers))
	resources, relationships := a.Aggregate(computers, by)
	end()
	bytes := information.Size(ctx, computers.AggregatedLines(resources, relationships, by))
	return aggregationOutcome(len(resources), len(relationships), bytes, a.Inaccuracy(computers)), ctx.Err()
}

func aggregationOutcome(resources, relationships int, bytes int64, inaccuracy float64) AggregationOutcome {
	return AggregationOutcome{
		Resources: int64(resources), Relationships: int64(relationships), Bytes: bytes,
		BytesEach: float64(bytes) / float64(resources+relationships), Inaccuracy: inaccuracy,
	}
}

// splitting returns the split of a form that is not the original one.
func (p AggregationParameters) splitting() information.Split {
	if p.Form == "simple" {
		return information.Whole
	}
	return splits[p.Split]
}

// drawComputers draws the computers. Each takes equally many numbers of the stream, so that a
// larger set begins with the computers of a smaller one. It ends early when the context is
// cancelled.
func drawComputers(ctx context.Context, p AggregationParameters, s *rng.Stream) *information.Computers {
	computers := &information.Computers{}
	vendors := names(p.Vendors, "vendor", "Intel", "AMD", "PowerPC", "SPARC", "Itanium", "MIPS")
	systems := names(p.Systems, "system", "Linux", "AIX", "Solaris", "HP-UX", "IRIX", "Tru64", "FreeBSD", "Windows")
	paths := names(p.FileSystems, "/fs", "/")
	draw := func(c information.Category, among []string) int32 {
		return computers.Value(c, among[s.Intn(len(among))])
	}
	for i := range p.Computers {
		if model.Cancelled(ctx, int(i)) {
			break
		}
		vendor := draw(information.CS, vendors)
		clock := float64(1600 + 200*s.Intn(int(p.Clocks)))
		system, path := draw(information.OS, systems), draw(information.FS, paths)
		cpus := float64(int(1) << s.Intn(5))
		memory := float64(int(1000) << s.Intn(7))
		disk := float64(100_000 + 50_000*s.Intn(4))
		utilisation := math.Round(100 * cpus * s.Float64())
		memoryUsed, diskUsed := math.Round(memory*s.Float64()), math.Round(disk*s.Float64())
		computers.List = append(computers.List, information.Computer{
			information.ComputingSystem(vendor, clock, utilisation, cpus),
			information.OperatingSystem(system, memory, memory-memoryUsed),
			information.FileSystem(path, disk, disk-diskUsed),
		})
	}
	return computers
}

// names returns so many names: the listed ones, then the word with a number from 1.
func names(n int64, word string, listed ...string) []string {
	for i := len(listed); i < int(n); i++ {
		listed = append(listed, fmt.Sprintf("%s%d", word, i+1))
	}
	return listed[:n]
}
