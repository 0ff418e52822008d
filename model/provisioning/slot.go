// Slots: offers of processors for some time (Equation 1), and their cost (Equation 4).

package provisioning

// A slot is an offer of processors of a site. Slots are numbered from 0 by their index in a list,
// in which the slots of a site are adjacent.
type slot struct {
	site       int32
	procs      int32   // n
	start, end int64   // s; the paper's s and s + d
	unit       float64 // c, of a processor-second
	fixed      float64 // f, in processor-seconds
	divisible  bool    // b: some of its processors are paid alone
	extensible bool    // e: tasks may run past its end, or start after it
}

// cost returns the slot's share of Equation 4, in processor-seconds, from the processor-seconds of
// the tasks in it and the end of the last of them. A divisible slot costs these tasks alone. Any
// other slot costs its whole size, plus the extension of an extensible one.
func (s *slot) cost(work, last int64) float64 {
	switch {
	case s.divisible && work == 0:
		return 0
	case s.divisible:
		return s.price(work)
	case s.extensible:
		return s.price(int64(s.procs) * (max(s.end, last) - s.start))
	}
	return s.wholeCost()
}

// wholeCost returns what the slot costs from start to end, in processor-seconds.
func (s *slot) wholeCost() float64 { return s.price(int64(s.procs) * (s.end - s.start)) }

// price returns what so many processor-seconds of the slot cost.
func (s *slot) price(amount int64) float64 { return float64(float64(amount)*s.unit) + s.fixed }
