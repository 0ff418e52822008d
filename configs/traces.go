// Catalogues of traces: files traces.yaml.

package configs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Trace is an entry of a catalogue of traces, a file traces.yaml.
type Trace struct {
	Name  Text // short, as studies and commands call it
	Title Text // what its archive calls it; by default Name
	Page  Text // address of the archive's page about it
	// of the file itself: the trace, plain or compressed, or a .zip that holds it; empty if unknown
	Address Text
	Member  Text // name of the trace inside the .zip; empty if Address is no .zip
	// Files are the names of its file, with slashes, each also with .gz, .zst or .bz2 appended.
	// They are searched in Folder and in the folders of traces, an absolute path only at that path.
	Files       []Text
	Format      Text  // swf or gwf; if empty, the content determines it
	Jobs        int   // in the whole trace; 0 if the archive does not say
	Clusters    []int // processors of each cluster
	Uses        []TraceUse
	Acknowledge Text   // one sentence: who provided it, to be repeated with results that use it
	Reference   Text   // the paper to cite
	Folder      string // of the user's catalogue; empty for a trace of the program
}

// TraceUse is the window of a trace that a paper uses.
type TraceUse struct {
	Paper  Text
	Window Text // such as "months 9-12", counted from the first submit
}

// Kept returns the name under which a fetched or imported trace is stored, with slashes: the first
// of Files that stays within a folder; empty if none does.
func (t Trace) Kept() string {
	for _, file := range t.Files {
		if filepath.IsLocal(filepath.FromSlash(file.Value)) {
			return file.Value
		}
	}
	return ""
}

// Values of a trace parameter that are not names of traces.
const (
	traceAuto  = "auto"
	traceModel = "model"
)

// CatalogueFile is the name of a catalogue of traces, in configs, in a paper's folder below it, in
// the folder of a user's study and in that of the user's configuration.
const CatalogueFile = "traces.yaml"

// Catalogue is a list of named traces, in the order of their files, those of the program first.
type Catalogue []Trace

// Traces returns the traces that come with this module: those that several papers use, and then
// those of each paper.
func Traces() Catalogue {
	all, err := Builtin().Traces(context.Background())
	if err != nil {
		panic("configs: " + err.Error()) // the files are ours
	}
	return all
}

// Traces returns the traces of the library: those of traces.yaml beside its papers, then those of
// PAPER/traces.yaml. It returns an error if a file has mistakes.
func (l *Library) Traces(ctx context.Context) (Catalogue, error) {
	return unlessDone(ctx, func() (Catalogue, error) {
		var all Catalogue
		for _, file := range l.catalogues() {
			var err error
			if all, err = all.read(ctx, file); err != nil {
				return nil, err
			}
		}
		return all, nil
	})
}

// catalogues returns the catalogues of traces of the library, each from the first folder that has
// it.
func (l *Library) catalogues() []location {
	var papers []string
	for _, folder := range l.folders {
		files, err := fs.Glob(folder.files, "*/"+CatalogueFile)
		if err != nil {
			panic("configs: " + err.Error()) // the pattern is ours
		}
		papers = append(papers, files...)
	}
	slices.Sort(papers)
	var found []location
	for _, file := range append([]string{CatalogueFile}, slices.Compact(papers)...) {
		if from, isFound := l.first(file); isFound {
			found = append(found, from)
		}
	}
	return found
}

// Read returns the catalogue with the traces of a user's file appended. A file with mistakes gives
// all of its [Problems], a missing file an error that is [fs.ErrNotExist].
func (c Catalogue) Read(ctx context.Context, file string) (Catalogue, error) {
	return unlessDone(ctx, func() (Catalogue, error) { return c.read(ctx, location{path: file}) })
}

func (c Catalogue) read(ctx context.Context, from location) (Catalogue, error) {
	content, err := from.read()
	if err != nil {
		return nil, fmt.Errorf("read catalogue of traces: %w", err)
	}
	p := newParser(ctx, from, content, sources{})
	traces := p.readTraces(content, from)
	all := c.with(traces, p.wrongAt)
	if len(p.problems) > 0 {
		return nil, p.problems
	}
	return all, nil
}

// Find returns the trace of a name. An unknown name gives an error that lists the known ones.
func (c Catalogue) Find(name string) (Trace, error) {
	if i := c.Index(name); i >= 0 {
		return c[i], nil
	}
	return Trace{}, fmt.Errorf("no trace %q in the catalogue; %s", name, Suggest(name, c.Names()))
}

// Index returns the index of the trace of a name, or -1.
func (c Catalogue) Index(name string) int {
	return slices.IndexFunc(c, func(t Trace) bool { return t.Name.Value == name })
}

// Names returns the names of all traces.
func (c Catalogue) Names() []string {
	return mapped(c, func(t Trace) string { return t.Name.Value })
}

// Catalogue appends to known the traces of the catalogues beside the study's file and beside those
// that it extends. It returns [Problems] if names or files of two traces are the same, or if a used
// window belongs to an unknown trace.
func (s *Study) Catalogue(known Catalogue) (Catalogue, error) {
	var problems Problems
	all := known.with(s.traces, func(pos Pos, key, format string, args ...any) {
		s.Report(&problems, pos, key, format, args...)
	})
	if len(problems) > 0 {
		return nil, problems
	}
	return all, nil
}

// TracesFile returns the path of the catalogue beside a user's study, which need not exist; empty
// for a study of the program.
func (s *Study) TracesFile() string {
	switch from := s.from.beside(CatalogueFile); {
	case s.from.isBuiltin():
		return ""
	case from.folder != nil:
		return filepath.Join(from.folder.dir, filepath.FromSlash(from.path))
	default:
		return from.path
	}
}

// with returns the catalogue with further traces, and reports two traces of one name, two traces of
// one file, and uses of an unknown trace.
func (c Catalogue) with(traces []Trace, report func(pos Pos, key, format string, args ...any)) Catalogue {
	all := slices.Clone(c)
	index, owner := map[string]int{}, map[string]Trace{}
	for i, t := range c {
		index[t.Name.Value] = i
		for _, file := range t.Files {
			owner[t.path(file)] = t
		}
	}
	for _, t := range traces {
		key := below("", t.Name.Value)
		i, known := index[t.Name.Value]
		switch {
		case known && t.isUse():
			all[i].Uses = Replaced(all[i].Uses, t.Uses)
			continue
		case known && t.equals(all[i]):
			continue // such as one catalogue that is read twice
		case known && all[i].Folder == "":
			report(t.Name.Pos, key, "is the name of a built-in trace; give yours another, or take your file as that one: "+
				"gridsweep trace import %s FILE", t.Name.Value)
			continue
		case known:
			report(t.Name.Pos, key, "is the name of a trace of %s too; rename one of them", all[i].Name.Pos)
			continue
		case t.isUse():
			report(t.Name.Pos, key, "has only used, and there is no such trace to be used; %s",
				Suggest(t.Name.Value, all.Names()))
			continue
		}
		for _, file := range t.Files {
			if other, twice := owner[t.path(file)]; twice {
				report(file.Pos, below(key, "files"), "%s is looked for as %s too; a file is one trace", file.Value,
					other.Name.Value)
			}
			owner[t.path(file)] = t
		}
		index[t.Name.Value] = len(all)
		all = append(all, t)
	}
	return all
}

// isUse reports whether an entry has only the used window of a trace, which another file describes.
func (t Trace) isUse() bool { return len(t.Files) == 0 && len(t.Uses) > 0 }

// path identifies a file. A name below a folder is one file in all catalogues, as all folders are
// searched for it; one with .. is relative to Folder.
func (t Trace) path(file Text) string {
	if name := filepath.FromSlash(file.Value); !filepath.IsLocal(name) && !filepath.IsAbs(name) {
		return filepath.Join(t.Folder, name)
	}
	return file.Value
}

// equals reports whether two entries of one name are the same trace, searched in the same folders.
func (t Trace) equals(other Trace) bool {
	known := func(t Trace) string {
		texts := append([]Text{t.Title, t.Page, t.Address, t.Member, t.Format, t.Acknowledge, t.Reference}, t.Files...)
		return fmt.Sprintf("%q %d %d", valuesOf(texts), t.Jobs, t.Clusters)
	}
	return known(t) == known(other) && (other.Folder == "" || location{path: t.Folder}.is(location{path: other.Folder}))
}

// readTraces returns the traces of one file.
func (p *parser) readTraces(content []byte, from location) []Trace {
	p.fileType = catalogueType
	var traces []Trace
	if top := p.document(content); top != nil {
		p.each(top, "", "a map from traces to what is known of them", func(p *parser, name Text, n *yaml.Node, key string) {
			t := p.readTrace(name, n, key)
			if !from.isBuiltin() {
				t.Folder = filepath.Dir(p.file)
			}
			traces = append(traces, t)
		})
	}
	return traces
}

func (p *parser) readTrace(name Text, n *yaml.Node, key string) Trace {
	p.checkFileName(name, key)
	isName := name.Value != traceAuto && name.Value != traceModel && !strings.ContainsAny(name.Value, ",@=")
	if !isName {
		p.wrongAt(name.Pos, key, "cannot be the name of a trace: auto and model mean something else, and a study writes "+
			"NAME,NAME, NAME=FILE and NAME@sha256:...")
	}
	t := Trace{Name: name, Title: name}
	has := p.record(record{fields: traceFields(&t)}, name.Pos, n, key)
	if has == nil || has["used"] != nil && len(has) == 1 {
		return t
	}
	if has["files"] == nil && isName {
		p.wrongAt(name.Pos, below(key, "files"), "is missing; name the file, such as files: [%s.swf]", name.Value)
	}
	for _, file := range t.Files {
		if strings.HasSuffix(file.Value, "/") || strings.Contains(file.Value, `\`) {
			p.wrongAt(file.Pos, below(key, "files"), "%q is no file; write its name, with slashes for folders",
				Shortened(file.Value))
		}
	}
	if has["address"] != nil && len(t.Files) > 0 && t.Kept() == "" {
		p.wrongAt(t.Files[0].Pos, below(key, "files"),
			"has no name under which a download could be kept: one without a folder above it")
	}
	if isZip := strings.HasSuffix(t.Address.Value, ".zip"); isZip != (t.Member.Value != "") {
		p.wrongAt(name.Pos, below(key, "member"),
			"names the file inside a .zip, so it goes with an address that ends in .zip")
	}
	return t
}

func traceFields(t *Trace) []field {
	return []field{
		{"title", text(&t.Title)},
		{"page", text(&t.Page)},
		{"address", text(&t.Address)},
		{"member", text(&t.Member)},
		{"files", texts(&t.Files)},
		{"format", oneOf(&t.Format, "swf", "gwf")},
		{"jobs", integerUpTo(&t.Jobs, 1, 1_000_000_000)},
		{"clusters", integers(&t.Clusters, 1)},
		{"used", named("a map from papers to windows", nil, func(p *parser, paper Text, n *yaml.Node, key string) {
			use := TraceUse{Paper: paper}
			text(&use.Window).read(p, n, key)
			t.Uses = append(t.Uses, use)
		})},
		{"acknowledge", text(&t.Acknowledge)},
		{"reference", text(&t.Reference)},
	}
}

// integers reads a list of whole numbers of at least low, which may be equal.
func integers(into *[]int, low int) reader {
	return reader{read: func(p *parser, n *yaml.Node, key string) {
		if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
			p.wrong(n, key, "want a list of whole numbers, found %s", found(n))
			return
		}
		*into = make([]int, len(n.Content))
		for i, item := range n.Content {
			integer(&(*into)[i], low).read(p, item, key)
		}
	}}
}

// tracesBeside returns the traces of the catalogue beside a user's file; none if there is no
// catalogue or it was read before. Those of a library are in Library.Traces.
func (l *loader) tracesBeside(p *parser, from location) []Trace {
	file := from.beside(CatalogueFile)
	if from.folder != nil || slices.ContainsFunc(l.catalogues, file.is) {
		return nil
	}
	content, err := l.open(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		p.wrongAt(Pos{}, "", "read catalogue of traces: %v", err)
		return nil
	}
	l.catalogues = append(l.catalogues, file)
	beside := newParser(l.ctx, file, content, p.sources)
	traces := beside.readTraces(content, file)
	p.problems.Add(beside.problems...)
	return traces
}
