package analysis

import (
	"slices"

	"gridsweep/analysis/statistics"
	"gridsweep/configs"
	"gridsweep/sweeps"
)

// restLabel stands in an order for all levels that the order does not name.
const restLabel = "rest"

// claim judges a claim of the study on our rows, on the paper's own numbers and under every reading that was run.
func (a *analyzer) claim(c configs.Claim) (Claim, error) {
	claim := Claim{
		Name: c.Name.Value, Doc: c.Doc.Value, Source: c.Source.Value, Test: describe(c),
		Unit: marginUnit(valueAxis(a.plan.Model, c.Query, c.Show[0].Value).Unit),
		Ours: Judgement{Verdict: NotRun, Note: "experiment " + c.Of.Value + " was not run"},
	}
	if e := a.experiment(c.Of.Value); e != nil {
		var err error
		if claim.Ours, err = a.judgement(e, c); err != nil {
			return Claim{}, err
		}
	}
	claim.Published = a.publishedJudgement(a.plan.Experiment(c.Of.Value), c)
	for _, repeated := range repetitions(a.plan, c.Of.Value) {
		if !a.store.hasRows(repeated) {
			continue
		}
		readings, err := a.readings(repeated, c)
		if err != nil {
			return Claim{}, err
		}
		claim.Readings = append(claim.Readings, readings...)
	}
	return claim, nil
}

// judgement judges a claim on the rows of an experiment.
func (a *analyzer) judgement(e *sweeps.Experiment, c configs.Claim) (Judgement, error) {
	o, err := a.store.observe(e, tableOf(c.Query), words(c.Show))
	if err != nil {
		return Judgement{}, err
	}
	return a.judgementFrom(o, c)
}

func (a *analyzer) judgementFrom(o *observations, c configs.Claim) (Judgement, error) {
	g, err := a.answerFrom(o, c.Query, claimDims(c))
	if err != nil {
		return Judgement{}, err
	}
	l, err := lay(g, claimDims(c)...)
	if err != nil {
		return Judgement{}, err
	}
	return judge(c, margins(c, l), g.warnings), nil
}

// claimDims returns the dimensions that a claim names: for, most and along, in this order.
func claimDims(c configs.Claim) []string {
	dims := append(words(c.For), words(c.Most)...)
	if c.Along.Value != "" {
		dims = append(dims, c.Along.Value)
	}
	return dims
}

// readings judges a claim under each level of the factor that an experiment repeats others under.
func (a *analyzer) readings(e *sweeps.Experiment, c configs.Claim) ([]ReadingJudgement, error) {
	o, err := a.store.observe(e, tableOf(c.Query), words(c.Show))
	if err != nil {
		return nil, err
	}
	var readings []ReadingJudgement
	for _, level := range e.Dimensions[0].Levels {
		under := c
		under.Where = append(slices.Clone(c.Where), configs.Selection{
			Dimension: configs.Text{Value: e.Dimensions[0].Name}, Labels: []configs.Text{{Value: level}},
		})
		judgement, err := a.judgementFrom(o, under)
		if err != nil {
			return nil, err
		}
		if judgement.Verdict != NotRun {
			readings = append(readings, ReadingJudgement{Experiment: e.Name, Level: level, Judgement: judgement})
		}
	}
	return readings, nil
}

// publishedJudgement judges a claim on the paper's own numbers; nil where they do not hold what its test needs. Where
// the paper prints several numbers of one run, their mean counts.
func (a *analyzer) publishedJudgement(e *sweeps.Experiment, c configs.Claim) *Judgement {
	o := a.publishedRuns(e, tableOf(c.Query), words(c.Show), nil)
	single := len(c.Stat) == 0 || c.Stat[0].Value != string(statistics.SD)
	if len(o.rows) == 0 || !single || len(c.Against) > 0 && !o.hasBase(c.Against) {
		return nil
	}
	g, err := evaluate(o, c.Query, claimDims(c), true)
	if err != nil {
		return nil
	}
	l, err := lay(g, claimDims(c)...)
	if err != nil {
		return nil
	}
	found := margins(c, l)
	if len(found) == 0 {
		return nil
	}
	judgement := count(c, found)
	return &judgement
}
