// Tests of the records of failed runs: written, replaced, removed, damaged, and used by several
// processes.

package results

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFailures(t *testing.T) {
	d := openTest(t, t.TempDir())
	failure := func(replication int) Failure {
		return Failure{
			ID: testRun(d.model, replication).ID, Seed: 7, Replication: replication,
			Parameters: map[string]string{"policy": "1A", "laxity": "2h"}, Error: "no cluster fits: 3 < 4 & more",
			Panicked: true, Stack: "goroutine 1\n\tmain.go:3",
			Command: "gridsweep run example --set policy=1A", Time: time.Date(2024, 1, 2, 3, 4, 5, 6, time.UTC),
			Machine: "node1", Version: "0.1.0",
		}
	}
	want := []Failure{failure(1), failure(2), failure(3)}
	want[1].Parameters["policy"] = "1B"
	for _, f := range []Failure{failure(2), want[0], want[1], want[2]} {
		if err := d.WriteFailure(f); err != nil {
			t.Fatal(err)
		}
	}
	byID := func(failures []Failure) map[string]Failure {
		m := map[string]Failure{}
		for i, f := range failures {
			if i > 0 && f.ID <= failures[i-1].ID {
				t.Error("failures are not in order")
			}
			m[f.ID] = f
		}
		return m
	}
	have, err := d.Failures()
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[string]Failure{}
	for _, f := range want {
		wanted[f.ID] = f
	}
	if diff := cmp.Diff(wanted, byID(have)); diff != "" {
		t.Error(diff)
	}
	for range 2 { // the second time there is none
		if err := d.RemoveFailure(want[0].ID); err != nil {
			t.Error(err)
		}
	}
	if have, err = d.Failures(); err != nil || len(have) != 2 {
		t.Errorf("%d failures, %v", len(have), err)
	}
	if text, err := os.ReadFile(d.failurePath(want[1].ID)); err != nil || !strings.Contains(string(text), "3 < 4 & more") {
		t.Errorf("the record escapes <, > or &: %s (%v)", text, err)
	}
	for _, text := range []string{"", "{", `{"run_id": "x"}`, `{"nothing": 1}`} {
		path := d.failurePath(want[0].ID)
		write(t, path, []byte(text))
		if _, err := d.Failures(); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q gives error %v", text, err)
		}
	}
}

// While processes record a failure of the same run, remove it and read it, there is no error and no
// incomplete record.
func TestFailuresOfManyProcesses(t *testing.T) {
	d := openTest(t, t.TempDir())
	id := testRun(d.model, 1).ID
	var writers sync.WaitGroup
	for writer := range 4 {
		writers.Go(func() {
			for range 50 {
				if err := d.WriteFailure(Failure{ID: id, Replication: writer, Error: strings.Repeat("x", 5000)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Go(func() {
		for range 200 {
			if err := d.RemoveFailure(id); err != nil {
				t.Error(err)
			}
		}
	})
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		failures, err := d.Failures()
		if err != nil || len(failures) > 1 || len(failures) == 1 && len(failures[0].Error) != 5000 {
			t.Fatalf("%d failures, %v", len(failures), err)
		}
	}
}
