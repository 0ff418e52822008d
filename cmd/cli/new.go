// Command new: initial files of a study, or of a model with its study.

package cli

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gridsweep/configs"
	"gridsweep/pipeline/workspace"
	"gridsweep/pipeline/workspace/starter"
)

// newOptions are the flags of new.
type newOptions struct {
	model  bool
	dir    string
	source string
}

func newNew(t *terminal) *cobra.Command {
	var o newOptions
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a study of your own, or a model with its study, to begin with",
		Long: `Write a study file, NAME/NAME.yaml, that runs at once: factors, an experiment, a table, a figure and claims
about a model of the program, with comments on what to change. Published numbers go into NAME/published, names
of traces into NAME/traces.yaml.

With --model, write a Go module instead: a model with its tests, a study file, and a program that is gridsweep
with this model. This needs the source of gridsweep: where the program was built, in the working folder or
the folder of the program or above them, or in the folder of --source.

Existing files are kept.`,
		Example: `  gridsweep new mornings
  gridsweep reproduce mornings/mornings.yaml

  gridsweep new queue --model                        # in a clone, or --source ~/gridsweep
  cd queue && go test ./... && go run . reproduce queue`,
		Args: needsCounted(1, "one name"),
		RunE: func(c *cobra.Command, args []string) error {
			files, err := o.files(t, c, args[0])
			if err != nil {
				return err
			}
			dir := cmp.Or(o.dir, args[0])
			if err := starter.CheckNew(dir, files); err != nil {
				return usageError(err)
			}
			if err := starter.Write(dir, files); err != nil {
				return err
			}
			for _, file := range files {
				fmt.Fprintln(t.out, filepath.Join(dir, file.Path))
			}
			fmt.Fprintln(t.out, "\nGo on with")
			if o.model {
				fmt.Fprintf(t.out, "    cd%s && go test ./... && go run . reproduce %s\n", workspace.Typed(dir), args[0])
			} else {
				fmt.Fprintf(t.out, "    gridsweep reproduce%s\n", workspace.Typed(filepath.Join(dir, args[0]+".yaml")))
			}
			return nil
		},
	}
	c.ValidArgsFunction = cobra.NoFileCompletions
	c.Flags().BoolVar(&o.model, "model", false, "write a Go module with a model, its tests and its study")
	c.Flags().StringVar(&o.dir, "dir", "", "write into this `folder`")
	c.Flags().Lookup("dir").DefValue = "NAME"
	c.Flags().StringVar(&o.source, "source", "", "with --model, the `folder` of gridsweep's source")
	c.Flags().Lookup("source").DefValue = "where it is found"
	return c
}

// files returns the files to write. It returns an error for a wrong name or flag.
func (o *newOptions) files(t *terminal, c *cobra.Command, name string) ([]starter.File, error) {
	// NAME/NAME.yaml must not be the catalogue of traces beside a study
	taken := []string{strings.TrimSuffix(configs.CatalogueFile, ".yaml")}
	for _, study := range t.studies.List() {
		taken = append(taken, path.Base(study), path.Dir(study))
	}
	for _, m := range t.models {
		taken = append(taken, m.Name)
	}
	switch {
	case !starter.IsName(name):
		return nil, usageErrorf("%q cannot be the name: write at most 50 lower-case letters, digits and hyphens, a letter "+
			"first, such as my-study", name)
	case slices.Contains(taken, name), workspace.IsReserved(name):
		return nil, usageErrorf("%s is the name of a paper, study, model or folder of the program; choose another", name)
	case c.Flags().Changed("dir") && o.dir == "":
		return nil, usageErrorf("--dir: is empty; name a folder, or leave it out for %s", name)
	case c.Flags().Changed("source") && !o.model:
		return nil, usageErrorf("--source goes with --model, which needs the source of gridsweep")
	case !o.model:
		return starter.Study(name)
	}
	files, err := starter.Module(name, o.source)
	if err != nil {
		return nil, usageError(err)
	}
	return files, nil
}
