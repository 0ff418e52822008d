// Tests of all workload models: well-formed jobs, checksums that must not change, the effect of
// each option, and the clock of the daily cycle against a sum by seconds.

package workload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model/rng"
	"gridsweep/model/trace"
)

func find(t testing.TB, name string) Model {
	t.Helper()
	m, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func generate(t testing.TB, name string, o Options) []trace.Job {
	t.Helper()
	jobs, err := find(t, name).Generate(context.Background(), o, rng.New("workload tests"))
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// Scalable models have a largest machine, since the sizes of jobs are counted one by one.
func TestTooLargeAMachine(t *testing.T) {
	m := find(t, "lublin")
	for _, procs := range []int32{1<<24 + 1, 1_000_000_000, math.MaxInt32} {
		_, err := m.Generate(context.Background(), Options{Jobs: 1, Procs: procs}, rng.New("too large"))
		want := fmt.Sprintf("generate lublin: %d processors: give at most 16777216", procs)
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestEveryWorkloadIsWellFormed(t *testing.T) {
	models := Models()
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(models).Draw(t, "model")
		o := Options{Jobs: rapid.Int64Range(0, 300).Draw(t, "jobs"), Span: rapid.Int64Range(0, 200_000).Draw(t, "span")}
		if o.Jobs == 0 && o.Span == 0 {
			o.Jobs = 1
		}
		procs := m.Procs()
		if m.Scalable {
			o.Procs = rapid.Int32Range(1, 5000).Draw(t, "procs")
			procs = o.Procs
		}
		if o.Jobs == 0 || o.Span == 0 {
			o.Load = rapid.SampledFrom([]float64{0, 0.001, 0.5, 2, 1000}).Draw(t, "load")
		}
		if o.Load*float64(o.Span) > 1e6 {
			o.Span = 1000
		}
		jobs, err := m.Generate(context.Background(), o, rng.New("well formed"))
		if err != nil {
			t.Fatal(err)
		}
		if o.Jobs > 0 && int64(len(jobs)) != o.Jobs {
			t.Errorf("%d jobs, want %d", len(jobs), o.Jobs)
		}
		last := int64(0)
		for i, j := range jobs {
			want := trace.Job{
				ID: int64(i) + 1, Submit: j.Submit, Wait: -1, Run: j.Run, Procs: j.Procs, CPU: -1, Memory: -1, ReqProcs: j.Procs,
				ReqTime: j.Run, ReqMemory: -1, Status: 1, User: -1, Group: -1, App: -1, Queue: j.Queue, Partition: -1, After: -1,
				Think: -1, Site: -1,
			}
			if j != want {
				t.Fatal(cmp.Diff(want, j))
			}
			if j.Submit < last || j.Run < 1 || j.Procs < 1 || j.Procs > procs || o.Jobs == 0 && j.Submit >= o.Span {
				t.Fatalf("job %d is malformed: %+v", i+1, j)
			}
			last = j.Submit
		}
	})
}

// A longer workload begins with the shorter one; a number of jobs and their span cut the same
// sequence.
func TestWorkloadsAreBeginningsOfOneSequence(t *testing.T) {
	for _, m := range Models() {
		long := generate(t, m.Name, Options{Jobs: 3000})
		if diff := cmp.Diff(long[:1000], generate(t, m.Name, Options{Jobs: 1000})); diff != "" {
			t.Errorf("%s: 1000 jobs are not the first of 3000: %s", m.Name, diff)
		}
		cut := long[2000].Submit
		before, _ := slices.BinarySearchFunc(long, cut, func(j trace.Job, at int64) int { return int(j.Submit - at) })
		if diff := cmp.Diff(long[:before], generate(t, m.Name, Options{Span: cut})); diff != "" {
			t.Errorf("%s: the jobs before %d s are not those of the sequence: %s", m.Name, cut, diff)
		}
	}
}

// The option Load changes submits alone.
func TestLoadKeepsJobs(t *testing.T) {
	for _, m := range Models() {
		low, high := generate(t, m.Name, Options{Jobs: 2000, Load: 0.2}), generate(t, m.Name, Options{Jobs: 2000, Load: 2})
		if m.Name == "lublin-mixed" {
			continue // the order of its types changes
		}
		for i := range low {
			low[i].Submit, high[i].Submit = 0, 0
		}
		if diff := cmp.Diff(low, high); diff != "" {
			t.Errorf("%s: %s", m.Name, diff)
		}
	}
}

// The mixed model has the jobs of its two types, each type with the same draws as alone.
func TestMixedModelIsBothTypes(t *testing.T) {
	const span = 30 * 86400
	byQueue := map[int32][]trace.Job{}
	for _, j := range generate(t, "lublin-mixed", Options{Span: span}) {
		j.ID = int64(len(byQueue[j.Queue])) + 1
		byQueue[j.Queue] = append(byQueue[j.Queue], j)
	}
	for queue, name := range []string{"lublin-interactive", "lublin-batch"} {
		if diff := cmp.Diff(generate(t, name, Options{Span: span}), byQueue[int32(queue)]); diff != "" {
			t.Errorf("queue %d: %s", queue, diff)
		}
	}
	if len(byQueue) != 2 || len(byQueue[0]) < 500 || len(byQueue[1]) < 500 {
		t.Errorf("%d and %d jobs", len(byQueue[0]), len(byQueue[1]))
	}
}

// naiveClock returns the time at which the weights, added up second by second, reach a number of
// seconds.
func naiveClock(cycle []float64, target float64) int64 {
	passed := 0.0
	for at := int64(0); ; at++ {
		weight := cycle[at/bucket%int64(len(cycle))]
		if passed+weight > target {
			return at
		}
		passed += weight
	}
}

func TestClockAgreesWithTheSum(t *testing.T) {
	cycles := [][]float64{
		gammaCycle(typeless.cycle), pausing(gammaCycle(batch.cycle), 42*3600, 42*3600), normalized([]float64{0, 1, 0, 3}),
	}
	rapid.Check(t, func(t *rapid.T) {
		cycle := rapid.SampledFrom(cycles).Draw(t, "cycle")
		c, passed := clock{cycle: cycle}, 0.0
		for range rapid.IntRange(1, 20).Draw(t, "arrivals") {
			gap := rapid.SampledFrom([]float64{0, 1, 1000, 1e5}).Draw(t, "scale") * rapid.Float64Range(0, 1).Draw(t, "gap")
			passed += gap
			got, want := c.advance(gap), naiveClock(cycle, passed)
			// On the border of two seconds either is right; across a pause the two times differ by
			// its length.
			if got != want && got != naiveClock(cycle, passed-1e-6) && got != naiveClock(cycle, passed-1e-6)+1 {
				t.Fatalf("at %v s of the mean day the clock says %d, want %d", passed, got, want)
			}
		}
	})
}

// Gaps longer than a day pass whole cycles at once.
func TestClockPassesLongGaps(t *testing.T) {
	c := clock{cycle: gammaCycle(typeless.cycle)}
	const day = 86400
	if at := c.advance(1e6 * day); at < 1e6*day-1 || at > 1e6*day {
		t.Errorf("a million days end at %d", at)
	}
	start := clock{cycle: gammaCycle(typeless.cycle)}
	if at, want := c.advance(30_000), start.advance(30_000); math.Abs(float64(at-1e6*day-want)) > 1 {
		t.Errorf("30,000 s later it is %d, want %d", at-1e6*day, want)
	}
}

// Equal options and seed give equal jobs, on every machine. A checksum that changes renames
// results: raise the versions of the studies that use the model.
func TestWorkloadsAreStable(t *testing.T) {
	want := map[string]string{
		"lublin":             "0fb4629a3a2d83ce",
		"lublin-batch":       "898563576fd5d61d",
		"lublin-interactive": "90d7f596291fc78b",
		"lublin-mixed":       "3ff980739f8da657",
		"das2":               "7633759314a6a467",
		"grid5000":           "bd986946c25e4942",
		"auvergrid":          "b3360c453f7128b5",
		"sharcnet":           "1881a88ef8fcd0f6",
		"ctc-sp2":            "0582f03be6b78b0e",
	}
	for _, m := range Models() {
		hash := sha256.New()
		for _, j := range generate(t, m.Name, Options{Jobs: 5000}) {
			fmt.Fprintln(hash, j.Submit, j.Run, j.Procs, j.Queue)
		}
		if got := hex.EncodeToString(hash.Sum(nil)[:8]); got != want[m.Name] {
			t.Errorf("%q: %q,", m.Name, got)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, c := range []struct {
		model string
		o     Options
		want  string
	}{
		{"lublin", Options{}, "neither a number of jobs nor a span"},
		{"lublin", Options{Jobs: -1}, "-1 jobs"},
		{"lublin", Options{Jobs: 2e9}, "1 to 1000000000"},
		{"lublin", Options{Span: -5}, "a span of -5 s"},
		{"lublin", Options{Jobs: 1, Procs: -1}, "-1 processors"},
		{"das2", Options{Jobs: 1, Procs: 128}, "which has 400"},
		{"lublin", Options{Jobs: 1, Load: math.NaN()}, "load NaN"},
		{"lublin", Options{Jobs: 1, Load: -0.5}, "load -0.5"},
		{"lublin", Options{Jobs: 1, Span: 1, Load: 0.5}, "not both"},
	} {
		_, err := find(t, c.model).Generate(context.Background(), c.o, rng.New("x"))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "generate "+c.model+": ") {
			t.Errorf("%s %+v: error %v, want one with %q", c.model, c.o, err, c.want)
		}
	}
	if _, err := Find("lubin"); err == nil || !strings.Contains(err.Error(), "known are lublin, lublin-batch") {
		t.Errorf("Find: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := find(t, "lublin").Generate(ctx, Options{Jobs: 1}, rng.New("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: %v", err)
	}
}

// With a number of jobs and a span both are met.
func TestJobsWithinASpan(t *testing.T) {
	for _, c := range []struct {
		model      string
		jobs, days int64
	}{{"das2", 11_318, 6}, {"grid5000", 12_719, 14}, {"sharcnet", 13_283, 14}, {"lublin-mixed", 20_000, 100}} {
		jobs := generate(t, c.model, Options{Jobs: c.jobs, Span: c.days * 86400})
		last := float64(jobs[len(jobs)-1].Submit) / 86400
		// The end of a renewal process is as uncertain as its sum of gaps; a pause may lie before
		// it.
		_, gapError := meanOf(gaps(jobs))
		if tolerance := 4*gapError*float64(c.jobs)/86400 + 1.75; math.Abs(last-float64(c.days)) > tolerance {
			t.Errorf("%s: %d jobs end after %.2f days, want %d within %.2f", c.model, c.jobs, last, c.days, tolerance)
		}
	}
}

func TestParseSizes(t *testing.T) {
	got, err := ParseSizes("144, 64,1")
	if diff := cmp.Diff([]int32{144, 64, 1}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for text, want := range map[string]string{
		"": `number 1 is ""`, "64,,64": `number 2 is ""`, "64,0": `number 2 is "0"`, "-1": `number 1 is "-1"`,
		"6.4": `number 1 is "6.4"`, "2147483647,1": "together", "64;64": `number 1 is "64;64"`, "4294967297": `number 1 is`,
		"8,99999999999": `number 2 is "99999999999", want processors of clusters, from 1 to 2147483647`,
	} {
		if _, err := ParseSizes(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for _, name := range []string{"lublin", "lublin-mixed", "das2", "ctc-sp2"} {
		b.Run(name, func(b *testing.B) {
			m := find(b, name)
			o := Options{Jobs: 1_000_000, Load: 0.95}
			if m.Scalable {
				o.Procs = 1024
			}
			for b.Loop() {
				if _, err := m.Generate(context.Background(), o, rng.New("bench")); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(o.Jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
