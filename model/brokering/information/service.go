// The service that keeps the aggregated information of all domains current.

package information

import (
	"math/bits"
	"slices"

	"gridsweep/model/brokering/pool"
)

// Service keeps the aggregated form of each domain's clusters (Listing 7), where a cluster is a
// computer with the file system /. The aggregated form is that of an Aggregator, but it is
// maintained: each aggregated resource that can exist is an Aggregate with the clusters that belong
// to it. When what is free of a cluster changes, only the few aggregates that it belongs to or has
// left are computed again, when the domain's information is next read. To aggregate all at each
// change would make a run at least a third longer.
type Service struct {
	config   Config
	domains  []domain
	versions []int64 // of each domain: how often its information was refreshed
	orders   []order // of each platform: the brokers by their bounds
	stale    []int32 // domains with a cluster that has changed since the last refresh
}

// Config describes the brokers of a service.
type Config struct {
	Split       Split
	MatchTotals bool // the maxima that jobs are matched with are of totals, not of what is free

	// Term returns what an amount of a characteristic adds to a rank at a domain. The
	// characteristics are 0 to 3: clock in MHz, CPUs, memory in MB and disk in MB.
	Term func(domain int32, characteristic int, amount float64) float64
	// Sum is whether the rank of a broker is the sum of its aggregated computers' ranks; else it is
	// at most the highest of them.
	Sum         bool
	MaxPriority float64 // the highest priority, by which the rank of a broker is multiplied
}

// Cluster is a cluster of a domain, with what it has when no job runs.
type Cluster struct {
	Platform int32
	Clock    int64 // MHz
	Total    pool.Amount
}

// AggregatedComputer is a ComputingSystem with an OperatingSystem and a FileSystem that it has
// relationships with, each an aggregated resource.
type AggregatedComputer struct {
	// The maxima that jobs are matched with, in MHz, CPUs and MB: of what is free, or of totals.
	Clock, CPUs, Memory, Disk int64
	Rank                      float64 // of the averages of what is free
	Aggregates                [Categories]*Aggregate
}

// Matches reports whether the maxima suffice for a job. They may be of different clusters, none of
// which suffices alone. Package retry has the same rule for classes of jobs (view.updateMatches).
func (c *AggregatedComputer) Matches(job *pool.Requirement) bool {
	return job.Clock <= c.Clock && job.Needs.CPUs <= c.CPUs && job.Needs.Memory <= c.Memory && job.Needs.Disk <= c.Disk
}

// AggregatedComputers are those of a domain and platform, in the order of CS, OS and FS.
type AggregatedComputers struct {
	List       []AggregatedComputer
	Aggregates []*Aggregate // of these, each once

	// the indices of the first aggregates with the platform's vendor and operating system
	cs, os int32
	// for each subcategory of the CS, the subcategories of the OS that it is related with: a bit
	// for each; nil if the domain has no cluster of the platform
	relatedOS []uint32
}

// Aggregate is an aggregated resource that a service maintains: a subcategory of a value with its
// clusters. It may be empty.
type Aggregate struct {
	Category Category
	Index    int32 // of its category and subcategory among those of all: below Service.Aggregates
	Clock    int64 // MHz, the highest of its clusters; of a CS
	Max      int64 // the most CPUs, memory or disk that a cluster has free, or in total

	clusters  []int32 // that belong to it, in any order
	clockTerm float64 // of a CS: what the average clock adds to a rank
	rank      float64 // clockTerm and what the average of what is free adds
	relatedFS uint32  // of a CS: a bit for each subcategory of the FS that it is related with
	changed   bool    // whether it is in domain.changed
	regrouped bool    // whether other clusters belong to it than at the last refresh
}

// domain is the aggregated information of a domain.
type domain struct {
	computers  []AggregatedComputers // of each platform
	bounds     []float64             // of each platform: upper bound of a score for a job
	clusters   []cluster             // in the order of the domain
	amounts    [Categories][]int64   // what is free of each cluster
	aggregates []Aggregate           // by category, value and subcategory

	stale     bool         // whether a cluster has changed since the last refresh
	changed   []*Aggregate // aggregates that such a cluster belongs to or has left
	regrouped bool         // whether one of them has other clusters than before
}

// cluster is a cluster with the aggregates that it belongs to.
type cluster struct {
	Cluster
	// the index of the first aggregate of its value in each category, that of subcategory 0
	firstAggregate [Categories]int32
	subcategories  [Categories]uint32 // a bit for each that it belongs to
	aggregates     []*Aggregate
}

// NewService returns the service of domains with these clusters, in which no job runs. The
// platforms of clusters are indices in platforms.
func NewService(c Config, domains [][]Cluster, platforms []pool.Platform) *Service {
	c.MaxPriority *= 1 + 1e-9 // a rounded mean may be above the highest rank
	n := len(domains)
	s := &Service{config: c, domains: make([]domain, n), versions: make([]int64, n), orders: make([]order, len(platforms))}
	for d, clusters := range domains {
		own := &s.domains[d]
		*own = domain{computers: make([]AggregatedComputers, len(platforms)), bounds: make([]float64, len(platforms))}
		own.layOut(clusters, platforms, c.Split.subcategories())
		for i := range clusters {
			s.Update(int32(d), int32(i), &clusters[i].Total)
		}
	}
	for platform := range s.orders {
		o := &s.orders[platform]
		for d := range s.domains {
			o.positions = append(o.positions, int32(len(o.brokers)))
			if s.domains[d].computers[platform].relatedOS != nil {
				o.brokers = append(o.brokers, BoundedBroker{Broker: int32(d)})
			}
		}
	}
	return s
}

// layOut makes an aggregate for each subcategory of each value. Values are in the order of first
// appearance.
func (d *domain) layOut(clusters []Cluster, platforms []pool.Platform, subcategories int) {
	var values Computers
	for i := range clusters {
		values.Value(CS, platforms[clusters[i].Platform].Vendor)
		values.Value(OS, platforms[clusters[i].Platform].System)
	}
	vendors, systems := len(values.Names[CS]), len(values.Names[OS])
	d.aggregates = make([]Aggregate, (vendors+systems+1)*subcategories)
	for i := range d.aggregates {
		a := &d.aggregates[i]
		switch value := i / subcategories; {
		case value >= vendors+systems:
			a.Category = FS
		case value >= vendors:
			a.Category = OS
		}
		a.Index = int32(int(a.Category)*subcategories + i%subcategories)
	}
	for c := range d.amounts {
		d.amounts[c] = make([]int64, len(clusters))
	}
	for _, c := range clusters {
		cs := values.Value(CS, platforms[c.Platform].Vendor) * int32(subcategories)
		os := (int32(vendors) + values.Value(OS, platforms[c.Platform].System)) * int32(subcategories)
		fs := int32((vendors + systems) * subcategories)
		if o := &d.computers[c.Platform]; o.relatedOS == nil {
			*o = AggregatedComputers{cs: cs, os: os, relatedOS: make([]uint32, subcategories)}
		}
		d.clusters = append(d.clusters, cluster{Cluster: c, firstAggregate: [Categories]int32{cs, os, fs}})
	}
}

// Update sets how much is free of a cluster of a domain.
func (s *Service) Update(broker, at int32, free *pool.Amount) {
	d := &s.domains[broker]
	if !d.stale {
		d.stale = true
		s.stale = append(s.stale, broker)
	}
	d.amounts[CS][at], d.amounts[OS][at], d.amounts[FS][at] = free.CPUs, free.Memory, free.Disk
	c := &d.clusters[at]
	if now := c.subcategoriesWith(s.config.Split, free); now != c.subcategories {
		d.regroup(at, now)
	}
	for _, a := range c.aggregates {
		d.markChanged(a)
	}
}

// subcategoriesWith returns the subcategories that the resources of a cluster belong to if so much
// is free, by category a set with a bit for each.
func (c *cluster) subcategoriesWith(by Split, free *pool.Amount) [Categories]uint32 {
	var used levels
	if by != Whole {
		used = levels{
			levelOf(100*float64(c.Total.CPUs-free.CPUs), float64(c.Total.CPUs)),
			levelOf(100*float64(c.Total.Memory-free.Memory), float64(c.Total.Memory)),
			levelOf(100*float64(c.Total.Disk-free.Disk), float64(c.Total.Disk)),
		}
	}
	return by.subcategoriesOf(&used)
}

// markChanged marks an aggregate to be computed again.
func (d *domain) markChanged(a *Aggregate) {
	if !a.changed {
		a.changed = true
		d.changed = append(d.changed, a)
	}
}

// regroup moves a cluster to the aggregates of other subcategories.
func (d *domain) regroup(at int32, now [Categories]uint32) {
	c := &d.clusters[at]
	d.regrouped, c.aggregates = true, c.aggregates[:0]
	for category := range now {
		aggregates := d.aggregates[c.firstAggregate[category]:]
		for left := c.subcategories[category] &^ now[category]; left != 0; left &= left - 1 {
			a := &aggregates[bits.TrailingZeros32(left)]
			i, last := slices.Index(a.clusters, at), len(a.clusters)-1
			a.clusters[i] = a.clusters[last]
			a.clusters, a.regrouped = a.clusters[:last], true
			d.markChanged(a)
		}
		for joined := now[category]; joined != 0; joined &= joined - 1 {
			subcategory := bits.TrailingZeros32(joined)
			a := &aggregates[subcategory]
			c.aggregates = append(c.aggregates, a)
			if c.subcategories[category]>>subcategory&1 == 0 {
				a.clusters, a.regrouped = append(a.clusters, at), true
			}
		}
	}
	c.subcategories = now
}

// Aggregates returns how many aggregates a platform has at a domain, empty ones included.
func (s *Service) Aggregates() int { return int(Categories) * s.config.Split.subcategories() }

// AggregatedComputers returns the aggregated computers of a domain for jobs of a platform.
func (s *Service) AggregatedComputers(broker, platform int32) *AggregatedComputers {
	return &s.refreshed().domains[broker].computers[platform]
}

// Bound returns an upper bound of the scores of a broker for jobs of a platform.
func (s *Service) Bound(broker, platform int32) float64 {
	return s.refreshed().domains[broker].bounds[platform]
}

// Brokers returns the brokers that have clusters of a platform by their bounds, the highest first.
func (s *Service) Brokers(platform int32) []BoundedBroker {
	return s.refreshed().orders[platform].brokers
}

// Version returns a number that rises when AggregatedComputers, Bound or Brokers refreshes
// information of a domain that has changed.
func (s *Service) Version(broker int32) int64 { return s.versions[broker] }

// refreshed returns the service with current information. Unlike refresh it can be inlined.
func (s *Service) refreshed() *Service {
	if len(s.stale) > 0 {
		s.refresh()
	}
	return s
}

// refresh computes the information of the domains that have changed.
func (s *Service) refresh() {
	for _, broker := range s.stale {
		d := &s.domains[broker]
		if d.regrouped {
			d.relate()
		}
		for _, a := range d.changed {
			a.changed = false
			if len(a.clusters) > 0 {
				s.compute(broker, a)
			}
		}
		d.changed = d.changed[:0]
		for platform := range d.computers {
			if bound := float64(d.computers[platform].fill(s.config.Sum) * s.config.MaxPriority); bound != d.bounds[platform] {
				d.bounds[platform] = bound
				s.orders[platform].setBound(broker, bound)
			}
		}
		d.stale = false
		s.versions[broker]++
	}
	s.stale = s.stale[:0]
}

// relate finds the relationships of the aggregates, and the aggregated computers that follow from
// them.
func (d *domain) relate() {
	d.regrouped = false
	for i := range d.aggregates {
		d.aggregates[i].relatedFS = 0
	}
	for platform := range d.computers {
		clear(d.computers[platform].relatedOS)
	}
	for i := range d.clusters {
		c := &d.clusters[i]
		for left := c.subcategories[CS]; left != 0; left &= left - 1 {
			subcategory := bits.TrailingZeros32(left)
			d.aggregates[int(c.firstAggregate[CS])+subcategory].relatedFS |= c.subcategories[FS]
			d.computers[c.Platform].relatedOS[subcategory] |= c.subcategories[OS]
		}
	}
	for platform := range d.computers {
		d.assemble(&d.computers[platform])
	}
}

// assemble finds the aggregated computers of a platform.
func (d *domain) assemble(a *AggregatedComputers) {
	fileSystems := d.aggregates[len(d.aggregates)-len(a.relatedOS):]
	a.Aggregates, a.List = a.Aggregates[:0], a.List[:0]
	var osUsed, fsUsed uint32 // subcategories of their OS and FS
	for subcategory, related := range a.relatedOS {
		if related == 0 {
			continue
		}
		cs := &d.aggregates[int(a.cs)+subcategory]
		a.Aggregates = append(a.Aggregates, cs)
		osUsed, fsUsed = osUsed|related, fsUsed|cs.relatedFS
		for ; related != 0; related &= related - 1 {
			os := &d.aggregates[int(a.os)+bits.TrailingZeros32(related)]
			for left := cs.relatedFS; left != 0; left &= left - 1 {
				fs := &fileSystems[bits.TrailingZeros32(left)]
				a.List = append(a.List, AggregatedComputer{Aggregates: [Categories]*Aggregate{cs, os, fs}})
			}
		}
	}
	for ; osUsed != 0; osUsed &= osUsed - 1 {
		a.Aggregates = append(a.Aggregates, &d.aggregates[int(a.os)+bits.TrailingZeros32(osUsed)])
	}
	for ; fsUsed != 0; fsUsed &= fsUsed - 1 {
		a.Aggregates = append(a.Aggregates, &fileSystems[bits.TrailingZeros32(fsUsed)])
	}
}

// fill sets the maxima and ranks of the computers. It returns the sum of the ranks, or the highest.
func (a *AggregatedComputers) fill(sum bool) float64 {
	bound := 0.0
	for i := range a.List {
		computer := &a.List[i]
		cs, os, fs := computer.Aggregates[CS], computer.Aggregates[OS], computer.Aggregates[FS]
		computer.Clock, computer.CPUs, computer.Memory, computer.Disk = cs.Clock, cs.Max, os.Max, fs.Max
		computer.Rank = cs.rank + os.rank + fs.rank
		if sum {
			bound += computer.Rank
		} else {
			bound = max(bound, computer.Rank)
		}
	}
	return bound
}

// compute finds the maxima and the rank of an aggregate that is not empty (computeAggregatedInfo).
// Sums are exact, since package brokering bounds the amounts of a domain (validate.go).
func (s *Service) compute(broker int32, a *Aggregate) {
	d, n := &s.domains[broker], float64(len(a.clusters))
	if a.regrouped { // what depends on its clusters alone
		a.regrouped, a.Clock, a.Max = false, 0, 0
		clocks := int64(0)
		for _, at := range a.clusters {
			c := &d.clusters[at]
			clocks += c.Clock
			a.Clock = max(a.Clock, c.Clock)
			a.Max = max(a.Max, [Categories]int64{c.Total.CPUs, c.Total.Memory, c.Total.Disk}[a.Category])
		}
		if a.Category == CS {
			a.clockTerm = s.config.Term(broker, 0, float64(clocks)/n)
		}
	}
	sum, most := int64(0), int64(0) // of what is free
	for _, at := range a.clusters {
		free := d.amounts[a.Category][at]
		sum += free
		most = max(most, free)
	}
	if !s.config.MatchTotals {
		a.Max = most
	}
	a.rank = a.clockTerm + s.config.Term(broker, 1+int(a.Category), float64(sum)/n)
}
