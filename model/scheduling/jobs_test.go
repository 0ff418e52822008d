// Workload tests: windows, filters and errors of logs, each way to replicate, offered loads,
// estimates, and what the check before a run finds.

package scheduling

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gridsweep/model"
	"gridsweep/model/trace"
)

// ignoreRows leaves the rows that are made lazily out of a comparison.
var ignoreRows = cmpopts.IgnoreFields(Outcome{}, "Each")

func made(t *testing.T, p Parameters, replication int, h *host) *jobs {
	t.Helper()
	w, err := makeJobs(t.Context(), p, envOf(replication, h))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The window's beginning becomes second 0; filters and cleaning leave jobs out.
func TestWindow(t *testing.T) {
	log := read(t, six+"7 110 -1 0 1 -1 -1 1 20 -1 1 -1 1 1 -1 1 -1 -1\n8 120 -1 5 11 -1 -1 1 20 -1 1 -1 1 1 -1 1 -1 -1\n")
	for name, c := range map[string]struct {
		change  func(*Parameters)
		ids     []int64
		submits []int64
		leftOut int64
	}{
		"all":       {func(*Parameters) {}, []int64{1, 2, 3, 4, 5, 6}, []int64{0, 10, 20, 30, 40, 100}, 2},
		"window":    {func(p *Parameters) { p.From, p.To = 15, 45 }, []int64{3, 4, 5}, []int64{5, 15, 25}, 2},
		"machine":   {func(p *Parameters) { p.Procs = 3 }, []int64{3, 4, 6}, []int64{0, 10, 80}, 5},
		"user":      {func(p *Parameters) { p.User = "2, 3" }, []int64{2, 4, 5}, []int64{10, 30, 40}, 2},
		"queue":     {func(p *Parameters) { p.Queue = "0" }, []int64{2}, []int64{10}, 2},
		"first two": {func(p *Parameters) { p.MaxJobs = 2 }, []int64{1, 2}, []int64{0, 10}, 2},
		"arrivals":  {func(p *Parameters) { p.ScaleArrivals, p.MaxJobs = 1.5, 2 }, []int64{1, 2}, []int64{0, 15}, 2},
	} {
		p := logPoint()
		c.change(&p)
		w := made(t, p, 0, &host{log: log})
		if diff := cmp.Diff(c.ids, w.id); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(c.submits, w.submit); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if w.leftOut != c.leftOut || w.requested != int64(len(w.list)) {
			t.Errorf("%s: %d left out, %d requested, want %d", name, w.leftOut, w.requested, c.leftOut)
		}
	}
}

// A log that cannot be simulated is an error that says what to change.
func TestWrongLogs(t *testing.T) {
	log := read(t, six)
	for name, c := range map[string]struct {
		change func(*Parameters)
		header []string
		want   string
	}{
		"no processors": {func(*Parameters) {}, nil, "neither MaxProcs nor MaxNodes: set procs"},
		"processors in words": {
			func(*Parameters) {}, []string{"; MaxProcs: eight"},
			`the line "; MaxProcs: eight" of its header has no number of processors from 1 on, such as MaxProcs: 128: set procs`,
		},
		"a huge machine": {
			func(*Parameters) {}, []string{"; MaxProcs: 1000000000"}, "MaxProcs is 1000000000: a machine has at most 268435456",
		},
		"an empty window": {func(p *Parameters) { p.From = 1000 }, log.Header.Lines, "no job of 6 is left"},
		"no user":         {func(p *Parameters) { p.User = "77" }, log.Header.Lines, "no job of 6 is left"},
		"parts": {
			func(p *Parameters) { p.Replication, p.Segments = "parts", 100 }, log.Header.Lines, "100 segments of a log of 6",
		},
		"empty segments": {func(p *Parameters) { p.Replication, p.Segments = "parts", 5 }, log.Header.Lines, "give fewer"},
		"weeks": {
			func(p *Parameters) { p.Replication = "weeks" }, log.Header.Lines, "0 whole weeks: resampling takes at least 2",
		},
		"bursts": {
			func(p *Parameters) { p.Replication, p.Shake, p.Burst = "shaking", 60, 60 }, log.Header.Lines,
			"have no user, the first is job 6",
		},
		"a short log": {
			func(p *Parameters) { p.Replication = "shaking" }, log.Header.Lines,
			"shaking moves submits by up to 10min, the parameter shake, and those of the 6 jobs lie within 100s: " +
				"shake them by less, as set: {shake: 12s} does, or not at all, with replication: seeds",
		},
		"load of shaken jobs": {
			func(p *Parameters) { p.Replication, p.Shake, p.Load = "shaking", 90, 50 }, log.Header.Lines,
			"within few seconds; they lie within 100s and are shaken by up to 90s: shake by less, or take a longer log",
		},
		"load":         {func(p *Parameters) { p.Load = 50 }, log.Header.Lines, "within few seconds"},
		"load of one":  {func(p *Parameters) { p.Load, p.MaxJobs = 1, 1 }, log.Header.Lines, "it takes jobs at two times"},
		"warm-up":      {func(p *Parameters) { p.Warmup = 1000 }, log.Header.Lines, "leave no job"},
		"reservations": {func(p *Parameters) { p.Reservations = "0+1h:11" }, log.Header.Lines, "11 processors"},
	} {
		p := logPoint()
		c.change(&p)
		h := &host{log: &trace.Log{Jobs: log.Jobs, Header: &trace.Header{Lines: c.header}}}
		if _, err := simulateWith(t, p, 0, h); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "own.swf") {
			t.Errorf("%s: error %v, want %q and the log's name", name, err, c.want)
		}
	}
	withoutUsers := drawn(500, 1)
	for i := range withoutUsers.Jobs {
		withoutUsers.Jobs[i].User = -1
	}
	p := logPoint()
	p.Replication = "users"
	if _, err := simulateWith(t, p, 0, &host{log: withoutUsers}); err == nil ||
		!strings.Contains(err.Error(), "500 of 500 jobs have no user") {
		t.Errorf("users of a log without: error %v", err)
	}
}

// For each value of the parameter replication: replications have different jobs, a replication
// repeats, and all policies of a replication have the same jobs.
func TestReplications(t *testing.T) {
	log := drawn(2000, 3)
	whole := slices.Clone(log.Jobs)
	for _, value := range []string{"shaking", "parts", "weeks", "users", "auto"} {
		p := logPoint()
		p.Replication, p.Segments, p.Burst = value, 4, 60
		var replications []*jobs
		for replication := range 4 {
			w := made(t, p, replication, &host{log: log})
			if diff := cmp.Diff(w.submit, made(t, p, replication, &host{log: log}).submit); diff != "" {
				t.Errorf("%s, replication %d: %s", value, replication, diff)
			}
			for _, other := range replications {
				if slices.Equal(other.submit, w.submit) && slices.Equal(other.procs, w.procs) {
					t.Errorf("%s: replication %d has the jobs of another one", value, replication)
				}
			}
			if !slices.IsSorted(w.submit) {
				t.Errorf("%s: submits are not sorted", value)
			}
			replications = append(replications, w)
			easy, fcfs := p, p
			easy.Policy, fcfs.Policy, fcfs.Order = "easy", "fcfs", "saf"
			h := &host{log: log, memo: map[any]any{}}
			a, b := jobRows(run(t, easy, replication, h)), jobRows(run(t, fcfs, replication, h))
			same := cmpopts.IgnoreFields(JobRow{}, "Start", "End")
			if diff := cmp.Diff(a, b, same); diff != "" {
				t.Errorf("%s: two policies of a replication have different jobs: %s", value, diff)
			}
			if len(h.memo) != 1 {
				t.Errorf("%s: %d workloads are made for two policies, want 1", value, len(h.memo))
			}
		}
		if value == "parts" {
			n := 0
			for _, w := range replications {
				n += len(w.list)
			}
			if n != len(whole) {
				t.Errorf("four segments have %d of %d jobs", n, len(whole))
			}
		}
	}
	if diff := cmp.Diff(whole, log.Jobs); diff != "" {
		t.Errorf("the log, which runs share, was changed: %s", diff)
	}
}

// Replication "seeds" takes the jobs of a log unchanged. Each replication draws its own jobs of a
// workload model, and its own random estimates.
func TestSeeds(t *testing.T) {
	log := drawn(300, 5)
	h := &host{log: log}
	p := logPoint()
	p.Estimates = "uniform:3"
	first, second := made(t, p, 0, h), made(t, p, 1, h)
	if !slices.Equal(first.submit, second.submit) {
		t.Error("the jobs of a log differ between replications")
	}
	differ := 0
	for i := range first.list {
		if first.list[i].Estimate != second.list[i].Estimate {
			differ++
		}
	}
	if differ < 250 {
		t.Errorf("only %d of 300 estimates differ between replications", differ)
	}
	p = defaults
	p.MaxJobs = 300
	if first, second = made(t, p, 0, nil), made(t, p, 1, nil); slices.Equal(first.submit, second.submit) {
		t.Error("a workload model draws the same in two replications")
	}
	// The parameter replication concerns logs alone.
	p.Replication = "weeks"
	if again := made(t, p, 1, nil); !slices.Equal(again.submit, second.submit) {
		t.Error("a workload model draws other jobs where weeks of logs are resampled")
	}
	// A load stretches the times between the same jobs.
	p.Load = 0.7
	loaded := made(t, p, 0, nil)
	p.Load = 0
	if first = made(t, p, 0, nil); !slices.Equal(first.procs, loaded.procs) {
		t.Error("another load draws other jobs")
	}
}

// The offered load is that of the parameter, for a log, a segment of it and a workload model.
func TestLoad(t *testing.T) {
	log := drawn(2000, 7)
	for _, load := range []float64{0.3, 0.9, 1.4} {
		for _, replication := range []string{"seeds", "parts", "weeks", "users", "shaking"} {
			p := logPoint()
			p.Load, p.Replication, p.Segments, p.ScaleRuntimes = load, replication, 3, 1.7
			if o := run(t, p, 1, &host{log: log}); math.Abs(*o.OfferedLoad-load) > 0.001*load {
				t.Errorf("%s: load %v, want %v", replication, *o.OfferedLoad, load)
			}
		}
		p := defaults
		p.Load, p.MaxJobs = load, 1000
		if o := run(t, p, 1, nil); math.Abs(*o.OfferedLoad-load) > 0.001*load {
			t.Errorf("lublin: load %v, want %v", *o.OfferedLoad, load)
		}
	}
}

func TestEstimates(t *testing.T) {
	log := drawn(400, 11)
	log.Jobs[100].ReqTime = 100*hour - 1
	for text, right := range map[string]func(j *trace.Job, estimate int64) bool{
		"exact":        func(j *trace.Job, e int64) bool { return e == j.Run },
		"user":         func(j *trace.Job, e int64) bool { return e == j.ReqTime },
		"factor:2":     func(j *trace.Job, e int64) bool { return e == 2*j.Run },
		"uniform:2":    func(j *trace.Job, e int64) bool { return e >= j.Run && e <= 2*j.Run },
		"tsafrir":      func(j *trace.Job, e int64) bool { return e >= j.Run && e <= 100*hour },
		"tsafrir:200h": func(j *trace.Job, e int64) bool { return e >= j.Run && e <= 200*hour },
	} {
		p := logPoint()
		p.Estimates = text
		w := made(t, p, 0, &host{log: log})
		longest := int64(0)
		for i := range w.list {
			if longest = max(longest, w.list[i].Estimate); !right(&log.Jobs[i], w.list[i].Estimate) {
				t.Errorf("%s: job %d runs %d s, requests %d s and is estimated as %d s", text, i, log.Jobs[i].Run,
					log.Jobs[i].ReqTime, w.list[i].Estimate)
				break
			}
		}
		wanted := map[string]int64{"tsafrir": 100 * hour, "tsafrir:200h": 200 * hour}[text]
		if wanted > 0 && longest != wanted {
			t.Errorf("%s: the longest estimate is %d s, want %d", text, longest, wanted)
		}
	}
}

// check finds replications and logs that cannot be simulated before any run.
func TestCheck(t *testing.T) {
	log := drawn(2000, 13)
	short := &trace.Log{Jobs: log.Jobs[:200], Header: log.Header} // some days
	withoutUsers := &trace.Log{Jobs: slices.Clone(log.Jobs), Header: log.Header}
	withoutUsers.Jobs[7].User = -1
	tiny := &trace.Log{Jobs: slices.Clone(log.Jobs), Header: &trace.Header{Lines: []string{"; MaxProcs: 1"}}}
	for i := range tiny.Jobs {
		tiny.Jobs[i].Procs, tiny.Jobs[i].ReqProcs = 1, 1
	}
	second := read(t, six)
	headless := &trace.Log{Jobs: log.Jobs, Header: &trace.Header{}}
	large := &trace.Log{Jobs: slices.Clone(log.Jobs[:1]), Header: log.Header}
	large.Jobs[0].Procs, large.Jobs[0].ReqProcs = 2, 2
	for name, c := range map[string]struct {
		change       func(*Parameters)
		log          *trace.Log
		replications int
		field, want  string // the parameter to change, and why; empty: nothing is wrong
	}{
		"shaking":                   {func(p *Parameters) { p.Replication = "shaking" }, log, 50, "", ""},
		"one replication":           {func(*Parameters) {}, log, 1, "", ""},
		"equal replications":        {func(*Parameters) {}, nil, 2, "replication", "its 2 replications would be equal"},
		"replications of estimates": {func(p *Parameters) { p.Estimates = "tsafrir" }, log, 2, "", ""},
		"as many parts":             {func(p *Parameters) { p.Replication = "parts" }, log, 10, "", ""},
		"more replications": {
			func(p *Parameters) { p.Replication = "parts" }, nil, 11, "parts", "11 replications each replay one segment",
		},
		"empty segments": {
			func(p *Parameters) { p.Replication, p.Segments = "parts", 3000 }, log, 11, "parts", "3000 segments of a log",
		},
		"weeks":                {func(p *Parameters) { p.Replication = "weeks" }, log, 11, "", ""},
		"weeks of a short log": {func(p *Parameters) { p.Replication = "weeks" }, short, 2, "replication", "0 whole weeks"},
		"users":                {func(p *Parameters) { p.Replication = "users" }, log, 11, "", ""},
		"a job without a user": {
			func(p *Parameters) { p.Replication = "users" }, withoutUsers, 2, "replication",
			"1 of 2000 jobs have no user, the first is job 8",
		},
		"bursts without a user": {
			func(p *Parameters) { p.Replication, p.Burst = "shaking", 60 }, withoutUsers, 2, "burst", "have no user",
		},
		"a short log": {
			func(p *Parameters) { p.Replication = "shaking" }, second, 2, "shake", "those of the 6 jobs lie within 100s",
		},
		"a short log at a load": {
			func(p *Parameters) { p.Load = 50 }, second, 1, "load", "the submits would be within few seconds",
		},
		"a short log at another load": {func(p *Parameters) { p.Load = 0.4 }, second, 1, "", ""},
		"an empty log": {
			func(*Parameters) {}, &trace.Log{Header: &trace.Header{}}, 1, "trace", "own.swf: has no job",
		},
		"no job left": {func(p *Parameters) { p.User = "99999" }, log, 1, "user", "no job of 2000 is left"},
		"reservations": {
			func(p *Parameters) { p.Reservations = "1d+2h:640" }, log, 1, "reservations", "reserv",
		},
		"warm-up": {
			func(p *Parameters) { p.Warmup = 1e9 }, log, 1, "warmup", "leave no job of a span of",
		},
		"warm-up at a load": {
			func(p *Parameters) { p.Warmup, p.Load = 40*24*hour, 50 }, log, 1, "warmup", "leave no job of a span of",
		},
		"cool-down": {
			func(p *Parameters) { p.Cooldown = 1e9 }, log, 1, "cooldown", "leave no job of a span of",
		},
		"partitions": {
			func(p *Parameters) { p.Partitions, p.Replication = "1s", "shaking" }, tiny, 1, "trace", "the machine has 1 for 2",
		},
		"no processors":    {func(*Parameters) {}, headless, 1, "trace", "neither MaxProcs nor MaxNodes"},
		"no job that fits": {func(p *Parameters) { p.Procs, p.User = 1, "99999" }, large, 1, "procs", "no job of 1 is left"},
		"a model":          {func(p *Parameters) { p.Trace, p.Replication = "lublin", "auto" }, nil, 100, "", ""},
	} {
		p := logPoint()
		c.change(&p)
		h := &host{log: c.log, memo: map[any]any{}}
		_, err := check(t.Context(), p, c.replications, compiled.Env(1, 0, h))
		var problem model.Problem
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &problem) ||
			problem.Field != c.field || !strings.Contains(problem.Text, c.want)) {
			t.Errorf("%s: error %v of %q, want %q of %q", name, err, problem.Field, c.want, c.field)
		}
		// Another policy and load share the check of the log, but not whether a short one can have
		// the load.
		before := len(h.memo)
		p.Policy, p.Load, p.Estimates = "conservative", 0.4, "uniform:2"
		_, err = check(t.Context(), p, c.replications, compiled.Env(1, 0, h))
		if c.want == "" && err != nil || len(h.memo) != before && c.log != second {
			t.Errorf("%s: another policy: %v, %d shared values, want %d", name, err, len(h.memo), before)
		}
	}
}

// check counts the jobs that each run leaves out.
func TestCheckCountsWhatIsLeftOut(t *testing.T) {
	log := drawn(2000, 13)
	for _, procs := range []int64{0, 4, 16} {
		p := logPoint()
		p.Procs, p.Replication = procs, "shaking"
		h := &host{log: log, memo: map[any]any{}}
		left, err := check(t.Context(), p, 2, compiled.Env(1, 0, h))
		if want := made(t, p, 1, h).leftOut; err != nil || left != want || (procs > 0) != (left > 0) {
			t.Errorf("%d processors: %d left out, %v, want the %d of a run", procs, left, err, want)
		}
	}
}

// Random numbers of a replication depend on no parameter.
func TestCommonRandomNumbers(t *testing.T) {
	a, b := defaults, defaults
	a.MaxJobs, b.MaxJobs = 200, 200
	b.Policy, b.Bound, b.Warmup, b.Order = "conservative", 60, 1000, "sqf"
	if workloadOf(a) != workloadOf(b) {
		t.Error("two policies do not share a workload")
	}
	for change, p := range map[string]Parameters{
		"load": {Load: 0.5}, "estimates": {Estimates: "user"}, "replication": {Replication: "seeds"}, "procs": {Procs: 3},
		"from": {From: model.Seconds(1)}, "scale_runtimes": {ScaleRuntimes: 2},
	} {
		if workloadOf(p) == workloadOf(Parameters{}) {
			t.Errorf("workloads that differ in %s are shared", change)
		}
	}
}
