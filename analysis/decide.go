// Decisions: verdicts on claims, by default or in universes, that are judged again each time
// replications are added.

package analysis

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/dustin/go-humanize/english"

	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// Subject is what a verdict is about: a claim on its own experiments or, if Experiment is not
// empty, at one level of the factor of an experiment that repeats them, mostly a universe.
type Subject struct{ Claim, Experiment, Universe string }

// Question is a subject with the claim and the assertions that decide its verdict.
type Question struct {
	Subject
	claim      *study.Claim
	assertions []study.Assertion
}

// Questions returns all subjects of a plan in the order of the study. Experiments whose universes
// have a single replication count, too.
func Questions(plan *sweeps.Plan) []Question {
	isPlanned := func(a study.Assertion) bool { return plan.Planned(a.Experiment) != nil }
	var questions []Question
	for _, c := range plan.Study.Claims {
		if !all(c.Assertions, isPlanned) {
			continue
		}
		questions = append(questions, Question{Subject{Claim: c.Name}, c, c.Assertions})
		for _, r := range c.Repetitions {
			if !all(r.Assertions, isPlanned) {
				continue
			}
			for _, level := range r.Levels() {
				questions = append(questions, Question{Subject{c.Name, r.Experiment, level.Label.Text}, c, r.At(level)})
			}
		}
	}
	return questions
}

// all reports whether a condition is true of each item.
func all[T any](items []T, isTrue func(T) bool) bool {
	return !slices.ContainsFunc(items, func(item T) bool { return !isTrue(item) })
}

// IsOn reports whether the verdict is on an experiment of this name, or on a part of it.
func (q Question) IsOn(experiment string) bool {
	return slices.ContainsFunc(q.assertions, func(a study.Assertion) bool { return a.Experiment.IsPartOf(experiment) })
}

// Presupposes returns the subject without which this one means nothing. Mostly there is none, and
// its claim is empty.
func (q Question) Presupposes() Subject {
	return Subject{q.claim.Presupposes, q.Experiment, q.Universe}
}

// mayLackLevels reports whether the question is on a trend or spread in a universe, which may lack
// levels of it.
func (q Question) mayLackLevels() bool { return q.Experiment != "" && leastLevels(q.claim.Test) > 0 }

// Cells yields the cells of the plan that are compared, with their names.
func (q Question) Cells(plan *sweeps.Plan) iter.Seq2[string, sweeps.Cell] {
	return func(yield func(string, sweeps.Cell) bool) {
		for _, e := range plan.Experiments {
			var takes [][][]bool // by assertion, dimension and level
			for k := range q.assertions {
				if q.assertions[k].Experiment == e.Bound {
					takes = append(takes, takenLevels(&q.assertions[k].Query, e, 0))
				}
			}
			if len(takes) == 0 {
				continue
			}
			for _, cell := range e.Cells {
				isTaken := func(levels [][]bool) bool { return areTaken(cell.Levels, levels) }
				if slices.ContainsFunc(takes, isTaken) && !yield(e.CellName(cell), cell) {
					return
				}
			}
		}
	}
}

// Decision is the verdict on a subject that is judged after each of several looks at a growing
// number of replications. It is corrected for the looks.
type Decision struct {
	Verdict Verdict
	Look    int // the look at which the verdict was reached, from 1; the last one if undecided
	// Replications is the fewest that a cell had at this look.
	Replications int
	// Cells are the names of the cells that an inconclusive claim compares, unless no number of
	// replications can decide it; see sweeps.Experiment.CellName.
	Cells []string
	// Needed are the replications that would decide it; see Judgement.
	Needed      int
	Undecidable string  // why none would; see Judgement
	OnLevelsRun Verdict // see Judgement
}

// IsDecided reports whether there is a verdict that further replications do not change.
func (d Decision) IsDecided() bool { return d.Verdict != Inconclusive }

// Look is one of several at which questions are answered.
type Look struct {
	Number     int     // from 1
	Correction float64 // factor of every p-value; see statistics.LookCorrection
	// IsDue reports whether a question is answered; the rows of the others are read, too, so that
	// the granularity of columns does not depend on it.
	IsDue func(Question) bool
}

// Decide answers questions on a plan at a look. No verdict is Vacuous: presupposed claims are not
// looked at. The error is that of Analyze.
func Decide(
	ctx context.Context, plan *sweeps.Plan, rows Rows, machine string, questions []Question, look Look,
) (map[Subject]Decision, error) {
	needs := newNeeds(plan)
	for _, q := range questions {
		for i := range q.assertions {
			needs.add(&q.assertions[i].Query)
		}
		if q.mayLackLevels() {
			for i := range q.claim.Assertions {
				needs.add(&q.claim.Assertions[i].Query)
			}
		}
	}
	s, err := open(ctx, plan, rows, machine, needs)
	if err != nil {
		return nil, fmt.Errorf("decide claims of %s: %w", plan.Study.Name, err)
	}
	a := &analyzer{plan: plan, store: s}
	decisions := map[Subject]Decision{}
	own := map[*study.Claim]map[comparisonKey][]study.Label{}
	for _, q := range questions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !look.IsDue(q) {
			continue
		}
		compared, err := a.comparisons(ctx, q.claim, q.assertions)
		if err != nil {
			return nil, fmt.Errorf("claim %s: %w", q.claim.Name, err)
		}
		if q.mayLackLevels() {
			if own[q.claim] == nil {
				ours, err := a.comparisons(ctx, q.claim, q.claim.Assertions)
				if err != nil {
					return nil, fmt.Errorf("claim %s: %w", q.claim.Name, err)
				}
				own[q.claim] = ours.levels()
			}
			compared.markSubsets(q.claim, own[q.claim])
		}
		judgement := compared.judge(q.claim, look.Correction)
		decision := Decision{Verdict: judgement.Verdict, Look: look.Number, Needed: judgement.Needed,
			Undecidable: judgement.Undecidable, OnLevelsRun: judgement.OnLevelsRun}
		for name, cell := range q.Cells(plan) {
			decision.Replications = fewer(decision.Replications, len(cell.Runs))
			if judgement.Verdict == Inconclusive && judgement.canChange() {
				decision.Cells = append(decision.Cells, name)
			}
		}
		decisions[q.Subject] = decision
	}
	return decisions, nil
}

// canChange reports whether more replications can give an inconclusive claim another verdict: some
// number of them would decide it, there are fewer than two so far, or its margins vary between
// replications and their statistic has an interval. None can where only levels that were not run
// could decide it.
func (j Judgement) canChange() bool {
	switch {
	case j.OnLevelsRun != "":
		return false
	case j.MeanMargin.N < 2 || j.Needed > 0:
		return true
	}
	varies := func(c Comparison) bool { return c.Margin.SD > 0 }
	return j.MeanMargin.HasInterval() && slices.ContainsFunc(j.Comparisons, varies)
}

// decide gives a judgement the verdict of a decision. If that changes the verdict, the note has the
// earlier one. It leaves vacuous ones to presuppose.
func (j *Judgement) decide(d Decision) {
	before := j.Verdict
	if !before.isJudged() || !d.Verdict.isJudged() || d.Verdict == Vacuous {
		return
	}
	j.Verdict = d.Verdict
	text := fmt.Sprintf("decided at look %d", d.Look)
	if !d.IsDecided() {
		text = fmt.Sprintf("undecided after look %d", d.Look)
	}
	if d.Replications > 0 {
		text += fmt.Sprintf(" with %s", english.Plural(d.Replications, "replication", ""))
	}
	if before != d.Verdict {
		text += fmt.Sprintf(", corrected for the looks; all replications together without the correction are %s", before)
	}
	j.Needed, j.Undecidable, j.OnLevelsRun = d.Needed, d.Undecidable, d.OnLevelsRun
	j.Note = note(text, j.Note)
}
