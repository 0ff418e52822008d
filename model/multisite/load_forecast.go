// Load forecast: Algorithm 1 of the paper, which resizes the partitions of ArEbMf by a forecast of
// the local load.

package multisite

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

// loadForecast gives Grid jobs the processors of a site that its local jobs are not expected to
// need. The caller publishes at the beginning of each interval and reallocates within intervals,
// both after the pass of the second, and passes the processors of the Grid partition to Site.Show.
// In an interval for which publish returned 0, it does not reallocate (lines 11 to 13).
type loadForecast struct {
	p       *Parameters
	site    *cluster.Site
	procs   int32 // of the site
	offered int32 // processors of the Grid partition
	// predict returns the load of the interval that begins now from the loads of past intervals,
	// the latest first, at least one and at most 25. It must not change or keep the slice, and must
	// be deterministic.
	predict  func(now int64, loads []float64) float64
	loads    []float64 // of the local jobs in past intervals, the latest first
	forecast float64   // of the load from since to the next publication
	compares bool      // reallocate compares the load with the forecast
	began    bool      // the first interval has begun
	since    int64     // s, the last publication: the beginning of the present interval
	work     int64     // processors × seconds of the local jobs before since
}

// newLoadForecast returns the forecast of a new site of procs processors with EASY backfilling,
// kept pivots and two partitions, by the moving average. The Grid partition has the processors
// offered.
func newLoadForecast(p *Parameters, site *cluster.Site, procs, offered int32) *loadForecast {
	return &loadForecast{p: p, site: site, procs: procs, offered: offered, predict: movingAverage}
}

// publish books all waiting jobs, forecasts the local load of the next interval from the loads of
// past ones, and resizes the partitions (lines 1 to 15). Existing bookings stay. The first interval
// begins with the training or at the first publication after that; before its end, the partitions
// keep their shares. It returns the processors of the Grid partition.
func (f *loadForecast) publish(now int64) (procs int32) {
	f.site.PlanAll(now, localPartition, gridPartition)
	f.site.LimitPivots()
	if f.began && now > f.since {
		f.loads = slices.Insert(f.loads, 0, f.load(now))
		f.loads = f.loads[:min(len(f.loads), forecastTerms)]
	}
	if now >= int64(f.p.Warmup-f.p.Training) {
		f.began, f.since, f.work = true, now, f.localWork(now)
	}
	if len(f.loads) == 0 {
		return f.offered
	}
	f.forecast, f.compares = f.predict(now, f.loads), true
	if f.p.Line8 == "actual" {
		return f.resize(now, f.loads[0])
	}
	return f.resize(now, f.forecast)
}

// reallocate compares the local load since the last publication with the forecast. If the load is
// higher, it resizes the partitions by the load and books all waiting jobs, local ones first. From
// then to the next publication the site also books all arrivals, and reallocate does nothing more
// (lines 16 to 29). It returns the processors of the Grid partition, and whether it has resized it.
func (f *loadForecast) reallocate(now int64) (procs int32, resized bool) {
	if !f.compares || now == f.since || float64((f.load(now)-f.forecast)*float64(f.procs)) <= rounding {
		return f.offered, false
	}
	f.compares = false
	procs = f.resize(now, f.load(now))
	f.site.PlanAll(now, localPartition)
	f.site.PlanAll(now, gridPartition)
	return procs, true
}

// load returns the mean local load since the last publication: work / (processors × seconds).
func (f *loadForecast) load(now int64) float64 {
	work := f.localWork(now) - f.work
	return float64(work) / (float64(f.procs) * float64(now-f.since))
}

// resize gives the Grid partition the share 1 - load of the processors, rounded down, and the local
// partition the others (line 8, whose min must mean max).
func (f *loadForecast) resize(now int64, load float64) int32 {
	f.offered = int32(float64(max(0, 1-load)*float64(f.procs)) + rounding)
	f.site.Resize(now, []int32{localPartition: f.procs - f.offered, gridPartition: f.offered})
	return f.offered
}

// movingAverage returns the mean of loads with weights (1-α)^i, the latest first.
func movingAverage(_ int64, loads []float64) float64 {
	sum, weights, weight := 0.0, 0.0, 1.0
	for _, load := range loads {
		sum += float64(weight * load)
		weights += weight
		weight *= 1 - forecastAlpha
	}
	return sum / weights
}

// localWork returns the processors × seconds of local jobs until now: of jobs while they wait or
// run, or only while they run.
func (f *loadForecast) localWork(now int64) int64 {
	present, running := f.site.Work(now, localPartition)
	if f.p.ForecastLoad == "running" {
		return running
	}
	return present
}
