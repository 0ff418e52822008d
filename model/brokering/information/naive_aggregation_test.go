// A naive implementation of the aggregation algorithms.

package information

import (
	"fmt"
	"slices"
)

// description is an aggregated form in words, relationships as pairs of names.
type description struct {
	resources     []string
	relationships []string
}

func (d description) Equal(o description) bool {
	return slices.Equal(d.resources, o.resources) && slices.Equal(d.relationships, o.relationships)
}

// describe puts what an aggregator returned into words.
func describe(info *Computers, resources []Aggregated, relationships []Relationship, by Split) description {
	var d description
	for i := range resources {
		r := &resources[i]
		d.resources = append(d.resources, fmt.Sprint(r.name(info, by), " ", r.Count, " ", r.Attributes))
	}
	for _, rel := range relationships {
		source, target := &resources[rel.Source], &resources[rel.Target]
		d.relationships = append(d.relationships, source.name(info, by)+" "+target.name(info, by))
	}
	return d
}

// naiveAggregate aggregates in the obvious way: it lists the names of all possible aggregated
// resources, in order, and collects the resources that belong to each.
func naiveAggregate(info *Computers, by Split) description {
	var d description
	members := map[string][]Resource{}
	for _, computer := range info.List {
		for c, r := range computer {
			for _, name := range naiveNames(info, computer, Category(c), by) {
				members[name] = append(members[name], r)
			}
		}
	}
	for c := range Categories {
		for _, value := range naiveValues(info, c) {
			for _, suffix := range naiveSuffixes(by) {
				name := abbreviations[c] + "_" + value + suffix
				all := members[name]
				if len(all) == 0 {
					continue
				}
				var attributes [4]Extremes
				for a := range attributes {
					var values []float64
					total := all[0].Attributes[a]
					for i, r := range all {
						values = append(values, r.Attributes[a])
						if i > 0 {
							total += r.Attributes[a]
						}
					}
					attributes[a] = Extremes{slices.Min(values), slices.Max(values), total}
				}
				d.resources = append(d.resources, fmt.Sprint(name, " ", len(all), " ", attributes))
			}
		}
	}
	for _, computer := range info.List {
		for _, c := range []Category{OS, FS} {
			for i, source := range naiveNames(info, computer, CS, by) {
				for j, target := range naiveNames(info, computer, c, by) {
					if by == Paired && i != j {
						continue
					}
					if pair := source + " " + target; !slices.Contains(d.relationships, pair) {
						d.relationships = append(d.relationships, pair)
					}
				}
			}
		}
	}
	return d
}

// naiveValues returns the names of a category's values in the order of first appearance.
func naiveValues(info *Computers, c Category) []string {
	var values []string
	for _, computer := range info.List {
		if value := info.Names[c][computer[c].Value]; !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}

// naiveSuffixes returns the ends of all names that a split can give, in their order.
func naiveSuffixes(by Split) []string {
	levels := []string{"_LOW", "_MEDIUM", "_HIGH"}
	var all []string
	switch by {
	case Whole:
		return []string{""}
	case Own:
		return levels
	case Each, Paired:
		for _, attribute := range []string{"_CPU", "_MEM", "_DISK"} {
			for _, level := range levels {
				all = append(all, attribute+level)
			}
		}
	case Joint:
		for _, cpu := range levels {
			for _, memory := range levels {
				for _, disk := range levels {
					all = append(all, cpu+memory+disk)
				}
			}
		}
	}
	return all
}

// naiveNames returns the names of the aggregated resources to which a resource of a computer
// belongs.
func naiveNames(info *Computers, computer Computer, c Category, by Split) []string {
	name := abbreviations[c] + "_" + info.Names[c][computer[c].Value]
	cs, os, fs := computer[CS].Attributes, computer[OS].Attributes, computer[FS].Attributes
	cpu, memory, disk := naiveLevel(cs[1]/100, cs[2]), naiveLevel(os[0]-os[1], os[0]), naiveLevel(fs[0]-fs[1], fs[0])
	switch by {
	case Own:
		return []string{name + []string{cpu, memory, disk}[c]}
	case Each, Paired:
		return []string{name + "_CPU" + cpu, name + "_MEM" + memory, name + "_DISK" + disk}
	case Joint:
		return []string{name + cpu + memory + disk}
	}
	return []string{name}
}

// naiveLevel returns the level of what is used of a size.
func naiveLevel(used, size float64) string {
	switch share := used / size; {
	case size == 0 || share <= 0.33+1e-9:
		return "_LOW"
	case share <= 0.66+1e-9:
		return "_MEDIUM"
	}
	return "_HIGH"
}
