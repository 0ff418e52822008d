// Variation tests: segments, shaken submits, resampled weeks and users, and scaled loads of drawn
// logs, job by job; and resampled logs against real ones.

package variation

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model/rng"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
)

func stream(seed string) *rng.Stream { return rng.New(seed).Stream("variation") }

// drawLog draws a log of up to so many seconds, whose jobs have different sizes.
func drawLog(t *rapid.T, span int64) []trace.Job {
	var jobs []trace.Job
	begin := rapid.Int64Range(0, 2e9).Draw(t, "begin")
	for i := range rapid.IntRange(1, 60).Draw(t, "n") {
		jobs = append(jobs, trace.Job{
			ID: int64(10 + i), Submit: begin + rapid.Int64Range(0, span).Draw(t, "submit"), Procs: int32(i + 1),
			Run: rapid.Int64Range(1, 1e5).Draw(t, "run"), ReqTime: int64(7 * i),
			User: rapid.Int32Range(0, 5).Draw(t, "user"), After: int64(i), Think: 9,
		})
	}
	slices.SortStableFunc(jobs, func(a, b trace.Job) int { return cmp.Compare(a.Submit, b.Submit) })
	return jobs
}

func sorted(jobs []trace.Job) bool {
	return slices.IsSortedFunc(jobs, func(a, b trace.Job) int { return cmp.Compare(a.Submit, b.Submit) })
}

func work(jobs []trace.Job) float64 {
	sum := 0.0
	for i := range jobs {
		sum += float64(jobs[i].Size()) * float64(jobs[i].Run)
	}
	return sum
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want an error with %q", err, want)
	}
}

// The segments of a log together have its jobs, each once, with submits from the segment's
// beginning on.
func TestSegments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := drawLog(t, 1000)
		before := slices.Clone(jobs)
		segments := rapid.IntRange(1, 8).Draw(t, "segments")
		length := (jobs[len(jobs)-1].Submit-jobs[0].Submit)/int64(segments) + 1
		occupied := map[int64]bool{}
		for i := range jobs {
			occupied[(jobs[i].Submit-jobs[0].Submit)/length] = true
		}
		var joined []trace.Job
		for segment := range segments {
			taken, err := Segment(jobs, segments, segment)
			if (err == nil) != (len(occupied) == segments) {
				t.Fatalf("%d of %d segments have jobs: %v", len(occupied), segments, err)
			}
			for i := range taken {
				if taken[i].Submit < 0 || taken[i].Submit >= length {
					t.Fatalf("submitted at %d s of a segment of %d s", taken[i].Submit, length)
				}
				taken[i].Submit += jobs[0].Submit + int64(segment)*length
			}
			joined = append(joined, taken...)
		}
		if len(occupied) == segments && !slices.Equal(joined, jobs) {
			t.Fatalf("the segments are %v, the log is %v", joined, jobs)
		}
		if !slices.Equal(jobs, before) {
			t.Fatal("the argument was changed")
		}
	})
}

func TestSegmentErrors(t *testing.T) {
	jobs := []trace.Job{{Submit: 5}, {Submit: 5}, {Submit: 24}, {Submit: 104}}
	_, err := Segment(jobs, 4, 0)
	wantError(t, err, "4 segments of 25 s: the log has jobs in only 2: give fewer")
	_, err = Segment(jobs, 5, 0)
	wantError(t, err, "5 segments of a log of 4 jobs: give at most as many as it has jobs")
	_, err = Segment(nil, 1, 0)
	wantError(t, err, "1 segments of a log of 0 jobs")
	for _, segment := range []int{-1, 2} {
		_, err = Segment(jobs, 2, segment)
		wantError(t, err, "segments are numbered from 0")
	}
}

// Shaking keeps the jobs, moves none by more than the bound or before the first submit, and moves
// bursts as a whole.
func TestShake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := drawLog(t, 1000)
		before := slices.Clone(jobs)
		s := Shaking{Most: rapid.Int64Range(0, 300).Draw(t, "most"), Burst: rapid.Int64Range(0, 60).Draw(t, "burst")}
		shaken, err := s.Shake(jobs, stream("shake"))
		if err != nil {
			t.Fatal(err)
		}
		again, _ := s.Shake(jobs, stream("shake"))
		if !slices.Equal(shaken, again) || !slices.Equal(jobs, before) || !sorted(shaken) || len(shaken) != len(jobs) {
			t.Fatal("not equal again, not sorted or not of the same length, or the input was changed")
		}
		byID := map[int64]trace.Job{}
		for _, j := range shaken {
			byID[j.ID] = j
		}
		last := map[int32]trace.Job{}
		for _, before := range jobs {
			after := byID[before.ID]
			move := after.Submit - before.Submit
			clamped := after.Submit == jobs[0].Submit
			if move > s.Most || move < -s.Most || after.Submit < jobs[0].Submit {
				t.Fatalf("submit %d became %d", before.Submit, after.Submit)
			}
			previous, found := last[before.User]
			if found && s.Burst > 0 && before.Submit-previous.Submit <= s.Burst && !clamped {
				moved := byID[previous.ID].Submit
				if was := moved - previous.Submit; moved != jobs[0].Submit && was != move {
					t.Fatalf("of a burst, one moved by %d s and the next by %d s", was, move)
				}
			}
			last[before.User] = before
			after.Submit = before.Submit
			if after != before {
				t.Fatalf("%+v became %+v", before, after)
			}
		}
	})
}

// Moves are uniform.
func TestShakeIsUniform(t *testing.T) {
	jobs := make([]trace.Job, 30_000)
	for i := range jobs {
		jobs[i] = trace.Job{ID: int64(i), Submit: int64(i) * 10, User: -1}
	}
	shaken, err := Shaking{Most: 1}.Shake(jobs, stream("uniform"))
	if err != nil {
		t.Fatal(err)
	}
	var counts [3]float64
	for i := range shaken {
		counts[shaken[i].Submit-jobs[i].Submit+1]++
	}
	for move, n := range counts {
		if math.Abs(n-10_000) > 400 { // five standard deviations
			t.Errorf("%v jobs moved by %d s, want about 10000", n, move-1)
		}
	}
	_, err = Shaking{Most: 1, Burst: 60}.Shake(jobs, stream("uniform"))
	wantError(t, err, "30000 of 30000 jobs have no user, the first is job 0: shaking bursts moves each job with")
	for _, s := range []Shaking{{Most: -1}, {Most: 1<<32 + 1}, {Burst: -1}} {
		_, err = s.Shake(jobs, stream("uniform"))
		wantError(t, err, "give 0 to 4294967296 s")
	}
}

// wholeWeeks returns the weeks of a log, the last of which has a submit on its last day or after.
func wholeWeeks(log []trace.Job) int {
	for weeks := 0; ; weeks++ {
		if log[len(log)-1].Submit < log[0].Submit+int64(weeks+1)*Week-day {
			return weeks
		}
	}
}

// checkResampled returns the index in the log of each job, after a check of its fields.
func checkResampled(t *rapid.T, log, jobs []trace.Job, weeks int) []int {
	if !sorted(jobs) {
		t.Fatal("not sorted")
	}
	own := wholeWeeks(log)
	var from []int
	for i, j := range jobs {
		// the sizes of the jobs differ
		at := slices.IndexFunc(log, func(l trace.Job) bool { return l.Procs == j.Procs })
		l := log[at]
		if (j.Submit-l.Submit)%Week != 0 || j.Submit < log[0].Submit || j.Submit >= log[0].Submit+int64(weeks)*Week {
			t.Fatalf("submit %d became %d", l.Submit, j.Submit)
		}
		if l.Submit >= log[0].Submit+int64(own)*Week {
			t.Fatalf("job %d is after the last whole week", l.ID)
		}
		l.ID, l.Submit, l.User, l.After, l.Think = int64(i+1), j.Submit, j.User, -1, -1
		if l != j {
			t.Fatalf("job %+v, want %+v", j, l)
		}
		from = append(from, at)
	}
	return from
}

// Each week of a resampled log is a whole week of the log.
func TestWeeks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t, 6*Week)
		before := slices.Clone(log)
		own := wholeWeeks(log)
		weeks := rapid.IntRange(0, 9).Draw(t, "weeks")
		jobs, err := Weeks(log, weeks, stream("weeks"))
		if (err == nil) != (own >= 2) {
			t.Fatalf("%d weeks: %v", own, err)
		}
		if err != nil {
			return
		}
		if again, _ := Weeks(log, weeks, stream("weeks")); !slices.Equal(jobs, again) || !slices.Equal(log, before) {
			t.Fatal("not equal again, or the input was changed")
		}
		if weeks == 0 {
			weeks = own
		}
		inLog := map[int][]int{}
		for at := range log {
			week := int((log[at].Submit - log[0].Submit) / Week)
			inLog[week] = append(inLog[week], at)
		}
		got := map[int][]int{}
		for i, at := range checkResampled(t, log, jobs, weeks) {
			if jobs[i].User != log[at].User {
				t.Fatalf("the user became %d", jobs[i].User)
			}
			week := int((jobs[i].Submit - log[0].Submit) / Week)
			got[week] = append(got[week], at)
		}
		for week, have := range got {
			drawn := int((log[have[0]].Submit - log[0].Submit) / Week)
			if !slices.Equal(have, inLog[drawn]) {
				t.Fatalf("week %d has jobs %v, week %d of the log %v", week, have, drawn, inLog[drawn])
			}
		}
	})
}

// Each user of a resampled log has the jobs of one user of the log: a temporary user all weeks in
// order, except those before and after the log; a long-term user all weeks in rotation.
func TestUsers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := drawLog(t, 6*Week)
		before := slices.Clone(log)
		own := wholeWeeks(log)
		weeks := rapid.IntRange(0, 9).Draw(t, "weeks")
		jobs, err := Users(log, weeks, stream("users"))
		if (err == nil) != (own >= 2) {
			t.Fatalf("%d weeks: %v", own, err)
		}
		if err != nil {
			return
		}
		if again, _ := Users(log, weeks, stream("users")); !slices.Equal(jobs, again) || !slices.Equal(log, before) {
			t.Fatal("not equal again, or the input was changed")
		}
		if weeks == 0 {
			weeks = own
		}
		weekOf := func(j trace.Job) int { return int((j.Submit - log[0].Submit) / Week) }
		type stay struct{ first, last int }
		stays := map[int32]stay{}
		for _, j := range log {
			if week := weekOf(j); week < own {
				s, found := stays[j.User]
				if !found {
					s.first = week
				}
				stays[j.User] = stay{s.first, week}
			}
		}
		drawn := map[int32][]int{} // users of the resampled log: their jobs in the log
		moves := map[int32]map[int]bool{}
		for i, at := range checkResampled(t, log, jobs, weeks) {
			number := jobs[i].User
			drawn[number] = append(drawn[number], at)
			if moves[number] == nil {
				moves[number] = map[int]bool{}
			}
			moves[number][weekOf(jobs[i])-weekOf(log[at])] = true
		}
		for number, jobsOf := range drawn {
			user := log[jobsOf[0]].User
			s := stays[user]
			longTerm := 2*(s.last-s.first+1) > own
			for _, at := range jobsOf {
				if log[at].User != user {
					t.Fatalf("user %d has jobs of %d and of %d", number, user, log[at].User)
				}
			}
			for move := range moves[number] {
				var first int
				for first = range moves[number] {
					break
				}
				if (move-first)%own != 0 || !longTerm && move != first {
					t.Fatalf("user %d, long-term: %v, is moved by weeks %v", number, longTerm, moves[number])
				}
			}
			// No job in the weeks of the resampled log is missing.
			want := 0
			for move := range moves[number] {
				for _, j := range log {
					if week := weekOf(j); j.User == user && week < own && week+move >= 0 && week+move < weeks {
						want++
					}
				}
			}
			if len(jobsOf) != want {
				t.Fatalf("user %d has %d jobs, want %d", number, len(jobsOf), want)
			}
		}
	})
}

func TestResamplingErrors(t *testing.T) {
	jobs := []trace.Job{{ID: 1, User: 3}, {ID: 2, User: -1, Submit: Week}, {ID: 3, User: -1, Submit: 3 * Week}}
	_, err := Users(jobs, 0, stream("errors"))
	wantError(t, err, "2 of 3 jobs have no user, the first is job 2: resampling users draws users with their "+
		"jobs; resample weeks instead")
	for _, resample := range []func([]trace.Job, int, *rng.Stream) ([]trace.Job, error){Weeks, Users} {
		_, err = resample(jobs[:2], 0, stream("errors"))
		wantError(t, err, "the log has 1 whole weeks: resampling takes at least 2")
		_, err = resample(nil, 0, stream("errors"))
		wantError(t, err, "the log has 0 whole weeks")
		for _, weeks := range []int{-1, 7102} {
			_, err = resample(jobs, weeks, stream("errors"))
			wantError(t, err, "give 1 to 7101")
		}
	}
}

// ToLoad meets the load and changes submits alone.
func TestToLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := drawLog(t, 1e6)
		before := slices.Clone(jobs)
		procs := rapid.Int64Range(1, 1000).Draw(t, "procs")
		load := rapid.Float64Range(0.01, 20).Draw(t, "load")
		scaled, err := ToLoad(jobs, procs, load)
		if !slices.Equal(jobs, before) {
			t.Fatal("the argument was changed")
		}
		if err != nil {
			own, none := Load(jobs, procs)
			span := float64(jobs[len(jobs)-1].Submit - jobs[0].Submit)
			if none == nil && own/load*span > 1000 && own/load < 1e6 {
				t.Fatal(err)
			}
			return
		}
		have := work(scaled) / (float64(procs) * float64(scaled[len(scaled)-1].Submit-scaled[0].Submit))
		if math.Abs(have/load-1) > loadError || !sorted(scaled) || scaled[0].Submit != jobs[0].Submit {
			t.Fatalf("load %v instead of %v, from %d s on", have, load, scaled[0].Submit)
		}
		for i := range scaled {
			scaled[i].Submit = jobs[i].Submit
		}
		if !slices.Equal(scaled, jobs) {
			t.Fatal("more than submits changed")
		}
	})
}

func TestLoadErrors(t *testing.T) {
	jobs := []trace.Job{{Procs: 1, Run: 10}, {Procs: 2, Run: 10, Submit: 100}}
	if load, err := Load(jobs, 3); err != nil || load != 0.1 {
		t.Errorf("load %v, %v", load, err)
	}
	if stats := trace.Describe(jobs, &trace.Header{}, 3); *stats.Load != 0.1 {
		t.Errorf("trace.Describe has load %v", *stats.Load)
	}
	_, err := Load(jobs, 0)
	wantError(t, err, "a machine of 0 processors: give 1 or more")
	_, err = Load(jobs[:1], 3)
	wantError(t, err, "1 jobs within one second")
	_, err = ToLoad(nil, 3, 1)
	wantError(t, err, "0 jobs within one second")
	for _, load := range []float64{0, -1, math.NaN()} {
		_, err = ToLoad(jobs, 3, load)
		wantError(t, err, "give a number above 0")
	}
	_, err = ToLoad(jobs, 3, 100)
	wantError(t, err, "within few seconds")
	_, err = ToLoad(jobs, 3, math.Inf(1))
	wantError(t, err, "an offered load of +Inf")
	_, err = ToLoad(jobs, 3, 1e-300)
	wantError(t, err, "scale by")
	_, err = ToLoad([]trace.Job{{}, {Submit: 5}}, 3, 1)
	wantError(t, err, "the jobs have no work")
}

// readLog returns the cleaned jobs of a log, or skips the test.
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
	return jobs
}

// hours returns the shares of the hours of a week in the submits.
func hours(jobs []trace.Job) [Week / 3600]float64 {
	var shares [Week / 3600]float64
	for i := range jobs {
		shares[jobs[i].Submit%Week/3600] += 1 / float64(len(jobs))
	}
	return shares
}

// Logs resampled from real ones have the same work and jobs on average and the same daily and
// weekly cycle, and differ from each other.
func TestResampledLogsAreLikeTheLog(t *testing.T) {
	type resampling func([]trace.Job, int, *rng.Stream) ([]trace.Job, error)
	for _, name := range []string{"NASA-iPSC-1993-3.1-cln", "CTC-SP2-1996-3.1-cln", "SDSC-SP2-1998-4.2-cln"} {
		t.Run(name, func(t *testing.T) {
			log := readLog(t, name+".swf.gz")
			weeks := wholeWeeks(log)
			log = log[:before(log, log[0].Submit+int64(weeks)*Week)]
			for replication, resample := range map[string]resampling{"weeks": Weeks, "users": Users} {
				const n = 40
				var jobs, works, cycles [n]float64
				for i := range n {
					drawn, err := resample(log, 0, stream(string(rune('a'+i))))
					if err != nil {
						t.Fatal(err)
					}
					jobs[i], works[i] = float64(len(drawn))/float64(len(log)), work(drawn)/work(log)
					have, want := hours(drawn), hours(log)
					for h := range have {
						cycles[i] += math.Abs(have[h]-want[h]) / 2
					}
				}
				for what, sample := range map[string][n]float64{"jobs": jobs, "work": works} {
					mean, deviation := meanAndDeviation(sample[:])
					t.Logf("%s, %d weeks: %s %.3f ± %.3f of the log's", replication, weeks, what, mean, deviation)
					if math.Abs(mean-1) > 4*deviation/math.Sqrt(n) || deviation < 0.01 || deviation > 0.6 {
						t.Errorf("%s: %s are %.3f of the log's with a standard deviation of %.3f", replication, what, mean, deviation)
					}
				}
				if mean, _ := meanAndDeviation(cycles[:]); mean > 0.3 {
					t.Errorf("%s: on average, %.3f of the submits are at other hours of the week", replication, mean)
				}
			}
		})
	}
}

func meanAndDeviation(sample []float64) (mean, deviation float64) {
	for _, x := range sample {
		mean += x / float64(len(sample))
	}
	for _, x := range sample {
		deviation += (x - mean) * (x - mean) / float64(len(sample)-1)
	}
	return mean, math.Sqrt(deviation)
}

// The log of SDSC SP2 has long-term and temporary users, and the work of its segments sums to that
// of the log.
func TestUsersOfALog(t *testing.T) {
	log := readLog(t, "SDSC-SP2-1998-4.2-cln.swf.gz")
	longTerm, temporary := usersOf(log, 104)
	if len(longTerm) < 50 || len(temporary) < 200 || len(longTerm)+len(temporary) > 437 {
		t.Errorf("%d long-term and %d temporary users", len(longTerm), len(temporary))
	}
	sum := 0.0
	for segment := range 10 {
		jobs, err := Segment(log, 10, segment)
		if err != nil {
			t.Fatal(err)
		}
		sum += work(jobs)
	}
	if math.Abs(sum/work(log)-1) > 1e-12 {
		t.Errorf("the segments have %v of the work", sum/work(log))
	}
	if _, err := Segment(log, 40_000, 0); err == nil {
		t.Error("40000 segments have jobs")
	}
}

func BenchmarkVariation(b *testing.B) {
	model, err := workload.Find("lublin")
	if err != nil {
		b.Fatal(err)
	}
	log, err := model.Generate(context.Background(), workload.Options{Jobs: 100_000, Procs: 256}, rng.New("benchmark"))
	if err != nil {
		b.Fatal(err)
	}
	s := stream("benchmark")
	for i := range log {
		log[i].User = int32(s.Exp() * 50)
	}
	for _, v := range []struct {
		name string
		run  func() ([]trace.Job, error)
	}{
		{"segment", func() ([]trace.Job, error) { return Segment(log, 1, 0) }},
		{"shake", func() ([]trace.Job, error) { return Shaking{Most: 60, Burst: 600}.Shake(log, s) }},
		{"weeks", func() ([]trace.Job, error) { return Weeks(log, 0, s) }},
		{"users", func() ([]trace.Job, error) { return Users(log, 0, s) }},
		{"load", func() ([]trace.Job, error) { return ToLoad(log, 256, 0.7) }},
	} {
		b.Run(v.name, func(b *testing.B) {
			b.ReportAllocs()
			jobs := 0
			for b.Loop() {
				drawn, err := v.run()
				if err != nil {
					b.Fatal(err)
				}
				jobs += len(drawn)
			}
			b.ReportMetric(float64(jobs)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
