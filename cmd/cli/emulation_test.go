// Plans have equal digests on other processors, which QEMU emulates, and each reads the data files
// of the others.

package cli

import (
	"flag"
	"fmt"
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
)

var emulate = flag.String("emulate", "",
	"whole quick plans that TestDigestsUnderEmulation runs in place of a replication of each small one: a study, or all")

// emulators are the programs that execute Linux programs for other processors. Go fuses products
// and sums on both and has its own math functions for them; s390x is big-endian.
var emulators = map[string]string{"arm64": "qemu-aarch64", "s390x": "qemu-s390x"}

// The rows of a plan are equal on other processors, and each reads the data files of the others. An
// emulator takes 5 to 20 times as long: without -emulate the test executes one replication of each
// small plan.
func TestDigestsUnderEmulation(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: builds the program for other processors and runs it")
	}
	t.Parallel()
	studies := emulatedStudies(t)
	var others []variant
	for _, arch := range []string{"arm64", "s390x"} {
		if arch != runtime.GOARCH {
			others = append(others, variant{name: arch, program: emulated(t, arch)})
		}
	}
	here := variant{name: runtime.GOARCH, program: build(t, "GOAMD64=v1")}
	digests := map[string]string{}
	for _, study := range studies {
		t.Run(study, func(t *testing.T) {
			run := func(v variant) dataset {
				d := dataset{t, v, study, t.TempDir()}
				start := time.Now()
				if text, err := d.emulationCommand().CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", v.name, err, text)
				}
				took, digest := time.Since(start), d.digest()
				t.Logf("%-5s %6.1f s  %s", v.name, took.Seconds(), digest)
				expect(t, digests, study, v.name, digest)
				return d
			}
			native := run(here)
			for _, v := range others {
				there := run(v)
				expect(t, digests, study, v.name+", read by "+here.name, there.readBy(here).digest())
				expect(t, digests, study, here.name+", read by "+v.name, native.readBy(v).digest())
			}
		})
	}
}

// emulatedStudies returns the studies of -emulate, by default all.
func emulatedStudies(t *testing.T) (studies []string) {
	t.Helper()
	for _, study := range configs.List() {
		if slices.Contains([]string{"", "all", study, path.Base(study)}, *emulate) {
			studies = append(studies, study)
		}
	}
	if len(studies) == 0 {
		t.Fatalf("-emulate %s: give all or one of %s", *emulate, strings.Join(configs.List(), ", "))
	}
	return studies
}

// emulationCommand returns the command that executes one replication of the study's small quick
// plan, or with -emulate its whole quick plan with workload models.
func (d dataset) emulationCommand() *exec.Cmd {
	if *emulate == "" {
		return d.runCommand("--rounds", "1")
	}
	return d.command("run")
}

// readBy returns the dataset for commands of another variant.
func (d dataset) readBy(v variant) dataset {
	d.variant = v
	return d
}

// emulated compiles the program for another processor and returns the path of a script that
// emulates it. Without an emulator the test is skipped, or fails if GRIDSWEEP_REQUIRE_QEMU is set.
func emulated(t *testing.T, arch string) string {
	t.Helper()
	emulator, err := exec.LookPath(emulators[arch])
	if err != nil {
		if os.Getenv("GRIDSWEEP_REQUIRE_QEMU") != "" {
			t.Fatalf("no %s: install qemu-user", emulators[arch])
		}
		t.Skipf("no %s: install qemu-user to compare with %s", emulators[arch], arch)
	}
	script := filepath.Join(t.TempDir(), arch)
	text := fmt.Sprintf("#!/bin/sh\nexec '%s' '%s' \"$@\"\n", emulator, build(t, "GOARCH="+arch))
	if err := os.WriteFile(script, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	return script
}
