// Estimate tests: the distribution as in the paper, the assignment to jobs, and the similarity to
// logs of the archive.

package estimates

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model/rng"
	"gridsweep/model/trace"
)

func stream(seed string) *rng.Stream { return rng.New(seed).Stream("estimates") }

// TestDistinct checks the points of the piecewise linear model, and the middle between two.
func TestDistinct(t *testing.T) {
	for jobs, want := range map[int]int{
		0: 0, 20: 10, 110: 15, 200: 20, 1000: 35, 10_000: 90, 40_000: 215, 70_000: 340, 160_000: 453, 250_000: 565,
		1 << 20: 565,
	} {
		if have := distinct(jobs); have != want {
			t.Errorf("%d jobs have %d different estimates, want %d", jobs, have, want)
		}
	}
}

// With a limit of 18 h, the popular estimates are 14 of those that all logs have, and multiples of
// 10, 5 and 2 h up to 20.
func TestPopularEstimates(t *testing.T) {
	var want []int64
	for _, minutes := range []int64{1080, 5, 10, 15, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 720, 840, 900, 960} {
		want = append(want, minutes*minute)
	}
	want = append(want, 17*hour, 13*hour)
	slices.Sort(want[1:])
	if have := popularEstimates(18 * hour); !slices.Equal(have, want) {
		t.Errorf("popular estimates %v, want %v", have, want)
	}
	for longest := int64(Shortest); longest < 400*hour; longest += 7 * minute {
		have := popularEstimates(longest)
		if len(have) != popular || have[0] != longest || !slices.IsSorted(have[1:]) || have[popular-1] >= longest ||
			len(slices.Compact(slices.Clone(have))) != popular {
			t.Fatalf("longest %d s: %v", longest, have)
		}
	}
}

// Each rank occurs once, the first at the longest estimate, and none at a position before its first
// one in the logs.
func TestPopularityRanks(t *testing.T) {
	s := stream("ranks")
	var counts [popular][popular + 1]int
	for range 2000 {
		ranks := popularityRanks(s)
		sorted := slices.Sorted(slices.Values(ranks[:]))
		for i, rank := range sorted {
			if rank != i+1 {
				t.Fatalf("ranks %v", ranks)
			}
		}
		if ranks[0] != 1 {
			t.Fatalf("the longest estimate has rank %d", ranks[0])
		}
		for at, rank := range ranks {
			counts[at][rank]++
			first := slices.IndexFunc(popularity[:], func(row [4]int) bool { return slices.Contains(row[:], rank) })
			if at < first {
				t.Fatalf("rank %d at position %d, the logs have it from %d on: %v", rank, at, first, ranks)
			}
		}
	}
	// At position 1 the pool has 3 (twice), 4 and 6: rank 3 unless both draws are others.
	if share := float64(counts[1][3]) / 2000; math.Abs(share-0.75) > 0.03 {
		t.Errorf("rank 3 is second in %.3f of the draws, want 0.75", share)
	}
}

// TestDistribution checks the model's properties: the number of estimates, 20 of which have 89 % of
// the jobs, the longest as the most popular, and the popularity of the others.
func TestDistribution(t *testing.T) {
	for _, jobs := range []int{1000, 10_000, 70_000, 250_000} {
		for _, longest := range []int64{2 * hour, 18 * hour, 36 * hour, 300 * hour} {
			values := distribution(jobs, longest, stream("distribution"))
			slices.SortFunc(values, func(a, b value) int { return cmp.Compare(b.jobs, a.jobs) })
			if want := distinct(jobs); len(values) > want || longest >= 18*hour && len(values) < want {
				t.Errorf("%d jobs, %d s: %d estimates, want %d", jobs, longest, len(values), want)
			}
			sum, popularSum := 0, 0
			for i, v := range values {
				sum += v.jobs
				if i < popular {
					popularSum += v.jobs
				}
				if v.estimate < 1 || v.estimate > longest || v.jobs < 1 {
					t.Errorf("%d jobs, %d s: %+v", jobs, longest, v)
				}
			}
			if sum != jobs {
				t.Errorf("%d jobs have estimates, want %d", sum, jobs)
			}
			if share := float64(popularSum) / float64(jobs); math.Abs(share-headShare) > 0.01 {
				t.Errorf("%d jobs, %d s: %.3f of the jobs have a popular estimate", jobs, longest, share)
			}
			if share := float64(values[0].jobs) / float64(jobs); values[0].estimate != longest || math.Abs(share-0.2175) > 0.01 {
				t.Errorf("%d jobs: %.3f have %d s, want 0.2175 and the longest", jobs, share, values[0].estimate)
			}
			for _, rank := range []int{2, 5, 20} {
				want := (14.0491*math.Exp(-0.177531*float64(rank)) + 0.462513) / 100
				if have := float64(values[rank-1].jobs) / float64(jobs); math.Abs(have-want) > 0.0025 {
					t.Errorf("%d jobs: rank %d has %.4f of them, want %.4f", jobs, rank, have, want)
				}
			}
		}
	}
}

// Estimates beyond the popular ones lie on the curve of the model: half of them are short.
func TestTail(t *testing.T) {
	const longest, n = 36 * hour, 320
	a := 1 + 12.1039*math.Pow(n+popular, -0.6026)
	values := tail(head(longest, stream("tail")), n, longest, stream("tail"))
	var times []int64
	share := 0.0
	for _, v := range values {
		times = append(times, v.estimate)
		share += v.share
	}
	slices.Sort(times)
	for i, have := range times {
		x := float64(i+1) / n
		if want := longest * (a - 1) * x / (a - x); math.Abs(float64(have)-want) > 0.01*want+15*minute {
			t.Errorf("time rank %d: %d s, want about %.0f s", i+1, have, want)
		}
	}
	if math.Abs(share-(1-headShare)) > 1e-12 {
		t.Errorf("shares of the tail sum to %v", share)
	}
	if ratio := values[0].share / values[popular].share; math.Abs(ratio-math.Pow(21.0/41, -2.267)) > 1e-9 {
		t.Errorf("rank 21 is %v times as popular as rank 41", ratio)
	}
}

// Every job gets an estimate that is long enough, the estimates are those of the distribution, and
// a job of 1 s may get each of them.
func TestDraw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SliceOfN(rapid.Int64Range(0, 9000), 0, 300).Draw(t, "runs")
		longest := rapid.Int64Range(Shortest, 9000).Draw(t, "longest")
		have, err := Draw(runs, longest, stream("draw"))
		if err != nil {
			if !strings.Contains(err.Error(), "give a longest estimate above") {
				t.Fatal(err)
			}
			return
		}
		again, _ := Draw(slices.Clone(runs), longest, stream("draw"))
		if !slices.Equal(have, again) {
			t.Fatal("equal arguments give different estimates")
		}
		var want []int64
		for _, v := range distribution(len(runs), longest, stream("draw")) {
			for range v.jobs {
				want = append(want, v.estimate)
			}
		}
		slices.Sort(want)
		for i, run := range runs {
			if have[i] < min(run, longest) {
				t.Fatalf("run time %d s, estimate %d s", run, have[i])
			}
		}
		slices.Sort(have)
		if !slices.Equal(have, want) {
			t.Fatalf("estimates %v, want those of %v", have, want)
		}
	})
}

// The assignment succeeds exactly where the k-th longest job fits into the k-th longest estimate.
func TestDrawFailsOnlyWhereItMust(t *testing.T) {
	runs := make([]int64, 1000)
	for i := range runs {
		runs[i] = 1
	}
	longest := int64(18 * hour)
	values := distribution(len(runs), longest, stream("full"))
	at := slices.IndexFunc(values, func(v value) bool { return v.estimate == longest })
	for i := range values[at].jobs {
		runs[i] = longest + int64(i) // longer ones count as the longest estimate
	}
	if _, err := Draw(runs, longest, stream("full")); err != nil {
		t.Errorf("as many long jobs as long estimates: %v", err)
	}
	runs[values[at].jobs] = longest
	_, err := Draw(runs, longest, stream("full"))
	if err == nil || !strings.Contains(err.Error(), "run for 64800 s or longer") {
		t.Errorf("one long job too many: %v", err)
	}
	for _, longest := range []int64{-1, 0, Shortest - 1, Longest + 1} {
		_, err := Draw(runs, longest, stream("full"))
		if err == nil || !strings.Contains(err.Error(), "6000 (100 minutes) to 4294967296 s") {
			t.Errorf("longest estimate %d s: %v", longest, err)
		}
	}
}

// logs are the logs with which the estimates of the model are compared.
var logs = []struct {
	name    string
	longest int64 // s, of the users' estimates
}{{"CTC-SP2-1996-3.1-cln.swf.gz", 18 * hour}, {"SDSC-SP2-1998-4.2-cln.swf.gz", 18 * hour}}

// readLog returns the jobs of a log with a run time and an estimate, or skips the test.
func readLog(t testing.TB, name string) []trace.Job {
	t.Helper()
	file, err := os.Open(filepath.Join(os.Getenv("GRIDSWEEP_TRACES"), name))
	if err != nil {
		t.Skipf("GRIDSWEEP_TRACES has no %s", name)
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
	jobs, _ = trace.Clean(jobs, trace.Rules{})
	return slices.DeleteFunc(jobs, func(j trace.Job) bool { return j.ReqTime <= 0 })
}

// shareOfPopular returns the share of jobs with one of the 20 most popular estimates.
func shareOfPopular(estimates []int64) float64 {
	counts := map[int64]int{}
	for _, estimate := range estimates {
		counts[estimate]++
	}
	var sizes []int
	for _, n := range counts {
		sizes = append(sizes, n)
	}
	slices.Sort(sizes)
	sum := 0
	for _, n := range sizes[max(0, len(sizes)-popular):] {
		sum += n
	}
	return float64(sum) / float64(len(estimates))
}

// meanAccuracy is the mean of run time over estimate, at most 1.
func meanAccuracy(runs, estimates []int64) float64 {
	sum := 0.0
	for i := range runs {
		sum += min(1, float64(runs[i])/float64(estimates[i]))
	}
	return sum / float64(len(runs))
}

// In real logs the users' estimates have the paper's properties, and those of the model are
// similar.
func TestDrawLikeUsers(t *testing.T) {
	for _, log := range logs {
		t.Run(log.name, func(t *testing.T) {
			jobs := readLog(t, log.name)
			runs, users := make([]int64, len(jobs)), make([]int64, len(jobs))
			for i := range jobs {
				runs[i], users[i] = jobs[i].Run, jobs[i].ReqTime
			}
			drawn, err := Draw(runs, log.longest, stream("users"))
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d jobs; popular: users %.3f, model %.3f; accuracy: users %.3f, model %.3f", len(jobs),
				shareOfPopular(users), shareOfPopular(drawn), meanAccuracy(runs, users), meanAccuracy(runs, drawn))
			if share := shareOfPopular(users); share < 0.8 || share > 0.95 {
				t.Errorf("%.3f of the users' estimates are popular ones", share)
			}
			if users, drawn := meanAccuracy(runs, users), meanAccuracy(runs, drawn); math.Abs(users-drawn) > 0.15 {
				t.Errorf("run times are %.3f of the users' estimates, %.3f of the model's", users, drawn)
			}
		})
	}
}

func BenchmarkDraw(b *testing.B) {
	s := stream("benchmark")
	runs := make([]int64, 100_000)
	for i := range runs {
		runs[i] = int64(min(s.LogNormal(6, 2.5), 18*hour))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Draw(runs, 18*hour, s); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(runs)*b.N)/b.Elapsed().Seconds(), "jobs/s")
}
