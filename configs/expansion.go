// Expansion of entries that are written once and stand for several, by foreach and in groups.

package configs

import (
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"go.yaml.in/yaml/v4"
)

// foreach is the key of an entry that stands for several, one for each combination of values.
const foreach = "foreach"

// Limits on the expansion of one file.
const (
	mostMade = 200_000 // YAML nodes of entries
	mostText = 4 << 20 // bytes of texts with values in them
)

// variable is a name with its value in one of the entries that foreach makes. The entry refers to
// it as <name>.
type variable struct {
	name  Text
	value *yaml.Node // a scalar, or a list of scalars
}

// instance is an entry as its reader gets it: from the file, or made by foreach from an entry of
// the file.
type instance struct {
	entry
	bindings []variable // from foreach of the entry and of the groups around it
}

// expansion writes out the entries of a section: members of a group inherit the keys of the group,
// and an entry with foreach is made for each combination of values. Made entries have the positions
// of the text that they are made from.
type expansion struct {
	p        *parser
	key      string // path of the section
	group    string // the key of a group's members; empty if the section has no groups
	made     []instance
	first    map[string]Text // by name: where an entry was made
	declared []Text          // variables
	used     map[Pos]bool    // variables that were used, by the position of their declaration
	at       string          // path of the entry that is being made
	isWrong  bool            // that entry cannot be made, which is reported
	doubled  map[Pos]bool    // positions of names that were reported as made twice
	isFull   bool            // a limit was reached, which is reported
}

// isOfLevels reports whether the entries are levels of a factor or assumption; only these have no
// groups.
func (x *expansion) isOfLevels() bool { return x.group == "" }

// writtenOut returns the entries of a map from names after expansion.
func (p *parser) writtenOut(n *yaml.Node, key, group, want string) []instance {
	x := &expansion{p: p, key: key, group: group, first: map[string]Text{}, used: map[Pos]bool{}, doubled: map[Pos]bool{}}
	before := p.reported
	for _, e := range p.namedEntries(n, key, want) {
		x.add(e, nil, nil)
	}
	if p.reported == before {
		x.checkUsed()
	}
	return x.made
}

// add makes the entries that one stands for, with the keys of its group.
func (x *expansion) add(e entry, shared []entry, bindings []variable) {
	if x.isFull || x.p.ctx.Err() != nil {
		return
	}
	if e.value.Kind != yaml.MappingNode { // the reader reports it
		x.addEntry(e, bindings)
		return
	}
	key := below(x.key, e.key.Value)
	var rows, group *yaml.Node
	words := slices.Clone(shared)
	for _, word := range x.p.entries(e.value, key, "a map") {
		switch word.key.Value {
		case foreach:
			rows = word.value
		case x.group:
			group = word.value
		default:
			words = Replaced(words, []entry{word})
		}
	}
	if rows == nil && group == nil && shared == nil {
		x.addEntry(e, bindings)
		return
	}
	for _, more := range x.combinations(rows, below(key, foreach), bindings) {
		all := slices.Concat(bindings, more)
		if group == nil {
			x.addEntry(entry{e.key, mapping(words, e.value)}, all)
			continue
		}
		for _, member := range x.p.namedEntries(group, below(key, x.group), "a map from names to what differs between them") {
			x.add(member, words, all)
		}
	}
}

// mapping returns a map of the entries with the position of another map.
func mapping(entries []entry, where *yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: where.Tag, Line: where.Line, Column: where.Column}
	for _, e := range entries {
		n.Content = append(n.Content, scalarAt(e.key), e.value)
	}
	return n
}

// scalarAt returns text as a quoted node, so that it is never read as null.
func scalarAt(t Text) *yaml.Node {
	return &yaml.Node{
		Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: t.Value, Line: t.Pos.Line,
		Column: t.Pos.Column,
	}
}

// addEntry adds an entry with its placeholders replaced by values.
func (x *expansion) addEntry(e entry, bindings []variable) {
	key := below(x.key, e.key.Value)
	x.at, x.isWrong = key, false
	if x.p.written += size(e.value); x.p.written > mostMade {
		x.stop(e.key, key, "the study has more than %d keys and values up to here, with all that foreach and groups "+
			"stand for; make several studies of it", mostMade)
		return
	}
	made := entry{e.key, e.value}
	if len(bindings) > 0 {
		name := x.filled(scalarAt(e.key), bindings)
		if name.Kind != yaml.ScalarNode {
			x.p.wrongAt(e.key.Pos, key, "is a list; a name is one value")
			return
		}
		made.key.Value = name.Value
		if made.value.Kind == yaml.MappingNode {
			words := *made.value
			words.Content = slices.Clone(words.Content)
			for i := 1; i < len(words.Content); i += 2 {
				words.Content[i] = x.filled(words.Content[i], bindings)
			}
			made.value = &words
		}
	}
	switch before, twice := x.first[made.key.Value]; {
	case x.isFull || x.isWrong:
		return
	case twice && before.Pos == made.key.Pos && x.doubled[before.Pos]:
		return
	case twice && before.Pos == made.key.Pos:
		x.doubled[before.Pos] = true
		x.p.wrongAt(e.key.Pos, key, "foreach makes several entries of the name %q; %s", Shortened(made.key.Value),
			apart(e.key.Value, bindings))
		return
	case twice:
		x.p.wrongAt(e.key.Pos, below(x.key, made.key.Value), "comes twice; the first is on line %d", before.Pos.Line)
		return
	case len(x.made) == mostEntries:
		x.stop(e.key, key, "is more than %d entries with all that foreach and groups stand for", mostEntries)
		return
	}
	x.first[made.key.Value] = made.key
	x.made = append(x.made, instance{made, bindings})
}

// stop reports that a limit was reached.
func (x *expansion) stop(at Text, key, format string, args ...any) {
	if !x.isFull {
		x.p.wrongAt(at.Pos, key, format, args...)
	}
	x.isFull = true
}

// size returns how many scalars, lists and maps a node has.
func size(n *yaml.Node) int {
	nodes := 1
	for _, child := range n.Content {
		nodes += size(child)
	}
	return nodes
}

// apart returns advice on how to give entries of one name different names.
func apart(name string, bindings []variable) string {
	var lacking []string
	for _, v := range bindings {
		if placeholder := "<" + v.name.Value + ">"; !strings.Contains(name, placeholder) {
			lacking = append(lacking, placeholder)
		}
	}
	if lacking == nil {
		return "a combination of values comes twice"
	}
	return "tell them apart with " + english.WordSeries(lacking, "or")
}

// checkUsed reports variables that no text refers to.
func (x *expansion) checkUsed() {
	for _, v := range x.declared {
		if !x.used[v.Pos] {
			x.p.wrongAt(v.Pos, x.key, "no text of the entry has <%s>; use it or take it out", Shortened(v.Value))
		}
	}
}
