// Lublin–Feitelson: the workload model of rigid jobs, with the authors' parameters.

package workload

import (
	"math"

	"gridsweep/model/rng"
)

// lublin are the parameters of one type of jobs of the Lublin–Feitelson model: U. Lublin and D. G.
// Feitelson, The workload on parallel supercomputers: modeling the characteristics of rigid jobs,
// J. Parallel Distrib. Comput. 63(11), 2003, and the authors' program. They are for a machine of
// 128 processors.
type lublin struct {
	name         string
	queue        int32
	size         twoStage
	short, long  gamma   // of the natural logarithm of run times, in s
	slope, level float64 // P(short) = slope × processors + level, between 0 and 1: pa and pb
	// of the natural logarithm of gaps, in s: aarr and barr, those of the rush hours
	gap    gamma
	allDay float64 // ARAR: multiplies the shape of gap
	cycle  gamma   // of arrivals over the day: anum and bnum
}

var typeless = lublin{
	name: "typeless", queue: -1,
	size:  twoStage{serial: 0.244, pow2: 0.576, low: 0.8, medium: 4.5, high: 7, prob: 0.86},
	short: gamma{4.2, 0.94}, long: gamma{312, 0.03}, slope: -0.0054, level: 0.78,
	gap: gamma{10.2303, 0.4871}, allDay: 1.0225, cycle: gamma{8.1737, 3.9631},
}

var batch = lublin{
	name: "batch", queue: 1,
	size:  twoStage{serial: 0.2927, pow2: 0.6686, low: 1.2, medium: 5, high: 7, prob: 0.875},
	short: gamma{6.57, 0.823}, long: gamma{639.1, 0.0156}, slope: -0.003, level: 0.6986,
	gap: gamma{6.0415, 0.8531}, allDay: 1.0519, cycle: gamma{6.1271, 5.2740},
}

var interactive = lublin{
	name: "interactive", queue: 0,
	size:  twoStage{serial: 0.1541, pow2: 0.625, low: 1, medium: 3, high: 5.5, prob: 0.705},
	short: gamma{3.8351, 0.6605}, long: gamma{7.073, 0.6856}, slope: -0.0118, level: 0.9156,
	gap: gamma{6.5510, 0.6621}, allDay: 0.9797, cycle: gamma{8.9186, 3.6680},
}

// Draws of logarithms above these are drawn again: TOO_MUCH_TIME and TOO_MUCH_ARRIVE_TIME of the
// authors' program.
const (
	longestRun = 12 // ln s: 162,754 s
	longestGap = 13 // ln s: 442,413 s
)

// authorsProcs is the processors of the machine that the parameters of the authors are for.
const authorsProcs = "128"

func lublinModels() []Model {
	scalable := func(name, title string, types ...lublin) Model {
		return Model{
			Name: name, Title: "Lublin–Feitelson, " + title, Sizes: authorsProcs, Scalable: true,
			Source: "Lublin and Feitelson, J. Parallel Distrib. Comput. 63(11), 2003",
			populations: func(procs int32) []population {
				populations := make([]population, len(types))
				for i, t := range types {
					populations[i] = t.population(procs)
				}
				return populations
			},
		}
	}
	return []Model{
		scalable("lublin", "jobs of one type", typeless),
		scalable("lublin-batch", "batch jobs only", batch),
		scalable("lublin-interactive", "interactive jobs only", interactive),
		scalable("lublin-mixed", "batch jobs in queue 1 and interactive ones in queue 0", batch, interactive),
	}
}

// population returns the type for a machine of so many processors.
func (l lublin) population(procs int32) population {
	size := l.sizes(procs)
	gap := gamma{float64(l.gap.shape * l.allDay), l.gap.scale}
	return population{
		name: l.name, queue: l.queue,
		gap: func(s *rng.Stream) float64 {
			for {
				if logarithm := gap.draw(s); logarithm <= longestGap {
					return rng.Exp(logarithm)
				}
			}
		},
		size: size.draw,
		run: func(s *rng.Stream, procs int32) float64 {
			short := l.shortShare(procs)
			for {
				from := l.long
				if s.Float64() < short {
					from = l.short
				}
				if logarithm := from.draw(s); logarithm <= longestRun {
					return rng.Exp(logarithm)
				}
			}
		},
		cycle:    gammaCycle(l.cycle),
		meanGap:  gap.expUpTo(longestGap) / gap.cdf(longestGap),
		meanWork: l.meanWork(size.shares()),
	}
}

// sizes returns the distribution of sizes on a machine of so many processors. UHi (high) and UMed
// (medium) keep the distances from the binary logarithm of these that they have at 128 processors.
// So UMed stays 1.5 to 3.5 below UHi, as the authors require.
func (l lublin) sizes(procs int32) twoStage {
	size := l.size
	const authors = 7 // log2 of authorsProcs
	log2 := float64(rng.Log(float64(procs)) * (1 / math.Ln2))
	size.limit = procs
	size.high = max(0, log2-(authors-l.size.high))
	size.low = min(l.size.low, size.high) // on very small machines the stages are one
	size.medium = max(size.low, log2-(authors-l.size.medium))
	return size
}

// shortShare returns the probability that a job's run time is drawn from the first gamma
// distribution.
func (l lublin) shortShare(procs int32) float64 {
	return min(1, max(0, float64(l.slope*float64(procs))+l.level))
}

// meanWork returns the mean of size × run time in processor·s, of run times that are not cut to
// whole seconds.
func (l lublin) meanWork(shares []float64) float64 {
	shortMean, longMean := l.short.expUpTo(longestRun), l.long.expUpTo(longestRun)
	shortKept, longKept := l.short.cdf(longestRun), l.long.cdf(longestRun)
	sum := 0.0
	for procs, share := range shares {
		p := l.shortShare(int32(procs))
		kept := float64(p*shortKept) + float64((1-p)*longKept)
		run := (float64(p*shortMean) + float64((1-p)*longMean)) / kept
		sum += float64(float64(share*float64(procs)) * run)
	}
	return sum
}
