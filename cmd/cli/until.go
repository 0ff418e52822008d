// The flags that add replications until targets are reached, and what is printed of it.

package cli

import (
	"context"

	"github.com/spf13/cobra"

	"gridsweep/pipeline/workspace"
	"gridsweep/sweeps"
)

func (s *selection) addUntil(c *cobra.Command) {
	flags := c.Flags()
	flags.StringArrayVar(&s.Until, "until", nil,
		"add replications until the `TARGET` is reached: decided (claims), 'decided in EXPERIMENT' (claims on it, or "+
			"in its universes), or a precision of means such as 'blocking ±1%' or "+
			"'wait +-5s in EXPERIMENT lambda=0.3' (may be repeated)")
	flags.IntVar(&s.MaxReplications, "max-rounds", workspace.DefaultMaxReplications,
		"with --until, the most replications `N` of a cell")
	beforeRun(c, func(*cobra.Command) error {
		if flags.Changed("max-rounds") && len(s.Until) == 0 {
			return usageErrorf("--max-rounds %d: limits --until; without it write --rounds", s.MaxReplications)
		}
		return nil
	})
	atLeastOne(c, "max-rounds", "replications", &s.MaxReplications)
}

// runLooks executes the runs of a study and, with --until, those that each look adds to the
// portion.
func (t *terminal) runLooks(
	ctx context.Context, study *workspace.Study, runs []sweeps.Run, portion workspace.Portion, o runOptions,
) error {
	for {
		if err := t.runPlan(ctx, study, runs, portion.Rest, o); err != nil || len(study.Looks.Targets) == 0 {
			return err
		}
		o.fresh = false
		before := len(study.Plan.Runs)
		hasMissing, err := study.Grow(ctx)
		if err != nil {
			return usageUnlessDone(ctx, err)
		}
		for _, sentence := range study.Looks.Sentences() {
			t.note("%s: %s", study.Name, sentence)
		}
		if !hasMissing {
			return nil
		}
		for _, sentence := range study.Looks.Expectations() {
			t.note("%s: %s", study.Name, sentence)
		}
		if len(study.Plan.Runs) == before {
			t.note("%s: the next look needs the runs of other shards; run the same command again when they are done",
				study.Name)
			return nil
		}
		chosen, err := portion.Runs([]*workspace.Study{study})
		if err != nil {
			return usageError(err)
		}
		runs = chosen[0]
	}
}
