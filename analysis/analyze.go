package analysis

import (
	"context"
	"fmt"
	"slices"

	"gridsweep/configs"
	"gridsweep/sweeps"
)

// Analyze answers every table, figure and claim of the plan's study from the rows of the plan's runs. What needs an
// experiment without rows is left out, or said to be not run, and named in Missing; what needs one outside the plan is
// left out and counted. Machine is this machine's name, as in results.Provenance: its timings are used where there are
// those of several. The error is one of reading the rows, or names the table, figure or claim whose query cannot be
// answered, or is that of ctx when it is done.
func Analyze(ctx context.Context, plan *sweeps.Plan, rows Rows, machine string) (*Result, error) {
	s, err := open(ctx, plan, rows, machine)
	if err != nil {
		return nil, fmt.Errorf("analyse %s: %w", plan.Study.Name.Value, err)
	}
	a := &analyzer{plan: plan, store: s}
	result := &Result{}
	left := &result.LeftOut
	for _, t := range plan.Study.Tables {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if of := experimentsOf(t.Blocks, func(b configs.Block) configs.Text { return b.Of }); a.unplanned(left, of) == len(of) {
			left.Tables++
			continue
		}
		table, err := a.table(t)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name.Value, err)
		}
		if table != nil {
			result.Tables = append(result.Tables, *table)
		}
	}
	for _, f := range plan.Study.Figures {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if a.unplanned(left, []string{f.Of.Value}) > 0 {
			left.Figures++
			continue
		}
		figure, err := a.figure(f)
		if err != nil {
			return nil, fmt.Errorf("figure %s: %w", f.Name.Value, err)
		}
		if figure != nil {
			result.Figures = append(result.Figures, *figure)
		}
	}
	for _, c := range plan.Study.Claims {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		parts := plan.Study.PartsOf(c)
		if a.unplanned(left, experimentsOf(parts, func(c configs.Claim) configs.Text { return c.Of })) > 0 {
			left.Claims++
			continue
		}
		claim, err := a.claim(c, parts)
		if err != nil {
			return nil, fmt.Errorf("claim %s: %w", c.Name.Value, err)
		}
		result.Claims = append(result.Claims, claim)
	}
	for _, u := range plan.Study.Unjudged {
		result.Unjudged = append(result.Unjudged, Statement{u.Name.Value, u.Doc.Value, u.Source.Value, u.Why.Value})
	}
	result.Missing = a.missing
	return result, nil
}

// analyzer answers the queries of one plan's study.
type analyzer struct {
	plan    *sweeps.Plan
	store   *store
	missing []string // experiments without rows that something asked for
}

// experimentsOf returns the experiments that the blocks of a table or the parts of a claim are of.
func experimentsOf[T any](parts []T, of func(T) configs.Text) []string {
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = of(part).Value
	}
	return names
}

// unplanned counts the experiments that are not in the plan, and notes them.
func (a *analyzer) unplanned(left *LeftOut, experiments []string) int {
	count := 0
	for _, name := range experiments {
		if a.plan.Experiment(name) != nil {
			continue
		}
		count++
		if !slices.Contains(left.Experiments, name) {
			left.Experiments = append(left.Experiments, name)
		}
	}
	return count
}

// experiment returns the named experiment, or nil where it has no rows; then it counts as missing if it was planned.
func (a *analyzer) experiment(name string) *sweeps.Experiment {
	e := a.plan.Experiment(name)
	if e != nil && a.store.hasRows(e) {
		return e
	}
	if e != nil && !slices.Contains(a.missing, name) {
		a.missing = append(a.missing, name)
	}
	return nil
}

// answer answers a query from observations of our rows, laid out along the named dimensions.
func (a *analyzer) answer(o *observations, q configs.Query, named []string) (*layout, error) {
	l, err := answer(o, q, named, false)
	if err != nil {
		return nil, err
	}
	if tableOf(q) == timingsTable && a.store.warning != "" {
		l.grid.warnings = append(l.grid.warnings, a.store.warning)
	}
	return l, nil
}
