// Plans: sets of slots, and their costs.

package provisioning

import (
	"math/bits"
	"strconv"
)

// A plan is a set of slots: slot n is bit n%64 of word n/64.
type plan []uint64

func newPlan(slots int) plan { return make(plan, (slots+63)/64) }

func (p plan) has(slot int) bool { return p[slot/64]>>(slot%64)&1 != 0 }

func (p plan) flip(slot int) { p[slot/64] ^= 1 << (slot % 64) }

// compare orders plans: at the first slot in which they differ, the one without it comes first.
func (p plan) compare(q plan) int {
	for i := range p {
		if diff := p[i] ^ q[i]; diff != 0 {
			if p[i]&(diff&-diff) == 0 {
				return -1
			}
			return 1
		}
	}
	return 0
}

// list returns the numbers of the plan's slots from 1, with commas between.
func (p plan) list() string {
	var text []byte
	for i := range 64 * len(p) {
		if p.has(i) {
			if len(text) > 0 {
				text = append(text, ',')
			}
			text = strconv.AppendInt(text, int64(i+1), 10)
		}
	}
	return string(text)
}

// count returns how many slots the plan has.
func (p plan) count() int64 {
	n := 0
	for _, word := range p {
		n += bits.OnesCount64(word)
	}
	return int64(n)
}

// planOfAll returns the plan of all slots.
func planOfAll(slots int) plan {
	p := newPlan(slots)
	for i := range slots {
		p.flip(i)
	}
	return p
}

// costs are the two costs of a plan.
type costs struct {
	makespan int64   // s, SC of Equation 5
	cost     float64 // processor-seconds, AC of Equation 4
}

// dominates reports whether these costs are nowhere higher than others and somewhere lower (section
// 3).
func (c costs) dominates(o costs) bool {
	return c.makespan <= o.makespan && c.cost <= o.cost && c != o
}
