// Command trace, with subcommands for traces of jobs.

package cli

import "github.com/spf13/cobra"

func newTrace(t *terminal) *cobra.Command {
	root := &cobra.Command{
		Use:   "trace",
		Short: "Find, fetch, describe, convert and generate traces of jobs",
		Long: `Traces are logs of jobs in the Standard Workload Format (SWF) or the Grid Workload Format (GWF), plain or
packed with gzip, zstd or bzip2. Format and packing are found from the content; - reads standard input.`,
		Example: `  gridsweep trace stats NASA-iPSC-1993-3.1-cln.swf.gz
  gridsweep trace convert das2.gwf das2.swf.zst
  gridsweep trace generate lublin --procs 256 --jobs 10000 --seed 1 --out lublin.swf
  gridsweep trace list`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.AddCommand(newTraceStats(t), newTraceConvert(t), newTraceGenerate(t))
	root.AddCommand(newTraceList(t), newTraceFetch(t), newTraceImport(t))
	return root
}
