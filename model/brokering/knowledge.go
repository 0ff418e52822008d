package brokering

// knowledge is what is known of a domain's resources in aggregated form (Listing 7), kept fresh when somebody asks.
type knowledge struct {
	told    information
	kinds   [][]int32 // what the domain's vendors and systems, by their numbers there, are in system.kinds; absent where nobody has both
	offers  [][]offer // of each kind in system.kinds, in the order of CS, OS and FS
	most    []float64 // of each kind in system.kinds, what no rank of the broker is above
	stale   bool
	version int64 // counts the states of what is known

	aggregator aggregator
	computers  []together // what the offers are made of
	reshaped   bool       // whether other resources belong together than when these were found
}

// together are the aggregated resources that make an aggregated computer, by their places, and its kind in system.kinds.
type together struct{ computing, operating, storage, kind int32 }

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
	s.split = splitWords[s.p.Split]
	for d := range s.domains {
		k := &knowledge{offers: make([][]offer, len(s.kinds)), reshaped: true}
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
		for i := s.first[d]; i < s.first[d+1]; i++ {
			k.tell(&s.machines[i])
		}
		s.known = append(s.known, k)
	}
	s.stale, s.orders = true, make([]order, len(s.kinds))
	for kind := range s.orders {
		for d := range s.domains {
			s.orders[kind].brokers = append(s.orders[kind].brokers, int32(d))
		}
	}
}

// splitWords are the values of the parameter split.
var splitWords = map[string]split{"own": own, "each": each, "joint": joint}

// tell says again what a resource has free.
func (k *knowledge) tell(m *machine) {
	of := k.told.resources[3*m.place : 3*m.place+3]
	classes := [...]class{of[0].class(), of[1].class(), of[2].class()}
	load := float64(100 * (m.total.cpus - m.free.cpus))
	of[0] = computingSystem(of[0].value, float64(m.clock), load, float64(m.total.cpus))
	of[1] = operatingSystem(of[1].value, float64(m.total.memory), float64(m.free.memory))
	of[2] = fileSystem(of[2].value, float64(m.total.disk), float64(m.free.disk))
	k.stale = true
	if classes != [...]class{of[0].class(), of[1].class(), of[2].class()} {
		k.reshaped = true // SIMPLE does not tell classes apart, and is none the worse for it
	}
}

// knownOf returns what is known of a domain's resources now.
func (s *system) knownOf(d int32) *knowledge {
	k := s.known[d]
	if k.stale {
		s.aggregate(d, k)
		s.bound(k)
		k.stale = false
		k.version++
	}
	return k
}

// most returns what no score of a broker for a job of a kind is above.
func (s *system) most(kind, d int32) float64 { return s.known[d].most[kind] }

// inOrder returns the brokers by what they may score most for a job of a kind, the highest first, all of them told afresh.
func (s *system) inOrder(kind int32) []int32 {
	if s.stale {
		for d := range s.known {
			s.knownOf(int32(d))
		}
		s.stale = false
		s.ordered++
	}
	o := &s.orders[kind]
	if o.as != s.ordered {
		o.as = s.ordered
		for i := 1; i < len(o.brokers); i++ { // insertion sort: hardly anything has changed
			d := o.brokers[i]
			at := i
			for ; at > 0 && s.most(kind, o.brokers[at-1]) < s.most(kind, d); at-- {
				o.brokers[at] = o.brokers[at-1]
			}
			o.brokers[at] = d
		}
	}
	return o.brokers
}

// order is the brokers by what they may score most for a job of a kind.
type order struct {
	brokers []int32
	as      int64 // of which state of what is known
}

// bound finds what no score of the broker for a job of each kind is above: that for one that all offers match.
func (s *system) bound(k *knowledge) {
	k.most = append(k.most[:0], make([]float64, len(s.kinds))...)
	for kind, offers := range k.offers {
		for i := range offers {
			if s.p.Rank == "sum" {
				k.most[kind] += offers[i].rank
			} else {
				k.most[kind] = max(k.most[kind], offers[i].rank)
			}
		}
	}
	priority := 1 + 1e-9 // a rounded mean may be above what it is the mean of
	if s.p.Preference == "own" && !s.localFirst() {
		priority *= 2
	}
	for kind := range k.most {
		k.most[kind] *= priority
	}
}

// aggregate finds the offers of a domain anew. As long as no resource changes its class the same ones belong together.
func (s *system) aggregate(d int32, k *knowledge) {
	var resources []aggregated
	if k.reshaped {
		resources = s.reshape(k)
		k.reshaped = false
	} else {
		resources = k.aggregator.refill(&k.told)
	}
	for kind := range k.offers {
		k.offers[kind] = k.offers[kind][:0]
	}
	for _, t := range k.computers {
		k.offers[t.kind] = append(k.offers[t.kind], s.offer(d, &resources[t.computing], &resources[t.operating], &resources[t.storage]))
	}
}

// reshape aggregates what a domain tells and finds the aggregated computers.
func (s *system) reshape(k *knowledge) []aggregated {
	var resources []aggregated
	var relationships []relationship
	if s.p.Strategy == "AGGR_SIMP" {
		resources, relationships = k.aggregator.simple(&k.told)
	} else {
		resources, relationships = k.aggregator.categorized(&k.told, s.split)
	}
	n := len(resources)
	s.related = append(s.related[:0], make([]bool, n*n)...)
	for _, r := range relationships {
		s.related[int(r.source)*n+int(r.target)] = true
	}
	k.computers = k.computers[:0]
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
					k.computers = append(k.computers, together{int32(c), int32(o), int32(f), kind})
				}
			}
		}
	}
	return resources
}

// offer puts an aggregated computer together.
func (s *system) offer(d int32, c, o, f *aggregated) offer {
	made := offer{
		clock: c.attributes[clockSpeed].max,
		cpus:  c.attributes[cpusFree].max, memory: o.attributes[ramAvailable].max, disk: f.attributes[freeMB].max,
		rank: s.rank(d, c.average(clockSpeed), c.average(cpusFree), o.average(ramAvailable), f.average(freeMB)),
	}
	if s.slow {
		made.cpus, made.memory, made.disk = c.attributes[totalCPUs].max, o.attributes[ramSize].max, f.attributes[sizeMB].max
	}
	return made
}

// average returns the mean of an attribute over what was aggregated.
func (r *aggregated) average(attribute int) float64 {
	return r.attributes[attribute].total / float64(r.count)
}
