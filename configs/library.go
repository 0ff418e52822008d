// The library: the studies built into a program and those of a user's folder.

package configs

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// builtin holds the studies of all papers, their published numbers and catalogues of traces, and
// the catalogue of the traces that several papers use.
//
//go:embed traces.yaml */*.yaml */published/*.csv
var builtin embed.FS

// ours is the folder of the studies that come with this module.
var ours = &folder{files: builtin, shown: "configs/"}

// Library holds studies that are known by name.
type Library struct {
	folders []*folder // a study is taken from the first folder that has it
}

// folder is a file system with a folder for each paper, which holds its study files.
type folder struct {
	files fs.FS
	shown string // prefix of its files' names in messages
	dir   string // on the user's disk; empty if built in
}

// Builtin returns the studies that come with this module.
func Builtin() *Library { return &Library{[]*folder{ours}} }

// With returns the library with more studies: each is a file PAPER/STUDY.yaml with its published
// numbers in PAPER/published and its traces in PAPER/traces.yaml. It replaces a study of the
// library that has the same path.
func (l *Library) With(files fs.FS) *Library {
	return &Library{append([]*folder{{files: files}}, l.folders...)}
}

// WithFolder returns the library with the studies of a user's folder, which has the layout of With.
// The folder may name traces in traces.yaml and PAPER/traces.yaml. Its files are read at each Load,
// so an author of studies need not rebuild the program. It is an error if the folder does not
// exist, has no study, or has a study with the name of another paper's study in the library, as the
// results of both would be in one folder.
func (l *Library) WithFolder(dir string) (*Library, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, location{path: dir}.because(err)
	case !info.IsDir():
		return nil, fmt.Errorf("%s: is a file, not a folder with studies as PAPER/STUDY.yaml", dir)
	}
	shown := filepath.ToSlash(filepath.Clean(dir)) + "/"
	own := &folder{files: os.DirFS(dir), shown: shown, dir: dir}
	studies := own.studies()
	if len(studies) == 0 {
		return nil, fmt.Errorf("%s: has no study; they lie in it as PAPER/STUDY.yaml", dir)
	}
	for _, study := range studies {
		for _, other := range l.List() {
			if study != other && strings.EqualFold(path.Base(study), path.Base(other)) {
				return nil, fmt.Errorf("%s%s.yaml: has the name of the study %s, in whose folder its results would lie; give "+
					"yours another, or put it in that one's place", shown, study, other)
			}
		}
	}
	return &Library{append([]*folder{own}, l.folders...)}, nil
}

// List returns the studies as PAPER/STUDY, sorted.
func (l *Library) List() []string {
	var studies []string
	for _, folder := range l.folders {
		studies = append(studies, folder.studies()...)
	}
	slices.Sort(studies)
	return slices.Compact(studies)
}

// studies returns the folder's studies. It skips names that begin with a dot, which editors and
// systems use for their own files.
func (f *folder) studies() []string {
	files, err := fs.Glob(f.files, "*/*.yaml")
	if err != nil {
		panic("configs: " + err.Error()) // the pattern is ours
	}
	var studies []string
	for _, file := range files {
		if name := path.Base(file); name != CatalogueFile && !strings.HasPrefix(file, ".") && !strings.HasPrefix(name, ".") {
			studies = append(studies, strings.TrimSuffix(file, ".yaml"))
		}
	}
	return studies
}

// Load returns a study of the library by the name of its file, such as "coallocation", or as
// PAPER/STUDY. The error of an unknown name lists the known ones. A file with mistakes gives
// [Problems] and the study as far as it could be read.
func (l *Library) Load(ctx context.Context, name string) (*Study, error) {
	file, err := l.locate(name)
	if err != nil {
		return nil, err
	}
	return l.load(ctx, file)
}

// Read returns the study of a user's file, which may extend one of the library; messages show file.
// A file with mistakes gives all of its [Problems] and the study as far as it could be read. When
// ctx is done, Read soon returns its error. A file of the library gives the library's study.
func (l *Library) Read(ctx context.Context, file string) (*Study, error) {
	from := location{path: file}
	for _, folder := range l.folders {
		if folder.dir == "" {
			continue
		}
		for _, study := range folder.studies() {
			if onDisk := filepath.Join(folder.dir, filepath.FromSlash(study+".yaml")); from.is(location{path: onDisk}) {
				return l.load(ctx, location{folder: folder, path: study + ".yaml"})
			}
		}
	}
	return l.load(ctx, from)
}

// Parse returns the study of a text, as Read does for a file. Relative paths in the text are
// relative to file, and messages show file, which need not exist.
func (l *Library) Parse(ctx context.Context, file string, text []byte) (*Study, error) {
	return unlessDone(ctx, func() (*Study, error) {
		study, problems := l.loader(ctx).interpret(text, location{path: file})
		return l.checked(study, problems)
	})
}

// locate returns the file of a study of the library.
func (l *Library) locate(name string) (location, error) {
	known := l.List()
	for _, study := range known {
		if name == study || name == path.Base(study) {
			return l.locationOf(study), nil
		}
	}
	return location{}, fmt.Errorf("no study %q; %s (a file of your own ends in .yaml)", name,
		Suggest(name, mapped(known, path.Base)))
}

// locationOf returns the file of a study that List returned.
func (l *Library) locationOf(study string) location {
	from, _ := l.first(study + ".yaml")
	return from
}

// first returns the location of a file in the first folder that has it.
func (l *Library) first(file string) (from location, found bool) {
	for _, folder := range l.folders {
		if _, err := fs.Stat(folder.files, file); err == nil {
			return location{folder: folder, path: file}, true
		}
	}
	return location{path: file}, false
}

// List is Library.List for the studies that come with this module.
func List() []string { return Builtin().List() }

// Load is Library.Load for the studies that come with this module.
func Load(ctx context.Context, name string) (*Study, error) { return Builtin().Load(ctx, name) }

// Read is Library.Read for a file that may extend the studies that come with this module.
func Read(ctx context.Context, file string) (*Study, error) { return Builtin().Read(ctx, file) }
