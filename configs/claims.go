// Claims and unjudged statements of a study file.

package configs

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"gridsweep/configs/language"
)

// tests are the fields that state the test of a claim. A claim has exactly one of them.
var tests = []string{"order", "trend", "above", "below", "near", "spread"}

func (s *Study) readClaim(p *parser, name Text, n *yaml.Node, key string) {
	c := Claim{Name: name}
	before := p.reported
	if has := p.record(claimRecord(&c), name.Pos, n, key); has != nil {
		p.checkQuery(&c.Query, has, key)
		p.checkTest(&c, has, key)
	}
	p.checkOnce(key, use{"for", c.For}, use{"most", c.Most}, use{"along", []Text{c.Along}}, use{"over", c.Over})
	c.Broken = p.reported > before
	s.Claims = append(s.Claims, c)
}

func claimRecord(c *Claim) record {
	fields := append(queryFields(&c.Query),
		field{"doc", text(&c.Doc)},
		field{"source", text(&c.Source)},
		field{"for", texts(&c.For)},
		field{"most", texts(&c.Most)},
		field{"along", text(&c.Along)},
		field{"order", order(&c.Order)},
		field{"trend", oneOf(&c.Trend, language.Strings(language.Trends)...)},
		field{"above", optional(&c.Above)},
		field{"below", optional(&c.Below)},
		field{"near", optional(&c.Near)},
		field{"within", number(&c.Within)},
		field{"spread", optional(&c.Spread)},
		field{"margin", number(&c.Margin)},
		field{"main", boolean(&c.Main)},
		field{"origin", oneOf(&c.Origin, language.Strings(language.Origins)...)},
		field{"sentence", text(&c.Sentence)},
		field{"presupposes", text(&c.Presupposes)},
		field{"contradicted", text(&c.Contradicted)},
		field{foreach, foreachReader}, field{"claims", groupReader},
	)
	return record{"Claims", fields, queryRequired, slices.Concat(queryRules, testRules)}
}

// checkTest reports a claim that has no test, or several, and negative distances.
func (p *parser) checkTest(c *Claim, has present, key string) {
	var used []string
	for _, test := range tests {
		if has[test] != nil {
			used = append(used, test)
		}
	}
	if len(used) == 0 {
		p.wrongAt(c.Name.Pos, key, "has no test; give one of %s", strings.Join(tests, ", "))
		return
	}
	if len(used) > 1 {
		p.wrong(has[used[1]], below(key, used[1]), "stands beside %s; a claim has one test", used[0])
	}
	if c.Within < 0 {
		p.wrong(has["within"], below(key, "within"), "%v is negative; a distance is at least 0", c.Within)
	}
	if c.Margin < 0 {
		p.wrong(has["margin"], below(key, "margin"), "%v is negative; an equivalence margin is at least 0", c.Margin)
	}
	if c.Spread != nil && *c.Spread < 0 {
		p.wrong(has["spread"], below(key, "spread"), "%v is negative; largest minus smallest is at least 0", *c.Spread)
	}
}

const needsAlong = "needs along, which names the dimension it runs along"

var testRules = []rule{
	{"order", []string{"along"}, nil, needsAlong},
	{"trend", []string{"along"}, nil, needsAlong},
	{"spread", []string{"along"}, nil, needsAlong},
	{"along", []string{"order", "trend", "spread"}, nil,
		"goes with order, trend or spread; else name the dimension in for"},
	{"near", []string{"within"}, nil, "needs within, which says how far off is still near"},
	{"within", []string{"near"}, nil, "goes with near"},
	{"margin", []string{"order", "trend", "above", "below"}, nil,
		"goes with order, trend, above or below; near and spread have their bounds"},
}

func claimsForm(meaning Meaning) *Schema {
	claim := claimRecord(&Claim{}).form(meaning)
	for _, distance := range []string{"within", "spread", "margin"} {
		claim.Properties[distance].Minimum = "0"
	}
	claim.OneOf = eachRequired(tests)
	return severalForm("claims", lineForm(), claim)
}

// order reads labels whose numbers ascend. The labels of an inner list are in no order.
func order(into *[][]Text) reader {
	form := func(meaning Meaning) *Schema { return &Schema{Type: "array", MinItems: 2, Items: labelsForm(meaning)} }
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		*into = nil
		if n.Kind != yaml.SequenceNode || len(n.Content) < 2 {
			what := found(n)
			if n.Kind == yaml.SequenceNode {
				what += fmt.Sprintf(" of %d", len(n.Content))
			}
			p.wrong(n, key, "want a list of at least two labels, or lists of them, from least to most; found %s", what)
			return
		}
		seen := map[string]Text{}
		for _, item := range n.Content {
			*into = append(*into, p.labels(item, key, seen))
		}
	}}
}

func (s *Study) readStatement(p *parser, name Text, n *yaml.Node, key string) {
	u := Statement{Name: name}
	p.record(statementRecord(&u), name.Pos, n, key)
	s.Unjudged = append(s.Unjudged, u)
}

// checkJudged reports unjudged statements that have the name of a claim.
func (s *Study) checkJudged(p *parser) {
	claims := map[string]bool{}
	for _, c := range s.Claims {
		claims[c.Name.Value] = true
	}
	for _, u := range s.Unjudged {
		if claims[u.Name.Value] {
			p.wrongAt(u.Name.Pos, below("unjudged", u.Name.Value), "is a claim too, which judges it; take one of them out")
		}
	}
}

func statementRecord(u *Statement) record {
	return record{heading: "Statements", fields: []field{
		{"doc", text(&u.Doc)}, {"source", text(&u.Source)}, {"why", text(&u.Why)},
		{foreach, foreachReader}, {"unjudged", groupReader},
	}, required: []wanted{{"doc", "what the paper says"}, {"why", "why no claim judges the statement"}}}
}

func statementsForm(meaning Meaning) *Schema {
	return severalForm("unjudged", lineForm(), statementRecord(&Statement{}).form(meaning))
}
