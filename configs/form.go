// Readers of values: text, labels, numbers, lists and maps, each with the schema of its form.

package configs

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// reader reads the value of a key into a variable.
type reader struct {
	read func(p *parser, n *yaml.Node, key string)
	form func(Meaning) *Schema // schema of its values; nil in catalogues of traces, which have none
}

// mostEntries is the maximum number of entries of a map from names, such as the claims of a study;
// also of the blocks of a table, and of the entries that one foreach or one section makes.
const mostEntries = 10_000

// named reads a map from names that the author chose, at least one; read reads each value.
func named(want string, form func(Meaning) *Schema, read readEntry) reader {
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) { p.each(n, key, want, read) }}
}

// readEntry reads the value of a name that the author chose. Key is its path.
type readEntry func(p *parser, name Text, n *yaml.Node, key string)

// each reads the values of a map from names that the author chose, at least one.
func (p *parser) each(n *yaml.Node, key, want string, read readEntry) {
	for _, e := range p.namedEntries(n, key, want) {
		if p.ctx.Err() != nil {
			return
		}
		p.checkName(e.key, below(key, e.key.Value))
		read(p, e.key, e.value, below(key, e.key.Value))
	}
}

// namedEntries is entries for names that the author chose, at least one.
func (p *parser) namedEntries(n *yaml.Node, key, want string) []entry {
	if n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		p.wrong(n, key, "is empty; want %s", want)
	}
	if len(n.Content)/2 > mostEntries {
		p.wrong(n, key, "has %d entries; at most %d", len(n.Content)/2, mostEntries)
		return nil
	}
	return p.entries(n, key, want)
}

// scalar returns the text of a value that is no list, no map and not missing.
func (p *parser) scalar(n *yaml.Node, key, want string) (Text, bool) {
	if n.Kind != yaml.ScalarNode || isEmpty(n) {
		p.wrong(n, key, "want %s, found %s", want, found(n))
		return Text{}, false
	}
	return p.textOf(n), true
}

// text reads text that is not empty, without the white space around it.
func text(into *Text) reader {
	return reader{form: textForm, read: func(p *parser, n *yaml.Node, key string) {
		t, ok := p.scalar(n, key, "text")
		t.Value = strings.TrimSpace(t.Value)
		switch {
		case ok && t.Value == "":
			p.wrong(n, key, "is empty")
		case ok:
			p.checkShown(t, key)
		}
		*into = t
	}}
}

// label reads the label of a level.
func label(into *Text) reader {
	form := func(meaning Meaning) *Schema { return labelForm(meaning, "null") }
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		t, ok := p.scalar(n, key, "a label")
		switch {
		case ok && t.Value == "":
			p.wrong(n, key, "a name or label is empty")
		case ok && p.checkName(t, key):
			*into = t
		}
	}}
}

// nameOfFile reads text that becomes the name of a file.
func nameOfFile(into *Text) reader {
	form := func(Meaning) *Schema { return &Schema{Type: textTypes, Pattern: `^\s*` + filePattern + `\s*$`} }
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		text(into).read(p, n, key)
		p.checkFileName(*into, key)
	}}
}

// oneOf reads one of the words.
func oneOf(into *Text, words ...string) reader {
	form := func(Meaning) *Schema { return enumOf(words) }
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		t, ok := p.scalar(n, key, "one of "+strings.Join(words, ", "))
		if ok && p.isOneOf(t, key, words) {
			*into = t
		}
	}}
}

func (p *parser) isOneOf(t Text, key string, words []string) bool {
	if slices.Contains(words, t.Value) {
		return true
	}
	p.wrongAt(t.Pos, key, "%q is not one of %s", Shortened(t.Value), strings.Join(words, ", "))
	return false
}

// mostWords is the maximum number of parameters, columns, factors or experiments in one list or
// map, far more than any model has. Lists of labels have no such limit.
const mostWords = 200

// isFew reports whether a list or map has at most mostWords names; more are a problem.
func (p *parser) isFew(n *yaml.Node, key string) bool {
	count := len(n.Content)
	if n.Kind == yaml.MappingNode {
		count /= 2
	}
	if count > mostWords {
		p.wrong(n, key, "names %d things; at most %d", count, mostWords)
	}
	return count <= mostWords
}

// texts reads a word or a list of different words. If words are passed, each must be one of them.
func texts(into *[]Text, words ...string) reader {
	form := func(Meaning) *Schema {
		if len(words) > 0 {
			return OneOrMore(enumOf(words))
		}
		return OneOrMore(nameForm())
	}
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		*into = nil
		if !p.isFew(n, key) {
			return
		}
		for _, t := range p.list(n, key) {
			if len(words) == 0 || p.isOneOf(t, key, words) {
				*into = append(*into, t)
			}
		}
	}}
}

// list returns the scalars of a list, or a single scalar as a list of one. An empty list is a
// problem, and so are two labels of equal value.
func (p *parser) list(n *yaml.Node, key string) []Text { return p.labels(n, key, map[string]Text{}) }

// labels is list for several lists that must not share a label; seen holds the labels of earlier
// lists.
func (p *parser) labels(n *yaml.Node, key string, seen map[string]Text) []Text {
	items, want := []*yaml.Node{n}, "a word or a list"
	if n.Kind == yaml.SequenceNode {
		items, want = n.Content, "a word"
	}
	if len(items) == 0 {
		p.wrong(n, key, "the list is empty")
	}
	var list []Text
	for _, item := range items {
		t, ok := p.scalar(item, key, want)
		if ok && t.Value == "" {
			p.wrong(item, key, "a name or label is empty")
		} else if ok && p.checkName(t, key) && p.isNew(seen, t, key) {
			list = append(list, t)
		}
	}
	return list
}

// isNew adds a label to seen; a label of equal value that is there already is a problem.
func (p *parser) isNew(seen map[string]Text, t Text, key string) bool {
	same := CanonicalLabel(t.Value)
	switch before, twice := seen[same]; {
	case !twice:
		seen[same] = t
		return true
	case before.Value == t.Value:
		p.wrongAt(t.Pos, key, "%s comes twice", Shortened(t.Value))
	default:
		p.wrongAt(t.Pos, key, "%s comes twice: %s is the same number", Shortened(t.Value), Shortened(before.Value))
	}
	return false
}

// integer reads a whole number from low to a million, written in digits.
func integer(into *int, low int) reader { return integerUpTo(into, low, mostInteger) }

// mostInteger is the largest whole number of a field; most of these fields count replications.
const mostInteger = 1_000_000

// integerUpTo is integer with another maximum.
func integerUpTo(into *int, low, high int) reader {
	form := func(Meaning) *Schema { return integerForm(low, high) }
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		t, ok := p.scalar(n, key, "a whole number")
		if !ok {
			return
		}
		i, err := strconv.Atoi(t.Value)
		switch {
		case err != nil && strings.Trim(t.Value, "0123456789") == "":
			p.wrong(n, key, "%s is too large; at most %d", Shortened(t.Value), high)
		case err != nil || strconv.Itoa(i) != t.Value:
			p.wrong(n, key, "%q is not a whole number; write one in digits, such as %d", Shortened(t.Value), max(low, 10))
		case i < low:
			p.wrong(n, key, "%d is too small; at least %d", i, low)
		case i > high:
			p.wrong(n, key, "%d is too large; at most %d", i, high)
		default:
			*into = i
		}
	}}
}

// number reads a decimal number.
func number(into *float64) reader {
	return reader{form: numberForm, read: func(p *parser, n *yaml.Node, key string) {
		t, ok := p.scalar(n, key, "a number")
		if !ok {
			return
		}
		if !isNumber(t.Value) {
			p.wrong(n, key, "%q is not a number; write one such as 7.5", Shortened(t.Value))
			return
		}
		*into, _ = strconv.ParseFloat(t.Value, 64) // isNumber has parsed it
	}}
}

// optional reads a number whose absence does not mean 0.
func optional(into **float64) reader {
	return reader{form: numberForm, read: func(p *parser, n *yaml.Node, key string) {
		*into = new(float64)
		number(*into).read(p, n, key)
	}}
}

func boolean(into *bool) reader {
	return reader{form: booleanForm, read: func(p *parser, n *yaml.Node, key string) {
		var t Text
		oneOf(&t, "true", "false").read(p, n, key)
		*into = t.Value == "true"
	}}
}

// settings reads a map from parameters to values. A value may be any scalar, also "".
func settings(into *[]Setting) reader { return values(into, "a map from parameters to values") }

// values is settings for a map from any names to values.
func values(into *[]Setting, want string) reader {
	return reader{form: settingsForm, read: func(p *parser, n *yaml.Node, key string) {
		*into = nil
		if !p.isFew(n, key) {
			return
		}
		for _, e := range p.entries(n, key, want) {
			key := below(key, e.key.Value)
			p.checkName(e.key, key)
			if value, ok := p.scalar(e.value, key, "a value"); ok && p.checkVisible(value, key) {
				*into = append(*into, Setting{Name: e.key, Value: value, Key: key})
			}
		}
	}}
}

// selections reads a map from dimensions to a label or a list of labels.
func selections(into *[]Selection) reader {
	return reader{form: selectionsForm, read: func(p *parser, n *yaml.Node, key string) {
		*into = nil
		if p.isFew(n, key) {
			p.each(n, key, "a map from dimensions to labels", func(p *parser, name Text, n *yaml.Node, key string) {
				*into = append(*into, Selection{Dimension: name, Labels: p.list(n, key)})
			})
		}
	}}
}

// isHidden reports whether a character is invisible but has an effect: control characters, line
// separators, and format characters, such as those that reverse the writing direction or have no
// width.
func isHidden(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }

// checkVisible reports whether text has no invisible character; one is a problem.
func (p *parser) checkVisible(t Text, key string) bool {
	i := strings.IndexFunc(t.Value, isHidden)
	if i >= 0 {
		r, _ := utf8.DecodeRuneInString(t.Value[i:])
		p.wrongAt(t.Pos, key, "%q is not one line of text that can be seen: leave out the character %U",
			Shortened(t.Value), r)
	}
	return i < 0
}

// checkShown reports text, of one or several lines, with invisible characters.
func (p *parser) checkShown(t Text, key string) {
	line := t
	for line.Value = range strings.SplitSeq(t.Value, "\n") {
		if !p.checkVisible(line, key) {
			return
		}
	}
}

// checkName reports whether a name or label is valid. Invisible characters are a problem, and so is
// a leading dash, which commands read as a flag, except in negative numbers.
func (p *parser) checkName(t Text, key string) bool {
	if !p.checkVisible(t, key) {
		return false
	}
	rest, hasDash := strings.CutPrefix(t.Value, "-")
	if hasDash && (rest == "" || !strings.Contains("0123456789.", rest[:1])) {
		p.wrongAt(t.Pos, key, "%q begins with -, as flags do; begin it with something else", Shortened(t.Value))
		return false
	}
	return true
}

// checkFileName reports a name that a file cannot have on every system.
func (p *parser) checkFileName(name Text, key string) {
	bad := func(r rune) bool { return strings.ContainsRune(`/\:*?"<>|`, r) || isHidden(r) }
	isOdd := strings.IndexAny(name.Value, ".-") == 0 || strings.HasSuffix(name.Value, ".")
	if strings.ContainsFunc(name.Value, bad) || isOdd || len(name.Value) > 100 {
		p.wrongAt(name.Pos, key,
			`%q cannot be the name of a file: at most 100 bytes, no dot or - in front, no dot at the end, `+
				`none of / \ : * ? " < > |, nothing that cannot be seen`,
			Shortened(name.Value))
	}
}
