// The flag --catalogue: the traces that can be named, of the program and of the user.

package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"gridsweep/configs"
	"gridsweep/pipeline/traces"
)

// ownCatalogue is the help text on the user's own traces.
const ownCatalogue = `

Name your own traces in a file traces.yaml: gridsweep/traces.yaml in your configuration folder, such as ~/.config,
or the one beside a study, with --catalogue.`

// catalogueFlag is the flag of commands that take the names of traces.
type catalogueFlag struct {
	file  string
	isSet func(flag string) bool // whether a flag is on the command line

	terminal *terminal // with the studies whose traces can be named
}

func (f *catalogueFlag) addTo(t *terminal, c *cobra.Command) {
	f.isSet, f.terminal = c.Flags().Changed, t
	t.addStudies(c, new(string))
	c.Flags().StringVar(&f.file, "catalogue", "", "use the traces of this `traces.yaml` too, such as that of a study")
}

// read returns the traces of all catalogues.
func (f *catalogueFlag) read(ctx context.Context) (configs.Catalogue, error) {
	var files []string
	if f.isSet("catalogue") {
		if f.file == "" {
			return nil, usageErrorf("--catalogue: is empty; name a file, or leave it out")
		}
		files = append(files, f.file)
	}
	catalogue, err := traces.Catalogue(ctx, f.terminal.studies, files...)
	return catalogue, usageUnlessDone(ctx, err)
}

// find returns the traces of the names, each once. The error for an unknown name tells how to add
// the trace.
func (f *catalogueFlag) find(ctx context.Context, names ...string) ([]configs.Trace, error) {
	catalogue, err := f.read(ctx)
	if err != nil {
		return nil, err
	}
	var found []configs.Trace
	for i, name := range names {
		trace, err := catalogue.Find(name)
		if err != nil {
			return nil, usageErrorf("%w; %s", err, traces.HowToAdd(name, f.file))
		}
		if !slices.Contains(names[:i], name) {
			found = append(found, trace)
		}
	}
	return found, nil
}
