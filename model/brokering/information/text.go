// The text form of resources and relationships (Listings 1, 3 and 5), whose bytes are counted.

package information

import (
	"context"
	"iter"
	"math"
	"strconv"

	"gridsweep/model"
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

// Size returns how many bytes lines have. It ends early when the context is cancelled.
func Size(ctx context.Context, lines iter.Seq[[]byte]) (n int64) {
	i := 0
	for line := range lines {
		if i++; model.Cancelled(ctx, i) {
			return n
		}
		n += int64(len(line))
	}
	return n
}

// Lines returns the text form of the regular model (Listing 1): a line for each resource and
// relationship. A line is valid until the next one.
func (cs *Computers) Lines() iter.Seq[[]byte] {
	n := len(cs.List)
	resources, relationships := make([]described, 0, 3*n), make([]Relationship, 0, 2*n)
	for i := range cs.List {
		at := int32(len(resources))
		for c := range Categories {
			name := abbreviations[c] + "_host" + strconv.Itoa(i+1)
			resources = append(resources, described{c, cs.List[i][c].Value, name})
		}
		relationships = append(relationships, Relationship{at, at + 1}, Relationship{at, at + 2})
	}
	names := attributeNames
	// free CPUs follow from the others, but not where they are aggregated
	names[CS] = names[CS][:FreeCPUs]
	return cs.lines(resources, relationships, names, func(b []byte, i, attribute int) []byte {
		return appendNumber(b, cs.List[i/int(Categories)][i%int(Categories)].Attributes[attribute])
	})
}

// AggregatedLines returns the text form of the aggregated form of the computers (Listings 3 and 5),
// in the same way.
func (cs *Computers) AggregatedLines(resources []Aggregated, relationships []Relationship, by Split) iter.Seq[[]byte] {
	var list []described
	for i := range resources {
		r := &resources[i]
		list = append(list, described{r.Category, r.Value, r.name(cs, by)})
	}
	return cs.lines(list, relationships, attributeNames, func(b []byte, i, attribute int) []byte {
		return appendExtremes(b, resources[i].Attributes[attribute], resources[i].Count)
	})
}

// described is a resource's text form without its attributes.
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
			b = append(append(b[:0], `Resource: Type="`...), typeNames[r.category]...)
			b = append(append(b, `", Name="`...), r.name...)
			b = append(append(b, `" Attrs: `...), valueNames[r.category]...)
			b = append(append(append(b, `="`...), cs.Names[r.category][r.value]...), '"')
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
			b = append(append(b[:0], `Relationship: SourceType="`...), abbreviations[source.category]...)
			b = append(append(b, `", SourceName="`...), source.name...)
			b = append(append(b, `", TargetType="`...), abbreviations[target.category]...)
			b = append(append(b, `", TargetName="`...), target.name...)
			if !yield(append(b, "\"\n"...)) {
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
