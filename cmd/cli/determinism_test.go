// Digests of every study's small plan: equal to the recorded ones and equal for any workers,
// shards, memo, kills and fused instructions.

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gridsweep/configs"
	"gridsweep/pipeline/traces"
)

// smallRun is a small quick plan of a study, which takes seconds, from the file testdata/STUDY.json
// in its paper's folder.
type smallRun struct {
	Set    []string `json:"set"`    // settings that make the quick plan small
	Digest string   `json:"digest"` // of its rows
}

// smallFile returns the path of the file of the small run of a study.
func smallFile(study string) string {
	return path.Join("configs", path.Dir(study), "testdata", path.Base(study)+".json")
}

// noTraces sets a variable of the environment so that small runs are the same with any traces on
// this machine.
const noTraces = traces.FolderVariable + "=" + traces.NoFolder

// smallOf returns the small run of a built-in study; without a file it is the quick plan. It runs
// with [noTraces].
func smallOf(t testing.TB, study string) smallRun {
	t.Helper()
	var run smallRun
	text, err := os.ReadFile(filepath.Join(root, smallFile(study)))
	if err == nil {
		err = json.Unmarshal(text, &run)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%s: %v", smallFile(study), err)
	}
	return run
}

// The digest of each small plan, executed in two shards, equals the recorded one.
func TestDigestsAreGolden(t *testing.T) {
	for _, study := range configs.List() {
		t.Run(study, func(t *testing.T) {
			d := dataset{t, variant{name: "two shards", program: "gridsweep"}, study, t.TempDir()}
			d.run("--shard", "1/2")
			d.run("--shard", "2/2")
			small, digest := smallOf(t, study), d.digest()
			if *update {
				small.Digest = digest
				small.write(t, study)
			}
			again := "go test ./cmd/cli -run 'TestDigestsAreGolden/" + study + "$' -update"
			switch small.Digest {
			case digest:
			case "":
				t.Errorf("%s has no digest: add the file with\n    %s\nIf the quick plan takes more than seconds, write settings "+
					`that make it small before that: {"set": ["requests=200"]}`, smallFile(study), again)
			default:
				t.Errorf("%s has the digest %s, want %s of %s. If the change is intended, raise Version of the model, since "+
					"new runs would disagree with those of users, and rerun\n    %s", study, digest, small.Digest,
					smallFile(study), again)
			}
		})
	}
	files, err := filepath.Glob(filepath.Join(root, "configs", "*", "testdata", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(filepath.Dir(file))) + "/" + strings.TrimSuffix(filepath.Base(file), ".json")
		if !slices.Contains(configs.List(), name) {
			t.Errorf("%s belongs to no study: remove it", smallFile(name))
		}
	}
}

// write writes the file of the small run.
func (s smallRun) write(t *testing.T, study string) {
	t.Helper()
	if s.Set == nil {
		s.Set = []string{}
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, smallFile(study))
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, append(text, '\n'),
		0o666)); err != nil {
		t.Fatal(err)
	}
}

// The rows of a plan do not depend on workers, shards, memo and kills, nor on whether the processor
// fuses products and sums. Each execution differs from that of TestDigestsAreGolden in several of
// them.
func TestDigestsAreEqual(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds and runs the program several times")
	}
	t.Parallel()
	plain := build(t, "GOAMD64=v1")
	many := variant{"eight workers, tiny memo, without fused instructions", plain, []string{"GODEBUG=cpu.fma=off"},
		[]string{"--workers", "8", "--memo", "1"}}
	one := variant{"one worker", plain, nil, []string{"--workers", "1"}}
	if runsV3() {
		one.name, one.program = "one worker, GOAMD64=v3", build(t, "GOAMD64=v3")
	}
	sharded := variant{"seven shards, eight workers", plain, nil, []string{"--workers", "8"}}
	killed := variant{"killed and resumed, no memo", plain, nil, []string{"--workers", "1", "--memo", "0"}}
	for _, study := range configs.List() {
		digests := map[string]string{study: smallOf(t, study).Digest}
		t.Run(study, func(t *testing.T) {
			for _, v := range []variant{many, one} {
				d := dataset{t, v, study, t.TempDir()}
				d.run()
				expect(t, digests, study, v.name, d.digest())
			}
			shards := dataset{t, sharded, study, t.TempDir()}
			for i := range 7 {
				shards.run("--shard", fmt.Sprintf("%d/7", i+1))
			}
			expect(t, digests, study, sharded.name, shards.digest())
			resumed := runAndKill(t, killed, study)
			resumed.run()
			expect(t, digests, study, killed.name, resumed.digest())
		})
	}
}

// expect compares a digest with that of the first variant.
func expect(t *testing.T, digests map[string]string, study, what, digest string) {
	t.Helper()
	if digests[study] == "" {
		digests[study] = digest
	}
	if digest != digests[study] {
		t.Errorf("%s: digest %s, want %s", what, digest, digests[study])
	}
}

// variant is a way to execute a plan, which must not change a row.
type variant struct {
	name, program string
	env, flags    []string
}

// dataset is a study's small quick plan, executed in a folder.
type dataset struct {
	t       *testing.T
	variant variant
	study   string
	dir     string
}

func (d dataset) command(name string, flags ...string) *exec.Cmd {
	arguments := append([]string{name, d.study, "--quick", "--out", d.dir}, flags...)
	c := exec.Command(d.variant.program, arguments...)
	c.Env = slices.Concat(os.Environ(), []string{noTraces}, d.variant.env)
	return c
}

// runCommand returns the command that runs the plan.
func (d dataset) runCommand(flags ...string) *exec.Cmd {
	flags = slices.Concat(d.variant.flags, flags)
	for _, s := range smallOf(d.t, d.study).Set {
		flags = append(flags, "--set", s)
	}
	return d.command("run", flags...)
}

func (d dataset) run(flags ...string) {
	d.t.Helper()
	if text, err := d.runCommand(flags...).CombinedOutput(); err != nil {
		d.t.Fatalf("%s: %v\n%s", d.variant.name, err, text)
	}
}

// runAndKill returns a dataset whose process was killed after its first commit. A fast study
// commits only at its end: then its process is killed at a random moment before.
func runAndKill(t *testing.T, v variant, study string) dataset {
	t.Helper()
	d := dataset{t, v, study, t.TempDir()}
	start := time.Now()
	if d.killedWhen(d.hasCommitted) {
		return d
	}
	took := time.Since(start)
	random := rand.New(rand.NewPCG(9, 3))
	for range 20 {
		d := dataset{t, v, study, t.TempDir()}
		moment := time.Now().Add(time.Duration(random.Float64() * float64(took)))
		if d.killedWhen(func() bool { return time.Now().After(moment) }) {
			return d
		}
	}
	t.Fatalf("20 runs, of which the first took %s, ended before they were killed", took)
	return d
}

// killedWhen starts a process and kills it as soon as isTime returns true. It reports whether the
// process was still running.
func (d dataset) killedWhen(isTime func() bool) bool {
	d.t.Helper()
	c := d.runCommand()
	if err := c.Start(); err != nil {
		d.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for !isTime() {
		select {
		case err := <-ended:
			if err != nil {
				d.t.Fatalf("the run failed before it was killed: %v", err)
			}
			return false
		case <-time.After(time.Millisecond):
		}
	}
	if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		d.t.Fatal(err)
	}
	return <-ended != nil
}

// hasCommitted reports whether the dataset has a committed run.
func (d dataset) hasCommitted() bool {
	committed, err := filepath.Glob(filepath.Join(d.dir, "quick", "*", "runs", "*.parquet"))
	if err != nil {
		d.t.Fatal(err)
	}
	return len(committed) > 0
}

func (d dataset) digest() string {
	d.t.Helper()
	text, err := d.command("digest").Output()
	digest, _, found := strings.Cut(string(text), " ")
	if err != nil || !found {
		d.t.Fatalf("digest: %v\n%s", err, text)
	}
	return digest
}

// build compiles the program with a setting of the environment and returns its path.
func build(t *testing.T, setting string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "gridsweep")
	output(t, root, []string{setting}, "go", "build", "-o", program, "./cmd/gridsweep")
	return program
}

// runsV3 reports whether this machine runs programs for GOAMD64=v3.
func runsV3() bool {
	text, err := os.ReadFile("/proc/cpuinfo")
	if runtime.GOARCH != "amd64" || err != nil {
		return false
	}
	flags := strings.Fields(string(text))
	has := map[string]bool{}
	for _, flag := range flags {
		has[flag] = true
	}
	return has["avx2"] && has["fma"] && has["bmi1"] && has["bmi2"] && has["f16c"] && has["movbe"]
}
