package cli

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"gridsweep/configs"
	"gridsweep/pipeline/workspace"
)

// starter is what a new study or model begins with.
//
//go:embed starter/*.tmpl
var starter embed.FS

// newOptions say what is written where.
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
		Long: `Write a study file, NAME/NAME.yaml, that can be run at once: factors, an experiment, a table, a figure and claims about a
model of the program, with comments that say what to change. Published numbers go into NAME/published, names of
traces into NAME/traces.yaml.

With --model it is a Go module instead: a model with its tests, a study file, and a program that is gridsweep with that
model. It needs the source of gridsweep on this machine, which --source names.

No file is overwritten.`,
		Example: `  gridsweep new mornings
  gridsweep reproduce mornings/mornings.yaml

  gridsweep new queue --model --source ~/gridsweep
  cd queue && go test ./... && go run . reproduce queue`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageErrorf("%s needs one name, not %d", c.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			files, err := o.files(t, c, args[0])
			if err != nil {
				return err
			}
			dir := o.dir
			if dir == "" {
				dir = args[0]
			}
			if err := writeStarter(dir, files); err != nil {
				return err
			}
			for _, file := range files {
				fmt.Fprintln(t.out, filepath.Join(dir, file.path))
			}
			fmt.Fprintln(t.out, "\nGo on with")
			if o.model {
				fmt.Fprintf(t.out, "    cd %s && go test ./... && go run . reproduce %s\n", workspace.Quote(dir), args[0])
			} else {
				fmt.Fprintf(t.out, "    gridsweep reproduce %s\n", workspace.Quote(filepath.Join(dir, args[0]+".yaml")))
			}
			return nil
		},
	}
	c.ValidArgsFunction = cobra.NoFileCompletions
	c.Flags().BoolVar(&o.model, "model", false, "write a Go module with a model, its tests and its study")
	c.Flags().StringVar(&o.dir, "dir", "", "write into this `folder`")
	c.Flags().Lookup("dir").DefValue = "NAME"
	c.Flags().StringVar(&o.source, "source", "", "with --model, the `folder` of gridsweep's source")
	c.Flags().Lookup("source").DefValue = "that of this program, where it is here"
	return c
}

// starterFile is a file to be written, with its path below the folder.
type starterFile struct {
	path    string
	content []byte
}

// starterName is a name that is a study's, a model's and a part of the path of a module.
var starterName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// files returns what is written.
func (o *newOptions) files(t *terminal, c *cobra.Command, name string) ([]starterFile, error) {
	taken := []string{strings.TrimSuffix(configs.CatalogueFile, ".yaml")}
	for _, study := range t.studies.List() {
		taken = append(taken, path.Base(study), path.Dir(study))
	}
	for _, m := range t.models {
		taken = append(taken, m.Name)
	}
	switch {
	case !starterName.MatchString(name) || len(name) > 50:
		return nil, usageErrorf("%q cannot be the name: write at most 50 lower-case letters, digits and hyphens, a letter first, such as my-study", name)
	case slices.Contains(taken, name), workspace.IsReserved(name):
		return nil, usageErrorf("%s is the name of something that the program has; choose another", name)
	case c.Flags().Changed("dir") && o.dir == "":
		return nil, usageErrorf("--dir: is empty; name a folder, or leave it out for %s", name)
	case c.Flags().Changed("source") && !o.model:
		return nil, usageErrorf("--source goes with --model, which needs the source of gridsweep")
	case !o.model:
		return filled(name, "study.yaml", name+".yaml")
	}
	module, sums, err := o.module(name)
	if err != nil {
		return nil, err
	}
	files, err := filled(name, "main.go", "main.go", "simulation.go", "simulation/simulation.go",
		"simulation_test.go", "simulation/simulation_test.go", "module.yaml", path.Join("studies", name, name+".yaml"))
	return append(files, starterFile{"go.mod", module}, starterFile{"go.sum", sums}), err
}

// filled makes files of templates, which alternate with the paths of the files.
func filled(name string, templates ...string) ([]starterFile, error) {
	var files []starterFile
	for i := 0; i < len(templates); i += 2 {
		parsed, err := template.ParseFS(starter, "starter/"+templates[i]+".tmpl")
		if err != nil {
			return nil, err
		}
		var content bytes.Buffer
		if err := parsed.Execute(&content, struct{ Name string }{name}); err != nil {
			return nil, err
		}
		files = append(files, starterFile{filepath.FromSlash(templates[i+1]), content.Bytes()})
	}
	return files, nil
}

// module returns the files go.mod and go.sum of a module that needs gridsweep, from its source on this machine: the
// versions are those that it requires, so nothing has to be looked up.
func (o *newOptions) module(name string) (module, sums []byte, err error) {
	dir := o.source
	if dir == "" {
		dir = builtFrom()
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, nil, err
	}
	theirs, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err == nil {
		sums, err = os.ReadFile(filepath.Join(dir, "go.sum"))
	}
	switch {
	case err != nil && o.source == "":
		return nil, nil, usageErrorf("the source of gridsweep is not where this program was built; name its folder with --source")
	case err != nil:
		return nil, nil, usageErrorf("--source %s: %w; name the folder of gridsweep's source, with its go.mod", o.source, err)
	}
	first, rest, _ := strings.Cut(string(theirs), "\n")
	if strings.TrimSpace(first) != "module gridsweep" {
		return nil, nil, usageErrorf("--source %s: its go.mod is that of another module, %q; name the folder of gridsweep's source", dir, strings.TrimSpace(first))
	}
	return fmt.Appendf(nil, "module example.org/%s\n\n%s\n\nrequire gridsweep v0.0.0\n\nreplace gridsweep => %s\n", name,
		strings.TrimSpace(withoutTools(rest)), quotedPath(dir)), sums, nil
}

// withoutTools leaves out of a go.mod the tools that its own module is checked with.
func withoutTools(text string) string {
	return regexp.MustCompile(`(?m)^tool (\([^)]*\)|.*)\n`).ReplaceAllString(text, "")
}

// quotedPath returns a path as a go.mod has it.
func quotedPath(dir string) string {
	if strings.ContainsAny(dir, " '\"`") {
		return fmt.Sprintf("%q", dir)
	}
	return dir
}

// builtFrom returns the folder of the source that this program was built from, as far as it is known.
func builtFrom() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..")
}

// writeStarter writes the files, all of them new, into a folder.
func writeStarter(dir string, files []starterFile) error {
	var there []error
	for _, file := range files {
		if _, err := os.Lstat(filepath.Join(dir, file.path)); !errors.Is(err, fs.ErrNotExist) {
			there = append(there, usageErrorf("%s is there already; nothing was written: name another folder with --dir",
				filepath.Join(dir, file.path)))
		}
	}
	if len(there) > 0 {
		return errors.Join(there...)
	}
	for _, file := range files {
		to := filepath.Join(dir, file.path)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := writeNewFile(to, file.content); err != nil {
			return err
		}
	}
	return nil
}

// writeNewFile writes a file that is not there, whoever else may make one meanwhile.
func writeNewFile(to string, content []byte) error {
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}
