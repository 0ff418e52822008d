// Command trace import: a file that was downloaded by hand.

package cli

import (
	"github.com/spf13/cobra"

	"gridsweep/pipeline/traces"
)

func newTraceImport(t *terminal) *cobra.Command {
	var dir string
	var catalogue catalogueFlag
	c := &cobra.Command{
		Use:   "import NAME FILE",
		Short: "Import a trace of the catalogue from a file",
		Long: `Copy a file, downloaded by hand or from a colleague, into the user's cache as the trace of that name
(see gridsweep trace list), and record its checksum. The file is plain, packed with gzip, zstd or bzip2, or a
.zip that holds the trace. Its first jobs must have the format of the trace.` + ownCatalogue,
		Example: `  gridsweep trace import das2 ~/Downloads/anon_jobs_gwf.zip
  gridsweep trace import ctc-sp2 CTC-SP2-1996-3.1-cln.swf.gz`,
		Args: needs(2, "the name of a trace and a file; gridsweep trace list shows the names"),
		RunE: func(c *cobra.Command, args []string) error {
			found, err := catalogue.find(c.Context(), args[0])
			if err != nil {
				return err
			}
			stored, err := traces.Import(c.Context(), found[0], args[1], dir)
			if err != nil {
				return err
			}
			t.printStored(found[0], stored)
			return nil
		},
	}
	catalogue.addTo(t, c)
	completeTraces(c, &catalogue)
	addTraceDir(c, &dir)
	return c
}
