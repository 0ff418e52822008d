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

// The weighted moving average of de Assunção & Buyya (HiPC 2008, section 6) is over 25 intervals.
// The paper does not give α; 2/(n+1) is usual for n intervals.
const (
	forecastTerms = 25
	forecastAlpha = 2.0 / (forecastTerms + 1)
)

// rounding bounds the rounding error of a load, in processors: the mean of 25 equal loads is not
// always that load.
const rounding = 1e-9

// ForecastOptions are alternative assumptions where the paper leaves a load forecast open. Zero
// values are the defaults of docs/reference/scheduling.md.
type ForecastOptions struct {
	// From is when the forecast begins, in s. Earlier publications plan the waiting jobs and resize
	// nothing. The first interval begins at the first publication from then on.
	From int64
	// Predict returns the load of the interval that begins now from those of the past intervals,
	// the latest first, at least one and at most 25. It must not change or keep them, and must
	// return the same in equal runs. Nil is the paper's weighted moving average.
	Predict func(now int64, loads []float64) float64
	// ByActual resizes by the load of the last interval (line 8 as it is printed), not by the
	// forecast. Reallocate compares with the forecast in either case.
	ByActual bool
	// Running excludes waiting jobs from the load: then it is at most 1.
	Running bool
}

// LoadForecast gives Grid jobs the processors of a site that its local jobs are not expected to
// need: Algorithm 1 of de Assunção & Buyya (HiPC 2008). A driver calls Publish at the paper's
// intervals and Reallocate between them, after the pass of the second, and passes the processors
// that they return to Site.Show. In an interval for which Publish returned 0 it does not call
// Reallocate (lines 11 to 13).
type LoadForecast struct {
	site     *Site
	policy   *easy // of the site
	options  ForecastOptions
	loads    []float64 // of the local jobs in past intervals, the latest first
	forecast float64   // of the load until the next publication
	compares bool      // Reallocate compares the load with the forecast
	began    bool      // the first interval has begun
	since    int64     // s, the last publication: the beginning of the present interval
	work     int64     // of the local jobs until then, in processor seconds
}

// NewLoadForecast returns the forecast of a new site. It returns an error unless the site has two
// shares without boundaries, EASY backfilling and kept pivots.
func NewLoadForecast(site *Site, options ForecastOptions) (*LoadForecast, error) {
	c := &site.config
	policy, ok := site.scheduler.(*easy)
	if !ok || !policy.kept || len(c.Boundaries) > 0 || len(c.Shares) != 2 {
		return nil, errors.New("a load forecast needs two shares, of local and of Grid jobs, without boundaries, " +
			"policy easy and kept pivots")
	}
	if options.Predict == nil {
		options.Predict = movingAverage
	}
	return &LoadForecast{site: site, policy: policy, options: options}, nil
}

// Publish plans all waiting jobs, whose bookings stay, then forecasts the local load of the next
// interval from the loads of the past ones and resizes the partitions (lines 1 to 15). Before the
// end of the first interval they keep their shares. It returns the processors of the Grid
// partition.
func (f *LoadForecast) Publish(now int64) (procs int32) {
	f.policy.allow(unlimited, LocalPartition, GridPartition)
	f.site.Pass(now)
	f.policy.allow(f.policy.pivotsOfPolicy, LocalPartition, GridPartition)
	if f.began && now > f.since {
		f.loads = slices.Insert(f.loads, 0, f.load(now))
		f.loads = f.loads[:min(len(f.loads), forecastTerms)]
	}
	if now >= f.options.From {
		f.began, f.since, f.work = true, now, f.localWork(now)
	}
	if len(f.loads) == 0 {
		return f.site.plan.shares[GridPartition]
	}
	f.forecast, f.compares = f.options.Predict(now, f.loads), true
	if f.options.ByActual {
		return f.resize(now, f.loads[0])
	}
	return f.resize(now, f.forecast)
}

// Reallocate compares the local load since the last publication with the forecast. If it is above,
// it resizes the partitions by that load and plans all waiting jobs, local ones first. Until the
// next publication all arrivals are planned too, and nothing is reallocated (lines 16 to 29). It
// returns the processors of the Grid partition, and whether it has resized it.
func (f *LoadForecast) Reallocate(now int64) (procs int32, resized bool) {
	if !f.compares || now == f.since || float64((f.load(now)-f.forecast)*float64(f.site.config.Procs)) <= rounding {
		return f.site.plan.shares[GridPartition], false
	}
	f.compares = false
	procs = f.resize(now, f.load(now))
	f.policy.allow(unlimited, LocalPartition)
	f.site.Pass(now)
	f.policy.allow(unlimited, GridPartition)
	f.site.Pass(now)
	return procs, true
}

// load returns the work of the local jobs since the last publication over the site's processors ×
// seconds.
func (f *LoadForecast) load(now int64) float64 {
	work := f.localWork(now) - f.work
	return float64(work) / (float64(f.site.config.Procs) * float64(now-f.since))
}

// resize gives the Grid partition the whole processors that the load leaves, and the local
// partition the others (line 8, whose min must mean max).
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

// localWork returns Σ processors × seconds in which local jobs have waited or run until now, or
// only run.
func (f *LoadForecast) localWork(now int64) int64 {
	f.site.advance(now)
	local := &f.site.load.partitions[LocalPartition]
	if f.options.Running {
		return local.running.until(now)
	}
	return local.present.until(now)
}

// resize gives the partitions other shares from now on.
func (s *Site) resize(now int64, shares []int32) {
	s.advance(now)
	s.plan.resize(now, shares)
	s.scheduler.changed(false)
}
