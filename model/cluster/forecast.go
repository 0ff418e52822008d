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

// forecastTerms and forecastAlpha are of the weighted moving average of de Assunção & Buyya (HiPC
// 2008, section 6): 25 intervals, with the weight that is usual for so many.
const (
	forecastTerms = 25
	forecastAlpha = 2.0 / (forecastTerms + 1)
)

// rounding is how many processors a load in double precision may be wrong by: the mean of 25 equal
// loads is not always that load.
const rounding = 1e-9

// ForecastOptions are what the paper leaves open of a load forecast. Their zero values are
// docs/reference/scheduling.md's.
type ForecastOptions struct {
	// From is when the forecast begins, in s: publications before it plan what waits and resize
	// nothing, and the first window of load begins at the first publication from then on.
	From int64
	// Predict returns the load of the interval that begins now from those of the past intervals,
	// the latest first, at least one and at most 25, which it must not change or keep. It must
	// depend on nothing that differs between equal runs. Nil is the paper's weighted moving
	// average.
	Predict func(now int64, loads []float64) float64
	// ByActual gives the Grid what the load of the last interval leaves (line 8 as it is printed),
	// not what the forecast leaves. Reallocate compares with the forecast all the same.
	ByActual bool
	// Running leaves what waits out of the load: then it is at most 1.
	Running bool
}

// LoadForecast gives Grid jobs the processors of a site that its local jobs are not expected to
// need: Algorithm 1 of de Assunção & Buyya (HiPC 2008). A driver calls Publish at the paper's
// intervals and Reallocate between them, after the pass of the second, and lets Site.Show show its
// gateway the processors that they return. It does not call Reallocate in an interval for which
// Publish returned none (lines 11 to 13).
type LoadForecast struct {
	site     *Site
	options  ForecastOptions
	loads    []float64 // of the local jobs in past intervals, the latest first
	forecast float64   // of the load until the next publication
	watching bool      // Reallocate is to look for an underestimation
	began    bool      // the first window of load has begun
	since    int64     // when the present window began, in s: the last publication
	demand   int64     // of the local jobs until then, in processor seconds
}

// NewLoadForecast returns the forecast of a site that has not begun. It returns an error unless the
// site has two partitions that its jobs name themselves, EASY backfilling and pivots that are kept.
func NewLoadForecast(site *Site, options ForecastOptions) (*LoadForecast, error) {
	c := &site.config
	if len(c.Boundaries) > 0 || len(c.Shares) != 2 || c.Policy.kind != easy || c.Pivot != Kept {
		return nil, errors.New("a load forecast needs two shares, of local and of Grid jobs, without boundaries, policy easy and pivots that are kept")
	}
	if options.Predict == nil {
		options.Predict = movingAverage
	}
	return &LoadForecast{site: site, options: options}, nil
}

// Publish plans all waiting jobs, whose bookings stay, returns to the policy's number of pivots,
// forecasts the local load of the next interval from that of the past ones and resizes the
// partitions (lines 1 to 15). As long as no load is known they keep their shares. It returns the
// processors of the Grid partition; where there are none the gateway is told nothing.
func (f *LoadForecast) Publish(now int64) (procs int32) {
	f.site.setPivots(unlimited, LocalPartition, GridPartition)
	f.site.Pass(now)
	f.site.setPivots(f.site.config.Policy.pivots, LocalPartition, GridPartition)
	if f.began && now > f.since {
		f.loads = slices.Insert(f.loads, 0, f.load(now))
		f.loads = f.loads[:min(len(f.loads), forecastTerms)]
	}
	if now >= f.options.From {
		f.began, f.since, f.demand = true, now, f.demanded(now)
	}
	if len(f.loads) == 0 {
		return f.site.shares[GridPartition]
	}
	f.forecast, f.watching = f.options.Predict(now, f.loads), true
	if f.options.ByActual {
		return f.resize(now, f.loads[0])
	}
	return f.resize(now, f.forecast)
}

// Reallocate looks whether the local load since the last publication is above what was forecast.
// Then it resizes the partitions by that load and plans all waiting jobs, local ones first; until
// the next publication every job that comes is planned too, and no more is reallocated (lines 16 to
// 29). It returns the processors of the Grid partition, and whether it has resized it.
func (f *LoadForecast) Reallocate(now int64) (procs int32, resized bool) {
	if !f.watching || now == f.since || float64((f.load(now)-f.forecast)*float64(f.site.config.Procs)) <= rounding {
		return f.site.shares[GridPartition], false
	}
	f.watching = false
	procs = f.resize(now, f.load(now))
	f.site.setPivots(unlimited, LocalPartition)
	f.site.Pass(now)
	f.site.setPivots(unlimited, GridPartition)
	f.site.Pass(now)
	return procs, true
}

// load returns Σ processors × seconds in which a local job waited or ran, or only ran, since the
// last publication, over the site's processors × seconds.
func (f *LoadForecast) load(now int64) float64 {
	demand := f.demanded(now) - f.demand
	return float64(demand) / (float64(f.site.config.Procs) * float64(now-f.since))
}

// resize leaves the load to the local partition and gives the whole processors of the rest to Grid
// jobs (line 8, whose min can only be read as max).
func (f *LoadForecast) resize(now int64, load float64) int32 {
	all := f.site.config.Procs
	free := min(1, max(0, 1-load))
	grid := int32(float64(free*float64(all)) + rounding)
	f.site.resize(now, []int32{LocalPartition: all - grid, GridPartition: grid})
	return grid
}

// movingAverage is the mean of the loads, the latest first, with weights (1-α)^i.
func movingAverage(_ int64, loads []float64) float64 {
	sum, weights, weight := 0.0, 0.0, 1.0
	for _, load := range loads {
		sum += float64(weight * load)
		weights += weight
		weight *= 1 - forecastAlpha
	}
	return sum / weights
}

// demanded returns the processors × seconds in which local jobs have waited or run until now, or
// only run.
func (f *LoadForecast) demanded(now int64) int64 {
	f.site.turn(now)
	if f.options.Running {
		return f.site.used[LocalPartition].until(now)
	}
	return f.site.demand[LocalPartition].until(now)
}

// demand counts processors × seconds of jobs.
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

// setPivots lets the partitions have so many pivots. Those that are booked beyond that stay.
func (s *Site) setPivots(n int, partitions ...int) {
	for _, q := range partitions {
		s.most[q] = n
	}
	s.settled = false
}

// resize gives the partitions other shares from now on.
func (s *Site) resize(now int64, shares []int32) {
	s.turn(now)
	s.plan.resize(now, s.shares, shares)
	copy(s.shares, shares)
	s.settled = false
}
