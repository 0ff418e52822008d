// Tests of the lines to a program, and of the parser of its answers.

package protocol

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gridsweep/model"
	"gridsweep/model/cluster"
)

// recorded is a program that gives answers one after the other, and keeps the lines to it.
type recorded struct {
	answers []string
	lines   []string
	ended   bool
}

func (r *recorded) Exchange(line []byte) ([]byte, error) {
	r.lines = append(r.lines, string(line))
	if len(r.lines) > len(r.answers) {
		return nil, errors.New("no more answers")
	}
	return []byte(r.answers[len(r.lines)-1]), nil
}

func (r *recorded) End(err error) error {
	r.ended = true
	return err
}

// opened returns a function that opens the program.
func opened(program model.Program) func(context.Context, string) (model.Program, error) {
	return func(context.Context, string) (model.Program, error) { return program, nil }
}

// simulate simulates three jobs on a machine with two reservations.
func simulate(t *testing.T, program *recorded) (cluster.Schedule, error) {
	t.Helper()
	policy, err := cluster.ParsePolicy("exec:./p")
	if err != nil {
		t.Fatal(err)
	}
	config := cluster.Config{
		Procs: 8, Policy: policy, Overrun: cluster.Raise,
		Reservations: []cluster.Reservation{{From: 10, To: 20, Procs: 4}, {From: 15, To: 20, Procs: 1}},
	}
	return Simulate(t.Context(), config, []cluster.Job{
		{Submit: 0, Run: 5, Estimate: 3, Procs: 2, User: 7}, {Submit: 0, Run: 5, Estimate: 9, Procs: 4, User: -1},
		{Submit: 5, Run: 1, Procs: 8},
	}, []int64{17, 9, 30}, opened(program), 1<<53-1)
}

// What a program reads is what docs/reference/external-schedulers.md says.
func TestLines(t *testing.T) {
	program := &recorded{answers: []string{
		`{"protocol":1,"name":"p","version":"2"}`, `{"time":0,"start":[2,1]}`, `{"time":5,"wake":8}`, `{"time":8}`,
		`{"time":20,"start":[3]}`, `{"time":21,"start":[]}`,
	}}
	schedule, err := simulate(t, program)
	if err != nil || !program.ended {
		t.Fatal(err, program.ended)
	}
	if diff := cmp.Diff([]int64{0, 0, 20}, schedule.Start); diff != "" {
		t.Error(diff)
	}
	want := []string{
		`{"type":"machine","protocol":1,"procs":8,"overrun":"raise","instant":"batch","seed":9007199254740991,` +
			`"reservations":[{"from":10,"to":20,"procs":4},{"from":15,"to":20,"procs":1}]}`,
		`{"type":"events","time":0,"free":8,"events":[{"type":"submit","job":1,"id":17,"procs":2,"estimate":5,"user":7},` +
			`{"type":"submit","job":2,"id":9,"procs":4,"estimate":9}]}`,
		`{"type":"events","time":5,"free":8,"events":[{"type":"end","job":2},{"type":"end","job":1},` +
			`{"type":"submit","job":3,"id":30,"procs":8,"estimate":1,"user":0}]}`,
		`{"type":"events","time":8,"free":8,"events":[{"type":"wake"}]}`,
		`{"type":"events","time":20,"free":8,"events":[{"type":"reservation_begin","from":10,"to":20,"procs":4},` +
			`{"type":"reservation_begin","from":15,"to":20,"procs":1},` +
			`{"type":"reservation_end","from":10,"to":20,"procs":4},` +
			`{"type":"reservation_end","from":15,"to":20,"procs":1}]}`,
		`{"type":"events","time":21,"free":8,"events":[{"type":"end","job":3}]}`,
	}
	if diff := cmp.Diff(strings.Join(want, "\n")+"\n", strings.Join(program.lines, "")); diff != "" {
		t.Error(diff)
	}
	for _, line := range program.lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("%q is no JSON", line)
		}
	}
}

// The program ends whatever the simulation does.
func TestProgramEnds(t *testing.T) {
	for _, answers := range [][]string{nil, {`{"protocol":1}`}, {`{"protocol":1}`, `{"time":0,"start":[9]}`}} {
		program := &recorded{answers: answers}
		if _, err := simulate(t, program); err == nil || !program.ended {
			t.Errorf("%d answers: error %v, ended %t", len(answers), err, program.ended)
		}
	}
	panics := &panicking{}
	defer func() {
		if recover() == nil || !panics.ended {
			t.Error("a program whose simulation panics goes on")
		}
	}()
	policy, _ := cluster.ParsePolicy("exec:./p")
	config, jobs := cluster.Config{Procs: 1, Policy: policy}, []cluster.Job{{Run: 1, Procs: 1}}
	_, _ = Simulate(t.Context(), config, jobs, nil, opened(panics), 0)
}

// panicking is a program whose exchanges panic.
type panicking struct{ ended bool }

func (*panicking) Exchange([]byte) ([]byte, error) { panic("a bug") }

func (p *panicking) End(err error) error {
	p.ended = true
	return err
}

// Whatever a program answers, it is an answer of the protocol or an error.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"time":60,"start":[3,5]}`, `{"time":60,"wake":90}`, `{"start":[]}`, `{"time":1e3}`, `[`, "null",
		`{"time":1}{}`, "\xff",
	} {
		f.Add([]byte(seed))
	}
	a := answer{Start: []int64{1, 2, 3}}
	f.Fuzz(func(t *testing.T, line []byte) {
		if err := parseAnswer(line, &a); err != nil {
			return
		}
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		var again answer
		if err := parseAnswer(text, &again); err != nil {
			t.Fatalf("%q is an answer, %q is none: %v", line, text, err)
		}
		if diff := cmp.Diff(a, again, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q: %s", line, diff)
		}
		_ = parseGreeting(line)
	})
}
