// Workflows: graphs of tasks with run times, and the synthesis of random ones.

package provisioning

import (
	"slices"
	"strconv"

	"gridsweep/model"
	"gridsweep/model/rng"
)

// A workflow is a graph of tasks, numbered from 0 so that parents come before their children.
type workflow struct {
	sites    int     // with run times of their own
	runs     []int64 // s, of task i at site s at [i·sites+s]; at least 1
	procs    []int32 // of each task
	levels   []int32 // of each task: one more than the highest of its parents', from 0
	modules  []module
	parents  edges
	children edges
}

// A module is a named range of tasks, such as those of one level.
type module struct {
	name        string
	first, past int // its tasks: [first, past)
}

// edges are the parents of each task, or its children, in the order of their numbers.
type edges struct {
	first []int32 // those of task i are [first[i], first[i+1])
	list  []edge
}

// An edge leads from a task to one of its parents or children.
type edge struct {
	task     int32
	transfer int64 // s, if both are not at one site
}

// add adds the edges of the next task.
func (e *edges) add(list []edge) {
	e.list = append(e.list, list...)
	e.first = append(e.first, int32(len(e.list)))
}

// of returns the edges of a task.
func (e *edges) of(task int32) []edge { return e.list[e.first[task]:e.first[task+1]] }

// tasks returns how many there are.
func (w *workflow) tasks() int { return len(w.procs) }

// run returns the run time of a task at a site, in s.
func (w *workflow) run(task int32, site int) int64 { return w.runs[int(task)*w.sites+site] }

// work returns the processor-seconds of all tasks, on the first site's processors (Equation 9).
func (w *workflow) work() int64 {
	sum := int64(0)
	for i, procs := range w.procs {
		sum += int64(procs) * w.run(int32(i), 0)
	}
	return sum
}

// longest returns the run time of the longest chain of tasks, on the first site's processors, in s.
func (w *workflow) longest() int64 {
	ends, last := make([]int64, w.tasks()), int64(0)
	for i := range ends {
		for _, e := range w.parents.of(int32(i)) {
			ends[i] = max(ends[i], ends[e.task])
		}
		ends[i] += w.run(int32(i), 0)
		last = max(last, ends[i])
	}
	return last
}

// newWorkflow returns the workflow of tasks with the same run time at all sites. The parents of
// each come before it.
func newWorkflow(sites int, runs []int64, procs []int32, parents [][]edge) *workflow {
	w := &workflow{sites: sites, procs: procs, levels: make([]int32, len(procs))}
	for _, run := range runs {
		w.runs = append(w.runs, slices.Repeat([]int64{run}, sites)...)
	}
	w.link(parents)
	return w
}

// link makes the graph and the levels from the parents of each task.
func (w *workflow) link(parents [][]edge) {
	w.parents.first, w.children.first = []int32{0}, []int32{0}
	children := make([][]edge, len(parents))
	for i, list := range parents {
		list = slices.Clone(list)
		slices.SortFunc(list, func(a, b edge) int { return int(a.task - b.task) })
		for _, e := range list {
			if int(e.task) >= i {
				panic("provisioning: a task comes before its parent")
			}
			w.levels[i] = max(w.levels[i], w.levels[e.task]+1)
			children[e.task] = append(children[e.task], edge{task: int32(i), transfer: e.transfer})
		}
		w.parents.add(list)
	}
	for _, list := range children {
		w.children.add(list)
	}
}

// synthesis has the parameters of a synthetic workflow.
type synthesis struct {
	sites         int
	tasks, levels int64
	runtime       int64 // s, mean
	processors    int64 // mean
	transfer      int64 // s, mean
}

// synthesise draws a workflow. Workflows that differ only in means share the graph and the variates
// of each task.
func synthesise(k synthesis, seed rng.Source) *workflow {
	runVariates, procVariates := seed.Stream("run times"), seed.Stream("processors")
	graph, transfers := seed.Stream("parents"), seed.Stream("transfers")
	runs, procs := make([]int64, k.tasks), make([]int32, k.tasks)
	parents := make([][]edge, k.tasks)
	var modules []module
	first, before := int64(0), int64(0) // of this level, and of the one before
	for level := range k.levels {
		past := first + k.tasks/k.levels
		if level < k.tasks%k.levels {
			past++
		}
		for i := first; i < past; i++ {
			runs[i] = uniform(runVariates, k.runtime)
			procs[i] = int32(uniform(procVariates, k.processors))
			if level > 0 {
				parents[i] = drawParents(graph, transfers, before, first, k.transfer)
			}
		}
		modules = append(modules, module{name: "level " + strconv.FormatInt(level, 10), first: int(first), past: int(past)})
		before, first = first, past
	}
	w := newWorkflow(k.sites, runs, procs, parents)
	w.modules = modules
	return w
}

// workflowSeed returns the seed of the synthetic workflow of that number, the same in all
// replications.
func workflowSeed(number int64, env model.Env) rng.Source {
	return env.Common().Seed.Child("workflow " + strconv.FormatInt(number, 10))
}

// nearest returns the whole number nearest to the product of two numbers that are not negative.
func nearest(mean, variate float64) int64 { return int64(float64(mean*variate) + 0.5) }

// uniform draws a whole number from 1 to 2·mean − 1.
func uniform(s *rng.Stream, mean int64) int64 { return 1 + int64(s.Float64()*float64(2*mean-1)) }

// drawParents draws one to three different tasks of [from, to), as far as there are so many, with
// times of transfer.
func drawParents(graph, transfers *rng.Stream, from, to, mean int64) []edge {
	const most = 3
	var chosen []edge
	for want := 1 + graph.Intn(most); len(chosen) < min(want, int(to-from)); {
		e := edge{task: int32(from) + int32(graph.Intn(int(to-from))), transfer: nearest(float64(mean), transfers.Exp())}
		if !slices.ContainsFunc(chosen, func(o edge) bool { return o.task == e.task }) {
			chosen = append(chosen, e)
		}
	}
	return chosen
}
