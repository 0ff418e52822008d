// The files that a study was read from, to keep them with its results.

package configs

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// File is one of the files of a study: a study file, published numbers or a catalogue of traces.
type File struct {
	// Path has slashes. In a library it is such as coallocation/coallocation.yaml; other files have
	// paths from the folder that holds all of the study's files on the user's disk.
	Path      string
	InLibrary bool
	Content   []byte
}

// Files returns the files that the study was read from, those that it extends included: its own
// file first, the others by their paths. Extracted with these paths they are the same study: those
// of a library into a folder for [Library.With]. The error is of a path on the disk.
func (s *Study) Files() ([]File, error) {
	var files []File
	var onDisk []string // whole paths
	for _, source := range s.sources {
		file := File{Path: source.from.path, InLibrary: source.from.folder != nil, Content: source.content}
		if !file.InLibrary {
			var err error
			if file.Path, err = filepath.Abs(file.Path); err != nil {
				return nil, fmt.Errorf("find the files of the study: %w", err)
			}
			onDisk = append(onDisk, file.Path)
		}
		files = append(files, file)
		if source.from == s.from { // the study's own file goes first
			last := len(files) - 1
			files[0], files[last] = files[last], files[0]
		}
	}
	above := commonFolder(onDisk)
	for i, file := range files {
		if !file.InLibrary {
			path, err := filepath.Rel(above, file.Path)
			if err != nil {
				return nil, fmt.Errorf("find the files of the study: %w", err)
			}
			files[i].Path = filepath.ToSlash(path)
		}
	}
	slices.SortFunc(files[1:], func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files, nil
}

// commonFolder returns the deepest folder that holds all files; empty where there is no file.
func commonFolder(files []string) string {
	if len(files) == 0 {
		return ""
	}
	folder := filepath.Dir(files[0])
	for _, file := range files[1:] {
		for folder != filepath.Dir(folder) && !strings.HasPrefix(file, folder+string(filepath.Separator)) {
			folder = filepath.Dir(folder)
		}
	}
	return folder
}
