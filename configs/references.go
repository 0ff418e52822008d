package configs

import (
	"context"
	"slices"
	"strings"
)

// check notes every name that stands for another entry of the study which it does not have. Labels that
// are inherited are let be: they were checked where they were written, and a factor that is replaced may well have
// fewer levels, as it may under --levels.
func (c *references) check() {
	s := c.study
	for _, e := range s.Experiments {
		c.checkExperiment(e, below("experiments", e.Name.Value))
	}
	for _, e := range c.experiments {
		c.checkParameters(e)
	}
	for _, q := range s.Quick.Levels {
		if f := c.factor(q.Dimension, "quick.levels"); f != nil {
			c.checkLabels(q.Labels, f.labels, below("quick.levels", f.Name.Value), "factor "+f.Name.Value)
		}
	}
	for _, t := range s.Tables {
		for _, b := range t.Blocks {
			c.checkQuery(b.Query, below("tables", t.Name.Value), c.names)
		}
	}
	for _, f := range s.Figures {
		c.checkQuery(f.Query, below("figures", f.Name.Value), c.names)
	}
	for _, claim := range s.Claims {
		c.checkClaim(claim)
	}
	c.reportLacking()
}

// checkClaim checks what a claim asserts of each experiment, up to the first of which something is wrong.
func (c *references) checkClaim(claim Claim) {
	key, before := below("claims", claim.Name.Value), c.problems.Count()
	parts := []Claim{claim}
	if e, found := c.withEach[claim.Of.Value]; found {
		parts = claim.PartsIn(e)
	}
	for _, part := range parts {
		c.checkQuery(part.Query, key, c.namesInClaims)
		for _, group := range part.Order {
			named := slices.DeleteFunc(slices.Clone(group), Text{Value: rest}.is)
			c.checkSelection(part.Of, Selection{part.Along, named}, below(key, "order"))
		}
		if c.problems.Count() > before {
			return
		}
	}
}

// references checks the names in a study.
type references struct {
	ctx         context.Context // when it is done, the rest is not checked
	study       *Study
	experiments []Experiment          // expanded
	withEach    map[string]Experiment // by name: those of the study that have parts
	varied      map[string][]Crossed  // by name: what an expanded experiment crosses
	names       []string              // of the expanded experiments
	// namesInClaims are those and the names of experiments that have parts.
	namesInClaims []string
	factors       map[string]*namedFactor // by name
	factorNames   []string
	takenLabels   map[[2]string]labels // by experiment and factor: of the levels taken, where these are not all
	parts         partsByName
	repeated      map[string][]Experiment // by name: what an experiment with Repeat stands for
	lacking       map[string][]string     // by name: the parts that reportLacking notes
	broken        map[string]bool         // names of experiments of which not all is known, parts included
	problems      Problems
}

// namedFactor is a factor with what is looked up in it.
type namedFactor struct {
	*Factor
	labels     labels
	parameters []string        // that any level sets, each once
	always     map[string]bool // those that every level sets
}

// labels are those of levels, to look one up.
type labels struct {
	known []string
	set   map[string]bool
}

func newLabels(levels []Text) labels {
	l := labels{set: labelSet(levels)}
	for _, level := range levels {
		l.known = append(l.known, level.Value)
	}
	return l
}

func newReferences(ctx context.Context, s *Study) *references {
	c := &references{
		ctx: ctx, study: s, experiments: s.Expanded(), withEach: map[string]Experiment{}, varied: map[string][]Crossed{},
		factors: map[string]*namedFactor{}, takenLabels: map[[2]string]labels{}, parts: s.partsByName(),
		repeated: map[string][]Experiment{}, broken: map[string]bool{}, lacking: map[string][]string{},
	}
	for i := range s.Factors {
		f := newNamedFactor(&s.Factors[i])
		c.factors[f.Name.Value] = f
		c.factorNames = append(c.factorNames, f.Name.Value)
	}
	for _, e := range s.Experiments {
		if len(e.Each) > 0 {
			c.withEach[e.Name.Value] = e
		}
		isUnknownFactor := func(name Text) bool { return c.factors[name.Value] == nil }
		isUnknown := func(name Text) bool { return c.parts[name.Value] == nil }
		if e.Broken || slices.ContainsFunc(e.Each, isUnknownFactor) || slices.ContainsFunc(e.Repeat, isUnknown) {
			c.broken[e.Name.Value] = true
		}
	}
	for _, e := range c.experiments {
		if e.Broken {
			c.broken[e.Name.Value] = true
		}
		c.varied[e.Name.Value] = e.Cross
		c.names = append(c.names, e.Name.Value)
		if e.Again != "" {
			by := strings.TrimSuffix(e.Name.Value, "/"+e.Again)
			c.repeated[by] = append(c.repeated[by], e)
		}
	}
	for _, e := range s.Experiments {
		if len(e.Each) > 0 {
			c.namesInClaims = append(c.namesInClaims, e.Name.Value)
		}
	}
	c.namesInClaims = append(c.namesInClaims, c.names...)
	return c
}

func newNamedFactor(f *Factor) *namedFactor {
	named := &namedFactor{Factor: f, always: map[string]bool{}}
	var levels []Text
	sets := map[string]int{} // by parameter: how many levels do
	for _, level := range f.Levels {
		levels = append(levels, level.Label)
		for _, setting := range level.Settings {
			if sets[setting.Name.Value]++; sets[setting.Name.Value] == 1 && len(named.parameters) < mostWords {
				named.parameters = append(named.parameters, setting.Name.Value)
			}
		}
	}
	if !f.Broken {
		named.labels = newLabels(levels)
	}
	if f.List {
		named.parameters, named.always[f.Name.Value] = []string{f.Name.Value}, true
	}
	for parameter, n := range sets {
		if n == len(f.Levels) {
			named.always[parameter] = true
		}
	}
	return named
}

func (c *references) wrong(at Text, key, format string, args ...any) {
	c.study.Report(&c.problems, at.Pos, key, format, args...)
}

// isBroken reports whether the name is of an experiment of which not all is known, or of what may be a part of it.
func (c *references) isBroken(name string) bool {
	for i, r := range name {
		if r == '/' && c.broken[name[:i]] {
			return true
		}
	}
	return c.broken[name]
}

// mayHave reports whether the study has an experiment of the name, or may have it once all can be read.
func (c *references) mayHave(name string) bool {
	_, known := c.varied[name]
	return known || c.study.unread.experiments || c.isBroken(name)
}

// factor returns the factor of a name, or nil and a problem.
func (c *references) factor(name Text, key string) *namedFactor {
	f := c.factors[name.Value]
	if f == nil && name.Value != "" && !c.study.unread.factors { // else it is noted as missing
		c.wrong(name, key, "no factor %q; %s", shortened(name.Value), Suggest(name.Value, c.factorNames))
	}
	return f
}

func (c *references) checkExperiment(e Experiment, key string) {
	for _, name := range e.Each {
		c.factor(name, below(key, "each"))
	}
	for _, crossed := range e.Cross {
		if f := c.factor(crossed.Factor, below(key, "cross")); f != nil {
			c.checkLabels(crossed.Levels, f.labels, below(below(key, "cross"), f.Name.Value), "factor "+f.Name.Value)
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
		by := c.alwaysSets(append(slices.Clone(e.Cross), Crossed{Factor: e.Under}), set.Name.Value)
		if len(e.Each) > 0 {
			always := func(name Text) bool { return c.factors[name.Value].sets(set.Name.Value) }
			if last := e.Each[len(e.Each)-1]; by.Value != "" && always(last) ||
				by.Value == "" && !slices.ContainsFunc(e.Each, func(name Text) bool { return !always(name) }) {
				by = last
			}
		}
		if by.Value != "" {
			c.wrong(set.Name, set.Key, "every level of %s sets it too, and they win; take it out", by.Value)
		}
	}
}

// alwaysSets returns a factor of which every level sets the parameter; empty where there is none.
func (c *references) alwaysSets(factors []Crossed, parameter string) Text {
	for _, crossed := range factors {
		if f := c.factors[crossed.Factor.Value]; f.sets(parameter) {
			return f.Name
		}
	}
	return Text{}
}

// sets reports whether every level of the factor sets the parameter. No factor sets none.
func (f *namedFactor) sets(parameter string) bool { return f != nil && f.always[parameter] }

// checkRepeat notes experiments to repeat that are not there, or that vary the factor under which they are repeated.
func (c *references) checkRepeat(e Experiment, key string) {
	c.factor(e.Under, below(key, "under"))
	for _, p := range c.parts.repeatedBy(e) {
		base := c.study.Experiments[p.experiment].part(p.each)
		if slices.ContainsFunc(base.Cross, func(crossed Crossed) bool { return crossed.Factor.is(e.Under) }) {
			c.wrong(e.Under, below(key, "under"), "experiment %s varies %s already", base.Name.Value, e.Under.Value)
		}
	}
	c.checkLeft(e, below(key, "levels"))
	for _, name := range e.Repeat {
		if c.parts[name.Value] == nil && !c.mayHave(name.Value) {
			c.wrong(name, below(key, "repeat"), "no experiment %q to run again; %s",
				shortened(name.Value), Suggest(name.Value, c.repeatable()))
		}
	}
}

// repeatable returns the names of the experiments and parts that one may repeat.
func (c *references) repeatable() []string {
	var names []string
	for _, base := range c.study.Experiments {
		if len(base.Repeat) > 0 {
			continue
		}
		names = append(names, base.Name.Value)
		for k := range base.Each {
			names = append(names, base.partName(k))
		}
	}
	return names
}

// checkLeft notes levels that an experiment leaves of a factor which nothing that it repeats varies, or which has no
// such levels there.
func (c *references) checkLeft(e Experiment, key string) {
	isBroken := func(repeated Experiment) bool { return repeated.Broken }
	for _, left := range e.Levels {
		f := c.factor(left.Dimension, key)
		if f == nil {
			continue
		}
		key := below(key, f.Name.Value)
		c.checkLabels(left.Labels, f.labels, key, "factor "+f.Name.Value)
		varied := f.Name.is(e.Under)
		for _, repeated := range c.repeated[e.Name.Value] {
			for _, crossed := range repeated.Cross {
				if !crossed.Factor.is(f.Name) {
					continue
				}
				if varied = true; len(crossed.Levels) == 0 {
					c.wrong(left.Dimension, key, "leaves nothing of experiment %s, which takes other levels", repeated.Again)
				}
			}
		}
		if !varied && !c.isBroken(e.Name.Value) && !slices.ContainsFunc(c.repeated[e.Name.Value], isBroken) {
			c.wrong(left.Dimension, key, "nothing that is run again varies it; take it out")
		}
	}
}

// checkParameters notes factors of one experiment that set the same parameter: which of them would count?
func (c *references) checkParameters(e Experiment) {
	key := below("experiments", e.Name.Value)
	setBy := map[string]Text{}
	for _, crossed := range e.Cross {
		f := c.factors[crossed.Factor.Value]
		if f == nil {
			continue
		}
		for _, parameter := range f.parameters {
			by, twice := setBy[parameter]
			if twice && !by.is(crossed.Factor) && !c.noted(crossed.Factor) {
				c.wrong(crossed.Factor, key, "both %s and %s set %s; take one of them out",
					by.Value, crossed.Factor.Value, parameter)
			}
			setBy[parameter] = crossed.Factor
		}
	}
}

// noted reports whether something is wrong at the place already, as in an experiment that is repeated.
func (c *references) noted(at Text) bool {
	return slices.ContainsFunc(c.problems, func(p Problem) bool { return p.Pos == at.Pos })
}

// checkQuery checks a query of one of the known experiments.
func (c *references) checkQuery(q Query, key string, known []string) {
	if c.ctx.Err() != nil {
		return
	}
	if q.Of.Value != "" && !c.mayHave(q.Of.Value) {
		c.unknown(q.Of, below(key, "of"), known)
	}
	for _, s := range q.Where {
		c.checkSelection(q.Of, s, below(key, "where"))
	}
	for _, s := range q.Against {
		c.checkSelection(q.Of, s, below(key, "against"))
	}
}

// unknown notes an experiment that the study does not have. What an inherited entry shows of one whose place an experiment
// of the study's own file takes is kept for reportLacking.
func (c *references) unknown(of Text, key string, known []string) {
	whole, _, isPart := strings.Cut(of.Value, "/")
	isIt := func(e Experiment) bool { return e.Name.Value == whole && e.Name.Pos.File == c.study.File }
	if isPart && of.Pos.File != c.study.File && slices.ContainsFunc(c.study.Experiments, isIt) {
		if !slices.Contains(c.lacking[whole], of.Value) {
			c.lacking[whole] = append(c.lacking[whole], of.Value)
		}
		return
	}
	c.wrong(of, key, "no experiment %q; %s", shortened(of.Value), Suggest(of.Value, known))
}

// reportLacking notes the experiments of the study's own file that lack parts which inherited entries show.
func (c *references) reportLacking() {
	for _, e := range c.study.Experiments {
		if parts := c.lacking[e.Name.Value]; len(parts) > 0 {
			c.wrong(e.Name, below("experiments", e.Name.Value), "lacks parts that inherited tables, figures or claims show: %s; add "+
				"them with each, or name the experiment differently", strings.Join(parts, ", "))
		}
	}
}

// checkSelection notes labels that no level of the dimension has, where the dimension is a factor of the experiment.
func (c *references) checkSelection(of Text, s Selection, key string) {
	crosses, isKnown := c.varied[of.Value]
	f := c.factors[s.Dimension.Value]
	key = below(key, s.Dimension.Value)
	i := slices.IndexFunc(crosses, func(crossed Crossed) bool { return crossed.Factor.is(s.Dimension) })
	switch what := s.Dimension.Value + " of experiment " + of.Value; {
	case i >= 0 && crosses[i].Levels != nil:
		c.checkLabels(s.Labels, c.taken(of, crosses[i]), key, what)
	case i >= 0 && f != nil:
		c.checkLabels(s.Labels, f.labels, key, what)
	case f != nil && (!isKnown || c.isBroken(of.Value)):
		c.checkLabels(s.Labels, f.labels, key, "factor "+f.Name.Value)
	}
}

// taken returns the labels of levels that an expanded experiment takes of a factor.
func (c *references) taken(of Text, crossed Crossed) labels {
	key := [2]string{of.Value, crossed.Factor.Value}
	levels, known := c.takenLabels[key]
	if !known {
		levels = newLabels(crossed.Levels)
		c.takenLabels[key] = levels
	}
	return levels
}

// checkLabels notes labels of the study's own file that are not among the levels. Levels that could not be read are
// noted already.
func (c *references) checkLabels(labels []Text, levels labels, key, what string) {
	for _, label := range labels {
		if len(levels.known) > 0 && label.Pos.File == c.study.File && !levels.set[CanonicalLabel(label.Value)] {
			c.wrong(label, key, "%s has no level %q; %s", what, shortened(label.Value), Suggest(label.Value, levels.known))
		}
	}
}

// checkPublished notes published numbers of levels that their factor does not have: nothing would stand beside them,
// but for the names of rows. A study that extends another may well run fewer levels than were published.
func (c *references) checkPublished() {
	s := c.study
	rows := map[Label]bool{} // of a file: the labels of rows, such as of an average, in the tables that show it
	for _, t := range s.Tables {
		for _, b := range t.Blocks {
			rows[Label{t.Published.Value, b.Label.Value}] = true
		}
	}
	checked := map[string]bool{} // by file
	noted := map[Label]bool{}
	for _, use := range s.publishedUses() {
		if checked[use.name.Value] {
			continue
		}
		checked[use.name.Value] = true
		for _, cell := range s.Published(use.name.Value) {
			for _, label := range cell.Labels {
				f := c.factors[label.Dimension]
				if f == nil || f.labels.set[CanonicalLabel(label.Level)] || noted[label] || rows[Label{use.name.Value, label.Level}] {
					continue
				}
				noted[label] = true
				s.Report(&c.problems, cell.Pos, label.Dimension, "factor %s of %s has no level %q", label.Dimension, s.File,
					shortened(label.Level))
			}
		}
	}
}
