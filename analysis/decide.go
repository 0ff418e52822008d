package analysis

// Decisions: verdicts on claims that are judged again each time replications are added.

import (
	"context"
	"fmt"
	"slices"

	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// Decision is the verdict on a claim that is judged after each of several looks at a growing number
// of replications. It is corrected for the looks.
type Decision struct {
	Verdict Verdict
	Look    int // the look at which the verdict was reached, from 1; the last one if undecided
	// Cells are the names of the cells that an inconclusive claim compares, unless no number of
	// replications can decide it; see sweeps.Experiment.CellName.
	Cells []string
	// Needed are the replications that would decide it; see Judgement.
	Needed      int
	Undecidable string // why none would; see Judgement
}

// IsDecided reports whether the claim has a verdict that further replications do not change.
func (d Decision) IsDecided() bool { return d.Verdict != Inconclusive }

// Decide judges the claims of the plan's study at a look, by their names; it leaves out those of
// experiments outside the plan. Every p-value is multiplied by correction; see
// statistics.LookCorrection. Presupposed claims and alternative assumptions do not count. The error
// is that of Analyze.
func Decide(
	ctx context.Context, plan *sweeps.Plan, rows Rows, machine string, look int, correction float64,
) (map[string]Decision, error) {
	needs := newNeeds(plan)
	for i := range plan.Study.Claims {
		for k := range plan.Study.Claims[i].Assertions {
			needs.query(&plan.Study.Claims[i].Assertions[k].Query)
		}
	}
	s, err := open(ctx, plan, rows, machine, needs)
	if err != nil {
		return nil, fmt.Errorf("decide claims of %s: %w", plan.Study.Name, err)
	}
	a := &analyzer{plan: plan, store: s}
	decisions := map[string]Decision{}
	for i := range plan.Study.Claims {
		c := &plan.Study.Claims[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if a.unplanned(&LeftOut{}, c.Experiments()) > 0 {
			continue
		}
		compared, err := a.comparisons(ctx, c, c.Assertions)
		if err != nil {
			return nil, fmt.Errorf("claim %s: %w", c.Name, err)
		}
		judgement := compared.judge(c, correction)
		decision := Decision{Verdict: judgement.Verdict, Look: look, Needed: judgement.Needed,
			Undecidable: judgement.Undecidable}
		if judgement.Verdict == Inconclusive && judgement.canChange() {
			decision.Cells = cellsOf(plan, c.Experiments(), compared.used)
		}
		decisions[c.Name] = decision
	}
	return decisions, nil
}

// canChange reports whether more replications can give an inconclusive claim another verdict: some
// number of them would decide it, or its margins are not the same in every replication and their
// statistic has an interval.
func (j Judgement) canChange() bool {
	if j.MeanMargin.N < 2 || j.Needed > 0 {
		return true
	}
	varies := func(c Comparison) bool { return c.Margin.SD > 0 }
	return j.MeanMargin.HasInterval() && slices.ContainsFunc(j.Comparisons, varies)
}

// cellsOf returns the names of the cells of some experiments that have one of the runs, in the
// plan's order.
func cellsOf(plan *sweeps.Plan, experiments []*study.Experiment, runs usedRuns) []string {
	var names []string
	for i := range plan.Experiments {
		e := &plan.Experiments[i]
		for _, cell := range e.Cells {
			if _, isUsed := runs.lacks[cell.Runs[0]]; isUsed && slices.Contains(experiments, e.Bound) {
				names = append(names, e.CellName(cell))
			}
		}
	}
	return names
}

// decide gives a judgement the verdict of a decision. If that changes the verdict, the note has the
// earlier one.
func (j *Judgement) decide(d Decision) {
	before := j.Verdict
	if !before.isJudged() || !d.Verdict.isJudged() {
		return
	}
	j.Verdict = d.Verdict
	text := fmt.Sprintf("decided at look %d", d.Look)
	if !d.IsDecided() {
		text = fmt.Sprintf("undecided after look %d", d.Look)
	}
	if before != d.Verdict {
		text += fmt.Sprintf(", corrected for the looks; all replications together without the correction are %s", before)
	}
	j.Needed, j.Undecidable, j.Note = d.Needed, d.Undecidable, note([]string{j.Note}, text)
}
