// Command licenses: the licences of the program and of the software linked into it.

package cli

import (
	"io"

	"github.com/spf13/cobra"

	"gridsweep/docs"
)

func newLicenses(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the licences of gridsweep and of the software that it contains",
		Long: `Print the file NOTICE, then the texts of the licences of gridsweep and of the software of others that it
contains. Every copy of the program so has its licences.`,
		Example: "  gridsweep licenses",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(t.out, docs.Licenses)
			return err
		},
	}
}
