// Command digest: the SHA-256 of the rows of a dataset.

package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"gridsweep/results"
)

func newDigest(t *terminal) *cobra.Command {
	s := selection{use: results.Digests}
	c := &cobra.Command{
		Use:   "digest PAPER-or-STUDY...",
		Short: "Print a digest of the content of a dataset",
		Long: `Print a hash of all rows of a study's dataset but the timings. It does not depend on workers, shards, files
or the order of runs: two machines that ran the same plan print the same line. If the folder also has runs that
are not in the plan, such as those of other values or of --until, a second line has the hash of the plan's runs: the
one of the page. Give the same flags as to run.`,
		Example: `  gridsweep digest coallocation
  gridsweep digest coallocation --out /elsewhere/out`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			studies, err := t.open(c.Context(), &s, args)
			if err != nil {
				return err
			}
			for _, study := range studies {
				digests, err := study.Digests(c.Context())
				if errors.Is(err, results.ErrEmpty) {
					return fmt.Errorf("%s has no run of %s; first\n    %s",
						study.Dir, study.Name, study.Command("run"))
				}
				if err != nil {
					return err
				}
				fmt.Fprintf(t.out, "%s  %s\n", digests.Folder, study.Dir)
				if digests.Plan != "" {
					fmt.Fprintf(t.out, "%s  %s, %s of the plan's %s; the folder has %s\n", digests.Plan, study.Dir,
						count(digests.Planned), things(len(study.Plan.Runs), "run"), count(digests.Runs))
				}
				if err := t.noteAllStale(c.Context(), study); err != nil {
					return err
				}
			}
			return nil
		},
	}
	s.addPlan(t, c)
	s.addUntil(c)
	return c
}
