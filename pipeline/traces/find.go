// Package traces finds, fetches, verifies and opens the traces of catalogues, those of the program
// and the user's own, and any other trace by its path. A trace is the file with its checksum: what
// a plan resolved by the one is refused with another.
//
// Nothing is downloaded but by Fetch.
package traces

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/configs"
)

// FolderVariable is the environment variable that names the folder in which traces are looked for
// first.
const FolderVariable = "GRIDSWEEP_TRACES"

// packedEndings are the endings of the files that Open reads, plain first.
var packedEndings = []string{"", ".gz", ".zst", ".bz2"}

// Folders returns where traces are looked for, in this order: the folder that GRIDSWEEP_TRACES
// names, ./traces, and the user's cache.
func Folders() []string {
	var folders []string
	if named := os.Getenv(FolderVariable); named != "" {
		folders = append(folders, named)
	}
	folders = append(folders, "traces")
	if cache, err := Cache(); err == nil {
		folders = append(folders, cache)
	}
	return folders
}

// Cache returns the folder in which fetched and imported traces are kept. It returns an error where
// the system names no folder for caches.
func Cache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder to keep traces in: %w; name one with --dir", err)
	}
	return filepath.Join(dir, "gridsweep", "traces"), nil
}

// UserCatalogue returns the path of the user's own catalogue, gridsweep/traces.yaml in the folder
// of configurations, which need not exist. It returns an error where the system names no such
// folder.
func UserCatalogue() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no folder for a catalogue of traces: %w", err)
	}
	return filepath.Join(dir, "gridsweep", configs.CatalogueFile), nil
}

// Catalogue returns the traces that have names: those of a library of studies, then those of the
// user's own catalogue, where there is one, and of the files given. It returns an error where one
// of these cannot be read, has mistakes or names a trace anew.
func Catalogue(ctx context.Context, studies *configs.Library, files ...string) (configs.Catalogue, error) {
	all, err := studies.Traces(ctx)
	if err != nil {
		return nil, err
	}
	if own, err := UserCatalogue(); err == nil {
		more, err := all.Read(ctx, own)
		switch {
		case err == nil:
			all = more
		case ctx.Err() != nil || !isAbsent(own, err):
			return nil, err
		}
	}
	for _, file := range files {
		var err error
		if all, err = all.Read(ctx, file); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// HowToAdd says how a trace comes into a catalogue: file, or the user's own where that is empty.
func HowToAdd(name, file string) string {
	if file == "" {
		var err error
		if file, err = UserCatalogue(); err != nil {
			file = configs.CatalogueFile
		}
	}
	return fmt.Sprintf("to name a trace of your own, write into %s the line %s: {files: [%s.swf]} with its file, beside that one or by its whole path",
		file, name, name)
}

// NotFoundError is the error for a trace whose file is nowhere.
type NotFoundError struct {
	Trace  configs.Trace
	Looked []string // the folders
}

func (e *NotFoundError) Error() string {
	name := e.Trace.Name.Value
	text := fmt.Sprintf("trace %s (%s) is not in %s; ", name, e.Trace.Title.Value, strings.Join(e.Looked, ", "))
	switch {
	case e.Trace.Kept() == "":
		return fmt.Sprintf("trace %s is not there: put it at %s", name, english.OxfordWordSeries(filesOf(e.Trace), "or"))
	case e.Trace.Address.Value == "":
		return text + fmt.Sprintf("put it there as %s, or gridsweep trace import %s FILE takes it from a file", e.Trace.Kept(), name)
	}
	return text + fmt.Sprintf("gridsweep trace fetch %s downloads it, gridsweep trace import %s FILE takes it from a file", name, name)
}

// filesOf returns the names under which a trace is looked for.
func filesOf(t configs.Trace) []string {
	names := make([]string, len(t.Files))
	for i, file := range t.Files {
		names[i] = file.Value
	}
	return names
}

// Find returns the path of the catalogue's trace of that name; any other name is the path itself.
// It returns a *NotFoundError where a trace is in none of the folders, and an error that names the
// nearest trace where there is no such file.
func Find(catalogue configs.Catalogue, name string) (string, error) {
	t, unknown := catalogue.Find(name)
	if unknown == nil {
		return FindIn(t, FoldersOf(t)...)
	}
	if _, err := os.Stat(name); err != nil {
		return "", fmt.Errorf("%w; %w", err, unknown)
	}
	return name, nil
}

// FoldersOf returns where a trace is looked for: beside the user's catalogue that has it, and then
// in [Folders].
func FoldersOf(t configs.Trace) []string {
	if t.Folder == "" {
		return Folders()
	}
	return append([]string{t.Folder}, Folders()...)
}

// FindIn returns the path of a trace in the first of the folders that has it, under the first of
// its names. A name that is a whole path is in no folder. It returns a *NotFoundError where none
// has it.
func FindIn(t configs.Trace, folders ...string) (string, error) {
	for _, folder := range folders {
		for _, file := range t.Files {
			for _, ending := range packedEndings {
				path := filepath.FromSlash(file.Value) + ending
				if !filepath.IsAbs(path) {
					path = filepath.Join(folder, path)
				}
				info, err := os.Stat(path)
				switch {
				case err == nil && info.Mode().IsRegular():
					return path, nil
				case err != nil && leadsNowhere(path):
					return "", fmt.Errorf("look for trace %s: %s is a link that leads nowhere; mend or remove it", t.Name.Value, path)
				case err != nil && !isAbsent(path, err):
					return "", fmt.Errorf("look for trace %s: %w", t.Name.Value, err)
				}
			}
		}
	}
	return "", &NotFoundError{t, folders}
}

// leadsNowhere reports whether a path that could not be looked at is a link: no workload model
// replaces a trace that is on a disk which is not there.
func leadsNowhere(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// isAbsent reports whether a path could not be looked at because there is nothing: no such file, or
// a file where one of the folders above it should be, which systems call by different names.
func isAbsent(path string, err error) bool {
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	for above := filepath.Dir(path); above != filepath.Dir(above); above = filepath.Dir(above) {
		if info, err := os.Stat(above); err == nil {
			return !info.IsDir()
		}
	}
	return false
}
