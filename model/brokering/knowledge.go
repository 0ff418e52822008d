package brokering

// knowledge is what is known of a domain's resources in aggregated form (Listing 7), kept fresh when somebody asks.
type knowledge struct {
	told   information
	kinds  [][]int32 // what the domain's vendors and systems, by their numbers there, are in system.kinds; absent where nobody has both
	offers [][]offer // of each kind in system.kinds, in the order of CS, OS and FS
	most   []float64 // of each kind in system.kinds, what no score of the broker for a job is above
	stale  bool

	aggregator aggregator
	parts      []part     // the aggregated resources
	computers  []together // what the offers are made of
	reshaped   bool       // whether other resources belong together than when these were found
}

// part is an aggregated resource: what the clusters have together of which it is made.
type part struct {
	category category
	clusters []int32 // places in system.machines
	stale    bool

	clock, most float64 // maxima: of what is free, under SLOW of what there is
	speed       float64 // what the average clock adds to a rank
	rank        float64 // that and what the average of what is free adds
}

// together are the parts that make an aggregated computer, by their places, and where it is among the offers.
type together struct{ computing, operating, storage, kind, index int32 }

// offer is an aggregated computer: a ComputingSystem with an OperatingSystem and a FileSystem that it has relationships with.
type offer struct {
	// The maxima that decide whether it matches: of what is free, under SLOW of what there is.
	clock, cpus, memory, disk float64
	rank                      float64 // of the averages of what is free
}

// matches reports whether it may be able to hold a job.
func (o *offer) matches(r *request) bool {
	return float64(r.clock) <= o.clock && float64(r.need.cpus) <= o.cpus &&
		float64(r.need.memory) <= o.memory && float64(r.need.disk) <= o.disk
}

// tellAll describes all domains in the paper's model: a computer for each resource, with the file system /.
func (s *system) tellAll(numbers map[kind]int32) {
	if s.split = splitWords[s.p.Split]; s.p.Strategy == "AGGR_SIMP" {
		s.split = whole
	}
	for d := range s.domains {
		k := &knowledge{offers: make([][]offer, len(s.kinds)), most: make([]float64, len(s.kinds)), reshaped: true}
		for i := range s.domains[d].clusters {
			c := &s.domains[d].clusters[i]
			k.told.add(
				resource{category: computing, value: k.told.number(computing, c.kind.vendor)},
				resource{category: operating, value: k.told.number(operating, c.kind.system)},
				resource{category: storage, value: k.told.number(storage, "/")})
		}
		for _, vendor := range k.told.names[computing] {
			row := make([]int32, len(k.told.names[operating]))
			for i, system := range k.told.names[operating] {
				if number, known := numbers[kind{vendor, system}]; known {
					row[i] = number
				} else {
					row[i] = absent
				}
			}
			k.kinds = append(k.kinds, row)
		}
		k.stale = true
		for i := s.first[d]; i < s.first[d+1]; i++ {
			m := &s.machines[i]
			k.describe(m)
			m.reclassify(k.toldOf(m))
		}
		s.known = append(s.known, k)
		s.untold = append(s.untold, int32(d))
	}
	s.versions = make([]int64, len(s.domains))
	s.orders = make([]order, len(s.kinds))
	for kind := range s.orders {
		for d := range s.domains {
			s.orders[kind] = append(s.orders[kind], rating{broker: int32(d)})
		}
	}
}

// splitWords are the values of the parameter split.
var splitWords = map[string]split{"own": own, "each": each, "joint": joint}

// tell says that a resource has changed.
func (s *system) tell(m *machine) {
	k := s.known[m.domain]
	if !k.stale {
		k.stale = true
		s.untold = append(s.untold, m.domain)
	}
	k.describe(m)
	if s.split != whole && m.reclassify(k.toldOf(m)) {
		k.reshaped = true
	}
	for i := 0; i < int(categories) && !k.reshaped; i++ {
		for _, part := range k.aggregator.partsOf(int(categories)*int(m.place) + i) {
			k.parts[part.code].stale = true
		}
	}
}

// toldOf returns what is told of a resource.
func (k *knowledge) toldOf(m *machine) []resource {
	return k.told.resources[int(categories)*int(m.place):][:categories]
}

// describe tells of a resource as a computer.
func (k *knowledge) describe(m *machine) {
	of := k.toldOf(m)
	load := float64(100 * (m.total.cpus - m.free.cpus))
	of[computing] = computingSystem(of[computing].value, float64(m.clock), load, float64(m.total.cpus))
	of[operating] = operatingSystem(of[operating].value, float64(m.total.memory), float64(m.free.memory))
	of[storage] = fileSystem(of[storage].value, float64(m.total.disk), float64(m.free.disk))
}

// reclassify notes the classes of a resource, of which this is told, and reports whether they have changed.
func (m *machine) reclassify(told []resource) bool {
	before := m.classes
	for i := range told {
		m.classes[i] = told[i].class()
	}
	return m.classes != before
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
	for _, d := range s.untold {
		k := s.known[d]
		if k.reshaped {
			s.reshape(d, k)
			k.reshaped = false
		}
		for i := range k.parts {
			if p := &k.parts[i]; p.stale {
				s.sum(d, p)
			}
		}
		for i := range k.computers {
			t := &k.computers[i]
			k.offers[t.kind][t.index].put(&k.parts[t.computing], &k.parts[t.operating], &k.parts[t.storage])
		}
		for kind := range k.offers {
			if most := s.bound(k.offers[kind]); most != k.most[kind] {
				k.most[kind] = most
				s.orders[kind].rate(d, most)
			}
		}
		k.stale = false
		s.versions[d]++
	}
	s.untold = s.untold[:0]
}

// order is the brokers by what they may score most for a job of a kind, the highest first.
type order []rating

// rating is what no score of a broker is above.
type rating struct {
	broker int32
	most   float64
}

// rate notes what a broker may score most now.
func (o order) rate(d int32, most float64) {
	at := 0
	for o[at].broker != d {
		at++
	}
	for ; at > 0 && o[at-1].most < most; at-- {
		o[at] = o[at-1]
	}
	for ; at+1 < len(o) && o[at+1].most > most; at++ {
		o[at] = o[at+1]
	}
	o[at] = rating{d, most}
}

// most returns what no score of a broker for a job of a kind is above.
func (s *system) most(kind, d int32) float64 { return s.knownOf(d).most[kind] }

// inOrder returns the brokers by what they may score most for a job of a kind.
func (s *system) inOrder(kind int32) order {
	if len(s.untold) > 0 {
		s.learn()
	}
	return s.orders[kind]
}

// bound returns what no score of a broker for a job is above: that for one that all these offers match.
func (s *system) bound(offers []offer) float64 {
	most := 0.0
	for i := range offers {
		if s.p.Rank == "sum" {
			most += offers[i].rank
		} else {
			most = max(most, offers[i].rank)
		}
	}
	priority := 1 + 1e-9 // a rounded mean may be above what it is the mean of
	if s.p.Preference == "own" && !s.localFirst() {
		priority *= 2
	}
	return float64(most * priority)
}

// reshape finds how what a domain tells is aggregated: its parts and the aggregated computers.
func (s *system) reshape(d int32, k *knowledge) {
	a := &k.aggregator
	a.arrange(&k.told, s.split)
	s.divide(d, k)
	s.assemble(k, a.resources, a.relationships)
}

// divide finds of which clusters the parts are made.
func (s *system) divide(d int32, k *knowledge) {
	resources := k.aggregator.resources
	for len(k.parts) < len(resources) {
		k.parts = append(k.parts, part{})
	}
	k.parts = k.parts[:len(resources)]
	for i := range resources {
		p := &k.parts[i]
		p.category, p.clusters, p.stale = resources[i].category, p.clusters[:0], true
	}
	for i := range k.told.resources {
		for _, m := range k.aggregator.partsOf(i) {
			p := &k.parts[m.code]
			p.clusters = append(p.clusters, s.first[d]+int32(i/int(categories)))
		}
	}
	for i := range k.parts {
		if p := &k.parts[i]; p.category == computing {
			s.takeClocks(d, p)
		}
	}
}

// assemble finds the aggregated computers.
func (s *system) assemble(k *knowledge, resources []aggregated, relationships []relationship) {
	n := len(resources)
	s.related = append(s.related[:0], make([]bool, n*n)...)
	for _, r := range relationships {
		s.related[int(r.source)*n+int(r.target)] = true
	}
	k.computers = k.computers[:0]
	for kind := range k.offers {
		k.offers[kind] = k.offers[kind][:0]
	}
	for c := range resources {
		if resources[c].category != computing {
			continue
		}
		for o := range resources {
			if resources[o].category != operating || !s.related[c*n+o] {
				continue
			}
			kind := k.kinds[resources[c].value][resources[o].value]
			if kind == absent {
				continue
			}
			for f := range resources {
				if resources[f].category == storage && s.related[c*n+f] {
					k.computers = append(k.computers, together{int32(c), int32(o), int32(f), kind, int32(len(k.offers[kind]))})
					k.offers[kind] = append(k.offers[kind], offer{})
				}
			}
		}
	}
}

// takeClocks finds what the clusters of a part have together for good.
func (s *system) takeClocks(d int32, p *part) {
	sum := 0.0
	p.clock = 0
	for _, i := range p.clusters {
		clock := float64(s.machines[i].clock)
		sum += clock
		p.clock = max(p.clock, clock)
	}
	p.speed = s.term(d, 0, sum/float64(len(p.clusters)))
}

// sum finds what the clusters of a part have together now.
func (s *system) sum(d int32, p *part) {
	p.stale = false
	sum, most := 0.0, int64(0)
	for _, i := range p.clusters {
		m := &s.machines[i]
		there := m.free.of(p.category)
		sum += float64(there)
		if s.slow {
			there = m.total.of(p.category)
		}
		most = max(most, there)
	}
	p.most = float64(most)
	p.rank = s.term(d, 1+int(p.category), sum/float64(len(p.clusters)))
	if p.category == computing {
		p.rank = p.speed + p.rank
	}
}

// put puts an aggregated computer together.
func (o *offer) put(cs, os, fs *part) {
	o.clock, o.cpus, o.memory, o.disk = cs.clock, cs.most, os.most, fs.most
	o.rank = cs.rank + os.rank + fs.rank
}
