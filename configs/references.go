package configs

import (
	"fmt"
	"slices"
	"strings"
)

// checkReferences notes every name that stands for another entry of the study which it does not have. Labels that
// are inherited are let be: they were checked where they were written, and a factor that is replaced may well have
// fewer levels, as it may under --levels.
func (s *Study) checkReferences() Problems {
	c := &references{study: s, experiments: s.Expanded()}
	for _, e := range s.Experiments {
		c.checkExperiment(e, below("experiments", e.Name.Value))
	}
	for _, e := range c.experiments {
		c.checkParameters(e)
	}
	for _, q := range s.Quick.Levels {
		if f := c.factor(q.Dimension, "quick.levels"); f != nil {
			c.checkLabels(q.Labels, f.labels(), below("quick.levels", f.Name.Value), "factor "+f.Name.Value)
		}
	}
	for _, t := range s.Tables {
		for _, b := range t.Blocks {
			c.checkQuery(b.Query, below("tables", t.Name.Value))
		}
	}
	for _, f := range s.Figures {
		c.checkQuery(f.Query, below("figures", f.Name.Value))
	}
	for _, claim := range s.Claims {
		c.checkClaim(claim)
	}
	return c.problems
}

// checkClaim checks what a claim asserts of each experiment, up to the first of which something is wrong.
func (c *references) checkClaim(claim Claim) {
	key, before := below("claims", claim.Name.Value), len(c.problems)
	for _, part := range c.study.PartsOf(claim) {
		c.checkQuery(part.Query, key)
		for _, group := range part.Order {
			named := slices.DeleteFunc(slices.Clone(group), Text{Value: rest}.is)
			c.checkSelection(part.Of, Selection{part.Along, named}, below(key, "order"))
		}
		if len(c.problems) > before {
			return
		}
	}
}

// references checks the names in a study.
type references struct {
	study       *Study
	experiments []Experiment // expanded
	problems    Problems
}

func (c *references) wrong(at Text, key, format string, args ...any) {
	c.problems = append(c.problems, c.study.Problem(at.Pos, key, fmt.Sprintf(format, args...)))
}

// factor returns the factor of a name, or nil and a problem.
func (c *references) factor(name Text, key string) *Factor {
	var known []string
	for i, f := range c.study.Factors {
		if f.Name.is(name) {
			return &c.study.Factors[i]
		}
		known = append(known, f.Name.Value)
	}
	if name.Value != "" { // else it is noted as missing
		c.wrong(name, key, "no factor %q; %s", shortened(name.Value), Suggest(name.Value, known))
	}
	return nil
}

func (f *Factor) labels() []Text {
	labels := make([]Text, len(f.Levels))
	for i, level := range f.Levels {
		labels[i] = level.Label
	}
	return labels
}

func (c *references) checkExperiment(e Experiment, key string) {
	for _, name := range e.Each {
		c.factor(name, below(key, "each"))
	}
	for _, crossed := range e.Cross {
		if f := c.factor(crossed.Factor, below(key, "cross")); f != nil {
			c.checkLabels(crossed.Levels, f.labels(), below(below(key, "cross"), f.Name.Value), "factor "+f.Name.Value)
		}
	}
	if len(e.Repeat) > 0 {
		c.checkRepeat(e, key)
	}
	c.checkSet(e)
}

// checkSet notes what an experiment sets in vain, since in each of its parts every level of some factor sets it too.
func (c *references) checkSet(e Experiment) {
	for _, set := range e.Set {
		var by Text
		counts := func(part Experiment) bool {
			by = c.alwaysSets(append(part.Cross, Crossed{Factor: e.Under}), set.Name.Value)
			return by.Value == ""
		}
		if !slices.ContainsFunc(e.parts(), counts) {
			c.wrong(set.Name, set.Key, "every level of %s sets it too, and they win; take it out", by.Value)
		}
	}
}

// alwaysSets returns a factor of which every level sets the parameter; empty where there is none.
func (c *references) alwaysSets(factors []Crossed, parameter string) Text {
	for _, crossed := range factors {
		for _, f := range c.study.Factors {
			without := func(l Level) bool {
				return !slices.ContainsFunc(l.Settings, func(s Setting) bool { return s.Name.Value == parameter })
			}
			always := f.List && f.Name.Value == parameter || !f.List && len(f.Levels) > 0 && !slices.ContainsFunc(f.Levels, without)
			if f.Name.is(crossed.Factor) && always {
				return f.Name
			}
		}
	}
	return Text{}
}

// checkRepeat notes experiments to repeat that are not there, or that vary the factor under which they are repeated.
func (c *references) checkRepeat(e Experiment, key string) {
	c.factor(e.Under, below(key, "under"))
	var known []string
	for _, base := range c.study.Experiments {
		if len(base.Repeat) > 0 {
			continue
		}
		if len(base.Each) > 0 {
			known = append(known, base.Name.Value)
		}
		for _, part := range base.parts() {
			known = append(known, part.Name.Value)
			varies := func(crossed Crossed) bool { return crossed.Factor.is(e.Under) }
			if e.repeats(base.Name.Value, part.Name.Value) && slices.ContainsFunc(part.Cross, varies) {
				c.wrong(e.Under, below(key, "under"), "experiment %s varies %s already", part.Name.Value, e.Under.Value)
			}
		}
	}
	c.checkLeft(e, below(key, "levels"))
	for _, name := range e.Repeat {
		if !slices.Contains(known, name.Value) {
			c.wrong(name, below(key, "repeat"), "no experiment %q to run again; %s",
				shortened(name.Value), Suggest(name.Value, known))
		}
	}
}

// checkLeft notes levels that an experiment leaves of a factor which nothing that it repeats varies, or which has no
// such levels there.
func (c *references) checkLeft(e Experiment, key string) {
	for _, left := range e.Levels {
		f := c.factor(left.Dimension, key)
		if f == nil {
			continue
		}
		key := below(key, f.Name.Value)
		c.checkLabels(left.Labels, f.labels(), key, "factor "+f.Name.Value)
		varied := f.Name.is(e.Under)
		for _, repeated := range c.experiments {
			if !strings.HasPrefix(repeated.Name.Value, e.Name.Value+"/") {
				continue
			}
			for _, crossed := range repeated.Cross {
				if !crossed.Factor.is(f.Name) {
					continue
				}
				if varied = true; len(crossed.Levels) == 0 {
					c.wrong(left.Dimension, key, "leaves nothing of experiment %s, which takes other levels",
						strings.TrimPrefix(repeated.Name.Value, e.Name.Value+"/"))
				}
			}
		}
		if !varied {
			c.wrong(left.Dimension, key, "nothing that is run again varies it; take it out")
		}
	}
}

// checkParameters notes factors of one experiment that set the same parameter: which of them would count?
func (c *references) checkParameters(e Experiment) {
	key := below("experiments", e.Name.Value)
	setBy := map[string]Text{}
	for _, crossed := range e.Cross {
		j := slices.IndexFunc(c.study.Factors, func(f Factor) bool { return f.Name.is(crossed.Factor) })
		if j < 0 {
			continue
		}
		for _, parameter := range c.study.Factors[j].parameters() {
			by, twice := setBy[parameter]
			if twice && !by.is(crossed.Factor) && !c.noted(crossed.Factor) {
				c.wrong(crossed.Factor, key, "both %s and %s set %s; take one of them out",
					by.Value, crossed.Factor.Value, parameter)
			}
			setBy[parameter] = crossed.Factor
		}
	}
}

// parameters returns the parameters that any level of the factor sets, each once.
func (f *Factor) parameters() []string {
	if f.List {
		return []string{f.Name.Value}
	}
	var names []string
	for _, level := range f.Levels {
		for _, setting := range level.Settings {
			if !slices.Contains(names, setting.Name.Value) {
				names = append(names, setting.Name.Value)
			}
		}
	}
	return names
}

// noted reports whether something is wrong at the place already, as in an experiment that is repeated.
func (c *references) noted(at Text) bool {
	return slices.ContainsFunc(c.problems, func(p Problem) bool { return p.Pos == at.Pos })
}

func (c *references) checkQuery(q Query, key string) {
	var known []string
	for _, e := range c.experiments {
		known = append(known, e.Name.Value)
	}
	if q.Of.Value != "" && !slices.Contains(known, q.Of.Value) {
		c.wrong(q.Of, below(key, "of"), "no experiment %q; %s", shortened(q.Of.Value), Suggest(q.Of.Value, known))
	}
	for _, s := range q.Where {
		c.checkSelection(q.Of, s, below(key, "where"))
	}
	for _, s := range q.Against {
		c.checkSelection(q.Of, s, below(key, "against"))
	}
}

// checkSelection notes labels that no level of the dimension has, where the dimension is a factor of the experiment.
func (c *references) checkSelection(of Text, s Selection, key string) {
	for _, e := range c.experiments {
		if !e.Name.is(of) {
			continue
		}
		for _, crossed := range e.Cross {
			if !crossed.Factor.is(s.Dimension) {
				continue
			}
			levels := crossed.Levels
			for i := range c.study.Factors {
				if levels == nil && c.study.Factors[i].Name.is(crossed.Factor) {
					levels = c.study.Factors[i].labels()
				}
			}
			c.checkLabels(s.Labels, levels, below(key, s.Dimension.Value), s.Dimension.Value+" of experiment "+of.Value)
		}
	}
}

// checkLabels notes labels of the study's own file that are not among the levels. Levels that could not be read are
// noted already.
func (c *references) checkLabels(labels, levels []Text, key, what string) {
	var known []string
	for _, level := range levels {
		known = append(known, level.Value)
	}
	for _, label := range labels {
		same := func(level string) bool { return SameLabel(level, label.Value) }
		if len(known) > 0 && label.Pos.File == c.study.File && !slices.ContainsFunc(known, same) {
			c.wrong(label, key, "%s has no level %q; %s", what, shortened(label.Value), Suggest(label.Value, known))
		}
	}
}

// checkPublished notes published numbers of levels that their factor does not have: nothing would stand beside them,
// but for the names of rows.
// A study that extends another may well run fewer levels than were published.
func (s *Study) checkPublished() Problems {
	var problems Problems
	noted := map[Label]bool{}
	for _, use := range s.publishedUses() {
		for _, cell := range s.Published(use.name.Value) {
			for _, label := range cell.Labels {
				if !noted[label] && !s.mayHave(label) && !s.namesRow(use.name.Value, label.Level) {
					noted[label] = true
					problems = append(problems, s.Problem(cell.Pos, label.Dimension,
						fmt.Sprintf("factor %s of %s has no level %q", label.Dimension, s.File, shortened(label.Level))))
				}
			}
		}
	}
	return problems
}

// namesRow reports whether a label is that of a row, such as of an average, in a table that shows the file.
func (s *Study) namesRow(file, label string) bool {
	return slices.ContainsFunc(s.Tables, func(t Table) bool {
		names := func(b Block) bool { return b.Label.Value == label }
		return t.Published.Value == file && slices.ContainsFunc(t.Blocks, names)
	})
}

// mayHave reports whether a factor has the level of the label, or the dimension is no factor.
func (s *Study) mayHave(label Label) bool {
	for _, f := range s.Factors {
		if f.Name.Value == label.Dimension {
			same := func(level Level) bool { return SameLabel(level.Label.Value, label.Level) }
			return slices.ContainsFunc(f.Levels, same)
		}
	}
	return true
}
