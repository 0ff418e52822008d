// The text form of resources and relationships (Listings 1, 3 and 5), whose bytes are counted.

package information

import (
	"context"
	"iter"
	"math"
	"strconv"
)

// Words of the text form by category: type, abbreviation, name of the value and of the attributes.
var (
	typeNames      = [Categories]string{"ComputingSystem", "OperatingSystem", "FileSystem"}
	abbreviations  = [Categories]string{"CS", "OS", "FS"}
	valueNames     = [Categories]string{"vendor", "OSName", "RootPath"}
	attributeNames = [Categories][]string{
		{"clockSpeed", "CPUUtil", "totalCPUs", "freeCPUs"}, {"RamSize", "RamAvailable"}, {"sizeMB", "freeMB"}}
	splitNames = [Categories]string{"CPU", "MEM", "DISK"}
	levelNames = [...]string{low: "LOW", medium: "MEDIUM", high: "HIGH"}
)

// cancelEvery is how many lines are counted between two checks of the context.
const cancelEvery = 1 << 14

// Size returns how many bytes lines have. It ends early when the context is cancelled.
func Size(ctx context.Context, lines iter.Seq[[]byte]) (n int64) {
	i := 0
	for line := range lines {
		if i++; i%cancelEvery == 0 && ctx.Err() != nil {
			return n
		}
		n += int64(len(line))
	}
	return n
}

// Lines returns the text form of the regular model (Listing 1): a line for each resource and
// relationship. A line is valid until the next one.
func (cs *Computers) Lines() iter.Seq[[]byte] {
	lines := make([]described, len(cs.Resources))
	var counts [Categories]int
	for i, r := range cs.Resources {
		counts[r.Category]++
		lines[i] = described{r.Category, r.Value, abbreviations[r.Category] + "_host" + strconv.Itoa(counts[r.Category])}
	}
	names := attributeNames
	names[CS] = names[CS][:FreeCPUs] // these follow from the others, but not where they are aggregated
	return cs.lines(lines, cs.Relationships, names, func(b []byte, i, attribute int) []byte {
		return appendNumber(b, cs.Resources[i].Attributes[attribute])
	})
}

// AggregatedLines returns the text form of the aggregated form of the computers (Listings 3 and 5),
// in the same way.
func (cs *Computers) AggregatedLines(resources []Aggregated, relationships []Relationship, by Split) iter.Seq[[]byte] {
	lines := make([]described, len(resources))
	for i := range resources {
		r := &resources[i]
		lines[i] = described{r.Category, r.Value, r.name(cs, by)}
	}
	return cs.lines(lines, relationships, attributeNames, func(b []byte, i, attribute int) []byte {
		return appendExtremes(b, resources[i].Attributes[attribute], resources[i].Count)
	})
}

// described is the part of a resource's text form besides its attributes.
type described struct {
	category Category
	value    int32
	name     string
}

// lines yields the lines of resources, with attributes of these names, and of relationships.
// appendValue appends the value of an attribute of a resource, by their indices.
func (cs *Computers) lines(resources []described, relationships []Relationship, names [Categories][]string,
	appendValue func(b []byte, i, attribute int) []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var b []byte
		for i := range resources {
			r := &resources[i]
			b = appendResource(b[:0], r.category, r.name, cs.Names[r.category][r.value])
			for at, attribute := range names[r.category] {
				b = append(append(append(b, ' '), attribute...), `="`...)
				b = append(appendValue(b, i, at), '"')
			}
			if !yield(append(b, '\n')) {
				return
			}
		}
		for _, rel := range relationships {
			source, target := &resources[rel.Source], &resources[rel.Target]
			b = appendRelationship(b[:0], source.category, target.category, source.name, target.name)
			if !yield(b) {
				return
			}
		}
	}
}

// name returns the name of an aggregated resource: its category, value and levels.
func (r *Aggregated) name(cs *Computers, by Split) string {
	name := abbreviations[r.Category] + "_" + cs.Names[r.Category][r.Value]
	for c, level := range r.levels {
		if level == unsplit {
			continue
		}
		if by == Each || by == Paired {
			name += "_" + splitNames[c]
		}
		name += "_" + levelNames[level]
	}
	return name
}

func appendResource(b []byte, c Category, name, value string) []byte {
	b = append(append(b, `Resource: Type="`...), typeNames[c]...)
	b = append(append(b, `", Name="`...), name...)
	b = append(append(b, `" Attrs: `...), valueNames[c]...)
	b = append(append(b, `="`...), value...)
	return append(b, '"')
}

func appendRelationship(b []byte, source, target Category, sourceName, targetName string) []byte {
	b = append(append(b, `Relationship: SourceType="`...), abbreviations[source]...)
	b = append(append(b, `", SourceName="`...), sourceName...)
	b = append(append(b, `", TargetType="`...), abbreviations[target]...)
	b = append(append(b, `", TargetName="`...), targetName...)
	return append(b, "\"\n"...)
}

// appendExtremes writes as the paper's section 4 does: "(1-4, <count=15>, <total=31>)".
func appendExtremes(b []byte, e Extremes, count int32) []byte {
	b = appendNumber(append(b, '('), e.Min)
	b = appendNumber(append(b, '-'), e.Max)
	b = strconv.AppendInt(append(b, ", <count="...), int64(count), 10)
	b = appendNumber(append(b, ">, <total="...), e.Total)
	return append(b, ">)"...)
}

// appendNumber writes plain digits. CPUs that are free are whole hundredths, of which their total
// may be off by rounding.
func appendNumber(b []byte, x float64) []byte {
	return strconv.AppendFloat(b, math.Round(100*x)/100, 'f', -1, 64)
}
