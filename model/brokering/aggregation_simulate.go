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

// Names of the values among which computers are drawn. Further ones are numbered.
var (
	vendorNames = []string{"Intel", "AMD", "PowerPC", "SPARC", "Itanium", "MIPS"}
	systemNames = []string{"Linux", "AIX", "Solaris", "HP-UX", "IRIX", "Tru64", "FreeBSD", "Windows"}
	pathNames   = []string{"/"}
)

// simulateAggregation draws computers and counts the resources, relationships and bytes that
// describe them. It times the second aggregation, which reuses memory like that of a broker.
func simulateAggregation(ctx context.Context, p AggregationParameters, env model.Env) (AggregationOutcome, error) {
	computers := drawComputers(ctx, p, env.Seed.Stream("computers"))
	if ctx.Err() != nil {
		return AggregationOutcome{}, ctx.Err()
	}
	if p.Form == "original" {
		bytes := information.Size(ctx, computers.Lines())
		return aggregationOutcome(len(computers.Resources), len(computers.Relationships), bytes, 0), ctx.Err()
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
	vendors := drawnNames{information.CS, make([]int32, p.Vendors), vendorNames, "vendor"}
	systems := drawnNames{information.OS, make([]int32, p.Systems), systemNames, "system"}
	paths := drawnNames{information.FS, make([]int32, p.FileSystems), pathNames, "/fs"}
	for i := range p.Computers {
		if i%cancelEvery == 0 && ctx.Err() != nil {
			break
		}
		vendor := vendors.draw(computers, s)
		clock := float64(1600 + 200*s.Intn(int(p.Clocks)))
		system, path := systems.draw(computers, s), paths.draw(computers, s)
		cpus := float64(int(1) << s.Intn(5))
		memory := float64(int(1000) << s.Intn(7))
		disk := float64(100_000 + 50_000*s.Intn(4))
		utilisation := math.Round(100 * cpus * s.Float64())
		memoryUsed, diskUsed := math.Round(memory*s.Float64()), math.Round(disk*s.Float64())
		computers.Add(
			information.ComputingSystem(vendor, clock, utilisation, cpus),
			information.OperatingSystem(system, memory, memory-memoryUsed),
			information.FileSystem(path, disk, disk-diskUsed),
		)
	}
	return computers
}

// drawnNames are the names among which the values of a category are drawn.
type drawnNames struct {
	category information.Category
	values   []int32  // 1 + the value of each, or 0 before its first appearance
	names    []string // of the first of them
	word     string   // of the names of the others
}

// draw draws a name and returns its value.
func (d *drawnNames) draw(computers *information.Computers, s *rng.Stream) int32 {
	at := s.Intn(len(d.values))
	if d.values[at] == 0 {
		d.values[at] = 1 + computers.Value(d.category, name(d.names, at, d.word))
	}
	return d.values[at] - 1
}

// name returns the name at an index. Where the names end it is a word and a number from 1.
func name(names []string, at int, word string) string {
	if at < len(names) {
		return names[at]
	}
	return fmt.Sprintf("%s%d", word, at+1)
}
