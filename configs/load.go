// Loading a study file with the files that it extends, and the problems of all of them.

package configs

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// load loads a study. It returns when ctx is done, even if a file server does not answer.
func (l *Library) load(ctx context.Context, from location) (*Study, error) {
	return unlessDone(ctx, func() (*Study, error) {
		study, problems, err := l.loader(ctx).read(from)
		if err != nil {
			return nil, err
		}
		return l.checked(study, problems)
	})
}

// unlessDone returns the result of read, or the error of ctx if that is done before read ends. It
// does not wait for read then.
func unlessDone[T any](ctx context.Context, read func() (T, error)) (T, error) {
	var value, none T
	var err error
	done := make(chan struct{})
	go func() {
		value, err = read()
		close(done)
	}()
	select {
	case <-ctx.Done():
	case <-done:
	}
	if ctx.Err() != nil {
		return none, ctx.Err() // the result may be incomplete
	}
	return value, err
}

func (l *Library) loader(ctx context.Context) *loader {
	return &loader{library: l, ctx: ctx, left: mostBytes}
}

// checked adds the problems of a study's name to those of reading it, and returns the study with
// all problems as the error.
func (l *Library) checked(study *Study, problems Problems) (*Study, error) {
	study.checkNotBuiltin(l, &problems)
	if len(problems) > 0 {
		return study, problems
	}
	return study, nil
}

// checkNotBuiltin reports a user's study with the name of a built-in study or paper, since their
// results and pages would be in one folder. A file with the bytes of the built-in study is that
// study. A file of a user's folder may replace only the built-in study of its own path, and its
// study must have the name of the file.
func (s *Study) checkNotBuiltin(l *Library, problems *Problems) {
	own := s.from
	if own.isBuiltin() {
		return
	}
	studies := l.List()
	// Names that differ in case are the same on some file systems.
	ofPaper := func(study string) bool { return strings.EqualFold(path.Dir(study), s.Paper.Value) }
	isTaken := func(study string) bool { return strings.EqualFold(path.Base(study), s.Name.Value) }
	if i := slices.IndexFunc(studies, isTaken); i >= 0 && own.folder == nil {
		if content, err := l.locationOf(studies[i]).read(); err == nil && bytes.Equal(content, s.Source) {
			return
		}
		s.Report(problems, s.Name.Pos, "study",
			"is the name of a built-in study; give yours another, or say --studies %s to use %s.yaml of "+
				"that folder in its place", folderFor(own.path, studies[i]), studies[i])
		return
	}
	if own.folder != nil {
		if path.Base(own.path) != s.Name.Value+".yaml" {
			s.Report(problems, s.Name.Pos, "study",
				"is not the name of the file; in a folder of studies, PAPER/STUDY.yaml has the study STUDY")
		} else if path.Dir(own.path) == s.Paper.Value {
			return
		}
	}
	if slices.ContainsFunc(studies, ofPaper) {
		s.Report(problems, s.Paper.Pos, "paper",
			"is the name of a built-in paper, whose page this would replace; give yours another")
	}
}

// CitesModel reports whether the citation of the study's paper is the reference of its model. So it
// is for built-in studies that name their paper or have published numbers: others only use the
// model. So it is, too, for studies that extend these without a model, paper or citation of their
// own.
func (s *Study) CitesModel() bool {
	isOfPaper := func(study string) bool { return path.Dir(study) == s.Paper.Value }
	namesPaper := s.Paper != s.Name // at another position; otherwise Paper is a copy of Name
	switch {
	case s.Citation.Value != "":
		return false
	case slices.ContainsFunc(List(), isOfPaper):
		return namesPaper || len(s.PublishedFiles()) > 0
	default:
		return s.Base != nil && !namesPaper && s.Model.Value == s.Base.Model.Value && s.Base.CitesModel()
	}
}

// folderFor returns the folder to name with --studies so that a file replaces the study
// PAPER/STUDY: the folder below which the file has this path, or "DIR" if it has another path.
func folderFor(file, study string) string {
	whole, err := filepath.Abs(file)
	if err != nil || !strings.HasSuffix(filepath.ToSlash(whole), "/"+study+".yaml") {
		return "DIR"
	}
	return filepath.Join(filepath.Dir(file), "..")
}

// SameFile reports whether both studies were read from the same file, by whatever path.
func (s *Study) SameFile(other *Study) bool { return s.from.is(other.from) }

// Limits on all files of a study together: study files, published numbers, catalogues of traces.
const (
	mostBytes = 2 << 20
	mostFiles = 5 // study files that extend one another
)

// loader reads a study with all that it extends.
type loader struct {
	library *Library // studies that may be extended by name
	ctx     context.Context
	chain   []location // the files that extend one another so far, outermost first
	left    int        // bytes that may still be read

	catalogues []location // catalogues of traces that were read
}

// open returns the bytes of a file, within the limit on all files of the study.
func (l *loader) open(from location) ([]byte, error) {
	content, err := from.read()
	if err != nil {
		return nil, err
	}
	if l.left -= len(content); l.left < 0 {
		return nil, fmt.Errorf("%s: with it, the files of the study are larger than %d MB", from.shown(), mostBytes>>20)
	}
	return content, nil
}

// read returns the study of a file with all that it extends, and the problems of all these files.
func (l *loader) read(from location) (*Study, Problems, error) {
	content, err := l.open(from)
	if err != nil {
		return nil, nil, fmt.Errorf("read study file: %w", err)
	}
	study, problems := l.interpret(content, from)
	return study, problems, nil
}

// interpret is read for a file whose content is known.
func (l *loader) interpret(content []byte, from location) (*Study, Problems) {
	l.chain = append(l.chain, from)
	p := newParser(l.ctx, from, content, sources{})
	root := p.document(content)
	base := &Study{}
	traces := l.tracesBeside(p, from)
	if extends := p.extends(root); extends != nil {
		base = l.readBase(p, p.textOf(extends), from)
	}
	lacksBase := base == nil || base.Broken
	p.inherit(base)
	own, has := p.parse(root, content)
	own.from, own.sources = from, p.sources
	own.traces = traces
	if has == nil || lacksBase {
		own.Broken = true
		return own, p.problems
	}
	if has["extends"] != nil {
		own.Base = base
	}
	own.traces = append(own.traces, base.traces...)
	p.problems.Add(l.readPublished(own, base.published)...)
	own.extend(base, p)
	own.checkRemoved(p)
	if own.Paper.Value == "" {
		own.Paper = own.Name
	}
	own.Seed.Value = cmp.Or(own.Seed.Value, defaultSeed)
	own.Broken = own.Unread.Factors
	if has["extends"] == nil {
		p.checkRecord(complete, has, Pos{File: own.File, Line: 1, Column: 1}, "")
	}
	return own, p.problems
}

// extends returns the value of extends. It is read before the rest of the study.
func (p *parser) extends(root *yaml.Node) *yaml.Node {
	if root == nil || root.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "extends" {
			return root.Content[i+1]
		}
	}
	return nil
}

// inherit lets foreach name the factors of the base, which may be nil.
func (p *parser) inherit(base *Study) {
	p.factors, p.inForeach = map[string]knownFactor{}, map[string]bool{}
	p.lacksFactors = base == nil || base.Broken
	if base == nil {
		return
	}
	for _, f := range base.Factors {
		p.know(f)
	}
}

// readBase returns the study that is extended, or nil and a problem.
func (l *loader) readBase(p *parser, extends Text, from location) *Study {
	if extends.Value == "" {
		return nil // reported by its reader
	}
	next := from.beside(extends.Value)
	if !isFile(extends.Value) {
		var err error
		if next, err = l.library.locate(extends.Value); err != nil {
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
