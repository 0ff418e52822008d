package cluster

import (
	"errors"
	"slices"
)

// Partitions of a site with a load forecast.
const (
	LocalPartition = 0
	GridPartition  = 1
)

// forecastTerms and forecastAlpha are of the weighted moving average of de Assunção & Buyya (HiPC 2008, section 6): 25
// intervals, with the weight that is usual for so many.
const (
	forecastTerms = 25
	forecastAlpha = 2.0 / (forecastTerms + 1)
)

// LoadForecast gives Grid jobs the processors of a site that its local jobs are not expected to need: Algorithm 1 of
// de Assunção & Buyya (HiPC 2008). A driver calls Publish at the paper's intervals and Reallocate between them, after the
// pass of the second, and tells its gateway what Site.Slots shows within the processors that they return.
type LoadForecast struct {
	site     *Site
	loads    []float64 // of the local jobs in past intervals, the latest first
	forecast float64   // of the load until the next publication
	since    int64     // the last resizing, in s
	demand   int64     // of the local jobs until then, in processor seconds
}

// NewLoadForecast returns the forecast of a site that has not begun. It returns an error unless the site has two
// partitions that its jobs name themselves, EASY backfilling and pivots that are kept.
func NewLoadForecast(site *Site) (*LoadForecast, error) {
	c := &site.config
	if len(c.Boundaries) > 0 || len(c.Shares) != 2 || c.Policy.kind != easy || c.Pivot != Kept {
		return nil, errors.New("a load forecast needs two shares, of local and of Grid jobs, without boundaries, policy easy and pivots that are kept")
	}
	return &LoadForecast{site: site}, nil
}

// Publish plans all waiting jobs, whose bookings stay, forecasts the local load of the next interval from that of the
// past ones and resizes the partitions (lines 1 to 15). It returns the processors of the Grid partition; where there are
// none the gateway is told nothing.
func (f *LoadForecast) Publish(now int64) (procs int32) {
	f.site.planAll(now, LocalPartition, GridPartition)
	if load, ok := f.load(now); ok {
		f.loads = slices.Insert(f.loads, 0, load)
		f.loads = f.loads[:min(len(f.loads), forecastTerms)]
	}
	f.forecast = forecast(f.loads)
	return f.resize(now, f.forecast)
}

// Reallocate looks whether the local load since the partitions were resized is above what was forecast. Then it resizes
// them by that load and plans all waiting jobs, local ones first (lines 16 to 30), and reports true. It returns the
// processors of the Grid partition.
func (f *LoadForecast) Reallocate(now int64) (procs int32, resized bool) {
	load, ok := f.load(now)
	if !ok || load <= f.forecast {
		return f.site.shares[GridPartition], false
	}
	f.forecast = load
	procs = f.resize(now, load)
	f.site.planAll(now, LocalPartition)
	f.site.planAll(now, GridPartition)
	return procs, true
}

// load returns Σ processors × seconds in which a local job waited or ran since the last resizing, over the site's
// processors × seconds; false where no second has passed.
func (f *LoadForecast) load(now int64) (float64, bool) {
	if now == f.since {
		return 0, false
	}
	demand := f.site.demanded(now, LocalPartition) - f.demand
	return float64(demand) / (float64(f.site.config.Procs) * float64(now-f.since)), true
}

// resize leaves the load to the local partition and gives the rest to Grid jobs (line 8, whose min can only be read as
// max).
func (f *LoadForecast) resize(now int64, load float64) int32 {
	f.since, f.demand = now, f.site.demanded(now, LocalPartition)
	all := f.site.config.Procs
	grid := int32(max(0, 1-load) * float64(all))
	f.site.resize(now, []int32{LocalPartition: all - grid, GridPartition: grid})
	return grid
}

// forecast is the mean of the loads, the latest first, with weights (1-α)^i; 0 where there are none.
func forecast(loads []float64) float64 {
	sum, weights, weight := 0.0, 0.0, 1.0
	for _, load := range loads {
		sum += float64(weight * load)
		weights += weight
		weight *= 1 - forecastAlpha
	}
	if weights == 0 {
		return 0
	}
	return sum / weights
}

// demanded returns the processors × seconds in which jobs of the partition have waited or run until now. It is counted
// where there are several partitions.
func (s *Site) demanded(now int64, partition int) int64 {
	s.turn(now)
	return s.demand[partition].until(now)
}

// demand counts the processors × seconds of the jobs that are there.
type demand struct {
	procs int64 // of the jobs that are there now
	since int64 // when that last changed
	area  int64 // until then
}

func (d *demand) until(now int64) int64 { return d.area + d.procs*(now-d.since) }

// change adds the processors of a job that comes, or takes those of one that leaves.
func (d *demand) change(now int64, procs int32) {
	d.area, d.since = d.until(now), now
	d.procs += int64(procs)
}

// planAll does a pass in which the named partitions may have any number of pivots, whose bookings stay. The site must
// keep its pivots.
func (s *Site) planAll(now int64, partitions ...int) {
	for _, q := range partitions {
		s.most[q] = unlimited
	}
	s.Pass(now)
	for _, q := range partitions {
		s.most[q] = s.config.Policy.pivots
	}
}

// resize gives the partitions other shares from now on.
func (s *Site) resize(now int64, shares []int32) {
	s.turn(now)
	for q := range shares {
		s.plan.parts[q].Add(now, Never, shares[q]-s.shares[q])
		s.shares[q] = shares[q]
	}
	s.settled = false
}
