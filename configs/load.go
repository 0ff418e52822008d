package configs

import (
	"bytes"
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

// List returns the built-in studies as PAPER/STUDY, in the order of these names.
func List() []string {
	files, err := fs.Glob(builtin, "*/*.yaml")
	if err != nil {
		panic("configs: " + err.Error()) // the pattern is ours
	}
	files = slices.DeleteFunc(files, func(file string) bool { return path.Base(file) == CatalogueFile })
	for i, file := range files {
		files[i] = strings.TrimSuffix(file, ".yaml")
	}
	return files
}

// Load returns a built-in study by the name of its file, as in "coallocation", or as PAPER/STUDY. An unknown name
// gives an error that lists the known ones; a file with mistakes gives [Problems] and what could be read of the study.
func Load(ctx context.Context, name string) (*Study, error) {
	place, err := builtinPlace(name)
	if err != nil {
		return nil, err
	}
	return load(ctx, place)
}

// Read returns the study of a user's file, shown in messages under the path given. A file with mistakes gives
// [Problems], all of them at once, and what could be read of the study. When ctx is done, its error is returned soon.
func Read(ctx context.Context, file string) (*Study, error) { return load(ctx, place{path: file}) }

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

// load returns when ctx is done, even from a file of a server that does not answer.
func load(ctx context.Context, from place) (*Study, error) {
	return unlessDone(ctx, func() (*Study, error) { return loadWhole(ctx, from) })
}

// unlessDone returns what read returns, or ctx's error when that is done first; what is then read is dropped.
func unlessDone[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	case r := <-done:
		return r.value, r.err
	}
}

func loadWhole(ctx context.Context, from place) (*Study, error) {
	l := &loader{ctx: ctx, left: mostBytes}
	study, problems, err := l.read(from)
	if ctx.Err() != nil {
		return nil, ctx.Err() // what was read is not all
	}
	if err != nil {
		return nil, err
	}
	study.checkName(&problems)
	if len(problems) > 0 {
		return study, problems
	}
	return study, nil
}

// checkName notes a user's study that would take the place of a built-in one or of its paper, under whose names their
// results and pages lie. A file that is the same as the built-in one, such as that of the program's source, is that
// study.
func (s *Study) checkName(problems *Problems) {
	if s.from.builtin {
		return
	}
	// Some file systems take names for the same that differ in case.
	isTaken := func(study string) bool { return strings.EqualFold(path.Base(study), s.Name.Value) }
	if i := slices.IndexFunc(List(), isTaken); i >= 0 {
		taken := place{builtin: true, path: List()[i] + ".yaml"}
		if content, err := taken.read(); err == nil && bytes.Equal(content, s.Source) {
			return
		}
		s.Report(problems, s.Name.Pos, "study", "is the name of a built-in study; give yours another")
		return
	}
	ofPaper := func(study string) bool { return strings.EqualFold(path.Dir(study), s.Paper.Value) }
	if slices.ContainsFunc(List(), ofPaper) {
		s.Report(problems, s.Paper.Pos, "paper", "is the name of a built-in paper, whose page this would replace; give yours another")
	}
}

// SameFile reports whether both studies were read from the same file, however it was named.
func (s *Study) SameFile(other *Study) bool { return s.from.is(other.from) }

// What is read of one study with all that it extends and their published numbers.
const (
	mostBytes = 2 << 20
	mostFiles = 5 // that extend one another
)

// loader reads a study with all that it extends.
type loader struct {
	ctx   context.Context
	chain []place // the files that extend one another so far, outermost first
	left  int     // bytes that may still be read

	catalogues []place // of traces, that were read
}

// open returns the bytes of a file, unless they are more than may be read in all.
func (l *loader) open(from place) ([]byte, error) {
	content, err := from.read()
	if err != nil {
		return nil, err
	}
	if l.left -= len(content); l.left < 0 {
		return nil, fmt.Errorf("%s: with it, the files of the study are larger than %d MB", from.shown(), mostBytes>>20)
	}
	return content, nil
}

// read returns the study of a file with all that it extends, and everything wrong with either.
func (l *loader) read(from place) (*Study, Problems, error) {
	content, err := l.open(from)
	if err != nil {
		return nil, nil, fmt.Errorf("read study file: %w", err)
	}
	study, problems := l.interpret(content, from)
	return study, problems, nil
}

// interpret is read for bytes that are read already.
func (l *loader) interpret(content []byte, from place) (*Study, Problems) {
	l.chain = append(l.chain, from)
	p := &parser{ctx: l.ctx, file: from.shown(), sources: sources{}}
	p.sources.add(from, content)
	own, has := p.parse(content)
	own.from, own.sources = from, p.sources
	own.traces = l.readTraces(p, from)
	if has == nil {
		own.Broken = true
		return own, p.problems
	}
	base := &Study{}
	if extends := has["extends"]; extends != nil {
		if base = l.readBase(p, p.textOf(extends), from); base == nil || base.Broken {
			own.Broken = true
			return own, p.problems
		}
		own.Base = base
	}
	own.traces = append(own.traces, base.traces...)
	p.problems.Add(l.readPublished(own, base.published)...)
	own.extend(base)
	own.fillIn()
	own.Broken = own.Unread.Factors
	if has["extends"] == nil {
		p.checkWanted(has, Pos{File: own.File, Line: 1, Column: 1}, "", completeRequired)
	}
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
func (l *loader) readBase(p *parser, extends Text, from place) *Study {
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
	switch {
	case slices.ContainsFunc(l.chain, next.is):
		p.wrongAt(extends.Pos, "extends", "%s is extended in a circle", next.shown())
		return nil
	case len(l.chain) == mostFiles:
		p.wrongAt(extends.Pos, "extends", "%d files extend one another; no more may", mostFiles)
		return nil
	}
	base, problems, err := l.read(next)
	if err != nil {
		p.wrongAt(extends.Pos, "extends", "%v", err)
		return nil
	}
	for _, problem := range problems {
		problem.depth++
		p.problems.Add(problem)
	}
	p.sources.addBase(base.sources)
	return base
}
