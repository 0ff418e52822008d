// Command trace fetch: traces from their archives.

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gridsweep/cmd/internal/progress"
	"gridsweep/configs"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/traces"
)

func newTraceFetch(t *terminal) *cobra.Command {
	var options traces.FetchOptions
	var catalogue catalogueFlag
	c := &cobra.Command{
		Use:   "fetch NAME...",
		Short: "Download traces of the catalogue from their archives",
		Long: `Download traces (see gridsweep trace list) into the user's cache, where studies find them. Rerun the command to
continue an interrupted download. The checksum of the first download is recorded in a file beside the trace; later
downloads, and the file at each use, must have the same. If an archive has moved, give its address with --from, or
import a file that you have downloaded with gridsweep trace import.` + ownCatalogue,
		Example: `  gridsweep trace fetch das2
  gridsweep trace fetch das2 grid5000 auvergrid
  gridsweep trace fetch ctc-sp2 --from https://mirror.example.org/CTC-SP2-1996-3.1-cln.swf.gz
  gridsweep trace fetch sharcnet --dir traces`,
		Args: needsSome("the name of a trace; gridsweep trace list shows them"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("from") && len(args) > 1 {
				return usageErrorf("--from is the address of one trace: name one, not %d", len(args))
			}
			found, err := catalogue.find(c.Context(), args...)
			if err != nil {
				return err
			}
			for _, trace := range found {
				options.Progress = progress.Download(t.err, t.columns())
				stored, err := traces.Fetch(c.Context(), trace, options)
				if err != nil {
					return err
				}
				t.printStored(trace, stored)
			}
			return nil
		},
	}
	catalogue.addTo(t, c)
	completeTraces(c, &catalogue)
	c.Flags().StringVar(&options.From, "from", "",
		"download from this `URL` instead: a plain, .gz, .zst, .bz2 or .zip file")
	addTraceDir(c, &options.Dir)
	return c
}

func addTraceDir(c *cobra.Command, dir *string) {
	c.Flags().StringVar(dir, "dir", "", "keep it in this `folder`")
	c.Flags().Lookup("dir").DefValue = "the user's cache"
	beforeRun(c, func(c *cobra.Command) error {
		if c.Flags().Changed("dir") && *dir == "" {
			return usageErrorf("--dir: is empty; name a folder, or leave it out for the user's cache")
		}
		return nil
	})
}

// printStored prints the path, checksum and acknowledgement of a trace. It notes a number of jobs
// far from the catalogue's, and a folder in which traces are not looked for.
func (t *terminal) printStored(trace configs.Trace, stored traces.Stored) {
	there := ""
	if stored.Before {
		there = " (was there already)"
	}
	fmt.Fprintf(t.out, "%s: %s%s\nSHA-256 %s\n", trace.Name.Value, stored.Path, there, stored.Checksum)
	cited := slices.DeleteFunc([]string{trace.Acknowledge.Value, trace.Reference.Value},
		func(text string) bool { return text == "" })
	if len(cited) > 0 {
		fmt.Fprintf(t.out, "\nWith results that use it, repeat and cite:\n%s\n", strings.Join(cited, "\n"))
	}
	if n, known := stored.Jobs, trace.Jobs; n > 0 && known > 0 && (2*n < known || n > 2*known) {
		t.note("%s has %s, the catalogue says %s: is it this trace, and all of it?", stored.Path, things(n, "job"),
			count(known))
	}
	dir := filepath.Dir(stored.Path)
	if !slices.ContainsFunc(traces.FoldersOf(trace), func(folder string) bool { return sameFolder(folder, dir) }) {
		t.note("traces are not looked for there: set %s=%s", traces.FolderVariable, batch.Quote(dir))
	}
}

func sameFolder(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// completeTraces makes the shell complete the names of the catalogue.
func completeTraces(c *cobra.Command, catalogue *catalogueFlag) {
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		_ = catalogue.terminal.loadStudies(c) // the command itself reports a wrong flag
		known, err := catalogue.read(c.Context())
		if err != nil {
			known = configs.Traces()
		}
		var names []cobra.Completion
		for _, trace := range known {
			names = append(names, cobra.CompletionWithDesc(trace.Name.Value, trace.Title.Value))
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}
