//go:build unix

// A sweep on a real Slurm cluster of this machine: tasks are killed, requeued and stopped before a
// time limit, and the digest equals that of one process.

package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
)

// slurmStudy takes a few seconds, so that tests can kill its tasks.
const slurmStudy = `study: mine
model: coallocation
title: Mine
set: {requests: 12000}
factors:
  start: [1A, 1B, 1C, 1D]
experiments:
  cost: {cross: start, rounds: 20}
`

// slurm is a private cluster of one node, with a folder for jobs.
type slurm struct {
	t      *testing.T
	folder string
	conf   string // path of the cluster's configuration
}

// startSlurm starts a cluster, which ends with the test or with the process of the test.
func startSlurm(t *testing.T) *slurm {
	t.Helper()
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	programs := []string{"bash", "munged", "slurmctld", "slurmd", "sbatch", "squeue", "sinfo", "scontrol", "scancel"}
	for _, program := range programs {
		if _, err := exec.LookPath(program); err == nil {
			continue
		}
		if os.Getenv("GRIDSWEEP_REQUIRE_SLURM") != "" {
			t.Fatalf("there is no %s, and GRIDSWEEP_REQUIRE_SLURM is set", program)
		}
		t.Skipf("there is no %s: nothing is tested on a real cluster; on Debian apt-get install slurmctld slurmd "+
			"slurm-client "+
			"munge slurm-wlm-basic-plugins", program)
	}
	// with a short name: that of a socket has at most 107 characters
	dir, err := os.MkdirTemp("", "slurm")
	if err != nil {
		t.Fatal(err)
	}
	startCluster(t, "slurm.sh", dir)
	s := &slurm{t: t, folder: filepath.Join(dir, "it's 100% #1"), conf: filepath.Join(dir, "slurm.conf")}
	if err := os.Mkdir(s.folder, 0o777); err != nil {
		t.Fatal(err)
	}
	return s
}

// startCluster starts a cluster of four processors in a folder by a script of testdata, and returns
// its first port. It ends with the test or with the process of the test, and the folder is removed.
func startCluster(t *testing.T, script, dir string) (port int) {
	t.Helper()
	port = freePorts(t)
	cluster := exec.Command("bash", filepath.Join("testdata", script), dir, fmt.Sprint(port), "4")
	// ctrl-C ends the test, which ends the cluster
	cluster.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var messages strings.Builder
	cluster.Stderr = &messages
	stdin, err := cluster.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cluster.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cluster.Start(); err != nil {
		t.Fatal(err)
	}
	ready, _ := bufio.NewReader(stdout).ReadString('\n')
	t.Cleanup(func() {
		stdin.Close()
		if err := cluster.Wait(); err != nil {
			t.Errorf("the cluster ends with %v\n%s", err, messages.String())
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if ready != "ready\n" {
		t.Fatal("no cluster")
	}
	return port
}

// freePorts returns the first of two consecutive free ports of this machine.
func freePorts(t *testing.T) int {
	t.Helper()
	for range 100 {
		first, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := first.Addr().(*net.TCPAddr).Port
		second, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+1))
		first.Close()
		if err == nil {
			second.Close()
			return port
		}
	}
	t.Fatal("no two free ports beside each other")
	return 0
}

// run runs a command of the cluster in the shared folder, and returns what it prints and its exit
// code.
func (s *slurm) run(command string, args ...string) (text string, code int) {
	s.t.Helper()
	c := exec.Command(command, args...)
	c.Dir = s.folder
	c.Env = append(os.Environ(), "SLURM_CONF="+s.conf)
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// must is run for a command that must succeed.
func (s *slurm) must(command string, args ...string) string {
	s.t.Helper()
	text, code := s.run(command, args...)
	if code != 0 {
		s.t.Fatalf("%s %s: exit code %d\n%s", command, strings.Join(args, " "), code, text)
	}
	return text
}

// digest returns the digest of the study's dataset below a folder of results.
func (s *slurm) digest(gridsweep, out string) string {
	s.t.Helper()
	return strings.Fields(s.must(gridsweep, "digest", "mine.yaml", "--out", out))[0]
}

// program copies the test program, which is gridsweep under that name, and appends text to change
// its checksum.
func (s *slurm) program(name, added string) string {
	s.t.Helper()
	here, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	from, err := os.Open(here)
	if err != nil {
		s.t.Fatal(err)
	}
	defer from.Close()
	path := filepath.Join(s.folder, name, "gridsweep")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		s.t.Fatal(err)
	}
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o777)
	if err != nil {
		s.t.Fatal(err)
	}
	_, err = io.Copy(to, io.MultiReader(from, strings.NewReader(added)))
	if err := errors.Join(err, to.Close()); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// submit submits with the program and returns the folder of the submission and its two jobs.
func (s *slurm) submit(program string, args ...string) (dir string, jobs batch.Submitted) {
	s.t.Helper()
	text := s.must(program, append([]string{"submit", "mine.yaml"}, args...)...)
	match := regexp.MustCompile(`(?m)^(\S+/submitted/[0-9a-f]{12}): `).FindStringSubmatch(text)
	if match == nil {
		s.t.Fatalf("submit says\n%s", text)
	}
	dir = filepath.Join(s.folder, match[1])
	all, err := batch.ReadSubmitted(dir)
	if err != nil || len(all) == 0 {
		s.t.Fatalf("jobs %v, error %v", all, err)
	}
	return dir, all[len(all)-1]
}

// atWork waits until a task of the job is at work on the study below a folder of results, and
// returns its heartbeat.
func (s *slurm) atWork(out, job string) pipeline.Heartbeat {
	s.t.Helper()
	var found pipeline.Heartbeat
	s.until("a task of job "+job+" is at work", func() bool {
		processes, err := pipeline.Heartbeats(filepath.Join(s.folder, out, "mine", "running"))
		if err != nil {
			s.t.Fatal(err)
		}
		for _, process := range processes {
			if strings.HasPrefix(process.Job, "slurm "+job+"_") && syscall.Kill(process.PID, 0) == nil {
				found = process
				return true
			}
		}
		return false
	})
	return found
}

// until waits up to two minutes for a condition.
func (s *slurm) until(what string, happens func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !happens(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			queue, _ := s.run("squeue", "--array")
			s.t.Fatalf("waited two minutes until %s\n%s", what, queue)
		}
	}
}

// ended waits for the end of a job and returns the largest number of its tasks that ran at once.
func (s *slurm) ended(job string) (most int) {
	s.t.Helper()
	s.until("job "+job+" has ended", func() bool {
		left, _ := s.run("squeue", "--noheader", "--array", "--format=%T", "--jobs="+job)
		most = max(most, strings.Count(left, "RUNNING"))
		isLeft := func(state string) bool { return strings.Contains(left, state) }
		return !slices.ContainsFunc([]string{"RUNNING", "PENDING", "COMPLETING"}, isLeft)
	})
	return most
}

// exitCode returns the exit code and signal of a job or task that has ended in Slurm's notation,
// such as 130:0.
func (s *slurm) exitCode(job string) string {
	s.t.Helper()
	var code string
	s.until("job "+job+" has an exit code", func() bool {
		text := s.must("scontrol", "show", "job", job)
		code = regexp.MustCompile(`ExitCode=(\S+)`).FindStringSubmatch(text)[1]
		return !strings.Contains(text, "JobState=RUNNING") && !strings.Contains(text, "JobState=COMPLETING")
	})
	return code
}

// A sweep on a real cluster, with killed and stopped tasks, has the digest of one process.
func TestSweepOnSlurm(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: starts a cluster")
	}
	s := startSlurm(t)
	gridsweep := s.program("bin", "")
	if err := os.WriteFile(filepath.Join(s.folder, "mine.yaml"), []byte(slurmStudy), 0o666); err != nil {
		t.Fatal(err)
	}
	s.must(gridsweep, "run", "mine.yaml", "--out", "alone")
	want := s.digest(gridsweep, "alone")

	s.killedTask(gridsweep, want)
	s.timeLimit(gridsweep, want)
}

// killedTask kills one of five tasks and has Slurm run it again.
func (s *slurm) killedTask(gridsweep, want string) {
	t := s.t
	dir, jobs := s.submit(gridsweep, "--shards", "12", "--max-running", "2", "--time", "10", "--out", "all")
	submission, err := pipeline.ReadSubmission(filepath.Join(dir, "plan.json"))
	if err != nil || submission.Shards != 12 || submission.Tasks != 5 {
		t.Fatalf("submission %+v, error %v, want 12 shards in 5 tasks", submission, err)
	}
	killed := s.atWork("all", jobs.Array.ID)
	if err := syscall.Kill(killed.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	task := strings.TrimPrefix(killed.Job, "slurm ")
	if code := s.exitCode(task); code != "0:9" {
		t.Errorf("the killed task has exit code %s, want 0:9", code)
	}
	s.must("scontrol", "requeue", task)
	// otherwise Slurm waits for two minutes
	s.must("scontrol", "update", "jobid="+task, "StartTime=now")
	if most := s.ended(jobs.Array.ID); most > 2 {
		t.Errorf("%d tasks run at a time, want at most 2", most)
	}
	s.ended(jobs.Finish.ID)
	if code := s.exitCode(jobs.Finish.ID); code != "0:0" {
		t.Errorf("the last job has exit code %s, want 0:0", code)
	}
	logs, err := filepath.Glob(filepath.Join(dir, "logs", "*.log"))
	if err != nil || len(logs) != 6 {
		t.Errorf("logs %v, error %v, want those of 5 tasks and of the last job", logs, err)
	}
	if have := s.digest(gridsweep, "all"); have != want {
		t.Errorf("digest %s, want that of one process, %s", have, want)
	}
	page, err := os.ReadFile(filepath.Join(s.folder, "all", "mine", "report.html"))
	if err != nil || !strings.Contains(string(page), "Mine") {
		t.Errorf("no report: %v", err)
	}
	s.refusals(gridsweep, filepath.Join(dir, "plan.json"))
}

// refusals checks that tasks refuse another program, other settings and other experiments than were
// submitted.
func (s *slurm) refusals(gridsweep, plan string) {
	for _, c := range []struct {
		program string
		args    []string
		want    string
	}{
		{s.program("another", "\n"), nil, "mine is not what was submitted: the program was gridsweep "},
		{gridsweep, []string{"--set", "requests=5999"}, "mine is not what was submitted: the plan's checksum was "},
		{gridsweep, []string{"--experiment", "coast"}, "no experiment"},
	} {
		args := append([]string{"run", "mine.yaml", "--plan", plan, "--shard", "1/12", "--out", "refused"}, c.args...)
		if text, code := s.run(c.program, args...); code != exitUsage || !strings.Contains(text, c.want) {
			s.t.Errorf("%v: exit code %d, want %d and %q\n%s", c.args, code, exitUsage, c.want, text)
		}
	}
	if _, err := os.Stat(filepath.Join(s.folder, "refused")); err == nil {
		s.t.Error("the folder was written")
	}
}

// timeLimit sends a task the signal that Slurm sends before the time limit, and submits the missing
// runs.
func (s *slurm) timeLimit(gridsweep, want string) {
	t := s.t
	dir, jobs := s.submit(gridsweep, "--shards", "2", "--out", "limit")
	s.must("scancel", jobs.Finish.ID) // it would wait for late files
	signalled := s.atWork("limit", jobs.Array.ID)
	task := strings.TrimPrefix(signalled.Job, "slurm ")
	s.must("scancel", "--batch", "--signal=USR1", task)
	s.ended(jobs.Array.ID)
	if code := s.exitCode(task); code != "130:0" {
		t.Errorf("the task with the signal has exit code %s, want 130:0", code)
	}
	log, err := os.ReadFile(filepath.Join(dir, "logs", task+".log"))
	advice := "submit them with\n    gridsweep submit mine.yaml --out limit --missing\n"
	if err != nil || !strings.Contains(string(log), advice) {
		t.Errorf("the log of the task with the signal is %q, error %v, want %q", log, err, advice)
	}
	text := s.must(gridsweep, "status", "mine.yaml", "--out", "limit", "--format", "json")
	var statuses []struct{ Done, Missing, Failed int }
	if err := json.Unmarshal([]byte(text), &statuses); err != nil {
		t.Fatal(err)
	}
	if status := statuses[0]; status.Done == 0 || status.Missing == 0 || status.Failed > 0 {
		t.Errorf("after the limit the runs are %+v, want some done and some missing", status)
	}
	rest, jobs := s.submit(gridsweep, "--shards", "2", "--out", "limit", "--missing")
	if rest == dir {
		t.Error("the submission of missing runs has the plan file of all runs")
	}
	s.ended(jobs.Finish.ID)
	if have := s.digest(gridsweep, "limit"); have != want {
		t.Errorf("digest %s, want that of one process, %s", have, want)
	}
}
