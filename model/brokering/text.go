package brokering

import (
	"context"
	"iter"
	"math"
	"strconv"
)

// Words of the text form by category: type, abbreviation, what the value is and the attributes.
var (
	typeNames      = [categories]string{"ComputingSystem", "OperatingSystem", "FileSystem"}
	abbreviations  = [categories]string{"CS", "OS", "FS"}
	valueNames     = [categories]string{"vendor", "OSName", "RootPath"}
	attributeNames = [categories][]string{
		{"clockSpeed", "CPUUtil", "totalCPUs", "freeCPUs"}, {"RamSize", "RamAvailable"}, {"sizeMB", "freeMB"}}
	splitNames = [categories]string{"CPU", "MEM", "DISK"}
	classNames = [...]string{low: "LOW", medium: "MEDIUM", high: "HIGH"}
)

// size returns how many bytes lines have; those of some of them when the context is cancelled.
func size(ctx context.Context, lines iter.Seq[[]byte]) (n int64) {
	i := 0
	for line := range lines {
		if i++; i%cancelEvery == 0 && ctx.Err() != nil {
			return n
		}
		n += int64(len(line))
	}
	return n
}

// lines returns the text form of the original (Listing 1): a line for each resource and relationship. A line is valid until the
// next one.
func (info *information) lines() iter.Seq[[]byte] {
	names := make([]string, len(info.resources))
	var counts [categories]int
	for i, r := range info.resources {
		counts[r.category]++
		names[i] = abbreviations[r.category] + "_host" + strconv.Itoa(counts[r.category])
	}
	return func(yield func([]byte) bool) {
		var b []byte
		for i := range info.resources {
			r := &info.resources[i]
			b = appendResource(b[:0], r.category, names[i], info.names[r.category][r.value])
			for at, attribute := range attributeNames[r.category] {
				if r.category == computing && at == cpusFree {
					continue // follows from the others; not so where they are aggregated
				}
				b = appendNumber(appendAttribute(b, attribute), r.attributes[at])
				b = append(b, '"')
			}
			if !yield(append(b, '\n')) {
				return
			}
		}
		for _, rel := range info.relationships {
			b = appendRelationship(b[:0], info.resources[rel.source].category, info.resources[rel.target].category,
				names[rel.source], names[rel.target])
			if !yield(b) {
				return
			}
		}
	}
}

// aggregatedLines returns the text form of what is aggregated, in the same way.
func (info *information) aggregatedLines(resources []aggregated, relationships []relationship, by split) iter.Seq[[]byte] {
	names := make([]string, len(resources))
	for i := range resources {
		names[i] = resources[i].name(info, by)
	}
	return func(yield func([]byte) bool) {
		var b []byte
		for i := range resources {
			r := &resources[i]
			b = appendResource(b[:0], r.category, names[i], info.names[r.category][r.value])
			for at, attribute := range attributeNames[r.category] {
				b = appendExtremes(appendAttribute(b, attribute), r.attributes[at], r.count)
				b = append(b, '"')
			}
			if !yield(append(b, '\n')) {
				return
			}
		}
		for _, rel := range relationships {
			b = appendRelationship(b[:0], resources[rel.source].category, resources[rel.target].category,
				names[rel.source], names[rel.target])
			if !yield(b) {
				return
			}
		}
	}
}

// name returns what an aggregated resource is called: its category, value and classes.
func (r *aggregated) name(info *information, by split) string {
	name := abbreviations[r.category] + "_" + info.names[r.category][r.value]
	for c, class := range r.classes {
		if class == none {
			continue
		}
		if by == each || by == paired {
			name += "_" + splitNames[c]
		}
		name += "_" + classNames[class]
	}
	return name
}

func appendResource(b []byte, c category, name, value string) []byte {
	b = append(append(b, `Resource: Type="`...), typeNames[c]...)
	b = append(append(b, `", Name="`...), name...)
	b = append(append(b, `" Attrs: `...), valueNames[c]...)
	b = append(append(b, `="`...), value...)
	return append(b, '"')
}

func appendRelationship(b []byte, source, target category, sourceName, targetName string) []byte {
	b = append(append(b, `Relationship: SourceType="`...), abbreviations[source]...)
	b = append(append(b, `", SourceName="`...), sourceName...)
	b = append(append(b, `", TargetType="`...), abbreviations[target]...)
	b = append(append(b, `", TargetName="`...), targetName...)
	return append(b, "\"\n"...)
}

// appendAttribute begins an attribute, to which its value and a quotation mark are still to be added.
func appendAttribute(b []byte, name string) []byte {
	b = append(append(b, ' '), name...)
	return append(b, `="`...)
}

// appendExtremes writes as the paper's section 4 does: "(1-4, <count=15>, <total=31>)".
func appendExtremes(b []byte, e extremes, count int32) []byte {
	b = appendNumber(append(b, '('), e.min)
	b = appendNumber(append(b, '-'), e.max)
	b = strconv.AppendInt(append(b, ", <count="...), int64(count), 10)
	b = appendNumber(append(b, ">, <total="...), e.total)
	return append(b, ">)"...)
}

// appendNumber writes plain digits. CPUs that are free are whole hundredths, of which their total may be off by rounding.
func appendNumber(b []byte, x float64) []byte {
	return strconv.AppendFloat(b, math.Round(100*x)/100, 'f', -1, 64)
}
