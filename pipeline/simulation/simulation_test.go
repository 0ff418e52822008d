// Schedules and measures of small logs are compared with those worked out by hand, and written
// schedules with what is read back.

package simulation

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gridsweep/model/cluster"
	"gridsweep/model/trace"
	"gridsweep/model/workload/estimates"
	"gridsweep/pipeline/traces"
	"gridsweep/results/schedule"
)

// logOf returns a log of four jobs of two users on a machine of four processors, of which the
// second waits for the first and the last two fit beside it.
func logOf(t *testing.T) *traces.Trace {
	t.Helper()
	const text = "; MaxProcs: 4\n" +
		"1 0 -1 100 3 -1 -1 3 100 -1 1 1 1 1 1 1 -1 -1\n" +
		"2 1 -1 100 4 -1 -1 4 100 -1 1 2 1 1 1 1 -1 -1\n" +
		"3 2 -1 50 1 -1 -1 1 50 -1 1 1 1 1 1 1 -1 -1\n" +
		"4 3 -1 20 1 -1 -1 1 20 -1 1 2 1 1 1 1 -1 -1\n"
	log, err := traces.ReadTrace(t.Context(), "-", strings.NewReader(text), trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func simulationOf(t *testing.T, keepsJobs bool) *Simulation {
	t.Helper()
	rule, err := estimates.Parse("exact")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(logOf(t), cluster.Config{}, rule, 1, keepsJobs)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func run(t *testing.T, s *Simulation, name string) *Outcome {
	t.Helper()
	policy, err := cluster.ParsePolicy(name)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := s.Run(t.Context(), policy, nil)
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

// All policies get the same jobs, and each schedule is its own.
func TestPolicies(t *testing.T) {
	s := simulationOf(t, false)
	s.By = []string{ByUser, BySize}
	fcfs, easy := run(t, s, "fcfs"), run(t, s, "easy")
	if want := []int64{0, 100, 200, 200}; !slices.Equal(fcfs.Schedule.Start, want) {
		t.Errorf("fcfs starts at %v, want %v", fcfs.Schedule.Start, want)
	}
	if want := []int64{0, 100, 2, 52}; !slices.Equal(easy.Schedule.Start, want) {
		t.Errorf("easy starts at %v, want %v", easy.Schedule.Start, want)
	}
	if easy.Policy != "easy" || easy.Backfilled != 2 || easy.Makespan != 200 || s.Jobs() != 4 {
		t.Errorf("%+v", easy.Summary)
	}
	var names []string
	for _, by := range s.By {
		for _, group := range easy.Groups(by) {
			names = append(names, by+" "+group.Name)
		}
	}
	if want := []string{"user 1", "user 2", "size 1", "size 2-4"}; !slices.Equal(names, want) {
		t.Errorf("groups are %q, want %q", names, want)
	}
	if s.Trace.Jobs != nil {
		t.Error("the log's jobs are kept")
	}
	text, err := json.Marshal(s.Report("1", Options{}, []*Outcome{fcfs, easy}))
	for _, want := range []string{
		`"procs":4`, `"estimates":"exact"`, `"policy":"easy"`, `"left_out":[]`, `"by_user":[{"name":"1"`,
	} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("the report is without %s: %s, %v", want, text, err)
		}
	}
}

func TestWrittenSchedulesReadBack(t *testing.T) {
	s := simulationOf(t, true)
	easy := run(t, s, "easy")
	for _, format := range []schedule.Format{schedule.CSV, schedule.Parquet, schedule.SWF, schedule.Batsim} {
		path := filepath.Join(t.TempDir(), "easy."+string(format))
		metadata, notes := map[string]string{"a": "b"}, []string{"made by a test"}
		if err := s.Write(t.Context(), easy, path, format, metadata, notes); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if format == schedule.SWF && !strings.Contains(string(data), "made by a test") {
			t.Errorf("the trace is without its note:\n%s", data)
		}
		read, err := schedule.Read(data, path)
		if err != nil {
			t.Fatal(err)
		}
		if read.SortBySubmit(); !slices.Equal(read.Start, easy.Schedule.Start) {
			t.Errorf("%s: starts at %v", format, read.Start)
		}
	}
}

func TestWhatCannotBeSimulated(t *testing.T) {
	log := logOf(t)
	log.Procs = 0
	_, err := New(log, cluster.Config{}, estimates.Rule{}, 1, false)
	if err == nil || !strings.Contains(err.Error(), "--procs") {
		t.Errorf("a machine without processors gives error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	policy, err := cluster.ParsePolicy("easy")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := simulationOf(t, false).Run(ctx, policy, nil); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
	user, err := estimates.Parse("user")
	if err != nil {
		t.Fatal(err)
	}
	log = logOf(t)
	for i := range log.Jobs {
		log.Jobs[i].ReqTime = -1
	}
	warnings := strings.Join(Warnings(log, user), "\n")
	if !strings.Contains(warnings, "no job has a requested time") {
		t.Errorf("warnings are %s", warnings)
	}
	if warnings := Warnings(logOf(t), user); len(warnings) > 0 {
		t.Errorf("warnings are %v", warnings)
	}
}

func TestReservations(t *testing.T) {
	for text, want := range map[string]string{
		"procs,from,to\n2,10,20\n":         "",
		"from,to,procs\n1,2,-3\n":          "write a whole number from 0",
		"from,to,procs\n2,2,3\n":           "to is 2 and from 2: write a later end",
		"from,to\n1,2\n":                   "has no column procs",
		"from,to,procs\n1,x,3\n":           "to is \"x\"",
		"from,to,procs\n1,2,99999999999\n": "\"99999999999\" is no number of processors",
	} {
		path := filepath.Join(t.TempDir(), "r.csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		options := Options{
			Order: "arrival", Estimates: "exact", Overrun: "kill", Instant: "batch", Pivot: "replanned", Reservations: path,
		}
		config, _, err := options.Machine(t.Context())
		list := config.Reservations
		if want == "" && (err != nil || !slices.Equal(list, []cluster.Reservation{{From: 10, To: 20, Procs: 2}})) ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
}

func TestMeasuresForPeople(t *testing.T) {
	for want, m := range map[string]Measure{
		"12,345.7": {Value: 12345.67, Decimals: 1}, "63.21": {Value: 0.63214, Decimals: 2, Percent: true}, "4": {Value: 3.6},
	} {
		if m.String() != want {
			t.Errorf("%v is %q, want %q", m.Value, m, want)
		}
	}
	if exact := (Measure{Value: 0.1}).exact(); exact != "0.1" {
		t.Errorf("exactly %s", exact)
	}
}

// Names of files have no separators of folders, whatever the command of a policy is.
func TestFileNames(t *testing.T) {
	for policy, want := range map[string]string{
		"easy:2": "easy-2", "queues:1h:64:128+any:any:any": "queues-1h-64-128+any-any-any",
		"exec:./mine.py a/b.txt": "exec-.-mine.py-a-b.txt", `exec:C:\mine.exe "x"`: "exec-C--mine.exe--x-",
	} {
		if name := FileName(policy); name != want {
			t.Errorf("%s: %s, want %s", policy, name, want)
		}
	}
}
