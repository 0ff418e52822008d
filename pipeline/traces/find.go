// Package traces finds, fetches, verifies and opens traces: those of the program's catalogue and of
// the user's own, by their names, and any other trace by its path. A plan records each trace with
// its checksum, and a run refuses a file with another one.
//
// Only Fetch downloads.
package traces

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/dustin/go-humanize/english"

	"gridsweep/configs"
)

// FolderVariable is the environment variable with a folder that is searched for traces before
// ./traces and the user's cache.
const FolderVariable = "GRIDSWEEP_TRACES"

// NoFolder in FolderVariable means that no folder is searched for traces of the program, so that
// none of these is found by its name on any machine. The folders of the user's catalogues are.
const NoFolder = "none"

// packedEndings are the endings of files that Open reads, by their packing; plain files first.
var packedEndings = []string{"", ".gz", ".zst", ".bz2"}

// folders returns the folders that are searched for traces, in this order: the one that
// GRIDSWEEP_TRACES names, ./traces, and the user's cache; none where the variable is [NoFolder].
func folders() (list []string) {
	named := os.Getenv(FolderVariable)
	if named == NoFolder {
		return nil
	}
	if named != "" {
		list = append(list, named)
	}
	list = append(list, "traces")
	if cache, err := cacheFolder(); err == nil {
		list = append(list, cache)
	}
	return list
}

// cacheFolder returns the folder of fetched and imported traces. It returns an error if the system
// has no folder for caches.
func cacheFolder() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder to keep traces in: %w; name one with --dir", err)
	}
	return filepath.Join(dir, "gridsweep", "traces"), nil
}

// userCatalogue returns the path of the user's catalogue, gridsweep/traces.yaml in the folder of
// configurations, which need not exist. It returns an error if the system has no such folder.
func userCatalogue() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no folder for a catalogue of traces: %w", err)
	}
	return filepath.Join(dir, "gridsweep", configs.CatalogueFile), nil
}

// Catalogue returns the traces with names: those of a library of studies, then those of the user's
// catalogue, if it exists, and of the files. It returns an error if one of these cannot be read,
// has mistakes or has a name of another one.
func Catalogue(ctx context.Context, studies *configs.Library, files ...string) (configs.Catalogue, error) {
	all, err := studies.Traces(ctx)
	if err != nil {
		return nil, err
	}
	if own, err := userCatalogue(); err == nil {
		more, err := all.Read(ctx, own)
		switch {
		case err == nil:
			all = more
		case ctx.Err() != nil || !isAbsent(err):
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

// HowToAdd returns the advice how to add a trace to a catalogue: file, or the user's if that is
// empty.
func HowToAdd(name, file string) string {
	if file == "" {
		var err error
		if file, err = userCatalogue(); err != nil {
			file = configs.CatalogueFile
		}
	}
	return fmt.Sprintf("to name a trace of your own, write into %s the line %s: {files: [%s.swf]}, with the path of the "+
		"trace, whole or from the folder of that file", file, name, name)
}

// NotFoundError is the error of a trace whose file is in none of the folders.
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
		return fmt.Sprintf("%sput it there as %s, or gridsweep trace import %s FILE takes it from a file",
			text, e.Trace.Kept(), name)
	}
	return fmt.Sprintf("%sgridsweep trace fetch %s downloads it, gridsweep trace import %s FILE takes it from a file",
		text, name, name)
}

// filesOf returns the file names of a trace.
func filesOf(t configs.Trace) []string {
	names := make([]string, len(t.Files))
	for i, file := range t.Files {
		names[i] = file.Value
	}
	return names
}

// FoldersOf returns the folders that are searched for a trace: that of the user's catalogue with
// the trace, then those of folders.
func FoldersOf(t configs.Trace) []string {
	if t.Folder == "" {
		return folders()
	}
	return append([]string{t.Folder}, folders()...)
}

// FindIn returns the path of a trace: in the first of the folders with one of its file names, of
// which the first is preferred. A file name may be an absolute path. It returns a *NotFoundError if
// there is no such file, and another error for a link that leads nowhere.
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
				case err != nil && isDangling(path):
					return "", fmt.Errorf("look for trace %s: %s is a link that leads nowhere; mend or remove it",
						t.Name.Value, path)
				case err != nil && !isAbsent(err):
					return "", fmt.Errorf("look for trace %s: %w", t.Name.Value, err)
				}
			}
		}
	}
	return "", &NotFoundError{t, folders}
}

// isDangling reports whether a path whose target could not be found is a symbolic link. That is an
// error and not a missing trace, since the disk of the trace may not be mounted.
func isDangling(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// isAbsent reports whether the error of looking at a file is that it does not exist, or that a file
// is in place of a folder above it.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
