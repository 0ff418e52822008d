package configs

import (
	"strconv"

	"go.yaml.in/yaml/v3"
)

// What is taken where a study does not say.
const (
	defaultRounds = 10
	defaultSeed   = "1"
)

// parse reads the words of one study file and returns those it has at the top, or nil where it cannot be read at all.
// What refers to another entry is left to checkReferences, since the other may stand in the study that this extends.
func (p *parser) parse(content []byte) (*Study, given) {
	s := &Study{File: p.file, Source: content}
	root := p.document(content)
	if root == nil {
		return s, nil
	}
	var trace Text
	has := p.record(root, "", studyWords(s, &trace))
	if has == nil {
		return s, nil
	}
	s.setTrace(p, trace)
	if has["study"] == nil {
		p.wrongAt(p.pos(root), "study", "is missing; the name of the study")
	} else {
		p.fileName(s.Name, "study")
	}
	if has["paper"] != nil {
		p.fileName(s.Paper, "paper")
	}
	return s, has
}

func studyWords(s *Study, trace *Text) []word {
	return []word{
		{"study", text(&s.Name)},
		{"paper", text(&s.Paper)},
		{"title", text(&s.Title)},
		{"model", text(&s.Model)},
		{"seed", seed(&s.Seed)},
		{"extends", text(new(Text))}, // read again by the loader, which follows it
		{"trace", text(trace)},
		{"set", settings(&s.Set)},
		{"factors", named("a map from factors to their levels", s.readFactor)},
		{"experiments", named("a map from experiments to what they run", s.readExperiment)},
		{"quick", quick(&s.Quick)},
		{"tables", named("a map from tables to their queries", s.readTable)},
		{"figures", named("a map from figures to their queries", s.readFigure)},
		{"claims", named("a map from claims to their tests", s.readClaim)},
	}
}

// setTrace takes the word trace for what it is, a setting of the model's parameter of that name.
func (s *Study) setTrace(p *parser, trace Text) {
	const name = "trace"
	if trace.Value == "" {
		return // not given, or noted by its reader
	}
	for _, setting := range s.Set {
		if setting.Name.Value == name {
			p.wrongAt(setting.Name.Pos, setting.Key, "is the same as the word trace at the top; write one of them")
			return
		}
	}
	s.Set = append(s.Set, Setting{Name: Text{name, trace.Pos}, Value: trace, Key: name})
}

// seed reads a whole number that fits an int64, as text.
func seed(into *Text) reader {
	return func(p *parser, n *yaml.Node, key string) {
		t, ok := p.scalar(n, key, "a whole number")
		if !ok {
			return
		}
		if i, err := strconv.ParseInt(t.Value, 10, 64); err != nil || i < 0 || strconv.FormatInt(i, 10) != t.Value {
			p.wrong(n, key, "%q is not a seed; write a whole number from 0 to 9223372036854775807", shortened(t.Value))
			return
		}
		*into = t
	}
}

func (s *Study) readFactor(p *parser, name Text, n *yaml.Node, key string) {
	f := Factor{Name: name, List: n.Kind != yaml.MappingNode}
	switch {
	case name.Value == "metric" || name.Value == "stat":
		p.wrongAt(name.Pos, key, "%s is the dimension of several columns or statistics; name the factor differently",
			name.Value)
	case name.Value == each:
		p.wrongAt(name.Pos, key, "each stands in a claim for the factor that a part of an experiment varies; name the factor differently")
	default:
		p.fileName(name, key)
	}
	if f.List {
		for _, label := range p.list(n, key) {
			f.Levels = append(f.Levels, Level{Label: label})
		}
	} else {
		seen := map[string]Text{}
		named("levels", func(p *parser, label Text, n *yaml.Node, key string) {
			level := Level{Label: label}
			settings(&level.Settings)(p, n, key)
			if p.isNew(seen, label, key) {
				f.Levels = append(f.Levels, level)
			}
		})(p, n, key)
	}
	s.Factors = append(s.Factors, f)
}

func (s *Study) readExperiment(p *parser, name Text, n *yaml.Node, key string) {
	p.fileName(name, key)
	e := Experiment{Name: name}
	has := p.record(n, key, experimentWords(&e))
	switch {
	case has["repeat"] == nil && has["under"] != nil:
		p.wrong(has["under"], below(key, "under"), "goes with repeat, which names the experiments to run under each level")
	case has["repeat"] == nil && has["levels"] != nil:
		p.wrong(has["levels"], below(key, "levels"), "goes with repeat; name the levels of an experiment's own factors in cross")
	case has["repeat"] != nil && has["under"] == nil:
		p.wrong(has["repeat"], below(key, "repeat"), "needs under, the factor under whose levels they are run again")
	case has["repeat"] != nil && (has["each"] != nil || has["cross"] != nil):
		p.wrong(has["repeat"], below(key, "repeat"), "takes the place of each and cross; remove one or the other")
	}
	for _, crossed := range e.Cross {
		for _, each := range e.Each {
			if each.Value == crossed.Factor.Value {
				p.wrongAt(each.Pos, below(key, "each"), "%s stands in cross too; vary a factor alone or crossed",
					each.Value)
			}
		}
	}
	if has["rounds"] == nil && has["repeat"] == nil {
		e.Rounds = defaultRounds
	}
	s.Experiments = append(s.Experiments, e)
}

func experimentWords(e *Experiment) []word {
	return []word{
		{"doc", text(&e.Doc)},
		{"set", settings(&e.Set)},
		{"each", texts(&e.Each)},
		{"cross", crossed(&e.Cross)},
		{"rounds", integer(&e.Rounds, 1)},
		{"measure", boolean(&e.Measure)},
		{"optional", boolean(&e.Optional)},
		{"repeat", texts(&e.Repeat)},
		{"under", text(&e.Under)},
		{"levels", selections(&e.Levels)},
	}
}

// crossed reads a list of factors, or a map from factors to "all" or some of their levels.
func crossed(into *[]Crossed) reader {
	return func(p *parser, n *yaml.Node, key string) {
		*into = nil
		if n.Kind != yaml.MappingNode {
			for _, factor := range p.list(n, key) {
				*into = append(*into, Crossed{Factor: factor})
			}
			return
		}
		named("factors", func(p *parser, factor Text, n *yaml.Node, key string) {
			c := Crossed{Factor: factor, Key: key}
			if n.Kind != yaml.ScalarNode || n.Value != "all" {
				c.Levels = p.list(n, key)
			}
			*into = append(*into, c)
		})(p, n, key)
	}
}

func quick(into *Quick) reader {
	return func(p *parser, n *yaml.Node, key string) {
		*into = Quick{}
		p.record(n, key, quickWords(into))
	}
}

func quickWords(q *Quick) []word {
	return []word{
		{"set", settings(&q.Set)},
		{"levels", selections(&q.Levels)},
		{"rounds", integer(&q.Rounds, 1)},
	}
}

// checkComplete notes what a study that extends none has to say itself.
func (s *Study) checkComplete(has given) Problems {
	var problems Problems
	missing := func(absent bool, key, want string) {
		if absent && has[key] == nil {
			problems = append(problems, s.Problem(Pos{File: s.File, Line: 1, Column: 1}, key, "is missing; "+want))
		}
	}
	missing(s.Model.Value == "", "model", "the model that runs the study")
	missing(len(s.Experiments) == 0, "experiments", "at least one")
	return problems
}
