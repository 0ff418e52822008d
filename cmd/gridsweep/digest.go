package main

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
or the order of runs: two machines that ran the same plan print the same line.`,
		Example: `  gridsweep digest coallocation
  gridsweep digest coallocation --out /elsewhere/out`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			targets, err := s.targets(c.Context(), args)
			if err != nil {
				return err
			}
			for _, target := range targets {
				taken, err := target.snapshot(c.Context())
				if err != nil {
					return err
				}
				digest, err := taken.Digest(c.Context(), nil)
				if errors.Is(err, results.ErrEmpty) {
					return fmt.Errorf("%s has no run of %s; first\n    gridsweep run %s",
						target.dir, target.name, shellQuote(target.name)+s.flags())
				}
				if err != nil {
					return err
				}
				fmt.Fprintf(t.out, "%s  %s\n", digest, target.dir)
				if err := t.noteAllStale(c.Context(), target); err != nil {
					return err
				}
			}
			return nil
		},
	}
	s.addOut(c)
	c.Flags().BoolVar(&s.quick, "quick", false, "of the dataset of the small runs")
	return c
}
