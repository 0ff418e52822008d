// An interrupted simulation leaves no file. The numbers of jobs, users and groups do not change a
// start, in a random workload under five policies.

package cli

// Interrupted simulations leave no file; jobs, users and groups with other names start in the same
// seconds; paths in a saved study mean what they mean on the command line.

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/results/schedule"
)

// An interrupted simulation says so and leaves no file.
func TestInterruptedSimulation(t *testing.T) {
	t.Chdir(t.TempDir())
	const log = "; MaxProcs: 2\n1 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n"
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, messages strings.Builder
	err := execute(ctx, []string{"simulate", "-", "--out", "s.csv"}, strings.NewReader(log), &out, &messages)
	if exitCode(err) != exitInterrupted || !strings.Contains(messages.String(), "interrupted") || out.Len() > 0 {
		t.Errorf("exit code %d, prints %q, says %q", exitCode(err), out.String(), messages.String())
	}
	if _, err := os.Stat("s.csv"); err == nil {
		t.Error("a schedule was written")
	}
}

// Other numbers of jobs, users and groups change no start.
func TestRelabellingChangesNoStart(t *testing.T) {
	t.Chdir(t.TempDir())
	quiet := func(args ...string) {
		t.Helper()
		var messages strings.Builder
		if err := execute(t.Context(), args, nil, &strings.Builder{}, &messages); err != nil {
			t.Fatal(messages.String())
		}
	}
	quiet("trace", "generate", "lublin", "--procs", "64", "--jobs", "500", "--load", "1.3", "--out", "log.swf")
	log, err := os.ReadFile("log.swf")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(log), "\n")
	for i, line := range lines {
		if fields := strings.Fields(line); len(fields) == 18 && fields[0] != ";" {
			fields[0] = fmt.Sprint(1_000_000 - i)
			fields[11], fields[12] = fmt.Sprint(i%7), fmt.Sprint(i%3)
			lines[i] = strings.Join(fields, " ")
		}
	}
	if err := os.WriteFile("relabelled.swf", []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, policy := range []string{"fcfs", "easy", "easy:3", "conservative", "conservative:fixed"} {
		starts := map[string][]int64{}
		for _, name := range []string{"log", "relabelled"} {
			out := name + ".csv"
			quiet("simulate", name+".swf", "--policy", policy, "--estimates", "factor:2", "--out", out)
			content, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			made, err := schedule.Read(content, out)
			if err != nil {
				t.Fatal(err)
			}
			starts[name] = made.Start
		}
		if diff := cmp.Diff(starts["log"], starts["relabelled"]); diff != "" || len(starts["log"]) != 500 {
			t.Errorf("%s: %d starts differ:\n%s", policy, len(starts["log"]), diff)
		}
	}
}

// In a study, paths are relative to its folder, names stay, and a program keeps its arguments.
func TestPathsInAStudy(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("log", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{
		"log": "../../log", "logs/a.swf": "../../logs/a.swf", "/logs/a.swf": "/logs/a.swf", "nasa-ipsc": "nasa-ipsc",
		"lublin": "lublin", "model:das2": "model:das2", "logs/a.swf|lublin": "../../logs/a.swf|lublin",
		"nasa-ipsc|lublin": "nasa-ipsc|lublin", "out/study/a.swf": "./a.swf", "../a.swf": "../../../a.swf",
	} {
		if have := traceIn(word, "out/study"); have != want {
			t.Errorf("%s is %s, want %s", word, have, want)
		}
	}
	for policy, want := range map[string]string{
		"easy:2": "easy:2", "exec:./p.py": "exec:../p.py", "exec:p.py --fast ./x": "exec:../p.py --fast ./x",
		"exec:/bin/p": "exec:/bin/p",
	} {
		if have := policyIn(policy, "studies"); have != want {
			t.Errorf("%s is %s, want %s", policy, have, want)
		}
	}
}
