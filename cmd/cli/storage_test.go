//go:build unix

// Tasks without a shared folder: each copies its files to an object store by the commands of
// docs/how-to/share-results.md, and the report job copies them down. The store is a server of S3 on
// this machine, the client that of AWS.

package cli

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestObjectStorage(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: starts a server")
	}
	t.Parallel()
	programs := os.Getenv("GRIDSWEEP_S3")
	if programs == "" {
		t.Skip("GRIDSWEEP_S3 is not set: the folder with the programs moto_server and aws, such as the folder bin after " +
			"python3 -m venv, pip install 'moto[server]' awscli")
	}
	dir := t.TempDir()
	address := startStore(t, filepath.Join(programs, "moto_server"))
	environment := append(os.Environ(), "AWS_ENDPOINT_URL="+address, "AWS_ACCESS_KEY_ID=test",
		"AWS_SECRET_ACCESS_KEY=test", "AWS_DEFAULT_REGION=us-east-1", "HOME="+dir,
		"PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	command := func(folder, script string) *exec.Cmd {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		c := exec.Command("sh", "-ec", script)
		c.Dir, c.Env = folder, environment
		return c
	}
	run := func(folder, script string) string {
		t.Helper()
		text, err := command(filepath.Join(dir, folder), script).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", script, err, text)
		}
		return string(text)
	}
	const page = "../../docs/how-to/share-results.md"
	const study = "coallocation --quick --set requests=100"
	// task returns the commands of a task of the page for a shard.
	task := func(shard int, folder string) string {
		return strings.NewReplacer("mornings/mornings.yaml", study, "--shard 1/20", fmt.Sprintf("--shard %d/3", shard),
			"/tmp/task/mornings", folder+"/quick/coallocation", "/tmp/task", folder, "s3://bucket/mornings", "s3://bucket/quick",
		).Replace(blockWith(t, page, "--shard 1/20"))
	}
	report := strings.NewReplacer("--complete", "--complete=1s", "mornings/mornings.yaml", study,
		"s3://bucket/mornings", "s3://bucket/quick", "out/mornings", "out/quick/coallocation",
	).Replace(blockWith(t, page, "aws s3 cp --recursive s3://"))

	run("alone", "gridsweep run "+study)
	run("store", "aws s3 mb s3://bucket")
	run("first", task(1, filepath.Join(dir, "first")))
	run("third", task(3, filepath.Join(dir, "third")))

	// A task is killed before it copies its files; the report job does not report.
	killed := command(filepath.Join(dir, "killed"), "exec gridsweep run "+study+" --shard 2/3 --out killed")
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait() // the error is the kill
	if text, err := command(filepath.Join(dir, "early"), report).CombinedOutput(); err == nil {
		t.Errorf("the report job ends well without the runs of a task:\n%s", text)
	}

	// The scheduler starts it anew on another host, whose disk is empty. Copying twice changes
	// nothing.
	again := task(2, filepath.Join(dir, "second"))
	run("second", again)
	run("second", again)
	if text := run("report", report); !strings.Contains(text, "report: out/quick/coallocation/report.html") {
		t.Errorf("the report job prints\n%s", text)
	}
	digest := func(folder string) string {
		digest, _, _ := strings.Cut(run(folder, "gridsweep digest coallocation --quick"), " ")
		return digest
	}
	if stored, alone := digest("report"), digest("alone"); stored != alone {
		t.Errorf("digest %s of the files of the store, %s of one process", stored, alone)
	}
}

// startStore starts a server of S3 and returns its address. It ends with the test.
func startStore(t *testing.T, program string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(address)
	server := exec.Command(program, "-H", "127.0.0.1", "-p", port)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait() // the error is the kill
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if connection, err := net.Dial("tcp", address); err == nil {
			_ = connection.Close()
			return "http://" + address
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not listen on %s", program, address)
		}
	}
}
