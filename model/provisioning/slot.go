package provisioning

// Slots: offers of processors for some time, and their cost by Equation 4.

// A slot is an offer of processors of a site for some time (Equation 1). Slots are numbered from 0
// by their index in a list, in which the slots of a site are adjacent.
type slot struct {
	site       int32
	procs      int32   // n
	start, end int64   // s; the paper's s and s + d
	unit       float64 // c, of a processor-second
	fixed      float64 // f, in processor-seconds
	divisible  bool    // b: parts of it are paid alone
	extensible bool    // e: tasks may run past its end, or start after it
}

// cost returns what the whole slot costs, in processor-seconds.
func (s *slot) cost() float64 { return s.costUntil(s.end) }

// costUntil returns what the whole slot costs if it lasts until then, in processor-seconds.
func (s *slot) costUntil(end int64) float64 {
	return float64(float64(int64(s.procs)*(end-s.start))*s.unit) + s.fixed
}

// costOf returns the cost of a divisible slot of which tasks use so many processor-seconds, 0 if
// none.
func (s *slot) costOf(work int64) float64 {
	if work == 0 {
		return 0
	}
	return float64(float64(work)*s.unit) + s.fixed
}
