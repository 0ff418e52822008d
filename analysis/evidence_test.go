// Tests of the spread of counts over seeds, on data whose spread is known.

package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"gridsweep/sweeps/study"
)

// TestDeviationOfCounts draws studies of forty cells that share the arrivals of their replications,
// counts the published numbers inside our intervals, and compares the standard deviation of these
// counts with what Deviation estimates from one study.
func TestDeviationOfCounts(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	const cells, studies = 40, 400
	// of another system: some numbers are near the ends of intervals
	published := make([]float64, cells)
	for i := range published {
		published[i] = 2.5 * source.NormFloat64()
	}
	for _, replications := range []int{10, 50} {
		var counts, estimates float64
		var squares float64
		for range studies {
			arrivals := make([]float64, replications)
			for k := range arrivals {
				arrivals[k] = source.NormFloat64()
			}
			var e Evidence
			for _, value := range published {
				c := &Cell{Values: make([]float64, replications), rounding: 0.005}
				c.Published = &study.PublishedNumber{Value: value}
				for k := range c.Values {
					c.Values[k] = arrivals[k] + 0.5*source.NormFloat64()
				}
				c.judge(0.01, 1)
				e.add(c)
			}
			if e.Cells != cells {
				t.Fatalf("%d of %d cells count", e.Cells, cells)
			}
			counts, squares = counts+float64(e.Inside), squares+float64(e.Inside)*float64(e.Inside)
			estimates += e.Deviation() / studies
		}
		mean := counts / studies
		deviation := math.Sqrt((squares/studies - mean*mean) * studies / (studies - 1))
		if ratio := estimates / deviation; ratio < 0.75 || ratio > 1.33 {
			t.Errorf("%d replications: estimated deviation %.2f on average, true %.2f", replications, estimates, deviation)
		}
	}
}

// TestDeviationOfFewReplications checks that fewer than ten replications give no spread, and that
// the counts of tables are summed group by group.
func TestDeviationOfFewReplications(t *testing.T) {
	evidence := func(replications int, published float64) Evidence {
		c := &Cell{Published: &study.PublishedNumber{Value: published}, rounding: 0.005}
		for k := range replications {
			c.Values = append(c.Values, float64(k%2))
		}
		c.judge(0.01, 1)
		var e Evidence
		e.add(c)
		return e
	}
	if d := evidence(9, 0.5).Deviation(); !math.IsNaN(d) {
		t.Errorf("nine replications give the deviation %v", d)
	}
	if d := evidence(10, 0.5).Deviation(); d != 0 {
		t.Errorf("a number in the middle of the interval gives the deviation %v", d)
	}
	sum := evidence(10, 0.5).Plus(evidence(9, 0.5))
	if sum.Cells != 2 || sum.Inside != 2 || sum.Deviation() != 0 {
		t.Errorf("together %+v with deviation %v", sum, sum.Deviation())
	}
}

// TestOwnReplications checks that 95 % of normal replications agree with the others, and that they
// are rounded like the published number: all of 12.4 ± 0.01 are printed as 12.
func TestOwnReplications(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 3))
	for _, test := range []struct {
		deviation, rounding float64
		low, high           float64 // share of replications inside
	}{{1, 0.005, 0.94, 0.96}, {0.01, 0.005, 0.95, 1}, {0.01, 0.5, 1, 1}} {
		var e Evidence
		for range 100 {
			c := &Cell{Published: &study.PublishedNumber{}, Values: make([]float64, 50), rounding: test.rounding}
			for k := range c.Values {
				c.Values[k] = 12.4 + test.deviation*source.NormFloat64()
			}
			c.judge(2*test.rounding, 1)
			e.add(c)
		}
		share := float64(e.OwnInside) / float64(e.Own)
		if e.Own != 5000 || share < test.low || share > test.high {
			t.Errorf("%+v: %d of %d replications are inside", test, e.OwnInside, e.Own)
		}
	}
	few, means := &Cell{rounding: 0.5}, &Cell{rounding: 0.5}
	few.Published, means.Published = &study.PublishedNumber{}, &study.PublishedNumber{}
	few.Values, means.Values = make([]float64, leftOutGroups-1), make([]float64, leftOutGroups)
	few.judge(1, 1)
	means.judge(1, 2)
	if few.own != 0 || means.own != 0 {
		t.Errorf("%d of few replications and %d of means are compared", few.own, means.own)
	}
}
