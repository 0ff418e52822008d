// Blocks of 64 classes. A set of the classes of a block is a machine word with a bit for each.

package retry

import (
	"math"
	"math/bits"

	"gridsweep/model/brokering/pool"
)

// block is up to 64 classes of a platform.
type block struct {
	platform  int32
	version   int64  // views of an earlier one are invalid; see invalidate
	present   uint64 // classes that there are
	fitting   uint64 // classes that some resource fits
	startable uint64 // classes that may start, by the last search
	dirty     uint64 // classes that have changed; if there are any, the block is searched again

	// The search for startable classes (startable.go).
	searches int64   // so far
	lowest   float64 // lowest score at which the last search visited brokers
	views    []view  // of each broker

	conflicts []byConflict // by each resource of the platform
	origins   []uint64     // classes of each domain's users; empty under Equal
	classes   [64]*class

	clocks, cpus, memories thresholds // of what the classes require
	minDisks, maxDisks     thresholds
}

// byConflict divides the classes that may run at a resource and for which its clock suffices by
// their conflict with it: a set for each conflict, and last the set of those that the resource
// fits. A class has the conflict of its job that needs most disk. Bits of absent classes have no
// meaning.
type byConflict [pool.NoConflict + 1]uint64

// all returns the classes of all sets.
func (sets *byConflict) all() uint64 {
	return sets[pool.LacksCPUs] | sets[pool.LacksMemory] | sets[pool.LacksDisk] | sets[pool.NoConflict]
}

// place adds a class to a block with less than 64 classes.
func (x *Index) place(c *class) {
	var b *block
	for _, other := range x.blocks[c.Platform] {
		if other.present != math.MaxUint64 {
			b = other
			break
		}
	}
	if b == nil {
		b = x.newBlock(c.Platform)
		x.blocks[c.Platform] = append(x.blocks[c.Platform], b)
	}
	c.block, c.bit = b, ^b.present&(b.present+1) // the lowest free bit
	b.classes[c.index()] = c
	b.present |= c.bit
	b.clocks.add(c.Clock, c.bit)
	b.cpus.add(c.Needs.CPUs, c.bit)
	b.memories.add(c.Needs.Memory, c.bit)
	b.minDisks.add(c.minDisk, c.bit)
	b.maxDisks.add(c.maxDisk, c.bit)
	if c.Origin != anyOrigin {
		b.origins[c.Origin] |= c.bit
	}
	b.invalidate(c.bit)
	x.findConflicts(c)
	if c.fits() {
		b.addFit(c.bit)
	}
}

// newBlock returns a block without classes.
func (x *Index) newBlock(platform int32) *block {
	domains := len(x.marked)
	return &block{
		platform: platform, clocks: newThresholds(), cpus: newThresholds(), memories: newThresholds(),
		minDisks: newThresholds(), maxDisks: newThresholds(), origins: make([]uint64, domains),
		conflicts: make([]byConflict, len(x.Pool.Resources[platform])),
		views:     make([]view, domains),
	}
}

// findConflicts finds the conflict of a class with each resource that its jobs may go to.
func (x *Index) findConflicts(c *class) {
	b := c.block
	needs := c.Needs
	needs.Disk = c.maxDisk
	for i := range b.conflicts { // the bit may be left over from a class that was released
		sets := &b.conflicts[i]
		for k := range sets {
			sets[k] &^= c.bit
		}
	}
	resources, conflicts := x.Pool.Resources[c.Platform], b.conflicts
	if x.Policy == OriginOnly {
		from, to := x.Pool.Range(c.Platform, c.Origin)
		resources, conflicts = resources[from:to], conflicts[from:to]
	}
	for i := range resources {
		if r := &resources[i]; c.Clock <= r.Clock {
			// & NoConflict spares a check of bounds
			conflicts[i][needs.ConflictWith(&r.Free)&pool.NoConflict] |= c.bit
		}
	}
}

// release removes a class from its block.
func (c *class) release() {
	b, bit := c.block, c.bit
	b.classes[c.index()] = nil
	b.present &^= bit
	b.fitting &^= bit
	b.startable &^= bit
	b.dirty &^= bit
	b.clocks.remove(c.Clock, bit)
	b.cpus.remove(c.Needs.CPUs, bit)
	b.memories.remove(c.Needs.Memory, bit)
	b.minDisks.remove(c.minDisk, bit)
	b.maxDisks.remove(c.maxDisk, bit)
	if c.Origin != anyOrigin {
		b.origins[c.Origin] &^= bit
	}
}

// resize changes the least and the most disk that jobs of the class need. If the range gets
// smaller, no new search is needed: the last one may have found a class that cannot start, but has
// missed none that can.
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

// addFit adds classes that a resource fits.
func (b *block) addFit(classes uint64) {
	b.dirty |= classes &^ b.fitting
	b.fitting |= classes
}

// dropFit updates classes that a resource has ceased to fit. Another one may fit them.
func (b *block) dropFit(classes uint64) {
	for left := classes; left != 0; left &= left - 1 {
		if c := b.firstClass(left); !c.fits() {
			b.fitting &^= c.bit
			b.startable &^= c.bit
		}
	}
}

// firstClass returns the first class of a set.
func (b *block) firstClass(classes uint64) *class { return b.classes[bits.TrailingZeros64(classes)%64] }

// invalidate makes the views of the block invalid and marks classes to be searched again.
func (b *block) invalidate(classes uint64) {
	b.version++
	b.dirty |= classes
}

// classify divides a set of classes by their conflict with a resource of which so much is free.
func (b *block) classify(classes uint64, free *pool.Amount) byConflict {
	cpus := classes & b.cpus.within(free.CPUs)
	if cpus == 0 {
		return byConflict{pool.LacksCPUs: classes}
	}
	memory := cpus & b.memories.within(free.Memory)
	disk := memory & b.maxDisks.within(free.Disk)
	return byConflict{classes &^ cpus, cpus &^ memory, memory &^ disk, disk}
}
