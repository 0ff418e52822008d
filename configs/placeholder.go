// Placeholders such as <policy> in the texts of an entry, which values of foreach replace.

package configs

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// filled returns a node with the placeholders of its texts replaced by values.
func (x *expansion) filled(n *yaml.Node, bindings []variable) *yaml.Node {
	if n.Kind == yaml.ScalarNode {
		return x.filledText(n, bindings)
	}
	filled := *n
	filled.Content = slices.Clone(n.Content)
	for i, child := range n.Content {
		filled.Content[i] = x.filled(child, bindings)
	}
	return &filled
}

// filledText is filled for a scalar. A single placeholder may become a list.
func (x *expansion) filledText(n *yaml.Node, bindings []variable) *yaml.Node {
	var pieces []string
	rest := n.Value
	for rest != "" {
		before, name, after, found := cutPlaceholder(rest)
		i := slices.IndexFunc(bindings, func(v variable) bool { return v.name.Value == name })
		switch {
		case !found:
			pieces, rest = append(pieces, rest), ""
		case i < 0 && !placeholderName.MatchString(name):
			pieces, rest = append(pieces, rest[:len(rest)-len(after)]), after
		case i < 0:
			x.isWrong = true
			x.p.wrong(n, x.at, "nothing says what <%s> stands for; %s", Shortened(name), Suggest(name, names(bindings)))
			return n
		case bindings[i].value.Kind == yaml.SequenceNode:
			x.used[bindings[i].name.Pos] = true
			if n.Value == "<"+name+">" {
				return bindings[i].value
			}
			x.isWrong = true
			x.p.wrong(n, x.at, "<%s> is a list: it has to be the whole value", name)
			return n
		default:
			x.used[bindings[i].name.Pos] = true
			pieces, rest = append(pieces, before, bindings[i].value.Value), after
		}
	}
	if len(pieces) < 2 {
		return n // as it is written
	}
	for _, piece := range pieces {
		x.p.filled += len(piece)
	}
	if x.p.filled > mostText {
		x.stop(x.p.textOf(n), x.at,
			"the texts in which values of foreach stand are longer than %d MB up to here; make several studies of it",
			mostText>>20)
		return n
	}
	filled := scalarAt(x.p.textOf(n))
	filled.Value = strings.Join(pieces, "")
	return filled
}

// names returns those of the variables.
func names(bindings []variable) []string {
	return mapped(bindings, func(v variable) string { return v.name.Value })
}

// cutPlaceholder returns the text around the first <name>, and the name.
func cutPlaceholder(text string) (before, name, after string, found bool) {
	end := strings.IndexByte(text, '>')
	if end < 0 {
		return text, "", "", false
	}
	start := strings.LastIndexByte(text[:end], '<')
	if start < 0 {
		before, name, after, found = cutPlaceholder(text[end+1:])
		return text[:end+1] + before, name, after, found
	}
	return text[:start], text[start+1 : end], text[end+1:], true
}

// placeholderName distinguishes <name> from a text such as "1 < 2".
var placeholderName = regexp.MustCompile(`^[A-Za-z_-][A-Za-z0-9_-]*$`)
