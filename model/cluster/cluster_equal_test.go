// Configurations that must give equal schedules give them: on random workloads, on thousands of
// jobs and on real logs.

package cluster_test

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model/cluster"
	"gridsweep/model/cluster/conformance"
	"gridsweep/model/rng"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
)

// equalSchedules simulates the same jobs under two configs, which must give the same.
func equalSchedules(t *rapid.T, a, b cluster.Config, ofA, ofB []cluster.Job) {
	want, err := cluster.Simulate(t.Context(), a, ofA)
	if err != nil {
		t.Skip(err)
	}
	have, err := cluster.Simulate(t.Context(), b, ofB)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Fatalf("%+v\n%+v\nof %+v differ:\n%s", a, b, ofA, diff)
	}
}

func drawConfig(t *rapid.T) (*conformance.Scenario, cluster.Config) {
	s := drawScenario(t)
	words := drawWords(t, s)
	reserve(t, s, words)
	config, err := configOf(s, words)
	if err != nil {
		t.Fatal(err)
	}
	return s, config
}

// Partitions by estimate are those that a driver makes by hand.
func TestSharesByHandEqualBoundaries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, byEstimate := drawConfig(t)
		byHand := byEstimate
		byHand.Boundaries = nil
		n := int32(len(byEstimate.Boundaries) + 1)
		byHand.Shares = slices.Repeat([]int32{s.Procs / n}, int(n))
		byHand.Shares[0] += s.Procs % n
		jobs := slices.Clone(s.Jobs)
		for i := range jobs {
			estimate := jobs[i].Estimate
			if estimate <= 0 {
				estimate = jobs[i].Run
			}
			if byEstimate.Overrun == cluster.Raise {
				estimate = max(estimate, jobs[i].Run)
			}
			for _, boundary := range byEstimate.Boundaries {
				if estimate >= boundary {
					jobs[i].Partition++
				}
			}
		}
		equalSchedules(t, byEstimate, byHand, s.Jobs, jobs)
	})
}

// pivoting is EASY backfilling with so many pivots.
type pivoting struct{ most int }

func (pivoting) Begin(cluster.Config) error { return nil }

func (p pivoting) Schedule(pass *cluster.Pass) error {
	booked := 0
	for number := range pass.Waiting() {
		if pass.Fits(number) {
			if err := pass.Start(number); err != nil {
				return err
			}
		} else if booked < p.most {
			pass.Book(number)
			booked++
		}
	}
	return nil
}

// A policy of one's own that does what EASY does gives EASY's schedule.
func TestEASYThroughTheHookIsEASY(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, config := drawConfig(t)
		k := rapid.IntRange(1, 3).Draw(t, "pivots")
		config.Boundaries, config.Pivot = nil, cluster.Replanned
		config.Policy, _ = cluster.ParsePolicy([]string{"easy:1", "easy:2", "easy:3"}[k-1])
		own := config
		own.Policy = cluster.NewPolicy("own", func() cluster.Scheduler { return pivoting{k} })
		equalSchedules(t, config, own, s.Jobs, s.Jobs)
	})
}

// Thousands of jobs, so that the queue and the profile have many parts: the rules that hold under
// every policy hold, and policies that must agree do.
func TestManyJobs(t *testing.T) {
	model, err := workload.Find("lublin")
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := model.Generate(t.Context(), workload.Options{Procs: 64, Jobs: 3000, Load: 1.5}, rng.New("many jobs"))
	if err != nil {
		t.Fatal(err)
	}
	draws := rng.New("estimates").Stream("estimates")
	exact := make([]cluster.Job, len(drawn))
	over := make([]cluster.Job, len(drawn))
	for i := range drawn {
		exact[i] = cluster.Job{Submit: drawn[i].Submit, Run: drawn[i].Run, Procs: drawn[i].Procs}
		over[i] = exact[i]
		over[i].Estimate = 1 + int64(float64(over[i].Run)*draws.Uniform(0.9, 3))
	}
	t.Run("exact", func(t *testing.T) { checkMany(t, 64, exact) })
	t.Run("estimates", func(t *testing.T) { checkMany(t, 64, over) })
}

// The same of the first jobs of real traces, by their users' estimates.
func TestRealTraces(t *testing.T) {
	for _, c := range []struct {
		file  string
		procs int32
	}{
		{"NASA-iPSC-1993-3.1-cln.swf.gz", 128},
		{"SDSC-SP2-1998-4.2-cln.swf.gz", 128},
	} {
		t.Run(c.file, func(t *testing.T) { checkMany(t, c.procs, readJobs(t, c.file, c.procs)[:12_000]) })
	}
}

func checkMany(t *testing.T, procs int32, jobs []cluster.Job) {
	s := &conformance.Scenario{Procs: procs, Jobs: jobs}
	for _, policy := range []string{"fcfs", "easy", "easy:4", "conservative", "conservative:fixed", "sjbf",
		"easy++", "easy++:estimate", "lookahead", "lookahead:3", "selective", "selective:1.5", "slack:0", "slack:0.5",
		"multifactor", "multifactor:1:2:3:20:10:4", "queues:4:any:any+any:2:2+any:any:any",
	} {
		for _, instant := range instants {
			for _, overrun := range overruns {
				if overrun == "run" && isGuaranteeing(policy) {
					continue
				}
				words := conformance.Configuration{Policy: policy, Instant: instant, Overrun: overrun}
				config, err := configOf(s, words)
				if err != nil {
					t.Fatal(err)
				}
				schedule, err := cluster.Simulate(t.Context(), config, jobs)
				if err != nil {
					t.Fatal(err)
				}
				if err := check(s, words, schedule); err != nil {
					t.Errorf("%s: %v", words, err)
				}
				if policy == "fcfs" {
					if err := checkOrder(schedule); err != nil {
						t.Errorf("%s: %v", words, err)
					}
				}
			}
		}
	}
}

// readJobs reads the jobs of a trace that fit the machine.
func readJobs(t testing.TB, name string, procs int32) []cluster.Job {
	file, err := os.Open(filepath.Join(os.Getenv("GRIDSWEEP_TRACES"), name))
	if err != nil {
		t.Skip("GRIDSWEEP_TRACES names no folder that has the trace: ", err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	records, err := trace.NewReader(unpacked, name, trace.Options{}).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	records, _ = trace.Clean(records, trace.Rules{Procs: int64(procs)})
	jobs := make([]cluster.Job, len(records))
	for i := range records {
		r := &records[i]
		jobs[i] = cluster.Job{Submit: r.Submit, Run: r.Run, Estimate: r.ReqTime, Procs: r.Size()}
	}
	return jobs
}
