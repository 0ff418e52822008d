// Claims: assertions of experiments with the test that judges them.

package study

import (
	"cmp"
	"slices"
	"strings"

	"gridsweep/configs"
	"gridsweep/configs/language"
)

// Claim is a statement of the paper with the test that judges it.
type Claim struct {
	Name, Doc, Source string
	Main              bool // one of the main conclusions of the paper
	Origin            language.Origin
	// of the paper; claims with the same one judge it together; empty if none is named
	Sentence string
	// another claim; this one is vacuous unless that is reproduced; may be empty
	Presupposes string
	// why the paper's own statements rule the claim out, without a full stop; may be empty
	Contradicted string
	Test
	Assertions  []Assertion  // what is asserted of single experiments, judged together
	Repetitions []Repetition // experiments that run all of these again
}

// Experiments returns the experiment of each assertion; nil for one of an unknown experiment.
func (c *Claim) Experiments() []*Experiment {
	return mapped(c.Assertions, func(a Assertion) *Experiment { return a.Experiment })
}

// Test is how a claim is judged. It has exactly one of Order, Trend, Above, Below, Near and Spread.
type Test struct {
	Order        [][]Label // ascending; the labels of a group are in no order
	Trend        language.Trend
	Above, Below *float64
	Near         *float64
	Within       float64  // the largest difference from Near
	Spread       *float64 // the largest difference between two numbers
	// the equivalence margin, δ: differences up to it neither support nor refute the claim; 0 with
	// Near and Spread, which have a tolerance
	EquivalenceMargin float64
}

// HasTolerance reports whether the test allows numbers to be off by Within or Spread, inclusive.
func (t Test) HasTolerance() bool { return t.Near != nil || t.Spread != nil }

// Assertion is what a claim asserts of one experiment.
type Assertion struct {
	Query
	For, Most []int // dimensions
	Along     int   // dimension
}

// LaidOut returns the dimensions that the keys for, most and along name, in this order.
func (a *Assertion) LaidOut() []int {
	dims := slices.Concat(a.For, a.Most)
	if a.Along >= 0 {
		dims = append(dims, a.Along)
	}
	return dims
}

// Repetition is an experiment that runs the experiments of a claim again under every level of a
// factor, such as in every universe. The factor is the first dimension of each assertion.
type Repetition struct {
	Experiment string
	Assertions []Assertion
}

// Levels are the levels of the factor.
func (r Repetition) Levels() []Level { return r.Assertions[0].Experiment.Crossed[0].Levels }

// At returns the assertions at a level of the factor.
func (r Repetition) At(level Level) []Assertion {
	return mapped(r.Assertions, func(a Assertion) Assertion {
		a.Where = append(slices.Clone(a.Where), Selection{Dim: 0, Labels: []Label{level.Label}})
		return a
	})
}

func (b *binder) claim(c configs.Claim) *Claim {
	key, before := configs.Key("claims", c.Name.Value), b.reported
	bound := &Claim{
		Name: c.Name.Value, Doc: c.Doc.Value, Source: c.Source.Value, Main: c.Main,
		Origin: cmp.Or(language.Origin(c.Origin.Value), language.OfPaper), Presupposes: c.Presupposes.Value,
		Sentence: c.Sentence.Value, Contradicted: c.Contradicted.Value,
		Test: Test{
			Trend: language.Trend(c.Trend.Value), Above: c.Above, Below: c.Below, Near: c.Near, Within: c.Within,
			Spread: c.Spread, EquivalenceMargin: c.Margin,
		},
	}
	bound.Order = mapped(c.Order, newLabels)
	if c.Sentence.Value != "" && bound.Origin == language.OfOurs {
		b.report(c.Sentence, key+".sentence", "stands beside origin: ours, which no sentence of the paper supports")
	}
	claims := []configs.Claim{c}
	if whole, has := b.withEach[c.Of.Value]; has {
		claims = claimsOfParts(c, whole)
	}
	for _, c := range claims {
		bound.Assertions = append(bound.Assertions, b.assertion(c, key))
		for _, group := range c.Order {
			named := slices.DeleteFunc(slices.Clone(group), is(language.Rest))
			b.checkSelection(c.Of, configs.Selection{Dimension: c.Along, Labels: named}, key+".order")
		}
		if b.reported > before {
			return bound // the other parts most likely have the same problems
		}
	}
	if b.model != nil {
		bound.Repetitions = b.repetitions(bound.Assertions)
	}
	return bound
}

func (b *binder) assertion(c configs.Claim, key string) Assertion {
	named := slices.Concat(c.For, c.Most)
	if c.Along.Value != "" {
		named = append(named, c.Along)
	}
	a := Assertion{Query: b.query(c.Query, key, named, false, b.namesInClaims)}
	a.For, a.Most, a.Along = a.dims(c.For), a.dims(c.Most), a.dim(c.Along)
	return a
}

// repetitions returns the assertions of a claim for each experiment of the file that repeats all of
// their experiments.
func (b *binder) repetitions(assertions []Assertion) []Repetition {
	var repetitions []Repetition
	for _, e := range b.file.Experiments {
		repetition := Repetition{Experiment: e.Name.Value}
		for _, a := range assertions {
			if a.Experiment == nil {
				return nil
			}
			repeats := func(repeating *Experiment) bool { return repeating.file.repeats == a.Experiment.Name }
			repeated := b.repeated[e.Name.Value]
			if i := slices.IndexFunc(repeated, repeats); i >= 0 {
				repetition.Assertions = append(repetition.Assertions, b.repeatedAssertion(a, repeated[i]))
			}
		}
		if len(assertions) > 0 && len(repetition.Assertions) == len(assertions) {
			repetitions = append(repetitions, repetition)
		}
	}
	return repetitions
}

// repeatedAssertion returns the assertion for an experiment that repeats the assertion's experiment
// and has one more dimension in front.
func (b *binder) repeatedAssertion(a Assertion, repeating *Experiment) Assertion {
	later := func(d int) int { return d + 1 }
	laterSelection := func(s Selection) Selection { return Selection{s.Dim + 1, s.Labels} }
	others := a.Dims[len(a.Experiment.Crossed):]
	a.Experiment, a.Dims = repeating, nil
	for i := range repeating.Crossed {
		a.Dims = append(a.Dims, b.dimension(&repeating.Crossed[i]))
	}
	a.Dims = append(a.Dims, others...)
	a.Over, a.Where, a.Against = mapped(a.Over, later), mapped(a.Where, laterSelection), mapped(a.Against, laterSelection)
	a.For, a.Most = mapped(a.For, later), mapped(a.Most, later)
	if a.Along >= 0 {
		a.Along++
	}
	return a
}

// checkPresupposed reports claims that presuppose an unknown claim, and cycles of claims that
// presuppose one another, each once.
func (b *binder) checkPresupposed() {
	claims, names := map[string]configs.Claim{}, []string{}
	for _, c := range b.file.Claims {
		claims[c.Name.Value] = c
		names = append(names, c.Name.Value)
	}
	seen := map[string]int{} // by name: the first claim, from 1, whose presuppositions have it
	for i, c := range b.file.Claims {
		key := configs.Key("claims", c.Name.Value) + ".presupposes"
		presupposed := c.Presupposes
		if _, known := claims[presupposed.Value]; presupposed.Value != "" && !known {
			b.report(presupposed, key, "no claim %q; %s", configs.Shortened(presupposed.Value),
				configs.Suggest(presupposed.Value, names))
		}
		at := c.Name.Value
		for at != "" && seen[at] == 0 {
			seen[at] = i + 1
			at = claims[at].Presupposes.Value
		}
		if at != "" && seen[at] == i+1 {
			b.report(claims[at].Presupposes, configs.Key("claims", at)+".presupposes", "the claim presupposes itself: %s",
				cycle(claims, at))
		}
	}
}

// cycle returns in words how a claim presupposes itself.
func cycle(claims map[string]configs.Claim, from string) string {
	names := []string{configs.Shortened(from)}
	for at := claims[from].Presupposes.Value; at != from && len(names) < mostOfCycle; at = claims[at].Presupposes.Value {
		names = append(names, configs.Shortened(at))
	}
	return strings.Join(append(names, configs.Shortened(from)), " → ")
}

// mostOfCycle is the maximum number of claims of a cycle that a message names.
const mostOfCycle = 10
