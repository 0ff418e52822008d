// Package sequential adds replications to the cells of a plan until the mean of a column is precise
// enough or claims have their verdicts. A look is one evaluation of all cells and claims against
// their targets. Each look decides from the replications that the plan has by then and from nothing
// else, so a process that is stopped and continued, or several processes that share the runs, reach
// the same replications.
//
// A confidence interval of the last of several looks covers too rarely, since replications end when
// the interval happens to be narrow. Each look therefore has an error rate of its own, and all
// together that of one interval; see statistics.LookCorrection.
package sequential

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
	"gridsweep/model"
	"gridsweep/sweeps"
)

// fewest is the least number of replications of a cell whose precision is looked at: with fewer the
// t interval of values that are not normally distributed covers too rarely.
const fewest = 10

// fewestEqual is the least number of replications of a cell whose values are all equal: with a
// confidence of 95 % fewer than one replication in ten then has another value.
const fewestEqual = 30

// fewestInUniverses is the least number of replications of a cell in which a claim is decided under
// assumptions: universes of a single one are compared by published numbers alone.
const fewestInUniverses = 2

// next returns the number of replications of a cell at the next look: half as many again. The
// number of looks grows only with the logarithm of the replications, and so does the cost of the
// correction.
func next(n, most int) int { return min(most, n+(n+1)/2) }

// Looks are the looks at a plan so far.
type Looks struct {
	Targets []Target
	Most    int // the most replications of a cell
	Number  int // number of looks so far
	// Cells are those of each target in the plan's order; none for a target about claims.
	Cells [][]Cell
	// Subjects are those of each target about claims, in the study's order.
	Subjects [][]analysis.Subject
	// Decisions on the subjects; nil without a target about claims.
	Decisions map[analysis.Subject]analysis.Decision
	// Replications of the cells that have more than their experiment's number, by name; see
	// sweeps.Options.
	Replications map[string]int

	grown map[string]bool // the cells that got more at the last look
}

// Cell is how precise a target's column is in a cell.
type Cell struct {
	Name        string // its name; see sweeps.Experiment.CellName
	N           int    // replications at its last look, or planned before the first
	Mean        statistics.Estimate
	Look        int     // the last one at which it was evaluated; 0 for none
	Done        bool    // the target was reached at this look
	Granularity float64 // what one event adds to a value; see analysis.GranularityOf
}

// New prepares the looks at a plan, before the first one. The error names a target that does not
// fit the plan, or a limit below a cell's replications.
func New(targets []Target, most int, plan *sweeps.Plan) (*Looks, error) {
	looks := &Looks{Targets: targets, Most: most, Replications: map[string]int{}}
	for _, e := range plan.Experiments {
		if e.Most > most {
			return nil, fmt.Errorf("--max-rounds %d: experiment %s has %d replications already; write a larger number, "+
				"or fewer replications with --rounds", most, e.Name, e.Most)
		}
	}
	atLeast := func(least int, name string, cell sweeps.Cell) {
		if len(cell.Runs) < least {
			looks.Replications[name] = max(looks.Replications[name], min(least, most))
		}
	}
	for _, t := range targets {
		if err := t.check(plan); err != nil {
			return nil, fmt.Errorf("--until %w", err)
		}
		var cells []Cell
		for name, cell := range t.cells(plan) {
			cells = append(cells, Cell{Name: name, N: len(cell.Runs)})
			atLeast(fewest, name, cell)
		}
		var subjects []analysis.Subject
		for _, q := range t.questions(plan) {
			subjects = append(subjects, q.Subject)
			if q.Experiment != "" {
				for name, cell := range q.Cells(plan) {
					atLeast(fewestInUniverses, name, cell)
				}
			}
		}
		looks.Cells, looks.Subjects = append(looks.Cells, cells), append(looks.Subjects, subjects)
	}
	return looks, nil
}

// Look evaluates every cell and claim that has not reached its target, and gives more replications
// to those that still have not. It returns whether any cell gets more; Replications has them. All
// runs of the plan have to have rows. Machine is as for analysis.Analyze. The error is of reading
// the rows.
func (l *Looks) Look(ctx context.Context, plan *sweeps.Plan, rows analysis.Rows, machine string) (bool, error) {
	l.Number++
	replications := map[string]int{}
	for _, e := range plan.Experiments {
		for _, cell := range e.Cells {
			replications[e.CellName(cell)] = len(cell.Runs)
		}
	}
	grown := map[string]bool{}
	grow := func(name string) {
		if n := replications[name]; n < l.Most {
			l.Replications[name], grown[name] = next(n, l.Most), true
		}
	}
	if err := l.decide(ctx, plan, rows, machine); err != nil {
		return false, err
	}
	for _, d := range l.Decisions {
		for _, name := range d.Cells {
			grow(name)
		}
	}
	for i, t := range l.Targets {
		if t.WantsVerdicts {
			continue
		}
		if err := l.evaluate(ctx, plan, rows, t, l.Cells[i]); err != nil {
			return false, err
		}
		for _, cell := range l.Cells[i] {
			if !cell.Done {
				grow(cell.Name)
			}
		}
	}
	l.grown = grown
	return len(grown) > 0, nil
}

// decide judges the claims at their first look, and again as long as they are undecided and a cell
// of theirs got more replications.
func (l *Looks) decide(ctx context.Context, plan *sweeps.Plan, rows analysis.Rows, machine string) error {
	questions := slices.DeleteFunc(analysis.Questions(plan), func(q analysis.Question) bool {
		return !slices.ContainsFunc(l.Targets, func(t Target) bool { return t.counts(q) })
	})
	if len(questions) == 0 {
		return nil
	}
	isGrown := func(cell string) bool { return l.grown[cell] }
	now, err := analysis.Decide(ctx, plan, rows, machine, questions, analysis.Look{
		Number: l.Number, Correction: statistics.LookCorrection(l.Number),
		IsDue: func(q analysis.Question) bool {
			before, known := l.Decisions[q.Subject]
			return !known || !before.IsDecided() && slices.ContainsFunc(before.Cells, isGrown)
		},
	})
	if err != nil {
		return err
	}
	if l.Decisions == nil {
		l.Decisions = map[analysis.Subject]analysis.Decision{}
	}
	maps.Copy(l.Decisions, now)
	l.markVacuous(questions)
	return nil
}

// markVacuous makes claims without a verdict vacuous if they presuppose, alone or through others,
// one that is decided as not reproduced. That verdict stays, so they get no more replications.
func (l *Looks) markVacuous(questions []analysis.Question) {
	presupposed := map[analysis.Subject]analysis.Subject{}
	for _, q := range questions {
		presupposed[q.Subject] = q.Presupposes()
	}
	for subject, d := range l.Decisions {
		if d.IsDecided() {
			continue
		}
		for other := presupposed[subject]; other.Claim != ""; other = presupposed[other] {
			if l.Decisions[other].Verdict == analysis.NotReproduced {
				l.Decisions[subject] = analysis.Decision{Verdict: analysis.Vacuous, Look: l.Number, Replications: d.Replications}
				break
			}
		}
	}
}

// evaluate estimates the means of a target's cells that have not reached it and have more
// replications than at their last look.
func (l *Looks) evaluate(
	ctx context.Context, plan *sweeps.Plan, rows analysis.Rows, t Target, cells []Cell,
) error {
	var planned []sweeps.Cell
	ids := map[string]bool{}
	for _, cell := range t.cells(plan) {
		planned = append(planned, cell)
		for _, run := range cell.Runs {
			ids[plan.Runs[run].ID] = true
		}
	}
	column, _ := t.column(plan.Model)
	frame, err := rows.Read(ctx, model.RunsTable, []string{column.Name}, ids)
	if err != nil {
		return fmt.Errorf("--until %s: %w", t.Text, err)
	}
	values, numbers := make([][]float64, len(planned)), frame.Column(column.Name)
	for i, cell := range planned {
		for _, run := range cell.Runs {
			from, to := frame.Rows(plan.Runs[run].ID)
			for row := from; row < to; row++ {
				if x, ok := numbers.Number(row); ok {
					values[i] = append(values[i], x)
				}
			}
		}
	}
	granularity := analysis.GranularityOf(column, values)
	for i, cell := range planned {
		if c := &cells[i]; !c.Done && (c.Look == 0 || c.N < len(cell.Runs)) {
			c.N, c.Look, c.Granularity = len(cell.Runs), l.Number, granularity
			c.Mean = statistics.MeanAtLook(values[i], granularity, l.Number)
			c.Done = t.isReached(c.Mean)
		}
	}
	return nil
}

// isReached reports whether a mean is precise enough.
func (t Target) isReached(e statistics.Estimate) bool {
	least := fewest
	if e.SD == 0 {
		least = fewestEqual
	}
	return e.N >= least && e.High-e.Value <= t.widest(e)
}

// widest returns the largest half-width that suffices, in the column's unit.
func (t Target) widest(e statistics.Estimate) float64 {
	if t.IsRelative {
		return t.HalfWidth * math.Abs(e.Value)
	}
	return t.HalfWidth
}

// Forecast is how many replications a target will take if means and deviations stay as they are.
type Forecast struct {
	Target string `json:"target"`
	Open   int    `json:"open"` // cells or verdicts that have not reached it
	// Stopped is how many of these are of cells with as many replications as a cell may have.
	Stopped int `json:"stopped"`
	// Unchanging is how many of these are verdicts that no number of replications changes.
	Unchanging int `json:"unchanging"`
	All        int `json:"of"`           // all cells or verdicts
	Most       int `json:"replications"` // the most of a cell; 0 if none gets more, or no look yet
	More       int `json:"more"`         // further replications of all cells; 0 for verdicts
	// Unreached is how many besides Stopped and Unchanging will not reach it within the limit.
	Unreached    int  `json:"unreached"`
	HasEvaluated bool `json:"evaluated"` // whether there was a look
}

// Forecasts returns the forecast of each target after the looks so far.
func (l *Looks) Forecasts() []Forecast {
	forecasts := make([]Forecast, len(l.Targets))
	for i, t := range l.Targets {
		all := len(l.Cells[i]) + len(l.Subjects[i]) // one of which is 0
		forecasts[i] = Forecast{Target: t.Text, HasEvaluated: l.Number > 0, All: all}
		f := &forecasts[i]
		if !f.HasEvaluated {
			f.Open = all
			continue
		}
		for _, subject := range l.Subjects[i] {
			f.addVerdict(l.Decisions[subject], l.Most)
		}
		for _, cell := range l.Cells[i] {
			if cell.Done {
				continue
			}
			f.Open++
			if cell.N >= l.Most {
				f.Stopped++
				continue
			}
			n, reached := t.needed(cell, l.Number, l.Most)
			if !reached {
				f.Unreached++
			}
			f.Most, f.More = max(f.Most, n), f.More+n-cell.N
		}
	}
	return forecasts
}

// addVerdict adds the verdict on a subject to the forecast.
func (f *Forecast) addVerdict(d analysis.Decision, most int) {
	if d.IsDecided() {
		return
	}
	f.Open++
	switch {
	case len(d.Cells) == 0:
		f.Unchanging++
	case d.Replications >= most:
		f.Stopped++
	case d.Needed == 0 || d.Needed > most:
		f.Unreached, f.Most = f.Unreached+1, most
	default:
		f.Most = max(f.Most, d.Needed)
	}
}

// needed returns the replications of a cell at the look at which it will reach the target with the
// mean and deviation that it has, or the limit.
func (t Target) needed(cell Cell, look, most int) (n int, reached bool) {
	for n = cell.N; n < most; {
		n, look = next(n, most), look+1
		e := cell.Mean
		half := statistics.HalfWidthAtLook(e.SD, cell.Granularity, n, look)
		if e.N, e.Low, e.High = n, e.Value-half, e.Value+half; t.isReached(e) {
			return n, true
		}
	}
	return n, false
}

// Sentences returns a sentence on how far each target is reached, without its full stop.
func (l *Looks) Sentences() []string {
	var sentences []string
	for i, f := range l.Forecasts() {
		if !f.HasEvaluated {
			sentences = append(sentences, f.Target+": before the first look")
			continue
		}
		what, reach := l.counted(i)
		most := 0
		for _, cell := range l.Cells[i] {
			most = max(most, cell.N)
		}
		for _, subject := range l.Subjects[i] {
			most = max(most, l.Decisions[subject].Replications)
		}
		text := fmt.Sprintf("%s: %s of %s %s after %s", f.Target, humanize.Comma(int64(f.All-f.Open)),
			english.Plural(f.All, what, ""), reach, english.Plural(l.Number, "look", ""))
		if most > 0 {
			text += fmt.Sprintf(", with at most %s", english.Plural(most, "replication", ""))
		}
		if f.Stopped > 0 {
			text += fmt.Sprintf("; %s stopped at the limit of %s", humanize.Comma(int64(f.Stopped)),
				english.Plural(l.Most, "replication", ""))
		}
		if f.Unchanging > 0 {
			text += fmt.Sprintf("; no number of replications changes %s", humanize.Comma(int64(f.Unchanging)))
		}
		sentences = append(sentences, text)
	}
	return sentences
}

// counted returns what a target counts, and that it has been reached, in words.
func (l *Looks) counted(target int) (what, reach string) {
	isInUniverse := func(s analysis.Subject) bool { return s.Experiment != "" }
	switch {
	case !l.Targets[target].WantsVerdicts:
		return "cell", "reached it"
	case slices.ContainsFunc(l.Subjects[target], isInUniverse):
		return "verdict", "were reached"
	}
	return "claim", "have a verdict"
}

// Expectations returns a sentence, without its full stop, on how many replications each target will
// take that more replications can reach.
func (l *Looks) Expectations() []string {
	var sentences []string
	for i, f := range l.Forecasts() {
		if f.Most == 0 {
			continue
		}
		text := fmt.Sprintf("%s: with the means and deviations so far, up to %s", f.Target,
			english.Plural(f.Most, "replication of a cell", "replications of a cell"))
		if f.More > 0 {
			text += fmt.Sprintf(" and %s more in all", humanize.Comma(int64(f.More)))
		}
		if f.Unreached > 0 {
			what, _ := l.counted(i)
			text += fmt.Sprintf("; %s will not reach it with %s", english.Plural(f.Unreached, what, ""),
				english.Plural(l.Most, "replication", ""))
		}
		sentences = append(sentences, text)
	}
	return sentences
}
