// Experiments with each and repeat written out as those that run.

package study

import (
	"cmp"
	"iter"
	"slices"

	"gridsweep/configs"
	"gridsweep/configs/language"
)

// experiment is one that is run: an experiment of the file, or one written out from each or repeat.
type experiment struct {
	configs.Experiment
	// name of the experiment that it repeats under every level of its first factor; empty for most
	repeats string
}

// writtenOut yields the experiments that are run, in the order of the file, with each and repeat
// written out. An experiment with each: [a, b] becomes "name/a" and "name/b", whose first crossed
// factor is a or b. An experiment that repeats e under a factor becomes "name/e": it crosses this
// factor with the factors of e, has the settings of e and then its own, and takes of a factor in
// its own levels only those named there. An experiment with each is repeated as all of its parts.
func writtenOut(s *configs.Study) iter.Seq[experiment] {
	known := partsOf(s)
	factors := map[string]bool{}
	for _, f := range s.Factors {
		factors[f.Name.Value] = true
	}
	isUnknown := func(c configs.Crossed) bool { return !factors[c.Factor.Value] }
	return func(yield func(experiment) bool) {
		yields := func(e experiment) bool {
			e.Broken = e.Broken || slices.ContainsFunc(e.Cross, isUnknown)
			return yield(e)
		}
		for _, e := range s.Experiments {
			for k := range max(len(e.Each), 1) {
				if len(e.Repeat) == 0 && !yields(experiment{Experiment: partOf(e, k)}) {
					return
				}
			}
			for _, p := range known.repeatedBy(e) {
				if !yields(repeatedExperiment(e, partOf(s.Experiments[p.experiment], p.each))) {
					return
				}
			}
		}
	}
}

// part is a part of an experiment with each: the index of the experiment and of the factor in Each.
// An experiment without each is its own single part.
type part struct{ experiment, each int }

// partsByName holds the parts that each name in repeat stands for.
type partsByName map[string][]part

func partsOf(s *configs.Study) partsByName {
	known := partsByName{}
	for i, e := range s.Experiments {
		if len(e.Repeat) > 0 {
			continue
		}
		for k := range max(len(e.Each), 1) {
			known[e.Name.Value] = append(known[e.Name.Value], part{i, k})
			if len(e.Each) > 0 {
				name := partName(e, k)
				known[name] = append(known[name], part{i, k})
			}
		}
	}
	return known
}

// repeatedBy returns the parts that an experiment runs again, each once and in the order of the
// file.
func (known partsByName) repeatedBy(e configs.Experiment) []part {
	var parts []part
	for _, name := range e.Repeat {
		parts = append(parts, known[name.Value]...)
	}
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.experiment, b.experiment), cmp.Compare(a.each, b.each))
	})
	return slices.Compact(parts)
}

// partOf returns the experiment for the k-th factor of each, or the experiment itself where it has
// none.
func partOf(e configs.Experiment, k int) configs.Experiment {
	if len(e.Each) == 0 {
		return e
	}
	part := e
	part.Name.Value = partName(e, k)
	part.Each = nil
	part.Cross = append([]configs.Crossed{{Factor: e.Each[k]}}, e.Cross...)
	return part
}

func partName(e configs.Experiment, k int) string { return e.Name.Value + "/" + e.Each[k].Value }

// claimsOfParts returns a claim about an experiment with each as one claim for each part of the
// experiment. The factor that the part varies replaces the dimension "each".
func claimsOfParts(c configs.Claim, whole configs.Experiment) []configs.Claim {
	var claims []configs.Claim
	for k := range whole.Each {
		e := partOf(whole, k)
		claim := c
		claim.Of.Value = e.Name.Value
		named := func(d configs.Text) configs.Text {
			if d.Value == language.Each {
				d.Value = e.Cross[0].Factor.Value
			}
			return d
		}
		claim.For, claim.Most, claim.Along = mapped(c.For, named), mapped(c.Most, named), named(c.Along)
		claims = append(claims, claim)
	}
	return claims
}

// repeatedExperiment returns the experiment that runs base under every level of e.Under.
func repeatedExperiment(e, base configs.Experiment) experiment {
	repeated := experiment{Experiment: e, repeats: base.Name.Value}
	repeated.Name.Value += "/" + base.Name.Value
	repeated.Repeat, repeated.Under, repeated.Baseline, repeated.Levels = nil, configs.Text{}, configs.Text{}, nil
	repeated.Assumptions, repeated.Design, repeated.Universes = nil, configs.Text{}, 0
	repeated.Set = configs.Replaced(base.Set, e.Set)
	repeated.Cross = []configs.Crossed{restricted(e, configs.Crossed{Factor: e.Under, Baseline: e.Baseline})}
	for _, crossed := range base.Cross {
		repeated.Cross = append(repeated.Cross, restricted(e, crossed))
	}
	repeated.Measure = e.Measure || base.Measure
	repeated.Broken = e.Broken || base.Broken
	if e.Replications == 0 {
		repeated.Replications = base.Replications
		repeated.ReplicationsAt = slices.Concat(base.ReplicationsAt, e.ReplicationsAt)
	}
	return repeated
}

// restricted returns a crossed factor with only the levels that e.Levels names of it, in their
// order.
func restricted(e configs.Experiment, crossed configs.Crossed) configs.Crossed {
	i := slices.IndexFunc(e.Levels, func(s configs.Selection) bool { return s.Dimension.Value == crossed.Factor.Value })
	if i < 0 {
		return crossed
	}
	taken := newLabelSet(texts(crossed.Levels))
	remaining := configs.Crossed{
		Factor: crossed.Factor, Baseline: crossed.Baseline,
		Levels: []configs.Text{}, // nil would take all
		Key:    configs.Key("experiments", e.Name.Value, "levels", crossed.Factor.Value),
	}
	for _, label := range e.Levels[i].Labels {
		if crossed.Levels == nil || taken.has(label.Value) {
			remaining.Levels = append(remaining.Levels, label)
		}
	}
	return remaining
}
