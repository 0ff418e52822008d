package configs

// Tables and figures of a study file.

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
)

func (s *Study) readTable(p *parser, name Text, n *yaml.Node, key string) {
	before := p.problems.Count()
	p.fileName(name, key)
	t := Table{Name: name, MeanOf: 1}
	var shared Block
	var blocks []*yaml.Node
	has := p.record(n, key, slices.Concat(tableFields(&t, &blocks), blockFields(&shared)))
	p.checkRules(has, key, tableRules)
	if len(blocks) == 0 {
		t.Blocks = []Block{shared}
	}
	if has["blocks"] == nil {
		p.checkBlock(&t, &shared, has, name, key)
	}
	for _, n := range blocks {
		b := shared
		own := p.record(n, below(key, "blocks"), blockFields(&b))
		first := Text{Value: name.Value, Pos: p.pos(n)}
		p.checkBlock(&t, &b, has.merged(own), first, below(key, "blocks"))
		if own != nil && len(b.Rows) == 0 && b.Label.Value == "" {
			p.wrong(n, below(key, "blocks"), "a block without rows needs a label, which names its row")
		}
		t.Blocks = append(t.Blocks, b)
	}
	p.checkMeans(&t, has, key)
	p.checkShownAs(&t)
	for i := range t.Blocks {
		t.Blocks[i].Broken = p.problems.Count() > before
	}
	s.Tables = append(s.Tables, t)
}

// checkMeans reports mean_of with statistics for which no prediction interval of a mean of several
// runs is known. All blocks of a table must have the statistic trimmed, or none.
func (p *parser) checkMeans(t *Table, has present, key string) {
	if t.MeanOf < 2 {
		return
	}
	n, key := has["mean_of"], below(key, "mean_of")
	for _, b := range t.Blocks {
		stats := cmp.Or(joined(b.Stat), string(statistics.Mean))
		switch as := cmp.Or(language.Comparison(b.As.Value), language.Difference); {
		case t.IsTrimmed() && stats != string(statistics.Trimmed):
			p.wrong(n, key, "goes with one stat, mean or trimmed, in all of the table; stat has %s", stats)
		case t.IsTrimmed() && as != language.Difference:
			p.wrong(n, key, "goes with stat trimmed for numbers as they are and for differences; as is %s", as)
		case !t.IsTrimmed() && stats != string(statistics.Mean):
			p.wrong(n, key, "goes with stat mean or trimmed; stat has %s", stats)
		}
	}
}

// mostDecimals is the maximum number of digits after the point.
const mostDecimals = 6

// decimals reads a number of digits after the point, or a map from columns to such numbers.
func decimals(into *[]Setting) reader {
	digits := func() reader { return integerUpTo(new(int), 0, mostDecimals) }
	form := func(meaning Meaning) *Schema {
		one := digits().form(meaning)
		return &Schema{AnyOf: []*Schema{one, {Type: "object", AdditionalProperties: one}}}
	}
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		*into = nil
		if n.Kind != yaml.MappingNode {
			digits().read(p, n, key)
			*into = []Setting{{Value: p.textOf(n), Key: key}}
			return
		}
		values(into, "a map from columns to digits").read(p, n, key)
		for _, s := range *into {
			digits().read(p, scalarAt(s.Value), s.Key)
		}
	}}
}

// checkShownAs reports digits and units of columns that no block shows, and units of a table with
// published numbers.
func (p *parser) checkShownAs(t *Table) {
	var shown []Text
	isWhole := true
	for _, b := range t.Blocks {
		shown = append(shown, b.Show...)
		isWhole = isWhole && len(b.Show) > 0
	}
	for _, s := range slices.Concat(t.Decimals, t.Units) {
		if isWhole && s.Name.Value != "" && !slices.ContainsFunc(shown, s.Name.is) {
			p.wrongAt(s.Name.Pos, s.Key, "is not a column of show, %s", joined(shown))
		}
	}
	if len(t.Units) > 0 && t.Published.Value != "" {
		p.wrongAt(t.Units[0].Name.Pos, t.Units[0].Key,
			"stands beside published numbers, which are in the unit of the column; leave it out")
	}
}

func tableFields(t *Table, blocks *[]*yaml.Node) []field {
	return []field{
		{"title", text(&t.Title)},
		{"columns", texts(&t.Columns)},
		{"published", published(func(name Text) { t.Published = name }, false)},
		{"mean_of", integer(&t.MeanOf, 1)},
		{"given", boolean(&t.Given)},
		{"decimals", decimals(&t.Decimals)},
		{"units", values(&t.Units, "a map from columns to units")},
		{"blocks", reader{form: blocksForm, read: func(p *parser, n *yaml.Node, key string) {
			if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
				p.wrong(n, key, "want a list of queries to stack, found %s", found(n))
				return
			}
			if len(n.Content) > mostEntries {
				p.wrong(n, key, "has %d blocks; at most %d", len(n.Content), mostEntries)
				return
			}
			*blocks = n.Content
		}}},
		{foreach, combined}, {"tables", members},
	}
}

// Rules of a table, and of a block or of the fields that all blocks share.
var (
	tableRules = []rule{
		{"mean_of", []string{"published"}, nil, numbersOf},
		{"given", []string{"published"}, nil, numbersOf},
	}
	blockRules = []rule{{"label", nil, []string{"rows"}, "names the row of a block without rows; remove it or rows"}}
)

const numbersOf = "says what the published numbers are; name their file with published"

func blockFields(b *Block) []field {
	return append(queryFields(&b.Query), field{"rows", texts(&b.Rows)}, field{"label", text(&b.Label)})
}

func (p *parser) checkBlock(t *Table, b *Block, has present, name Text, key string) {
	p.checkQuery(&b.Query, has, name, key)
	p.checkOnce(key, use{"rows", b.Rows}, use{"columns", t.Columns}, use{"over", b.Over})
	p.checkRules(has, key, blockRules)
}

// published reads names of files of published numbers, which lie in the folder "published" beside
// the study file.
func published(add func(Text), several bool) reader {
	form := func(Meaning) *Schema {
		name := &Schema{Type: "string", Pattern: csvFile}
		if several {
			return OneOrMore(name)
		}
		return name
	}
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		if n.Kind == yaml.SequenceNode && !several {
			p.wrong(n, key, "want the name of one file, found a list")
			return
		}
		for _, name := range p.list(n, key) {
			if strings.ContainsAny(name.Value, `/\`) || !strings.HasSuffix(name.Value, ".csv") {
				p.wrongAt(name.Pos, key, "want the name of a .csv file in the folder published, found %q", Shortened(name.Value))
				continue
			}
			add(name)
		}
	}}
}

func (s *Study) readFigure(p *parser, name Text, n *yaml.Node, key string) {
	before := p.problems.Count()
	p.fileName(name, key)
	f := Figure{Name: name}
	has := p.record(n, key, figureFields(&f))
	p.checkQuery(&f.Query, has, name, key)
	if has != nil {
		p.checkWanted(has, name.Pos, key, slices.Concat(figureRequired, kindRequired(language.FigureKind(f.Kind.Value))))
	}
	p.checkRules(has, key, figureRules)
	p.checkKind(&f, has, key)
	p.checkWhiskers(&f, has, key)
	if language.FigureKind(f.Kind.Value) == language.Gantt && len(f.Show) > 1 {
		p.wrongAt(f.Show[1].Pos, below(key, "show"), "a gantt shows one column: where its rectangles begin on the y axis")
	}
	uses := []use{{"x", []Text{f.X}}, {"series", f.Series}, {"panels", []Text{f.Panels}}, {"over", f.Over}}
	if has["right"] != nil {
		p.checkRight(&f, key)
		if f.Right.Value != "" { // else reported by its reader
			uses = append(uses, use{"right", []Text{{Value: language.MetricDimension, Pos: f.Right.Pos}}})
		}
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
	f.Broken = p.problems.Count() > before
	s.Figures = append(s.Figures, f)
}

// figureRules are the rules of figures of all kinds.
var figureRules = []rule{
	{"round", nil, []string{"stat"}, "draws one replication, stat takes a statistic over all; remove one of them"},
}

var figureRequired = []wanted{
	{"kind", "line, bar, points, heat or gantt"},
	{"x", "the dimension along the x axis, or for points and gantt a column"},
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
func (p *parser) checkKind(f *Figure, has present, key string) {
	for _, some := range ofSome {
		hasIt := slices.Contains(some.kinds, language.FigureKind(f.Kind.Value))
		if n := has[some.word]; n != nil && f.Kind.Value != "" && !hasIt {
			p.wrong(n, below(key, some.word), "does not go with kind %s, but with %s", f.Kind.Value,
				either(language.Strings(some.kinds)))
		}
	}
}

// checkRight reports a right axis of a figure without exactly two columns.
func (p *parser) checkRight(f *Figure, key string) {
	switch key := below(key, "right"); {
	case len(f.Show) == 0 || f.Right.Value == "": // reported already
	case len(f.Show) != 2:
		p.wrongAt(f.Right.Pos, key, "goes with two columns in show, the other of which has the left axis; show has %s",
			joined(f.Show))
	case !slices.ContainsFunc(f.Show, f.Right.is):
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
	locations := slices.DeleteFunc(slices.Clone(statistics.All()), isNoLocation)
	for _, s := range f.Stat {
		if isNoLocation(statistics.Statistic(s.Value)) {
			p.wrongAt(f.Whiskers.Pos, key, "goes with stat %s; stat has %s", either(language.Strings(locations)), s.Value)
		}
	}
}

// either joins words with or.
func either(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func figureFields(f *Figure) []field {
	return append(queryFields(&f.Query),
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
			f.Round = new(int)
			integer(f.Round, 0).read(p, n, key)
		}}},
		field{"published", published(func(name Text) { f.Published = append(f.Published, name) }, true)},
		field{foreach, combined}, field{"figures", members},
	)
}

// tablesForm is the schema of tables: each is a query, or a stack of blocks with fields that all
// blocks share.
func tablesForm(meaning Meaning) *Schema {
	own := recordForm(meaning, "Tables", tableFields(&Table{}, nil))
	block := blockForm(meaning)
	maps.Copy(own.Properties, block.Properties)
	own.tie(slices.Concat(tableRules, blockRules))
	inBlocks := func(block *Schema) *Schema {
		return &Schema{Properties: map[string]*Schema{"blocks": {Items: block}}}
	}
	whole := &Schema{Required: required(queryRequired)}
	whole.tie(queryRules)
	without := func(word string) *Schema {
		return inBlocks(&Schema{Properties: map[string]*Schema{word: Nothing()}})
	}
	stacked := &Schema{Dependencies: map[string]*Schema{"rows": without("label"), "label": without("rows")}}
	ways := [][]string{{"rows", "label"}}
	for _, word := range required(queryRequired) {
		ways = append(ways, []string{word})
	}
	for _, either := range ways {
		inEach := inBlocks(&Schema{AnyOf: eachRequired(either)})
		stacked.AllOf = append(stacked.AllOf, &Schema{AnyOf: append(eachRequired(either), inEach)})
	}
	own.If, own.Then, own.Else = &Schema{Required: []string{"blocks"}}, stacked, whole
	return severalForm("tables", fileForm(), own)
}

func blockForm(meaning Meaning) *Schema {
	block := recordForm(meaning, "Tables", blockFields(&Block{}))
	block.tie(blockRules)
	return block
}

func blocksForm(meaning Meaning) *Schema {
	return &Schema{Type: "array", MinItems: 1, Items: blockForm(meaning)}
}

func figuresForm(meaning Meaning) *Schema {
	figure := recordForm(meaning, "Figures", figureFields(&Figure{}))
	figure.Required = required(slices.Concat(queryRequired, figureRequired))
	figure.tie(slices.Concat(queryRules, figureRules))
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

// ranges reads a map from the axes x and y to the pair of their ends.
func ranges(into *[]Range) reader {
	return reader{form: rangeForm, read: func(p *parser, n *yaml.Node, key string) {
		named("a map from x or y to [low, high]", nil, func(p *parser, axis Text, n *yaml.Node, key string) {
			if !p.isOneOf(axis, key, language.Strings(language.Axes)) {
				return
			}
			if n.Kind == yaml.MappingNode && axis.Value == string(language.Y) {
				seen := map[string]Text{}
				named("a map from panels to [low, high]", nil, func(p *parser, panel Text, n *yaml.Node, key string) {
					if p.isNew(seen, panel, key) {
						limits(into, Range{Axis: axis, Panel: panel}).read(p, n, key)
					}
				}).read(p, n, key)
				return
			}
			limits(into, Range{Axis: axis}).read(p, n, key)
		}).read(p, n, key)
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
		before := p.problems.Count()
		number(&r.Low).read(p, n.Content[0], key)
		number(&r.High).read(p, n.Content[1], key)
		if p.problems.Count() == before && r.Low >= r.High {
			p.wrong(n, key, "%v is not below %v; the low end comes first", r.Low, r.High)
		}
		*into = append(*into, r)
	}}
}

// axisFields reads a map from axes to a text for each.
func axisFields(into *AxisWords) reader {
	words := func(into *AxisWords) []field {
		return []field{{"x", text(&into.X)}, {"y", text(&into.Y)}, {"right", text(&into.Right)}}
	}
	form := func(meaning Meaning) *Schema {
		s := &Schema{Type: "object", MinProperties: 1, Properties: map[string]*Schema{}, AdditionalProperties: Nothing()}
		for _, w := range words(&AxisWords{}) {
			s.Properties[w.name] = w.form(meaning)
		}
		return s
	}
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		*into = AxisWords{}
		if n.Kind == yaml.MappingNode && len(n.Content) == 0 {
			p.wrong(n, key, "is empty; want a map of x, y, right")
		}
		p.record(n, key, words(into))
	}}
}

// checkAxisWords reports labels and units of axes that the figure does not have, or that differ
// between its panels.
func (p *parser) checkAxisWords(f *Figure, has present, key string) {
	ofColours := language.FigureKind(f.Kind.Value) == language.Heat
	for _, words := range []struct {
		word string
		of   AxisWords
	}{{"labels", f.Labels}, {"units", f.Units}} {
		key := below(key, words.word)
		if right := words.of.Right; right.Value != "" && has["right"] == nil && !ofColours && f.Kind.Value != "" {
			p.wrongAt(right.Pos, below(key, "right"),
				"there is no axis on the right; it goes with right, and with the colours of a heat")
		}
		if y := words.of.Y; y.Value != "" && f.Panels.Value == language.MetricDimension {
			p.wrongAt(y.Pos, below(key, "y"),
				"each panel has an axis of its own column; leave it out, or take one column for each figure")
		}
	}
	if y := f.Units.Y; y.Value != "" && ofColours {
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
