// Rules of the design: which packages may import which, packages that models must not import, one
// writer of CSV, complete study files, explained dependencies, equal versions.

package cli

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gridsweep/configs"
	"gridsweep/model/studies"
	"gridsweep/pipeline/workspace"
	"gridsweep/sweeps"
)

// root is the path of the repository from this package.
const root = "../.."

// layers are the layers that each layer may import besides itself; see
// docs/explanation/architecture.md. A layer is a folder of the top level; pipeline/workspace and
// analysis/statistics are layers of their own.
var layers = map[string][]string{
	statistics: {},
	"configs":  {statistics},
	"docs":     {},
	"model":    {},
	"results":  {"model"},
	"sweeps":   {"configs", "model", statistics},
	"pipeline": {"configs", "sweeps", "results", "model"},
	"analysis": {"configs", "docs", "sweeps", "results", "model", statistics},
	workspaces: {"configs", "sweeps", "results", "model", "pipeline", "analysis", statistics},
	"cmd":      {"configs", "docs", "model", "results", "sweeps", "pipeline", "analysis", workspaces},
}

const (
	workspaces = "pipeline/workspace"
	statistics = "analysis/statistics"
)

// layerOf returns the layer of a folder.
func layerOf(folder string) string {
	for _, layer := range []string{workspaces, statistics} {
		if under(folder, []string{layer}) {
			return layer
		}
	}
	layer, _, _ := strings.Cut(folder, "/")
	return layer
}

// foreign are packages of other modules with the folders that may import them; of several prefixes
// each counts. What none may import is for tests, and would make the program larger.
var foreign = map[string][]string{
	"github.com/spf13/cobra":           {"cmd"},
	"go.yaml.in/yaml/v4":               {"configs"},
	"github.com/parquet-go/parquet-go": {"results"},
	"github.com/apache/arrow/go/v17":   nil,
	"github.com/google/flatbuffers":    {"results"},
	"github.com/google/renameio/v2":    {"results"},
	"github.com/klauspost/compress":    {"pipeline/traces", "results", "analysis/draw"},
	"github.com/cenkalti/backoff/v5":   {"pipeline/traces"},
	"github.com/sourcegraph/conc":      {"pipeline", "analysis/draw"},
	"gonum.org/v1/plot":                {"analysis/draw"},
	"codeberg.org/go-fonts/liberation": {"analysis/draw"},
	"gonum.org/v1/gonum":               {"analysis"},
	"gonum.org/v1/gonum/mat":           nil, // links LAPACK, as does stat
	"gonum.org/v1/gonum/stat":          nil,
}

// under reports whether a folder or import path is one of the folders or lies below one.
func under(folder string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return folder == f || strings.HasPrefix(folder, f+"/") })
}

// goFiles returns the paths of the Go files of the module, with tests.
func goFiles(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (name == "testdata" || name == "out" || strings.HasPrefix(name, ".")):
			return filepath.SkipDir
		case !entry.IsDir() && filepath.Ext(path) == ".go":
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// eachGoFile parses every Go file of the module, with tests, and calls check.
func eachGoFile(t *testing.T, mode parser.Mode, check func(files *token.FileSet, path string, file *ast.File)) {
	t.Helper()
	files := token.NewFileSet()
	for _, path := range goFiles(t) {
		file, err := parser.ParseFile(files, path, nil, mode)
		if err != nil {
			t.Fatal(err)
		}
		check(files, path, file)
	}
}

// imports returns the imports of each folder of the module, without tests: folder → import paths.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	eachGoFile(t, parser.ImportsOnly, func(_ *token.FileSet, path string, file *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		relative, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.ToSlash(relative)
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			found[folder] = append(found[folder], imported)
		}
	})
	return found
}

// Packages import only what layers and foreign allow, and only model/studies imports the systems of
// papers.
func TestImportsFollowTheDesign(t *testing.T) {
	all := imports(t)
	const list = "model/studies"
	systems := all[list]
	// That of no paper is what command simulate runs.
	const ofSimulate = "gridsweep/model/scheduling"
	simulates := []string{"cmd/cli", "pipeline/simulation"}
	for folder, imported := range all {
		layer := layerOf(folder)
		if layers[layer] == nil {
			t.Errorf("%s is in no layer of the design", folder)
		}
		for _, path := range imported {
			to, inside := strings.CutPrefix(path, "gridsweep/")
			target := layerOf(to)
			switch {
			case !inside:
				for library, folders := range foreign {
					if under(path, []string{library}) && !under(folder, folders) {
						t.Errorf("%s imports %s, which only %q may", folder, path, folders)
					}
				}
			case target != layer && !slices.Contains(layers[layer], target):
				t.Errorf("%s imports %s: %s may import only %s", folder, path, layer, strings.Join(layers[layer], ", "))
			case path == ofSimulate && slices.Contains(simulates, folder):
			case folder != list && path != "gridsweep/model" && slices.Contains(systems, path):
				t.Errorf("%s imports %s: only %s imports the system of a paper; move shared code to a package below model",
					folder, path, list)
			case to == list && layer != "cmd":
				t.Errorf("%s imports %s: only cmd chooses models", folder, path)
			}
		}
	}
}

// Models do not import packages whose results may differ between runs or machines.
func TestImportsOfModels(t *testing.T) {
	banned := []string{"time", "os", "net", "sync", "runtime", "syscall", "unsafe", "math/rand", "math/big", "log"}
	for folder, imported := range imports(t) {
		if !under(folder, []string{"model"}) {
			continue
		}
		for _, path := range imported {
			if folder == "model/rng" && path == "math/rand/v2" {
				continue
			}
			first, _, _ := strings.Cut(path, "/")
			// its version is not in the fingerprint of a model's source
			isModule := strings.Contains(first, ".")
			if isModule || under(path, banned) {
				t.Errorf("%s imports %s: a run is a function of its point and seed alone", folder, path)
			}
		}
	}
}

// Only model/columns writes CSV, with fields that spreadsheets do not evaluate.
func TestCSVIsWrittenInOnePlace(t *testing.T) {
	for folder, imported := range imports(t) {
		if !slices.Contains(imported, "encoding/csv") || folder == "model/columns" {
			continue
		}
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(file, "_test.go") && strings.Contains(string(text), "csv.NewWriter(") {
				t.Errorf("%s writes CSV with encoding/csv: use columns.NewWriter", file)
			}
		}
	}
}

// Every built-in study file has a model and can be planned without problems; every model has a
// study.
func TestStudyFilesAreComplete(t *testing.T) {
	used := map[string]bool{}
	for _, name := range configs.List() {
		study, err := configs.Load(t.Context(), name)
		if err != nil {
			t.Error(err)
			continue
		}
		m, err := (&terminal{models: studies.All()}).modelOf(study)
		if err != nil {
			t.Error(err)
			continue
		}
		used[m.Name] = true
		for _, quick := range []bool{false, true} {
			if _, err := sweeps.Expand(t.Context(), study, m, sweeps.Options{Quick: quick}); err != nil {
				t.Errorf("%s, quick %t: %v", name, quick, err)
			}
		}
	}
	for _, m := range studies.All() {
		if !used[m.Name] {
			t.Errorf("no study file under configs uses the model %s", m.Name)
		}
	}
	folders, err := os.ReadDir(filepath.Join(root, "configs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		isStudy := func(name string) bool { return strings.HasPrefix(name, folder.Name()+"/") }
		if isPackage := folder.Name() == "language"; folder.IsDir() && folder.Name() != "testdata" && !isPackage &&
			!slices.ContainsFunc(configs.List(), isStudy) {
			t.Errorf("configs/%s holds no study file", folder.Name())
		}
	}
}

func TestDependenciesAreExplained(t *testing.T) {
	var module struct {
		Require []struct {
			Path     string
			Indirect bool
		}
		Tool []struct{ Path string }
	}
	if err := json.Unmarshal([]byte(output(t, root, nil, "go", "mod", "edit", "-json")), &module); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "explanation", "dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]bool{}
	for _, match := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		explained[match[1]] = true
	}
	var direct []string
	for _, r := range module.Require {
		if !r.Indirect {
			direct = append(direct, r.Path)
		}
	}
	for _, tool := range module.Tool {
		direct = append(direct, tool.Path)
	}
	for _, path := range direct {
		if !explained[path] {
			t.Errorf("docs/explanation/dependencies.md does not say why %s was chosen", path)
		}
	}
	for path := range explained {
		if !slices.Contains(direct, path) {
			t.Errorf("docs/explanation/dependencies.md explains %s, which go.mod does not require", path)
		}
	}
}

// All files have the version of the program. Between releases it ends in -dev, which Python writes
// as .dev0, and has no date.
func TestVersionsAgree(t *testing.T) {
	changes, inDevelopment := "["+workspace.Version+"] - ", strings.HasSuffix(workspace.Version, "-dev")
	if inDevelopment {
		changes = "[Unreleased]\n"
	}
	for name, want := range map[string]string{
		"CHANGELOG.md": "\n## " + changes,
		"CITATION.cff": "\nversion: " + workspace.Version + "\n",

		"results/python/pyproject.toml": "\nversion = \"" + strings.Replace(workspace.Version, "-dev", ".dev0", 1) + "\"\n",
	} {
		if !strings.Contains(content(t, filepath.Join(root, name)), want) {
			t.Errorf("%s is not of the program's version %s: it lacks %q", name, workspace.Version, want)
		}
	}
	citation := content(t, filepath.Join(root, "CITATION.cff"))
	if dated := strings.Contains(citation, "\ndate-released: "); dated == inDevelopment {
		t.Errorf("CITATION.cff of version %s: only a release has date-released", workspace.Version)
	}
}

// No file has the path of the folder in which the repository is.
func TestNoFileNamesThisMachine(t *testing.T) {
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	parent := filepath.Dir(top)
	if parent == filepath.Clean(os.TempDir()) {
		parent = top
	}
	if parent == filepath.Dir(parent) {
		t.Skip("the repository is at the root of the file system, whose path is in many files")
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("not a clone")
	}
	for _, name := range strings.Split(output(t, root, nil, "git", "ls-files", "-z"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if name == "" || name == "go.sum" || os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if strings.Contains(line, parent+string(filepath.Separator)) {
				t.Errorf("%s:%d names %s: %s", name, i+1, parent, line)
			}
		}
	}
}

// output executes a command in a folder with further environment variables and returns its output
// and messages.
func output(t *testing.T, dir string, env []string, command string, args ...string) string {
	t.Helper()
	c := exec.Command(command, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), env...)
	text, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", command, strings.Join(args, " "), err, text)
	}
	return string(text)
}
