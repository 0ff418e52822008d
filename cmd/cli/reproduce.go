// Command reproduce: plan, run, analyze and report.

package cli

import (
	"cmp"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"gridsweep/pipeline/workspace"
	"gridsweep/results"
)

func newReproduce(t *terminal) *cobra.Command {
	s := selection{use: results.Rows | results.Digests}
	var o runOptions
	var strict bool
	c := &cobra.Command{
		Use:   "reproduce [PAPER-or-STUDY...]",
		Short: "Plan, run, analyze and report a paper, or all papers if none is named",
		Long: `Execute the missing runs, analyse all runs and write the report. The full published scale is the default;
--quick takes at most a minute for a paper and still shows every table and figure.`,
		Example: `  gridsweep reproduce coallocation
  gridsweep reproduce --quick
  gridsweep reproduce coallocation --levels lambda=0.3,0.4 --set requests=2000
  gridsweep reproduce coallocation --rounds 10 --until decided  # more replications where claims need them
  gridsweep reproduce provisioning/provisioning --experiment cybershake  # one of two studies`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = t.studies.List()
			}
			s.Fresh = o.fresh
			studies, err := t.open(c.Context(), &s, args)
			if err != nil {
				return err
			}
			var whole workspace.Portion // the zero value is that of all runs
			chosen, err := t.choose(c.Context(), studies, whole, o)
			if err != nil {
				return err
			}
			start := time.Now()
			var shown []workspace.StudyResult
			failed, err := t.execute(c.Context(), studies, chosen, whole, o, func(study *workspace.Study) error {
				result, err := t.analyze(c.Context(), study)
				shown = append(shown, workspace.StudyResult{Study: study, Result: result})
				return err
			})
			if err != nil {
				return errors.Join(failed, err)
			}
			if err := t.report(c.Context(), &s, shown); err != nil {
				return err
			}
			t.note("done in %s", took(time.Since(start)))
			return cmp.Or(failed, strictError(strict, shown))
		},
	}
	s.addFlags(t, c)
	o.addFlags(c)
	addStrict(c, &strict)
	addSize(c, &s.figures)
	return c
}
