// Which jobs an aggregated computer matches: the rule for one job, and for sets of classes of jobs.

package information

import "gridsweep/model/brokering/pool"

// Matches reports whether the maxima suffice for a job. They may be of different clusters, none of
// which suffices alone.
func (c *AggregatedComputer) Matches(job *pool.Requirement) bool {
	return job.Clock <= c.Clock && job.Needs.CPUs <= c.CPUs && job.Needs.Memory <= c.Memory && job.Needs.Disk <= c.Disk
}

// Classes are up to 64 classes of jobs of a platform, a bit for each. The jobs of a class differ in
// their disks alone.
type Classes interface {
	// Within returns the classes for which the maxima of an aggregate suffice: for some of their
	// jobs, and of an FS for all.
	Within(a *Aggregate) (some, all uint64)
}

// ClassMatches is [AggregatedComputer.Matches] for classes and the aggregated computers of a
// broker. It stores the classes of each aggregate, since few aggregates change at a time.
type ClassMatches struct {
	bySlot []aggregateMatch
}

// aggregateMatch is the classes for which the maxima of an aggregate suffice: for some of their
// jobs, and for all. Only an FS sets all: of a CS or OS it would equal some.
type aggregateMatch struct {
	clock, most int64 // of the aggregate, when they were found
	some, all   uint64
}

// NewClassMatches returns matches with aggregates of the service. Call Reset before the first
// Update.
func (s *Service) NewClassMatches() *ClassMatches {
	return &ClassMatches{make([]aggregateMatch, int(Categories)*s.config.Split.Subcategories())}
}

// Reset must be called after the classes have changed.
func (m *ClassMatches) Reset() {
	for i := range m.bySlot {
		m.bySlot[i].clock = -1 // which no aggregate has
	}
}

// Update finds the matches with aggregates that have changed since the last call.
func (m *ClassMatches) Update(computers *AggregatedComputers, classes Classes) {
	for _, a := range computers.Aggregates {
		match := &m.bySlot[a.slot]
		if match.most == a.Max && match.clock == a.Clock {
			continue
		}
		match.clock, match.most = a.Clock, a.Max
		match.some, match.all = classes.Within(a)
	}
}

// Of returns the classes that an aggregated computer matches: some of their jobs, and all.
func (m *ClassMatches) Of(c *AggregatedComputer) (some, all uint64) {
	disk := &m.bySlot[c.Aggregates[FS].slot]
	some = m.bySlot[c.Aggregates[CS].slot].some & m.bySlot[c.Aggregates[OS].slot].some & disk.some
	return some, some & disk.all
}
