// The top-level fields of a study file, and the sections factors, experiments and quick.

package configs

import (
	"math"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"

	"gridsweep/configs/language"
)

// Defaults of a study.
const (
	defaultReplications = 10
	defaultSeed         = "1"
	defaultUnder        = "universe" // the factor of an experiment under assumptions
)

// parse returns the study of one file and the top-level fields that it has, nil if it is no map.
// References between entries are resolved later, since they may lead to entries of the base.
func (p *parser) parse(root *yaml.Node, content []byte) (*Study, present) {
	s := &Study{File: p.file, Source: content, removed: map[string][]Text{}}
	if root == nil {
		return s, nil
	}
	var trace Text
	has := p.record(studyRecord(s, &trace), p.pos(root), root, "")
	if has == nil {
		return s, nil
	}
	s.Unread = Unread{
		Factors:     has["factors"] != nil && len(s.Factors)+len(s.removed["factors"]) == 0,
		Experiments: has["experiments"] != nil && len(s.Experiments)+len(s.removed["experiments"]) == 0,
	}
	for i, f := range s.Factors {
		s.Factors[i].InForeach = p.inForeach[f.Name.Value]
	}
	s.setTrace(p, trace)
	s.checkJudged(p)
	return s, has
}

// complete is the form of a study that extends none: the fields that it must have.
var complete = record{
	required: []wanted{{"model", "the model that runs the study"}, {"experiments", "at least one"}},
}

func studyRecord(s *Study, trace *Text) record {
	return record{heading: "The study", required: []wanted{{"study", "the name of the study"}}, fields: []field{
		{"study", nameOfFile(&s.Name)},
		{"paper", nameOfFile(&s.Paper)},
		{"title", text(&s.Title)},
		{"citation", text(&s.Citation)},
		{"model", text(&s.Model)},
		{"seed", seed(&s.Seed)},
		// only checked: the loader has followed it; Library.Schema has its form
		{"extends", reader{text(new(Text)).read, noForm}},
		{"trace", text(trace)},
		{"set", settings(&s.Set)},
		{"factors", s.factors()},
		{"assumptions", s.removable("assumptions", "a map from assumptions to their levels",
			entriesForm(fileForm(), assumptionRecord(&Assumption{})), s.readAssumption)},
		{"deviations", s.removable("deviations", "a map from parameters to what the paper prints",
			entriesForm(lineForm(), deviationRecord(&Deviation{})), s.readDeviation)},
		{"experiments", s.removable("experiments", "a map from experiments to what they run",
			entriesForm(fileForm(), experimentRecord(&Experiment{})), s.readExperiment)},
		{"quick", quick(&s.Quick)},
		{"fit", fit(&s.Fit)},
		{"tables", s.section("tables", "a map from tables to their queries", tablesForm, s.readTable)},
		{"figures", s.section("figures", "a map from figures to their queries", figuresForm, s.readFigure)},
		{"claims", s.section("claims", "a map from claims to their tests", claimsForm, s.readClaim)},
		{"unjudged", s.section("unjudged", "a map from statements to why they are not judged", statementsForm,
			s.readStatement)},
	}}
}

// fit reads texts, or an empty list or null, which fit nothing where the base fits something.
func fit(into *[]Text) reader {
	form := func(Meaning) *Schema {
		return &Schema{AnyOf: []*Schema{
			nameForm(), {Type: "array", UniqueItems: true, Items: nameForm()}, {Type: "null"},
		}}
	}
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		if isNull(n) || n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
			*into = []Text{}
			return
		}
		texts(into).read(p, n, key)
	}}
}

// setTrace makes the field trace a setting of the model's parameter of that name.
func (s *Study) setTrace(p *parser, trace Text) {
	const name = "trace"
	if trace.Value == "" {
		return // absent, or reported by its reader
	}
	for _, setting := range s.Set {
		if setting.Name.Value == name {
			p.wrongAt(setting.Name.Pos, setting.Key, "is the same as the word trace at the top; write one of them")
			return
		}
	}
	s.Set = append(s.Set, Setting{Name: Text{name, trace.Pos}, Value: trace, Key: name})
}

// seed reads a whole number of 64 bits as text.
func seed(into *Text) reader {
	form := func(Meaning) *Schema { return integerForm(0, math.MaxInt64) }
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		t, ok := p.scalar(n, key, "a whole number")
		if !ok {
			return
		}
		if i, err := strconv.ParseInt(t.Value, 10, 64); err != nil || i < 0 || strconv.FormatInt(i, 10) != t.Value {
			p.wrong(n, key, "%q is not a seed; write a whole number from 0 to 9223372036854775807", Shortened(t.Value))
			return
		}
		*into = t
	}}
}

func (s *Study) readFactor(p *parser, name Text, n *yaml.Node, key string) {
	f := Factor{Name: name, List: n.Kind != yaml.MappingNode}
	before := p.reported
	switch {
	case slices.Contains(otherDimensions, name.Value):
		p.wrongAt(name.Pos, key, "%s is the dimension of several columns or statistics; name the factor differently",
			name.Value)
	case name.Value == language.Each:
		p.wrongAt(name.Pos, key, "each stands in a claim for the factor that a part of an experiment varies; name the "+
			"factor differently")
	default:
		p.checkFileName(name, key)
	}
	switch {
	case n.Tag == "!!null":
		p.wrong(n, key, "want a level, a list of them or a map from levels to settings, found %s", found(n))
	case f.List:
		for _, label := range p.list(n, key) {
			f.Levels = append(f.Levels, Level{Label: label})
		}
	default:
		levels(&f.Levels).read(p, n, key)
	}
	f.Broken = p.reported > before
	s.Factors = append(s.Factors, f)
	p.know(f)
}

// factors reads the factors. Foreach may name the factors above it.
func (s *Study) factors() reader {
	all := s.removable("factors", "a map from factors to their levels", factorsForm, s.readFactor)
	return reader{form: all.form, read: func(p *parser, n *yaml.Node, key string) {
		all.read(p, n, key)
		for _, name := range s.removed["factors"] {
			delete(p.factors, name.Value)
		}
		p.lacksFactors = p.lacksFactors || len(s.Factors)+len(s.removed["factors"]) == 0
	}}
}

// removable returns the reader of a section: that of named, but null removes an inherited entry.
func (s *Study) removable(section, want string, form func(Meaning) *Schema, read readEntry) reader {
	return named(want, form, s.orRemove(section, read))
}

// section returns the reader of a section in which an entry may stand for several, by foreach or as
// a group; null removes an inherited entry.
func (s *Study) section(name, want string, form func(Meaning) *Schema, read readEntry) reader {
	read = s.orRemove(name, read)
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		for _, made := range p.writtenOut(n, key, name, want) {
			if p.ctx.Err() != nil {
				return
			}
			key := below(key, made.key.Value)
			p.checkName(made.key, key)
			read(p, made.key, made.value, key)
		}
	}}
}

// orRemove reads an entry, or null, which removes an inherited one.
func (s *Study) orRemove(section string, read readEntry) readEntry {
	return func(p *parser, name Text, n *yaml.Node, key string) {
		if isNull(n) {
			s.removed[section] = append(s.removed[section], name)
			return
		}
		read(p, name, n, key)
	}
}

func (s *Study) readExperiment(p *parser, name Text, n *yaml.Node, key string) {
	before := len(p.problems)
	p.checkFileName(name, key)
	e := Experiment{Name: name}
	has := p.record(experimentRecord(&e), name.Pos, n, key)
	for _, crossed := range e.Cross {
		for _, each := range e.Each {
			if each.Value == crossed.Factor.Value {
				p.wrongAt(each.Pos, below(key, "each"), "%s stands in cross too; vary a factor alone or crossed",
					each.Value)
			}
		}
	}
	if e.Assumptions != nil && e.Under.Value == "" {
		e.Under = Text{defaultUnder, name.Pos}
	}
	if has["rounds"] == nil && has["repeat"] == nil {
		e.Replications = defaultReplications
	}
	e.Broken = slices.ContainsFunc(p.problems[before:], func(problem Problem) bool {
		return !slices.ContainsFunc(besideCells, func(word string) bool { return problem.isAt(below(key, word)) })
	})
	s.Experiments = append(s.Experiments, e)
}

// besideCells are the fields of an experiment that do not determine its cells.
var besideCells = []string{"doc", "set", "rounds", "rounds_at", "measure", "optional"}

// factorsForm is the schema of the factors: values of the parameter with the factor's name, or
// levels with settings.
func factorsForm(meaning Meaning) *Schema {
	factor := labelsForm(meaning)
	factor.AnyOf = append(factor.AnyOf, levels(nil).form(meaning))
	names := fileForm()
	names.Not = enumOf(append([]string{language.Each}, otherDimensions...))
	return mapOf(names, factor)
}

func experimentRecord(e *Experiment) record {
	return record{heading: "Experiments", rules: experimentRules, fields: []field{
		{"doc", text(&e.Doc)},
		{"set", settings(&e.Set)},
		{"each", texts(&e.Each)},
		{"cross", crossed(&e.Cross)},
		{"rounds", integer(&e.Replications, 1)},
		{"rounds_at", replicationsAt(&e.ReplicationsAt)},
		{"measure", boolean(&e.Measure)},
		{"optional", boolean(&e.Optional)},
		{"repeat", texts(&e.Repeat)},
		{"under", text(&e.Under)},
		{"assumptions", texts(&e.Assumptions)},
		{"design", oneOf(&e.Design, language.Strings(language.Designs)...)},
		{"universes", integer(&e.Universes, 1)},
		{"baseline", label(&e.Baseline)},
		{"levels", selections(&e.Levels)},
	}}
}

// replicationsAt reads a map from factors to levels with their replications.
func replicationsAt(into *[]LevelReplications) reader {
	form := func(Meaning) *Schema { return mapOf(lineForm(), mapOf(lineForm(), integerForm(1, mostInteger))) }
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		*into = nil
		p.each(n, key, "a map from factors to levels with their replications",
			func(p *parser, factor Text, n *yaml.Node, key string) {
				seen := map[string]Text{}
				p.each(n, key, "a map from levels to replications", func(p *parser, level Text, n *yaml.Node, key string) {
					at := LevelReplications{Factor: factor, Level: level, Key: key}
					integer(&at.Replications, 1).read(p, n, key)
					if p.isNew(seen, level, key) && at.Replications > 0 {
						*into = append(*into, at)
					}
				})
			})
	}}
}

var experimentRules = []rule{
	{"under", []string{"repeat"}, nil, "goes with repeat, which names the experiments to run under each level"},
	{"baseline", []string{"repeat"}, nil, "goes with repeat; it names the experiments that are repeated as they are"},
	{"levels", []string{"repeat"}, nil, "goes with repeat; name the levels of an experiment's own factors in cross"},
	{"repeat", []string{"under", "assumptions"}, nil,
		"needs under, the factor under whose levels they are run again, or assumptions"},
	{"assumptions", []string{"repeat"}, nil, "goes with repeat, which names the experiments to run in each universe"},
	{"design", []string{"assumptions"}, nil, "goes with assumptions, whose levels it combines"},
	{"universes", []string{"assumptions"}, nil, "goes with assumptions, whose levels it combines"},
	{"repeat", nil, []string{"each", "cross"}, "takes the place of each and cross; remove one or the other"},
}

// allLevels selects all levels of a factor, in cross and in foreach.
const allLevels = "all"

// crossed reads a list of factors, or a map from factors to "all" or some of their levels.
func crossed(into *[]Crossed) reader {
	return reader{form: crossedForm, read: func(p *parser, n *yaml.Node, key string) {
		*into = nil
		if !p.isFew(n, key) {
			return
		}
		if n.Kind != yaml.MappingNode {
			for _, factor := range p.list(n, key) {
				*into = append(*into, Crossed{Factor: factor})
			}
			return
		}
		p.each(n, key, "factors", func(p *parser, factor Text, n *yaml.Node, key string) {
			c := Crossed{Factor: factor, Key: key}
			if n.Kind != yaml.ScalarNode || n.Value != allLevels {
				c.Levels = p.list(n, key)
			}
			*into = append(*into, c)
		})
	}}
}

// crossedForm is the schema of crossed, in which all is a label like any other.
func crossedForm(meaning Meaning) *Schema {
	either := OneOrMore(nameForm())
	either.AnyOf = append(either.AnyOf, selectionsForm(meaning))
	return either
}

func quick(into *Quick) reader {
	form := func(meaning Meaning) *Schema { return quickRecord(&Quick{}).form(meaning) }
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		*into = Quick{}
		p.record(quickRecord(into), p.pos(n), n, key)
	}}
}

func quickRecord(q *Quick) record {
	return record{heading: "Quick", fields: []field{
		{"set", settings(&q.Set)},
		{"levels", selections(&q.Levels)},
		{"rounds", integer(&q.Replications, 1)},
	}}
}
