// Processes that are killed at each state of the folders that they write: imports, downloads and
// submissions leave complete files or none, and the same command then succeeds.

package cli

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gridsweep/configs"
	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/traces"
)

// killer kills processes at each state of the folders that they write to: a state is a set of files
// with their sizes.
type killer struct {
	t      *testing.T
	random *rand.Rand
	kills  int // of processes that were still running
}

func newKiller(t *testing.T) *killer {
	if testing.Short() {
		t.Skip("runs in make test-all")
	}
	return &killer{t: t, random: rand.New(rand.NewPCG(9, 3))}
}

// eachState calls kill with the number of the state to kill in, from 1 on, until kill returns false
// since the process ended before that state. It does so three times: without pause after a state,
// then with random ones.
func (k *killer) eachState(kill func(state int, pause time.Duration) bool) {
	for _, longest := range []time.Duration{0, time.Millisecond, 10 * time.Millisecond} {
		for state := 1; kill(state, time.Duration(k.random.Float64()*float64(longest))); state++ {
			k.kills++
		}
	}
}

// kill starts a process and kills it a pause after the folder has changed state times. It returns
// false if the process ended before, which must be without an error. It waits for the processes
// that the killed one started.
func (k *killer) kill(c *exec.Cmd, folder string, state int, pause time.Duration) bool {
	k.t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		k.t.Fatal(err)
	}
	defer func() {
		_, _ = io.Copy(io.Discard, read) // until all processes have closed the other end
		read.Close()
	}()
	c.ExtraFiles = []*os.File{write}
	was := stateOf(k.t, folder)
	err = c.Start()
	write.Close()
	if err != nil {
		k.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				k.t.Fatalf("%s, before it is killed: %v", strings.Join(c.Args, " "), err)
			}
			return false
		default:
		}
		if is := stateOf(k.t, folder); is != was {
			was = is
			state--
		}
		if state == 0 {
			time.Sleep(pause)
			_ = c.Process.Kill() // it may just have ended
			return <-ended != nil
		}
	}
}

// stateOf returns the names and sizes of the files in a folder.
func stateOf(t *testing.T, folder string) string {
	var all strings.Builder
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // it has just been removed
		}
		if info, err := entry.Info(); err == nil && !entry.IsDir() {
			fmt.Fprintln(&all, path, info.Size())
		} else {
			fmt.Fprintln(&all, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// wholeTrace is a trace of 20,000 jobs.
func wholeTrace() []byte {
	text := []byte("; MaxProcs: 338\n")
	for i := range 20_000 {
		text = fmt.Appendf(text, "%d %d -1 60 1 -1 -1 1 60 -1 1 1 1 -1 1 -1 -1 -1\n", i+1, 10*i)
	}
	return text
}

// zipped returns a .zip with a file in it.
func zipped(t *testing.T, name string, content []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	file, err := w.Create(name)
	if err == nil {
		_, err = file.Write(content)
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// checkTrace returns whether the trace is in the folder. If so, it and its record must be complete.
func checkTrace(t *testing.T, dir string, whole []byte) bool {
	t.Helper()
	entry, err := configs.Traces().Find("ctc-sp2")
	if err != nil {
		t.Fatal(err)
	}
	path, err := traces.FindIn(entry, dir)
	if err != nil {
		return false
	}
	if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, whole) {
		t.Fatalf("%s has %d bytes of %d, %v", path, len(have), len(whole), err)
	}
	if _, isRecorded, err := traces.Verify(t.Context(), path); err != nil || !isRecorded {
		t.Fatalf("%s: recorded %t, %v", path, isRecorded, err)
	}
	return true
}

// killTrace kills a command that stores a trace in a folder: at each state in a new folder, and
// repeatedly in the same one. After each kill the trace is complete or missing, and the same
// command succeeds and leaves no other file.
func (k *killer) killTrace(whole []byte, args ...string) {
	k.t.Helper()
	command := func(dir string) *exec.Cmd { return exec.Command("gridsweep", append(args, "--dir", dir)...) }
	finish := func(dir string) {
		k.t.Helper()
		if text, err := command(dir).CombinedOutput(); err != nil {
			k.t.Fatalf("after a kill: %v\n%s", err, text)
		}
		if !checkTrace(k.t, dir, whole) {
			k.t.Fatal("the trace is not there")
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 2 { // the trace and its record
			k.t.Errorf("left in the folder: %v, %v", entries, err)
		}
	}
	k.eachState(func(state int, pause time.Duration) bool {
		dir := k.t.TempDir()
		killed := k.kill(command(dir), dir, state, pause)
		checkTrace(k.t, dir, whole)
		finish(dir)
		return killed
	})
	dir := k.t.TempDir()
	for state := 1; state <= 40; state++ {
		if k.kill(command(dir), dir, 1+k.random.IntN(4), time.Duration(k.random.Float64()*float64(time.Millisecond))) {
			k.kills++
		}
		if checkTrace(k.t, dir, whole) {
			finish(dir)
			dir = k.t.TempDir()
		}
	}
	finish(dir)
}

// An import that is killed leaves the complete trace or none, and the same command succeeds.
func TestKilledImport(t *testing.T) {
	k := newKiller(t)
	whole := wholeTrace()
	for _, file := range []struct {
		name    string
		content []byte
	}{{"log.swf", whole}, {"log.zip", zipped(t, "log.swf", whole)}} {
		path := filepath.Join(t.TempDir(), file.name)
		if err := os.WriteFile(path, file.content, 0o644); err != nil {
			t.Fatal(err)
		}
		k.killTrace(whole, "trace", "import", "ctc-sp2", path)
	}
	t.Logf("%d kills", k.kills)
}

// The same for a fetch, from a server that sends in pieces and can continue a download.
func TestKilledFetch(t *testing.T) {
	k := newKiller(t)
	whole := wholeTrace()
	for _, file := range []struct {
		name    string
		content []byte
	}{{"log.swf", whole}, {"log.zip", zipped(t, "log.swf", whole)}} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"1"`)
			http.ServeContent(inPieces{w, len(file.content) / 5}, r, file.name, time.Time{}, bytes.NewReader(file.content))
		}))
		k.killTrace(whole, "trace", "fetch", "ctc-sp2", "--from", server.URL+"/"+file.name)
		server.Close()
	}
	t.Logf("%d kills", k.kills)
}

// inPieces flushes what is written in pieces.
type inPieces struct {
	http.ResponseWriter
	size int
}

func (w inPieces) Write(body []byte) (n int, err error) {
	for piece := range slices.Chunk(body, w.size) {
		m, err := w.ResponseWriter.Write(piece)
		if n += m; err == nil {
			err = http.NewResponseController(w.ResponseWriter).Flush()
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// A submit that is killed leaves no incomplete file: the plan, the scripts, the records of jobs and
// the scripts in the cluster are complete or missing. The same command submits, and names the jobs
// that were not recorded.
func TestKilledSubmit(t *testing.T) {
	k := newKiller(t)
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	folder := t.TempDir()
	cluster, out := filepath.Join(folder, "cluster"), filepath.Join(folder, "out")
	bin := t.TempDir()
	for name, text := range map[string]string{
		"mine.yaml": "study: mine\nmodel: coallocation\ntitle: Mine\nset: {requests: 50}\nfactors:\n  start: [1A, 1B]\n" +
			"experiments:\n  cost: {cross: start, rounds: 30}\n",
		// The id of a job counts the scripts in the cluster, where a script appears at once.
		bin + "/sbatch": `for last; do :; done
id=$((101 + $(ls "$CLUSTER" | wc -l)))
cp "$last" "$CLUSTER-new" && mv "$CLUSTER-new" "$CLUSTER/$id" && echo $id`,
		bin + "/squeue":   `case "$*" in *--name=*) cd "$CLUSTER" && grep -l '^#SBATCH --array=' *; exit 0;; esac`,
		bin + "/scontrol": "echo MaxArraySize = 1001",
	} {
		path := name
		if filepath.IsAbs(name) {
			text = "#!/bin/bash\n" + text + "\n"
		} else {
			path = filepath.Join(folder, name)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	command := func() *exec.Cmd {
		c := exec.Command("gridsweep", "submit", "mine.yaml", "--shards", "3")
		c.Dir = folder
		c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "CLUSTER="+cluster)
		return c
	}
	reset := func() {
		t.Helper()
		for _, dir := range []string{out, cluster} {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Mkdir(cluster, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	// submitted returns the files of the submission and the recorded jobs, and checks that they are
	// complete.
	submitted := func() (files map[string]string, recorded []batch.Submitted) {
		t.Helper()
		files = map[string]string{}
		dirs, err := filepath.Glob(filepath.Join(out, "submitted", "*"))
		if err != nil || len(dirs) > 1 {
			t.Fatal(dirs, err)
		}
		for _, dir := range dirs {
			for _, name := range []string{"plan.json", "array.sh", "finish.sh"} {
				if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
					files[name] = string(text)
				}
			}
			if files["plan.json"] != "" {
				if _, err := pipeline.ReadSubmission(filepath.Join(dir, "plan.json")); err != nil {
					t.Fatal(err)
				}
			}
			if recorded, err = batch.ReadSubmitted(dir); err != nil {
				t.Fatal(err)
			}
		}
		return files, recorded
	}
	reset()
	if text, err := command().CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want, recorded := submitted()
	if len(want) != 3 || len(recorded) != 1 {
		t.Fatalf("%d files, %d records", len(want), len(recorded))
	}
	orphans := 0
	k.eachState(func(state int, pause time.Duration) bool {
		reset()
		killed := k.kill(command(), folder, state, pause)
		files, recorded := submitted()
		for name, text := range files {
			if text != want[name] {
				t.Fatalf("%s is not whole:\n%s", name, text)
			}
		}
		known := map[string]bool{}
		for _, one := range recorded {
			known[one.Array.ID] = true
		}
		var unrecorded []string
		jobs, err := os.ReadDir(cluster)
		if err != nil {
			t.Fatal(err)
		}
		for _, job := range jobs {
			text, err := os.ReadFile(filepath.Join(cluster, job.Name()))
			if err != nil || string(text) != want["array.sh"] && string(text) != want["finish.sh"] {
				t.Fatalf("the cluster got %q, %v", text, err)
			}
			if string(text) == want["array.sh"] && !known[job.Name()] {
				unrecorded = append(unrecorded, job.Name())
			}
		}
		text, err := command().CombinedOutput()
		if err != nil {
			t.Fatalf("after a kill: %v\n%s", err, text)
		}
		for _, job := range unrecorded {
			orphans++
			if !strings.Contains(string(text), "scancel "+job) {
				t.Errorf("job %s is not named:\n%s", job, text)
			}
		}
		after, again := submitted()
		if len(after) != 3 || len(again) != len(recorded)+1 || again[len(again)-1].Finish == nil {
			t.Fatalf("%d files, %d records after %d", len(after), len(again), len(recorded))
		}
		for name, text := range after {
			if text != want[name] {
				t.Errorf("%s is another:\n%s", name, text)
			}
		}
		return killed
	})
	t.Logf("%d kills, %d arrays that were not recorded", k.kills, orphans)
	if orphans == 0 {
		t.Error("no kill left an array that was not recorded")
	}
}
