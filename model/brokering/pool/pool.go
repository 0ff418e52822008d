// Package pool has the resources of a system and the requirements of jobs, as brokers, queues and
// local schedulers see them: amounts of CPUs, memory and disk, the resources by platform, and the
// conflicts of a job with them (section 6.1).
package pool

// Platform is a processor vendor with an operating system. Platforms are numbered in the order in
// which resources have them.
type Platform struct{ Vendor, System string }

// Amount is what a job holds while it runs, or what a resource has or has free.
type Amount struct {
	CPUs   int64
	Memory int64 // MB
	Disk   int64 // MB
}

// Within reports whether the other amount suffices for this one.
func (a *Amount) Within(other *Amount) bool {
	return a.CPUs <= other.CPUs && a.Memory <= other.Memory && a.Disk <= other.Disk
}

// Add adds a multiple of the other amount.
func (a *Amount) Add(other *Amount, times int64) {
	a.CPUs += times * other.CPUs
	a.Memory += times * other.Memory
	a.Disk += times * other.Disk
}

// Without returns what is free of the amount when another one is used. If more memory or disk is
// used than there is, none is free.
func (a *Amount) Without(used *Amount) Amount {
	return Amount{a.CPUs - used.CPUs, max(0, a.Memory-used.Memory), max(0, a.Disk-used.Disk)}
}

// Requirement is what a job requires of a resource.
type Requirement struct {
	Platform int32
	Origin   int32 // domain of the user who submitted it
	Clock    int64 // MHz, at least
	Needs    Amount
}

// Resource is the state of a cluster, which changes when a job starts or ends.
type Resource struct {
	Clock int64 // MHz
	Free  Amount
	Rank  float64 // of what is free (computeResourceRank of Listing 6)
}

// Fits reports whether a job of the resource's platform can start now.
func (r *Resource) Fits(job *Requirement) bool {
	return job.Clock <= r.Clock && job.Needs.Within(&r.Free)
}

// Pool is the resources of a system by platform, and those of a platform by domain.
type Pool struct {
	Resources [][]Resource // of each platform
	Totals    [][]Amount   // of each platform: what its resources have when no job runs
	// FirstResource has, for each platform and domain, the index of the domain's first resource of
	// the platform; and at the end of each platform the number of its resources.
	FirstResource [][]int32
}

// Range returns the half-open interval of the indices of the resources of a platform in a domain.
func (p *Pool) Range(platform, domain int32) (from, to int32) {
	first := p.FirstResource[platform]
	return first[domain], first[domain+1]
}

// Of returns the resources of a platform in a domain.
func (p *Pool) Of(platform, domain int32) []Resource {
	from, to := p.Range(platform, domain)
	return p.Resources[platform][from:to]
}

// TotalsOf returns, for each resource of a platform in a domain, what it has when no job runs.
func (p *Pool) TotalsOf(platform, domain int32) []Amount {
	from, to := p.Range(platform, domain)
	return p.Totals[platform][from:to]
}

// Position is where a resource is in a pool.
type Position struct {
	Platform, Domain int32
	Index            int32 // among the resources of the platform
}

// Ranks accumulates the ranks of a broker's resources that match a job.
type Ranks struct {
	Count     int
	Sum, Best float64
}

// Add adds the rank of another resource.
func (r *Ranks) Add(rank float64) {
	if r.Count == 0 || rank > r.Best {
		r.Best = rank
	}
	r.Count++
	r.Sum += rank
}
