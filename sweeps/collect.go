// Cells and runs: equal points of several experiments become one run.

package sweeps

import (
	"cmp"
	"fmt"
	"slices"

	"gridsweep/model"
	"gridsweep/sweeps/study"
)

// point is a distinct setting of the parameters with the replications that experiments need.
type point struct {
	id      string // id of its replication 0
	values  model.Point
	cost    float64
	first   int    // index of the first distinct point with equal outcomes, perhaps its own
	measure []bool // by replication: whether an experiment measures it
	runs    []int  // by replication: the index in Plan.Runs; made by layOut
}

// cellPoint is the point of a cell with the number of the cell's replications.
type cellPoint struct {
	*point
	replications int
}

// mostInvalid is the number of invalid points after which no more are made: most likely all have
// the same error.
const mostInvalid = 10_000

// add makes the cells of an experiment, the last factor varying fastest. It makes none for an
// experiment with a reported error, which would only cause further errors.
func (e *expander) add(x *study.Experiment) {
	if x.Wrong {
		return
	}
	experiment, count := &Experiment{Bound: x, Name: x.Name}, 1
	experiment.Fewest, experiment.Most = x.RangeOfReplications()
	for _, f := range x.Crossed {
		count *= len(f.Levels)
	}
	experiment.Cells = make([]Cell, 0, min(count, DefaultMaxRuns))
	points := make([]cellPoint, 0, min(count, DefaultMaxRuns))
	base := e.plan.Model.Defaults()
	assign(base, x.Fixed)
	for i := range count {
		if e.ctx.Err() != nil || e.problems.IsFull() || e.runs > e.maxRuns() || e.invalid > mostInvalid {
			break
		}
		at, chosen := combination(x, i)
		if slices.ContainsFunc(chosen, study.Level.IsWrong) {
			continue
		}
		values := slices.Clone(base)
		for _, l := range chosen {
			assign(values, l.Assignments)
		}
		e.resolve(values, x, chosen)
		p := e.point(values, x, chosen)
		cell := Cell{Labels: study.LabelsOf(chosen), Levels: at, Point: p.values}
		replications := max(x.ReplicationsOf(at), e.options.Replications[experiment.CellName(cell)])
		if more := replications - len(p.measure); more > 0 {
			if e.runs += more; e.runs > e.maxRuns() {
				e.tooMany(x, "the experiments up to this one have more runs")
			}
			p.measure = append(p.measure, make([]bool, more)...)
		}
		for replication := range replications {
			p.measure[replication] = p.measure[replication] || x.Measure
		}
		experiment.Cells = append(experiment.Cells, cell)
		points = append(points, cellPoint{p, replications})
	}
	if len(e.options.Replications) > 0 && len(points) > 0 {
		fewer := func(a, b cellPoint) int { return cmp.Compare(a.replications, b.replications) }
		experiment.Fewest = slices.MinFunc(points, fewer).replications
		experiment.Most = slices.MaxFunc(points, fewer).replications
	}
	e.cells = append(e.cells, points)
	e.plan.Experiments = append(e.plan.Experiments, experiment)
}

// combination returns the i-th combination of the levels of an experiment's factors, from 0: their
// indices and the levels.
func combination(x *study.Experiment, i int) (at []int, chosen []study.Level) {
	at, chosen = make([]int, len(x.Crossed)), make([]study.Level, len(x.Crossed))
	for f := len(x.Crossed) - 1; f >= 0; f-- {
		levels := x.Crossed[f].Levels
		at[f], i = i%len(levels), i/len(levels)
		chosen[f] = levels[at[f]]
	}
	return at, chosen
}

func assign(values model.Point, assignments []study.Assignment) {
	for _, a := range assignments {
		if !a.Wrong {
			values[a.Parameter] = a.Value
		}
	}
}

// point returns the point with these values, validating it when it is new.
func (e *expander) point(values model.Point, x *study.Experiment, chosen []study.Level) *point {
	m := e.plan.Model
	id := m.RunID(values, e.plan.Seed, 0)
	if p, found := e.points[id]; found {
		return p
	}
	p := &point{id: id, values: values}
	e.points[id] = p
	e.distinct = append(e.distinct, p)
	problems := m.Validate(values)
	for _, problem := range problems {
		e.reportPoint(problem, values, x, chosen)
	}
	if len(problems) > 0 {
		e.invalid++
		return p
	}
	if p.cost = m.Cost(values); !(p.cost > 0) {
		panic(fmt.Sprintf("model %s: cost %v of a valid point is not positive", m.Name, p.cost))
	}
	return p
}

// layOut lays the runs out in the order of work and lets the cells point at them. The error is
// ctx's.
func (e *expander) layOut() error {
	plan := e.plan
	type run struct {
		point       *point
		replication int
	}
	var runs []run
	firsts := map[any]int{}      // by canonical parameters: index of the first point
	runsOfEqual := map[run]int{} // by the first of equal points and the replication: number of runs
	for i, p := range e.distinct {
		p.first = i
		if key := plan.Model.Canonical(p.values); key != nil {
			if first, found := firsts[key]; found {
				p.first = first
			} else {
				firsts[key] = i
			}
		}
		p.runs = make([]int, len(p.measure))
		for replication := range p.measure {
			runs = append(runs, run{p, replication})
			runsOfEqual[run{e.distinct[p.first], replication}]++
		}
	}
	slices.SortStableFunc(runs, func(a, b run) int {
		if isMeasured := a.point.measure[a.replication]; isMeasured != b.point.measure[b.replication] {
			if isMeasured {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.replication, b.replication), cmp.Compare(a.point.first, b.point.first))
	})
	plan.Runs = make([]Run, len(runs))
	for i, r := range runs {
		if e.ctx.Err() != nil {
			return e.ctx.Err()
		}
		r.point.runs[r.replication] = i
		id := r.point.id
		if r.replication > 0 {
			id = plan.Model.RunID(r.point.values, plan.Seed, r.replication)
		}
		equal := 0
		if runsOfEqual[run{e.distinct[r.point.first], r.replication}] > 1 {
			equal = r.point.first + 1
		}
		plan.Runs[i] = Run{
			ID: id, Point: r.point.values, Replication: r.replication, Cost: r.point.cost,
			Measure: r.point.measure[r.replication], Equal: equal,
		}
	}
	for k, experiment := range plan.Experiments {
		for i := range experiment.Cells {
			cell := &experiment.Cells[i]
			cell.Runs = e.cells[k][i].runs[:e.cells[k][i].replications]
		}
	}
	return nil
}
