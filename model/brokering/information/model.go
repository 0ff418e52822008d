// Package information is what brokers publish about the resources of their domains (section 3 of
// Rodero et al., see package brokering): the regular resource model, its aggregated forms SIMPLE
// and CATEGORIZED, and a service that keeps the aggregated form of each domain current while jobs
// start and end.
package information

import "slices"

// Category is the type of a resource in the resource model.
type Category uint8

// The categories, with the paper's abbreviations.
const (
	CS         Category = iota // ComputingSystem
	OS                         // OperatingSystem
	FS                         // FileSystem
	Categories                 // how many there are
)

// Indices in the attributes of a resource of each category.
const (
	ClockSpeed = 0 // MHz
	CPUUtil    = 1 // %, summed over the CPUs
	TotalCPUs  = 2
	FreeCPUs   = 3

	RAMSize      = 0 // MB
	RAMAvailable = 1 // MB

	SizeMB = 0
	FreeMB = 1
)

// capacity and available are the indices of the attributes that say how much a resource of each
// category has in total, and how much of that is free.
var (
	capacity  = [Categories]int{TotalCPUs, RAMSize, SizeMB}
	available = [Categories]int{FreeCPUs, RAMAvailable, FreeMB}
)

// Resource is a resource of a computer in the regular resource model (Listing 1). Its value is the
// index of the vendor, operating system or root path in the names of its category.
type Resource struct {
	Value      int32
	Attributes [4]float64
}

// ComputingSystem returns the resource with a clock in MHz and a utilisation in %, summed over the
// CPUs.
func ComputingSystem(vendor int32, clock, utilisation, cpus float64) Resource {
	return Resource{vendor, [4]float64{clock, utilisation, cpus, cpus - utilisation/100}}
}

// OperatingSystem returns the resource with its memory in MB.
func OperatingSystem(system int32, size, available float64) Resource {
	return Resource{system, [4]float64{size, available}}
}

// FileSystem returns the resource with its disk in MB.
func FileSystem(path int32, size, free float64) Resource {
	return Resource{path, [4]float64{size, free}}
}

// Computer is a computer: a resource of each category. Its ComputingSystem has a relationship with
// its OperatingSystem and one with its FileSystem.
type Computer [Categories]Resource

// levels returns the levels of use of the computer's CPUs, memory and disk (getAttributeValue).
func (c *Computer) levels() levels {
	cs, os, fs := &c[CS].Attributes, &c[OS].Attributes, &c[FS].Attributes
	return levels{
		levelOf(cs[CPUUtil], cs[TotalCPUs]), // the utilisation is in %
		levelOf(100*(os[RAMSize]-os[RAMAvailable]), os[RAMSize]),
		levelOf(100*(fs[SizeMB]-fs[FreeMB]), fs[SizeMB]),
	}
}

// Computers is a set of computers in the regular resource model.
type Computers struct {
	List  []Computer
	Names [Categories][]string // of the values of each category, in the order of first appearance
}

// Value returns the number of a value by its name, which it adds if it is new. Values are numbered
// in the order of first appearance.
func (cs *Computers) Value(c Category, name string) int32 {
	at := slices.Index(cs.Names[c], name)
	if at < 0 {
		at = len(cs.Names[c])
		cs.Names[c] = append(cs.Names[c], name)
	}
	return int32(at)
}

// Relationship is a reference from a ComputingSystem to another resource of its computer, both as
// indices in a list of resources.
type Relationship struct{ Source, Target int32 }
