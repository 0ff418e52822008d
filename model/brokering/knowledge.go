package brokering

import (
	"math/bits"
	"slices"
)

// knowledge is what is known of a domain's resources in aggregated form (Listing 7), kept fresh when somebody asks. The form is what
// an aggregator makes of the resources, each a computer with the file system /; but here every part that there may be has its
// place for good, so that little has to be done where a resource is in another class than before, and next to nothing where not.
type knowledge struct {
	kinds []variety // of each kind in system.kinds
	most  []float64 // of each kind in system.kinds, what no score of the broker for a job is above
	stale bool

	told     []told              // of each resource
	free     [categories][]int64 // of each resource
	parts    []part              // by category, value and code
	changed  []*part             // of which something else is free or which have other clusters
	reshaped bool                // whether some have
}

// told is what is told of a resource, of each category.
type told struct {
	kind  int32              // place in system.kinds
	first [categories]int32  // place of the part with its value and the code 0
	codes [categories]uint32 // a bit for each code, of the parts with its value to which it belongs
	parts []*part            // to which it belongs
}

// part is an aggregated resource: what the clusters have together of which it is made, if there are any.
type part struct {
	clock int64   // the highest of a cluster, in MHz
	most  int64   // the most of its category that a cluster has free, under SLOW that it has
	speed float64 // of a CS: what the average clock adds to a rank
	rank  float64 // that and what the average of what is free adds

	clusters []int32 // places in the domain, in any order
	storage  uint32  // of a CS: a bit for each code, of the FS that it has relationships with
	slot     int32   // by category and code
	category category
	changed  bool // whether it is in knowledge.changed
	reshaped bool // whether it has other clusters
}

// variety is the resources of a kind that a domain has, if it has some.
type variety struct {
	cs, os    int32      // places of the parts with its values and the code 0
	related   []uint32   // of the CS with each code: a bit for each code, of the OS that it has relationships with
	parts     []*part    // with its values or its FS, in the order of their places
	computers []together // that these make, in the order of CS, OS and FS
	offers    []offer    // which they are
}

// together are the parts that make an aggregated computer.
type together struct{ computing, operating, storage *part }

// offer is an aggregated computer: a ComputingSystem with an OperatingSystem and a FileSystem that it has relationships with.
type offer struct {
	// The maxima that decide whether it matches: of what is free, under SLOW of what there is.
	clock, cpus, memory, disk int64
	rank                      float64 // of the averages of what is free

	slots [categories]int32 // of the parts that it is made of
}

// matches reports whether it may be able to hold a job.
func (o *offer) matches(r *requirement) bool {
	return r.clock <= o.clock && r.need.cpus <= o.cpus && r.need.memory <= o.memory && r.need.disk <= o.disk
}

// tellAll describes all domains in the paper's model: a computer for each resource, with the file system /.
func (s *system) tellAll() {
	if s.split = splitWords[s.p.Split]; s.p.Strategy == "AGGR_SIMP" {
		s.split = whole
	}
	for d := range s.domains {
		k := &knowledge{kinds: make([]variety, len(s.kinds)), most: make([]float64, len(s.kinds)), stale: true, reshaped: true}
		k.number(s.machines[s.first[d]:s.first[d+1]], s.kinds, s.split.codes())
		for i := s.first[d]; i < s.first[d+1]; i++ {
			k.describe(&s.machines[i], s.split)
		}
		s.known = append(s.known, k)
		s.untold = append(s.untold, int32(d))
	}
	s.versions = make([]int64, len(s.domains))
	s.orders = make([]order, len(s.kinds))
	for kind := range s.orders {
		o := &s.orders[kind]
		for d := range int32(len(s.domains)) {
			o.places = append(o.places, int32(len(o.ratings)))
			if len(s.ofKind(int32(kind), d)) > 0 {
				o.ratings = append(o.ratings, rating{broker: d})
			}
		}
	}
}

// splitWords are the values of the parameter split.
var splitWords = map[string]split{"own": own, "each": each, "joint": joint}

// number gives every part that there may be its place: for each value, in the order in which these first appear, so many codes.
func (k *knowledge) number(machines []machine, kinds []kind, codes int) {
	var info information // for the numbers of its values
	for i := range machines {
		of := kinds[machines[i].kind]
		info.number(computing, of.vendor)
		info.number(operating, of.system)
	}
	vendors, systems := len(info.names[computing]), len(info.names[operating])
	k.parts = make([]part, (vendors+systems+1)*codes)
	for i := range k.parts {
		p := &k.parts[i]
		switch value := i / codes; {
		case value >= vendors+systems:
			p.category = storage
		case value >= vendors:
			p.category = operating
		}
		p.slot = int32(int(p.category)*codes + i%codes)
	}
	k.told = make([]told, len(machines))
	for c := range k.free {
		k.free[c] = make([]int64, len(machines))
	}
	for i := range machines {
		of := kinds[machines[i].kind]
		cs := info.number(computing, of.vendor) * int32(codes)
		os := (int32(vendors) + info.number(operating, of.system)) * int32(codes)
		if v := &k.kinds[machines[i].kind]; v.related == nil {
			*v = variety{cs: cs, os: os, related: make([]uint32, codes)}
		}
		k.told[i] = told{kind: machines[i].kind, first: [categories]int32{cs, os, int32((vendors + systems) * codes)}}
	}
}

// tell says that a resource has changed.
func (s *system) tell(m *machine) {
	k := s.known[m.domain]
	if !k.stale {
		k.stale = true
		s.untold = append(s.untold, m.domain)
	}
	k.describe(m, s.split)
}

// describe tells of a resource.
func (k *knowledge) describe(m *machine, by split) {
	k.free[computing][m.place], k.free[operating][m.place], k.free[storage][m.place] = m.free.cpus, m.free.memory, m.free.disk
	t := &k.told[m.place]
	if codes := by.encode(m); codes != t.codes {
		k.move(m.place, codes)
	}
	for _, p := range t.parts {
		k.change(p)
	}
}

// change says that something has changed about a part.
func (k *knowledge) change(p *part) {
	if !p.changed {
		p.changed = true
		k.changed = append(k.changed, p)
	}
}

// move makes a cluster, by its place, one of those of the parts with these codes.
func (k *knowledge) move(place int32, codes [categories]uint32) {
	t := &k.told[place]
	k.reshaped, t.parts = true, t.parts[:0]
	for c := range codes {
		parts := k.parts[t.first[c]:]
		for left := t.codes[c] &^ codes[c]; left != 0; left &= left - 1 {
			p := &parts[bits.TrailingZeros32(left)]
			at, last := slices.Index(p.clusters, place), len(p.clusters)-1
			p.clusters[at] = p.clusters[last]
			p.clusters, p.reshaped = p.clusters[:last], true
			k.change(p)
		}
		for joined := codes[c]; joined != 0; joined &= joined - 1 {
			code := bits.TrailingZeros32(joined)
			p := &parts[code]
			t.parts = append(t.parts, p)
			if t.codes[c]>>code&1 == 0 {
				p.clusters, p.reshaped = append(p.clusters, place), true
			}
		}
	}
	t.codes = codes
}

// codes returns how many codes there are.
func (by split) codes() int {
	switch by {
	case whole:
		return 1
	case own:
		return 3
	case each:
		return 9
	}
	return 27
}

// encode returns a bit for each code, of the classes of a resource in each category, as an aggregator does.
func (by split) encode(m *machine) [categories]uint32 {
	if by == whole {
		return [categories]uint32{1, 1, 1}
	}
	cpus := thresholds(100*float64(m.total.cpus-m.free.cpus), float64(m.total.cpus))
	memory := thresholds(100*float64(m.total.memory-m.free.memory), float64(m.total.memory))
	disk := thresholds(100*float64(m.total.disk-m.free.disk), float64(m.total.disk))
	if by == own {
		return [categories]uint32{1 << (cpus & 31), 1 << (memory & 31), 1 << (disk & 31)}
	}
	all := uint32(1)<<cpus | 1<<(3+memory) | 1<<(6+disk)
	if by == joint {
		all = 1 << (9*cpus + 3*memory + disk)
	}
	return [categories]uint32{all, all, all}
}

// knownOf returns what is known of a domain's resources now.
func (s *system) knownOf(d int32) *knowledge {
	if len(s.untold) > 0 {
		s.learn()
	}
	return s.known[d]
}

// learn finds anew what is known of the domains that have something to tell.
func (s *system) learn() {
	sum, priority := s.p.Rank == "sum", 1+1e-9 // a rounded mean may be above what it is the mean of
	if s.p.Preference == "own" && !s.localFirst() {
		priority *= 2
	}
	for _, d := range s.untold {
		k := s.known[d]
		if k.reshaped {
			k.reshape()
		}
		for _, p := range k.changed {
			p.changed = false
			if len(p.clusters) > 0 {
				s.sum(d, p, k.free[p.category])
			}
		}
		k.changed = k.changed[:0]
		for i := range k.kinds {
			if most := float64(k.kinds[i].put(sum) * priority); most != k.most[i] {
				k.most[i] = most
				s.orders[i].rate(d, most)
			}
		}
		k.stale = false
		s.versions[d]++
	}
	s.untold = s.untold[:0]
}

// order is the brokers that have resources of a kind by what they may score most for a job of it, the highest first.
type order struct {
	ratings []rating
	places  []int32 // of each of these brokers among them
}

// rating is what no score of a broker is above.
type rating struct {
	broker int32
	most   float64
}

// rate notes what a broker may score most now.
func (o *order) rate(d int32, most float64) {
	at, r := int(o.places[d]), o.ratings
	r[at].most = most
	for ; at > 0 && r[at-1].most < most; at-- {
		o.swap(at, at-1)
	}
	for ; at+1 < len(r) && r[at+1].most > most; at++ {
		o.swap(at, at+1)
	}
}

func (o *order) swap(i, j int) {
	r := o.ratings
	r[i], r[j] = r[j], r[i]
	o.places[r[i].broker], o.places[r[j].broker] = int32(i), int32(j)
}

// most returns what no score of a broker for a job of a kind is above.
func (s *system) most(kind, d int32) float64 { return s.knownOf(d).most[kind] }

// inOrder returns the brokers that have resources of a kind by what they may score most for a job of it.
func (s *system) inOrder(kind int32) []rating {
	if len(s.untold) > 0 {
		s.learn()
	}
	return s.orders[kind].ratings
}

// put puts the aggregated computers of a kind together. It returns the sum of their ranks, or the highest: no rank of the broker
// for a job is above that for one that all of them match.
func (v *variety) put(sum bool) float64 {
	most, computers := 0.0, v.computers
	offers := v.offers[:len(computers)]
	for i := range computers {
		cs, os, fs := computers[i].computing, computers[i].operating, computers[i].storage
		o := &offers[i]
		o.clock, o.cpus, o.memory, o.disk = cs.clock, cs.most, os.most, fs.most
		o.rank = cs.rank + os.rank + fs.rank
		if sum {
			most += o.rank
		} else {
			most = max(most, o.rank)
		}
	}
	return most
}

// reshape finds the aggregated computers.
func (k *knowledge) reshape() {
	k.reshaped = false
	for i := range k.parts {
		k.parts[i].storage = 0
	}
	for i := range k.kinds {
		clear(k.kinds[i].related)
	}
	for i := range k.told {
		t := &k.told[i]
		for codes := t.codes[computing]; codes != 0; codes &= codes - 1 {
			code := bits.TrailingZeros32(codes)
			k.parts[int(t.first[computing])+code].storage |= t.codes[storage]
			k.kinds[t.kind].related[code] |= t.codes[operating]
		}
	}
	for i := range k.kinds {
		k.assemble(&k.kinds[i])
	}
}

// assemble finds the aggregated computers of a kind.
func (k *knowledge) assemble(of *variety) {
	stores := k.parts[len(k.parts)-len(of.related):]
	of.parts, of.computers, of.offers = of.parts[:0], of.computers[:0], of.offers[:0]
	var systems, storage uint32 // with each code that some computer has
	for i, related := range of.related {
		if related == 0 {
			continue
		}
		cs := &k.parts[int(of.cs)+i]
		of.parts = append(of.parts, cs)
		systems, storage = systems|related, storage|cs.storage
		for ; related != 0; related &= related - 1 {
			os := &k.parts[int(of.os)+bits.TrailingZeros32(related)]
			for codes := cs.storage; codes != 0; codes &= codes - 1 {
				fs := &stores[bits.TrailingZeros32(codes)]
				of.computers = append(of.computers, together{cs, os, fs})
				of.offers = append(of.offers, offer{slots: [categories]int32{cs.slot, os.slot, fs.slot}})
			}
		}
	}
	for ; systems != 0; systems &= systems - 1 {
		of.parts = append(of.parts, &k.parts[int(of.os)+bits.TrailingZeros32(systems)])
	}
	for ; storage != 0; storage &= storage - 1 {
		of.parts = append(of.parts, &stores[bits.TrailingZeros32(storage)])
	}
}

// settle finds what the clusters of a part have together for good.
func (s *system) settle(d int32, p *part) {
	p.reshaped = false
	sum := int64(0)
	p.clock, p.most = 0, 0
	for _, i := range p.clusters {
		m := &s.machines[s.first[d]+i]
		sum += m.clock
		p.clock = max(p.clock, m.clock)
		p.most = max(p.most, m.total.of(p.category))
	}
	if p.category == computing {
		p.speed = s.term(d, 0, float64(sum)/float64(len(p.clusters)))
	}
}

// sum finds what the clusters of a part have together now, where so much is free of each. Sums are exact: validate bounds them.
func (s *system) sum(d int32, p *part, free []int64) {
	if p.reshaped {
		s.settle(d, p)
	}
	sum, most := int64(0), int64(0)
	for _, i := range p.clusters {
		there := free[i]
		sum += there
		most = max(most, there)
	}
	if !s.slow {
		p.most = most
	}
	p.rank = p.speed + s.term(d, 1+int(p.category), float64(sum)/float64(len(p.clusters)))
}
