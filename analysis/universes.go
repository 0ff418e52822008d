package analysis

// Universes: how verdicts and agreement depend on the combination of assumptions.

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis/effects"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// LevelName names a level of an assumption: "slack: beyond".
func (r *Result) LevelName(assumption, level int) string {
	a := r.Assumptions[assumption]
	return a.Name + ": " + a.Levels[level]
}

// TermName names the level, or the pair of levels, of an effect.
func (r *Result) TermName(t effects.Term) string {
	name := r.LevelName(t.Assumption, t.Level)
	if t.IsPair() {
		name += ", " + r.LevelName(t.Other, t.OtherLevel)
	}
	return name
}

// robustness compares the judgements of a claim in the universes of an experiment. Universes with
// the same numbers as another are not counted: they tell nothing but that an assumption has no
// effect there. Margins are the mean margins by universe and replication.
func (a *analyzer) robustness(experiment string, judgements []AssumptionJudgement, means [][]float64) Robustness {
	universes, judged := make([][]int, len(judgements)), make([]effects.Judged, len(judgements))
	for i, j := range judgements {
		universes[i] = j.Levels
		if judged[i].Margin = math.NaN(); j.SameAs != "" {
			continue
		}
		if len(j.Comparisons) > 0 {
			judged[i].Margin = j.MeanMargin.Value
		}
		switch {
		case len(j.Comparisons) == 0:
		case j.Verdict == Reproduced:
			judged[i].Outcome = effects.Holds
		case j.Verdict == NotReproduced:
			judged[i].Outcome = effects.Fails
		case j.Verdict == Inconclusive:
			judged[i].Outcome = effects.Open
		}
	}
	design := fmt.Sprint(universes)
	if a.models[design] == nil {
		a.models[design] = effects.New(universes)
	}
	return Robustness{
		Experiment: experiment, Judgements: judgements, Changes: effects.Compare(universes, judged),
		Effects: a.models[design].Fit(means),
	}
}

// repeatedInUniverses yields the planned experiments that run the experiment of a table's block
// again in universes. Their first dimension is the universe; the others are those of the block.
func repeatedInUniverses(plan *sweeps.Plan, b *study.Block) iter.Seq[*sweeps.Experiment] {
	return func(yield func(*sweeps.Experiment) bool) {
		for i := range plan.Experiments {
			e := &plan.Experiments[i]
			if len(b.Printed) > 0 && e.Bound.Universes != nil && e.Bound.Again == b.Experiment && !yield(e) {
				return
			}
		}
	}
}

// isScreening reports whether the universes of an experiment have a single replication each, and
// what it repeats has several. Their published numbers rank them; claims need an interval.
func isScreening(plan *sweeps.Plan, e *sweeps.Experiment) bool {
	base := plan.Planned(e.Bound.Again)
	return base != nil && screens(e.Bound, e.Rounds, base.Rounds)
}

// screens reports whether an experiment is a screening with so many replications of a universe, and
// those of what it repeats.
func screens(e *study.Experiment, replications, repeated int) bool {
	return e.Universes != nil && replications == 1 && repeated > 1
}

// repeatedTable is a table computed again in each universe of an experiment.
type repeatedTable struct {
	experiment   string
	repeats      string // experiment that it repeats, of the first block
	replications int    // number of replications of a universe
	universes    []study.Universe
	tables       []*Table // the table by universe
}

// inUniverses computes the blocks of a table with published numbers again in each universe, for
// each experiment that repeats theirs and was run. Base is the table of the study's own
// experiments; nil leaves numbers of a single replication without a prediction.
func (a *analyzer) inUniverses(ctx context.Context, t *study.Table, base *Table) ([]repeatedTable, error) {
	var found []repeatedTable
	// by experiment and block: by universe
	observed := map[string]map[*study.Block][]*observations{}
	for i := range t.Blocks {
		b := &t.Blocks[i]
		for e := range repeatedInUniverses(a.plan, b) {
			if !a.store.hasRows(e) {
				continue
			}
			o, err := a.store.observe(ctx, e, &b.Query)
			if err != nil {
				return nil, err
			}
			if observed[e.Bound.Whole] == nil {
				observed[e.Bound.Whole] = map[*study.Block][]*observations{}
				found = append(found, repeatedTable{experiment: e.Bound.Whole, repeats: b.Experiment.Name, replications: e.Rounds,
					universes: e.Bound.Universes})
			}
			observed[e.Bound.Whole][b] = o.byFirst()
		}
	}
	known := maps.Collect(base.printed())
	for i := range found {
		for u := range found[i].universes {
			shown := a.shownIn(tag([]string{found[i].experiment, found[i].universes[u].Label.Text}))
			table, err := a.tableOf(t, known, shown, func(b *study.Block) (*observations, error) {
				if universes := observed[found[i].experiment][b]; universes != nil {
					return universes[u], nil
				}
				return nil, nil
			})
			if err != nil {
				return nil, err
			}
			found[i].tables = append(found[i].tables, table)
		}
	}
	return found, nil
}

// byFirst splits observations by the level of their first dimension, which it leaves out.
func (o *observations) byFirst() []*observations {
	levels := make([]*observations, len(o.dims[0].levels))
	for level := range levels {
		levels[level] = &observations{dims: o.dims[1:], replications: o.replications, stats: o.stats}
	}
	for _, row := range o.rows {
		one, rest := levels[row.at[0]], *row
		rest.at = row.at[1:]
		one.rows = append(one.rows, &rest)
	}
	for _, run := range o.runs {
		one := levels[run.at[0]]
		run.at = run.at[1:]
		one.runs = append(one.runs, run)
	}
	return levels
}

// borrow gives numbers of a single replication, which have no deviation of their own, the
// replications of the same number in base, shifted by the difference of the two in that
// replication. It shares its random numbers with that of base, so the difference varies less than
// the numbers. Shifted numbers stay within the bounds of their column.
func (t *Table) borrow(base map[string]*Cell) {
	if len(base) == 0 {
		return
	}
	for key, cell := range t.printed() {
		b := base[key]
		if b == nil || len(cell.Values) != 1 || len(b.Values) < 2 {
			continue
		}
		shifted := b.plus(1, cell.Values[0]-b.Values[0])
		for k, x := range shifted.terms {
			shifted.terms[k] = cell.domain.within(x)
		}
		cell.Values, cell.terms = shifted.terms, shifted.terms
	}
}

// agreements returns how a table agrees with its published numbers in each universe.
func (a *analyzer) agreements(ctx context.Context, t *study.Table, table *Table) ([]Agreements, error) {
	if t.Given {
		return nil, nil
	}
	repeated, err := a.inUniverses(ctx, t, table)
	if err != nil {
		return nil, err
	}
	var all []Agreements
	for _, r := range repeated {
		found, counted := Agreements{Experiment: r.experiment, Repeats: r.repeats, Replications: r.replications}, 0
		for u, table := range r.tables {
			agreement := UniverseAgreement{Universe: Universe{r.universes[u].Label.Text, r.universes[u].Levels}}
			for _, metric := range table.Agreement {
				if !metric.Measured {
					agreement.Cells += metric.Evidence.Cells
					agreement.Inside += metric.Evidence.Inside
				}
			}
			agreement.Numbers = table.numbers()
			counted += agreement.Cells
			found.Universes = append(found.Universes, agreement)
		}
		if counted > 0 {
			all = append(all, found)
		}
	}
	return all, nil
}

// numbers returns a hash of our numbers with a published one in every replication.
func (t *Table) numbers() uint64 {
	all := fnv.New64a()
	for key, cell := range t.printed() {
		all.Write([]byte(key + exactly(cell.Values)))
	}
	return all.Sum64()
}

// reason tells why a claim is not reproduced; nil for other verdicts. The paper's own numbers and
// statements come before alternative assumptions.
func (a *analyzer) reason(c *study.Claim, claim *Claim) *Reason {
	if claim.Ours.Verdict != NotReproduced {
		return nil
	}
	if p := claim.Published; p != nil && p.Verdict == NotReproduced {
		text := "on them " + p.Held()
		if len(p.Against) > 0 {
			text = strings.Join(p.Against, "; ")
		}
		return &Reason{Contradicted, "The paper’s own numbers contradict it: " + text}
	}
	if c.Contradicted != "" {
		return &Reason{Contradicted, "The paper’s own statements contradict it: " + c.Contradicted}
	}
	if len(claim.Assumptions) == 0 {
		return &Reason{NotTried, notTried(c)}
	}
	if under := smallestChange(claim); under != nil {
		class, text := Hinges, "Reproduced under the alternative assumption "+under.Label
		if a.isOfWorkload(under.Levels) {
			class, text = Suspect, "The stand-in workload is suspect: reproduced with "+under.Label
		}
		if other := claim.OtherDefault(under.Experiment); other != "" {
			text = other + ". " + text
		}
		return &Reason{class, text + ", with a mean margin of " + inUnit(under.MeanMargin.Value, claim.Unit)}
	}
	return &Reason{Unexplained, neverReproduced(claim)}
}

// ByDefault returns the judgement of a claim in the universe of an experiment that has no
// alternative assumption, which may have fewer replications and levels than the study's own; the
// latter if that was not judged.
func (c Claim) ByDefault(experiment string) Judgement {
	for _, j := range c.Assumptions {
		if j.Experiment == experiment && j.Alternatives() == 0 {
			return j.Judgement
		}
	}
	return c.Ours
}

// OtherDefault tells which verdict an experiment under assumptions gives by default, if it is not
// the study's own, a sentence without its full stop; else it is empty.
func (c Claim) OtherDefault(experiment string) string {
	verdict := c.ByDefault(experiment).Verdict
	if verdict == c.Ours.Verdict {
		return ""
	}
	text := "In " + experiment
	if part := c.partOf(experiment); part != "" {
		text += ", on " + part + ","
	}
	return fmt.Sprintf("%s the default gives: %s", text, verdict)
}

// partOf tells how many of the study's steps, comparisons and replications judge a claim in an
// experiment under assumptions; empty if all do.
func (c Claim) partOf(experiment string) string {
	var j *Judgement // by default or, if that was not judged, in the first universe
	for i := range c.Assumptions {
		if a := &c.Assumptions[i]; a.Experiment == experiment && (j == nil || a.Alternatives() == 0) {
			j = &a.Judgement
		}
	}
	if j == nil {
		return ""
	}
	var parts []string
	for _, count := range []struct {
		here, all int
		things    string
	}{
		{j.stepsIn(c.Ours), c.Ours.steps(), "steps"}, {len(j.Comparisons), len(c.Ours.Comparisons), "comparisons"},
		{j.MeanMargin.N, c.Ours.MeanMargin.N, "replications"},
	} {
		of := "of"
		if count.here > count.all {
			of = "instead of"
		}
		if count.here != count.all && count.all > 0 {
			parts = append(parts, fmt.Sprintf("%d %s %d %s", count.here, of, count.all, count.things))
		}
	}
	return list(parts, "and")
}

// steps counts the steps of trends over more than two levels.
func (j Judgement) steps() int {
	count := 0
	for _, comparison := range j.Comparisons {
		count += len(comparison.Steps)
	}
	return count
}

// stepsIn counts the steps where those of another judgement are trends over more than two levels: a
// trend over two has one.
func (j Judgement) stepsIn(other Judgement) int {
	count := j.steps()
	for _, comparison := range j.Comparisons {
		if len(comparison.Steps) == 0 && other.steps() > 0 {
			count++
		}
	}
	return count
}

// Tried returns the judgements under alternative assumptions without those by default, each
// universe once: of several experiments that judge it the one with the most comparisons counts, of
// these one where it is no other universe, and then the one with the most replications.
func (c Claim) Tried() []AssumptionJudgement {
	var tried []AssumptionJudgement
	at := map[string]int{}
	evidence := func(a, b AssumptionJudgement) int {
		isOwn := func(j AssumptionJudgement) int { return min(1, len(j.SameAs)) }
		return cmp.Or(cmp.Compare(len(a.Comparisons), len(b.Comparisons)), cmp.Compare(isOwn(b), isOwn(a)),
			cmp.Compare(a.MeanMargin.N, b.MeanMargin.N))
	}
	for _, j := range c.Assumptions {
		key := fmt.Sprint(j.Levels)
		if j.Levels == nil {
			key = j.Experiment + ": " + j.Label
		}
		if j.Alternatives() == 0 {
			continue
		}
		if known, isKnown := at[key]; !isKnown {
			at[key], tried = len(tried), append(tried, j)
		} else if evidence(j, tried[known]) > 0 {
			tried[known] = j
		}
	}
	return tried
}

// UnderAlternatives returns the judgements of Tried that are evidence of their own: not those with
// the numbers of the default or of another universe nor, if the claim was judged in universes,
// other levels of factors.
func (c Claim) UnderAlternatives() []AssumptionJudgement {
	return slices.DeleteFunc(c.Tried(), func(j AssumptionJudgement) bool {
		return j.SameAs != "" || j.Levels == nil && len(c.Universes) > 0
	})
}

// AlternativesIn counts judgements under alternative assumptions in words.
func AlternativesIn(judgements []AssumptionJudgement) string {
	single := func(j AssumptionJudgement) bool { return j.Alternatives() < 2 }
	if slices.ContainsFunc(judgements, func(j AssumptionJudgement) bool { return !single(j) }) {
		return english.Plural(len(judgements), "alternative universe", "")
	}
	return english.Plural(len(judgements), "single alternative", "")
}

// Declared counts the alternatives that the study file declares, and those of them that a claim was
// judged under, alone or with others.
func (r *Result) Declared(c *Claim) (tried, declared int) {
	for a, assumption := range r.Assumptions {
		for level := 1; level < len(assumption.Levels); level++ {
			declared++
			if slices.ContainsFunc(c.Assumptions, func(j AssumptionJudgement) bool {
				return j.Levels != nil && j.Levels[a] == level
			}) {
				tried++
			}
		}
	}
	return tried, declared
}

// JudgedOn tells under how many of the declared alternatives a claim is judged, and on what part of
// the study's evidence, where that is not all and said does not have it; a sentence without its
// full stop, else empty.
func (r *Result) JudgedOn(c *Claim, said string) string {
	var parts []string
	if tried, declared := r.Declared(c); tried < declared {
		parts = append(parts, fmt.Sprintf("under %d of the %d alternatives that are declared", tried, declared))
	}
	in := map[string][]string{} // experiments by the part
	var partly []string
	for _, u := range c.Universes {
		part, other := c.partOf(u.Experiment), c.OtherDefault(u.Experiment)
		if part == "" || other != "" && strings.Contains(said, other) {
			continue
		}
		if in[part] == nil {
			partly = append(partly, part)
		}
		in[part] = append(in[part], u.Experiment)
	}
	for _, part := range partly {
		parts = append(parts, fmt.Sprintf("in %s on %s", list(in[part], "and"), part))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Judged " + strings.Join(parts, "; ")
}

// neverReproduced tells how near a claim comes that no alternative assumption makes reproduced.
func neverReproduced(claim *Claim) string {
	for _, j := range claim.Assumptions {
		if j.Verdict == Reproduced { // as by default
			return claim.OtherDefault(j.Experiment) + ", so no alternative explains the verdict"
		}
	}
	judgements := claim.UnderAlternatives()
	if len(judgements) == 0 {
		return "No alternative assumption that was run has an effect on its numbers"
	}
	failing, best, nearest := 0, claim.Ours, "" // none is nearer
	for _, j := range judgements {
		if j.Verdict == NotReproduced {
			failing++
		}
		if len(j.Comparisons) > 0 && j.nearer(best) && j.nearer(claim.ByDefault(j.Experiment)) {
			best, nearest = j.Judgement, j.Label
		}
	}
	text := "Fails under " + AlternativesIn(judgements)
	if len(judgements) > 1 {
		text = "Fails under all " + AlternativesIn(judgements)
	}
	if failing < len(judgements) {
		text = "Reproduced under none of " + AlternativesIn(judgements)
		if failing > 0 {
			text += fmt.Sprintf(", fails under %d", failing)
		}
		if undecided := Undecided(judgements); undecided != "" {
			text += "; " + undecided
		}
	}
	if nearest == "" {
		return text + "; none is nearer than the study’s own assumptions"
	}
	return text + fmt.Sprintf("; the nearest alternative is %s, where %s, with a mean margin of %s",
		nearest, best.Held(), inUnit(best.MeanMargin.Value, claim.Unit))
}

// nearer reports whether a larger share of the comparisons of a judgement holds than of another
// one's; of equal shares the larger mean margin is nearer.
func (j Judgement) nearer(other Judgement) bool {
	share, than := j.Holding*len(other.Comparisons), other.Holding*len(j.Comparisons)
	return share > than || share == than && j.MeanMargin.Value > other.MeanMargin.Value
}

// Undecided tells how many judgements are inconclusive, and how many replications would decide half
// of these; empty if there are none.
func Undecided(judgements []AssumptionJudgement) string {
	var needed []int // 0 is more than any number
	for _, j := range judgements {
		if j.Verdict == Inconclusive {
			needed = append(needed, j.Needed)
		}
	}
	if len(needed) == 0 {
		return ""
	}
	slices.SortFunc(needed, func(a, b int) int { return cmp.Compare(uint(a-1), uint(b-1)) })
	text, which := fmt.Sprintf("%d are undecided", len(needed)), "half of which"
	if len(needed) == 1 {
		text, which = "1 is undecided", "which"
	}
	if half := needed[(len(needed)-1)/2]; half > 0 {
		text += fmt.Sprintf(", %s about %s replications would decide", which, humanize.Comma(int64(half)))
	}
	return text
}

// smallestChange returns the judgement of the fewest alternative assumptions under which a claim is
// reproduced that is not so by default in the same experiment, and of several the one with the
// largest margin; nil if there is none. A level of a factor that is no universe counts as one
// alternative.
func smallestChange(claim *Claim) *AssumptionJudgement {
	var best *AssumptionJudgement
	for i := range claim.Assumptions {
		j := &claim.Assumptions[i]
		if j.Verdict != Reproduced || j.Alternatives() == 0 || claim.ByDefault(j.Experiment).Verdict == Reproduced {
			continue
		}
		if best == nil || j.Alternatives() < best.Alternatives() ||
			j.Alternatives() == best.Alternatives() && j.MeanMargin.Value > best.MeanMargin.Value {
			best = j
		}
	}
	return best
}

// Alternatives counts the assumptions of a universe that are not the default; 1 for a level that is
// no universe.
func (u Universe) Alternatives() int {
	if u.Levels == nil {
		return 1
	}
	count := 0
	for _, level := range u.Levels {
		if level != 0 {
			count++
		}
	}
	return count
}

// isOfWorkload reports whether all assumptions that are not the default are about the stand-in
// workload.
func (a *analyzer) isOfWorkload(levels []int) bool {
	workload := false
	for i, level := range levels {
		if level != 0 && !a.plan.Study.Assumptions[i].Workload {
			return false
		}
		workload = workload || level != 0
	}
	return workload
}

// notTried tells how a claim is judged under alternative assumptions.
func notTried(c *study.Claim) string {
	var names []string
	for _, r := range c.Repetitions {
		// a screening judges no claims
		if e := r.Assertions[0].Experiment; !screens(e, e.Rounds, e.Again.Rounds) {
			names = append(names, "--experiment "+r.Experiment)
		}
	}
	if len(names) == 0 {
		return "No universe was run: no experiment repeats its experiments under alternative assumptions"
	}
	return "No universe was run: " + list(names, "or") + " runs some"
}

// inUnit returns a number with four significant digits and its unit.
func inUnit(x float64, unit string) string {
	text := strings.ReplaceAll(fmt.Sprintf("%.4g", x), "-", "−")
	if unit != "" {
		text += " " + unit
	}
	return text
}
