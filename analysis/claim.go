// Claims. A claim gets its verdict in five steps:
//
//   - observe.go reads the values of each cell and replication;
//   - query.go and sample.go compute numbers of them, each with the contributions of the
//     replications (number.go);
//   - margin.go compares these numbers by the test of the claim: each comparison has a margin and
//     asserts a hypothesis;
//   - hypothesis.go computes the evidence for and against hypotheses as p-values;
//   - judge.go leaves out comparisons that show nothing of their own, and gets the verdict on the
//     others by the rule in rule.go, which corrects p-values for the number of comparisons.
//     decide.go corrects it for repeated looks, and presuppose may make it vacuous.
//
// Runs under alternative assumptions take the same steps, also where they lack levels of the claim
// (subset.go). Published numbers become observations in published.go, take the second and third
// step, and have no evidence: judge_published.go judges them by their margins alone.

package analysis

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/dustin/go-humanize/english"

	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// claim judges a claim on our rows, on the published numbers and under each alternative assumption
// that was run, after the claim that it presupposes.
func (a *analyzer) claim(ctx context.Context, c *study.Claim) (*Claim, error) {
	if claim := a.claims[c.Name]; claim != nil {
		return claim, nil
	}
	presupposed, err := a.presupposed(ctx, c)
	if err != nil {
		return nil, err
	}
	compared, err := a.comparisons(ctx, c, c.Assertions)
	if err != nil {
		return nil, err
	}
	ours := a.judge(c, Subject{Claim: c.Name}, compared)
	claim := &Claim{
		Name: c.Name, Doc: c.Doc, Source: c.Source, Main: c.Main, Origin: c.Origin, Sentence: c.Sentence,
		Presupposes: c.Presupposes, Test: describe(c), Unit: marginUnit(c), EquivalenceMargin: c.EquivalenceMargin,
		Near: c.Near, ValueUnit: valueUnit(c), Ours: ours, Published: a.judgePublished(c, ours.Comparisons),
	}
	if presupposed != nil {
		claim.Ours.presuppose(presupposed.Name, presupposed.Ours.Verdict)
		if claim.Published != nil && presupposed.Published != nil {
			claim.Published.presuppose(presupposed.Name, presupposed.Published.Verdict)
		}
	}
	if err := a.assumptions(ctx, c, claim, presupposed, compared.levels()); err != nil {
		return nil, err
	}
	claim.Reason = a.reason(c, claim)
	a.claims[c.Name] = claim
	return claim, nil
}

// valueUnit returns the unit of the numbers that a claim compares.
func valueUnit(c *study.Claim) string {
	first := &c.Assertions[0].Query
	return valueAxis(first, first.Shown[0]).Unit
}

// marginUnit returns the unit of the margins of a claim.
func marginUnit(c *study.Claim) string { return MarginUnit(valueUnit(c)) }

// presupposed returns the claim that a claim presupposes; nil if it presupposes none, or one of
// experiments that are not in the plan.
func (a *analyzer) presupposed(ctx context.Context, c *study.Claim) (*Claim, error) {
	for _, other := range a.plan.Study.Claims {
		isLeftOut := func(e *study.Experiment) bool { return a.plan.Planned(e) == nil }
		if other.Name == c.Presupposes && !slices.ContainsFunc(other.Experiments(), isLeftOut) {
			return a.claim(ctx, other)
		}
	}
	return nil, nil
}

// judge judges a claim by the comparisons, or as its looks have decided.
func (a *analyzer) judge(c *study.Claim, subject Subject, compared *comparisons) Judgement {
	judgement := compared.judge(c, 1)
	if decision, isDecided := a.decisions[subject]; isDecided {
		judgement.decide(decision)
	}
	return judgement
}

// comparisons returns the comparisons of assertions, the claim's own or those of a repetition, on
// our rows.
func (a *analyzer) comparisons(
	ctx context.Context, c *study.Claim, assertions []study.Assertion,
) (*comparisons, error) {
	found := &comparisons{used: usedRuns{}}
	for i, assertion := range assertions {
		e := a.experiment(assertion.Experiment)
		if e == nil {
			found.absent = append(found.absent, "experiment "+assertion.Experiment.Name)
			continue
		}
		o, err := a.store.observe(ctx, e, &assertion.Query)
		if err != nil {
			return nil, err
		}
		found.add(o, c, i, &assertion)
	}
	return found, nil
}

// comparisons is the comparisons of all assertions of a claim, and why others are missing.
type comparisons struct {
	margins  []margin
	used     usedRuns // runs that the numbers compared are of
	warnings []string
	gaps     []string // numbers without a value in some replication, in words
	absent   []string // experiments and levels that were not run
	unknown  []string // labels of keys that no row has
	ran      bool     // whether any replication of a number compared was run
}

// add adds the comparisons of an assertion, by its index in the claim.
func (s *comparisons) add(o *observations, c *study.Claim, index int, assertion *study.Assertion) {
	absent, unknown := absentLevels(o.dims, c.Test, assertion)
	if len(absent)+len(unknown) > 0 {
		s.absent, s.unknown = append(s.absent, absent...), append(s.unknown, unknown...)
		return
	}
	e := evaluate(o, &assertion.Query, assertion.LaidOut(), false)
	found := prefixed(c, assertion, margins(c.Test, assertion, e))
	for i := range found {
		found[i].assertion = index
	}
	s.margins = append(s.margins, found...)
	maps.Copy(s.used, e.used)
	s.gaps = append(s.gaps, e.gaps()...)
	s.ran = s.ran || slices.ContainsFunc(e.samples, func(x *sample) bool { return x.ran > 0 })
	s.warnings = unique(append(s.warnings, e.warnings...))
}

// judge judges a claim by the comparisons, if none of those that it needs is missing; correction is
// that of rule.
func (s *comparisons) judge(c *study.Claim, correction float64) Judgement {
	switch gaps := unique(s.gaps); {
	case len(s.absent) > 0:
		return Judgement{Verdict: NotRun, Note: "not run: " + english.WordSeries(unique(s.absent), "and")}
	case len(s.unknown) > 0:
		return Judgement{Verdict: NoValue, Note: note(unique(s.unknown)...)}
	case len(s.margins) == 0 && s.ran:
		return Judgement{Verdict: NoValue, Note: note(append([]string{"nothing to compare"}, gaps...)...), Gaps: gaps}
	default:
		judgement := judgeByEvidence(c, bySet(s.margins), correction, slices.Concat(s.used.warnings(), s.warnings, gaps))
		judgement.Gaps = gaps
		return judgement
	}
}

// absentLevels returns, in words, the levels that a claim names but the dimensions do not have:
// absent are levels of factors, which --levels may leave out, unknown are levels of keys. A claim
// is not judged on its remaining levels, of which the paper claims nothing. Nor is a trend or a
// spread on fewer levels of a factor than it compares.
func absentLevels(dims []dimension, test study.Test, assertion *study.Assertion) (absent, unknown []string) {
	named := slices.Concat(assertion.Where, assertion.Against)
	for _, group := range test.Order {
		named = append(named, study.Selection{Dim: assertion.Along, Labels: group})
	}
	for d, dim := range dims {
		for _, selection := range named {
			for _, label := range selection.Labels {
				switch {
				case selection.Dim != d || label.Text == language.Rest || dim.level(label) >= 0:
				case dim.key:
					unknown = append(unknown, dim.noRow(label))
				default:
					absent = append(absent, "level "+label.Text+" of "+dim.name)
				}
			}
		}
		if d == assertion.Along && !dim.key && len(dim.levels) < leastLevels(test) {
			which := "a second"
			if len(dim.levels) == 2 {
				which = "a third"
			}
			absent = append(absent, which+" level of "+dim.name)
		}
	}
	return absent, unknown
}

// leastLevels returns the fewest levels that a test of a trend or a spread compares; 0 for others.
func leastLevels(test study.Test) int {
	switch {
	case test.Trend == language.Peaks:
		return 3
	case test.Trend != "" || test.Spread != nil:
		return 2
	}
	return 0
}

// prefixed prefixes each comparison with the name of its dimension if the assertions of a claim run
// along different dimensions.
func prefixed(c *study.Claim, assertion *study.Assertion, found []margin) []margin {
	along := func(s *study.Assertion) string {
		if s.Along < 0 {
			return ""
		}
		return s.Dims[s.Along].Name
	}
	// if any two assertions run along different dimensions, the first and the last do, since these
	// are parts of one experiment, which vary a factor each
	if along(&c.Assertions[0]) != along(&c.Assertions[len(c.Assertions)-1]) {
		for i := range found {
			found[i].what = along(assertion) + ": " + found[i].what
		}
	}
	return found
}

// bySet sorts the comparisons of all assertions of a claim such that those at the same levels of
// for are neighbours.
func bySet(margins []margin) []margin {
	first := map[string]int{}
	for i, m := range margins {
		if _, known := first[m.set]; !known {
			first[m.set] = i
		}
	}
	slices.SortStableFunc(margins, func(a, b margin) int { return cmp.Compare(first[a.set], first[b.set]) })
	return margins
}

// assumptions judges the assertions of a claim together under each alternative assumption, which is
// a level of the factor of an experiment that repeats the experiments of the assertions. If these
// levels are universes, it compares them. Presupposed is nil for most claims. Own are the levels of
// the claim's own trends and spreads.
func (a *analyzer) assumptions(
	ctx context.Context, c *study.Claim, claim, presupposed *Claim, own map[comparisonKey][]study.Label,
) error {
	for _, r := range c.Repetitions {
		if !a.isRepeated(r) {
			continue
		}
		experiment := r.Assertions[0].Experiment
		first := len(claim.Assumptions)
		var means [][]float64  // margins of the universes that are judged, by replication
		var numbers [][]number // numbers compared in them
		for i, level := range r.Levels() {
			compared, err := a.comparisons(ctx, c, r.At(level))
			if err != nil {
				return err
			}
			compared.markSubsets(c, own)
			// no warning of missing runs for each assumption: the n of its intervals shows them
			compared.used = nil
			judgement := a.judge(c, Subject{c.Name, r.Experiment, level.Label.Text}, compared)
			if judgement.Verdict == NotRun {
				continue
			}
			if presupposed != nil {
				judgement.presuppose(presupposed.Name, presupposed.under(r.Experiment, level.Label.Text))
			}
			universe := study.Universe{Label: level.Label.Text, Levels: a.plan.Study.UniverseLevels(level)}
			if experiment.Universes != nil {
				universe = experiment.Universes[i]
			}
			claim.Assumptions = append(claim.Assumptions, AssumptionJudgement{
				Experiment: r.Experiment, Universe: universe, Judgement: judgement,
			})
			means, numbers = append(means, compared.meanMargins(c)), append(numbers, compared.numbers())
		}
		findSame(claim.Assumptions[first:], numbers)
		if experiment.Universes != nil && len(claim.Assumptions) > first {
			claim.Universes = append(claim.Universes,
				a.robustness(r.Experiment, slices.Clip(claim.Assumptions[first:]), means))
		}
	}
	return nil
}

// isRepeated reports whether the experiment of each assertion of a repetition has rows and is no
// screening.
func (a *analyzer) isRepeated(r study.Repetition) bool {
	for _, assertion := range r.Assertions {
		e := a.plan.Planned(assertion.Experiment)
		if e == nil || !a.store.hasRows(e) || isScreening(a.plan, e) {
			return false
		}
	}
	return true
}

// numbers returns the numbers that the hypotheses of the comparisons are about.
func (s *comparisons) numbers() []number {
	var numbers []number
	for _, m := range s.margins {
		numbers = append(numbers, slices.Concat(m.asserts...)...)
	}
	return numbers
}

// areEqual reports whether numbers are computed from the same values in all replications that both
// have. If none varies, they may be equal by chance and do not count as such.
func areEqual(numbers, others []number) bool {
	if len(numbers) != len(others) {
		return false
	}
	varies := false
	for i, x := range numbers {
		if (x.ids == nil) != (others[i].ids == nil) {
			return false
		}
		if x.ids == nil {
			if x.value() != others[i].value() {
				return false
			}
			continue
		}
		n := min(len(x.ids), len(others[i].ids))
		if !slices.Equal(x.ids[:n], others[i].ids[:n]) {
			return false
		}
		varies = true
	}
	return varies
}

// findSame sets SameAs and NoEffect of the judgements of an experiment. SameAs is a universe with
// the same verdict, and the same numbers in all replications that both have; of several it is the
// one of the fewest alternatives. Numbers are those compared, by judgement.
func findSame(judgements []AssumptionJudgement, numbers [][]number) {
	order := make([]int, len(judgements)) // by the number of alternatives
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(judgements[a].Alternatives(), judgements[b].Alternatives())
	})
	var distinct []int
	for _, i := range order {
		isSame := func(k int) bool {
			return judgements[k].Verdict == judgements[i].Verdict && areEqual(numbers[k], numbers[i])
		}
		if k := slices.IndexFunc(distinct, isSame); k >= 0 {
			judgements[i].SameAs = judgements[distinct[k]].Label
			judgements[i].NoEffect = judgements[distinct[k]].Alternatives() == 0
		} else {
			distinct = append(distinct, i)
		}
	}
}

// meanMargins returns the mean margin of each replication that all comparisons have planned; NaN
// where a comparison lacks it.
func (s *comparisons) meanMargins(c *study.Claim) []float64 {
	margins, _ := withoutSingle(s.margins)
	margins, _ = withoutEqual(margins, len(c.Assertions[0].Most) > 0)
	all, planned := make([]number, len(margins)), 0
	for i, m := range margins {
		all[i], planned = m.number, fewer(planned, m.planned)
	}
	every := make([]int, planned)
	for k := range every {
		every[k] = k
	}
	return byReplication(all, every)
}

// under returns the verdict on a claim under an alternative assumption; NotRun if there is none.
func (c *Claim) under(experiment, label string) Verdict {
	for _, j := range c.Assumptions {
		if j.Experiment == experiment && j.Label == label {
			return j.Verdict
		}
	}
	return NotRun
}

// isJudged reports whether the claim has been tested.
func (v Verdict) isJudged() bool { return v != NotRun && v != NoValue }

// presuppose makes a judgement vacuous if the presupposed claim has been tested and its verdict is
// another one than Reproduced. Without a test of its own the judgement stays.
func (j *Judgement) presuppose(name string, verdict Verdict) {
	if verdict == Reproduced || !verdict.isJudged() || !j.Verdict.isJudged() {
		return
	}
	j.Verdict, j.Needed, j.Undecidable, j.OnLevelsRun = Vacuous, 0, "", ""
	j.Unmet = fmt.Sprintf("presupposes %q, which is %s", name, verdict)
	j.Note = note(j.Unmet, j.Note)
}
