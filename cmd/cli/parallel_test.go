//go:build unix

// Shards on several hosts by the line of docs/how-to/cluster.md, with GNU parallel and a stand-in
// for ssh.

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// remote runs the command of ssh HOST -- COMMAND on this machine, with the variables that a login
// shell of another host has, and records the host.
const remote = `#!/bin/sh
host=$1
shift
if [ "$1" = -- ]; then shift; fi
echo "$host" >> "HOSTS"
exec env -i HOME="$HOME" PATH="$PATH" SHELL=/bin/sh USER="$(id -un)" sh -c "$*"
`

func TestGNUParallel(t *testing.T) {
	if text, err := exec.Command("parallel", "--version").Output(); err != nil ||
		!strings.HasPrefix(string(text), "GNU parallel") {
		if os.Getenv("GRIDSWEEP_REQUIRE_PARALLEL") != "" {
			t.Fatal("there is no GNU parallel, and GRIDSWEEP_REQUIRE_PARALLEL is set")
		}
		t.Skip("there is no GNU parallel: on Debian apt-get install parallel")
	}
	dir := t.TempDir()
	hosts, ssh := filepath.Join(dir, "hosts"), filepath.Join(dir, "ssh")
	if err := os.WriteFile(ssh, []byte(strings.ReplaceAll(remote, "HOSTS", hosts)), 0o777); err != nil {
		t.Fatal(err)
	}
	run := func(command string) string {
		t.Helper()
		c := exec.Command("sh", "-ec", command)
		c.Dir, c.Env = dir, append(os.Environ(), "PARALLEL_SSH="+ssh, "HOME="+dir, "SHELL=/bin/sh")
		text, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, text)
		}
		return string(text)
	}
	run("gridsweep run coallocation --quick --set requests=100 --out alone")
	alone, _, _ := strings.Cut(run("gridsweep digest coallocation --quick --out alone"), " ")

	line := blockWith(t, "../../docs/how-to/cluster.md", "seq 20 | parallel")
	line = strings.NewReplacer("host1,host2", "2/host1,2/host2", "seq 20", "seq 4", "env/20", "env/4",
		"coallocation", "coallocation --quick --set requests=100").Replace(line)
	run(line)
	if shared, _, _ := strings.Cut(run("gridsweep digest coallocation --quick"), " "); shared != alone {
		t.Errorf("digest %s of two hosts, %s of one process", shared, alone)
	}
	called, err := os.ReadFile(hosts)
	if err != nil || !strings.Contains(string(called), "host1") || !strings.Contains(string(called), "host2") {
		t.Errorf("called hosts %q: %v", called, err)
	}
}

// blockWith returns the block of a page of docs that has a text.
func blockWith(t *testing.T, page, text string) string {
	t.Helper()
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for i, block := range strings.Split(string(content), "```") {
		if i%2 == 1 && strings.Contains(block, text) {
			_, lines, _ := strings.Cut(block, "\n")
			return lines
		}
	}
	t.Fatalf("%s has no block with %q", page, text)
	return ""
}
