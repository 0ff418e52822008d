// Tables of a study file.

package configs

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
)

func (s *Study) readTable(p *parser, name Text, n *yaml.Node, key string) {
	before := p.reported
	p.checkFileName(name, key)
	t := Table{Name: name, MeanOf: 1}
	var shared Block
	var blocks []*yaml.Node
	has := p.record(tableRecord(&t, &blocks, &shared), name.Pos, n, key)
	if len(blocks) == 0 {
		t.Blocks = []Block{shared}
	}
	if has["blocks"] == nil {
		p.checkBlock(&t, &shared, has, name.Pos, key)
	}
	for _, n := range blocks {
		b := shared
		own := p.record(record{fields: blockFields(&b)}, p.pos(n), n, below(key, "blocks"))
		p.checkBlock(&t, &b, has.merged(own), p.pos(n), below(key, "blocks"))
		if own != nil && len(b.Rows) == 0 && b.Label.Value == "" {
			p.wrong(n, below(key, "blocks"), "a block without rows needs a label, which names its row")
		}
		t.Blocks = append(t.Blocks, b)
	}
	p.checkMeans(&t, has, key)
	p.checkShownAs(&t)
	for i := range t.Blocks {
		t.Blocks[i].Broken = p.reported > before
	}
	s.Tables = append(s.Tables, t)
}

// tableRecord is the form of a table with the fields that its blocks share.
func tableRecord(t *Table, blocks *[]*yaml.Node, shared *Block) record {
	fields := []field{
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
		{foreach, foreachReader}, {"tables", groupReader},
	}
	const numbersOf = "says what the published numbers are; name their file with published"
	return record{heading: "Tables", fields: append(fields, blockFields(shared)...), rules: []rule{
		{"mean_of", []string{"published"}, nil, numbersOf},
		{"given", []string{"published"}, nil, numbersOf},
	}}
}

// blockRules are those of a block, or of the fields that all blocks share.
var blockRules = []rule{{"label", nil, []string{"rows"}, "names the row of a block without rows; remove it or rows"}}

func blockFields(b *Block) []field {
	return append(queryFields(&b.Query), field{"rows", texts(&b.Rows)}, field{"label", text(&b.Label)})
}

// checkBlock reports fields of a block, those of the table included, that are missing or contradict
// one another. A missing field is reported at the position at.
func (p *parser) checkBlock(t *Table, b *Block, has present, at Pos, key string) {
	if has != nil {
		p.checkRecord(record{required: queryRequired, rules: slices.Concat(queryRules, blockRules)}, has, at, key)
		p.checkQuery(&b.Query, has, key)
	}
	p.checkOnce(key, use{"rows", b.Rows}, use{"columns", t.Columns}, use{"over", b.Over})
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
	digits := integerUpTo(new(int), 0, mostDecimals)
	form := func(meaning Meaning) *Schema {
		one := digits.form(meaning)
		return &Schema{AnyOf: []*Schema{one, {Type: "object", AdditionalProperties: one}}}
	}
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		*into = nil
		if n.Kind != yaml.MappingNode {
			digits.read(p, n, key)
			*into = []Setting{{Value: p.textOf(n), Key: key}}
			return
		}
		values(into, "a map from columns to digits").read(p, n, key)
		for _, s := range *into {
			digits.read(p, scalarAt(s.Value), s.Key)
		}
	}}
}

// checkShownAs reports digits and units of columns that no block shows, and units of a table with
// published numbers.
func (p *parser) checkShownAs(t *Table) {
	var shown []Text
	isComplete := true // every block has show; otherwise a problem is reported already
	for _, b := range t.Blocks {
		shown = append(shown, b.Show...)
		isComplete = isComplete && len(b.Show) > 0
	}
	for _, s := range slices.Concat(t.Decimals, t.Units) {
		if isComplete && s.Name.Value != "" && !slices.ContainsFunc(shown, s.Name.is) {
			p.wrongAt(s.Name.Pos, s.Key, "is not a column of show, %s", joined(shown))
		}
	}
	if len(t.Units) > 0 && t.Published.Value != "" {
		p.wrongAt(t.Units[0].Name.Pos, t.Units[0].Key,
			"stands beside published numbers, which are in the unit of the column; leave it out")
	}
}

// published reads names of files of published numbers, which lie in the folder "published" beside
// the study file.
func published(add func(Text), several bool) reader {
	form := func(Meaning) *Schema {
		name := &Schema{Type: "string", Pattern: csvFilePattern}
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

// tablesForm is the schema of tables: each is a query, or a stack of blocks with fields that all
// blocks share.
func tablesForm(meaning Meaning) *Schema {
	table := tableRecord(&Table{}, nil, &Block{})
	table.rules = append(table.rules, blockRules...)
	own := table.form(meaning)
	inBlocks := func(block *Schema) *Schema {
		return &Schema{Properties: map[string]*Schema{"blocks": {Items: block}}}
	}
	whole := &Schema{Required: required(queryRequired), Dependencies: dependencies(queryRules)}
	lack := func(word string) *Schema {
		return inBlocks(&Schema{Properties: map[string]*Schema{word: Nothing()}})
	}
	stacked := &Schema{Dependencies: map[string]*Schema{"rows": lack("label"), "label": lack("rows")}}
	// the table has one word of each list, or every block has one
	needed := [][]string{{"rows", "label"}}
	for _, word := range required(queryRequired) {
		needed = append(needed, []string{word})
	}
	for _, either := range needed {
		inEach := inBlocks(&Schema{AnyOf: eachRequired(either)})
		stacked.AllOf = append(stacked.AllOf, &Schema{AnyOf: append(eachRequired(either), inEach)})
	}
	own.If, own.Then, own.Else = &Schema{Required: []string{"blocks"}}, stacked, whole
	return severalForm("tables", fileForm(), own)
}

func blocksForm(meaning Meaning) *Schema {
	block := record{heading: "Tables", fields: blockFields(&Block{}), rules: blockRules}
	return &Schema{Type: "array", MinItems: 1, Items: block.form(meaning)}
}
