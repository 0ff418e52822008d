// A test of the memory that a run of 18 domains allocates.

package brokering

import (
	"context"
	"runtime"
	"testing"
)

// A run of 18 domains allocates so little that it stays far below 150 MB, with its workloads of 15
// MB and the garbage of the run before it.
func TestMemoryOfARun(t *testing.T) {
	const most = 48 << 20 // bytes
	p := scaling(18)
	domains := drawDomains(t, p)
	for _, p.Strategy = range []string{"REGULAR", "AGGR_SIMP", "AGGR_CAT", "SLOW"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := runJobs(context.Background(), p, domains); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > most {
			t.Errorf("%s: %d MB are allocated, want at most %d", p.Strategy, used>>20, most>>20)
		}
	}
}
