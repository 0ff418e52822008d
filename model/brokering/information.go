package brokering

import "slices"

// category is what kind of a resource it is: its type in the paper's resource model.
type category uint8

const (
	computing category = iota // ComputingSystem
	operating                 // OperatingSystem
	storage                   // FileSystem
	categories
)

// Places in the attributes of a resource of each category.
const (
	clockSpeed = 0 // MHz
	cpuUtil    = 1 // %, summed over the CPUs
	totalCPUs  = 2
	cpusFree   = 3

	ramSize      = 0 // MB
	ramAvailable = 1 // MB

	sizeMB = 0
	freeMB = 1
)

// Places of what there is of each category and of what of it is free.
var (
	capacity  = [categories]int{totalCPUs, ramSize, sizeMB}
	available = [categories]int{cpusFree, ramAvailable, freeMB}
)

// resource is a part of a computer, in the paper's regular resource model (Listing 1). Its value is a small number that stands
// for the vendor, operating system or root path: a place in the names of its category.
type resource struct {
	category   category
	value      int32
	attributes [4]float64
}

// computingSystem returns the resource with a clock in MHz and a utilisation in %, summed over the CPUs.
func computingSystem(vendor int32, clock, utilisation, cpus float64) resource {
	return resource{computing, vendor, [4]float64{clock, utilisation, cpus, freeCPUs(cpus, utilisation)}}
}

// operatingSystem returns the resource with its memory in MB.
func operatingSystem(system int32, size, available float64) resource {
	return resource{operating, system, [4]float64{size, available}}
}

// fileSystem returns the resource with its disk in MB.
func fileSystem(path int32, size, free float64) resource {
	return resource{storage, path, [4]float64{size, free}}
}

// freeCPUs returns how many CPUs are free where the utilisation in % is summed over all.
func freeCPUs(cpus, utilisation float64) float64 { return cpus - utilisation/100 }

// relationship is a reference from a ComputingSystem to another resource of its computer, both as places in a list of resources.
type relationship struct{ source, target int32 }

// information is what a set of computers is in the regular resource model.
type information struct {
	resources     []resource
	relationships []relationship
	names         [categories][]string // what the values of each category stand for
}

// number returns the value that stands for a name, which gets the next number at its first appearance.
func (info *information) number(c category, name string) int32 {
	at := slices.Index(info.names[c], name)
	if at < 0 {
		at = len(info.names[c])
		info.names[c] = append(info.names[c], name)
	}
	return int32(at)
}

// add appends a computer: a ComputingSystem with its OperatingSystem and FileSystem.
func (info *information) add(cs, os, fs resource) {
	at := int32(len(info.resources))
	info.resources = append(info.resources, cs, os, fs)
	info.relationships = append(info.relationships, relationship{at, at + 1}, relationship{at, at + 2})
}
