// Site models: how a model of a site draws gaps, sizes and run times.

package workload

import (
	"math"

	"gridsweep/model/rng"
)

// Site is the model of a site or Grid whose trace is not always available: gaps from a Weibull
// distribution stretched by a daily cycle, sizes and run times from distributions of their own. The
// mean gap is Span/Jobs, and run times are calibrated to the mean work of a job: see runTimes.
type Site struct {
	Name  string // of its model
	Title string
	Sizes string  // processors of its clusters, for ParseSizes
	Jobs  int64   // in its log
	Span  int64   // s, of its log
	Work  float64 // processor·s of a job, the mean of size × run time

	shape    float64   // of the Weibull distribution of gaps
	cycle    []float64 // weights of the half hours of a day, with mean 1
	on, off  int64     // s of arrivals and of pauses in turn, whole half hours; 0: no pauses
	jobSizes jobSizes
	runs     runTimes
}

// jobSizes is a distribution of sizes of jobs.
type jobSizes interface {
	draw(*rng.Stream) int32
	shares() []float64 // the probability of size n has the index n
}

// runTimes is a family of distributions of run times with one free parameter.
type runTimes interface {
	// calibrated chooses that parameter so that the mean of size × run time is work, in
	// processor·s, and returns the function that draws the run time, in s, of a job of some
	// size.
	calibrated(shares []float64, work float64) func(*rng.Stream, int32) float64
}

func (s Site) model() Model {
	return Model{
		Name: s.Name, Title: s.Title, Sizes: s.Sizes,
		Source: "the archive, papers and choices that docs/reference/workloads.md names",
		jobs:   s.Jobs, populations: func(int32) []population { return []population{s.population()} },
	}
}

func (s Site) population() population {
	meanGap := float64(s.Span) / float64(s.Jobs)
	scale := meanGap / rng.Exp(rng.LogGamma(1+1/s.shape))
	run := s.runs.calibrated(s.jobSizes.shares(), s.Work)
	return population{
		name: s.Name, queue: -1,
		gap:  func(stream *rng.Stream) float64 { return stream.Weibull(s.shape, scale) },
		size: s.jobSizes.draw,
		run: func(stream *rng.Stream, procs int32) float64 {
			return max(1, math.Floor(run(stream, procs)+0.5)) // rounded, which keeps the mean
		},
		cycle:   pausing(s.cycle, s.on, s.off),
		meanGap: meanGap, meanWork: s.Work,
	}
}

// pausing returns the weights of a cycle of several days with arrivals for on seconds and pauses of
// off seconds in turn. It ends where a day and a pause end together.
func pausing(day []float64, on, off int64) []float64 {
	if off == 0 {
		return day
	}
	var weights []float64
	for at := int64(0); at == 0 || at%(dayBuckets*bucket) != 0 || at%(on+off) != 0; at += bucket {
		weight := day[at/bucket%dayBuckets]
		if at%(on+off) >= on {
			weight = 0
		}
		weights = append(weights, weight)
	}
	return normalized(weights)
}

// hourly returns a daily cycle from the weights of its hours.
func hourly(hours [24]float64) []float64 {
	weights := make([]float64, dayBuckets)
	for i := range weights {
		weights[i] = hours[i/2]
	}
	return normalized(weights)
}

// logNormal is a distribution of run times that does not depend on sizes: the logarithm is normal
// with standard deviation sigma; its mean is the free parameter. A run time above longest is drawn
// again.
type logNormal struct{ sigma, longest float64 }

func (d logNormal) calibrated(shares []float64, work float64) func(*rng.Stream, int32) float64 {
	meanSize := 0.0
	for size, share := range shares {
		meanSize += float64(share * float64(size))
	}
	mu := d.location(work / meanSize)
	return func(s *rng.Stream, _ int32) float64 {
		for {
			if run := s.LogNormal(mu, d.sigma); run <= d.longest {
				return run
			}
		}
	}
}

// mean returns the mean of the run times up to longest, where the logarithm of all has the mean mu.
func (d logNormal) mean(mu float64) float64 {
	z := (rng.Log(d.longest) - mu) / d.sigma
	return rng.Exp(mu+float64(float64(0.5*d.sigma)*d.sigma)) * rng.NormalCDF(z-d.sigma) / rng.NormalCDF(z)
}

// location returns the mu with this mean, by bisection, since the mean rises with mu. A mean that
// is impossible up to longest is a bug of the site.
func (d logNormal) location(mean float64) float64 {
	low, high := -10.0, rng.Log(d.longest)
	if !(d.mean(low) < mean && mean < d.mean(high)) {
		panic("workload: no log-normal distribution has this mean and these longest run times")
	}
	for range 60 {
		if middle := float64((low + high) * 0.5); d.mean(middle) < mean {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
