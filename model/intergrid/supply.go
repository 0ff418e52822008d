// Supply: drawing the costs of providers and the times at which they offer their CPUs.

package intergrid

import (
	"math"
	"strconv"

	"gridsweep/model/rng"
)

// year is for how long after the last arrival providers go on and off, in s. From then on they
// offer all their CPUs.
const year = 365 * day

// mostIntervals bounds the ON and OFF intervals that are expected of all providers together, some
// fifty times those of Table 1.
const mostIntervals = 200_000

// expectedIntervals returns how many intervals so many on-off providers are expected to have, at
// most.
func expectedIntervals(p Parameters, providers int) float64 {
	return float64(providers) * 2 * float64(span(p)+year) / (meanOn(p) + meanOff(p))
}

// meanOn and meanOff return the mean lengths of intervals, in s. They round, since half of a sum is
// a product that the compiler would fuse with their callers' sums.
func meanOn(p Parameters) float64  { return float64(float64(p.OnMin+p.OnMax) / 2) }
func meanOff(p Parameters) float64 { return float64(float64(p.OffMin+p.OffMax) / 2) }

// drawSupply gives each provider its cost and supply. Each draws from streams of its own, so that
// one more, or another order of Grids, changes no other.
func drawSupply(p Parameters, grids []grid, seed rng.Source) {
	until := lastArrival(grids) + year
	for i := range grids {
		g := &grids[i]
		costs, supplies := seed.Child("costs").Child(g.name), seed.Child("offers").Child(g.name)
		dedicated := 0
		for k := range g.providers {
			v := &g.providers[k]
			var name string
			if v.dedicated {
				dedicated++
				name = "dedicated " + strconv.Itoa(dedicated)
			} else {
				name = "on-off " + strconv.Itoa(k-dedicated+1)
				v.supply = onOff(p, v.cpus, until, supplies.Stream(name))
			}
			v.cost = costs.Stream(name).Uniform(p.CostMin, p.CostMax)
			v.supply = append(v.supply, supplyInterval{until: never, cpus: v.cpus, load: priceLoad(p, 1)})
		}
	}
}

// onOff draws intervals, ON and OFF in turn, until one ends at a second or later (Table 1).
func onOff(p Parameters, cpus int32, until int64, stream *rng.Stream) []supplyInterval {
	on := stream.Float64() < meanOn(p)/(meanOn(p)+meanOff(p))
	var intervals []supplyInterval
	for at := int64(0); at < until; on = !on {
		shortest, longest, least, most := p.OffMin, p.OffMax, p.OffShareMin, p.OffShareMax
		if on {
			shortest, longest, least, most = p.OnMin, p.OnMax, p.OnShareMin, p.OnShareMax
		}
		at += int64(math.Floor(stream.Uniform(float64(shortest), float64(longest)) + 0.5))
		share := stream.Uniform(least, most)
		intervals = append(intervals, supplyInterval{
			until: at, cpus: int32(math.Floor(float64(share*float64(cpus)) + 0.5)), load: priceLoad(p, share),
		})
	}
	return intervals
}

// priceLoad returns the load in the price of a provider that offers a share of its CPUs.
func priceLoad(p Parameters, share float64) float64 {
	switch p.PriceLoad {
	case "local":
		return 1 - share
	case "offered":
		return share
	}
	return 0
}
