// The parser: from YAML nodes to entries with their positions.

package configs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// maxDepth is the maximum depth of nested lists and maps, about three times what any key needs.
const maxDepth = 20

// parser turns one file into a study and collects its problems. It reads the YAML nodes themselves:
// decoding would turn 010 into 8, 1.10 into 1.1 and 1.9, for an int, into 1.
type parser struct {
	ctx      context.Context // when it is done, the rest of the file is skipped
	file     string
	fileType fileType
	sources  sources
	problems Problems
	reported int // how often wrongAt was called; problems has equal ones once
	// keys that were most likely misspelt, so that they are not reported as missing
	meant map[string]bool

	factors      map[string]knownFactor // that foreach may name, by name
	inForeach    map[string]bool        // factors that a foreach names
	lacksFactors bool                   // some factors could not be read, which is reported
	written      int                    // YAML nodes of foreach and of the entries after expansion
	filled       int                    // bytes of texts with replaced placeholders
}

// newParser returns the parser of a file, which it adds to the sources.
func newParser(ctx context.Context, from location, content []byte, sources sources) *parser {
	sources.add(from, content)
	return &parser{ctx: ctx, file: from.shown(), fileType: studyType, sources: sources, meant: map[string]bool{}}
}

// fileType has the words of messages that differ between study files and catalogues of traces.
type fileType struct {
	plural string
	first  string // describes the start of such a file
	holds  string // describes the content of one file
}

var (
	studyType     = fileType{"study files", "a study starts with study: NAME", "a study file holds one study"}
	catalogueType = fileType{"catalogues of traces", "a trace starts with NAME: and, below that, files: [NAME.swf]",
		"a catalogue of traces is one map"}
)

// wrong reports a problem at a node.
func (p *parser) wrong(n *yaml.Node, key, format string, args ...any) {
	p.wrongAt(p.pos(n), key, format, args...)
}

func (p *parser) wrongAt(pos Pos, key, format string, args ...any) {
	p.reported++
	p.problems.addAt(p.sources, pos, key, format, args...)
}

func (p *parser) pos(n *yaml.Node) Pos { return Pos{File: p.file, Line: n.Line, Column: n.Column} }

func (p *parser) textOf(n *yaml.Node) Text { return Text{Value: n.Value, Pos: p.pos(n)} }

// document returns the top of the file's only YAML document. It returns nil and reports a problem
// if there is none, or if the file uses features of YAML that study files do not have.
func (p *parser) document(content []byte) *yaml.Node {
	if bad := invalidUTF8(content); bad >= 0 {
		line := 1 + bytes.Count(content[:bad], []byte("\n"))
		p.wrongAt(Pos{File: p.file, Line: line}, "", "byte %#x is not UTF-8; save the file as UTF-8", content[bad])
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	var first, second yaml.Node
	err := decoder.Decode(&first)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		p.syntax(content, err)
		return nil
	case len(first.Content) == 0 || isEmpty(first.Content[0]):
		p.wrongAt(Pos{File: p.file}, "", "the file is empty; %s", p.fileType.first)
		return nil
	}
	if err = decoder.Decode(&second); err == nil {
		p.wrong(&second, "", "a second document starts here; %s", p.fileType.holds)
	} else if !errors.Is(err, io.EOF) {
		p.syntax(content, err)
	}
	before := p.reported
	p.checkPlain(first.Content[0], 1)
	if p.reported > before {
		return nil
	}
	return first.Content[0]
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(content []byte) int {
	for i := 0; i < len(content); {
		r, size := utf8.DecodeRune(content[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// checkPlain reports features of YAML that study files do not have: aliases, anchors, tags and
// merge keys. It returns false, and stops, at a value that is nested too deeply.
func (p *parser) checkPlain(n *yaml.Node, depth int) bool {
	switch {
	case depth > maxDepth:
		p.wrong(n, "", "nested deeper than %d levels", maxDepth)
		return false
	case n.Kind == yaml.AliasNode:
		p.wrong(n, "", "%s have no aliases; write out what *%s stands for", p.fileType.plural, n.Value)
		return true
	case n.Anchor != "":
		p.wrong(n, "", "%s have no anchors; remove &%s", p.fileType.plural, n.Anchor)
	case n.Style&yaml.TaggedStyle != 0:
		p.wrong(n, "", "%s have no tags; remove %s", p.fileType.plural, n.Tag)
	case n.Tag == "!!merge":
		p.wrong(n, "", "%s have no merge keys; write out what << would bring in", p.fileType.plural)
	}
	for _, child := range n.Content {
		if !p.checkPlain(child, depth+1) {
			return false
		}
	}
	return true
}

// isEmpty reports whether a value is absent.
func isEmpty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0
}

// isNull reports whether a value is null, which removes what is inherited.
func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null" && n.Value == "null"
}

// found describes a node, for "found …".
func found(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.MappingNode:
		return "a map"
	case isEmpty(n):
		return "nothing"
	default:
		return strconv.Quote(Shortened(n.Value))
	}
}

// mostShown is the maximum number of characters of a name or value in a message.
const mostShown = 60

// Shortened returns the text cut to at most mostShown characters.
func Shortened(text string) string {
	if end := offset(text, mostShown); end < len(text) {
		return text[:end] + "…"
	}
	return text
}

// entry is a key of a map with its value.
type entry struct {
	key   Text
	value *yaml.Node
}

// entries returns the keys of a map with their values, in the order of the file. It reports a node
// that is no map, keys that are not text, and repeated keys, of which the first counts.
func (p *parser) entries(n *yaml.Node, key, want string) []entry {
	if n.Kind != yaml.MappingNode {
		p.wrong(n, key, "want %s, found %s", want, found(n))
		return nil
	}
	lines := map[string]int{}
	var entries []entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, value := n.Content[i], n.Content[i+1]
		if k.Kind != yaml.ScalarNode || k.Value == "" {
			p.wrong(k, key, "a key is a word, found %s", found(k))
			continue
		}
		if line, twice := lines[k.Value]; twice {
			p.wrong(k, below(key, k.Value), "comes twice; the first is on line %d", line)
			continue
		}
		lines[k.Value] = k.Line
		if isEmpty(value) { // problems are shown at its key
			value.Line, value.Column = k.Line, k.Column
		}
		entries = append(entries, entry{p.textOf(k), value})
	}
	return entries
}

// below returns the path of a key below another. It quotes a name with characters other than
// letters, digits, _, - and /.
func below(key, name string) string {
	name = Shortened(name)
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/") != "" {
		name = strconv.Quote(name)
	}
	if key == "" {
		return name
	}
	return key + "." + name
}
