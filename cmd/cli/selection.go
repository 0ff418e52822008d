// The arguments and flags that choose studies and change their plans.

package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gridsweep/analysis/draw"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// selection is the flags that choose datasets and define plans, for all commands that open studies.
type selection struct {
	workspace.Selection
	use     results.Use    // what the command reads the datasets for
	figures draw.Size      // size of the figures that the command draws
	command *cobra.Command // that has the flags
}

// addFlags adds the flags of commands that read or execute runs.
func (s *selection) addFlags(t *terminal, c *cobra.Command) {
	s.addPlan(t, c)
	s.addStale(c)
	s.addUntil(c)
}

// addPlan adds the flags that choose a dataset and define its plan.
func (s *selection) addPlan(t *terminal, c *cobra.Command) {
	s.addDataset(t, c)
	flags := c.Flags()
	flags.BoolVar(&s.Quick, "quick", false, "small runs that still show every table and figure, kept apart in OUT/quick")
	flags.StringArrayVar(&s.Set, "set", nil, "set a parameter in all runs: `NAME=VALUE` (may be repeated)")
	flags.StringArrayVar(&s.Levels, "levels", nil,
		"give a factor other levels: `FACTOR=A,B` (may be repeated; quote a level with a comma: "+
			"tasks='\"U(2,3)\",\"U(2,4)\"')")
	flags.IntVar(&s.Universes, "universes", 0,
		"run experiments under assumptions in at most `N` universes, combinations of the assumptions' levels, "+
			"instead of their own designs")
	atLeastOne(c, "universes", "universes", &s.Universes)
	flags.IntVar(&s.Replications, "rounds", 0,
		"run at most `N` replications of each cell, instead of each experiment's own number")
	atLeastOne(c, "rounds", "replications", &s.Replications)
	flags.StringArrayVar(&s.Experiments, "experiment", nil,
		"plan only this experiment and those it repeats; needed for optional ones: `NAME` (may be repeated)")
	flags.StringArrayVar(&s.Tables, "table", nil, "also write this optional long table: `NAME` (may be repeated)")
}

func (s *selection) addStale(c *cobra.Command) {
	c.Flags().BoolVar(&s.Stale, "stale", false,
		"use runs of the dataset that were made by other source code of the same version of the model")
}

// addDataset adds --out, --studies and --max-runs, and notes the command.
func (s *selection) addDataset(t *terminal, c *cobra.Command) {
	s.command = c
	t.addStudies(c, &s.Studies)
	c.Flags().StringVar(&s.Out, "out", "out", "`folder` of all results")
	s.addMaxRuns(c)
}

func (s *selection) addMaxRuns(c *cobra.Command) {
	c.Flags().IntVar(&s.MaxRuns, "max-runs", sweeps.DefaultMaxRuns,
		"the largest number `N` of runs of a study's chosen experiments; a plan takes memory for each")
	atLeastOne(c, "max-runs", "runs", &s.MaxRuns)
}

// atLeastOne makes a command refuse a flag that is set to a number below 1.
func atLeastOne(c *cobra.Command, flag, what string, number *int) {
	beforeRun(c, func(c *cobra.Command) error {
		if c.Flags().Changed(flag) && *number < 1 {
			return usageErrorf("--%s %d: write a number of %s, at least 1", flag, *number, what)
		}
		return nil
	})
}

// addStudies adds the flag --studies: dir gets its value, and loadStudies adds the studies there.
func (t *terminal) addStudies(c *cobra.Command, dir *string) {
	c.Flags().StringVar(dir, "studies", "",
		"find studies in this `folder`, as PAPER/STUDY.yaml, before the built-in ones of the same names")
	beforeRun(c, t.loadStudies)
}

// beforeRun makes a command do something before it runs, in the order of the calls.
func beforeRun(c *cobra.Command, do func(*cobra.Command) error) {
	before := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if before != nil {
			if err := before(c, args); err != nil {
				return err
			}
		}
		return do(c)
	}
}

// loadStudies adds the studies of the flag --studies, if it is set, to those of the program.
func (t *terminal) loadStudies(c *cobra.Command) error {
	flag := c.Flags().Lookup("studies")
	if flag == nil || !flag.Changed {
		return nil
	}
	dir := flag.Value.String()
	if dir == "" {
		return usageErrorf("--studies: is empty; name a folder, or leave it out")
	}
	studies, err := t.studies.WithFolder(dir)
	if err != nil {
		return usageErrorf("--studies %w", err)
	}
	t.studies = studies
	return nil
}

// workspace returns the workspace of the command and its selection.
func (t *terminal) workspace(s *selection) *workspace.Workspace {
	return &workspace.Workspace{
		Studies: t.studies, Models: t.models, Program: t.program(), Use: s.use,
		Figures: s.figures,
		Note:    func(text string) { t.note("%s", text) },
		CommandFor: func(studies []string) string {
			return s.command.CommandPath() + workspace.Typed(slices.Concat(studies, typedFlags(s.command))...)
		},
	}
}

// open returns the studies that the arguments name, with their plans. The error has the problems of
// all studies; nothing has been changed then.
func (t *terminal) open(ctx context.Context, s *selection, names []string) ([]*workspace.Study, error) {
	opened, err := t.workspace(s).Open(ctx, s.Selection, names)
	return opened, usageUnlessDone(ctx, err)
}

// typedFlags returns the flags of the command line as arguments.
func typedFlags(c *cobra.Command) []string {
	var all []string
	c.Flags().Visit(func(f *pflag.Flag) {
		flag := "--" + f.Name
		switch list, isList := f.Value.(pflag.SliceValue); {
		case isList:
			all = append(all, workspace.Repeated(flag, list.GetSlice())...)
		case f.NoOptDefVal == "": // the flag needs a value
			all = append(all, flag, f.Value.String())
		case f.NoOptDefVal == f.Value.String(): // a switch, on
			all = append(all, flag)
		default:
			all = append(all, flag+"="+f.Value.String())
		}
	})
	return all
}

// find returns the studies that a name means.
func (t *terminal) find(ctx context.Context, name string) ([]workspace.Named, error) {
	return (&workspace.Workspace{Studies: t.studies, Models: t.models}).Find(ctx, name)
}

// modelOf returns the model that a study names.
func (t *terminal) modelOf(study *configs.Study) (*model.Model, error) {
	return (&workspace.Workspace{Models: t.models}).ModelOf(study)
}
