package configs

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// builtin holds the studies of all papers with their published numbers, whatever lies in a paper's folder, and the
// catalogue of traces.
//
//go:embed traces.yaml */*.yaml */published/*.csv
var builtin embed.FS

// List returns the built-in studies as PAPER/STUDY, in the order of these names.
func List() []string {
	files, err := fs.Glob(builtin, "*/*.yaml")
	if err != nil {
		panic("configs: " + err.Error()) // the pattern is ours
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(file, ".yaml")
	}
	return files
}

// Load returns a built-in study by the name of its file, as in "coallocation", or as PAPER/STUDY. An unknown name
// gives an error that lists the known ones; a file with mistakes gives [Problems] and what could be read of the study.
func Load(name string) (*Study, error) {
	place, err := builtinPlace(name)
	if err != nil {
		return nil, err
	}
	return load(place)
}

// Read returns the study of a user's file, shown in messages under the path given. A file with mistakes gives
// [Problems], all of them at once, and what could be read of the study.
func Read(file string) (*Study, error) { return load(place{path: file}) }

// builtinPlace returns the file of a built-in study.
func builtinPlace(name string) (place, error) {
	known := List()
	for _, study := range known {
		if name == study || name == path.Base(study) {
			return place{builtin: true, path: study + ".yaml"}, nil
		}
	}
	short := make([]string, len(known))
	for i, study := range known {
		short[i] = path.Base(study)
	}
	return place{}, fmt.Errorf("no built-in study %q; %s (a file of your own ends in .yaml)", name, Suggest(name, short))
}

func load(from place) (*Study, error) {
	study, problems, err := read(from, nil)
	if err != nil {
		return nil, err
	}
	problems = append(problems, study.checkName()...)
	if len(problems) > 0 {
		return study, problems
	}
	return study, nil
}

// checkName notes a user's study that would take the place of a built-in one or of its paper, under whose names their
// results and pages lie. A file that is the same as the built-in one, such as that of the program's source, is that
// study.
func (s *Study) checkName() Problems {
	if s.from.builtin {
		return nil
	}
	taken, err := builtinPlace(s.Name.Value)
	if err == nil {
		if content, err := taken.read(); err == nil && bytes.Equal(content, s.Source) {
			return nil
		}
		return Problems{s.Problem(s.Name.Pos, "study", "is the name of a built-in study; give yours another")}
	}
	ofPaper := func(study string) bool { return path.Dir(study) == s.Paper.Value }
	if slices.ContainsFunc(List(), ofPaper) {
		return Problems{s.Problem(s.Paper.Pos, "paper", "is the name of a built-in paper, whose page this would replace; give yours another")}
	}
	return nil
}

// SameFile reports whether both studies were read from the same file, however it was named.
func (s *Study) SameFile(other *Study) bool { return s.from.is(other.from) }

// read returns the study of a file with all that it extends, and everything wrong with either. Chain holds the files
// that extend this one, outermost first.
func read(from place, chain []place) (*Study, Problems, error) {
	content, err := from.read()
	if err != nil {
		return nil, nil, fmt.Errorf("read study file: %w", err)
	}
	study, problems := interpret(content, from, chain)
	return study, problems, nil
}

// interpret is read for bytes that are read already.
func interpret(content []byte, from place, chain []place) (*Study, Problems) {
	p := &parser{file: from.shown(), sources: sources{}}
	p.sources.add(p.file, content)
	own, has := p.parse(content)
	own.from, own.sources = from, p.sources
	if has == nil {
		return own, p.problems
	}
	base := &Study{}
	if extends := has["extends"]; extends != nil {
		if base = p.readBase(p.textOf(extends), from, append(slices.Clone(chain), from)); base == nil {
			return own, p.problems
		}
	}
	p.problems = append(p.problems, own.readPublished(from, base.published)...)
	own.extend(base)
	own.fillIn()
	if has["extends"] == nil {
		p.problems = append(p.problems, own.checkComplete(has)...)
		p.problems = append(p.problems, own.checkPublished()...)
	}
	p.problems = append(p.problems, own.checkReferences()...)
	return own, p.problems
}

// fillIn gives the words that neither the file nor what it extends says their defaults.
func (s *Study) fillIn() {
	if s.Paper.Value == "" {
		s.Paper = s.Name
	}
	if s.Seed.Value == "" {
		s.Seed.Value = defaultSeed
	}
}

// readBase returns the study that is extended, or nil and what is wrong with it.
func (p *parser) readBase(extends Text, from place, chain []place) *Study {
	if extends.Value == "" {
		return nil // noted by its reader
	}
	next := from.beside(extends.Value)
	if !isFile(extends.Value) {
		var err error
		if next, err = builtinPlace(extends.Value); err != nil {
			p.wrongAt(extends.Pos, "extends", "%v", err)
			return nil
		}
	}
	if slices.ContainsFunc(chain, next.is) {
		p.wrongAt(extends.Pos, "extends", "%s is extended in a circle", next.shown())
		return nil
	}
	base, problems, err := read(next, chain)
	if err != nil {
		p.wrongAt(extends.Pos, "extends", "%v", err)
		return nil
	}
	p.problems = append(p.problems, problems...)
	maps.Copy(p.sources, base.sources)
	return base
}
