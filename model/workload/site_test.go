// Statistical tests of the site models: against the published figures of each site, their own
// distributions, and the log of CTC SP2.

package workload

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"gridsweep/model/rng"
	"gridsweep/model/trace"
)

func site(t *testing.T, name string) Site {
	t.Helper()
	for _, s := range Sites() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no site %s", name)
	return Site{}
}

// inPage checks that docs/reference/workloads.md has a line with computed numbers.
func inPage(t *testing.T, line string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/reference/workloads.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "\n"+line+"\n") {
		t.Errorf("docs/reference/workloads.md lacks the line\n%s", line)
	}
}

// figures are the published numbers of a site, measured on a workload.
type figures struct {
	jobs, work, load float64
	serial, powers   float64 // shares
	largest          int32
	run              float64 // s, mean
}

func figuresOf(jobs []trace.Job, procs int32, span int64) figures {
	f := figures{jobs: float64(len(jobs))}
	for _, j := range jobs {
		f.run += float64(j.Run) / f.jobs
		f.work += workOf(&j) / f.jobs
		f.largest = max(f.largest, j.Size())
		switch size := j.Size(); {
		case size == 1:
			f.serial += 1 / f.jobs
		case size&(size-1) == 0:
			f.powers += 1 / f.jobs
		}
	}
	f.load = f.jobs * f.work / (float64(procs) * float64(span))
	return f
}

// spread returns the standard deviation of the gaps of a Weibull distribution over their mean.
func spread(shape float64) float64 {
	w := distuv.Weibull{K: shape, Lambda: 1}
	return w.StdDev() / w.Mean()
}

// A year or four months of each site meet its published figures. The tolerance is four standard
// errors: of the number of jobs of a renewal process, the gaps' spread × √jobs; of the work of a
// job, its deviation / √jobs; of a share, that of a binomial; and of the utilisation both together
// with the last digit of what is published.
func TestSitesMeetTheirFigures(t *testing.T) {
	for _, c := range []struct {
		name        string
		load, digit float64 // utilisation and what its last digit may hide
		serial      float64
		largest     int32
	}{
		{"das2", 0.10, 0.005, 0.024, 128},
		{"grid5000", 0.10, 0.005, 0.5, 216},
		// of the whole trace; 73 % of what the paper's gateway is offered
		{"auvergrid", 0.585, 0.0005, 1, 1},
		{"sharcnet", 0.5542, 0, 0.85, 512}, // D: 3,782 y 15 d of CPU time in the year on 6,828
		{"ctc-sp2", 0.84, 0.005, 0.42, 336},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := site(t, c.name)
			procs := find(t, c.name).Procs()
			jobs := generate(t, c.name, Options{Span: s.Span})
			got := figuresOf(jobs, procs, s.Span)
			_, workError := meanOf(column(jobs, workOf))
			countError := spread(s.shape) * math.Sqrt(float64(s.Jobs))
			near(t, "jobs", got.jobs, float64(s.Jobs), countError)
			near(t, "work of a job", got.work, s.Work, workError)
			loadError := got.load * math.Hypot(countError/float64(s.Jobs), workError/got.work)
			near(t, "utilisation", got.load, c.load, loadError+c.digit/4)
			near(t, "share of serial jobs", got.serial, c.serial, math.Sqrt(c.serial*(1-c.serial)/got.jobs)+1e-12)
			if got.largest > c.largest || float64(got.largest) < 0.95*float64(c.largest) {
				t.Errorf("the largest job has %d processors, want %d", got.largest, c.largest)
			}
			inPage(t, fmt.Sprintf("| `%s` | %.0f of %d | %.0f of %.0f | %.1f %% of %.1f %% | %.1f %% | %.1f %% | %d | %.0f |",
				c.name,
				got.jobs, s.Jobs, got.work, s.Work, 100*got.load, 100*c.load, 100*got.serial, 100*got.powers, got.largest, got.run))
		})
	}
}

// TestSitesAreConsistent checks published figures beyond the table.
func TestSitesAreConsistent(t *testing.T) {
	for _, c := range []struct {
		name     string
		procs    int32
		clusters int
	}{{"das2", 400, 5}, {"grid5000", 1312, 15}, {"auvergrid", 475, 5}, {"ctc-sp2", 338, 1}, {"sharcnet", 6828, 10}} {
		m := find(t, c.name)
		sizes, err := ParseSizes(m.Sizes)
		if err != nil || len(sizes) != c.clusters || m.Procs() != c.procs {
			t.Errorf("%s: %d clusters with %d processors, want %d with %d (%v)", c.name, len(sizes), m.Procs(), c.clusters,
				c.procs, err)
		}
	}
	dedicated, err := ParseSizes(find(t, "grid5000").Sizes)
	if err != nil {
		t.Fatal(err)
	}
	sum := int32(0)
	for _, size := range dedicated[:7] {
		sum += size
	}
	if sum != 648 {
		t.Errorf("Grid'5000's dedicated clusters have %d processors, want 648", sum)
	}
	for _, j := range generate(t, "das2", Options{Jobs: 50_000}) {
		if j.Size() > 1 && j.Size()%2 != 0 {
			t.Fatalf("DAS-2 has a job of %d processors, want even numbers", j.Size())
		}
	}
}

// Sizes of all sites follow their shares, by chi-square, and gaps their Weibull distribution, by
// Kolmogorov–Smirnov.
func TestSitesFit(t *testing.T) {
	const n = 200_000
	for _, s := range Sites() {
		p := s.population()
		root := rng.New("sites").Child(s.Name)
		stream := root.Stream("sizes")
		shares := s.jobSizes.shares()
		counts := make([]int, len(shares))
		for range n {
			counts[p.size(stream)]++
		}
		if p := chiSquare(counts, shares); p < significance {
			t.Errorf("%s: sizes have the probability %v", s.Name, p)
		}
		stream = root.Stream("gaps")
		sample := make([]float64, n)
		for i := range sample {
			sample[i] = p.gap(stream)
		}
		distanceOf := func(shape float64) float64 {
			return distance(sample, distuv.Weibull{K: shape, Lambda: p.meanGap / math.Gamma(1+1/shape)}.CDF)
		}
		if d := distanceOf(s.shape); d > kolmogorov {
			t.Errorf("%s: distance·√n of gaps is %v, want at most %v", s.Name, d, kolmogorov)
		}
		if d := distanceOf(s.shape + 0.02); d < kolmogorov {
			t.Errorf("%s: gaps pass for those of another shape", s.Name)
		}
	}
}

// Run times of the Grids are log-normal with the site's deviation, cut at the longest, and have the
// mean that gives the mean work of a job.
func TestLogNormalRunTimes(t *testing.T) {
	const n = 200_000
	for _, s := range Sites() {
		d, ok := s.runs.(logNormal)
		if !ok {
			continue
		}
		meanSize := 0.0
		for size, share := range s.jobSizes.shares() {
			meanSize += float64(size) * share
		}
		draw := d.calibrated(s.jobSizes.shares(), s.Work)
		stream := rng.New("log normal").Stream(s.Name)
		sample := make([]float64, n)
		for i := range sample {
			sample[i] = draw(stream, 1)
		}
		mean, meanError := meanOf(sample)
		near(t, s.Name+": mean run time", mean, s.Work/meanSize, meanError)
		mu := d.location(s.Work / meanSize)
		want := distuv.LogNormal{Mu: mu, Sigma: d.sigma}
		cut := want.CDF(d.longest)
		if got := distance(sample, func(x float64) float64 { return min(1, want.CDF(x)/cut) }); got > kolmogorov {
			t.Errorf("%s: distance·√n of run times is %v, want at most %v", s.Name, got, kolmogorov)
		}
		inPage(t, fmt.Sprintf("| `%s` | %.3f | %.2f | %.0f | %.0f | %.0f |",
			s.Name, meanSize, mu, math.Exp(mu), s.Work/meanSize, d.longest))
	}
}

// Arrivals alternate between pauses and periods that follow the daily cycle.
func TestArrivalsPause(t *testing.T) {
	s := site(t, "sharcnet")
	if s.on == 0 {
		t.Fatal("SHARCNET has no pauses")
	}
	perHour := make([]int, 7*24)
	for _, j := range generate(t, "sharcnet", Options{Span: 70 * 86400}) {
		perHour[j.Submit/3600%(7*24)]++
	}
	for hour, count := range perHour {
		isOn := int64(hour)*3600%(s.on+s.off) < s.on
		if isOn != (count > 0) {
			t.Errorf("hour %d of the week has %d arrivals", hour, count)
		}
	}
	if peak, night := perHour[13], perHour[3]; peak < 3*night {
		t.Errorf("%d arrivals from 13:00 on, %d from 3:00 on: no daily cycle", peak, night)
	}
}

// The distributions of the CTC SP2 model are near those of the log from which it was made. With so
// many jobs any simplification is significant, so the distances are bounded and not tested.
func TestCTCModelIsNearItsLog(t *testing.T) {
	jobs := readLog(t, "CTC-SP2-1996-3.1-cln.swf.gz")
	model := generate(t, "ctc-sp2", Options{Jobs: int64(len(jobs))})
	hours := func(jobs []trace.Job, zone int64) []float64 {
		return column(jobs, func(j *trace.Job) float64 { return float64((j.Submit+zone)%86400) / 3600 })
	}
	const zone = 835_823_160 - 18_000 // the log's UnixStartTime and TimeZone
	for _, c := range []struct {
		name     string
		log, our []float64
		bound    float64
	}{
		{"size", column(jobs, sizeOf), column(model, sizeOf), 0.01},
		{"run time", column(jobs, runOf), column(model, runOf), 0.03},
		{"work", column(jobs, workOf), column(model, workOf), 0.025},
		{"gap", gaps(jobs), gaps(model), 0.04},
		{"time of day", hours(jobs, zone), hours(model, 0), 0.01},
	} {
		d, _ := distanceBetween(c.log, c.our)
		if d > c.bound {
			t.Errorf("%s: the distance to the log is %v, want at most %v", c.name, d, c.bound)
		}
		m, dev := stat.MeanStdDev(c.our, nil)
		lm, ldev := stat.MeanStdDev(c.log, nil)
		inPage(t, fmt.Sprintf("| %s | %.3f | %.4g | %.4g | %.4g | %.4g | %.2f | %.2f |", c.name, d, lm, m,
			median(c.log), median(c.our), ldev/lm, dev/m))
	}
}

func median(sample []float64) float64 {
	slices.Sort(sample)
	return stat.Quantile(0.5, stat.Empirical, sample, nil)
}

// The numbers marked M are those of the log.
func TestCTCIsMeasured(t *testing.T) {
	jobs := readLog(t, "CTC-SP2-1996-3.1-cln.swf.gz")
	s := site(t, "ctc-sp2")
	work := stat.Mean(column(jobs, workOf), nil) * float64(len(jobs)) / float64(s.Jobs)
	span := jobs[len(jobs)-1].Submit - jobs[0].Submit
	if math.Abs(work-s.Work) > 1 || span != s.Span {
		t.Errorf("the log has %v processor·s of a job in %d s, the model %v in %d", work, span, s.Work, s.Span)
	}
	bySize := map[int32]float64{}
	byHour := [24]float64{}
	for _, j := range jobs {
		bySize[j.Size()] += 1 / float64(len(jobs))
		byHour[(j.Submit+835_823_160-18_000)/3600%24] += 24 / float64(len(jobs))
	}
	sizes := s.jobSizes.(measuredSizes)
	for i := len(sizes) - 1; i >= 0; i-- { // of two bands that overlap the narrow one counts a size
		b, share := sizes[i], 0.0
		for size := b.from; size <= b.to; size++ {
			alone := slices.ContainsFunc(sizes, func(other band) bool { return other.from == size && other.to == size })
			if !alone || b.from == b.to {
				share += bySize[size]
			}
		}
		if math.Abs(share-b.share) > 0.00006 {
			t.Errorf("sizes %d to %d have the share %.5f in the log, %.4f in the model", b.from, b.to, share, b.share)
		}
	}
	hours := normalized(byHour[:])
	for hour, weight := range hours {
		if got := s.cycle[2*hour]; math.Abs(got-weight) > 0.006 {
			t.Errorf("hour %d has the weight %.3f in the log, %.3f in the model", hour, weight, got)
		}
	}
	if got := weibullShape(jobs, s.cycle, 835_823_160-18_000); math.Abs(got-s.shape) > 0.0015 {
		t.Errorf("gaps have the shape %.4f in the log, %.4f in the model", got, s.shape)
	}
	from := int32(1)
	for _, c := range s.runs.(measuredRuns) {
		var runs []float64
		for _, j := range jobs {
			if j.Size() >= from && j.Size() <= c.upTo {
				runs = append(runs, float64(j.Run))
			}
		}
		slices.Sort(runs)
		for i, want := range c.runs {
			p := min(max(float64(i)/(quantiles-1), 0.005), 0.995)
			if got := runs[int(p*float64(len(runs))+1e-9)]; got != want {
				t.Errorf("jobs of %d to %d processors: quantile %d of run times is %v in the log, %v in the model",
					from, c.upTo, i, got, want)
			}
		}
		from = c.upTo + 1
	}
}

// weibullShape returns the shape of most likelihood of the gaps without the daily cycle, from the
// third day on: it solves Σ g^k ln g / Σ g^k - 1/k = the mean of ln g. A gap of no seconds counts
// half a second.
func weibullShape(jobs []trace.Job, cycle []float64, zone int64) float64 {
	var logs []float64
	for i := range jobs[1:] {
		if jobs[i].Submit >= 2*86400 {
			logs = append(logs, math.Log(max(0.5, flat(cycle, jobs[i+1].Submit+zone)-flat(cycle, jobs[i].Submit+zone))))
		}
	}
	mean := stat.Mean(logs, nil)
	low, high := 0.1, 3.0
	for range 40 {
		k := (low + high) / 2
		powers, weighted := 0.0, 0.0
		for _, l := range logs {
			power := math.Exp(k * l)
			powers += power
			weighted += power * l
		}
		if weighted/powers-1/k > mean {
			high = k
		} else {
			low = k
		}
	}
	return low
}
