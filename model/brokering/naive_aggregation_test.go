package brokering

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
func describe(info *information, resources []aggregated, relationships []relationship, by split) description {
	var d description
	for i := range resources {
		r := &resources[i]
		d.resources = append(d.resources, fmt.Sprint(r.name(info, by), " ", r.count, " ", r.attributes))
	}
	for _, rel := range relationships {
		d.relationships = append(d.relationships, resources[rel.source].name(info, by)+" "+resources[rel.target].name(info, by))
	}
	return d
}

// naiveAggregate makes the same of the information in the obvious way: the names of all aggregated resources that there can be, in
// their order, each with what belongs to it.
func naiveAggregate(info *information, by split) description {
	var d description
	members := map[string][]resource{}
	for i, r := range info.resources {
		for _, name := range naiveNames(info, i, by) {
			members[name] = append(members[name], r)
		}
	}
	for c := range categories {
		for _, value := range naiveValues(info, c) {
			for _, suffix := range naiveSuffixes(by) {
				name := abbreviations[c] + "_" + value + suffix
				all := members[name]
				if len(all) == 0 {
					continue
				}
				var attributes [4]extremes
				for a := range attributes {
					var values []float64
					total := all[0].attributes[a]
					for i, r := range all {
						values = append(values, r.attributes[a])
						if i > 0 {
							total += r.attributes[a]
						}
					}
					attributes[a] = extremes{slices.Min(values), slices.Max(values), total}
				}
				d.resources = append(d.resources, fmt.Sprint(name, " ", len(all), " ", attributes))
			}
		}
	}
	for _, rel := range info.relationships {
		for i, source := range naiveNames(info, int(rel.source), by) {
			for j, target := range naiveNames(info, int(rel.target), by) {
				if by == paired && i != j {
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
func naiveValues(info *information, c category) []string {
	var values []string
	for _, r := range info.resources {
		if name := info.names[c][r.value]; r.category == c && !slices.Contains(values, name) {
			values = append(values, name)
		}
	}
	return values
}

// naiveSuffixes returns the ends of all names that a split can give, in their order.
func naiveSuffixes(by split) []string {
	classes := []string{"_LOW", "_MEDIUM", "_HIGH"}
	var all []string
	switch by {
	case whole:
		return []string{""}
	case own:
		return classes
	case each, paired:
		for _, attribute := range []string{"_CPU", "_MEM", "_DISK"} {
			for _, c := range classes {
				all = append(all, attribute+c)
			}
		}
	case joint:
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
func naiveNames(info *information, i int, by split) []string {
	r := info.resources[i]
	name := abbreviations[r.category] + "_" + info.names[r.category][r.value]
	cpu, memory, disk := naiveTextClass(info, i, computing), naiveTextClass(info, i, operating), naiveTextClass(info, i, storage)
	switch by {
	case own:
		return []string{name + []string{cpu, memory, disk}[r.category]}
	case each, paired:
		return []string{name + "_CPU" + cpu, name + "_MEM" + memory, name + "_DISK" + disk}
	case joint:
		return []string{name + cpu + memory + disk}
	}
	return []string{name}
}

// naiveTextClass returns how much is used of what a resource's computer has of a category.
func naiveTextClass(info *information, i int, c category) string {
	of := i
	if info.resources[i].category != c {
		computer := naiveTextComputer(info, i)
		of = computer
		if c != computing {
			of = slices.IndexFunc(info.relationships, func(rel relationship) bool {
				return int(rel.source) == computer && info.resources[rel.target].category == c
			})
			if of >= 0 {
				of = int(info.relationships[of].target)
			}
		}
	}
	if of < 0 {
		return "_LOW"
	}
	r := info.resources[of]
	used, size := r.attributes[0]-r.attributes[1], r.attributes[0] // OperatingSystem, FileSystem
	if c == computing {
		used, size = r.attributes[1]/100, r.attributes[2]
	}
	switch share := used / size; {
	case size == 0 || share <= 0.33+1e-9:
		return "_LOW"
	case share <= 0.66+1e-9:
		return "_MEDIUM"
	}
	return "_HIGH"
}

// naiveTextComputer returns the ComputingSystem of a resource's computer: itself or the first that has a relationship to it; -1 for none.
func naiveTextComputer(info *information, i int) int {
	if info.resources[i].category == computing {
		return i
	}
	at := slices.IndexFunc(info.relationships, func(rel relationship) bool { return int(rel.target) == i })
	if at < 0 {
		return -1
	}
	return int(info.relationships[at].source)
}
