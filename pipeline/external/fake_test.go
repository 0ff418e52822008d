// Fakes: the test program as a scheduler, when its first argument is "fake".

package external

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gridsweep/model/cluster"
	"gridsweep/model/cluster/protocol"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "fake" {
		fake(os.Args[2], os.Args[3:])
		return
	}
	os.Exit(m.Run())
}

// message is a line to a program.
type message struct {
	Type   string
	Time   int64
	Free   int32
	Procs  int32
	Seed   int64
	Events []struct {
		Type     string
		Job      int64
		Procs    int32
		Estimate int64
	}
}

// queued is a waiting job of a fake.
type queued struct {
	job   int64
	procs int32
}

// fake is first-come-first-served in the protocol. Other answers of the name what come at the
// second pass.
func fake(what string, arguments []string) {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), bufio.NewWriter(os.Stdout)
	passes := 0
	var queue []queued
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if what == "stays" {
				time.Sleep(time.Hour)
			}
			return
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			fmt.Fprintln(os.Stderr, "fake:", err)
			os.Exit(9)
		}
		if m.Type == "machine" {
			fmt.Fprintln(out, greetingOf(what, m))
			out.Flush()
			continue
		}
		if passes++; passes == 2 {
			if misbehave(what, arguments, m.Time, out) {
				continue
			}
		}
		for _, e := range m.Events {
			if e.Type == "submit" {
				queue = append(queue, queued{e.Job, e.Procs})
			}
		}
		text := strconv.AppendInt([]byte(`{"time":`), m.Time, 10)
		text = append(text, `,"start":[`...)
		for n := 0; len(queue) > 0 && queue[0].procs <= m.Free && what != "never"; n++ {
			if n > 0 {
				text = append(text, ',')
			}
			text = strconv.AppendInt(text, queue[0].job, 10)
			m.Free -= queue[0].procs
			queue = queue[1:]
		}
		out.Write(append(text, "]}\n"...))
		out.Flush()
	}
}

// greetingOf is the answer to the first line.
func greetingOf(what string, m message) string {
	switch what {
	case "slow":
		time.Sleep(time.Hour)
	case "protocol-2":
		return `{"protocol":2}`
	case "no-protocol":
		return `{"name":"fake"}`
	}
	return fmt.Sprintf(`{"protocol":1,"name":"fake","version":"%d"}`, m.Seed)
}

// misbehave answers once in another way, and reports whether it did.
func misbehave(what string, arguments []string, now int64, out *bufio.Writer) bool {
	defer out.Flush()
	switch what {
	case "answer":
		fmt.Fprintln(out, strings.ReplaceAll(arguments[0], "NOW", strconv.FormatInt(now, 10)))
	case "empty":
		fmt.Fprintln(out)
	case "hangs":
		time.Sleep(time.Hour)
	case "crashes":
		fmt.Fprintln(os.Stderr, "first line\nlast words \x1b[31m")
		os.Exit(3)
	case "closes":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "endless":
		for {
			if _, err := out.WriteString(strings.Repeat("x", 1<<16)); err != nil {
				os.Exit(1)
			}
		}
	case "leaves":
		child := exec.Command("sleep", "3600")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(4)
		}
		_ = os.WriteFile(arguments[0], strconv.AppendInt(nil, int64(child.Process.Pid), 10), 0o600)
		return false
	default:
		return false
	}
	return true
}

// four is small jobs on a machine of 4 processors, with two passes before the third job.
var four = []cluster.Job{
	{Submit: 0, Run: 10, Procs: 3}, {Submit: 5, Run: 10, Procs: 2}, {Submit: 6, Run: 30, Procs: 1},
	{Submit: 7, Run: 1, Procs: 1},
}

// asFake resolves the test program as a fake.
func asFake(t testing.TB, limits limits, what string, arguments ...string) (p *Programs, reference string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p = NewPrograms()
	p.limits = limits
	policy := strings.Join(append([]string{"exec:" + filepath.Base(program), "fake", what}, arguments...), " ")
	if reference, err = p.Resolve(t.Context(), policy, filepath.Dir(program)); err != nil {
		t.Fatal(err)
	}
	return p, reference
}

// simulateBy simulates jobs under the program of a reference.
func simulateBy(
	ctx context.Context, programs *Programs, reference string, config cluster.Config, jobs []cluster.Job,
) (cluster.Schedule, error) {
	policy, err := cluster.ParsePolicy(reference)
	if err != nil {
		return cluster.Schedule{}, err
	}
	config.Policy = policy
	return protocol.Simulate(ctx, config, jobs, nil, programs.Open, 7)
}

// simulate simulates the small jobs under a fake.
func simulate(t testing.TB, limits limits, what string, arguments ...string) (cluster.Schedule, error) {
	t.Helper()
	programs, reference := asFake(t, limits, what, arguments...)
	return simulateBy(t.Context(), programs, reference, cluster.Config{Procs: 4}, four)
}
