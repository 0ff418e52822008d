//go:build unix

// A sweep on a real Grid Engine cluster of this machine: a task is deleted, the rest is submitted
// again, and the digest equals that of one process.

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestGridEngine(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: starts a cluster")
	}
	t.Parallel()
	for _, program := range []string{"bash", "sge_qmaster", "sge_execd", "qsub", "qconf", "qstat", "qdel"} {
		if _, err := exec.LookPath(program); err == nil && os.Getuid() == 0 {
			continue
		}
		if os.Getenv("GRIDSWEEP_REQUIRE_GRIDENGINE") != "" {
			t.Fatalf("there is no %s or this is not root, and GRIDSWEEP_REQUIRE_GRIDENGINE is set", program)
		}
		t.Skipf("there is no %s or this is not root: nothing is tested on a real Grid Engine; on Debian apt-get install "+
			"gridengine-master gridengine-exec gridengine-client", program)
	}
	dir, err := os.MkdirTemp("", "gridengine")
	if err != nil {
		t.Fatal(err)
	}
	port := startCluster(t, "gridengine.sh", dir)
	folder := filepath.Join(dir, "sweep")
	environment := append(os.Environ(), "SGE_ROOT="+filepath.Join(dir, "root"), "SGE_CELL=default",
		fmt.Sprintf("SGE_QMASTER_PORT=%d", port), fmt.Sprintf("SGE_EXECD_PORT=%d", port+1))
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "mine.yaml"), []byte(slurmStudy), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(command string, args ...string) string {
		t.Helper()
		c := exec.Command(command, args...)
		c.Dir, c.Env = folder, environment
		text, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", command, args, err, text)
		}
		return string(text)
	}
	ended := func(job string) {
		t.Helper()
		isListed := regexp.MustCompile(`(?m)^ *` + job + ` `).MatchString
		for deadline := time.Now().Add(3 * time.Minute); isListed(run("qstat")); time.Sleep(200 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("jobs do not end\n%s", run("qstat", "-f"))
			}
		}
	}
	logs := func(pattern string) (text string) {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(folder, "out", "submitted", "*", "logs", pattern))
		for _, file := range files {
			var log []byte
			if log, err = os.ReadFile(file); err != nil {
				break
			}
			text += string(log)
		}
		if err != nil || text == "" {
			t.Fatalf("logs %s: %v, %v", pattern, files, err)
		}
		return text
	}

	submit := []string{"submit", "mine.yaml", "--to", "gridengine", "--shards", "4", "--time", "10", "--mem", "200M"}
	printed := run("gridsweep", append(submit, "--workers", "2", "--max-running", "1")...)
	match := regexp.MustCompile(`job (\d+) is the array, job (\d+) checks`).FindStringSubmatch(printed)
	if match == nil {
		t.Fatalf("submit prints\n%s", printed)
	}
	run("qdel", match[1]+".4") // waits, since one task runs at a time
	ended(match[1])
	run("qdel", match[2]) // it would wait for late files
	ended(match[2])
	if text := run("gridsweep", "status", "mine.yaml"); !strings.Contains(text, "60 of 80 runs done, 20 missing") {
		t.Errorf("after the array, status prints\n%s", text)
	}
	run("gridsweep", append(submit, "--missing")...)
	ended("4")
	if text := logs("finish.4.log"); !strings.Contains(text, "80 of 80 runs done") ||
		!strings.Contains(text, "report: out/mine/report.html") {
		t.Errorf("the second finish job prints\n%s", text)
	}
	digest := func(out string) string {
		digest, _, _ := strings.Cut(run("gridsweep", "digest", "mine.yaml", "--out", out), " ")
		return digest
	}
	run("gridsweep", "run", "mine.yaml", "--out", "alone")
	if cluster, alone := digest("out"), digest("alone"); cluster != alone {
		t.Errorf("digest %s on the cluster, %s of one process", cluster, alone)
	}
}
