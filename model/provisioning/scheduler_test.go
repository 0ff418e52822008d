// Scheduler tests: the published example of HEFT, and that a plan is evaluated without allocating
// memory.

package provisioning

import (
	"testing"

	"gridsweep/model/rng"
)

// topcuoglu is the worked example of HEFT: Topcuoglu, Hariri & Wu, IEEE TPDS 2002, Figure 2 and
// Table 1, with its three processors as sites of one extensible slot.
func topcuoglu() ([]slot, *workflow) {
	runs := []int64{
		14, 16, 9, 13, 19, 18, 11, 13, 19, 13, 8, 17, 12, 13, 10, 13, 16, 9, 7, 15, 11, 5, 11, 14, 18, 12, 20, 21, 7, 16,
	}
	graph := [][3]int64{
		{1, 2, 18}, {1, 3, 12}, {1, 4, 9}, {1, 5, 11}, {1, 6, 14}, {2, 8, 19}, {2, 9, 16}, {3, 7, 23}, {4, 8, 27},
		{4, 9, 23}, {5, 9, 13}, {6, 8, 15}, {7, 10, 17}, {8, 10, 11}, {9, 10, 13},
	}
	parents, procs := make([][]edge, 10), make([]int32, 10)
	for _, e := range graph {
		parents[e[1]-1] = append(parents[e[1]-1], edge{task: int32(e[0] - 1), transfer: e[2]})
	}
	for i := range procs {
		procs[i] = 1
	}
	w := newWorkflow(3, make([]int64, 10), procs, parents)
	w.runs = runs
	var slots []slot
	for site := range int32(3) {
		slots = append(slots, slot{site: site, procs: 1, end: 1, unit: 1, divisible: true, extensible: true})
	}
	return slots, w
}

func TestHEFTPublishedExample(t *testing.T) {
	slots, w := topcuoglu()
	got, ok := newScheduler("heft", "always", slots, w).schedule(planOfAll(3))
	if !ok || got.makespan != 80 {
		t.Errorf("makespan %d, %v, want 80", got.makespan, ok)
	}
}

// In steady state the evaluation of a plan allocates nothing, under every scheduler and value of
// cross_slot.
func TestScheduleAllocatesNothing(t *testing.T) {
	slots := offered(100)
	w := synthesise(synthesis{sites: 1, tasks: 100, levels: 10, runtime: 1000, processors: 22}, rng.New("memory"))
	for _, name := range schedulers {
		for _, cross := range []string{"always", "only_if_needed"} {
			s, p := newScheduler(name, cross, slots, w), planOfAll(len(slots))
			schedule := func() {
				if _, ok := s.schedule(p); !ok {
					t.Fatal("infeasible")
				}
			}
			for range 3 {
				schedule() // memory grows
			}
			if n := testing.AllocsPerRun(20, schedule); n > 0 {
				t.Errorf("%s %s: %v allocations for a plan", name, cross, n)
			}
		}
	}
}
