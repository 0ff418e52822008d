// Targets: what the replications are to reach, as it is typed.

package sequential

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gridsweep/analysis"
	"gridsweep/model"
	"gridsweep/sweeps"
)

// Target is what replications are added for: a precision of a column's means, or verdicts on
// claims.
type Target struct {
	Text string // the target as it was typed
	// WantsVerdicts is whether every claim is to have a verdict, by its own experiments or, if
	// Experiment is set, by this one; else a column is to have a precision.
	WantsVerdicts bool
	Column        string // column of the table runs whose mean over the replications is estimated
	// HalfWidth is the largest half-width of the mean's interval, in the column's unit or, if
	// IsRelative is set, as a share of the mean.
	HalfWidth  float64
	IsRelative bool
	Unit       string      // unit as it was typed; empty for a relative half-width or none
	Experiment string      // experiment that counts; empty for all not under assumptions
	Levels     [][2]string // factors and levels of the cells that count
}

var decided = regexp.MustCompile(`^decided(?:\s+in\s+(\S.*))?$`)

var precision = regexp.MustCompile(`^(\S+)\s*(?:±|\+-|\+/-)\s*([0-9.eE+-]+)\s*(\S*)(?:\s+in\s+(.+))?$`)

// Parse reads a target, in which "+-" stands for "±":
//
//   - "decided", for all claims on the study's own experiments;
//   - "decided in readings", for the claims on this experiment, or in its universes;
//   - "blocking ±1%", a precision in proportion to the mean;
//   - "wait ±5 in rate lambda=0.3", a precision in the column's unit, for the cells of an
//     experiment at some levels.
func Parse(text string) (Target, error) {
	const want = `write decided or decided in EXPERIMENT, or a column with the half-width of its mean's interval, ` +
		`such as "blocking ±1%" (relative to the mean) or "wait +-5s in rate lambda=0.3" (in the column's unit, for ` +
		`some cells)`
	if found := decided.FindStringSubmatch(text); found != nil {
		return Target{Text: text, WantsVerdicts: true, Experiment: found[1]}, nil
	}
	found := precision.FindStringSubmatch(text)
	if found == nil {
		return Target{}, fmt.Errorf("%q is no target: %s", text, want)
	}
	half, err := strconv.ParseFloat(found[2], 64)
	if err != nil || !(half > 0) || math.IsInf(half, 0) {
		return Target{}, fmt.Errorf("%q: the half-width %s is no number above 0", text, found[2])
	}
	target := Target{Text: text, Column: found[1], HalfWidth: half}
	if target.Unit = found[3]; target.Unit == "%" {
		target.IsRelative, target.HalfWidth, target.Unit = true, half/100, ""
	}
	for i, word := range strings.Fields(found[4]) {
		factor, level, isLevel := strings.Cut(word, "=")
		switch {
		case isLevel:
			target.Levels = append(target.Levels, [2]string{factor, level})
		case i == 0:
			target.Experiment = word
		default:
			return Target{}, fmt.Errorf("%q: after in, write an experiment and levels as FACTOR=LEVEL, not %q", text, word)
		}
	}
	return target, nil
}

// check returns an error if the target fits no cell of the plan or no claim, or if its model has no
// such column or has it in another unit.
func (t Target) check(plan *sweeps.Plan) error {
	if t.WantsVerdicts {
		switch {
		case len(plan.Study.Claims) == 0:
			return fmt.Errorf("%s: the study has no claims", t.Text)
		case t.Experiment != "" && len(t.questions(plan)) == 0:
			return fmt.Errorf("%s: no claim is on an experiment of the plan with this name, or judged in its universes; "+
				"gridsweep plan lists the experiments", t.Text)
		}
		return nil
	}
	column, isFound := t.column(plan.Model)
	if !isFound {
		var names []string
		for _, c := range plan.Model.RunsColumns() {
			if isNumber(c) && plan.Model.Parameter(c.Name) < 0 {
				names = append(names, c.Name)
			}
		}
		return fmt.Errorf("%s: the model %s has no column %s of numbers; there are %s", t.Text, plan.Model.Name, t.Column,
			strings.Join(names, ", "))
	}
	if t.Unit != "" && t.Unit != column.Unit {
		return fmt.Errorf("%s: %s is in %s, not %s; write the half-width in %[2]s's unit, or in %% of the mean", t.Text,
			t.Column, cmp.Or(column.Unit, "no unit"), t.Unit)
	}
	for range t.cells(plan) {
		return nil
	}
	return errors.New(t.Text + ": no cell of the plan has this experiment and these levels; gridsweep plan lists the " +
		"experiments, and gridsweep show the levels")
}

// column returns the target's column of the table runs, and whether there is one.
func (t Target) column(m *model.Model) (model.Column, bool) {
	for _, c := range m.RunsColumns() {
		if isNumber(c) && (c.Name == t.Column || c.Alias == t.Column) {
			return c, true
		}
	}
	return model.Column{}, false
}

func isNumber(c model.Column) bool {
	return c.Type == model.TypeFloat || c.Type == model.TypeInt || c.Type == model.TypeSeconds
}

// cells yields the cells that count, with their names; none for a target about claims.
func (t Target) cells(plan *sweeps.Plan) iter.Seq2[string, sweeps.Cell] {
	return func(yield func(string, sweeps.Cell) bool) {
		for _, e := range plan.Experiments {
			for _, cell := range e.Cells {
				if !t.WantsVerdicts && t.countsCell(e, cell) && !yield(e.CellName(cell), cell) {
					return
				}
			}
		}
	}
}

// questions returns the verdicts that count, in the study's order; none for a precision.
func (t Target) questions(plan *sweeps.Plan) []analysis.Question {
	return slices.DeleteFunc(analysis.Questions(plan), func(q analysis.Question) bool { return !t.counts(q) })
}

// counts reports whether a verdict counts. Without an experiment those on the study's own do.
func (t Target) counts(q analysis.Question) bool {
	switch {
	case !t.WantsVerdicts:
		return false
	case t.Experiment == "":
		return q.Experiment == ""
	}
	return q.IsOn(t.Experiment)
}

// countsCell reports whether a cell of an experiment counts. Experiments under assumptions have
// many cells, which compare verdicts at few replications: they count if they are named.
func (t Target) countsCell(e *sweeps.Experiment, cell sweeps.Cell) bool {
	isOther := t.Experiment != "" && !e.Bound.IsPartOf(t.Experiment)
	if isOther || t.Experiment == "" && e.Bound.Universes != nil {
		return false
	}
	for _, level := range t.Levels {
		if d := e.Dimension(level[0]); d < 0 || cell.Labels[d] != level[1] {
			return false
		}
	}
	return true
}
