// Figures of a study file.

package configs

import (
	"slices"

	"github.com/dustin/go-humanize/english"
	"go.yaml.in/yaml/v4"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
)

func (s *Study) readFigure(p *parser, name Text, n *yaml.Node, key string) {
	before := p.reported
	p.checkFileName(name, key)
	f := Figure{Name: name}
	has := p.record(figureRecord(&f), name.Pos, n, key)
	kind := language.FigureKind(f.Kind.Value)
	if has != nil {
		p.checkQuery(&f.Query, has, key)
		p.checkRecord(record{required: kindRequired(kind)}, has, name.Pos, key)
	}
	p.checkKind(kind, has, key)
	p.checkWhiskers(&f, has, key)
	if kind == language.Gantt && len(f.Show) > 1 {
		p.wrongAt(f.Show[1].Pos, below(key, "show"), "a gantt shows one column: where its rectangles begin on the y axis")
	}
	uses := []use{{"x", []Text{f.X}}, {"series", f.Series}, {"panels", []Text{f.Panels}}, {"over", f.Over}}
	if f.Right.Value != "" {
		p.checkRight(&f, key)
		// the axes tell the columns apart, so that nothing else may
		uses = append(uses, use{"right", []Text{{Value: language.MetricDimension, Pos: f.Right.Pos}}})
	}
	p.checkOnce(key, uses...)
	p.checkAxisWords(&f, has, key)
	for _, r := range f.Range {
		if r.Panel.Value != "" && has["panels"] == nil {
			p.wrongAt(r.Panel.Pos, below(below(key, "range"), r.Axis.Value),
				"limits for each panel need panels; else write [low, high]")
		}
		if r.Low <= 0 && slices.ContainsFunc(f.Log, r.Axis.is) {
			p.wrongAt(r.Axis.Pos, below(below(key, "range"), r.Axis.Value), "starts at %v; a logarithmic axis is above 0", r.Low)
		}
	}
	f.Broken = p.reported > before
	s.Figures = append(s.Figures, f)
}

// kindRequired returns the fields that a figure of the kind must have.
func kindRequired(kind language.FigureKind) []wanted {
	switch kind {
	case language.Heat:
		return []wanted{{"series", "the dimension up the side of a heat map"}}
	case language.Gantt:
		return []wanted{
			{"from", "the table whose rows are the rectangles"},
			{"end", "the column that says where the rectangles end, which begin at x"},
			{"height", "the column that says how tall the rectangles are"},
			{"round", "the replication that is drawn; the rectangles of several would lie on top of one another"},
		}
	default:
		return nil
	}
}

// ofSome lists the fields that only some kinds of figures have.
var ofSome = []struct {
	word  string
	kinds []language.FigureKind
}{
	{"end", []language.FigureKind{language.Gantt}},
	{"height", []language.FigureKind{language.Gantt}},
	{"at", []language.FigureKind{language.Line, language.Bar, language.Heat}},
	{"against", []language.FigureKind{language.Line, language.Bar, language.Heat}},
	{"over", []language.FigureKind{language.Line, language.Bar, language.Heat}},
	{"stat", []language.FigureKind{language.Line, language.Bar, language.Heat}},
	{"published", []language.FigureKind{language.Line, language.Bar, language.Heat}},
	{"log", []language.FigureKind{language.Line, language.Bar, language.Points, language.Heat}},
	{"right", []language.FigureKind{language.Line}},
	{"whiskers", []language.FigureKind{language.Line, language.Bar}},
}

// checkKind reports fields that the kind of a figure does not have.
func (p *parser) checkKind(kind language.FigureKind, has present, key string) {
	for _, some := range ofSome {
		if n := has[some.word]; n != nil && kind != "" && !slices.Contains(some.kinds, kind) {
			p.wrong(n, below(key, some.word), "does not go with kind %s, but with %s", kind,
				english.WordSeries(language.Strings(some.kinds), "or"))
		}
	}
}

// checkRight reports a right axis of a figure that shows one column or more than two, and one of a
// column that it does not show.
func (p *parser) checkRight(f *Figure, key string) {
	key = below(key, "right")
	if n := len(f.Show); n == 1 || n > 2 {
		p.wrongAt(f.Right.Pos, key, "goes with two columns in show, the other of which has the left axis; show has %s",
			joined(f.Show))
	} else if n == 2 && !slices.ContainsFunc(f.Show, f.Right.is) {
		p.wrongAt(f.Right.Pos, key, "is not a column of show, %s", joined(f.Show))
	}
}

// checkWhiskers reports whiskers of one standard deviation if a figure shows a single replication
// or a statistic that is no location.
func (p *parser) checkWhiskers(f *Figure, has present, key string) {
	if language.Whiskers(f.Whiskers.Value) != language.Deviation {
		return
	}
	key = below(key, "whiskers")
	if has["round"] != nil {
		p.wrongAt(f.Whiskers.Pos, key, "one replication has no standard deviation; remove this or round")
	}
	isNoLocation := func(s statistics.Statistic) bool { return s.Measures() != statistics.Location }
	locations := dropped(statistics.All(), isNoLocation)
	for _, s := range f.Stat {
		if isNoLocation(statistics.Statistic(s.Value)) {
			p.wrongAt(f.Whiskers.Pos, key, "goes with stat %s; stat has %s",
				english.WordSeries(language.Strings(locations), "or"), s.Value)
		}
	}
}

func figureRecord(f *Figure) record {
	fields := append(queryFields(&f.Query),
		field{"title", text(&f.Title)},
		field{"kind", oneOf(&f.Kind, language.Strings(language.FigureKinds)...)},
		field{"x", text(&f.X)},
		field{"end", text(&f.End)},
		field{"height", text(&f.Height)},
		field{"at", text(&f.At)},
		field{"series", texts(&f.Series)},
		field{"panels", text(&f.Panels)},
		field{"right", text(&f.Right)},
		field{"log", texts(&f.Log, language.Strings(language.Axes)...)},
		field{"range", ranges(&f.Range)},
		field{"labels", axisFields(&f.Labels)},
		field{"units", axisFields(&f.Units)},
		field{"whiskers", oneOf(&f.Whiskers, language.Strings(language.AllWhiskers)...)},
		field{"round", reader{form: integer(nil, 0).form, read: func(p *parser, n *yaml.Node, key string) {
			f.Replication = new(int)
			integer(f.Replication, 0).read(p, n, key)
		}}},
		field{"published", published(func(name Text) { f.Published = append(f.Published, name) }, true)},
		field{foreach, foreachReader}, field{"figures", groupReader},
	)
	required := slices.Concat(queryRequired, []wanted{
		{"kind", "line, bar, points, heat or gantt"},
		{"x", "the dimension along the x axis, or for points and gantt a column"},
	})
	return record{"Figures", fields, required, slices.Concat(queryRules, []rule{
		{"round", nil, []string{"stat"}, "draws one replication, stat takes a statistic over all; remove one of them"},
	})}
}

func figuresForm(meaning Meaning) *Schema {
	figure := figureRecord(&Figure{}).form(meaning)
	for _, kind := range language.FigureKinds {
		then := &Schema{Required: required(kindRequired(kind)), Properties: map[string]*Schema{}}
		for _, some := range ofSome {
			if !slices.Contains(some.kinds, kind) {
				then.Properties[some.word] = Nothing()
			}
		}
		isKind := &Schema{Required: []string{"kind"}, Properties: map[string]*Schema{"kind": {Const: string(kind)}}}
		figure.AllOf = append(figure.AllOf, &Schema{If: isKind, Then: then})
	}
	return severalForm("figures", fileForm(), figure)
}

// ranges reads a map from the axes x and y to the pair of their ends; for y also a map from panels
// to such pairs.
func ranges(into *[]Range) reader {
	return reader{form: rangeForm, read: func(p *parser, n *yaml.Node, key string) {
		p.each(n, key, "a map from x or y to [low, high]", func(p *parser, axis Text, n *yaml.Node, key string) {
			if !p.isOneOf(axis, key, language.Strings(language.Axes)) {
				return
			}
			if n.Kind != yaml.MappingNode || axis.Value != string(language.Y) {
				limits(into, Range{Axis: axis}).read(p, n, key)
				return
			}
			seen := map[string]Text{}
			p.each(n, key, "a map from panels to [low, high]", func(p *parser, panel Text, n *yaml.Node, key string) {
				if p.isNew(seen, panel, key) {
					limits(into, Range{Axis: axis, Panel: panel}).read(p, n, key)
				}
			})
		})
	}}
}

// limits reads the pair of the ends of a range.
func limits(into *[]Range, r Range) reader {
	form := func(meaning Meaning) *Schema {
		return &Schema{Type: "array", MinItems: 2, MaxItems: 2, Items: numberForm(meaning)}
	}
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		if n.Kind != yaml.SequenceNode || len(n.Content) != 2 {
			p.wrong(n, key, "want [low, high], found %s", found(n))
			return
		}
		before := p.reported
		number(&r.Low).read(p, n.Content[0], key)
		number(&r.High).read(p, n.Content[1], key)
		if p.reported == before && r.Low >= r.High {
			p.wrong(n, key, "%v is not below %v; the low end comes first", r.Low, r.High)
		}
		*into = append(*into, r)
	}}
}

// axisFields reads a map from axes to a text for each.
func axisFields(into *AxisWords) reader {
	words := func(into *AxisWords) record {
		return record{fields: []field{{"x", text(&into.X)}, {"y", text(&into.Y)}, {"right", text(&into.Right)}}}
	}
	form := func(meaning Meaning) *Schema {
		s := words(&AxisWords{}).form(func(string, string) string { return "" })
		s.MinProperties = 1
		return s
	}
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		*into = AxisWords{}
		if n.Kind == yaml.MappingNode && len(n.Content) == 0 {
			p.wrong(n, key, "is empty; want a map of x, y, right")
		}
		p.record(words(into), p.pos(n), n, key)
	}}
}

// checkAxisWords reports labels and units of axes that the figure does not have, or that differ
// between its panels.
func (p *parser) checkAxisWords(f *Figure, has present, key string) {
	isHeat := language.FigureKind(f.Kind.Value) == language.Heat
	for _, words := range []struct {
		word string
		axes AxisWords
	}{{"labels", f.Labels}, {"units", f.Units}} {
		key := below(key, words.word)
		if right := words.axes.Right; right.Value != "" && has["right"] == nil && !isHeat && f.Kind.Value != "" {
			p.wrongAt(right.Pos, below(key, "right"),
				"there is no axis on the right; it goes with right, and with the colours of a heat")
		}
		if y := words.axes.Y; y.Value != "" && f.Panels.Value == language.MetricDimension {
			p.wrongAt(y.Pos, below(key, "y"),
				"each panel has an axis of its own column; leave it out, or take one column for each figure")
		}
	}
	if y := f.Units.Y; y.Value != "" && isHeat {
		p.wrongAt(y.Pos, below(below(key, "units"), "y"), "a heat has names up its side; the unit of its colours is right")
	}
}

// rangeForm is the schema of ranges.
func rangeForm(meaning Meaning) *Schema {
	s := &Schema{Type: "object", MinProperties: 1, Properties: map[string]*Schema{}, AdditionalProperties: Nothing()}
	pair := limits(nil, Range{}).form
	s.Properties[string(language.X)] = pair(meaning)
	s.Properties[string(language.Y)] = &Schema{AnyOf: []*Schema{pair(meaning), mapOf(lineForm(), pair(meaning))}}
	return s
}
