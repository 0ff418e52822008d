// Written schedules are read back and compared with what was written: starts, rows and metadata.
// Options are compared with the machines that they describe.

package simulation

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gridsweep/model/cluster"
	"gridsweep/results/schedule"
)

func TestCompareWrittenSchedules(t *testing.T) {
	s := simulationOf(t, false)
	var names [2]string
	for k, policy := range []string{"fcfs", "easy"} {
		names[k] = filepath.Join(t.TempDir(), FileOf("s.csv", policy, true))
		if err := s.Write(t.Context(), run(t, s, policy), names[k], schedule.CSV, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Compare(t.Context(), names, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	// Backfilled, the last two jobs start beside the first one.
	if c.Procs != 4 || c.Equal || c.Same != 2 || c.StartsDiffer != 2 || c.First == nil || c.First.ID != 3 {
		t.Errorf("%+v", c)
	}
	rows := c.Rows()
	for _, want := range [][]string{
		{"measure", "a", "b", "difference"}, {"same", "2", "", ""}, {"starts_differ", "2", "", ""},
		{"backfilled", "0", "2", "2"},
	} {
		if !slices.ContainsFunc(rows, func(row []string) bool { return slices.Equal(row, want) }) {
			t.Errorf("%v is not among %v", want, rows)
		}
	}
	if c.Equal || c.First == nil || c.First.ID != 3 || c.OnlyA == nil || c.SummaryB.Backfilled != 2 {
		t.Errorf("%+v", c)
	}
	_, err = Compare(t.Context(), names, nil, 3)
	if err == nil || !strings.Contains(err.Error(), "--procs 3: the schedules use 4") {
		t.Errorf("too few processors: error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compare(ctx, names, nil, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
	equal, err := Compare(t.Context(), [2]string{names[0], names[0]}, nil, 8)
	if err != nil || !equal.Equal || equal.Procs != 8 || equal.First != nil {
		t.Errorf("%+v, %v", equal, err)
	}
}

func TestOptionsAreAMachine(t *testing.T) {
	right := Options{
		Order: "shortest", Estimates: "factor:2", Overrun: "run", Instant: "each", Pivot: "kept",
		Partitions: []string{"10", "20"},
	}
	config, estimates, err := right.Machine(t.Context())
	if err != nil || estimates.String() != "factor:2" || !slices.Equal(config.Boundaries, []int64{10, 20}) {
		t.Errorf("%+v, %v, %v", config, estimates, err)
	}
	const settings = "order shortest, estimates factor:2, overrun run, instant each, pivot kept, partitions 10,20"
	if right.String() != settings {
		t.Errorf("the settings are %q, want %q", right, settings)
	}
	for name, change := range map[string]func(*Options){
		"order": func(o *Options) { o.Order = "x" }, "estimates": func(o *Options) { o.Estimates = "x" },
		"overrun": func(o *Options) { o.Overrun = "x" }, "instant": func(o *Options) { o.Instant = "x" },
		"pivot": func(o *Options) { o.Pivot = "x" },
	} {
		wrong := right
		change(&wrong)
		option := new(WrongOption)
		if _, _, err := wrong.Machine(t.Context()); !errors.As(err, &option) || option.Name != name || option.Value != "x" {
			t.Errorf("%s: error %v", name, err)
		}
	}
	right.Partitions = []string{"20", "10"}
	_, _, err = right.Machine(t.Context())
	if err == nil || !strings.Contains(err.Error(), "--partitions: \"20,10\": 10: write rising") {
		t.Errorf("falling partitions: error %v", err)
	}
}

func TestRowsOfOutcomes(t *testing.T) {
	s := simulationOf(t, false)
	s.By = []string{ByUser}
	rows := s.Rows([]*Outcome{run(t, s, "fcfs"), run(t, s, "easy")})
	if len(rows) != 5 || !slices.Equal(rows[0][:6], []string{"trace", "sha256", "procs", "policy", "by", "group"}) {
		t.Fatalf("%q", rows)
	}
	for i, want := range [][]string{
		{"fcfs", "user", "1"}, {"fcfs", "user", "2"}, {"easy", "user", "1"}, {"easy", "user", "2"},
	} {
		if row := rows[i+1]; !slices.Equal(row[3:6], want) || len(row) != len(rows[0]) {
			t.Errorf("line %d is %q, want %q", i+1, row, want)
		}
	}
}

func TestSourceOfASchedule(t *testing.T) {
	s := simulationOf(t, false)
	policy, err := cluster.ParsePolicy("easy:2")
	if err != nil {
		t.Fatal(err)
	}
	source := Source{Version: "9", Commit: "abc", Command: "gridsweep simulate -"}
	source.Options = Options{Order: "fcfs", Seed: 7}
	metadata := s.Metadata(source, policy.String())
	for key, want := range map[string]string{
		"version": "9", "commit": "abc", "policy": "easy:2", "procs": "4", "order": "fcfs", "seed": "7", "estimates": "exact",
	} {
		if have := metadata["gridsweep."+key]; have != want {
			t.Errorf("%s is %q, want %q", key, have, want)
		}
	}
	notes := strings.Join(s.Notes(source, policy.String()), "\n")
	if !strings.Contains(notes, "gridsweep 9, policy easy:2, on 4 processors") ||
		!strings.Contains(notes, source.Command) {
		t.Errorf("the notes are %s", notes)
	}
	if have := FileOf("out/a.swf", "easy:2", true); have != "out/a.easy-2.swf" {
		t.Errorf("the file is %s", have)
	}
}
