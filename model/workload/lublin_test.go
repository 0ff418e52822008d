// Statistical tests of the model of Lublin and Feitelson: sizes, run times, gaps, daily cycle and
// load against its distributions and the output of the authors' program.

package workload

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"gridsweep/model/rng"
)

var types = []lublin{typeless, batch, interactive}

// Sizes are compared with the probabilities that the two-stage uniform gives each size, by
// chi-square.
func TestSizesFit(t *testing.T) {
	const n = 500_000
	for _, l := range types {
		for _, procs := range []int32{1, 2, 3, 64, 100, 128, 144, 1024} {
			size := l.sizes(procs)
			shares := size.shares()
			s := rng.New("sizes").Stream(fmt.Sprint(l.name, procs))
			counts := make([]int, len(shares))
			for range n {
				counts[size.draw(s)]++ // panics outside the machine
			}
			if p := chiSquare(counts, shares); p < significance {
				t.Errorf("%s on %d processors: sizes have the probability %v", l.name, procs, p)
			}
			if len(shares) < 3 || shares[2] < 0.02 {
				continue // serial jobs only
			}
			// The test sees a share of serial jobs that is wrong by a hundredth.
			shares[1] += 0.01
			shares[2] -= 0.01
			if p := chiSquare(counts, shares); p > significance {
				t.Errorf("%s on %d processors: sizes pass for those of other shares with %v", l.name, procs, p)
			}
		}
	}
}

// The shares of the chi-square test are checked against the paper's description, and numerically.
func TestSharesAreThoseOfTheModel(t *testing.T) {
	for _, l := range types {
		size := l.sizes(128)
		want := l.size
		if max(math.Abs(size.low-want.low), math.Abs(size.medium-want.medium), math.Abs(size.high-want.high)) > 1e-15 {
			t.Errorf("%s: on 128 processors the logarithms are %v %v %v, want the published %v %v %v",
				l.name, size.low, size.medium, size.high, want.low, want.medium, want.high)
		}
		shares := size.shares()
		// The middles of a million slices of each stage, rounded as in the model.
		counted := make([]float64, len(shares))
		counted[1] = size.serial
		const slices = 1_000_000
		for i := range slices {
			at := (float64(i) + 0.5) / slices
			for _, stage := range []struct{ share, x float64 }{
				{size.prob, size.low + at*(size.medium-size.low)}, {1 - size.prob, size.medium + at*(size.high-size.medium)},
			} {
				counted[int(math.Exp2(math.Round(stage.x)))] += stage.share * size.pow2 / slices
				counted[int(math.Round(math.Exp2(stage.x)))] += stage.share * (1 - size.serial - size.pow2) / slices
			}
		}
		sum := 0.0
		for n, share := range shares {
			sum += share
			if math.Abs(share-counted[n]) > 1e-5 {
				t.Errorf("%s: size %d has the share %v, counted %v", l.name, n, share, counted[n])
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%s: shares sum to %v", l.name, sum)
		}
	}
}

// mixture is the truncated hyper-gamma distribution of the logarithm of run times, by the library.
type mixture struct {
	p           float64
	short, long distuv.Gamma
}

func mixtureOf(l lublin, procs int32) mixture {
	return mixture{l.shortShare(procs), distuv.Gamma{Alpha: l.short.shape, Beta: 1 / l.short.scale},
		distuv.Gamma{Alpha: l.long.shape, Beta: 1 / l.long.scale}}
}

// below is the probability of at most min(x, longestRun) before longer draws are repeated.
func (m mixture) below(x float64) float64 {
	x = min(x, longestRun)
	return m.p*m.short.CDF(x) + (1-m.p)*m.long.CDF(x)
}

func (m mixture) cdf(x float64) float64 { return m.below(x) / m.below(longestRun) }

// moment returns E[X^k] for k = 1 or 2: that of a gamma distribution up to a limit is its own times
// the share of the gamma distribution with shape + k up to there.
func (m mixture) moment(k int) float64 {
	mean := func(g distuv.Gamma) float64 {
		whole := g.Alpha / g.Beta
		if k == 2 {
			whole *= (g.Alpha + 1) / g.Beta
		}
		return whole * distuv.Gamma{Alpha: g.Alpha + float64(k), Beta: g.Beta}.CDF(longestRun)
	}
	return (m.p*mean(m.short) + (1-m.p)*mean(m.long)) / m.below(longestRun)
}

// Logarithms of run times are compared with the hyper-gamma distribution by Kolmogorov–Smirnov,
// their mean and variance with its own.
func TestRunTimesFit(t *testing.T) {
	const n = 50_000
	for _, l := range types {
		draw := l.population(128).run
		for _, procs := range []int32{1, 16, 128} {
			name := fmt.Sprintf("%s, %d processors", l.name, procs)
			s := rng.New("runs").Stream(name)
			sample := make([]float64, n)
			for i := range sample {
				sample[i] = math.Log(draw(s, procs))
			}
			want := mixtureOf(l, procs)
			if d := distance(sample, want.cdf); d > kolmogorov {
				t.Errorf("%s: distance·√n of log run times is %v, want at most %v", name, d, kolmogorov)
			}
			if wrong := mixtureOf(l, procs+8); distance(sample, wrong.cdf) < kolmogorov && l.shortShare(procs) > 0 {
				t.Errorf("%s: log run times pass for those of jobs with 8 more processors", name)
			}
			mean, variance := stat.MeanVariance(sample, nil)
			wantMean := want.moment(1)
			wantVariance := want.moment(2) - wantMean*wantMean
			near(t, name+": mean of log run times", mean, wantMean, math.Sqrt(wantVariance/n))
			fourth := stat.Moment(4, sample, nil)
			near(t, name+": variance of log run times", variance, wantVariance, math.Sqrt((fourth-wantVariance*wantVariance)/n))
		}
	}
}

// Logarithms of gaps are compared with the gamma distribution up to the longest, by
// Kolmogorov–Smirnov.
func TestGapsFit(t *testing.T) {
	const n = 100_000
	for _, l := range types {
		p := l.population(128)
		s := rng.New("gaps").Stream(l.name)
		sample := make([]float64, n)
		for i := range sample {
			sample[i] = math.Log(p.gap(s))
		}
		distanceOf := func(factor float64) float64 {
			g := distuv.Gamma{Alpha: l.gap.shape * factor, Beta: 1 / l.gap.scale}
			return distance(sample, func(x float64) float64 { return min(1, g.CDF(x)/g.CDF(longestGap)) })
		}
		if d := distanceOf(l.allDay); d > kolmogorov {
			t.Errorf("%s: distance·√n of log gaps is %v, want at most %v", l.name, d, kolmogorov)
		}
		if d := distanceOf(1); d < kolmogorov {
			t.Errorf("%s: log gaps pass for those of the rush hours", l.name)
		}
	}
}

// TestMeansAreInClosedForm compares the means from which loads are scaled with numerical
// integration and with a sample.
func TestMeansAreInClosedForm(t *testing.T) {
	integral := func(low, high float64, f func(float64) float64) float64 {
		const slices = 50_000
		sum := 0.0
		for i := range slices {
			sum += f(low + (high-low)*(float64(i)+0.5)/slices)
		}
		return sum * (high - low) / slices
	}
	for _, l := range types {
		p := l.population(128)
		gap := distuv.Gamma{Alpha: l.gap.shape * l.allDay, Beta: 1 / l.gap.scale}
		want := integral(0, longestGap, func(x float64) float64 { return math.Exp(x) * gap.Prob(x) }) / gap.CDF(longestGap)
		if math.Abs(p.meanGap-want) > 1e-6*want {
			t.Errorf("%s: mean gap %v, integrated %v", l.name, p.meanGap, want)
		}
		m := mixtureOf(l, 0)
		short := integral(0, longestRun, func(x float64) float64 { return math.Exp(x) * m.short.Prob(x) })
		long := integral(0, longestRun, func(x float64) float64 { return math.Exp(x) * m.long.Prob(x) })
		work := 0.0
		size := l.sizes(128)
		for procs, share := range size.shares() {
			m := mixtureOf(l, int32(procs))
			work += share * float64(procs) * (m.p*short + (1-m.p)*long) / m.below(longestRun)
		}
		if math.Abs(p.meanWork-work) > 1e-6*work {
			t.Errorf("%s: mean work %v, integrated %v", l.name, p.meanWork, work)
		}
	}
}

// Arrivals follow the daily cycle. Those near one another are not independent, so every 400th is
// taken: they are days apart. Their half hours are compared with the weights by chi-square.
func TestArrivalsFollowTheDailyCycle(t *testing.T) {
	const apart, n = 400, 10_000
	for _, l := range types {
		p := l.population(128)
		s := rng.New("days").Stream(l.name)
		c := clock{cycle: p.cycle}
		counts := make([]int, dayBuckets)
		for range n {
			at := int64(0)
			for range apart {
				at = c.advance(p.gap(s))
			}
			counts[at/bucket%dayBuckets]++
		}
		// The paper's own formula, by the library: bucket i of 11 to 58 is the half hour i - 1.
		g := distuv.Gamma{Alpha: l.cycle.shape, Beta: 1 / l.cycle.scale}
		shares, even := make([]float64, dayBuckets), make([]float64, dayBuckets)
		for i := 11; i <= 58; i++ {
			shares[(i-1)%dayBuckets] = (g.CDF(float64(i)+0.5) - g.CDF(float64(i)-0.5)) / (g.CDF(58.5) - g.CDF(10.5))
			even[(i-1)%dayBuckets] = 1.0 / dayBuckets
		}
		if p := chiSquare(counts, shares); p < significance {
			t.Errorf("%s: arrivals by half hour have the probability %v", l.name, p)
		}
		if p := chiSquare(counts, even); p > significance {
			t.Errorf("%s: arrivals pass for those of a day without cycle with %v", l.name, p)
		}
	}
}

// ownLoad returns the offered load of a model on so many processors without the option Load.
func ownLoad(m Model, procs int32) float64 {
	_, work := flow(m.populations(procs))
	return work / float64(procs)
}

// TestLoadsOfThePage checks the loads of the types in docs/reference/workloads.md.
func TestLoadsOfThePage(t *testing.T) {
	for _, name := range []string{"lublin", "lublin-batch", "lublin-interactive", "lublin-mixed"} {
		m := find(t, name)
		rate, work := flow(m.populations(128))
		line := fmt.Sprintf("| `%s` | %.0f | %.0f |", name, 1/rate, work/rate)
		for _, procs := range []int32{32, 64, 128, 144, 256, 1024} {
			line += fmt.Sprintf(" %.2f |", ownLoad(m, procs))
		}
		inPage(t, line)
	}
}

// A workload has the load of the option, within the sampling error of its work and its gaps.
func TestLoadIsMet(t *testing.T) {
	for _, name := range []string{"lublin", "lublin-batch", "lublin-interactive", "lublin-mixed"} {
		for _, load := range []float64{0, 0.3, 0.95} {
			const procs = 256
			jobs := generate(t, name, Options{Jobs: 300_000, Procs: procs, Load: load})
			want := load
			if load == 0 {
				m, _ := Find(name)
				want = ownLoad(m, procs)
			}
			work, workError := meanOf(column(jobs, workOf))
			gap, gapError := meanOf(gaps(jobs))
			got := work / gap / procs
			near(t, fmt.Sprintf("%s: load", name), got, want, got*math.Hypot(workError/work, gapError/gap))
		}
	}
}

// The output of the authors' program for 256 processors comes from the same distributions as ours.
func TestAuthorsProgram(t *testing.T) {
	theirs := readLog(t, "lublin_256.swf.gz")
	ours := generate(t, "lublin", Options{Jobs: 200_000, Procs: 256})
	for _, c := range []struct {
		name string
		x, y []float64
	}{
		{"size", column(theirs, sizeOf), column(ours, sizeOf)},
		{"log run time", column(theirs, logRunOf), column(ours, logRunOf)},
		{"gap", gaps(theirs), gaps(ours)},
	} {
		d, statistic := distanceBetween(c.x, c.y)
		inPage(t, fmt.Sprintf("| %s | %.4f | %.2f | %.2f |", c.name, d, statistic, kolmogorov))
		if statistic > kolmogorov {
			t.Errorf("%s: the distance %v is too large for one distribution", c.name, d)
		}
	}
	for _, c := range []struct {
		name         string
		theirs, ours []float64
	}{
		{"work", column(theirs, workOf), column(ours, workOf)},
		{"gap", gaps(theirs), gaps(ours)},
	} {
		a, aError := meanOf(c.theirs)
		b, bError := meanOf(c.ours)
		inPage(t, fmt.Sprintf("| mean %s | %.0f ± %.0f | %.0f ± %.0f |", c.name, a, aError, b, bError))
		near(t, "mean "+c.name+" of the authors' program", a, b, math.Hypot(aError, bError))
	}
	// Their gaps without the daily cycle are those of the model's gamma distribution; gaps that
	// rounding made 0 are left out.
	cycle := gammaCycle(typeless.cycle)
	var logs []float64
	for i := range theirs[1:] {
		if gap := flat(cycle, theirs[i+1].Submit) - flat(cycle, theirs[i].Submit); gap > 0 {
			logs = append(logs, math.Log(gap))
		}
	}
	g := distuv.Gamma{Alpha: typeless.gap.shape * typeless.allDay, Beta: 1 / typeless.gap.scale}
	statistic := distance(logs, func(x float64) float64 { return min(1, g.CDF(x)/g.CDF(longestGap)) })
	inPage(t, fmt.Sprintf("| log gap without the cycle, one sample | %.4f | %.2f | %.2f |",
		statistic/math.Sqrt(float64(len(logs))), statistic, kolmogorov))
	if statistic > kolmogorov {
		t.Errorf("log gaps without the daily cycle: distance·√n is %v, want at most %v", statistic, kolmogorov)
	}
}
