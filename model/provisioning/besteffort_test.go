// Best-effort tests: against one simulation from the first submit of the log on, and properties of
// executions in the real log.

package provisioning

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model/cluster"
	"gridsweep/model/profile"
	"gridsweep/model/rng"
	"gridsweep/model/trace"
)

// continuous runs best effort in one simulation from the first submit of the log on, which tests
// every task in every second.
func continuous(t *rapid.T, b *background, begin int64, w *workflow) execution {
	site, err := cluster.New(siteConfig(&b.point))
	if err != nil {
		t.Fatal(err)
	}
	// on the site, from 1; 0 for a task that has not been submitted
	numbers := make([]int, w.tasks())
	next, ended := 0, 0
	for now := int64(0); ended < w.tasks(); now++ {
		site.Finish(now)
		for ; next < len(b.jobs) && b.jobs[next].submit == now; next++ {
			j := &b.jobs[next]
			job := cluster.Job{Estimate: (j.run*int64(100+b.point.Overestimate) + 99) / 100, Procs: j.procs}
			if job.Run = job.Estimate; b.point.ReleaseTail {
				job.Run = j.run
			}
			if _, err := site.Submit(now, job); err != nil {
				t.Fatal(err)
			}
		}
		over := func(task int32) bool {
			if numbers[task] == 0 {
				return false
			}
			_, end := site.Start(numbers[task] - 1)
			return end <= now
		}
		ended = 0
		for task := range int32(w.tasks()) {
			if over(task) {
				ended++
			}
			waits := slices.ContainsFunc(w.parents.of(task), func(e edge) bool { return !over(e.task) })
			if numbers[task] > 0 || now < begin || waits {
				continue
			}
			number, err := site.Submit(now, cluster.Job{Run: w.run(task, 0), Procs: w.procs[task]})
			if err != nil {
				t.Fatal(err)
			}
			numbers[task] = number + 1
		}
		site.Pass(now)
	}
	var e execution
	for _, number := range numbers {
		start, end := site.Start(number - 1)
		e.starts, e.ends = append(e.starts, start-begin), append(e.ends, end-begin)
		e.makespan = max(e.makespan, end-begin)
	}
	return e
}

// drawWorkflow draws a small workflow for a machine.
func drawWorkflow(t *rapid.T, most int32) *workflow {
	n := rapid.IntRange(1, 15).Draw(t, "tasks")
	runs, procs, parents := make([]int64, n), make([]int32, n), make([][]edge, n)
	for i := range n {
		runs[i] = rapid.SampledFrom([]int64{1, 2, 3, 15}).Draw(t, "task run") // some end together
		procs[i] = rapid.SampledFrom([]int32{1, 2, most}).Draw(t, "task procs")
		for p := range i {
			if rapid.IntRange(0, 4).Draw(t, "edge") == 4 {
				parents[i] = append(parents[i], edge{task: int32(p)})
			}
		}
	}
	return newWorkflow(1, runs, procs, parents)
}

// A simulation that begins with the bookings at the submission equals one of the whole log.
func TestBestEffortIsOneSimulation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParameters(t)
		b := load(t, p, environment(0, drawRecorded(t)))
		begin := rapid.Int64Range(0, b.last+20).Draw(t, "begin")
		w := drawWorkflow(t, int32(p.Nodes))
		want := continuous(t, b, begin, w)
		have, err := bestEffort(t.Context(), b, begin, w)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want, *have, gocmp.AllowUnexported(execution{})); diff != "" {
			t.Fatalf("best effort (-want +have):\n%s", diff)
		}
	})
}

// Tasks that become ready in one second are submitted by number, whatever the order of their
// parents' ends.
func TestBestEffortSubmitsByNumber(t *testing.T) {
	p := defaults
	p.Nodes = 2
	b := load(t, p, environment(0, []trace.Job{{Submit: 0, Run: 1, Procs: 2}}))
	parents := [][]edge{nil, nil, {{task: 1}}, {{task: 0}}}
	w := newWorkflow(1, []int64{5, 5, 5, 5}, []int32{1, 1, 2, 2}, parents)
	done, err := bestEffort(t.Context(), b, 0, w)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int64{1, 1, 6, 11}; !slices.Equal(want, done.starts) {
		t.Errorf("tasks start at %d, want %d", done.starts, want)
	}
}

func TestBestEffortErrors(t *testing.T) {
	p := defaults
	p.Nodes = 4
	b := load(t, p, environment(0, []trace.Job{{Submit: 0, Run: 5, Procs: 4}}))
	large := newWorkflow(1, []int64{5}, []int32{5}, [][]edge{nil})
	_, err := bestEffort(context.Background(), b, 0, large)
	if err == nil || !strings.Contains(err.Error(), "task 1: 5 processors, the machine has 4") {
		t.Errorf("a task that is too large: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := bestEffort(ctx, b, 0, cyberShake()); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}

// No task starts before its parents have ended, and tasks and reservations never use more than the
// machine.
func TestBestEffortOfTheLog(t *testing.T) {
	synthetic := synthesis{sites: 1, tasks: 100, levels: 10, runtime: 1000, processors: 22}
	workflows := []*workflow{cyberShake(), synthesise(synthetic, rng.New("best effort"))}
	forEachLog(t, func(t *testing.T, p Parameters, b *background) {
		for _, w := range workflows {
			hours := 0.0
			const replications = 5
			for replication := range replications {
				at := submittedAt(t, p, b, replication)
				done, err := bestEffort(t.Context(), b, at, w)
				if err != nil {
					t.Fatal(err)
				}
				hours += float64(done.makespan) / 3600 / replications
				live, _ := b.schedule(at)
				checkExecution(t, done, w, live, int32(p.Nodes))
			}
			t.Logf("%d tasks: makespan %.1f h", w.tasks(), hours)
		}
	})
}

// checkExecution checks the rules of an execution beside the reservations of a schedule.
func checkExecution(t *testing.T, done *execution, w *workflow, live []reservation, nodes int32) {
	t.Helper()
	free := profile.New(nodes)
	for _, r := range live {
		free.Reserve(max(r.start, 0), r.procs, r.jobEnd-max(r.start, 0))
	}
	for task := range int32(w.tasks()) {
		start, end := done.starts[task], done.ends[task]
		if end != start+w.run(task, 0) || start < 0 || end > done.makespan {
			t.Fatalf("task %d of %d s runs from %d to %d, the makespan is %d", task, w.run(task, 0), start, end, done.makespan)
		}
		for _, parent := range w.parents.of(task) {
			if start < done.ends[parent.task] {
				t.Fatalf("task %d starts at %d, its parent %d ends at %d", task, start, parent.task, done.ends[parent.task])
			}
		}
		if !free.Fits(start, w.procs[task], end-start) {
			t.Fatalf("task %d of %d processors does not fit from %d to %d", task, w.procs[task], start, end)
		}
		free.Reserve(start, w.procs[task], end-start)
	}
	if !slices.Contains(done.ends, done.makespan) {
		t.Fatalf("no task ends at %d", done.makespan)
	}
}
