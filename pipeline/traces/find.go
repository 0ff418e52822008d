// Package traces finds, fetches, verifies and opens the traces of the catalogue in configs/traces.yaml, and any other
// trace by its path. A trace is the file with its checksum: what a plan resolved by the one is refused with another.
//
//	path, err := traces.Find("ctc-sp2")
//	library := traces.NewLibrary()
//	plan, err := sweeps.Expand(ctx, study, model, sweeps.Options{Traces: library.Resolve})
//	summary, err := pipeline.Run(ctx, plan, plan.Runs, dataset, pipeline.Options{Trace: library.Jobs})
//
// Nothing is downloaded but by Fetch.
package traces

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gridsweep/configs"
)

// FolderVariable is the environment variable that names the folder in which traces are looked for first.
const FolderVariable = "GRIDSWEEP_TRACES"

// packedEndings are the endings of the files that Open reads, plain first.
var packedEndings = []string{"", ".gz", ".zst", ".bz2"}

// Folders returns where traces are looked for, in this order: the folder that GRIDSWEEP_TRACES names, ./traces, and the
// user's cache.
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

// Cache returns the folder in which fetched and imported traces are kept. It returns an error where the system names no
// folder for caches.
func Cache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder to keep traces in: %w; name one with --dir", err)
	}
	return filepath.Join(dir, "gridsweep", "traces"), nil
}

// NotFoundError is the error for a trace whose file is nowhere.
type NotFoundError struct {
	Trace  configs.Trace
	Looked []string // the folders
}

func (e *NotFoundError) Error() string {
	name := e.Trace.Name.Value
	return fmt.Sprintf("trace %s (%s) is not in %s; gridsweep trace fetch %s downloads it, gridsweep trace import %s FILE "+
		"takes it from a file", name, e.Trace.Title.Value, strings.Join(e.Looked, ", "), name, name)
}

// Find returns the path of the catalogue's trace of that name; any other name is the path itself. It returns a
// *NotFoundError where a trace is in none of the folders, and an error that names the nearest trace where there is no such
// file.
func Find(name string) (string, error) {
	t, unknown := configs.FindTrace(name)
	if unknown == nil {
		return FindIn(t, Folders()...)
	}
	if _, err := os.Stat(name); err != nil {
		return "", fmt.Errorf("%w; %w", err, unknown)
	}
	return name, nil
}

// FindIn returns the path of a trace in the first of the folders that has it, under the first of its names. It returns a
// *NotFoundError where none has.
func FindIn(t configs.Trace, folders ...string) (string, error) {
	for _, folder := range folders {
		for _, file := range t.Files {
			for _, ending := range packedEndings {
				path := filepath.Join(folder, filepath.FromSlash(file.Value)+ending)
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

// leadsNowhere reports whether a path that could not be looked at is a link: no workload model replaces a
// trace that is on a disk which is not there.
func leadsNowhere(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// isAbsent reports whether a path could not be looked at because there is nothing: no such file, or a file where one of
// the folders above it should be, which systems call by different names.
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
