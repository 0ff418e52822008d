package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gridsweep/configs"
)

// smallStudies says what is set to make a study's quick plan a matter of seconds, for every built-in study, and the same
// where a trace is found.
var smallStudies = map[string][]string{
	"brokering/brokering":             {"trace=model", "days=0.2"},
	"brokering/brokering-aggregation": {"vendors=60", "systems=80"},
	"coallocation/coallocation":       {"requests=200"},
	"intergrid/intergrid":             {"trace=model", "months=0.35", "warmup=1d"},
	"multisite/multisite":             {"trace=model", "months=0.1", "warmup=1d", "training=12h"},
	"provisioning/provisioning":       {"trace=model", "window=6d", "warmup=1d", "cooldown=1d", "tasks=20"},
	"provisioning/provisioning-slots": {"until=50min"},
}

// golden holds the digest of the small quick run of every study.
const golden = "testdata/digests.json"

// The rows of a plan are those of earlier versions of the program, here from two shards.
func TestDigestsAreGolden(t *testing.T) {
	digests := map[string]string{}
	for _, study := range configs.List() {
		t.Run(study, func(t *testing.T) {
			d := dataset{t, variant{name: "two shards", program: "gridsweep"}, study, t.TempDir()}
			d.run("--shard", "1/2")
			d.run("--shard", "2/2")
			digests[study] = d.digest()
		})
	}
	if *update {
		updateGolden(t, digests)
	}
	want := goldenDigests(t)
	for study, digest := range digests {
		if digest != want[study] {
			t.Errorf("%s gives other rows than %s says (%s, not %s): if this is meant, raise Version of the model and "+
				"run this test with -update; else runs that users have and runs to come would disagree",
				study, golden, digest, want[study])
		}
	}
	for study := range want {
		if !slices.Contains(configs.List(), study) {
			t.Errorf("%s names %s, which is no study: run this test with -update", golden, study)
		}
	}
}

// goldenDigests returns the digest that each study had when its file was written.
func goldenDigests(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var digests map[string]string
	if err := json.Unmarshal(text, &digests); err != nil {
		t.Fatalf("%s: %v", golden, err)
	}
	return digests
}

// updateGolden writes the digests of the studies that were run. The others keep theirs, except studies that are gone.
func updateGolden(t *testing.T, digests map[string]string) {
	t.Helper()
	merged := goldenDigests(t)
	maps.Copy(merged, digests)
	maps.DeleteFunc(merged, func(study, _ string) bool { return !slices.Contains(configs.List(), study) })
	text, err := json.MarshalIndent(merged, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(golden, append(text, '\n'), 0o666); err != nil {
		t.Fatal(err)
	}
}

// The rows of a plan are the same whatever the workers, shards, memo and kills, and on processors that fuse products
// and sums and on those that do not.
func TestDigestsAreEqual(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds and runs the program several times")
	}
	plain := build(t, "GOAMD64=v1")
	variants := []variant{
		{"one worker", plain, nil, []string{"--workers", "1"}},
		{"eight workers", plain, nil, []string{"--workers", "8"}},
		{"no memo", plain, nil, []string{"--workers", "8", "--memo", "0"}},
		{"tiny memo", plain, nil, []string{"--workers", "8", "--memo", "1"}},
		{"without fused instructions", plain, []string{"GODEBUG=cpu.fma=off"}, nil},
	}
	if runsV3() {
		fused := build(t, "GOAMD64=v3")
		variants = append(variants, variant{"GOAMD64=v3", fused, nil, nil})
	}
	digests := goldenDigests(t)
	for _, study := range configs.List() {
		t.Run(study, func(t *testing.T) {
			for _, v := range variants {
				d := dataset{t, v, study, t.TempDir()}
				d.run(v.flags...)
				expect(t, digests, study, v.name, d.digest())
			}
			v := variants[0]
			sharded := dataset{t, v, study, t.TempDir()}
			for i := range 7 {
				sharded.run("--shard", fmt.Sprintf("%d/7", i+1))
			}
			expect(t, digests, study, "seven shards", sharded.digest())
			killed := dataset{t, v, study, t.TempDir()}
			killed.runAndKill("--workers", "1", "--memo", "0")
			if killed.digest() == digests[study] {
				t.Error("the run ended before it was killed")
			}
			killed.run()
			expect(t, digests, study, "killed and resumed", killed.digest())
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

// variant is a way to run a plan that must not change a row.
type variant struct {
	name, program string
	env, flags    []string
}

// dataset is a study's small quick plan, run in a folder.
type dataset struct {
	t       *testing.T
	variant variant
	study   string
	dir     string
}

func (d dataset) command(name string, flags ...string) *exec.Cmd {
	arguments := append([]string{name, d.study, "--quick", "--out", d.dir}, flags...)
	c := exec.Command(d.variant.program, arguments...)
	c.Env = append(os.Environ(), d.variant.env...)
	return c
}

// runCommand returns the command that runs the plan; smallStudies must have the study.
func (d dataset) runCommand(flags ...string) *exec.Cmd {
	set, found := smallStudies[d.study]
	if !found {
		d.t.Fatalf("smallStudies does not say how to make %s small", d.study)
	}
	for _, s := range set {
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

// runAndKill starts a run and kills it when some of it is in the dataset.
func (d dataset) runAndKill(flags ...string) {
	d.t.Helper()
	c := d.runCommand(flags...)
	if err := c.Start(); err != nil {
		d.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case err := <-ended:
			d.t.Fatalf("the run ended before it was killed: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
		committed, err := filepath.Glob(filepath.Join(d.dir, "quick", "*", "runs", "*.parquet"))
		if err != nil {
			d.t.Fatal(err)
		}
		if len(committed) > 0 {
			break
		}
	}
	if err := c.Process.Kill(); err != nil {
		d.t.Fatal(err)
	}
	<-ended
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
