// Queries: the fields that tables, figures and claims share.

package configs

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
)

// otherDimensions are those that are neither factors nor keys: several columns, several statistics.
var otherDimensions = []string{language.MetricDimension, language.StatDimension}

func queryFields(q *Query) []field {
	return []field{
		{"of", text(&q.Of)},
		{"from", text(&q.From)},
		{"show", texts(&q.Show)},
		{"where", selections(&q.Where)},
		{"against", against(q)},
		{"as", oneOf(&q.As, language.Strings(language.Comparisons)...)},
		{"over", texts(&q.Over)},
		{"stat", stat(q)},
	}
}

// Required fields and rules of queries.
var (
	queryRequired = []wanted{{"of", "the experiment whose results are meant"}, {"show", "the columns to show"}}
	queryRules    = []rule{
		{"as", []string{"against"}, nil, "needs against, which says what the numbers are compared with"},
	}
)

// selectionsForm is the schema of a map from dimensions to labels.
func selectionsForm(meaning Meaning) *Schema { return mapOf(lineForm(), labelsForm(meaning)) }

// againstForm is the schema of against: one label of each dimension, also as a list of one.
func againstForm(meaning Meaning) *Schema {
	one := labelsForm(meaning)
	one.AnyOf[1].MaxItems = 1
	return &Schema{AnyOf: []*Schema{{Const: language.Worst}, mapOf(lineForm(), one)}}
}

// statForm is the schema of stat.
func statForm(Meaning) *Schema {
	stat := OneOrMore(enumOf(language.Strings(statistics.All())))
	each := enumOf(language.Strings(statistics.All()))
	stat.AnyOf = append(stat.AnyOf, &Schema{Type: "object", AdditionalProperties: each})
	return stat
}

// against reads the word worst, or a map from dimensions to one label each.
func against(q *Query) reader {
	return reader{form: againstForm, read: func(p *parser, n *yaml.Node, key string) {
		q.Against, q.Worst = nil, false
		if n.Kind == yaml.ScalarNode && n.Value == language.Worst {
			q.Worst = true
			return
		}
		if n.Kind != yaml.MappingNode {
			p.wrong(n, key, "want worst or a map from dimensions to a label, found %s", found(n))
			return
		}
		selections(&q.Against).read(p, n, key)
		for _, s := range q.Against {
			if len(s.Labels) > 1 {
				p.wrongAt(s.Labels[1].Pos, below(key, s.Dimension.Value), "takes one label: what every number is compared with")
			}
		}
	}}
}

// stat reads statistics over the replications, or a map from columns to the statistic over other
// dimensions.
func stat(q *Query) reader {
	return reader{form: statForm, read: func(p *parser, n *yaml.Node, key string) {
		q.Stat, q.OverBy = nil, nil
		if n.Kind != yaml.MappingNode {
			texts(&q.Stat, language.Strings(statistics.All())...).read(p, n, key)
			return
		}
		settings(&q.OverBy).read(p, n, key)
		q.OverBy = slices.DeleteFunc(q.OverBy, func(s Setting) bool {
			return !p.isOneOf(s.Value, below(key, s.Name.Value), language.Strings(statistics.All()))
		})
	}}
}

// checkQuery reports fields of a query that contradict one another.
func (p *parser) checkQuery(q *Query, has present, key string) {
	if len(q.OverBy) > 0 && has["over"] == nil {
		p.wrong(has["stat"], below(key, "stat"),
			"a statistic for a column stands in for the mean over other dimensions; name them with over")
	}
	for _, s := range q.OverBy {
		if has["show"] != nil && !slices.ContainsFunc(q.Show, s.Name.is) {
			p.wrongAt(s.Name.Pos, below(below(key, "stat"), s.Name.Value), "is not a column of show, %s", joined(q.Show))
		}
	}
	p.checkAgainst(q, key)
}

// checkAgainst reports a comparison of numbers with themselves.
func (p *parser) checkAgainst(q *Query, key string) {
	same := 0
	for _, a := range q.Against {
		for _, w := range q.Where {
			if a.Dimension.Value == w.Dimension.Value && len(a.Labels) == 1 && len(w.Labels) == 1 &&
				SameLabel(a.Labels[0].Value, w.Labels[0].Value) {
				same++
			}
		}
	}
	if same > 0 && same == len(q.Against) {
		p.wrongAt(q.Against[0].Dimension.Pos, below(key, "against"), "is what where selects; nothing is left to compare")
	}
}

func joined(list []Text) string {
	return strings.Join(valuesOf(list), ", ")
}

func valuesOf(list []Text) []string {
	return mapped(list, func(t Text) string { return t.Value })
}

// mapped returns f of each entry of a list.
func mapped[T, U any](list []T, f func(T) U) []U {
	all := make([]U, len(list))
	for i, entry := range list {
		all[i] = f(entry)
	}
	return all
}

// use is a field of an entry with the dimensions that it names.
type use struct {
	word       string
	dimensions []Text
}

// checkOnce reports a dimension that an entry uses twice.
func (p *parser) checkOnce(key string, uses ...use) {
	first := map[string]string{}
	for _, u := range uses {
		for _, d := range u.dimensions {
			// twice in one list is reported already
			if before, twice := first[d.Value]; twice && before != u.word {
				p.wrongAt(d.Pos, below(key, u.word), "%s is used in %s too; use each dimension once", d.Value, before)
			} else if d.Value != "" {
				first[d.Value] = u.word
			}
		}
	}
}
