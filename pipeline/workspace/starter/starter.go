// Package starter writes the first files of a user's study or model, which run as they are.
package starter

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
	"strings"
	"text/template"

	"gridsweep/results"
)

//go:embed *.tmpl
var templateFiles embed.FS

// File is a file to be written, with its path below the folder.
type File struct {
	Path    string
	Content []byte
}

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// IsName reports whether a name can be a study's, a model's and an element of the path of a module.
func IsName(name string) bool { return nameForm.MatchString(name) && len(name) <= 50 }

// Study returns the file of a study about a model of the program.
func Study(name string) ([]File, error) {
	return filled(name, []outline{{"study.yaml", name + ".yaml"}})
}

// Module returns the files of a Go module with a model, its tests, its study and the program.
// Source is the folder of gridsweep's source; where it is empty, the source that this program was
// built from, else the first that is found above the working folder or the program's file.
func Module(name, source string) ([]File, error) {
	text, sums, err := module(name, source)
	if err != nil {
		return nil, err
	}
	files, err := filled(name, []outline{{"main.go", "main.go"}, {"simulation.go", "simulation/simulation.go"},
		{"simulation_test.go", "simulation/simulation_test.go"}, {"module.yaml", path.Join("studies", name, name+".yaml")}})
	return append(files, File{"go.mod", text}, File{"go.sum", sums}), err
}

// outline is a template, without its ending, and the path of the file that is made of it.
type outline struct{ template, path string }

// filled makes the files of a study or model of that name.
func filled(name string, outlines []outline) ([]File, error) {
	var files []File
	for _, o := range outlines {
		parsed, err := template.ParseFS(templateFiles, o.template+".tmpl")
		if err != nil {
			return nil, err
		}
		var content bytes.Buffer
		if err := parsed.Execute(&content, struct{ Name string }{name}); err != nil {
			return nil, err
		}
		files = append(files, File{filepath.FromSlash(o.path), content.Bytes()})
	}
	return files, nil
}

// module returns the files go.mod and go.sum of a module that needs gridsweep, from its source on
// this machine: the versions are those that it requires, so nothing has to be looked up.
func module(name, source string) (text, sums []byte, err error) {
	if source == "" {
		if source = sourceAbove(likelySources()...); source == "" {
			return nil, nil, errors.New("the source of gridsweep is neither where this program was built, nor above the " +
				"working folder, nor above the program's file; name the folder of a clone with --source")
		}
	}
	dir, err := filepath.Abs(source)
	if err != nil {
		return nil, nil, err
	}
	first, rest, err := readModule(dir)
	if err == nil {
		sums, err = os.ReadFile(filepath.Join(dir, "go.sum"))
	}
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("--source %s: %w; name the folder of gridsweep's source, with its go.mod", source, err)
	case first != sourceModule:
		return nil, nil, fmt.Errorf("--source %s: its go.mod is that of another module, %q; name the folder of gridsweep's "+
			"source", dir, first)
	}
	return fmt.Appendf(nil, "module example.org/%s\n\n%s\n\nrequire gridsweep v0.0.0\n\nreplace gridsweep => %s\n", name,
		strings.TrimSpace(withoutTools(rest)), quotedPath(dir)), sums, nil
}

// sourceModule is the first line of the go.mod of gridsweep.
const sourceModule = "module gridsweep"

// readModule returns the first line of the go.mod of a folder, and the text after it.
func readModule(dir string) (first, rest string, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	first, rest, _ = strings.Cut(string(text), "\n")
	return strings.TrimSpace(first), rest, err
}

// sourceAbove returns the first folder with gridsweep's source: for each of the folders in turn,
// itself or the nearest above it. It returns "" where there is none.
func sourceAbove(folders ...string) string {
	for _, dir := range folders {
		for below := ""; dir != below; below, dir = dir, filepath.Dir(dir) { // up to the root
			if first, _, err := readModule(dir); err == nil && first == sourceModule {
				return dir
			}
		}
	}
	return ""
}

// withoutTools removes the tools from a go.mod: programs that check gridsweep alone.
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

// likelySources returns the folders that may be gridsweep's source or lie in it: where this file
// was when the program was built, unless that was with -trimpath, the working folder, and the
// folder of the program's file, and of the file that this links to.
func likelySources() []string {
	var folders []string
	if _, file, _, _ := runtime.Caller(0); filepath.IsAbs(file) {
		folders = append(folders, filepath.Dir(file))
	}
	if dir, err := os.Getwd(); err == nil {
		folders = append(folders, dir)
	}
	if program, err := os.Executable(); err == nil {
		folders = append(folders, filepath.Dir(program))
		if linked, err := filepath.EvalSymlinks(program); err == nil {
			folders = append(folders, filepath.Dir(linked))
		}
	}
	return folders
}

// CheckNew returns an error that names the files that are in the folder already.
func CheckNew(dir string, files []File) error {
	var there []error
	for _, file := range files {
		path := filepath.Join(dir, file.Path)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			there = append(there, fmt.Errorf("%s is there already; nothing was written: name another folder with --dir", path))
		}
	}
	return errors.Join(there...)
}

// Write writes the files, all of them new, into a folder.
func Write(dir string, files []File) error {
	for _, file := range files {
		if err := results.CreateFile(filepath.Join(dir, file.Path), file.Content); err != nil {
			return err
		}
	}
	return nil
}
