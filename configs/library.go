package configs

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// builtin holds the studies of all papers with their published numbers and traces, whatever lies in a paper's folder, and
// the catalogue of the traces that several papers use.
//
//go:embed traces.yaml */*.yaml */published/*.csv
var builtin embed.FS

// ours is the folder of the studies that come with this module.
var ours = &folder{builtin, "configs/"}

// Library is the studies that a program has built in.
type Library struct {
	folders []*folder // of studies with the same name, that of the first counts
}

// folder is a file system with a folder for each paper, which holds its study files.
type folder struct {
	files fs.FS
	shown string // stands in front of the names of its files in messages
}

// Builtin returns the studies that come with this module.
func Builtin() *Library { return &Library{[]*folder{ours}} }

// With returns the library with more studies: each a file PAPER/STUDY.yaml, with its published numbers in PAPER/published. One
// takes the place of a study of the library that has its name.
func (l *Library) With(files fs.FS) *Library {
	return &Library{append([]*folder{{files: files}}, l.folders...)}
}

// List returns the studies as PAPER/STUDY, in the order of these names.
func (l *Library) List() []string {
	var studies []string
	for _, folder := range l.folders {
		files, err := fs.Glob(folder.files, "*/*.yaml")
		if err != nil {
			panic("configs: " + err.Error()) // the pattern is ours
		}
		for _, file := range files {
			if path.Base(file) == CatalogueFile {
				continue
			}
			studies = append(studies, strings.TrimSuffix(file, ".yaml"))
		}
	}
	slices.Sort(studies)
	return slices.Compact(studies)
}

// Load returns a built-in study by the name of its file, as in "coallocation", or as PAPER/STUDY. An unknown name
// gives an error that lists the known ones; a file with mistakes gives [Problems] and what could be read of the study.
func (l *Library) Load(ctx context.Context, name string) (*Study, error) {
	place, err := l.place(name)
	if err != nil {
		return nil, err
	}
	return l.load(ctx, place)
}

// Read returns the study of a user's file, shown in messages under the path given, which may extend a built-in one. A file
// with mistakes gives [Problems], all of them at once, and what could be read of the study. When ctx is done, its error is
// returned soon.
func (l *Library) Read(ctx context.Context, file string) (*Study, error) {
	return l.load(ctx, place{path: file})
}

// place returns the file of a built-in study.
func (l *Library) place(name string) (place, error) {
	known := l.List()
	for _, study := range known {
		if name == study || name == path.Base(study) {
			return l.placeOf(study), nil
		}
	}
	short := make([]string, len(known))
	for i, study := range known {
		short[i] = path.Base(study)
	}
	return place{}, fmt.Errorf("no built-in study %q; %s (a file of your own ends in .yaml)", name, Suggest(name, short))
}

// placeOf returns the file of a study of the list.
func (l *Library) placeOf(study string) place {
	from, _ := l.first(study + ".yaml")
	return from
}

// first returns the place of a file in the first of the folders that has it.
func (l *Library) first(file string) (from place, found bool) {
	for _, folder := range l.folders {
		if _, err := fs.Stat(folder.files, file); err == nil {
			return place{folder: folder, path: file}, true
		}
	}
	return place{path: file}, false
}

// Schema returns the schema of study files that may extend the studies of the library. See NewSchema.
func (l *Library) Schema(meaning Meaning) *Schema {
	s := NewSchema(meaning)
	description := s.Properties["extends"].Description
	s.Properties["extends"] = extendsOf(l)
	s.Properties["extends"].Description = description
	return s
}

// List returns the studies that come with this module, as Library.List does.
func List() []string { return Builtin().List() }

// Load returns a study that comes with this module, as Library.Load does.
func Load(ctx context.Context, name string) (*Study, error) { return Builtin().Load(ctx, name) }

// Read returns the study of a user's file, which may extend one that comes with this module, as Library.Read does.
func Read(ctx context.Context, file string) (*Study, error) { return Builtin().Read(ctx, file) }
