// Experiments that run: crossed designs of factors with their replications.

package study

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"gridsweep/configs"
)

// Experiment is a crossed design: every combination of the levels of its factors is a cell.
type Experiment struct {
	Name         string
	Doc          string
	Whole        string // name in the file: Name up to the first slash
	Pos          configs.Pos
	Fixed        []Assignment // a later one overrides an earlier one
	Crossed      []Crossed
	Replications int  // replications of cells whose levels have no own number; see ReplicationsOf
	Measure      bool // its runs are timed
	Optional     bool // run only when named
	// the experiment that it repeats under every level of its first factor; nil for most
	Repeats *Experiment
	// Universes are the levels of the first factor of an experiment under assumptions; nil for
	// others.
	Universes []Universe
	Wrong     bool // it is Broken, or some of its settings or factors are wrong; reported

	file  experiment
	taken []labelSet // by index in file.Cross: the labels that the study file lets it take
}

// Broken reports whether the experiment could not be read in whole, or varies an unknown factor.
func (e *Experiment) Broken() bool { return e.file.Broken }

// IsPartOf reports whether the experiment is the named one of the study file or was written out
// from it: as name/factor from each, or as name/experiment from repeat.
func (e *Experiment) IsPartOf(name string) bool { return isPart(e.Name, name) }

func isPart(experiment, name string) bool {
	return experiment == name || strings.HasPrefix(experiment, name+"/")
}

// Crossed is a factor with the levels that an experiment takes of it.
type Crossed struct {
	*Factor
	Levels       []Level
	replications []int // by level: its own number, 0 for none; nil where no level has one
}

// Varied returns the names of the factors that the experiment crosses.
func (e *Experiment) Varied() []string {
	return mapped(e.Crossed, func(c Crossed) string { return c.Name })
}

// ReplicationsOf returns the number of replications of the cell with these levels: the largest of
// its levels' own numbers, else the experiment's.
func (e *Experiment) ReplicationsOf(levels []int) int {
	most := 0
	for i, level := range levels {
		if own := e.Crossed[i].replications; own != nil {
			most = max(most, own[level])
		}
	}
	return cmp.Or(most, e.Replications)
}

// RangeOfReplications returns the least and the largest number of replications of the cells; see
// ReplicationsOf.
func (e *Experiment) RangeOfReplications() (fewest, most int) {
	atLeast := 0  // the fewest that a cell has by its levels; 0 if some cell has none
	smallest := 0 // the smallest number of a level; 0 if no level has one
	for _, crossed := range e.Crossed {
		if crossed.replications == nil {
			continue
		}
		atLeast, most = max(atLeast, slices.Min(crossed.replications)), max(most, slices.Max(crossed.replications))
		for _, replications := range crossed.replications {
			if replications > 0 && (smallest == 0 || replications < smallest) {
				smallest = replications
			}
		}
	}
	switch {
	case atLeast > 0:
		return atLeast, most
	case smallest > 0:
		return min(e.Replications, smallest), max(e.Replications, most)
	}
	return e.Replications, e.Replications
}

// TotalRuns returns the number of runs of all cells; a run of several cells counts in each.
func (e *Experiment) TotalRuns() *big.Int {
	cells := func(atMost int) *big.Int { // whose levels have at most so many own replications
		product := big.NewInt(1)
		for _, crossed := range e.Crossed {
			count := len(crossed.Levels)
			for _, own := range crossed.replications {
				if own > atMost {
					count--
				}
			}
			product.Mul(product, big.NewInt(int64(count)))
		}
		return product
	}
	var steps []int
	for _, crossed := range e.Crossed {
		steps = append(steps, crossed.replications...)
	}
	slices.Sort(steps)
	counted := cells(0) // whose levels have no own number of replications
	total := new(big.Int).Mul(counted, big.NewInt(int64(e.Replications)))
	for _, replications := range slices.Compact(steps) {
		if replications > 0 {
			all := cells(replications)
			more := new(big.Int).Sub(all, counted)
			total.Add(total, more.Mul(more, big.NewInt(int64(replications))))
			counted = all
		}
	}
	return total
}

// readExperiments binds the experiments that are run.
func (b *binder) readExperiments() {
	b.parts = partsOf(b.file)
	isUnknownFactor := func(name configs.Text) bool { return b.factors[name.Value] == nil }
	isUnknown := func(name configs.Text) bool { return b.parts[name.Value] == nil }
	for _, e := range b.file.Experiments {
		if len(e.Each) > 0 {
			b.withEach[e.Name.Value] = e
			b.namesInClaims = append(b.namesInClaims, e.Name.Value)
		}
		if e.Broken || slices.ContainsFunc(e.Each, isUnknownFactor) || slices.ContainsFunc(e.Repeat, isUnknown) {
			b.broken[e.Name.Value] = true
		}
	}
	for e := range writtenOut(b.file) {
		bound := b.experiment(e)
		bound.Universes = b.universesAt(bound)
		b.bound.Experiments = append(b.bound.Experiments, bound)
		b.experiments[bound.Name] = bound
		b.experimentNames = append(b.experimentNames, bound.Name)
		if e.Broken {
			b.broken[bound.Name] = true
		}
		if e.repeats != "" {
			by := strings.TrimSuffix(bound.Name, "/"+e.repeats)
			b.repeated[by] = append(b.repeated[by], bound)
		}
	}
	for _, e := range b.bound.Experiments {
		e.Repeats = b.experiments[e.file.repeats]
	}
	b.namesInClaims = append(b.namesInClaims, b.experimentNames...)
}

// experiment binds one experiment: its settings, in order of precedence, and its factors.
func (b *binder) experiment(e experiment) *Experiment {
	whole, _, _ := strings.Cut(e.Name.Value, "/")
	bound := &Experiment{
		Name: e.Name.Value, Doc: e.Doc.Value, Whole: whole, Pos: e.Name.Pos, Replications: e.Replications, Measure: e.Measure,
		Optional: e.Optional, file: e, Fixed: slices.Concat(b.base, b.settings(e.Set), b.quick, b.set),
	}
	bound.Wrong = e.Broken || slices.ContainsFunc(bound.Fixed, isWrong)
	if b.overrides.Quick && b.file.Quick.Replications > 0 {
		bound.Replications = b.file.Quick.Replications
	}
	bound.Replications = b.atMost(bound.Replications)
	for _, crossed := range e.Cross {
		bound.taken = append(bound.taken, b.takenBy(crossed))
		f := b.factors[crossed.Factor.Value]
		if f == nil {
			bound.Wrong = true // checkExperiments reports it
			continue
		}
		bound.Wrong = bound.Wrong || f.Broken
		levels := f.Levels
		if crossed.Levels != nil && !f.overridden {
			// ReportMissingLevels reports them
			lacks := func(label configs.Text) bool { return b.bound.lacks(f, label) }
			levels = b.take(f, slices.DeleteFunc(slices.Clone(crossed.Levels), lacks), crossed.Key)
		}
		if most := b.overrides.Universes; most > 0 && b.universes[f.Name].levels != nil {
			levels = levels[:min(len(levels), most)]
		}
		if crossed.Baseline.Value != "" {
			levels = append([]Level{{Label: NewLabel(crossed.Baseline.Value)}}, levels...)
		}
		bound.Crossed = append(bound.Crossed, Crossed{
			Factor: f, Levels: levels, replications: b.replicationsAt(e, f, levels),
		})
	}
	return bound
}

// replicationsAt returns, by level of a factor, the level's own number of replications in an
// experiment, 0 for none; nil where no level has one, or quick sets that of all cells.
func (b *binder) replicationsAt(e experiment, f *Factor, levels []Level) []int {
	if b.overrides.Quick && b.file.Quick.Replications > 0 {
		return nil
	}
	var replications []int
	for _, at := range e.ReplicationsAt {
		i := slices.IndexFunc(levels, func(l Level) bool { return l.Label.Same(NewLabel(at.Level.Value)) })
		if at.Factor.Value != f.Name || i < 0 {
			continue
		}
		if replications == nil {
			replications = make([]int, len(levels))
		}
		replications[i] = b.atMost(at.Replications)
	}
	return replications
}

// atMost returns a number of replications, or the most that the command allows.
func (b *binder) atMost(replications int) int {
	if most := b.overrides.MostReplications; most > 0 {
		return min(replications, most)
	}
	return replications
}

// crossing returns the index of a factor in file.Cross, or -1.
func (e *Experiment) crossing(factor string) int {
	return slices.IndexFunc(e.file.Cross, func(c configs.Crossed) bool { return c.Factor.Value == factor })
}
