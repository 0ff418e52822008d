// Statistics for the tests of fit: Kolmogorov–Smirnov, chi-square and standard errors, and the
// columns of jobs that they take.

package workload

import (
	"bufio"
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"gridsweep/model/trace"
)

// significance is the probability that a test of fit fails although the model is right. Seeds are
// fixed, so that a passing test does not fail in another run.
const significance = 0.001

// kolmogorov is the critical value at that significance of the Kolmogorov–Smirnov distance times
// the root of the sample's size; of two samples the size is n·m/(n+m).
const kolmogorov = 1.9495

// distance returns that statistic of a sample of a continuous distribution.
func distance(sample []float64, cdf func(float64) float64) float64 {
	slices.Sort(sample)
	n := float64(len(sample))
	largest := 0.0
	for i, x := range sample {
		p := cdf(x)
		largest = max(largest, p-float64(i)/n, float64(i+1)/n-p)
	}
	return largest * math.Sqrt(n)
}

// distanceBetween returns the distance of two samples, and the statistic.
func distanceBetween(x, y []float64) (d, statistic float64) {
	slices.Sort(x)
	slices.Sort(y)
	d = stat.KolmogorovSmirnov(x, nil, y, nil)
	n, m := float64(len(x)), float64(len(y))
	return d, d * math.Sqrt(n*m/(n+m))
}

// chiSquare returns the p-value of counts whose probabilities are shares. Categories with fewer
// than five expected counts are joined.
func chiSquare(counts []int, shares []float64) float64 {
	n := 0
	for _, count := range counts {
		n += count
	}
	statistic, categories := 0.0, 0
	add := func(count, expected float64) {
		statistic += (count - expected) * (count - expected) / expected
		categories++
	}
	rareCount, rareExpected := 0.0, 0.0
	for i, count := range counts {
		expected := shares[i] * float64(n)
		switch {
		case expected >= 5:
			add(float64(count), expected)
		case expected == 0 && count > 0:
			return 0
		default:
			rareCount += float64(count)
			rareExpected += expected
		}
	}
	if rareExpected > 0 {
		add(rareCount, rareExpected)
	}
	if categories < 2 {
		return 1
	}
	return distuv.ChiSquared{K: float64(categories - 1)}.Survival(statistic)
}

// near checks that the mean of a sample is within four standard errors of the expected one.
func near(t *testing.T, what string, got, want, standardError float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > 4*standardError {
		t.Errorf("%s is %.6g, want %.6g within %.2g", what, got, want, 4*standardError)
	}
}

// column returns the value of each job.
func column(jobs []trace.Job, value func(*trace.Job) float64) []float64 {
	values := make([]float64, len(jobs))
	for i := range jobs {
		values[i] = value(&jobs[i])
	}
	return values
}

func sizeOf(j *trace.Job) float64   { return float64(j.Size()) }
func runOf(j *trace.Job) float64    { return float64(j.Run) }
func logRunOf(j *trace.Job) float64 { return math.Log(float64(j.Run)) }
func workOf(j *trace.Job) float64   { return float64(j.Size()) * float64(j.Run) }

func gaps(jobs []trace.Job) []float64 {
	values := make([]float64, len(jobs)-1)
	for i := range values {
		values[i] = float64(jobs[i+1].Submit - jobs[i].Submit)
	}
	return values
}

// flat is the inverse of a clock: it returns the seconds without a daily cycle that correspond to a
// time with one.
func flat(cycle []float64, at int64) float64 {
	passed := float64(at / 86400 * 86400)
	for i := range at % 86400 / bucket {
		passed += cycle[i] * bucket
	}
	return passed + cycle[at%86400/bucket]*float64(at%bucket)
}

// meanOf returns the mean of a sample of independent numbers and its standard error.
func meanOf(sample []float64) (mean, standardError float64) {
	mean, deviation := stat.MeanStdDev(sample, nil)
	return mean, deviation / math.Sqrt(float64(len(sample)))
}

// readLog reads the jobs of a trace that have a run time and processors, or skips the test where it
// is not available.
func readLog(t *testing.T, name string) []trace.Job {
	t.Helper()
	folder := os.Getenv("GRIDSWEEP_TRACES")
	file, err := os.Open(filepath.Join(folder, name))
	if folder == "" || os.IsNotExist(err) {
		t.Skipf("GRIDSWEEP_TRACES has no %s", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(bufio.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := trace.NewReader(text, name, trace.Options{}).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(jobs, func(j trace.Job) bool { return j.Run <= 0 || j.Size() <= 0 })
}
