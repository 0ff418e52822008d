package configs

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// foreach is the word of an entry that is written once and stands for several, one for each
// combination of values.
const foreach = "foreach"

// What foreach and groups of one file may stand for.
const (
	mostMade = 200_000 // words of entries
	mostText = 4 << 20 // bytes of texts with values in them
)

// variable is a name that stands in an entry as <name>, with its value in one of the entries that
// foreach makes of it.
type variable struct {
	name  Text
	value *yaml.Node // a scalar, or a list of scalars
}

// instance is an entry as its reader sees it: written in the file, or one of those that foreach
// makes of what is written.
type instance struct {
	entry
	given []variable // by foreach, of the entry and of the groups around it
}

// writing writes out the entries of a section: those of groups take over the words of their groups,
// and those with foreach are made for each combination of values. What is made has the positions of
// what is written.
type writing struct {
	p        *parser
	key      string // path of the section
	group    string // the word under which a group has its entries; empty where there are no groups
	made     []instance
	first    map[string]Text // by name: where an entry was made
	declared []Text          // variables
	used     map[Pos]bool    // variables, by where they are declared
	at       string          // path of what is being made
	isWrong  bool            // it cannot be made, which is noted
	doubled  map[Pos]bool    // where a name was noted that several entries would have
	isFull   bool            // no more may be made, which is noted
}

// writtenOut returns the entries of a map from names, with all that foreach and groups stand for.
func (p *parser) writtenOut(n *yaml.Node, key, group, want string) []instance {
	w := &writing{p: p, key: key, group: group, first: map[string]Text{}, used: map[Pos]bool{}, doubled: map[Pos]bool{}}
	before := p.problems.Count()
	for _, e := range p.namedEntries(n, key, want) {
		w.add(e, nil, nil)
	}
	if p.problems.Count() == before {
		w.checkUsed()
	}
	return w.made
}

// add makes the entries that one stands for, with the words of the group that it stands in.
func (w *writing) add(e entry, shared []entry, given []variable) {
	if w.isFull || w.p.ctx.Err() != nil {
		return
	}
	if e.value.Kind != yaml.MappingNode { // to be noted by the reader
		w.make(e, given)
		return
	}
	key := below(w.key, e.key.Value)
	var rows, group *yaml.Node
	words := slices.Clone(shared)
	for _, word := range w.p.entries(e.value, key, "a map") {
		switch word.key.Value {
		case foreach:
			rows = word.value
		case w.group:
			group = word.value
		default:
			words = Replaced(words, []entry{word}, func(e entry) Text { return e.key })
		}
	}
	if rows == nil && group == nil && shared == nil {
		w.make(e, given)
		return
	}
	for _, more := range w.combinations(rows, below(key, foreach), given) {
		all := slices.Concat(given, more)
		if group == nil {
			w.make(entry{e.key, mapping(words, e.value)}, all)
			continue
		}
		for _, member := range w.p.namedEntries(group, below(key, w.group), "a map from names to what differs between them") {
			w.add(member, words, all)
		}
	}
}

// mapping returns a map of the entries that stands where another one does.
func mapping(entries []entry, where *yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: where.Tag, Line: where.Line, Column: where.Column}
	for _, e := range entries {
		n.Content = append(n.Content, scalarAt(e.key), e.value)
	}
	return n
}

// scalarAt returns text as a node, which is never taken for nothing.
func scalarAt(t Text) *yaml.Node {
	return &yaml.Node{
		Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: t.Value, Line: t.Pos.Line, Column: t.Pos.Column,
	}
}

// make adds an entry with values in the place of its placeholders.
func (w *writing) make(e entry, given []variable) {
	key := below(w.key, e.key.Value)
	w.at, w.isWrong = key, false
	if w.p.written += size(e.value); w.p.written > mostMade {
		w.stop(e.key, key, "the study has more than %d words up to here, with all that foreach and groups stand for; make several "+
			"studies of it", mostMade)
		return
	}
	made := entry{e.key, e.value}
	if len(given) > 0 {
		name := w.filled(scalarAt(e.key), given)
		if name.Kind != yaml.ScalarNode {
			w.p.wrongAt(e.key.Pos, key, "is a list; a name is one value")
			return
		}
		made.key.Value = name.Value
		if made.value.Kind == yaml.MappingNode {
			words := *made.value
			words.Content = slices.Clone(words.Content)
			for i := 1; i < len(words.Content); i += 2 {
				words.Content[i] = w.filled(words.Content[i], given)
			}
			made.value = &words
		}
	}
	switch before, twice := w.first[made.key.Value]; {
	case w.isFull || w.isWrong:
		return
	case twice && before.Pos == made.key.Pos && w.doubled[before.Pos]:
		return
	case twice && before.Pos == made.key.Pos:
		w.doubled[before.Pos] = true
		w.p.wrongAt(e.key.Pos, key, "foreach makes several entries of the name %q; %s", Shortened(made.key.Value), apart(e.key.Value, given))
		return
	case twice:
		w.p.wrongAt(e.key.Pos, below(w.key, made.key.Value), "comes twice; the first is on line %d", before.Pos.Line)
		return
	case len(w.made) == mostEntries:
		w.stop(e.key, key, "is more than %d entries with all that foreach and groups stand for", mostEntries)
		return
	}
	w.first[made.key.Value] = made.key
	w.made = append(w.made, instance{made, given})
}

// stop notes that no more can be made.
func (w *writing) stop(at Text, key, format string, args ...any) {
	if !w.isFull {
		w.p.wrongAt(at.Pos, key, format, args...)
	}
	w.isFull = true
}

// size returns how many scalars, lists and maps a node has.
func size(n *yaml.Node) int {
	words := 1
	for _, child := range n.Content {
		words += size(child)
	}
	return words
}

// apart says how to give entries of one name different names.
func apart(name string, given []variable) string {
	var lacking []string
	for _, v := range given {
		if placeholder := "<" + v.name.Value + ">"; !strings.Contains(name, placeholder) {
			lacking = append(lacking, placeholder)
		}
	}
	if lacking == nil {
		return "a combination of values comes twice"
	}
	return "tell them apart with " + either(lacking)
}

// filled returns a node with values in the place of the placeholders of its texts.
func (w *writing) filled(n *yaml.Node, given []variable) *yaml.Node {
	if n.Kind == yaml.ScalarNode {
		return w.filledText(n, given)
	}
	filled := *n
	filled.Content = slices.Clone(n.Content)
	for i, child := range n.Content {
		filled.Content[i] = w.filled(child, given)
	}
	return &filled
}

// filledText is filled for a scalar. One that is nothing but a placeholder may become a list.
func (w *writing) filledText(n *yaml.Node, given []variable) *yaml.Node {
	var parts []string
	length, rest := 0, n.Value
	for rest != "" {
		before, name, after, found := cutPlaceholder(rest)
		i := slices.IndexFunc(given, func(v variable) bool { return v.name.Value == name })
		switch {
		case !found:
			parts, rest = append(parts, rest), ""
		case i < 0 && !isWord(name):
			parts, rest = append(parts, rest[:len(rest)-len(after)]), after
		case i < 0:
			w.isWrong = true
			w.p.wrong(n, w.at, "nothing says what <%s> stands for; %s", Shortened(name), Suggest(name, names(given)))
			return n
		case given[i].value.Kind == yaml.SequenceNode:
			w.used[given[i].name.Pos] = true
			if n.Value == "<"+name+">" {
				return given[i].value
			}
			w.isWrong = true
			w.p.wrong(n, w.at, "<%s> is a list, which stands by itself and not within text", name)
			return n
		default:
			w.used[given[i].name.Pos] = true
			parts, rest = append(parts, before, given[i].value.Value), after
		}
	}
	for _, part := range parts {
		length += len(part)
	}
	if len(parts) < 2 {
		return n // as it is written
	}
	if w.p.filled += length; w.p.filled > mostText {
		w.stop(w.p.textOf(n), w.at, "the texts in which values of foreach stand are longer than %d MB up to here; make several studies of it",
			mostText>>20)
		return n
	}
	filled := scalarAt(w.p.textOf(n))
	filled.Value = strings.Join(parts, "")
	return filled
}

// names returns those of the variables.
func names(given []variable) []string {
	var all []string
	for _, v := range given {
		all = append(all, v.name.Value)
	}
	return all
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

// isWord reports whether a name is one word, as no comparison of two numbers is.
func isWord(name string) bool {
	isOther := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	}
	return name != "" && !strings.ContainsFunc(name, isOther) && (name[0] < '0' || name[0] > '9')
}

// checkUsed notes variables that stand in no text.
func (w *writing) checkUsed() {
	for _, v := range w.declared {
		if !w.used[v.Pos] {
			w.p.wrongAt(v.Pos, w.key, "no text of the entry has <%s>; use it or take it out", Shortened(v.Value))
		}
	}
}

// axis is a variable with all its values.
type axis struct {
	name   Text
	values []*yaml.Node
}

// combinations returns what the variables of foreach are in each entry that it makes: one without
// variables where there is no foreach, and none where something is wrong with it, which is noted.
func (w *writing) combinations(n *yaml.Node, key string, given []variable) [][]variable {
	if n == nil {
		return [][]variable{nil}
	}
	w.p.written += size(n)
	rows := w.rows(n, key)
	total := 0
	declared := map[string]Pos{} // by the first row, for which the others stand too
	for _, row := range rows {
		count := 1
		for i, a := range row {
			name := a.name
			if slices.ContainsFunc(given, func(v variable) bool { return v.name.is(name) }) {
				w.p.wrongAt(name.Pos, key, "%s has a value in the group around this; name it differently", Shortened(name.Value))
				return nil
			}
			if _, again := declared[name.Value]; !again {
				declared[name.Value] = w.declare(name)
			}
			row[i].name.Pos = declared[name.Value]
			count = min(count*len(a.values), mostEntries+1)
		}
		total += count
		w.p.written += count * len(row)
	}
	if total > mostEntries || w.p.written > mostMade {
		w.stop(w.p.textOf(n), key, "makes more than %d entries, or the study has more than %d words with all that foreach and "+
			"groups stand for; make several studies of it", mostEntries, mostMade)
		return nil
	}
	var all [][]variable
	for _, row := range rows {
		all = append(all, product(row)...)
	}
	return all
}

// declare notes a variable that has to stand in some text, and returns its place.
func (w *writing) declare(name Text) Pos {
	if _, again := w.used[name.Pos]; !again {
		_, isFactor := w.p.factors[name.Value]
		w.used[name.Pos] = w.group == "" && isFactor // by the settings of its levels
		w.declared = append(w.declared, name)
	}
	return name.Pos
}

// product returns all combinations of the values, those of the last variable next to one another.
func product(row []axis) [][]variable {
	all := [][]variable{nil}
	for _, a := range row {
		var longer [][]variable
		for _, before := range all {
			for _, value := range a.values {
				longer = append(longer, append(slices.Clip(before), variable{a.name, value}))
			}
		}
		all = longer
	}
	return all
}

// rows reads what foreach says: a factor or a list of them, a map from names to values, or a list
// of such maps, which name the same.
func (w *writing) rows(n *yaml.Node, key string) [][]axis {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	isMap := func(item *yaml.Node) bool { return item.Kind == yaml.MappingNode }
	if len(items) > 0 && !slices.ContainsFunc(items, isMap) {
		var row []axis
		for _, factor := range w.p.list(n, key) {
			row = append(row, w.levelsOf(factor, key))
		}
		return checked([][]axis{row})
	}
	var rows [][]axis
	if len(items) == 0 {
		w.p.wrong(n, key, "the list is empty")
	}
	if len(items) > mostEntries {
		w.p.wrong(n, key, "has %d rows; at most %d", len(items), mostEntries)
		return nil
	}
	for i, item := range items {
		row := w.row(item, key)
		if i > 0 && len(rows[0]) > 0 && len(row) > 0 && !slices.EqualFunc(sorted(rows[0]), sorted(row), Text.is) {
			w.p.wrong(item, key, "names %s; the first one names %s", joined(sorted(row)), joined(sorted(rows[0])))
			return nil
		}
		rows = append(rows, row)
	}
	return checked(rows)
}

// checked returns the rows, or none where not all of them could be read.
func checked(rows [][]axis) [][]axis {
	isEmpty := func(a axis) bool { return len(a.values) == 0 }
	for _, row := range rows {
		if len(row) == 0 || slices.ContainsFunc(row, isEmpty) {
			return nil
		}
	}
	return rows
}

// sorted returns the names of a row in alphabetical order.
func sorted(row []axis) []Text {
	var all []Text
	for _, a := range row {
		all = append(all, a.name)
	}
	slices.SortFunc(all, func(a, b Text) int { return strings.Compare(a.Value, b.Value) })
	return all
}

// row reads a map from names to a value, a list of values of which each may be a list, or all for
// those of a factor.
func (w *writing) row(n *yaml.Node, key string) []axis {
	var row []axis
	if !w.p.isFew(n, key) {
		return nil
	}
	for _, e := range w.p.namedEntries(n, key, "a factor, a map from names to values, or a list of them") {
		key := below(key, e.key.Value)
		w.p.checkName(e.key, key)
		a := axis{name: e.key}
		switch {
		case e.value.Kind == yaml.ScalarNode && e.value.Value == allLevels:
			a = w.levelsOf(e.key, key)
		case e.value.Kind == yaml.SequenceNode && len(e.value.Content) == 0:
			w.p.wrong(e.value, key, "the list is empty")
		case e.value.Kind == yaml.SequenceNode:
			a.values = w.p.values(e.value, key)
		default:
			if _, ok := w.p.scalar(e.value, key, "a value, a list of values or "+allLevels); ok {
				a.values = []*yaml.Node{e.value}
			}
		}
		row = append(row, a)
	}
	return row
}

// values returns the items of a list, scalars and lists of scalars, or nothing where one is
// something else.
func (p *parser) values(n *yaml.Node, key string) []*yaml.Node {
	before := p.problems.Count()
	for _, item := range n.Content {
		scalars := []*yaml.Node{item}
		if item.Kind == yaml.SequenceNode {
			scalars = item.Content
		}
		for _, scalar := range scalars {
			p.scalar(scalar, key, "a value or a list of values")
		}
	}
	if p.problems.Count() > before {
		return nil
	}
	return n.Content
}

// knownFactor is a factor that foreach may name.
type knownFactor struct {
	Factor
	index map[string]int // of its levels, by canonical label
}

// know lets foreach name a factor.
func (p *parser) know(f Factor) {
	k := knownFactor{f, map[string]int{}}
	for i, level := range f.Levels {
		k.index[CanonicalLabel(level.Label.Value)] = i
	}
	p.factors[f.Name.Value] = k
}

// levelsOf returns the levels of a factor of this file, that stands above, or of one that is
// inherited.
func (w *writing) levelsOf(name Text, key string) axis {
	a := axis{name: name}
	f, found := w.p.factors[name.Value]
	if !found && !w.p.lacksFactors {
		where := ""
		if w.group == "" {
			where = " above this one"
		}
		w.p.wrongAt(name.Pos, key, "no factor %q%s; %s", Shortened(name.Value), where,
			Suggest(name.Value, slices.Sorted(maps.Keys(w.p.factors))))
	}
	for _, level := range f.Levels {
		if !f.Broken {
			a.values = append(a.values, scalarAt(Text{level.Label.Value, name.Pos}))
		}
	}
	return a
}

// settingsOf returns the settings of the levels of factors that a level is a combination of, with
// the key of that level.
func (p *parser) settingsOf(level instance, key, levelKey string) []Setting {
	var all []Setting
	by := map[string]string{}
	for _, v := range level.given {
		f, found := p.factors[v.name.Value]
		if !found || v.value.Kind != yaml.ScalarNode {
			continue
		}
		i, found := f.index[CanonicalLabel(v.value.Value)]
		if !found {
			var known []string
			for _, l := range f.Levels {
				known = append(known, l.Label.Value)
			}
			p.wrong(v.value, key, "factor %s has no level %q; %s", f.Name.Value, Shortened(v.value.Value), Suggest(v.value.Value, known))
			continue
		}
		level := f.Levels[i]
		settings := level.Settings
		if f.List {
			settings = []Setting{{Name: Text{f.Name.Value, v.name.Pos}, Value: level.Label}}
		}
		for _, s := range settings {
			if other, twice := by[s.Name.Value]; twice {
				p.wrongAt(v.name.Pos, key, "both %s and %s set %s; take one of them out", other, f.Name.Value, s.Name.Value)
				continue
			}
			by[s.Name.Value] = f.Name.Value
			all = append(all, Setting{Name: s.Name, Value: s.Value, Key: below(levelKey, s.Name.Value)})
		}
	}
	return all
}

// The words by which an entry stands for several are gone when it is read.
var (
	combined = reader{read: func(*parser, *yaml.Node, string) {}, form: foreachForm}
	members  = reader{read: combined.read, form: func(Meaning) *Schema { return &Schema{} }} // see severalForm
)

// foreachForm is that of foreach.
func foreachForm(Meaning) *Schema {
	item := &Schema{AnyOf: []*Schema{scalarBut(), {Type: "array", MinItems: 1, Items: scalarBut()}}}
	row := mapOf(lineForm(), &Schema{AnyOf: []*Schema{scalarBut("null"), {Type: "array", MinItems: 1, Items: item}}})
	either := OneOrMore(nameForm())
	either.AnyOf = append(either.AnyOf, row, &Schema{Type: "array", MinItems: 1, Items: row})
	return either
}

// orNull is the type of entries, in whose place null takes out an inherited one.
var orNull = []string{"object", "null"}

// severalForm is that of a section whose entries may stand for several. What an entry has to have
// is asked of those that are no group: what the members of a group lack stands in the group. Texts
// with placeholders may stand everywhere.
func severalForm(section string, names, entry *Schema) *Schema {
	whole := *entry
	whole.Type, whole.Properties, whole.AdditionalProperties = nil, nil, nil
	member := &Schema{Type: orNull, Properties: map[string]*Schema{}, AdditionalProperties: Nothing()}
	for word, form := range entry.Properties {
		member.Properties[word] = form.orPlaceholder()
	}
	names = names.orPlaceholder()
	member.Properties[foreach] = entry.Properties[foreach]
	top := *member
	top.Properties = maps.Clone(member.Properties)
	top.Properties[section] = mapOf(names, member)
	top.Properties[section].Description = entry.Properties[section].Description
	member.Properties[section] = &Schema{Ref: "#/properties/" + section + "/additionalProperties/properties/" + section}
	top.If, top.Else = &Schema{Required: []string{section}}, &whole
	return mapOf(names, &top)
}

// orPlaceholder returns the schema of what has text with a placeholder in the place of any word, or
// of any list.
func (s *Schema) orPlaceholder() *Schema {
	if s == nil || s.isNothing {
		return s
	}
	loose := *s
	loose.Items, loose.PropertyNames = s.Items.orPlaceholder(), s.PropertyNames.orPlaceholder()
	loose.AdditionalProperties = s.AdditionalProperties.orPlaceholder()
	loose.Properties, loose.AnyOf = map[string]*Schema{}, nil
	for name, form := range s.Properties {
		loose.Properties[name] = form.orPlaceholder()
	}
	for _, either := range s.AnyOf {
		loose.AnyOf = append(loose.AnyOf, either.orPlaceholder())
	}
	if s.Type == "object" || s.AnyOf != nil {
		return &loose
	}
	loose.Description = ""
	return &Schema{Description: s.Description, AnyOf: []*Schema{&loose, {Type: "string", Pattern: "<[^<>]+>"}}}
}
