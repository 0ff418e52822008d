// The values of foreach: the combinations of values of its variables.

package configs

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// loop is a variable of foreach with all its values.
type loop struct {
	name   Text
	values []*yaml.Node
}

// combinations returns the variables' values for each entry that foreach makes: one combination
// without variables if there is no foreach, and none if its problems were reported.
func (x *expansion) combinations(n *yaml.Node, key string, bindings []variable) [][]variable {
	if n == nil {
		return [][]variable{nil}
	}
	x.p.written += size(n)
	rows := x.rows(n, key)
	total := 0
	// where the first row names a variable; x.used has it by this position for all rows
	declared := map[string]Pos{}
	for _, row := range rows {
		count := 1
		for i, l := range row {
			name := l.name
			if slices.ContainsFunc(bindings, func(v variable) bool { return v.name.is(name) }) {
				x.p.wrongAt(name.Pos, key, "%s has a value in the group around this; name it differently", Shortened(name.Value))
				return nil
			}
			if _, again := declared[name.Value]; !again {
				declared[name.Value] = x.declare(name)
			}
			row[i].name.Pos = declared[name.Value]
			count = min(count*len(l.values), mostEntries+1)
		}
		total += count
		x.p.written += count * len(row)
	}
	if total > mostEntries || x.p.written > mostMade {
		x.stop(x.p.textOf(n), key,
			"makes more than %d entries, or the study has more than %d keys and values with all that foreach and "+
				"groups stand for; make several studies of it", mostEntries, mostMade)
		return nil
	}
	var all [][]variable
	for _, row := range rows {
		all = append(all, product(row)...)
	}
	return all
}

// declare records a variable, and returns its position in the file. checkUsed reports those that no
// text refers to.
func (x *expansion) declare(name Text) Pos {
	if _, again := x.used[name.Pos]; !again {
		_, isFactor := x.p.factors[name.Value]
		x.used[name.Pos] = x.isOfLevels() && isFactor // settingsOf uses it, whatever the text says
		x.declared = append(x.declared, name)
	}
	return name.Pos
}

// product returns all combinations of the values; the last variable varies fastest.
func product(row []loop) [][]variable {
	all := [][]variable{nil}
	for _, l := range row {
		var longer [][]variable
		for _, before := range all {
			for _, value := range l.values {
				longer = append(longer, append(slices.Clip(before), variable{l.name, value}))
			}
		}
		all = longer
	}
	return all
}

// rows reads the value of foreach: a factor or a list of factors, a map from names to values, or a
// list of such maps with the same names.
func (x *expansion) rows(n *yaml.Node, key string) [][]loop {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	isMap := func(item *yaml.Node) bool { return item.Kind == yaml.MappingNode }
	if len(items) > 0 && !slices.ContainsFunc(items, isMap) {
		var row []loop
		for _, factor := range x.p.list(n, key) {
			row = append(row, x.levelsOf(factor, key))
		}
		return unlessUnread([][]loop{row})
	}
	var rows [][]loop
	if len(items) == 0 {
		x.p.wrong(n, key, "the list is empty")
	}
	if len(items) > mostEntries {
		x.p.wrong(n, key, "has %d rows; at most %d", len(items), mostEntries)
		return nil
	}
	for i, item := range items {
		row := x.row(item, key)
		if i > 0 && len(rows[0]) > 0 && len(row) > 0 && !slices.EqualFunc(sorted(rows[0]), sorted(row), Text.is) {
			x.p.wrong(item, key, "names %s; the first one names %s", joined(sorted(row)), joined(sorted(rows[0])))
			return nil
		}
		rows = append(rows, row)
	}
	return unlessUnread(rows)
}

// unlessUnread returns the rows, or none if some of them could not be read.
func unlessUnread(rows [][]loop) [][]loop {
	isEmpty := func(l loop) bool { return len(l.values) == 0 }
	for _, row := range rows {
		if len(row) == 0 || slices.ContainsFunc(row, isEmpty) {
			return nil
		}
	}
	return rows
}

// sorted returns the names of a row in alphabetical order.
func sorted(row []loop) []Text {
	all := mapped(row, func(l loop) Text { return l.name })
	slices.SortFunc(all, func(a, b Text) int { return strings.Compare(a.Value, b.Value) })
	return all
}

// row reads a map from names to a value, to a list of values (each of which may be a list), or to
// "all" for all levels of a factor.
func (x *expansion) row(n *yaml.Node, key string) []loop {
	var row []loop
	if !x.p.isFew(n, key) {
		return nil
	}
	for _, e := range x.p.namedEntries(n, key, "a factor, a map from names to values, or a list of them") {
		key := below(key, e.key.Value)
		x.p.checkName(e.key, key)
		l := loop{name: e.key}
		switch {
		case e.value.Kind == yaml.ScalarNode && e.value.Value == allLevels:
			l = x.levelsOf(e.key, key)
		case e.value.Kind == yaml.SequenceNode && len(e.value.Content) == 0:
			x.p.wrong(e.value, key, "the list is empty")
		case e.value.Kind == yaml.SequenceNode:
			l.values = x.p.values(e.value, key)
		default:
			if _, ok := x.p.scalar(e.value, key, "a value, a list of values or "+allLevels); ok {
				l.values = []*yaml.Node{e.value}
			}
		}
		row = append(row, l)
	}
	return row
}

// values returns the items of a list, scalars and lists of scalars, or nil if an item is anything
// else.
func (p *parser) values(n *yaml.Node, key string) []*yaml.Node {
	before := p.reported
	for _, item := range n.Content {
		scalars := []*yaml.Node{item}
		if item.Kind == yaml.SequenceNode {
			scalars = item.Content
		}
		for _, scalar := range scalars {
			p.scalar(scalar, key, "a value or a list of values")
		}
	}
	if p.reported > before {
		return nil
	}
	return n.Content
}
