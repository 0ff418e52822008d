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
	"whole quick plans that each processor of TestDigestsUnderEmulation runs, in place of a part of a replication of "+
		"each small one: a study, or all")

// emulators are the programs that execute Linux programs for other processors. Go fuses products
// and sums on both and has its own math functions for them; s390x is big-endian.
var emulators = map[string]string{"arm64": "qemu-aarch64", "s390x": "qemu-s390x"}

// The rows of a plan are equal on other processors, which read the data files of this one, as this
// one reads theirs. An emulator takes 5 to 20 times as long: without -emulate the test executes one
// replication of each small plan, of which each of the others has its share.
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
	for _, study := range studies {
		t.Run(study, func(t *testing.T) {
			for i, there := range others {
				flags := []string{"--rounds", "1", "--shard", fmt.Sprintf("%d/%d", i+1, len(others))}
				run := func(v variant) dataset {
					d := dataset{t, v, study, t.TempDir()}
					command := d.command("run")
					if *emulate == "" {
						command = d.runCommand(flags...)
					}
					start := time.Now()
					if text, err := command.CombinedOutput(); err != nil {
						t.Fatalf("%s: %v\n%s", v.name, err, text)
					}
					t.Logf("%-5s %6.1f s", v.name, time.Since(start).Seconds())
					return d
				}
				native, foreign := run(here), run(there)
				digests := map[string]string{study: native.digest()}
				t.Logf("%-5s %s", there.name, digests[study])
				expect(t, digests, study, there.name+", read by "+here.name, foreign.readBy(here).digest())
				expect(t, digests, study, here.name+", read by "+there.name, native.readBy(there).digest())
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
