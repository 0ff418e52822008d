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
	for i, r := range info.Resources {
		for _, name := range naiveNames(info, i, by) {
			members[name] = append(members[name], r)
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
	for _, rel := range info.Relationships {
		for i, source := range naiveNames(info, int(rel.Source), by) {
			for j, target := range naiveNames(info, int(rel.Target), by) {
				if by == Paired && i != j {
					continue
				}
				if pair := source + " " + target; !slices.Contains(d.relationships, pair) {
					d.relationships = append(d.relationships, pair)
				}
			}
		}
	}
	return d
}

// naiveValues returns the names of a category's values in the order of first appearance.
func naiveValues(info *Computers, c Category) []string {
	var values []string
	for _, r := range info.Resources {
		if r.Category == c && !slices.Contains(values, info.Names[c][r.Value]) {
			values = append(values, info.Names[c][r.Value])
		}
	}
	return values
}

// naiveSuffixes returns the ends of all names that a split can give, in their order.
func naiveSuffixes(by Split) []string {
	classes := []string{"_LOW", "_MEDIUM", "_HIGH"}
	var all []string
	switch by {
	case Whole:
		return []string{""}
	case Own:
		return classes
	case Each, Paired:
		for _, attribute := range []string{"_CPU", "_MEM", "_DISK"} {
			for _, c := range classes {
				all = append(all, attribute+c)
			}
		}
	case Joint:
		for _, cpu := range classes {
			for _, memory := range classes {
				for _, disk := range classes {
					all = append(all, cpu+memory+disk)
				}
			}
		}
	}
	return all
}

// naiveNames returns the names of the aggregated resources to which a resource belongs.
func naiveNames(info *Computers, i int, by Split) []string {
	r := info.Resources[i]
	name := abbreviations[r.Category] + "_" + info.Names[r.Category][r.Value]
	cpu, memory, disk := naiveTextClass(info, i, CS), naiveTextClass(info, i, OS), naiveTextClass(info, i, FS)
	switch by {
	case Own:
		return []string{name + []string{cpu, memory, disk}[r.Category]}
	case Each, Paired:
		return []string{name + "_CPU" + cpu, name + "_MEM" + memory, name + "_DISK" + disk}
	case Joint:
		return []string{name + cpu + memory + disk}
	}
	return []string{name}
}

// naiveTextClass returns the level of use, for a category, of the computer of a resource.
func naiveTextClass(info *Computers, i int, c Category) string {
	of := i
	if info.Resources[i].Category != c {
		computer := naiveTextComputer(info, i)
		of = computer
		if c != CS {
			of = slices.IndexFunc(info.Relationships, func(rel Relationship) bool {
				return int(rel.Source) == computer && info.Resources[rel.Target].Category == c
			})
			if of >= 0 {
				of = int(info.Relationships[of].Target)
			}
		}
	}
	if of < 0 {
		return "_LOW"
	}
	r := info.Resources[of]
	used, size := r.Attributes[0]-r.Attributes[1], r.Attributes[0] // OperatingSystem, FileSystem
	if c == CS {
		used, size = r.Attributes[1]/100, r.Attributes[2]
	}
	switch share := used / size; {
	case size == 0 || share <= 0.33+1e-9:
		return "_LOW"
	case share <= 0.66+1e-9:
		return "_MEDIUM"
	}
	return "_HIGH"
}

// naiveTextComputer returns the ComputingSystem of a resource's computer: itself or the first that
// has a relationship to it; -1 for none.
func naiveTextComputer(info *Computers, i int) int {
	if info.Resources[i].Category == CS {
		return i
	}
	at := slices.IndexFunc(info.Relationships, func(rel Relationship) bool { return int(rel.Target) == i })
	if at < 0 {
		return -1
	}
	return int(info.Relationships[at].Source)
}
