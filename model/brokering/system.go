package brokering

import (
	"slices"

	"gridsweep/model/des"
	"gridsweep/model/metrics"
)

// need is what a job holds while it runs, or what a resource has of it.
type need struct{ cpus, memory, disk int64 }

// within reports whether so much is there.
func (n *need) within(there *need) bool {
	return n.cpus <= there.cpus && n.memory <= there.memory && n.disk <= there.disk
}

// of returns what there is of a category.
func (n *need) of(c category) int64 {
	switch c {
	case computing:
		return n.cpus
	case operating:
		return n.memory
	}
	return n.disk
}

// add changes what there is by sign times as much as a job needs.
func (n *need) add(other *need, sign int64) {
	n.cpus += sign * other.cpus
	n.memory += sign * other.memory
	n.disk += sign * other.disk
}

// without returns what there is without what is used of it.
func (n *need) without(used *need) need {
	return need{n.cpus - used.cpus, max(0, n.memory-used.memory), max(0, n.disk-used.disk)}
}

// request is what becomes of a job of a run, by its number: its place among all jobs in the order of arrival. There may be many,
// and domains share their jobs, so that nothing of the job is copied.
type request struct {
	kind     int32 // place in system.kinds
	origin   int32 // place of its domain
	index    int32 // place among its domain's jobs
	resource int32 // that it was given
	start    int64 // s
	tally    tally
}

// requirement is what brokers look at of a job.
type requirement struct {
	kind, origin int32 // of the request
	clock        int64 // MHz
	need         need
}

// tally counts the attempts to place a job and the conflicts at these.
type tally struct {
	attempts    int64
	conflicts   conflicts
	rescheduled bool
}

// vacancy is what of a resource every attempt looks at.
type vacancy struct {
	clock int64 // MHz
	free  need  // what is not used
	rank  float64
}

// fits reports whether it is enough for a job.
func (v *vacancy) fits(r *requirement) bool { return r.clock <= v.clock && r.need.within(&v.free) }

// machine is a resource in use.
type machine struct {
	*vacancy         // in system.vacancies
	total, used need // more memory and disk may be used than there is, see docs/brokering.md; then nothing is free
	kind        int32
	domain      int32
	place       int32   // in its domain
	index       int32   // in system.byKind of its kind
	ran         int64   // jobs
	worked      int64   // CPU·s of these
	slowdown    average // of the jobs that finished there
}

// average is a mean in the making.
type average struct {
	sum   float64
	count int64
}

func (a *average) add(x float64) { a.sum, a.count = a.sum+x, a.count+1 }

// system is the domains of a run with their brokers.
type system struct {
	p         Parameters
	domains   []domain
	kinds     []kind // of all resources, each once
	machines  []machine
	first     []int32     // of each domain, its first resource in machines; one more at the end
	byKind    [][]int32   // resources of each kind, in order
	vacancies [][]vacancy // of these, side by side
	offered   [][]vacancy // what of these conflicts are counted by: what is free, under SLOW what there is
	places    [][]int32   // of each kind and domain, where that domain's begin in byKind; one more at the end
	requests  []request
	scales    []scale // of each domain's resources
	factors   [4]float64
	now       int64
	last      int64   // s, when the last job ended
	grades    []grade // of the brokers that match the job of an attempt and have not handed it back

	// Of aggregated data.
	known    []*knowledge // of each domain; nil under REGULAR
	versions []int64      // count the states of what is known of each domain
	split    split
	orders   []order // of the brokers, for each kind
	untold   []int32 // domains that have something to tell

	// Of SLOW.
	slow      bool
	slowdowns []float64 // the average bounded slowdown of each broker
	centres   []*centre // of each resource
}

// scale is the largest clock, CPUs, memory and disk of a resource in the system, which ranks are relative to.
type scale [4]float64

// newSystem puts the resources and jobs of the domains together.
func newSystem(p Parameters, domains []domain) *system {
	s := &system{p: p, domains: domains, factors: [4]float64{1, 1, 1, 1}}
	switch p.Ranking {
	case "cpu":
		s.factors[1] = p.Factor
	case "mem":
		s.factors[2] = p.Factor
	case "disk":
		s.factors[3] = p.Factor
	}
	numbers := map[kind]int32{} // places in kinds
	for d := range domains {
		s.first = append(s.first, int32(len(s.machines)))
		for i := range domains[d].clusters {
			c := &domains[d].clusters[i]
			k, known := numbers[c.kind]
			if !known {
				k = int32(len(s.kinds))
				numbers[c.kind], s.kinds = k, append(s.kinds, c.kind)
			}
			total := need{int64(c.cpus), c.memory, c.disk}
			s.machines = append(s.machines, machine{vacancy: &vacancy{clock: c.clock, free: total}, total: total, kind: k, domain: int32(d), place: int32(i)})
		}
	}
	s.first = append(s.first, int32(len(s.machines)))
	s.sortByKind()
	s.takeScales()
	for i := range s.machines {
		s.rerank(&s.machines[i])
	}
	s.takeRequests(numbers)
	if p.Strategy != "REGULAR" {
		s.tellAll()
	}
	s.offered = s.vacancies
	if s.slow = p.Strategy == "SLOW"; s.slow {
		s.slowdowns = slices.Repeat([]float64{1}, len(domains))
		s.offered = make([][]vacancy, len(s.kinds))
		for k := range s.offered {
			s.offered[k] = slices.Clone(s.vacancies[k]) // while nothing is used
		}
	}
	return s
}

// localFirst reports whether own jobs come first in queues, not in the ranking.
func (s *system) localFirst() bool { return s.p.Preference == "own" && s.p.OwnAs == "queue" }

// sortByKind lists the resources of each kind.
func (s *system) sortByKind() {
	s.byKind, s.places = make([][]int32, len(s.kinds)), make([][]int32, len(s.kinds))
	s.vacancies = make([][]vacancy, len(s.kinds))
	for k := range s.kinds {
		for d := range s.domains {
			s.places[k] = append(s.places[k], int32(len(s.byKind[k])))
			for i := s.first[d]; i < s.first[d+1]; i++ {
				if s.machines[i].kind == int32(k) {
					s.machines[i].index = int32(len(s.byKind[k]))
					s.byKind[k] = append(s.byKind[k], i)
				}
			}
		}
		s.places[k] = append(s.places[k], int32(len(s.byKind[k])))
		s.vacancies[k] = make([]vacancy, len(s.byKind[k]))
		for at, i := range s.byKind[k] {
			s.vacancies[k][at] = *s.machines[i].vacancy
			s.machines[i].vacancy = &s.vacancies[k][at]
		}
	}
}

// ofKind returns the resources of a domain that are of a kind.
func (s *system) ofKind(k, d int32) []int32 {
	return s.byKind[k][s.places[k][d]:s.places[k][d+1]]
}

// vacant returns the vacancies of a domain's resources of a kind, in the order of ofKind.
func (s *system) vacant(k, d int32) []vacancy {
	return s.vacancies[k][s.places[k][d]:s.places[k][d+1]]
}

// inReach returns what the resources of a kind offer that a job of the domain may go to.
func (s *system) inReach(k, origin int32) []vacancy {
	if s.p.Preference == "none" {
		return s.offered[k][s.places[k][origin]:s.places[k][origin+1]]
	}
	return s.offered[k]
}

// takeScales finds what ranks are relative to: of all resources, or of a domain's own where nobody forwards.
func (s *system) takeScales() {
	s.scales = make([]scale, len(s.domains))
	var all scale
	for i := range s.machines {
		m := &s.machines[i]
		x := scale{float64(m.clock), float64(m.total.cpus), float64(m.total.memory), float64(m.total.disk)}
		for a := range x {
			all[a] = max(all[a], x[a])
			s.scales[m.domain][a] = max(s.scales[m.domain][a], x[a])
		}
	}
	if s.p.Preference != "none" {
		for d := range s.scales {
			s.scales[d] = all
		}
	}
}

// rank returns the rank in the domain of a resource, or of an average of several, that has so much of each characteristic.
func (s *system) rank(d int32, clock, cpus, memory, disk float64) float64 {
	return s.term(d, 0, clock) + s.term(d, 1, cpus) + s.term(d, 2, memory) + s.term(d, 3, disk)
}

// term returns what so much of a characteristic, by its place in a scale, adds to a rank in the domain.
func (s *system) term(d int32, of int, value float64) float64 {
	return s.factors[of] * value / s.scales[d][of]
}

// rerank computes the rank of a resource anew, after what is free has changed.
func (s *system) rerank(m *machine) {
	m.rank = s.rank(m.domain, float64(m.clock), float64(m.free.cpus), float64(m.free.memory), float64(m.free.disk))
}

// takeRequests merges the jobs of all domains in the order of arrival. Mostly a domain's next job is of the same kind as its last
// one, which is sooner seen than looked up.
func (s *system) takeRequests(numbers map[kind]int32) {
	count := 0
	var next des.Queue[int32] // domains by the submit of their first job that is not yet taken
	for d := range s.domains {
		count += len(s.domains[d].jobs)
		if jobs := s.domains[d].jobs; len(jobs) > 0 {
			next.Push(jobs[0].submit, 0, int32(d))
		}
	}
	s.requests = make([]request, 0, count)
	at := make([]int, len(s.domains))      // the next job of each
	kinds := make([]int32, len(s.domains)) // of the last job of each
	var due []int32                        // domains with a job of the same second
	for {
		submit, _, _, ok := next.Peek()
		if !ok {
			return
		}
		due = due[:0]
		for time := submit; ok && time == submit; time, _, _, ok = next.Peek() {
			d, _ := next.Next()
			due = append(due, d)
		}
		slices.Sort(due)
		for _, d := range due {
			jobs := s.domains[d].jobs
			for ; at[d] < len(jobs) && jobs[at[d]].submit == submit; at[d]++ {
				if j := &jobs[at[d]]; j.kind != s.kinds[kinds[d]] {
					kinds[d] = numbers[j.kind]
				}
				s.requests = append(s.requests, request{kind: kinds[d], origin: d, index: int32(at[d]), resource: absent})
			}
			if at[d] < len(jobs) {
				next.Push(jobs[at[d]].submit, 0, d)
			}
		}
	}
}

// job returns the job that is requested.
func (s *system) job(r *request) *job { return &s.domains[r.origin].jobs[r.index] }

// needOf returns what a request needs.
func (s *system) needOf(r *request) need {
	j := s.job(r)
	return need{int64(j.cpus), j.memory, j.disk}
}

// requirementOf returns what brokers look at of a request.
func (s *system) requirementOf(r *request) requirement {
	return requirement{kind: r.kind, origin: r.origin, clock: s.job(r).clock, need: s.needOf(r)}
}

// absent stands for no resource or domain.
const absent = -1

// couldHold reports whether a resource of the job's kind could hold it.
func (m *machine) couldHold(r *requirement) bool {
	return r.clock <= m.clock && r.need.within(&m.total)
}

// bestFit returns the resource of highest rank that fits, of a domain; absent if none does. Ties go to the first.
func (s *system) bestFit(r *requirement, d int32) int32 {
	best, vacant := absent, s.vacant(r.kind, d)
	for i := range vacant {
		if v := &vacant[i]; v.fits(r) && (best == absent || v.rank > vacant[best].rank) {
			best = i
		}
	}
	if best == absent {
		return absent
	}
	return s.ofKind(r.kind, d)[best]
}

// waitOf returns how long a job that has started waited, in s.
func waitOf(j *job, r *request) float64 { return float64(r.start - j.submit) }

// slowdownOf returns the bounded slowdown of a job that has started (section 5.3).
func slowdownOf(j *job, r *request) float64 {
	const threshold = 60 // s
	return metrics.BoundedSlowdown(j.submit, r.start, r.start+j.run, threshold)
}
