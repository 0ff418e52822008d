package sweeps

// Cells and runs: equal points of several experiments become one run.

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gridsweep/model"
	"gridsweep/sweeps/study"
)

// collector gathers the cells of all experiments and gives equal points of a replication one run.
type collector struct {
	plan     *Plan
	points   map[string]*point // points by the id of replication 0
	distinct []*point          // distinct points in the order in which the study makes them
	cells    [][]cellPoint     // cells of each experiment
	runs     int               // number of runs of all points
	invalid  int               // number of invalid points
}

// point is a distinct setting of the parameters with the replications that experiments need.
type point struct {
	id      string // id of its replication 0
	values  model.Point
	cost    float64
	first   int    // index of the first distinct point whose runs have equal outcomes
	measure []bool // whether an experiment measures a replication
	runs    []int  // index in Plan.Runs of each replication, once ordered
}

// cellPoint is the point of a cell with the number of the cell's replications.
type cellPoint struct {
	*point
	replications int
}

func newCollector(plan *Plan) *collector {
	return &collector{plan: plan, points: map[string]*point{}}
}

// mostInvalid is the number of invalid points after which no more are made: most likely all have
// the same error.
const mostInvalid = 10_000

// add makes the cells of an experiment, the last factor varying fastest. It makes none for an
// experiment with a reported error, which would only cause further errors.
func (c *collector) add(x *study.Experiment, e *expander) {
	if x.Wrong {
		return
	}
	experiment, cells := Experiment{Bound: x, Name: x.Name, Doc: x.Doc, Measure: x.Measure}, 1
	experiment.Fewest, experiment.Rounds = x.RangeOfRounds()
	for _, f := range x.Crossed {
		experiment.Dimensions = append(experiment.Dimensions, Dimension{Name: f.Name, Levels: study.LabelsOf(f.Levels)})
		cells *= len(f.Levels)
	}
	experiment.Cells = make([]Cell, 0, min(cells, DefaultMaxRuns))
	points := make([]cellPoint, 0, min(cells, DefaultMaxRuns))
	base := c.plan.Model.Defaults()
	assign(base, x.Fixed)
	for i := range cells {
		if e.ctx.Err() != nil || e.problems.IsFull() || c.runs > e.maxRuns() || c.invalid > mostInvalid {
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
		p := c.point(values, x, chosen, e)
		cell := Cell{Labels: study.LabelsOf(chosen), Levels: at, Point: p.values}
		replications := max(x.RoundsOf(at), e.options.Replications[experiment.CellName(cell)])
		if more := replications - len(p.measure); more > 0 {
			if c.runs += more; c.runs > e.maxRuns() {
				e.tooMany(x, "the experiments up to this one have more runs")
			}
			p.measure = append(p.measure, make([]bool, more)...)
		}
		for round := range replications {
			p.measure[round] = p.measure[round] || x.Measure
		}
		experiment.Cells = append(experiment.Cells, cell)
		points = append(points, cellPoint{p, replications})
	}
	if len(e.options.Replications) > 0 && len(points) > 0 {
		fewer := func(a, b cellPoint) int { return cmp.Compare(a.replications, b.replications) }
		experiment.Fewest = slices.MinFunc(points, fewer).replications
		experiment.Rounds = slices.MaxFunc(points, fewer).replications
	}
	c.cells = append(c.cells, points)
	c.plan.Experiments = append(c.plan.Experiments, experiment)
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
func (c *collector) point(values model.Point, x *study.Experiment, chosen []study.Level, e *expander) *point {
	m := c.plan.Model
	id := m.RunID(values, c.plan.Seed, 0)
	if p, found := c.points[id]; found {
		return p
	}
	p := &point{id: id, values: values}
	c.points[id] = p
	c.distinct = append(c.distinct, p)
	problems := m.Validate(values)
	for _, problem := range problems {
		e.reportPoint(problem, values, x, chosen)
	}
	if len(problems) > 0 {
		c.invalid++
		return p
	}
	if p.cost = m.Cost(values); !(p.cost > 0) {
		panic(fmt.Sprintf("model %s: cost %v of a valid point is not positive", m.Name, p.cost))
	}
	return p
}

// layOut lays the runs out in the order of work and lets the cells point at them. The error is
// ctx's.
func (c *collector) layOut(ctx context.Context) error {
	plan := c.plan
	type member struct {
		point *point
		round int
	}
	var members []member
	firsts := map[any]int{}         // by canonical parameters
	runsOfEqual := map[member]int{} // how many, by the first of equal points and the replication
	for i, p := range c.distinct {
		p.first = i
		if key := plan.Model.Canonical(p.values); key != nil {
			if first, found := firsts[key]; found {
				p.first = first
			} else {
				firsts[key] = i
			}
		}
		p.runs = make([]int, len(p.measure))
		for round := range p.measure {
			members = append(members, member{p, round})
			runsOfEqual[member{c.distinct[p.first], round}]++
		}
	}
	slices.SortStableFunc(members, func(a, b member) int {
		if isMeasured := a.point.measure[a.round]; isMeasured != b.point.measure[b.round] {
			if isMeasured {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.round, b.round), cmp.Compare(a.point.first, b.point.first))
	})
	plan.Runs = make([]Run, len(members))
	for i, m := range members {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m.point.runs[m.round] = i
		id := m.point.id
		if m.round > 0 {
			id = plan.Model.RunID(m.point.values, plan.Seed, m.round)
		}
		equal := 0
		if runsOfEqual[member{c.distinct[m.point.first], m.round}] > 1 {
			equal = m.point.first + 1
		}
		plan.Runs[i] = Run{
			ID: id, Point: m.point.values, Round: m.round, Cost: m.point.cost, Measure: m.point.measure[m.round],
			Equal: equal,
		}
	}
	for x := range plan.Experiments {
		experiment := &plan.Experiments[x]
		for i := range experiment.Cells {
			cell := &experiment.Cells[i]
			cell.Runs = c.cells[x][i].runs[:c.cells[x][i].replications]
		}
	}
	return nil
}
