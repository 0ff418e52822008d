// Runs the scripts of testdata/script, with the commands that they use besides gridsweep, and
// checks exit codes: wrong usage, interruption and a full disk.

package cli

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"gridsweep/cmd/internal/interrupt"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/model/coallocation"
	"gridsweep/model/studies"
	"gridsweep/pipeline/workspace"
	"gridsweep/sweeps"
)

func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"gridsweep": program, "gridsweep-edited": edited,
		"gridsweep-changed": changed, "gridsweep-measured": measured, "hang": hang})
}

// tests runs the tests in this process; testscript starts the process again for the programs.
type tests struct{ *testing.M }

// Run runs the tests without the variables of a batch job, which the program would use.
func (t tests) Run() int {
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		for _, scheduler := range []string{"SLURM_", "SBATCH_", "PBS_", "SGE_", "LSB_", "AWS_BATCH_", "JOB_COMPLETION_",
			"PARALLEL_"} {
			if strings.HasPrefix(name, scheduler) {
				os.Unsetenv(name)
			}
		}
	}
	return t.M.Run()
}

// program is gridsweep.
func program() { os.Exit(Main(context.Background(), os.Args, configs.Builtin(), studies.All()...)) }

// execute executes a command line of gridsweep.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	t := &terminal{
		in: stdin, out: stdout, err: stderr, args: args, studies: configs.Builtin(), models: studies.All(),
	}
	return t.run(ctx)
}

// open returns built-in studies with the plans of a selection.
func open(t testing.TB, s workspace.Selection, names ...string) []*workspace.Study {
	t.Helper()
	w := workspace.Workspace{Studies: configs.Builtin(), Models: studies.All()}
	opened, err := w.Open(t.Context(), s, names)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// edited is the program with changed source code of the model coallocation but the same version.
func edited() {
	spec := coallocation.Spec
	spec.Source = fstest.MapFS{"edited.go": {Data: []byte("package coallocation")}}
	mainWith(model.New(spec))
}

// changed is the program with a model coallocation whose outcomes differ but not its version.
func changed() {
	spec := coallocation.Spec
	simulate := spec.Simulate
	spec.Simulate = func(ctx context.Context, p coallocation.Parameters, env model.Env) (coallocation.Outcome, error) {
		p.Requests /= 2
		p.Lambda *= 10
		return simulate(ctx, p, env)
	}
	mainWith(model.New(spec))
}

// mainWith is the program with a model in place of its own of that name.
func mainWith(changed *model.Model) {
	models := []*model.Model{changed}
	for _, m := range studies.All() {
		if m.Name != changed.Name {
			models = append(models, m)
		}
	}
	os.Exit(Main(context.Background(), os.Args, configs.Builtin(), models...))
}

// statusVariable names the file that measured writes.
const statusVariable = "GRIDSWEEP_TEST_STATUS"

// measured is the program, which writes its /proc/self/status at its end. The resource usage that
// the parent process gets would include the memory of the parent, of which the child is a copy at
// first.
func measured() {
	code := Main(context.Background(), os.Args, configs.Builtin(), studies.All()...)
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		err = os.WriteFile(os.Getenv(statusVariable), status, 0o666)
	}
	if err != nil {
		panic(err)
	}
	os.Exit(code)
}

// hang is a program that ignores interruption, and interrupts itself until it is ended.
func hang() {
	interrupt.Context(context.Background(), exitInterrupted)
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		panic(err)
	}
	for range 500 {
		if err := self.Signal(os.Interrupt); err != nil {
			panic(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestScripts executes the command lines in testdata/script, one file for each use.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":          exits,
			"cmpexceptlines": withoutLines,
			"truncate":       truncateFirst,
			"flip":           flipByte,
			"serve":          serveFiles,
		},
	})
}

// serveFiles serves the files of a folder by HTTP and sets the variable ARCHIVE to its address.
// Each further argument is the number of bytes after which one of the first answers is cut off.
func serveFiles(ts *testscript.TestScript, _ bool, args []string) {
	files := http.FileServer(http.Dir(ts.MkAbs(args[0])))
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := int(requests.Add(1)); n < len(args) {
			most, err := strconv.Atoi(args[n])
			ts.Check(err)
			w = &cutAnswer{w, most}
		}
		files.ServeHTTP(w, r)
	}))
	ts.Defer(server.Close)
	ts.Setenv("ARCHIVE", server.URL)
}

// cutAnswer drops the connection after a number of bytes.
type cutAnswer struct {
	http.ResponseWriter
	left int
}

func (c *cutAnswer) Write(body []byte) (int, error) {
	n, err := c.ResponseWriter.Write(body[:min(len(body), c.left)])
	if c.left -= n; c.left > 0 || err != nil {
		return n, err
	}
	if err := http.NewResponseController(c.ResponseWriter).Flush(); err != nil {
		return n, err
	}
	panic(http.ErrAbortHandler)
}

// withoutLines compares an output with a file, where the lines of built-in study files are "LINE":
// an edit of such a file changes no expectation.
func withoutLines(ts *testscript.TestScript, _ bool, args []string) {
	have := builtinLine.ReplaceAllString(ts.ReadFile(args[0]), "${1}LINE")
	if want := ts.ReadFile(args[1]); have != want {
		ts.Fatalf("%s and %s differ; have\n%s", args[0], args[1], have)
	}
}

// builtinLine is the place of an error in a built-in study file, or several.
var builtinLine = regexp.MustCompile(`(configs/[a-z]+/[a-z]+\.yaml(?::|, lines? ))[0-9]+(?:, [0-9]+)*`)

// exits executes a command, whose exit code must be that of the first argument.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Check(err)
	}
	have := 0
	if exit != nil {
		have = exit.ExitCode()
	}
	if have != want {
		ts.Fatalf("exit code %d, want %d", have, want)
	}
}

// truncateFirst cuts the last byte off the first file that matches a pattern.
func truncateFirst(ts *testscript.TestScript, _ bool, args []string) {
	damage(ts, args[0], func(data []byte) []byte { return data[:len(data)-1] })
}

// flipByte changes a byte in the middle of the first file that matches a pattern.
func flipByte(ts *testscript.TestScript, _ bool, args []string) {
	damage(ts, args[0], func(data []byte) []byte {
		data[len(data)/2] ^= 1
		return data
	})
}

func damage(ts *testscript.TestScript, pattern string, change func([]byte) []byte) {
	files, err := filepath.Glob(ts.MkAbs(pattern))
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("no file matches %s", pattern)
	}
	data, err := os.ReadFile(files[0])
	ts.Check(err)
	ts.Check(os.WriteFile(files[0], change(data), 0o600))
}

// Wrong usage has exit code 2, prints an error that names it, and writes nothing.
func TestWrongUsage(t *testing.T) {
	mine := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(mine, []byte("study: mine\nextends: coallocation\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"plan", "--set", "requests=5", "--set", "requests=6"}, "--set requests=6: requests appears twice"},
		{[]string{"plan", "--levels", "lambda="}, "--levels lambda=: write FACTOR=A,B"},
		{[]string{"plan", "--levels", "lambda=0.3", "--levels", "lambda=0.4"}, "lambda appears twice"},
		{[]string{"plan", "--levels", "lambda=0.3\n0.4"}, `"lambda=0.3\n0.4": is not one line`},
		{[]string{"plan", "--levels", `pair="1A,1E","1C,1G","1A,1E"`}, "--levels: pair: level 1A,1E comes twice"},
		{[]string{"plan", "--format", "xml", "--explain"}, "--format xml: write table, json or csv"},
		{[]string{"plan", "--format", "csv", "--explain"}, "--format csv does not go with --explain"},
		{[]string{"run", "--out", ""}, "--out: is empty; name a folder"},
		{[]string{"digest", "--out="}, "--out: is empty; name a folder"},
		{[]string{"plan", "--experiment", "foo"}, "known are rate, shape, pairs, "},
		{[]string{"plan", "--experiment", "shpae"}, "did you mean shape?"},
		{[]string{"plan", "--shard", "3/2"}, "write i/n"},
		{[]string{"plan", "--table", "jobs"}, `no optional table "jobs": it has none`},
		{[]string{"run", "--workers", "0"}, "--workers 0: write a number from 1"},
		{[]string{"run", "--memo", "-1"}, "--memo -1: write a number from 0"},
		{[]string{"run", "--workers", "-1"}, "--workers -1: write a number from 1"},
		{[]string{"run", "--plan", "0123"}, "--plan 0123: the plan of coallocation has the checksum "},
		{[]string{"run", "--plan", "0123", mine}, "name one study"},
		// it is named twice
		{[]string{"run", "--plan", "0123", "coallocation"}, "the plan of coallocation has the checksum "},
		{[]string{"run", "--id", "0123", "coallocation"}, "--id 0123: the plan has no such run"},
		{[]string{"run", "--id", "0123", "--shard", "2/7"}, "--id 0123: shard 2/7 of the plan has no such run"},
	} {
		var out, err strings.Builder
		if code := exitCode(execute(t.Context(), append(c.args, "coallocation"), nil, &out, &err)); code != exitUsage {
			t.Errorf("%q: exit code %d, want %d", c.args, code, exitUsage)
		}
		if !strings.Contains(err.String(), c.want) {
			t.Errorf("%q: the error does not have %q:\n%s", c.args, c.want, err.String())
		}
		if out.Len() > 0 {
			t.Errorf("%q: prints %s", c.args, out.String())
		}
		if _, err := os.Stat("out"); err == nil {
			t.Fatalf("%q: the folder out was written", c.args)
		}
	}
}

// --id selects a run in any of the studies; an id that no study has is an error before any run.
func TestChooseRunsByID(t *testing.T) {
	var both []*workspace.Study
	for _, requests := range []string{"requests=10", "requests=20"} {
		s := workspace.Selection{Out: t.TempDir(), Experiments: []string{"cost"}, Set: []string{requests}}
		both = append(both, open(t, s, "coallocation")...)
	}
	first, second := both[0].Plan.Runs[0].ID, both[1].Plan.Runs[1].ID
	choose := func(portion workspace.Portion) ([][]sweeps.Run, error) {
		return new(terminal).choose(t.Context(), both, portion, runOptions{})
	}
	for _, c := range []struct {
		ids  []string
		want []int
	}{
		{nil, []int{90, 90}}, {[]string{first}, []int{1, 0}}, {[]string{second, first, second}, []int{1, 1}},
	} {
		chosen, err := choose(workspace.Portion{IDs: c.ids})
		if err != nil || len(chosen[0]) != c.want[0] || len(chosen[1]) != c.want[1] {
			t.Errorf("ids %v: %d and %d runs, want %v; error %v", c.ids, len(chosen[0]), len(chosen[1]), c.want, err)
		}
	}
	if _, err := choose(workspace.Portion{IDs: []string{first, "0123"}}); exitCode(err) != exitUsage {
		t.Errorf("an unknown id beside a known one: error %v", err)
	}
	if _, err := choose(workspace.Portion{Shard: "2/2", IDs: []string{first}}); exitCode(err) != exitUsage {
		t.Errorf("an id of another shard: error %v", err)
	}
}

func TestInterruptedBeforeTheFirstRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := execute(ctx, []string{"run", "coallocation", "--quick", "--out", t.TempDir()}, nil, io.Discard, io.Discard)
	if exitCode(err) != exitInterrupted {
		t.Errorf("error %v has exit code %d, want %d", err, exitCode(err), exitInterrupted)
	}
}

// Every command fails with one message if standard output cannot be written.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no full device: ", err)
	}
	defer full.Close()
	t.Chdir(t.TempDir())
	small := []string{"coallocation", "--experiment", "cost", "--set", "requests=10"}
	if err := execute(t.Context(), append([]string{"run"}, small...), nil, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	const schedule = "id,submit,start,end,procs\n1,0,0,9,1\n"
	if err := os.WriteFile("s.csv", []byte(schedule), 0o666); err != nil {
		t.Fatal(err)
	}
	const log = "; MaxProcs: 2\n1 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n"
	if err := os.WriteFile("log.swf", []byte(log), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"simulate", "log.swf"}, {"simulate", "log.swf", "--format", "csv"}, {"simulate", "log.swf", "--format", "json"},
		{"compare", "s.csv", "s.csv"}, {"compare", "s.csv", "s.csv", "--format", "csv"},
		{"compare", "s.csv", "s.csv", "--format", "json"},
		{"--help"}, {"version"}, {"completion", "bash"}, {"list"}, {"schema"}, {"trace", "list"}, {"show", "coallocation"},
		{"list", "--format", "json"}, {"show", "coallocation", "--format", "csv"},
		{"check", "coallocation", "--format", "csv"},
		append([]string{"claims"}, small...),
		{"show", "coallocation", "--source"},
		{"check", "coallocation"}, {"status", "coallocation"}, {"digest", "coallocation"}, {"compact", "coallocation"},
		{"plan", "coallocation"},
		{"plan", "coallocation", "--explain"}, {"plan", "coallocation", "--format", "csv"},
		{"plan", "coallocation", "--format", "json"}, {"submit", "coallocation", "--dry-run"}, append([]string{"analyze",
			"--show"}, small...),
	} {
		var messages strings.Builder
		err := execute(t.Context(), args, nil, full, &messages)
		const want = "gridsweep: cannot write to standard output: no space left on device\n"
		if exitCode(err) != exitFailed || strings.Count(messages.String(), want) != 1 {
			t.Errorf("%q: exit code %d, says\n%s", args, exitCode(err), messages.String())
		}
	}
	var messages strings.Builder
	err = execute(t.Context(), []string{"check", "coallocation", "missing.yaml"}, nil, full, &messages)
	for _, want := range []string{"no such file", "cannot write"} {
		if exitCode(err) != exitUsage || !strings.Contains(messages.String(), want) {
			t.Errorf("exit code %d, no %q in\n%s", exitCode(err), want, messages.String())
		}
	}
}

// A program whose models share a name runs no command: studies would be simulated by the first.
func TestModelsHaveDifferentNames(t *testing.T) {
	var out, messages strings.Builder
	spec := coallocation.Spec
	spec.Name = "scheduling"
	models := append(studies.All(), model.New(spec))
	program := &terminal{out: &out, err: &messages, args: []string{"list"}, studies: configs.Builtin(), models: models}
	want := "gridsweep: the models of packages gridsweep/model/scheduling and gridsweep/model/coallocation have the " +
		"same name, \"scheduling\": give one of them another in its Spec\n"
	if code := exitCode(program.run(t.Context())); code != exitUsage || messages.String() != want || out.Len() > 0 {
		t.Errorf("exit code %d, %s%s", code, messages.String(), out.String())
	}
	w := workspace.Workspace{Studies: configs.Builtin(), Models: models}
	if _, err := w.Open(t.Context(), workspace.Selection{Out: t.TempDir()}, []string{"backfilling"}); err == nil ||
		!strings.Contains(err.Error(), "have the same name") {
		t.Errorf("a workspace opens a study: %v", err)
	}
}

func TestExitCodes(t *testing.T) {
	failed := runsFailed{"1 of 2 runs failed"}
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{failed, exitFailed},
		{errors.Join(failed, errors.New("no space")), exitFailed},
		{errors.Join(usageErrorf("no such study"), usageErrorf("no such model")), exitUsage},
		{errors.Join(failed, exitError{exitInterrupted, nil}), exitInterrupted},
	} {
		if have := exitCode(c.err); have != c.want {
			t.Errorf("error %v has exit code %d, want %d", c.err, have, c.want)
		}
	}
}
