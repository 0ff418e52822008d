package multisite

// Load forecast: Algorithm 1 of the paper, by which the partitions of ArEbMf follow a forecast of
// the local load.

import (
	"slices"

	"gridsweep/model/cluster"
)

// The partitions of ArEbMf.
const (
	localPartition = 0
	gridPartition  = 1
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

// forecastOptions are alternative assumptions where the paper leaves a load forecast open. Zero
// values are the defaults of docs/reference/scheduling.md.
type forecastOptions struct {
	// from is when the forecast begins, in s. Earlier publications plan the waiting jobs and resize
	// nothing. The first interval begins at the first publication from then on.
	from int64
	// predict returns the load of the interval that begins now from those of the past intervals,
	// the latest first, at least one and at most 25. It must not change or keep them, and must
	// return the same in equal runs. Nil is the paper's weighted moving average.
	predict func(now int64, loads []float64) float64
	// byActual resizes by the load of the last interval (line 8 as it is printed), not by the
	// forecast. reallocate compares with the forecast in either case.
	byActual bool
	// running excludes waiting jobs from the load: then it is at most 1.
	running bool
}

// loadForecast gives Grid jobs the processors of a site that its local jobs are not expected to
// need. publish is called at the paper's intervals and reallocate between them, after the pass of
// the second; the processors that they return are passed to Site.Show. In an interval for which
// publish returned 0, reallocate is not called (lines 11 to 13).
type loadForecast struct {
	site     *cluster.Site
	procs    int32 // of the site
	grid     int32 // of them, those of the Grid partition
	options  forecastOptions
	loads    []float64 // of the local jobs in past intervals, the latest first
	forecast float64   // of the load until the next publication
	compares bool      // reallocate compares the load with the forecast
	began    bool      // the first interval has begun
	since    int64     // s, the last publication: the beginning of the present interval
	work     int64     // of the local jobs until then, in processor seconds
}

// newLoadForecast returns the forecast of a new site of procs processors with EASY backfilling,
// kept pivots and two partitions, of which the Grid's has grid processors.
func newLoadForecast(site *cluster.Site, procs, grid int32, options forecastOptions) *loadForecast {
	if options.predict == nil {
		options.predict = movingAverage
	}
	return &loadForecast{site: site, procs: procs, grid: grid, options: options}
}

// publish plans all waiting jobs, whose bookings stay, then forecasts the local load of the next
// interval from the loads of the past ones and resizes the partitions (lines 1 to 15). Before the
// end of the first interval they keep their shares. It returns the processors of the Grid
// partition.
func (f *loadForecast) publish(now int64) (procs int32) {
	f.site.PlanAll(now, localPartition, gridPartition)
	f.site.LimitPivots()
	if f.began && now > f.since {
		f.loads = slices.Insert(f.loads, 0, f.load(now))
		f.loads = f.loads[:min(len(f.loads), forecastTerms)]
	}
	if now >= f.options.from {
		f.began, f.since, f.work = true, now, f.localWork(now)
	}
	if len(f.loads) == 0 {
		return f.grid
	}
	f.forecast, f.compares = f.options.predict(now, f.loads), true
	if f.options.byActual {
		return f.resize(now, f.loads[0])
	}
	return f.resize(now, f.forecast)
}

// reallocate compares the local load since the last publication with the forecast. If it is above,
// it resizes the partitions by that load and plans all waiting jobs, local ones first. Until the
// next publication all arrivals are planned too, and nothing is reallocated (lines 16 to 29). It
// returns the processors of the Grid partition, and whether it has resized it.
func (f *loadForecast) reallocate(now int64) (procs int32, resized bool) {
	if !f.compares || now == f.since || float64((f.load(now)-f.forecast)*float64(f.procs)) <= rounding {
		return f.grid, false
	}
	f.compares = false
	procs = f.resize(now, f.load(now))
	f.site.PlanAll(now, localPartition)
	f.site.PlanAll(now, gridPartition)
	return procs, true
}

// load returns the work of the local jobs since the last publication over the site's processors ×
// seconds.
func (f *loadForecast) load(now int64) float64 {
	work := f.localWork(now) - f.work
	return float64(work) / (float64(f.procs) * float64(now-f.since))
}

// resize gives the Grid partition the whole processors that the load leaves, and the local
// partition the others (line 8, whose min must mean max).
func (f *loadForecast) resize(now int64, load float64) int32 {
	free := min(1, max(0, 1-load))
	f.grid = int32(float64(free*float64(f.procs)) + rounding)
	f.site.Resize(now, []int32{localPartition: f.procs - f.grid, gridPartition: f.grid})
	return f.grid
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
func (f *loadForecast) localWork(now int64) int64 {
	present, running := f.site.Work(now, localPartition)
	if f.options.running {
		return running
	}
	return present
}
