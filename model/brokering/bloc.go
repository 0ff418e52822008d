package brokering

import (
	"math"
	"math/bits"
)

// bloc are crowds of a kind, as many as a word has bits, so that what is true of each of them is a word.
type bloc struct {
	kind    int32
	crowds  [64]*crowd // by their places
	leads   [64]int32  // the first jobs of these
	present uint64     // places that are taken
	fitted  uint64     // crowds that some resource fits
	may     uint64     // crowds of which a job may start, as was found last
	stale   uint64     // crowds of which that may no longer be true

	clocks, cpus, memories ladder   // what they need
	least, most            ladder   // of disk
	origins                []uint64 // the crowds of each domain's users, unless all brokers are alike
	alone                  bool     // whether these may go nowhere else
	version                int64    // counts the states of what they need

	met    []division // at each resource of the kind
	views  []view     // of each broker
	found  int64      // counts how often it was found what may start
	looked []int64    // at each broker, when last, by that count
	floor  float64    // score of the brokers that were looked at last, then
}

// division is which crowds meet each conflict at a resource, by their most disk, and last none. Some may have been dismissed
// since.
type division [noConflict + 1]uint64

// reach returns the crowds that may go to the resource and for which its clock is fast enough.
func (d *division) reach() uint64 { return d[byCPUs] | d[byMemory] | d[byDisk] | d[noConflict] }

// admit finds a crowd a place.
func (w *waiting) admit(c *crowd) {
	var b *bloc
	for _, other := range w.blocs[c.kind] {
		if other.present != math.MaxUint64 {
			b = other
			break
		}
	}
	if b == nil {
		n := len(w.s.domains)
		b = &bloc{
			kind: c.kind, clocks: newLadder(), cpus: newLadder(), memories: newLadder(), least: newLadder(), most: newLadder(),
			origins: make([]uint64, n), alone: w.s.p.Preference == "none",
			met: make([]division, len(w.s.byKind[c.kind])), views: make([]view, n), looked: make([]int64, n),
		}
		w.blocs[c.kind] = append(w.blocs[c.kind], b)
	}
	bit := ^b.present & (b.present + 1)
	c.bloc, c.bit = b, bit
	b.crowds[c.place()] = c
	b.present |= bit
	b.clocks.add(c.clock, bit)
	b.cpus.add(c.cpus, bit)
	b.memories.add(c.memory, bit)
	b.least.add(c.least, bit)
	b.most.add(c.most, bit)
	if c.origin != absent {
		b.origins[c.origin] |= bit
	}
	b.renew(bit)
	w.introduce(c)
	if c.now[noConflict] > 0 {
		b.fit(bit)
	}
}

// introduce finds what a crowd meets at each resource, at a place where there may have been another one.
func (w *waiting) introduce(c *crowd) {
	b, bit, all := c.bloc, c.bit, need{c.cpus, c.memory, c.most}
	for i := range b.met {
		at := &b.met[i]
		for k := range at {
			at[k] &^= bit
		}
	}
	inReach, met := w.s.inReach(c.kind, c.origin), b.met
	if b.alone {
		met = met[w.s.places[c.kind][c.origin]:]
	}
	for i := range inReach {
		if v := &inReach[i]; c.clock <= v.clock {
			met[i][all.lacks(&v.free)&noConflict] |= bit
		}
	}
}

// gather moves the crowds of the last blocs of a kind to those before while these have room for some more than that.
func (w *waiting) gather(kind int32) {
	for {
		last := len(w.blocs[kind]) - 1
		if last < 1 || len(w.kinds[kind])+room > 64*last {
			return
		}
		b := w.blocs[kind][last]
		w.blocs[kind] = w.blocs[kind][:last]
		for crowds := b.present; crowds != 0; crowds &= crowds - 1 {
			c := b.one(crowds)
			w.admit(c)
			c.lead()
		}
	}
}

// room is for how many crowds more there has to be room in blocs before there is one less.
const room = 16

// dismiss gives the place of a crowd free.
func (c *crowd) dismiss() {
	b, bit := c.bloc, c.bit
	b.crowds[c.place()] = nil
	b.present &^= bit
	b.fitted &^= bit
	b.may &^= bit
	b.stale &^= bit
	b.clocks.remove(c.clock, bit)
	b.cpus.remove(c.cpus, bit)
	b.memories.remove(c.memory, bit)
	b.least.remove(c.least, bit)
	b.most.remove(c.most, bit)
	if c.origin != absent {
		b.origins[c.origin] &^= bit
	}
}

// resize notes between which disks its jobs are. What was found of them is still true if there is less between these than before.
func (c *crowd) resize(least, most int64) {
	b, bit := c.bloc, c.bit
	if least < c.least || most > c.most {
		b.renew(bit)
	}
	if least != c.least {
		b.least.remove(c.least, bit)
		b.least.add(least, bit)
	}
	if most != c.most {
		b.most.remove(c.most, bit)
		b.most.add(most, bit)
	}
	c.least, c.most = least, most
}

// fit notes that a resource fits some crowds.
func (b *bloc) fit(crowds uint64) {
	b.stale |= crowds &^ b.fitted
	b.fitted |= crowds
}

// refit notes which of some crowds that a resource has ceased to fit no other one does.
func (b *bloc) refit(crowds uint64) {
	for left := crowds; left != 0; left &= left - 1 {
		if c := b.one(left); c.now[noConflict] == 0 {
			b.fitted &^= c.bit
			b.may &^= c.bit
		}
	}
}

// place returns where a crowd is in its bloc.
func (c *crowd) place() int { return bits.TrailingZeros64(c.bit) % 64 }

// lead notes which job is the first of a crowd.
func (c *crowd) lead() { c.bloc.leads[c.place()] = c.jobs[0].number }

// one returns one of some crowds.
func (b *bloc) one(crowds uint64) *crowd { return b.crowds[bits.TrailingZeros64(crowds)%64] }

// renew says that crowds have changed.
func (b *bloc) renew(crowds uint64) {
	b.version++
	b.stale |= crowds
}

// divide finds which of some crowds meet each conflict where so much is there.
func (b *bloc) divide(crowds uint64, there *need) division {
	cpus := crowds & b.cpus.within(there.cpus)
	if cpus == 0 {
		return division{byCPUs: crowds}
	}
	memory := cpus & b.memories.within(there.memory)
	disk := memory & b.most.within(there.disk)
	return division{crowds &^ cpus, cpus &^ memory, memory &^ disk, disk}
}
