// Tests of programs: right answers, each wrong one with its error, and what is left of a program.

package external

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model/cluster"
)

// quick are limits of a test in which nothing is late.
var quick = limits{start: 20 * time.Second, answer: 20 * time.Second, exit: 5 * time.Second}

// short are those in which the named thing is.
func short(change func(*limits)) limits {
	l := quick
	change(&l)
	return l
}

// First-come-first-served in a program is that of the engine, under both event orders, with
// reservations and jobs that run over their estimates.
func TestProgramIsTheEngine(t *testing.T) {
	jobs := []cluster.Job{
		{Submit: 0, Run: 10, Procs: 3}, {Submit: 1, Run: 10, Estimate: 5, Procs: 4}, {Submit: 2, Run: 20, Procs: 1},
		{Submit: 20, Run: 7, Estimate: 10, Procs: 1}, {Submit: 20, Run: 1, Procs: 3}, {Submit: 90, Run: 1, Procs: 4},
	}
	fcfs, err := cluster.ParsePolicy("fcfs")
	if err != nil {
		t.Fatal(err)
	}
	for _, config := range []cluster.Config{
		{}, {Instant: cluster.Each}, {Overrun: cluster.RunOn}, {Overrun: cluster.Raise},
		{Reservations: []cluster.Reservation{{From: 85, To: 90, Procs: 4}, {From: 200, To: 201, Procs: 1}}},
	} {
		config.Procs, config.Policy = 4, fcfs
		want, err := cluster.Simulate(t.Context(), config, jobs)
		if err != nil {
			t.Fatal(err)
		}
		programs, reference := asFake(t, quick, "fcfs")
		have, err := simulateBy(t.Context(), programs, reference, config, jobs)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("%+v:\n%s", config, diff)
		}
	}
}

func TestWrongAnswers(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits limits
		what   []string
		want   []string // in the error
	}{
		{"unknown job", quick, []string{"answer", `{"time":NOW,"start":[17]}`},
			[]string{"at 5 s: job 17 cannot start: no job of this number has been submitted",
				`to it:   {"type":"machine"`, `from it: {"protocol":1,"name":"fake","version":"7"}`,
				`to it:   {"type":"events","time":5,"free":1,"events":[{"type":"submit","job":2,"procs":2,"estimate":`,
				`from it: {"time":5,"start":[17]}`}},
		{"job 0", quick, []string{"answer", `{"time":NOW,"start":[0]}`}, []string{"job 0 cannot start: no job"}},
		{"a number beyond all", quick, []string{"answer", `{"time":NOW,"start":[-9223372036854775808]}`},
			[]string{"no job of"}},
		{"started twice", quick, []string{"answer", `{"time":NOW,"start":[1]}`},
			[]string{"at 5 s: job 1 cannot start: it started at 0 s"}},
		{"too many processors", quick, []string{"answer", `{"time":NOW,"start":[2]}`},
			[]string{"at 5 s: job 2 cannot start: it needs 2 processors, and 1 are free"}},
		{"start in the past", quick, []string{"answer", `{"time":0,"start":[2]}`},
			[]string{"at 5 s: the answer is for 0 s; jobs start at the time of the events"}},
		{"wake in the past", quick, []string{"answer", `{"time":NOW,"wake":5}`},
			[]string{"a pass is requested at 5 s"}},
		{"deadlock", quick, []string{"never"}, []string{"at 7 s: job 1 cannot start: it waits for ever"}},
		{"not JSON", quick, []string{"answer", "hello"},
			[]string{"is no JSON object of the protocol", `such as {"time":60`, "from it: hello"}},
		{"empty", quick, []string{"empty"}, []string{"is no JSON object", "from it: (nothing)"}},
		{"no object", quick, []string{"answer", "[1]"}, []string{"the answer is a JSON array, not an object"}},
		{"no time", quick, []string{"answer", `{"start":[]}`}, []string{"the answer has no time"}},
		{"unknown key", quick, []string{"answer", `{"time":NOW,"starts":[]}`}, []string{`unknown field "starts"`}},
		{"wrong type", quick, []string{"answer", `{"time":NOW,"start":["2"]}`}, []string{"has a string as start"}},
		{"two objects", quick, []string{"answer", `{"time":NOW}{}`}, []string{"more than one JSON object in a line"}},
		{"no answer", short(func(l *limits) { l.answer = 100 * time.Millisecond }), []string{"hangs"},
			[]string{"no answer in 100ms", "from it: (nothing)"}},
		{"slow start", short(func(l *limits) { l.start = 100 * time.Millisecond }), []string{"slow"},
			[]string{"no answer in 100ms", `to it:   {"type":"machine"`}},
		{"crash", quick, []string{"crashes"},
			[]string{"it reads and writes no more; it ended with: exit status 3",
				"on its standard error:\n    first line\n    last words", `\x1b[31m`}},
		{"closed", short(func(l *limits) { l.exit = 100 * time.Millisecond }), []string{"closes"},
			[]string{"it reads and writes no more; it ended with: signal: killed"}},
		{"endless line", quick, []string{"endless"}, []string{"an answer has more than 8388608 bytes"}},
		{"other protocol", quick, []string{"protocol-2"},
			[]string{"speaks version 2 of the protocol, gridsweep version 1"}},
		{"no protocol", quick, []string{"no-protocol"}, []string{"the first answer has no protocol"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := simulate(t, c.limits, c.what[0], c.what[1:]...)
			for _, want := range append(c.want, "program external") {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error %v\nwant %s", err, want)
				}
			}
		})
	}
}

// What is left of a program that was ended: nothing, nor of what it had started.
func TestProgramsLeaveNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("what a program has started is not killed on Windows")
	}
	note := filepath.Join(t.TempDir(), "child")
	if _, err := simulate(t, quick, "leaves", note); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for patience := 100; isAlive(child); patience-- {
		if patience == 0 {
			t.Fatalf("process %d, which the program has started, lives on", child)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// isAlive reports whether a process of another parent is there and no zombie.
func isAlive(pid int) bool {
	if status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat")); err == nil {
		_, state, _ := strings.Cut(string(status), ") ")
		return !strings.HasPrefix(state, "Z")
	}
	process, err := os.FindProcess(pid)
	return err == nil && process.Signal(syscall.Signal(0)) == nil
}

// A program that ignores the end of its input is killed, and the schedule counts.
func TestProgramThatStays(t *testing.T) {
	begin := time.Now()
	_, err := simulate(t, short(func(l *limits) { l.exit = 100 * time.Millisecond }), "stays")
	if err != nil || time.Since(begin) > 10*time.Second {
		t.Errorf("%v after %s", err, time.Since(begin))
	}
}

// A simulation whose context ends stops soon, though its program hangs, with the context's error.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	programs, reference := asFake(t, quick, "hangs")
	time.AfterFunc(200*time.Millisecond, cancel)
	begin := time.Now()
	_, err := simulateBy(ctx, programs, reference, cluster.Config{Procs: 4}, four)
	if !errors.Is(err, context.Canceled) || time.Since(begin) > 5*time.Second {
		t.Errorf("%v after %s", err, time.Since(begin))
	}
}

// script writes a file that may be executed.
func script(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestResolve(t *testing.T) {
	path := script(t, "p.sh", "#!/bin/sh\n")
	folder := filepath.Dir(path)
	const sum = "a8076d3d28d21e02012b20eaf7dbf75409a6277134439025f282e368e3305abf"
	if err := os.WriteFile(filepath.Join(folder, "data"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	absent := strings.Repeat("0", 64)
	for policy, want := range map[string]string{
		"exec:p.sh":                            "exec:p.sh@sha256:" + sum,
		"exec:./p.sh":                          "exec:p.sh@sha256:" + sum,
		"exec:" + path:                         "exec:p.sh@sha256:" + sum,
		"exec: ./p.sh  -n   3 ":                "exec:p.sh@sha256:" + sum + " -n 3",
		"exec:p.sh@sha256:A8076D":              "exec:p.sh@sha256:" + sum,
		"exec:p.sh@sha256:" + sum + " x":       "exec:p.sh@sha256:" + sum + " x",
		"exec:elsewhere/q.py@sha256:" + absent: "exec:q.py@sha256:" + absent,
		"exec:":                                "error: names no program",
		"exec:q.py":                            "error: PATH is not searched",
		"exec:q.py@sha256:00":                  "error: PATH is not searched",
		"exec:p.sh@sha256:" + absent:           "error: has the SHA-256 " + sum + ", not " + absent,
		"exec:.":                               "error: is no regular file",
		"exec:data":                            "error: is not executable",
	} {
		if runtime.GOOS == "windows" && strings.HasSuffix(want, "executable") {
			continue
		}
		have, err := NewPrograms().Resolve(t.Context(), policy, folder)
		if text, isError := strings.CutPrefix(want, "error: "); isError {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %q, error %v, want %s", policy, have, err, text)
			}
		} else if err != nil || have != want {
			t.Errorf("%s: %q, want %q; %v", policy, have, want, err)
		}
	}
}

// A program runs only as the plan has it.
func TestProgramIsThatOfThePlan(t *testing.T) {
	path := script(t, "p.sh", "#!/bin/sh\n")
	programs := NewPrograms()
	reference, err := programs.Resolve(t.Context(), "exec:p.sh", filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	open := func(reference string) error {
		_, err := programs.Open(t.Context(), reference)
		return err
	}
	if err := open(reference); err != nil {
		t.Error(err)
	}
	absent := open("exec:p.sh@sha256:" + strings.Repeat("0", 64))
	if err := absent; err == nil || !strings.Contains(err.Error(), "is not here") {
		t.Errorf("a program that was not found: %v", err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n# changed\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := open(reference); err == nil || !strings.Contains(err.Error(), "was changed after the plan was made") {
		t.Errorf("a program that was changed: %v", err)
	}
}

// A script whose interpreter is not there is named.
func TestProgramCannotBeStarted(t *testing.T) {
	path := script(t, "p.sh", "#!/no/interpreter\n")
	programs := NewPrograms()
	reference, err := programs.Resolve(t.Context(), "exec:"+path, "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = simulateBy(t.Context(), programs, reference, cluster.Config{Procs: 4}, four)
	if err == nil || !strings.Contains(err.Error(), "program p.sh cannot be started") {
		t.Error(err)
	}
}
