// Slurm's commands, which shell scripts replace: their arguments and environment, and what is made
// of their output, errors and hanging.

package batch

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// cluster makes programs of these names, each a shell script, the only ones in PATH, and returns
// their folder.
func cluster(t *testing.T, programs map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, script := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	return dir
}

func TestMaxArraySize(t *testing.T) {
	const config = `echo 'Configuration data as of 2026-01-01T00:00:00
LaunchType              = (null)
MaxArraySize            = %
MaxJobCount             = 10000'`
	for _, c := range []struct {
		scontrol string
		want     int
		err      error
	}{
		{strings.Replace(config, "%", "1001", 1), 1001, nil},
		{strings.Replace(config, "%", "4000001", 1), 4000001, nil},
		{strings.Replace(config, "%", "5", 1), 5, nil},
		{strings.Replace(config, "%", "0", 1), 0, ErrNoArrays},
		{"echo 'MaxJobCount = 10000'", DefaultMaxArraySize, nil},
	} {
		cluster(t, map[string]string{"scontrol": c.scontrol})
		if have, err := MaxArraySize(t.Context()); have != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %d, error %v, want %d and %v", c.scontrol, have, err, c.want, c.err)
		}
	}
	cluster(t, nil)
	if _, err := MaxArraySize(t.Context()); !errors.Is(err, ErrNoSlurm) {
		t.Errorf("without scontrol: error %v", err)
	}
	cluster(t, map[string]string{
		"scontrol": "echo 'scontrol: error: DNS SRV lookup failed\nscontrol: error: failed to fetch config' >&2; exit 1",
	})
	_, err := MaxArraySize(t.Context())
	want := "scontrol does not reach the cluster: scontrol: error: DNS SRV lookup failed"
	if err == nil || err.Error() != want {
		t.Errorf("without controller: error %v, want %s", err, want)
	}
}

func TestSubmit(t *testing.T) {
	for _, c := range []struct {
		after   *Job
		printed string
		want    Job
		args    string
	}{
		{nil, "123", Job{ID: "123"}, "--parsable SCRIPT\n"},
		{nil, "123;north", Job{"123", "north"}, "--parsable SCRIPT\n"},
		{&Job{ID: "123"}, "Welcome to the cluster!\n124", Job{ID: "124"}, "--parsable --dependency=afterany:123 SCRIPT\n"},
		{&Job{"123", "north"}, "124;north", Job{"124", "north"},
			"--parsable --dependency=afterany:123 --clusters=north SCRIPT\n"},
	} {
		dir := cluster(t, map[string]string{"sbatch": `echo "$@" >"${0%/*}/args"; echo '` + c.printed + "'"})
		script := filepath.Join(dir, "array.sh")
		if err := os.WriteFile(script, []byte("#!/bin/bash\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if have, err := Submit(t.Context(), script, c.after); have != c.want || err != nil {
			t.Errorf("%q: %+v, error %v, want %+v", c.printed, have, err, c.want)
		}
		args, err := os.ReadFile(filepath.Join(dir, "args"))
		if want := strings.Replace(c.args, "SCRIPT", script, 1); err != nil || string(args) != want {
			t.Errorf("sbatch is called with %q, error %v, want %q", args, err, want)
		}
	}
}

// The error of Submit has the text of sbatch and what to do.
func TestSubmitRefused(t *testing.T) {
	for message, advice := range map[string]string{
		"Batch job submission failed: Invalid job array specification":                      "fewer by --shards",
		"invalid partition specified\nsbatch: error: Invalid partition name specified":      "--partition",
		"QOSMaxSubmitJobPerUserLimit\nsbatch: error: Job violates accounting/QOS policy":    "counts as a job",
		"AssocMaxSubmitJobLimit\nsbatch: error: Batch job submission failed":                "counts as a job",
		"Requested time limit is invalid (missing or exceeds some limit)":                   "--time",
		"Memory specification can not be satisfied":                                         "less --mem",
		"Requested node configuration is not available":                                     "fewer --workers",
		"Invalid account or account/partition combination specified":                        "SBATCH_ACCOUNT",
		"Invalid qos specification":                                                         "SBATCH_QOS",
		"Batch job submission failed: Socket timed out on send/recv operation, whatever is": "whatever is",
	} {
		dir := cluster(t, map[string]string{"sbatch": "echo 'sbatch: error: " + message + "' >&2; exit 1"})
		script := filepath.Join(dir, "array.sh")
		if err := os.WriteFile(script, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Submit(t.Context(), script, nil)
		if err == nil || !strings.Contains(err.Error(), message) || !strings.Contains(err.Error(), advice) {
			t.Errorf("error %v, want %q and %q", err, message, advice)
		}
	}
	for printed, want := range map[string]string{
		"Submitted batch job": "not the number of a job", "": "prints no number",
	} {
		dir := cluster(t, map[string]string{"sbatch": "echo '" + printed + "'"})
		script := filepath.Join(dir, "array.sh")
		if err := os.WriteFile(script, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if job, err := Submit(t.Context(), script, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: job %+v, error %v, want %q", printed, job, err, want)
		}
	}
	cluster(t, nil)
	script := filepath.Join(t.TempDir(), "array.sh")
	if err := os.WriteFile(script, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Submit(t.Context(), script, nil); !errors.Is(err, ErrNoSlurm) {
		t.Errorf("without sbatch: error %v", err)
	}
}

// The variables that would override options of the script are removed, and no others.
func TestSubmitEnvironment(t *testing.T) {
	environment := []string{
		"HOME=/home/ada", "SBATCH_ACCOUNT=physics", "SBATCH_ARRAY_INX=0-9", "SBATCH_WAIT=1", "SBATCH_PARTITION=long",
		"SBATCH_TIMELIMIT=5", "SBATCH_MEM_PER_CPU=3", "SBATCH_NO_REQUEUE=1",
	}
	array, finish, err := slurmScripts(Scripts{Name: "g", Folder: "/f", Logs: "/l", Tasks: 1, CPUs: 1, Partition: "short"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		script string
		want   []string
	}{
		{array, []string{"HOME=/home/ada", "SBATCH_ACCOUNT=physics", "SBATCH_TIMELIMIT=5", "SBATCH_MEM_PER_CPU=3"}},
		{finish, []string{"HOME=/home/ada", "SBATCH_ACCOUNT=physics", "SBATCH_TIMELIMIT=5", "SBATCH_MEM_PER_CPU=3"}},
	} {
		if have := submitEnvironment(environment, c.script); !slices.Equal(have, c.want) {
			t.Errorf("environment %v, want %v", have, c.want)
		}
	}
}

func TestQueued(t *testing.T) {
	jobs := []Job{{ID: "1"}, {ID: "3"}, {"7", "north"}, {"8", "south"}}
	cluster(t, map[string]string{"squeue": `case "$*" in
*--jobs=1,3) echo '3
3';;
*--jobs=7\ --clusters=north) echo 'CLUSTER: north
7';;
*) echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1;;
esac`})
	if diff := cmp.Diff([]Job{{ID: "3"}, {"7", "north"}}, queued(t.Context(), jobs)); diff != "" {
		t.Error(diff)
	}
	cluster(t, nil)
	if have := queued(t.Context(), jobs); have != nil {
		t.Errorf("without squeue: %v", have)
	}
}

// Jobs that were not recorded are found by their name, each once.
func TestQueuedAs(t *testing.T) {
	cluster(t, map[string]string{"squeue": `case "$*" in
*--me\ --name=a,a-finish) echo '3
3
17';;
*) exit 1;;
esac`})
	if diff := cmp.Diff([]Job{{ID: "3"}, {ID: "17"}}, queuedAs(t.Context(), "a", "a"+finishSuffix)); diff != "" {
		t.Error(diff)
	}
	cluster(t, nil)
	if have := queuedAs(t.Context(), "a"); have != nil {
		t.Errorf("without squeue: %v", have)
	}
}

func TestReasons(t *testing.T) {
	jobs := []Job{{ID: "1"}, {ID: "3"}, {"7", "north"}}
	cluster(t, map[string]string{"sacct": `case "$*" in
*--jobs=1,3) echo '1_0|COMPLETED|0:0
1_1|FAILED|130:0
1_2|OUT_OF_MEMORY|0:125
1_[3-4]|PENDING|0:0
1_5|RUNNING|0:0
3|CANCELLED by 1000|0:15';;
*--jobs=7\ --clusters=north) echo '7_0|TIMEOUT|0:0';;
*) exit 9;;
esac`})
	want := []Ending{
		{"1_1", "FAILED", "130:0"}, {"1_2", "OUT_OF_MEMORY", "0:125"}, {"3", "CANCELLED", "0:15"}, {"7_0", "TIMEOUT", "0:0"},
	}
	if diff := cmp.Diff(want, Reasons(t.Context(), jobs)); diff != "" {
		t.Error(diff)
	}
	cluster(t, map[string]string{"sacct": "echo 'Slurm accounting storage is disabled' >&2; exit 1"})
	if have := Reasons(t.Context(), jobs); have != nil {
		t.Errorf("without accounting: %v", have)
	}
	cluster(t, nil)
	if have := Reasons(t.Context(), jobs); have != nil {
		t.Errorf("without sacct: %v", have)
	}
	if have := Reasons(t.Context(), nil); have != nil {
		t.Errorf("without jobs: %v", have)
	}
}

// A database that hangs causes a short delay only.
func TestReasonsOfAHangingDatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: waits for sacct to take too long")
	}
	cluster(t, map[string]string{"sacct": "/bin/sleep 60; echo '1_0|FAILED|1:0'"})
	start := time.Now()
	if have := Reasons(t.Context(), []Job{{ID: "1"}, {"2", "north"}}); have != nil || time.Since(start) > 30*time.Second {
		t.Errorf("%v after %v", have, time.Since(start))
	}
}
