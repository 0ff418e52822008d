package brokering

import (
	"context"
	"fmt"
	"math"

	"gridsweep/model"
	"gridsweep/model/rng"
)

// Names of what computers are drawn from, as far as they go.
var (
	vendorNames = []string{"Intel", "AMD", "PowerPC", "SPARC", "Itanium", "MIPS"}
	systemNames = []string{"Linux", "AIX", "Solaris", "HP-UX", "IRIX", "Tru64", "FreeBSD", "Windows"}
	pathNames   = []string{"/"}
)

// simulateAggregation draws computers and counts what describes them. What is measured is the second aggregation, for which the
// first one left its memory, as for a broker that does it again and again.
func simulateAggregation(ctx context.Context, p AggregationParameters, env model.Env) (AggregationOutcome, error) {
	info := drawComputers(ctx, p, env.Seed.Stream("computers"))
	if ctx.Err() != nil {
		return AggregationOutcome{}, ctx.Err()
	}
	if p.Form == "original" {
		return aggregationOutcome(len(info.resources), len(info.relationships), size(ctx, info.lines()), 0), ctx.Err()
	}
	var a aggregator
	by := p.splitting()
	a.aggregate(info, by)
	if ctx.Err() != nil {
		return AggregationOutcome{}, ctx.Err()
	}
	end := env.Span("aggregate", int(p.Computers))
	resources, relationships := a.aggregate(info, by)
	end()
	bytes := size(ctx, info.aggregatedLines(resources, relationships, by))
	return aggregationOutcome(len(resources), len(relationships), bytes, a.inaccuracy(info)), ctx.Err()
}

func aggregationOutcome(resources, relationships int, bytes int64, inaccuracy float64) AggregationOutcome {
	return AggregationOutcome{
		Resources: int64(resources), Relationships: int64(relationships), Bytes: bytes,
		BytesEach: float64(bytes) / float64(resources+relationships), Inaccuracy: inaccuracy,
	}
}

// inaccuracy returns by how many points, on average, what is used of a resource is off what is used of the aggregated one to which
// it belongs by that, after an aggregation of the information.
func (a *aggregator) inaccuracy(info *information) float64 {
	off, parts := 0.0, len(a.members)/len(info.resources)
	for i := range info.resources {
		r := &info.resources[i]
		of := a.members[parts*i]
		if parts > 1 {
			of = a.members[parts*i+int(r.category)]
		}
		size, free := capacity[r.category], available[r.category]
		all := &a.resources[of.code].attributes
		off += math.Abs(r.attributes[free]/r.attributes[size] - all[free].total/all[size].total)
	}
	return 100 * off / float64(len(info.resources))
}

// splitting returns how a form that is not the original one splits values.
func (p AggregationParameters) splitting() split {
	switch {
	case p.Form == "simple":
		return whole
	case p.Split == "own":
		return own
	case p.Split == "each":
		return each
	case p.Split == "paired":
		return paired
	}
	return joint
}

// drawComputers draws the computers, each with as many numbers of the stream: the first ones are the same however many there are.
// It ends early when the context is cancelled.
func drawComputers(ctx context.Context, p AggregationParameters, s *rng.Stream) *information {
	info := &information{}
	vendors := drawnNames{computing, make([]int32, p.Vendors), vendorNames, "vendor"}
	systems := drawnNames{operating, make([]int32, p.Systems), systemNames, "system"}
	paths := drawnNames{storage, make([]int32, p.FileSystems), pathNames, "/fs"}
	for i := range p.Computers {
		if i%cancelEvery == 0 && ctx.Err() != nil {
			break
		}
		vendor := vendors.draw(info, s)
		clock := float64(1600 + 200*s.Intn(int(p.Clocks)))
		system, path := systems.draw(info, s), paths.draw(info, s)
		cpus := float64(int(1) << s.Intn(5))
		memory := float64(int(1000) << s.Intn(7))
		disk := float64(100_000 + 50_000*s.Intn(4))
		utilisation := math.Round(100 * cpus * s.Float64())
		memoryUsed, diskUsed := math.Round(memory*s.Float64()), math.Round(disk*s.Float64())
		info.add(
			computingSystem(vendor, clock, utilisation, cpus),
			operatingSystem(system, memory, memory-memoryUsed),
			fileSystem(path, disk, disk-diskUsed),
		)
	}
	return info
}

// drawnNames are the names among which the values of a category are drawn.
type drawnNames struct {
	category category
	values   []int32  // 1 + the value of each, or 0 before its first appearance
	names    []string // of the first of them
	word     string   // of the names of the others
}

// draw draws one and returns its value.
func (d *drawnNames) draw(info *information, s *rng.Stream) int32 {
	at := s.Intn(len(d.values))
	if d.values[at] == 0 {
		d.values[at] = 1 + info.number(d.category, name(d.names, at, d.word))
	}
	return d.values[at] - 1
}

// name returns the name at a place, which is made up of a word and a number from 1 where the names end.
func name(names []string, at int, word string) string {
	if at < len(names) {
		return names[at]
	}
	return fmt.Sprintf("%s%d", word, at+1)
}
