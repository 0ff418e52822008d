// Grids: the requests, providers and supply of a Grid as they are before a run.

package intergrid

import (
	"gridsweep/model/profile"
	"gridsweep/model/workload"
)

// never is the time of an event that does not occur, and the deadline of a request without one.
const never = profile.Never

// siteNames are the names of the Grids' traces and site models, and the prefixes of their
// parameters. gridNames are the names of the Grids in results.
var (
	siteNames = [3]string{"das2", "auvergrid", "grid5000"}
	gridNames = [3]string{"DAS-2", "AuverGrid", "Grid'5000"}
)

// request is a rigid job.
type request struct {
	submit, run int64 // s
	deadline    int64 // by when it must end; never for a best-effort one
	procs       int32
}

// units returns the resource units of the request, in CPU·s.
func (r *request) units() int64 { return int64(r.procs) * r.run }

// grid is a Grid as it is before a run. Its random numbers depend on its name, not on its index.
// Runs share it: callers must not change it.
type grid struct {
	name      string
	providers []provider // the dedicated ones first
	requests  []request  // in the order of their submits
	// requests larger than every provider of all Grids, which are not among the requests
	dropped int64
}

// provider is a cluster and what it offers.
type provider struct {
	cpus      int32
	dedicated bool
	cost      float64          // of a CPU·s
	supply    []supplyInterval // one after another from second 0 on; the last is for ever
}

// supplyInterval is the CPUs that a provider offers from the end of the interval before on.
type supplyInterval struct {
	until int64 // s
	cpus  int32
	load  float64 // in its price: cost · (1 + load)
}

// newGrids returns Grids with providers that offer nothing yet. validate has checked their sizes.
func newGrids(p Parameters) []grid {
	grids := make([]grid, len(gridNames))
	for i, texts := range providerSizes(p) {
		grids[i].name = gridNames[i]
		for k, text := range texts {
			sizes, err := parseSizes(text)
			if err != nil {
				panic("intergrid: " + err.Error())
			}
			for _, cpus := range sizes {
				grids[i].providers = append(grids[i].providers, provider{cpus: cpus, dedicated: k == 0})
			}
		}
	}
	return grids
}

// providerSizes returns the parameters with the CPUs of the Grids' providers, dedicated and on-off.
func providerSizes(p Parameters) [3][2]string {
	return [3][2]string{
		{p.DAS2Dedicated, p.DAS2OnOff},
		{p.AuverGridDedicated, p.AuverGridOnOff},
		{p.Grid5000Dedicated, p.Grid5000OnOff},
	}
}

// parseSizes reads the CPUs of providers, of which there may be none.
func parseSizes(text string) ([]int32, error) {
	if text == "" {
		return nil, nil
	}
	return workload.ParseSizes(text)
}
