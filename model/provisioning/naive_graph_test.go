// Workflow tests: graphs and levels against gonum, synthetic distributions within four standard
// deviations, and CyberShake against Table 1.

package provisioning

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
	"pgregory.net/rapid"

	"gridsweep/model/rng"
)

// gonumGraph returns the graph of a workflow, each edge with the weight −1, below a node that is a
// parent of all with the weight 0.
func gonumGraph(w *workflow) (graph *simple.WeightedDirectedGraph, top simple.Node) {
	graph, top = simple.NewWeightedDirectedGraph(0, math.Inf(1)), simple.Node(w.tasks())
	for task := range w.tasks() {
		graph.SetWeightedEdge(simple.WeightedEdge{F: top, T: simple.Node(task)})
		for _, parent := range w.parents.of(int32(task)) {
			graph.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(parent.task), T: simple.Node(task), W: -1})
		}
	}
	return graph, top
}

// graphProblem returns an error unless a workflow's graph is acyclic, its children mirror its
// parents, and a task's level is the length of its longest path from a task without parents.
func graphProblem(w *workflow) error {
	graph, top := gonumGraph(w)
	if _, err := topo.Sort(graph); err != nil {
		return err
	}
	longest, ok := path.BellmanFordFrom(top, graph)
	if !ok {
		return fmt.Errorf("gonum finds a cycle")
	}
	naive, children := naiveLevels(w), 0
	for task := range w.tasks() {
		if got, want := int(w.levels[task]), -int(longest.WeightTo(int64(task))); got != want || naive[task] != want {
			return fmt.Errorf("task %d has level %d, and %d by the reference, but its longest path has length %d",
				task, got, naive[task], want)
		}
		for _, child := range w.children.of(int32(task)) {
			children++
			if !slices.Contains(w.parents.of(child.task), edge{task: int32(task), transfer: child.transfer}) {
				return fmt.Errorf("task %d has the child %v, which does not have it as parent", task, child)
			}
		}
	}
	if children != len(w.parents.list) {
		return fmt.Errorf("%d edges to children, %d to parents", children, len(w.parents.list))
	}
	return nil
}

func TestSyntheticGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := synthesis{sites: rapid.IntRange(1, 3).Draw(t, "sites"), tasks: rapid.Int64Range(1, 60).Draw(t, "tasks")}
		k.levels = rapid.Int64Range(1, k.tasks).Draw(t, "levels")
		k.runtime = rapid.Int64Range(1, 1000).Draw(t, "runtime")
		k.processors = rapid.Int64Range(1, 30).Draw(t, "processors")
		k.transfer = rapid.Int64Range(0, 100).Draw(t, "transfer")
		seed := rng.New("synthetic graph").Child(fmt.Sprint(rapid.IntRange(0, 1000).Draw(t, "seed")))
		w := synthesise(k, seed)
		if err := graphProblem(w); err != nil {
			t.Fatal(err)
		}
		requireSynthetic(t, k, w)

		other := k // the means change, but not the structure and the variates
		other.sites, other.runtime, other.processors, other.transfer = 1, 1_000_000, 100_000, 1_000_000
		fine := synthesise(other, seed)
		for task := range w.tasks() {
			requireSameVariate(t, w.run(int32(task), 0), k.runtime, fine.run(int32(task), 0), other.runtime)
			requireSameVariate(t, int64(w.procs[task]), k.processors, int64(fine.procs[task]), other.processors)
			for i, e := range w.parents.of(int32(task)) {
				parent := fine.parents.of(int32(task))[i]
				scaled := float64(parent.transfer) * float64(k.transfer) / float64(other.transfer)
				if e.task != parent.task || math.Abs(float64(e.transfer)-scaled) > 0.51 {
					t.Fatalf("task %d has the parent %v, and %v under means of 1e6 s", task, e, parent)
				}
			}
		}
	})
}

// requireSynthetic checks the levels, parents and ranges of a synthetic workflow by
// docs/explanation/papers/provisioning.md.
func requireSynthetic(t *rapid.T, k synthesis, w *workflow) {
	first, before := 0, 0 // task of this level, and of the level before
	for level := range int(k.levels) {
		size := int(k.tasks / k.levels)
		if level < int(k.tasks%k.levels) {
			size++
		}
		if m := w.modules[level]; m.first != first || m.past != first+size || m.name != fmt.Sprintf("level %d", level) {
			t.Fatalf("level %d has the module %v, want %d tasks from %d on", level, m, size, first)
		}
		for task := first; task < first+size; task++ {
			parents := w.parents.of(int32(task))
			if int(w.levels[task]) != level || len(parents) > 3 || (len(parents) > 0) != (level > 0) {
				t.Fatalf("task %d of level %d has level %d and parents %v", task, level, w.levels[task], parents)
			}
			for i, e := range parents {
				twice := i > 0 && parents[i-1].task == e.task
				if twice || int(e.task) < before || int(e.task) >= first || e.transfer < 0 || k.transfer == 0 && e.transfer != 0 {
					t.Fatalf("task %d of level %d has parents %v", task, level, parents)
				}
			}
			for site := range k.sites {
				if run := w.run(int32(task), site); run < 1 || run > 2*k.runtime-1 || run != w.run(int32(task), 0) {
					t.Fatalf("task %d runs %d s at site %d", task, run, site)
				}
			}
			if procs := int64(w.procs[task]); procs < 1 || procs > 2*k.processors-1 {
				t.Fatalf("task %d has %d processors", task, procs)
			}
		}
		before, first = first, first+size
	}
	if first != w.tasks() || len(w.modules) != int(k.levels) {
		t.Fatalf("%d tasks in %d levels, want %d", w.tasks(), len(w.modules), first)
	}
}

// requireSameVariate checks that two whole numbers are 1 + ⌊u·(2m − 1)⌋ with one u and their means
// m.
func requireSameVariate(t *rapid.T, value, mean, fine, fineMean int64) {
	// of u
	least, past := float64(fine-1)/float64(2*fineMean-1), float64(fine)/float64(2*fineMean-1)
	low, high := 1+math.Floor(least*float64(2*mean-1)), 1+math.Floor(past*float64(2*mean-1))
	if float64(value) < low || float64(value) > high {
		t.Fatalf("%d with mean %d and %d with mean %d are not of one variate", value, mean, fine, fineMean)
	}
}

// One, two and three parents are equally likely, and the means are those of the parameters. The
// seed is fixed; the bounds are four standard deviations.
func TestSyntheticDistributions(t *testing.T) {
	const tasks, mean = 20_000, 500
	k := synthesis{sites: 1, tasks: tasks, levels: 10, runtime: mean, processors: mean, transfer: mean}
	w := synthesise(k, rng.New("distributions"))
	counts, runs, procs, transfers := make([]float64, 4), 0.0, 0.0, 0.0
	for task := range w.tasks() {
		counts[len(w.parents.of(int32(task)))]++
		runs += float64(w.run(int32(task), 0))
		procs += float64(w.procs[task])
	}
	for _, e := range w.parents.list {
		transfers += float64(e.transfer)
	}
	near := func(what string, got, want, deviation float64) {
		if math.Abs(got-want) > 4*deviation {
			t.Errorf("%s: %v, want %v ± %v", what, got, want, 4*deviation)
		}
	}
	for n := 1; n <= 3; n++ {
		near(fmt.Sprintf("tasks with %d parents", n), counts[n], 18_000/3.0, math.Sqrt(18_000*2/9.0))
	}
	uniform := float64(mean) / math.Sqrt(3) / math.Sqrt(tasks)
	near("mean run time", runs/tasks, mean, uniform)
	near("mean processors", procs/tasks, mean, uniform)
	edges := float64(len(w.parents.list))
	near("mean transfer", transfers/edges, mean, mean/math.Sqrt(edges))
}

// TestCyberShakeGraph checks Table 1 and the parents of docs/explanation/papers/provisioning.md.
func TestCyberShakeGraph(t *testing.T) {
	w := cyberShake()
	if err := graphProblem(w); err != nil {
		t.Fatal(err)
	}
	type moduleTasks struct {
		level, tasks int
		run          int64
		procs        int32
		parents      int
	}
	want := map[string]moduleTasks{
		"fd_grid_xyz": {0, 1, 1, 1, 0}, "preSGT": {1, 1, 300, 1, 1}, "fd_grid_cvm": {1, 1, 2100, 288, 1},
		"pmvl_chk1": {2, 1, 86400, 288, 2}, "pmvl_chk2": {2, 1, 86400, 288, 2},
		"synthSGT": {3, 4017, 519, 1, 2}, "peakValCal": {4, 4017, 1, 1, 1},
	}
	levelOf := func(task int32) int { return int(w.levels[task]) }
	used := map[int32]bool{} // tasks of level 3 that a task of level 4 waits for
	tasks := 0
	for _, m := range w.modules {
		k := want[m.name]
		delete(want, m.name)
		tasks += m.past - m.first
		if m.past-m.first != k.tasks {
			t.Errorf("%s has %d tasks, want %d", m.name, m.past-m.first, k.tasks)
		}
		for task := int32(m.first); task < int32(m.past); task++ {
			parents := w.parents.of(task)
			got := moduleTasks{levelOf(task), k.tasks, w.run(task, 0), w.procs[task], len(parents)}
			if got != k {
				t.Fatalf("a task of %s is %v, want %v", m.name, got, k)
			}
			for i, e := range parents {
				twice := i > 0 && parents[i-1].task == e.task || k.level == 4 && used[e.task]
				if twice || levelOf(e.task) != k.level-1 || e.transfer != 0 {
					t.Fatalf("task %d of %s has parents %v", task, m.name, parents)
				}
				used[e.task] = k.level == 4
			}
		}
	}
	if len(want) > 0 || tasks != w.tasks() {
		t.Errorf("modules are missing: %v, or tasks are in none: %d of %d", want, tasks, w.tasks())
	}
}
