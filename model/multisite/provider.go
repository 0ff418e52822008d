// Provider: a cluster with its local jobs, and the gateway's information about its load and free
// slots.

package multisite

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gridsweep/model/cluster"
)

// provider is a cluster with local users, and what the gateway knows of it.
type provider struct {
	procs    int32
	offered  int32 // processors whose free slots it publishes
	site     *cluster.Site
	forecast *loadForecast // of ArEbMf, else nil

	localJobs []job
	arrived   int     // number of local jobs that have arrived
	numbers   []int32 // on the site, of the local jobs that have arrived
	// second of the next event: on the site, of a local job, or in checks; or never
	next int64

	// free slots that the gateway knows, less the bookings of jobs that it has sent
	slots  *cluster.Availability
	load   int64   // processors; as last reported
	checks []int64 // when ArEbMf next compares the load with the forecast; ascending
}

// The queue priorities of ArEbM, under which local jobs go first (Lawson & Smirni, JSSPP 2002).
const (
	gridPriority  = 0
	localPriority = 1
)

// runTimeBoundaries are the boundaries between the partitions by run time, in s (Equation 1).
var runTimeBoundaries = []int64{1000, 10000}

// siteConfig returns the machine of a provider, or an error if the shares of its partitions are
// invalid.
func siteConfig(p Parameters, procs int32) (config cluster.Config, err error) {
	policy, order := "easy", "arrival"
	switch p.Provider {
	case "ArCb", "ArCbM":
		policy = "conservative:fixed"
	case "ArEbM":
		order = "priority"
	}
	var errs [4]error
	config.Procs = procs
	config.Policy, errs[0] = cluster.ParsePolicy(policy)
	config.Order, errs[1] = cluster.ParseOrder(order)
	config.Pivot, errs[2] = cluster.Pivots.Parse(p.Pivot)
	config.Placement, errs[3] = cluster.Placements.Parse(p.Placement)
	if err := errors.Join(errs[:]...); err != nil {
		panic("multisite: " + err.Error()) // the ranges of the parameters have these names
	}
	switch p.Provider {
	case "ArEbM", "ArCbM":
		config.Boundaries = runTimeBoundaries
		config.Shares, err = shares(p.Shares, len(runTimeBoundaries)+1, procs)
	case "ArEbMf":
		config.Pivot = cluster.Kept
		config.Shares = make([]int32, 2)
		config.Shares[gridPartition] = procs / 2
		config.Shares[localPartition] = procs - procs/2
	}
	return config, err
}

// shares divides processors by weights such as 2,1,1; the remainder goes to the first partition.
func shares(text string, n int, procs int32) ([]int32, error) {
	fields := strings.Split(text, ",")
	if len(fields) != n {
		return nil, fmt.Errorf("%q: write %d weights with commas between, such as 1,1,1", text, n)
	}
	weights, sum := make([]int64, n), int64(0)
	for i, field := range fields {
		weight, err := strconv.ParseInt(strings.TrimSpace(field), 10, 32)
		if err != nil || weight < 1 {
			return nil, fmt.Errorf("%q: weight %d is %q, want a whole number from 1 on", text, i+1, field)
		}
		weights[i] = weight
		sum += weight
	}
	divided, rest := make([]int32, n), procs
	for i, weight := range weights {
		divided[i] = int32(int64(procs) * weight / sum)
		rest -= divided[i]
	}
	divided[0] += rest
	if i := slices.Index(divided, 0); i >= 0 {
		return nil, fmt.Errorf("%q: partition %d of a cluster of %d processors has none; each needs one", text, i+1, procs)
	}
	return divided, nil
}

// findNext finds the second of the next event again, after anything that changes the site.
func (v *provider) findNext() {
	v.next = v.site.Next()
	if v.arrived < len(v.localJobs) {
		v.next = min(v.next, v.localJobs[v.arrived].Submit)
	}
	if len(v.checks) > 0 {
		v.next = min(v.next, v.checks[0])
	}
}

// submitLocal submits the local jobs that arrive now.
func (v *provider) submitLocal(now int64) error {
	for ; v.arrived < len(v.localJobs) && v.localJobs[v.arrived].Submit == now; v.arrived++ {
		number, err := v.submit(now, &v.localJobs[v.arrived], localPriority, localPartition)
		if err != nil {
			return fmt.Errorf("local job %d: %w", v.arrived+1, err)
		}
		v.numbers[v.arrived] = number
	}
	return nil
}

// submit puts a job into the queue of the provider and makes a pass. It returns the number of the
// job on the site.
func (v *provider) submit(now int64, j *job, priority, partition int32) (number int32, err error) {
	added, err := v.site.Submit(now, cluster.Job{Run: j.Run, Procs: j.Procs, Priority: priority, Partition: partition})
	if err == nil {
		v.site.Pass(now)
	}
	return int32(added), err
}

// inUse returns the processors that running jobs and current reservations hold.
func (v *provider) inUse(now int64) int64 { return int64(v.procs - v.site.Free(now)) }
