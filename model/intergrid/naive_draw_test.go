// Drawn worlds: small Grids, requests, deadlines and parameters for the comparison with the naive
// simulator.

package intergrid

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"gridsweep/model"
	"pgregory.net/rapid"
)

// drawWorld draws small Grids whose times are some tens of units, with bursts of requests.
// Fractions are random doubles, so that no two are equal and few comparisons depend on rounding.
func drawWorld(t *rapid.T, unit int64, priceLoad string) []grid {
	doubles := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "doubles"), 0))
	grids := make([]grid, rapid.SampledFrom([]int{1, 2, 2, 3, 3, 3, 4}).Draw(t, "Grids"))
	order := rapid.Permutation([]string{"DAS-2", "AuverGrid", "Grid'5000", "auver"}).Draw(t, "names")
	var largest int32 // provider of all Grids
	for i := range grids {
		g := &grids[i]
		g.name, g.dropped = order[i], rapid.Int64Range(0, 3).Draw(t, "dropped")
		g.providers = make([]provider, rapid.IntRange(1, 4).Draw(t, "providers"))
		dedicated := rapid.IntRange(0, len(g.providers)).Draw(t, "dedicated")
		for v := range g.providers {
			g.providers[v] = drawProvider(t, doubles, v < dedicated, unit, priceLoad)
		}
		largest = max(largest, largestOf(g.providers))
	}
	for i := range grids {
		grids[i].requests = drawRequests(t, largestOf(grids[i].providers), largest, unit)
	}
	return grids
}

func drawProvider(t *rapid.T, doubles *rand.Rand, dedicated bool, unit int64, priceLoad string) provider {
	v := provider{cpus: rapid.Int32Range(1, 12).Draw(t, "cpus"), dedicated: dedicated, cost: 0.9 + doubles.Float64()/10}
	until := int64(0)
	for range rapid.IntRange(0, 8).Draw(t, "intervals") {
		if dedicated {
			break
		}
		until += unit * rapid.Int64Range(1, 60).Draw(t, "length")
		offered := rapid.Int32Range(0, v.cpus).Draw(t, "offered")
		v.supply = append(v.supply, supplyInterval{until, offered, naiveLoad(priceLoad, doubles.Float64())})
	}
	v.supply = append(v.supply, supplyInterval{never, v.cpus, naiveLoad(priceLoad, 1)})
	return v
}

// naiveLoad is the load in the price of a provider that offers this share of its CPUs.
func naiveLoad(priceLoad string, share float64) float64 {
	switch priceLoad {
	case "local":
		return 1 - share
	case "offered":
		return share
	}
	return 0
}

func drawRequests(t *rapid.T, here, largest int32, unit int64) []request {
	requests := make([]request, rapid.IntRange(0, 12).Draw(t, "requests"))
	submit := int64(0)
	for i := range requests {
		submit += unit * rapid.SampledFrom([]int64{0, 0, 0, 1, 2, 7, 25}).Draw(t, "gap")
		if unit > 1 {
			submit += rapid.Int64Range(0, unit/2).Draw(t, "more of the gap")
		}
		requests[i] = request{
			submit: submit, deadline: never,
			run: unit * rapid.Int64Range(1, 30).Draw(t, "run"),
			procs: rapid.Int32Range(1, rapid.SampledFrom([]int32{here, here, here, largest}).Draw(t, "most procs")).Draw(t,
				"procs"),
		}
	}
	return requests
}

func largestOf(providers []provider) int32 {
	var largest int32
	for _, v := range providers {
		largest = max(largest, v.cpus)
	}
	return largest
}

// drawWorldDeadlines gives deadlines, some that cannot be met, to requests that fit their own Grid.
func drawWorldDeadlines(t *rapid.T, grids []grid) {
	for _, g := range grids {
		largest := largestOf(g.providers)
		for i := range g.requests {
			r := &g.requests[i]
			if r.procs <= largest && rapid.Bool().Draw(t, "has a deadline") {
				r.deadline = r.submit + r.run*rapid.Int64Range(8, 60).Draw(t, "stringency")/8
			}
		}
	}
}

// drawParameters draws the numeric parameters, contracts and price_of. β = 0 is rare: there the
// unit cost of a request often equals the price of the contract up to rounding.
func drawParameters(t *rapid.T, p *Parameters, unit int64) {
	doubles := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "doubles"), 1))
	p.Contracts = rapid.IntRange(0, 9).Draw(t, "contracts") > 0
	p.Level = rapid.SampledFrom([]float64{doubles.Float64(), doubles.Float64(), 0, 0.95, 0.99, 1}).Draw(t, "level")
	p.K = p.Level * rapid.SampledFrom([]float64{0, doubles.Float64(), doubles.Float64() / 10, 1}).Draw(t, "k")
	p.Beta = doubles.Float64() * rapid.SampledFrom([]float64{0.1, 0.1, 0.3, 0.3, 1, 1, 1, 3, 10, 100}).Draw(t, "beta")
	p.PriceOf = rapid.SampledFrom([]string{"seller", "buyer"}).Draw(t, "price_of")
	p.Update = model.Seconds(unit * rapid.Int64Range(1, 100).Draw(t, "update"))
	p.Interval = model.Seconds(rapid.Int64Range(1, 15).Draw(t, "interval"))
	if unit > 1 || rapid.Bool().Draw(t, "long interval") {
		p.Interval *= model.Seconds(max(unit/2, 4))
	}
	p.Warmup = model.Seconds(unit * rapid.SampledFrom([]int64{0, 0, 3, 20}).Draw(t, "warmup"))
}

func describeGrids(grids []grid) string {
	var b strings.Builder
	for _, g := range grids {
		fmt.Fprintf(&b, "%s\n", g.name)
		for _, v := range g.providers {
			fmt.Fprintf(&b, "\t%+v\n", v)
		}
		for _, r := range g.requests {
			fmt.Fprintf(&b, "\t%+v\n", r)
		}
	}
	return b.String()
}
