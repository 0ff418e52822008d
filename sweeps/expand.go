// Expansion: from a bound study to the plan of the chosen experiments.

package sweeps

import (
	"context"
	"math/big"
	"slices"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps/study"
)

// Options choose what of a study is planned and override its values. Precedence, lowest first: the
// model's defaults, the study, the experiment, quick, Set, and the level of a factor.
type Options struct {
	Quick  bool
	Set    []configs.Setting   // --set
	Levels []configs.Selection // --levels: the levels a factor has instead of its own
	// Universes is the most universes of an experiment under assumptions; 0 takes its own design.
	Universes        int // --universes
	MostReplications int // --rounds: the most replications of a cell; 0 takes each experiment's own
	// Replications is how many replications a cell has at least, by its name; see
	// Experiment.CellName. Other cells have their experiment's number.
	Replications map[string]int
	// Traces resolves a value of the parameter trace, for points that read the named traces of the
	// catalogue; see model.TraceParameter. Paths in it are relative to folder, that of the file
	// that sets it, or to the working folder where that is empty. It is called for every point, so
	// it should cache its results. Nil leaves the values as they are.
	Traces func(ctx context.Context, value, folder string, names []string) (string, error)
	// Programs resolves a value of the parameter that names a program to a reference with a
	// checksum; see model.Spec.Program. The path in it is relative to folder, as that of a trace.
	// Nil leaves it as it is.
	Programs func(ctx context.Context, value, folder string) (string, error)
	// MaxRuns is how many runs the plan may have; 0 stands for DefaultMaxRuns.
	MaxRuns int // --max-runs
	// Experiments are names, whole or up to a slash, such as rate for rate/lambda; nil takes all
	// that are not optional. One that repeats another includes that: results show the rows of both.
	Experiments []string
}

// DefaultMaxRuns is the most runs of a plan without --max-runs. A plan takes some 2 KB of memory
// for each point.
const DefaultMaxRuns = 200_000

// Expand binds a study file to its model and plans its experiments. The error is that of
// model.CheckSpecs, or a configs.Problems with everything that study.Bind finds wrong in the whole
// file, and every point of the chosen experiments whose values do not go together. When ctx is
// done, its error is returned soon.
func Expand(ctx context.Context, file *configs.Study, m *model.Model, options Options) (*Plan, error) {
	if err := model.CheckSpecs(m); err != nil {
		return nil, err
	}
	overrides := study.Overrides{Quick: options.Quick, Set: options.Set, Levels: options.Levels,
		Universes: options.Universes, MostReplications: options.MostReplications}
	bound, problems := study.Bind(ctx, file, m, overrides)
	e := &expander{
		ctx: ctx, plan: &Plan{Study: bound, Model: m, Seed: bound.Seed, Base: m.Defaults()}, options: options,
		problems: problems, reported: map[cause]bool{}, totalRuns: new(big.Int), points: map[string]*point{},
	}
	chosen := e.chosen()
	e.checkSet(chosen)
	bound.ReportMissingLevels(&e.problems, chosen)
	if !e.checkRuns(chosen) {
		return nil, e.problems
	}
	assign(e.plan.Base, bound.Base)
	// Problems of its files are reported for the cells that have them.
	_ = e.resolveTraces(e.plan.Base, &study.Experiment{Fixed: bound.Base}, nil)
	_ = e.resolveProgram(e.plan.Base, &study.Experiment{Fixed: bound.Base}, nil)
	for _, experiment := range chosen {
		e.add(experiment)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(e.problems) > 0 {
		return nil, e.problems
	}
	if err := e.layOut(); err != nil {
		return nil, err
	}
	return e.plan, nil
}

// expander plans a bound study and gathers every problem it meets. Equal points of several
// experiments share their runs.
type expander struct {
	ctx       context.Context
	plan      *Plan
	options   Options
	problems  configs.Problems
	reported  map[cause]bool
	totalRuns *big.Int // sum over the experiments of their runs; shared runs count in each

	points   map[string]*point // points by the id of replication 0
	distinct []*point          // distinct points in the order in which the study makes them
	cells    [][]cellPoint     // cells of each experiment
	runs     int               // number of runs of all points
	invalid  int               // number of invalid points
}

// chosen returns the experiments to plan, in the study's order, without broken ones. It reports
// names of --experiment that the study does not have.
func (e *expander) chosen() []*study.Experiment {
	all := e.plan.Study.Experiments
	names := slices.Clone(e.options.Experiments)
	for _, x := range all {
		if x.Repeats != nil && slices.ContainsFunc(e.options.Experiments, x.IsPartOf) {
			names = append(names, x.Repeats.Name)
		}
	}
	var chosen []*study.Experiment
	found := make([]bool, len(names))
	for _, x := range all {
		wanted := len(names) == 0 && !x.Optional
		for i, name := range names {
			if x.IsPartOf(name) {
				found[i], wanted = true, true
			}
		}
		if wanted && !x.Broken() {
			chosen = append(chosen, x)
		}
	}
	for i, name := range e.options.Experiments {
		if !found[i] {
			e.plan.Study.ReportUnknown(&e.problems, name)
		}
	}
	return chosen
}
