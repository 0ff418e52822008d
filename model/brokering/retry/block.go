// Blocks of 64 classes: each set of classes is a machine word with a bit for each of them.

package retry

import (
	"math"
	"math/bits"

	"gridsweep/model/brokering/grid"
)

// block is up to 64 classes of a kind. Sets of them are words; the zero bits of present are free.
type block struct {
	kind      int32
	classes   [64]*class
	heads     [64]int32 // the first jobs of these
	present   uint64
	fitting   uint64 // some resource fits them
	startable uint64 // a job of them may start, as was found last
	dirty     uint64 // whether one may start has to be found again

	clocks, cpus, memories thresholds // of what they need
	minDisks, maxDisks     thresholds
	origins                []uint64 // classes of each domain's users, unless all brokers are alike
	version                int64    // rises when classes join or their requirements change

	conflicts []partition // with each resource of the kind
	views     []view      // of each broker
	round     int64       // counts how often startable was found
	visited   []int64     // of each broker, the last round that looked at it
	lowest    float64     // score that brokers had to reach in the last round to be looked at
}

// partition is the classes by their conflict with a resource: the sets for each, and last of those
// that it fits. A class has the conflict of its job that needs most disk. Bits of free places mean
// nothing.
type partition [grid.NoConflict + 1]uint64

// reach returns the classes that may go to the resource and whose clock it reaches.
func (p *partition) reach() uint64 {
	return p[grid.LacksCPUs] | p[grid.LacksMemory] | p[grid.LacksDisk] | p[grid.NoConflict]
}

// place gives a class a place in a block.
func (x *Index) place(c *class) {
	var b *block
	for _, other := range x.blocks[c.kind] {
		if other.present != math.MaxUint64 {
			b = other
			break
		}
	}
	if b == nil {
		n := len(x.isNew)
		b = &block{
			kind: c.kind, clocks: newThresholds(), cpus: newThresholds(), memories: newThresholds(),
			minDisks: newThresholds(), maxDisks: newThresholds(), origins: make([]uint64, n),
			conflicts: make([]partition, len(x.Pool.Resources[c.kind])), views: make([]view, n), visited: make([]int64, n),
		}
		x.blocks[c.kind] = append(x.blocks[c.kind], b)
	}
	bit := ^b.present & (b.present + 1)
	c.block, c.bit = b, bit
	b.classes[c.placeInBlock()] = c
	b.present |= bit
	b.clocks.add(c.clock, bit)
	b.cpus.add(c.cpus, bit)
	b.memories.add(c.memory, bit)
	b.minDisks.add(c.minDisk, bit)
	b.maxDisks.add(c.maxDisk, bit)
	if c.origin != none {
		b.origins[c.origin] |= bit
	}
	b.invalidate(bit)
	x.findConflicts(c)
	if c.now[grid.NoConflict] > 0 {
		b.addFit(bit)
	}
}

// findConflicts finds the conflict of a class with each resource that its jobs may go to.
func (x *Index) findConflicts(c *class) {
	b, bit := c.block, c.bit
	needs := grid.Amount{CPUs: c.cpus, Memory: c.memory, Disk: c.maxDisk}
	for i := range b.conflicts { // the place may have been another class's
		at := &b.conflicts[i]
		for k := range at {
			at[k] &^= bit
		}
	}
	resources, conflicts := x.Pool.Resources[c.kind], b.conflicts
	if x.Policy == OriginOnly {
		resources, conflicts = x.Pool.Of(c.kind, c.origin), conflicts[x.Pool.First[c.kind][c.origin]:]
	}
	for i := range resources {
		if r := &resources[i]; c.clock <= r.Clock {
			conflicts[i][needs.ConflictWith(&r.Free)&grid.NoConflict] |= bit
		}
	}
}

// release frees the place of a class.
func (c *class) release() {
	b, bit := c.block, c.bit
	b.classes[c.placeInBlock()] = nil
	b.present &^= bit
	b.fitting &^= bit
	b.startable &^= bit
	b.dirty &^= bit
	b.clocks.remove(c.clock, bit)
	b.cpus.remove(c.cpus, bit)
	b.memories.remove(c.memory, bit)
	b.minDisks.remove(c.minDisk, bit)
	b.maxDisks.remove(c.maxDisk, bit)
	if c.origin != none {
		b.origins[c.origin] &^= bit
	}
}

// resize changes between which disks the jobs of a class are. What was found of the class stays
// true if these are nearer to each other than before.
func (c *class) resize(least, most int64) {
	b, bit := c.block, c.bit
	if least < c.minDisk || most > c.maxDisk {
		b.invalidate(bit)
	}
	if least != c.minDisk {
		b.minDisks.remove(c.minDisk, bit)
		b.minDisks.add(least, bit)
	}
	if most != c.maxDisk {
		b.maxDisks.remove(c.maxDisk, bit)
		b.maxDisks.add(most, bit)
	}
	c.minDisk, c.maxDisk = least, most
}

// addFit notes that a resource fits some classes.
func (b *block) addFit(classes uint64) {
	b.dirty |= classes &^ b.fitting
	b.fitting |= classes
}

// dropFit notes that a resource has ceased to fit some classes, which perhaps no other one fits.
func (b *block) dropFit(classes uint64) {
	for left := classes; left != 0; left &= left - 1 {
		if c := b.first(left); c.now[grid.NoConflict] == 0 {
			b.fitting &^= c.bit
			b.startable &^= c.bit
		}
	}
}

// placeInBlock returns the index of a class in its block.
func (c *class) placeInBlock() int { return bits.TrailingZeros64(c.bit) % 64 }

// setHead notes the first job of a class in its block.
func (c *class) setHead() { c.block.heads[c.placeInBlock()] = c.jobs[0].number }

// first returns the first class of a set.
func (b *block) first(classes uint64) *class { return b.classes[bits.TrailingZeros64(classes)%64] }

// invalidate says that the requirements of classes have changed.
func (b *block) invalidate(classes uint64) {
	b.version++
	b.dirty |= classes
}

// partition splits a set of classes by their conflict where this amount is free.
func (b *block) partition(classes uint64, free *grid.Amount) partition {
	cpus := classes & b.cpus.within(free.CPUs)
	if cpus == 0 {
		return partition{grid.LacksCPUs: classes}
	}
	memory := cpus & b.memories.within(free.Memory)
	disk := memory & b.maxDisks.within(free.Disk)
	return partition{classes &^ cpus, cpus &^ memory, memory &^ disk, disk}
}
