// Ranks of resources (computeResourceRank of Listing 6).

package brokering

// scale is the largest clock, CPUs, memory and disk of a resource, to which ranks are relative.
type scale [4]float64

// setScales finds the weights and scales of ranks: the scale of all resources, or of a domain's own
// where nobody forwards.
func (s *system) setScales() {
	s.weights = [4]float64{1, 1, 1, 1}
	switch s.p.Ranking {
	case "cpu":
		s.weights[1] = s.p.Factor
	case "mem":
		s.weights[2] = s.p.Factor
	case "disk":
		s.weights[3] = s.p.Factor
	}
	s.scales = make([]scale, len(s.domains))
	var all scale
	for i := range s.resources {
		r := &s.resources[i]
		x := scale{float64(r.Clock), float64(r.total.CPUs), float64(r.total.Memory), float64(r.total.Disk)}
		for c := range x {
			all[c] = max(all[c], x[c])
			s.scales[r.Domain][c] = max(s.scales[r.Domain][c], x[c])
		}
	}
	if s.p.Preference != "none" {
		for d := range s.scales {
			s.scales[d] = all
		}
	}
}

// term returns what an amount of a characteristic, by its index in a scale, adds to a rank at a
// domain.
func (s *system) term(d int32, characteristic int, amount float64) float64 {
	return s.weights[characteristic] * amount / s.scales[d][characteristic]
}

// rerank computes the rank of a resource again when what is free has changed.
func (s *system) rerank(r *resource) {
	free := &r.Free
	r.Rank = s.term(r.Domain, 0, float64(r.Clock)) + s.term(r.Domain, 1, float64(free.CPUs)) +
		s.term(r.Domain, 2, float64(free.Memory)) + s.term(r.Domain, 3, float64(free.Disk))
}
