// Package analysis turns the rows of a plan into what a paper shows: tables, figures and claims,
// each of our numbers with its interval, each published number beside ours, each claim with a
// verdict. Everything is a query over observations, and the published numbers are observations too:
// the same code compares our numbers and the paper's own.
//
// Analyze computes a Result; claim.go tells how a claim gets its verdict. The packages below write
// the Result: analysis/tabulate tables, analysis/draw figures, analysis/report the page.
package analysis

import (
	"context"
	"fmt"
	"slices"

	"gridsweep/analysis/effects"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// Analyze computes every table, figure and claim of the plan's study from the rows of the plan's
// runs. Figures of an experiment without rows are left out, and tables of which no experiment has
// rows; claims get the verdict NotRun, and Missing names the experiment. LeftOut counts the figures
// and claims of which an experiment is outside the plan, and the tables of which all are.
//
// Machine is the name of this machine, as in results.Provenance: of timings of several machines its
// own are used or, if it has none, those of the machine with the most. Decisions are those of
// Decide, if replications were added until there were verdicts; else nil.
//
// The error is one of reading the rows, or names a table whose keys do not identify its rows, or is
// that of ctx when ctx is done.
func Analyze(
	ctx context.Context, plan *sweeps.Plan, rows Rows, machine string, decisions map[Subject]Decision,
) (*Result, error) {
	s, err := open(ctx, plan, rows, machine, needsOf(plan))
	if err != nil {
		return nil, fmt.Errorf("analyse %s: %w", plan.Study.Name, err)
	}
	a := &analyzer{plan: plan, store: s, models: map[string]*effects.Model{}, shown: map[string]map[string]bool{},
		claims: map[string]*Claim{}, decisions: decisions}
	result := &Result{Unjudged: plan.Study.Unjudged, Assumptions: plan.Study.Assumptions}
	left := &result.LeftOut
	for _, t := range plan.Study.Tables {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if a.unplanned(left, t.Experiments()) == len(t.Blocks) {
			left.Tables++
			continue
		}
		table, err := a.table(ctx, t)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		if table != nil {
			result.Tables = append(result.Tables, *table)
		}
	}
	for _, f := range plan.Study.Figures {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if a.unplanned(left, []*study.Experiment{f.Experiment}) > 0 {
			left.Figures++
			continue
		}
		figure, err := a.figure(ctx, f)
		if err != nil {
			return nil, fmt.Errorf("figure %s: %w", f.Name, err)
		}
		if figure != nil {
			result.Figures = append(result.Figures, *figure)
		}
	}
	for i, c := range plan.Study.Claims {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if a.unplanned(left, c.Experiments()) > 0 {
			left.Claims++
			continue
		}
		claim, err := a.claim(ctx, c)
		if err != nil {
			return nil, fmt.Errorf("claim %s: %w", c.Name, err)
		}
		claim.Number = ClaimNumber(i + 1)
		result.Claims = append(result.Claims, *claim)
	}
	result.Missing = a.missing
	return result, nil
}

// analyzer answers the queries of one plan's study.
type analyzer struct {
	plan   *sweeps.Plan
	store  *store
	models map[string]*effects.Model // designs prepared so far, by their universes
	// shown has, by universe, the numbers that tables so far compare with published ones.
	shown     map[string]map[string]bool
	claims    map[string]*Claim    // claims judged so far, by name
	decisions map[Subject]Decision // see Analyze
	missing   []string             // planned experiments without rows that an output needs
}

// unplanned counts the experiments that are not in the plan, and records their names.
func (a *analyzer) unplanned(left *LeftOut, experiments []*study.Experiment) int {
	count := 0
	for _, e := range experiments {
		if a.plan.Planned(e) != nil {
			continue
		}
		count++
		if !slices.Contains(left.Experiments, e.Name) {
			left.Experiments = append(left.Experiments, e.Name)
		}
	}
	return count
}

// experiment returns an experiment as it is planned; nil if it is not planned or has no rows. One
// that is planned and has no rows is recorded as missing.
func (a *analyzer) experiment(e *study.Experiment) *sweeps.Experiment {
	planned := a.plan.Planned(e)
	if planned != nil && a.store.hasRows(planned) {
		return planned
	}
	if planned != nil && !slices.Contains(a.missing, e.Name) {
		a.missing = append(a.missing, e.Name)
	}
	return nil
}
