package configs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Trace is an entry of the catalogue of traces, configs/traces.yaml.
type Trace struct {
	Name    Text // short, as studies and commands call it
	Title   Text // what its archive calls it
	Page    Text // address of the archive's page about it
	Address Text // of the file itself: the trace, plain or compressed, or a .zip that holds it
	Member  Text // name of the trace inside the .zip; empty where Address is no .zip
	// Files are the names under which it is looked for, with slashes, each also with .gz, .zst or .bz2 behind it. The
	// first is the one under which it is kept.
	Files       []Text
	Format      Text  // swf or gwf
	Jobs        int   // in the whole trace; 0 where the archive does not say
	Clusters    []int // processors of each cluster
	Uses        []TraceUse
	Acknowledge Text // one sentence: who provided it, to be repeated with results that use it
	Reference   Text // the paper to cite
}

// TraceUse says which part of a trace a paper uses.
type TraceUse struct {
	Paper  Text
	Window Text // such as "months 9-12", counted from the first submit
}

// Words that a study or command may say in place of the name of a trace.
const (
	traceAuto  = "auto"
	traceModel = "model"
)

// traceCatalogue is the file of the catalogue.
var traceCatalogue = place{folder: ours, path: "traces.yaml"}

// Traces returns the catalogue in the order of its file. It panics where the file, which is ours, has mistakes.
func Traces() []Trace {
	content, err := traceCatalogue.read()
	if err != nil {
		panic("configs: " + err.Error())
	}
	traces, err := ParseTraces(traceCatalogue.shown(), content)
	if err != nil {
		panic("configs: " + err.Error())
	}
	return traces
}

// ParseTraces reads a catalogue; file is what messages call it. One with mistakes gives [Problems], all of them at
// once, and what could be read.
func ParseTraces(file string, content []byte) ([]Trace, error) {
	p := &parser{ctx: context.Background(), file: file, sources: sources{}}
	p.sources.add(place{path: file}, content)
	var traces []Trace
	if top := p.document(content); top != nil {
		named("a map from traces to what is known of them", nil, func(p *parser, name Text, n *yaml.Node, key string) {
			traces = append(traces, p.readTrace(name, n, key))
		}).read(p, top, "")
	}
	p.checkTraceFiles(traces)
	if len(p.problems) > 0 {
		return traces, p.problems
	}
	return traces, nil
}

func (p *parser) readTrace(name Text, n *yaml.Node, key string) Trace {
	p.fileName(name, key)
	if name.Value == traceAuto || name.Value == traceModel || strings.ContainsAny(name.Value, ",@") {
		p.wrongAt(name.Pos, key, "cannot be the name of a trace: auto and model mean something else, and a study writes "+
			"NAME,NAME and NAME@sha256:...")
	}
	t := Trace{Name: name}
	words := traceWords(&t)
	has := p.record(n, key, words)
	if has == nil {
		return t
	}
	for _, w := range words {
		if optional := []string{"member", "jobs", "used"}; has[w.name] == nil && !slices.Contains(optional, w.name) {
			p.wrongAt(name.Pos, below(key, w.name), "is missing")
		}
	}
	if isZip := strings.HasSuffix(t.Address.Value, ".zip"); isZip != (t.Member.Value != "") {
		p.wrongAt(name.Pos, below(key, "member"), "names the file inside a .zip, so it goes with an address that ends in .zip")
	}
	return t
}

func traceWords(t *Trace) []word {
	return []word{
		{"title", text(&t.Title)},
		{"page", text(&t.Page)},
		{"address", text(&t.Address)},
		{"member", text(&t.Member)},
		{"files", texts(&t.Files)},
		{"format", oneOf(&t.Format, "swf", "gwf")},
		{"jobs", integerUpTo(&t.Jobs, 1, 1_000_000_000)},
		{"clusters", integers(&t.Clusters, 1)},
		{"used", named("a map from papers to the part they use", nil, func(p *parser, paper Text, n *yaml.Node, key string) {
			use := TraceUse{Paper: paper}
			text(&use.Window).read(p, n, key)
			t.Uses = append(t.Uses, use)
		})},
		{"acknowledge", text(&t.Acknowledge)},
		{"reference", text(&t.Reference)},
	}
}

// integers reads a list of whole numbers of at least low; equal ones may stand in it.
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

// checkTraceFiles notes a name of a file that stands for two traces.
func (p *parser) checkTraceFiles(traces []Trace) {
	owner := map[string]Text{}
	for _, t := range traces {
		for _, file := range t.Files {
			if other, twice := owner[file.Value]; twice {
				p.wrongAt(file.Pos, below(below("", t.Name.Value), "files"), "%s is looked for as %s too; a file is one trace",
					file.Value, other.Value)
			}
			owner[file.Value] = t.Name
		}
	}
}

// FindTrace returns the trace of a name. An unknown name gives an error that lists the known ones.
func FindTrace(name string) (Trace, error) {
	traces := Traces()
	known := make([]string, len(traces))
	for i, t := range traces {
		if t.Name.Value == name {
			return t, nil
		}
		known[i] = t.Name.Value
	}
	return Trace{}, fmt.Errorf("no trace %q in the catalogue; %s", name, Suggest(name, known))
}
