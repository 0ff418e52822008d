// Command version: the version of the program and of its source.

package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"gridsweep/pipeline/workspace"
)

func newVersion(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the program and the source it was built from",
		Example: "  gridsweep version",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			t.printVersion()
			return nil
		},
	}
}

func (t *terminal) printVersion() {
	fmt.Fprintf(t.out, "%s %s %s/%s\n", t.program().Source(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// program returns this program with its command line.
func (t *terminal) program() workspace.Program { return workspace.ThisProgram(t.commandLine()) }
