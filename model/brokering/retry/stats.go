// Statistics of an index, by which tests see that they reach what they are for.

package retry

// Stats says how large an index is and what it has done.
type Stats struct {
	Blocks int // of all kinds
	Full   int // of these: blocks whose classes all differ in each thing that they need
	Splits int // classes that were split in two, until now
	Merges int // classes that were merged with another one
}

// Stats returns the statistics of the index.
func (x *Index) Stats() Stats {
	s := Stats{Splits: x.splits, Merges: x.merges}
	for _, blocks := range x.blocks {
		s.Blocks += len(blocks)
		for _, b := range blocks {
			if min(b.clocks.count, b.cpus.count, b.memories.count, b.minDisks.count, b.maxDisks.count) == 64 {
				s.Full++
			}
		}
	}
	return s
}
