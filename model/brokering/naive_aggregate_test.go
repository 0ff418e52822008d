// The naive simulator: aggregated forms and their matching.

package brokering

import (
	"gridsweep/model/brokering/pool"
)

// naiveComputer is a cluster as a computer in the resource model.
type naiveComputer struct {
	platform                         pool.Platform
	clock, cpus, freeCPUs            int64
	ram, ramFree, diskSize, diskFree int64
}

// naiveAttribute is an attribute of an aggregated resource, of so many computers.
type naiveAttribute struct{ count, largest, total int64 }

func (a naiveAttribute) average() float64 { return float64(a.total) / float64(a.count) }

// naiveAggregated is an aggregated computer.
type naiveAggregated struct {
	clock, cpus, memory, disk   naiveAttribute // of the last three what is free
	allCPUs, allMemory, allDisk naiveAttribute
}

// naiveGroup is an aggregated resource: its value, and the computers whose resources are
// aggregated.
type naiveGroup struct {
	value     string
	computers []int
}

func (n *naive) computers(d int) []naiveComputer {
	var computers []naiveComputer
	for c, resource := range n.domains[d].clusters {
		cpus, memory, disk := n.free(d, c)
		computers = append(computers, naiveComputer{
			platform: resource.platform, clock: resource.clock, cpus: int64(resource.cpus), freeCPUs: cpus,
			ram: resource.memory, ramFree: memory, diskSize: resource.disk, diskFree: disk,
		})
	}
	return computers
}

// aggregated returns the aggregated computers of a domain with that vendor and operating system, in
// the order of CS, OS, FS.
func (n *naive) aggregated(d int, platform pool.Platform) []naiveAggregated {
	split := n.p.Split
	if n.p.Strategy == "AGGR_SIMP" {
		split = "nothing"
	}
	computers := n.computers(d)
	attribute := func(g naiveGroup, quantity func(naiveComputer) int64) naiveAttribute {
		a := naiveAttribute{count: int64(len(g.computers))}
		for _, i := range g.computers {
			a.largest, a.total = max(a.largest, quantity(computers[i])), a.total+quantity(computers[i])
		}
		return a
	}
	systems, stores := naiveGroups(computers, "OS", split), naiveGroups(computers, "FS", split)
	var list []naiveAggregated
	for _, cs := range naiveGroups(computers, "CS", split) {
		for _, os := range systems {
			for _, fs := range stores {
				if (pool.Platform{Vendor: cs.value, System: os.value}) != platform || !cs.related(os) || !cs.related(fs) {
					continue
				}
				list = append(list, naiveAggregated{
					clock:     attribute(cs, func(c naiveComputer) int64 { return c.clock }),
					cpus:      attribute(cs, func(c naiveComputer) int64 { return c.freeCPUs }),
					memory:    attribute(os, func(c naiveComputer) int64 { return c.ramFree }),
					disk:      attribute(fs, func(c naiveComputer) int64 { return c.diskFree }),
					allCPUs:   attribute(cs, func(c naiveComputer) int64 { return c.cpus }),
					allMemory: attribute(os, func(c naiveComputer) int64 { return c.ram }),
					allDisk:   attribute(fs, func(c naiveComputer) int64 { return c.diskSize }),
				})
			}
		}
	}
	return list
}

// related reports whether a relationship joins two aggregated resources: that of a computer of
// which both have a part.
func (g naiveGroup) related(target naiveGroup) bool {
	for _, i := range g.computers {
		for _, k := range target.computers {
			if i == k {
				return true
			}
		}
	}
	return false
}

// naiveGroups returns the aggregated resources of a category: by values in the order in which these
// first appear, then by classes, without empty ones.
func naiveGroups(computers []naiveComputer, category, split string) []naiveGroup {
	value := func(c naiveComputer) string {
		switch category {
		case "CS":
			return c.platform.Vendor
		case "OS":
			return c.platform.System
		}
		return "/"
	}
	var groups []naiveGroup
	seen := map[string]bool{}
	for _, first := range computers {
		if seen[value(first)] {
			continue
		}
		seen[value(first)] = true
		for _, belongs := range naiveClasses(category, split) {
			g := naiveGroup{value: value(first)}
			for i, c := range computers {
				if value(c) == g.value && belongs(c) {
					g.computers = append(g.computers, i)
				}
			}
			if len(g.computers) > 0 {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// naiveClasses returns which computers belong to each class of a category.
func naiveClasses(category, split string) []func(naiveComputer) bool {
	var list []func(naiveComputer) bool
	switch split {
	case "nothing":
		list = append(list, func(naiveComputer) bool { return true })
	case "own":
		for class := range 3 {
			list = append(list, func(c naiveComputer) bool {
				switch category {
				case "CS":
					return c.cpuClass() == class
				case "OS":
					return c.memoryClass() == class
				}
				return c.diskClass() == class
			})
		}
	case "each":
		for class := range 3 {
			list = append(list, func(c naiveComputer) bool { return c.cpuClass() == class })
		}
		for class := range 3 {
			list = append(list, func(c naiveComputer) bool { return c.memoryClass() == class })
		}
		for class := range 3 {
			list = append(list, func(c naiveComputer) bool { return c.diskClass() == class })
		}
	case "joint":
		for cpu := range 3 {
			for memory := range 3 {
				for disk := range 3 {
					list = append(list, func(c naiveComputer) bool {
						return c.cpuClass() == cpu && c.memoryClass() == memory && c.diskClass() == disk
					})
				}
			}
		}
	}
	return list
}

func (c naiveComputer) cpuClass() int {
	if c.cpus == 0 {
		return 0
	}
	util := 100 * (c.cpus - c.freeCPUs) // % summed over the CPUs
	return naiveClass(float64(util) / float64(100*c.cpus))
}

func (c naiveComputer) memoryClass() int {
	if c.ram == 0 {
		return 0
	}
	return naiveClass(1 - float64(c.ramFree)/float64(c.ram))
}

func (c naiveComputer) diskClass() int {
	if c.diskSize == 0 {
		return 0
	}
	return naiveClass(1 - float64(c.diskFree)/float64(c.diskSize))
}

// naiveClass returns the class of a used share: LOW, MEDIUM or HIGH.
func naiveClass(used float64) int {
	switch {
	case used <= 0.33:
		return 0
	case used <= 0.66:
		return 1
	}
	return 2
}
