// Checks of the names in experiments and selections.

package study

import (
	"slices"
	"strings"

	"gridsweep/configs"
)

// checkExperiments reports every name in the experiments that refers to an entry that the study
// does not have. It does not check inherited labels: they were checked in the study that defines
// them, and a factor that replaces another may have fewer levels, as it may under --levels.
func (b *binder) checkExperiments() {
	for _, e := range b.file.Experiments {
		key := configs.Key("experiments", e.Name.Value)
		for _, name := range e.Each {
			b.factor(name, key+".each")
		}
		for _, crossed := range e.Cross {
			if f := b.factor(crossed.Factor, key+".cross"); f != nil {
				b.checkLabels(crossed.Levels, f.labels, key+".cross."+configs.Key(f.Name), "factor "+f.Name)
			}
		}
		if len(e.Repeat) > 0 {
			b.checkRepeat(e, key)
		}
		b.checkNeedless(e)
		b.checkReplicationsAt(e)
	}
	for _, e := range b.bound.Experiments {
		b.checkParameters(e)
	}
	b.checkFactors()
}

// checkFactors reports factors of the study's own file that no experiment varies and no foreach
// names. A study that extends another need not vary the factors that it inherits.
func (b *binder) checkFactors() {
	if b.file.Unread.Experiments || len(b.broken) > 0 {
		return // any factor may be varied in what could not be read
	}
	for _, f := range b.file.Factors {
		varies := func(e *Experiment) bool { return e.crossing(f.Name.Value) >= 0 }
		if !f.InForeach && !f.Broken && f.Name.Pos.File == b.file.File && !slices.ContainsFunc(b.bound.Experiments, varies) {
			b.report(f.Name, configs.Key("factors", f.Name.Value),
				"no experiment varies it; name it in cross, each or under of one, or take it out")
		}
	}
}

// isBroken reports whether the name is that of an experiment with errors in its definition, or of a
// part of such an experiment.
func (b *binder) isBroken(name string) bool {
	for i, r := range name {
		if r == '/' && b.broken[name[:i]] {
			return true
		}
	}
	return b.broken[name]
}

// mayHave reports whether the study has an experiment of the name, or may have it where the file
// could not be read.
func (b *binder) mayHave(name string) bool {
	return b.experiments[name] != nil || b.file.Unread.Experiments || b.isBroken(name)
}

// factor returns the factor of a name, or nil and a problem. An empty name, and factors that could
// not be read, are reported already.
func (b *binder) factor(name configs.Text, key string) *Factor {
	f := b.factors[name.Value]
	if f == nil && name.Value != "" && !b.file.Unread.Factors {
		b.report(name, key, "no factor %q; %s", configs.Shortened(name.Value), configs.Suggest(name.Value, b.factorNames))
	}
	return f
}

// checkReplicationsAt reports replications of unknown levels, and of factors that no part of the
// experiment varies.
func (b *binder) checkReplicationsAt(e configs.Experiment) {
	for _, at := range e.ReplicationsAt {
		f := b.factor(at.Factor, at.Key)
		if f == nil {
			continue
		}
		if f.Name != e.Under.Value || !configs.SameLabel(at.Level.Value, e.Baseline.Value) {
			b.checkLabels([]configs.Text{at.Level}, f.labels, at.Key, "factor "+f.Name)
		}
		varies := func(x *Experiment) bool {
			return x.Whole == e.Name.Value && (x.file.Broken || x.crossing(f.Name) >= 0)
		}
		if !b.isBroken(e.Name.Value) && !slices.ContainsFunc(b.bound.Experiments, varies) {
			b.report(at.Factor, at.Key, "the experiment does not vary %s; take it out", f.Name)
		}
	}
}

// checkNeedless reports parameters that an experiment sets without effect: in each of its parts,
// every level of some factor sets them too.
func (b *binder) checkNeedless(e configs.Experiment) {
	for _, set := range e.Set {
		by := b.factorSetting(append(slices.Clone(e.Cross), configs.Crossed{Factor: e.Under, Baseline: e.Baseline}),
			set.Name.Value)
		doesNotSet := func(name configs.Text) bool { return !b.factors[name.Value].sets(set.Name.Value) }
		if by == "" && len(e.Each) > 0 && !slices.ContainsFunc(e.Each, doesNotSet) {
			by = e.Each[len(e.Each)-1].Value
		}
		if by != "" {
			b.report(set.Name, set.Key, "every level of %s sets it too and takes precedence; take it out", by)
		}
	}
}

// factorSetting returns the name of a factor of which every level sets the parameter, or "". Of a
// factor with a baseline, that level sets nothing.
func (b *binder) factorSetting(factors []configs.Crossed, parameter string) string {
	for _, crossed := range factors {
		if f := b.factors[crossed.Factor.Value]; crossed.Baseline.Value == "" && f.sets(parameter) {
			return f.Name
		}
	}
	return ""
}

// checkRepeat reports experiments to repeat that do not exist, or that vary the factor under which
// they are repeated.
func (b *binder) checkRepeat(e configs.Experiment, key string) {
	if f := b.factor(e.Under, key+".under"); f != nil && e.Baseline.Value != "" && f.labels.has(e.Baseline.Value) {
		b.report(e.Baseline, key+".baseline", "is a level of %s too; name it differently, or leave out the level", f.Name)
	}
	for _, p := range b.parts.repeatedBy(e) {
		base := partOf(b.file.Experiments[p.experiment], p.each)
		if slices.ContainsFunc(base.Cross, func(c configs.Crossed) bool { return c.Factor.Value == e.Under.Value }) {
			b.report(e.Under, key+".under", "experiment %s varies %s already", base.Name.Value, e.Under.Value)
		}
	}
	b.checkRestricted(e, key+".levels")
	for _, name := range e.Repeat {
		switch {
		case b.parts[name.Value] != nil:
		case b.repeats(name.Value):
			b.report(name, key+".repeat", "experiment %s runs others again itself; name these", configs.Shortened(name.Value))
		case !b.mayHave(name.Value):
			b.report(name, key+".repeat", "no experiment %q to run again; %s",
				configs.Shortened(name.Value), configs.Suggest(name.Value, b.repeatable()))
		}
	}
}

// repeats reports whether the name is that of an experiment with repeat, or of a part of one.
func (b *binder) repeats(name string) bool {
	return slices.ContainsFunc(b.file.Experiments, func(e configs.Experiment) bool {
		return len(e.Repeat) > 0 && !e.Broken && isPart(name, e.Name.Value)
	})
}

// repeatable returns the names of the experiments and parts that an experiment may repeat.
func (b *binder) repeatable() []string {
	var names []string
	for _, base := range b.file.Experiments {
		if len(base.Repeat) > 0 {
			continue
		}
		names = append(names, base.Name.Value)
		for k := range base.Each {
			names = append(names, partName(base, k))
		}
	}
	return names
}

// checkRestricted reports levels that an experiment selects of a factor that no repeated experiment
// varies, or that has no such levels there.
func (b *binder) checkRestricted(e configs.Experiment, key string) {
	isBroken := func(repeated *Experiment) bool { return repeated.file.Broken }
	for _, selected := range e.Levels {
		f := b.factor(selected.Dimension, key)
		if f == nil {
			continue
		}
		key := key + "." + configs.Key(f.Name)
		b.checkLabels(selected.Labels, f.labels, key, "factor "+f.Name)
		varied := f.Name == e.Under.Value
		for _, repeated := range b.repeated[e.Name.Value] {
			for _, crossed := range repeated.file.Cross {
				if crossed.Factor.Value != f.Name {
					continue
				}
				varied = true
				if len(crossed.Levels) == 0 {
					b.report(selected.Dimension, key, "leaves nothing of experiment %s, which takes other levels",
						repeated.file.repeats)
				}
			}
		}
		if !varied && !b.isBroken(e.Name.Value) && !slices.ContainsFunc(b.repeated[e.Name.Value], isBroken) {
			b.report(selected.Dimension, key, "nothing that is run again varies it; take it out")
		}
	}
}

// checkParameters reports factors of one experiment that set the same parameter, since it would be
// ambiguous which one counts.
func (b *binder) checkParameters(e *Experiment) {
	setBy := map[string]configs.Text{}
	for _, crossed := range e.file.Cross {
		f := b.factors[crossed.Factor.Value]
		if f == nil {
			continue
		}
		for _, parameter := range f.parameters {
			by, twice := setBy[parameter]
			if twice && by.Value != crossed.Factor.Value && !b.noted(crossed.Factor) {
				b.report(crossed.Factor, configs.Key("experiments", e.Name), "both %s and %s set %s; take one of them out",
					by.Value, crossed.Factor.Value, parameter)
			}
			setBy[parameter] = crossed.Factor
		}
	}
}

// noted reports whether a problem was reported at the position before, as in an experiment that is
// repeated.
func (b *binder) noted(at configs.Text) bool {
	return slices.ContainsFunc(b.problems, func(p configs.Problem) bool { return p.Pos == at.Pos })
}

// experimentOf returns the experiment of a query, one of the known names; nil where there is none
// or not all of it is known.
func (b *binder) experimentOf(name configs.Text, key string, known []string) *Experiment {
	if name.Value != "" && !b.mayHave(name.Value) {
		b.unknown(name, key+".of", known)
	}
	if e := b.experiments[name.Value]; e != nil && !e.file.Broken {
		return e
	}
	return nil
}

// unknown reports an experiment that the study does not have. If an inherited entry shows a part of
// an experiment that the study's own file replaces, the part is kept for reportLacking.
func (b *binder) unknown(name configs.Text, key string, known []string) {
	whole, _, isPart := strings.Cut(name.Value, "/")
	isIt := func(e configs.Experiment) bool { return e.Name.Value == whole && e.Name.Pos.File == b.file.File }
	if isPart && name.Pos.File != b.file.File && slices.ContainsFunc(b.file.Experiments, isIt) {
		if !slices.Contains(b.lacking[whole], name.Value) {
			b.lacking[whole] = append(b.lacking[whole], name.Value)
		}
		return
	}
	b.report(name, key, "no experiment %q; %s", configs.Shortened(name.Value), configs.Suggest(name.Value, known))
}

// ReportUnknown reports a name of --experiment that the study does not have, unless it may be
// where the file could not be read.
func (s *Study) ReportUnknown(problems *configs.Problems, name string) {
	var known []string
	for _, x := range s.File.Experiments {
		if x.Broken && isPart(name, x.Name.Value) {
			return
		}
		known = append(known, x.Name.Value)
	}
	for _, x := range s.Experiments {
		if x.Broken() && isPart(name, x.Name) {
			return
		}
		if !slices.Contains(known, x.Name) {
			known = append(known, x.Name)
		}
	}
	s.File.Report(problems, configs.Pos{}, "--experiment", "study %s has no experiment %q; %s", s.Name, name,
		configs.Suggest(name, known))
}

// reportLacking reports the experiments of the study's own file that lack parts which inherited
// entries show.
func (b *binder) reportLacking() {
	for _, e := range b.file.Experiments {
		if parts := b.lacking[e.Name.Value]; len(parts) > 0 {
			b.report(e.Name, configs.Key("experiments", e.Name.Value), "lacks parts that inherited tables, figures or claims "+
				"show: %s; add them with each, or name the experiment differently", strings.Join(parts, ", "))
		}
	}
}

// checkSelection reports labels below a key that no level of the dimension has, if the dimension is
// a factor of the experiment.
func (b *binder) checkSelection(experiment configs.Text, s configs.Selection, key string) {
	e, f := b.experiments[experiment.Value], b.factors[s.Dimension.Value]
	i := -1
	if e != nil {
		i = e.crossing(s.Dimension.Value)
	}
	switch {
	case i >= 0:
		b.checkLabels(s.Labels, e.taken[i], key, s.Dimension.Value+" of experiment "+experiment.Value)
	case f != nil && (e == nil || b.isBroken(experiment.Value)):
		b.checkLabels(s.Labels, f.labels, key, "factor "+f.Name)
	}
}

// takenBy returns the labels of the levels that an experiment of the file takes of a factor.
func (b *binder) takenBy(crossed configs.Crossed) labelSet {
	levels := newLabelSet(texts(crossed.Levels))
	if f := b.factors[crossed.Factor.Value]; crossed.Levels == nil && f != nil {
		levels = f.labels
	}
	isKnown := crossed.Levels != nil || len(levels.texts) > 0
	if crossed.Baseline.Value != "" && isKnown {
		levels = newLabelSet(append([]string{crossed.Baseline.Value}, levels.texts...))
	}
	return levels
}

// checkLabels reports labels of the study's own file that are not among the levels. Levels that
// could not be read are reported already.
func (b *binder) checkLabels(labels []configs.Text, levels labelSet, key, what string) {
	for _, label := range labels {
		if len(levels.texts) > 0 && label.Pos.File == b.file.File && !levels.has(label.Value) {
			b.report(label, key, "%s has no level %q; %s", what, configs.Shortened(label.Value), configs.Suggest(label.Value,
				levels.texts))
		}
	}
}

// checkPublishedLevels reports published numbers of levels that their factor does not have, which
// no result would be compared with; the label of a row is no level. A study that extends another
// may run fewer levels than were published.
func (b *binder) checkPublishedLevels(file *configs.Study) {
	factors := map[string]labelSet{}
	for _, f := range file.Factors {
		factors[f.Name.Value] = labelsInFile(f)
	}
	// of a file: the labels of rows, such as of an average, in the tables that show it
	type rowOf struct{ file, label string }
	rows := map[rowOf]bool{}
	for _, t := range file.Tables {
		for _, block := range t.Blocks {
			rows[rowOf{t.Published.Value, block.Label.Value}] = true
		}
	}
	noted := map[configs.LevelOf]bool{}
	for _, name := range file.PublishedFiles() {
		for _, cell := range file.Published(name) {
			for i, l := range cell.Levels {
				levels, isFactor := factors[l.Dimension]
				if !isFactor || levels.has(l.Level) || noted[l] || rows[rowOf{name, l.Level}] {
					continue
				}
				noted[l] = true
				b.file.Report(&b.problems, cell.At[i], l.Dimension, "factor %s of %s has no level %q; %s", l.Dimension,
					file.File, configs.Shortened(l.Level), configs.Suggest(l.Level, levels.texts))
			}
		}
	}
}
