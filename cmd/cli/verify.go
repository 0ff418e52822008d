// Command verify: whether a bundle is whole, and its tables and verdicts those of its rows.

package cli

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"gridsweep/pipeline"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
)

// verifyOptions are the flags of verify.
type verifyOptions struct {
	rerun   int
	seed    uint64
	workers int
}

func newVerify(t *terminal) *cobra.Command {
	var o verifyOptions
	c := &cobra.Command{
		Use:   "verify FILE.zip",
		Short: "Verify a bundle: its checksums, and its tables and verdicts against its rows",
		Long: `Verify a file that gridsweep bundle wrote. Every file must be listed and have its checksum. Then the studies of
the bundle are planned and their rows analysed again: digest, cells.parquet, tables and claims must be those in
the bundle. Page and figures are covered by their checksums alone. --rerun N also simulates N random runs again
and compares their rows; runs whose traces are not here, and those of schedulers that are programs, are left
out. The files are extracted into a temporary folder (TMPDIR), which is removed.

Another version of the program may compute other tables. Then the result names each difference and both
versions.

The exit code is 0 if all agrees, 1 if something differs, is damaged or cannot be verified, 2 for wrong usage.`,
		Example: `  gridsweep verify coallocation.zip
  gridsweep verify coallocation.zip --rerun 20
  gridsweep verify coallocation.zip --rerun 20 --seed 7     # the same runs each time`,
		Args: needsCounted(1, "one file that gridsweep bundle wrote"),
		RunE: func(c *cobra.Command, args []string) error {
			if o.rerun < 0 {
				return usageErrorf("--rerun %d: write a number of runs, from 0", o.rerun)
			}
			hasSeed := c.Flags().Changed("seed")
			if hasSeed && o.rerun == 0 {
				return usageErrorf("--seed chooses the runs of --rerun N; give that too")
			}
			if !hasSeed {
				o.seed = uint64(rand.Uint32())
			}
			if extension := filepath.Ext(args[0]); extension == ".yaml" || extension == ".yml" {
				return usageErrorf("%s is a study file, and a bundle is verified: the file that gridsweep bundle%s writes", args[0],
					workspace.Typed(args[0]))
			}
			return t.verify(c.Context(), args[0], o)
		},
	}
	flags := c.Flags()
	flags.IntVar(&o.rerun, "rerun", 0, "simulate `N` random runs again")
	flags.Uint64Var(&o.seed, "seed", 0, "choose the runs by this `number`")
	flags.Lookup("seed").DefValue = "a random one, which is printed"
	addWorkers(c, &o.workers)
	return c
}

func (t *terminal) verify(ctx context.Context, file string, o verifyOptions) error {
	dir, err := os.MkdirTemp("", "gridsweep-verify-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := selection{use: results.Rows | results.Digests}
	w := t.workspace(&s)
	w.CommandFor = nil // it would read the flags of s.command, which is nil
	show, end := t.showLate("verify "+filepath.Base(file), "file", 0)
	bundle, err := w.OpenBundle(ctx, file, dir, show)
	end(err)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%s, made by %s\n", things(bundle.Files, "file"), bundle.Program.Source())
	fmt.Fprintln(t.out, "checksums: agree") // OpenBundle verified them
	differences, err := bundle.Verify(ctx)
	if err != nil {
		return err
	}
	t.printAgreement("tables and verdicts", differences)
	if o.rerun > 0 {
		again, err := bundle.Rerun(ctx, o.rerun, o.seed, pipeline.Options{
			Workers: o.workers, Memo: pipeline.DefaultMemo(o.workers), Memory: pipeline.GroupMemory(), Progress: t.progress(),
		})
		if err != nil {
			return err
		}
		if again.LeftOut > 0 {
			t.note("%s cannot be run again here: their traces are not here, or their scheduler is a program",
				things(again.LeftOut, "run"))
		}
		if again.Runs == 0 {
			return fmt.Errorf("%s has no run that can be run again here", file)
		}
		t.printAgreement(fmt.Sprintf("%s run again (--rerun %d --seed %d)", things(again.Runs, "run"), o.rerun, o.seed),
			again.Differences)
		differences = append(differences, again.Differences...)
	}
	if len(differences) > 0 {
		text := fmt.Sprintf("%s: %s", file, things(len(differences), "difference"))
		if ours := w.Program.Source(); ours != bundle.Program.Source() {
			text += fmt.Sprintf("; this is %s, and %s made the bundle", ours, bundle.Program.Source())
		}
		return errors.New(text)
	}
	return nil
}

// printAgreement prints whether something agrees, or its differences.
func (t *terminal) printAgreement(what string, differences []string) {
	if len(differences) == 0 {
		fmt.Fprintf(t.out, "%s: agree\n", what)
		return
	}
	fmt.Fprintf(t.out, "%s: %s\n", what, things(len(differences), "difference"))
	for _, difference := range differences {
		fmt.Fprintln(t.out, printable("    "+difference))
	}
}
