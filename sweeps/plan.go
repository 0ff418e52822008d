// Package sweeps turns a study file into a plan: which runs there are, in which order, and in which
// cells of which experiments each run is. Equal points of several experiments are one run; a run's
// id is a hash of what can change its outcome, so added levels rename nothing.
package sweeps

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"gridsweep/model"
	"gridsweep/sweeps/study"
)

// Plan is every run of some experiments of a study.
type Plan struct {
	Study       *study.Study
	Model       *model.Model
	Seed        int64
	Base        model.Point // the values that neither an experiment nor its factors set
	Experiments []*Experiment
	// Runs are in the order of work: measured runs first, then replications outermost and points in
	// the order in which the study file makes them, so that the memo still has what a worker's next
	// run shares. Runs with equal outcomes follow the first of them.
	Runs []Run
}

// Run is one simulation.
type Run struct {
	ID          string
	Point       model.Point // parameters, shared by the replications: read-only
	Replication int         // number of the replication, from 0
	Cost        float64     // expected work, in the model's unit
	Measure     bool        // whether the run is timed: alone on the machine, without memo
	// Equal is the same positive number for the runs of a replication that have equal outcomes; 0
	// for a run without any such other.
	Equal int
}

// Experiment is the cells of an experiment, whose dimensions are the factors that it crosses.
type Experiment struct {
	Bound  *study.Experiment // the bound experiment that was expanded
	Name   string
	Fewest int // fewest replications of a cell
	Most   int // most replications of a cell
	Cells  []Cell
}

// Runs returns how many runs the cells have, equal ones counted each.
func (e *Experiment) Runs() int {
	runs := 0
	for _, cell := range e.Cells {
		runs += len(cell.Runs)
	}
	return runs
}

// Cell is one combination of levels.
type Cell struct {
	Labels []string // labels in the order of the experiment's dimensions
	Levels []int    // indices of the labels in the dimensions
	Point  model.Point
	Runs   []int // indices of Plan.Runs, by replication
}

// CellNames returns for each run, by its index, the names of its cells, see CellName.
func (p *Plan) CellNames() [][]string {
	names := make([][]string, len(p.Runs))
	for _, e := range p.Experiments {
		for _, cell := range e.Cells {
			name := e.CellName(cell)
			for _, run := range cell.Runs {
				names[run] = append(names[run], name)
			}
		}
	}
	return names
}

// CellName returns the name of a cell of the experiment for messages, such as "rate lambda=0.3
// start=1A".
func (e *Experiment) CellName(cell Cell) string {
	name := e.Name
	for i, label := range cell.Labels {
		name += " " + e.Bound.Crossed[i].Name + "=" + label
	}
	return name
}

// Planned returns the plan's experiment of one of the study, or nil.
func (p *Plan) Planned(bound *study.Experiment) *Experiment {
	for _, e := range p.Experiments {
		if e.Bound == bound {
			return e
		}
	}
	return nil
}

// Dimension returns the index of the named dimension, or -1.
func (e *Experiment) Dimension(name string) int {
	return slices.IndexFunc(e.Bound.Crossed, func(c study.Crossed) bool { return c.Name == name })
}

// Checksum names the plan by its runs: two plans with the same checksum run the same simulations in
// the same order.
func (p *Plan) Checksum() string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\n", p.Study.Name)
	for _, run := range p.Runs {
		fmt.Fprintf(hash, "%s %t\n", run.ID, run.Measure)
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// Traces returns the values of the parameter trace of the runs, each once and in their order:
// model.TraceModel, perhaps with the name of a workload model, or references to traces with their
// checksums. It is empty for a model that reads none.
func (p *Plan) Traces() []string {
	if !p.Model.ReadsTraces {
		return nil
	}
	i := p.Model.Parameter(model.TraceParameter)
	var traces []string
	for _, run := range p.Runs {
		if text := run.Point[i].Text(); !slices.Contains(traces, text) {
			traces = append(traces, text)
		}
	}
	return traces
}

// Cost returns the expected work of the runs, in the model's unit.
func Cost(runs []Run) float64 {
	sum := 0.0
	for _, run := range runs {
		sum += run.Cost
	}
	return sum
}
