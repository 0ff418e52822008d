// Commands on traces: errors of flags, full disks, interruption, and hostile texts in traces, of
// which nothing unprintable may be printed.

package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"gridsweep/model/trace"
	"gridsweep/pipeline/traces"
)

// Wrong flags are errors before the trace is opened, and nothing is printed on standard output.
func TestWrongUsageOfTraces(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"stats", "--format", "xml"}, "--format xml: write table, json or csv"},
		{[]string{"stats", "--plot", ""}, "--plot: is empty; name a folder"},
		{[]string{"stats", "--in-format", "csv"}, `--in-format: unknown format "csv": it must be swf or gwf`},
		{[]string{"stats", "--procs", "-1"}, "--procs -1: write a number from 1"},
		{[]string{"stats", "--procs", "99999999999"}, "--procs 99999999999: write a number from 1"},
		{[]string{"stats", "--months", "0-3"}, "--months 0-3: write the first and the last"},
		{[]string{"stats", "--months", "4-3"}, "--months 4-3: write"},
		{[]string{"stats", "--months", "1-2-3"}, "--months 1-2-3: write"},
		{[]string{"stats", "--months", "1", "--to", "5"}, "--months 1 does not go with --from and --to"},
		{[]string{"stats", "--from", "1y"}, "--from 1y: write a whole number of seconds"},
		{[]string{"stats", "--from", "-1"}, "--from -1: write"},
		{[]string{"stats", "--from", "d"}, "--from d: write"},
		{[]string{"stats", "--from", "1d", "--to", "24h"}, "--to 24h: write a time after --from"},
		{[]string{"stats", "--to", "0"}, "--to 0: write a time after --from"},
		{[]string{"stats", "--scale-arrivals", "0"}, "--scale-arrivals 0: write a number above 0"},
		{[]string{"stats", "--scale-runtimes", "NaN"}, "--scale-runtimes NaN: write a number above 0"},
		{[]string{"stats", "--status", "done"}, "--status done: write numbers"},
	} {
		var out, err strings.Builder
		args := append([]string{"trace", c.args[0], "missing.swf"}, c.args[1:]...)
		if code := exitCode(execute(t.Context(), args, nil, &out, &err)); code != exitUsage {
			t.Errorf("%q: exit code %d, want %d", c.args, code, exitUsage)
		}
		if !strings.Contains(err.String(), c.want) || out.Len() > 0 {
			t.Errorf("%q: the error does not have %q:\n%s%s", c.args, c.want, err.String(), out.String())
		}
	}
}

func TestFullDiskForTraces(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no full device: ", err)
	}
	defer full.Close()
	log := filepath.Join(t.TempDir(), "log.swf")
	if err := os.WriteFile(log, []byte("1 0 -1 600 4 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"trace"}, {"trace", "stats", log}, {"trace", "stats", log, "--format", "csv"}, {"trace", "stats", log, "--format",
			"json"},
		{"trace", "convert", log, "-", "--as", "gwf"},
	} {
		var messages strings.Builder
		err := execute(t.Context(), args, nil, full, &messages)
		const want = "gridsweep: cannot write to standard output: no space left on device\n"
		if exitCode(err) != exitFailed || strings.Count(messages.String(), want) != 1 {
			t.Errorf("%q: exit code %d, says\n%s", args, exitCode(err), messages.String())
		}
	}
}

// Writing ends when the context is done.
func TestConvertInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var text strings.Builder
	l := traces.Trace{Format: trace.SWF, Header: &trace.Header{}, Jobs: make([]trace.Job, 10)}
	err := l.Write(ctx, &text, "-")
	if !errors.Is(err, context.Canceled) || text.Len() > 0 {
		t.Errorf("error %v after %d bytes", err, text.Len())
	}
}

// Commands print no control characters of a hostile trace or schedule.
func TestHostileTextIsPrintable(t *testing.T) {
	t.Chdir(t.TempDir())
	const evil = "\x1b[31mred\x1b]0;title\a\u202etxet\u009b2J\xff\b"
	swf := "; Computer: " + evil + " SP2\n; MaxProcs: 8\n; Acknowledge: " + evil + "\n;   " + evil + "\n" +
		"1 0 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n"
	gwf := "# Computer: " + evil + "\n# Acknowledge: " + evil + "\n1 0 0 60 4 -1 -1 4 60 -1 1 us\u202eer g a q p " +
		"s\u009b\u202eite" +
		strings.Repeat(" -1", 12) + "\n"
	files := map[string]string{
		"evil.swf": swf, "evil.gwf": gwf, "bad.swf": swf + "2 " + evil + "\n", "schedule.csv": "id," + evil + "\n1,2\n",
		"worse.swf": swf + "2 " + strings.Repeat(evil+" ", 17) + "\n",
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	shown := 0
	for _, command := range []string{
		"trace stats evil.swf", "trace stats evil.swf --format csv", "trace stats evil.swf --format json",
		"trace stats evil.gwf --procs 8", "trace stats evil.gwf --procs 8 --format json",
		"trace stats evil.gwf --procs 8 --site none",
		"simulate evil.swf", "simulate evil.gwf --procs 8 --by user", "simulate evil.swf --format json",
		"trace stats bad.swf",
		"trace stats bad.swf --lenient", "trace stats worse.swf", "trace stats worse.swf --lenient",
		"compare schedule.csv schedule.csv",
		"trace import das2 evil.swf --dir .",
	} {
		var stdout, stderr bytes.Buffer
		_ = execute(t.Context(), strings.Fields(command), nil, &stdout, &stderr)
		text := stdout.String() + stderr.String()
		if strings.Contains(text, "unknown flag") || len(text) == 0 {
			t.Errorf("%s says %q", command, text)
		}
		shown += strings.Count(text, "red")
		for _, r := range text {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Errorf("%s prints %U:\n%q", command, r, text)
				break
			}
		}
	}
	if shown < 5 {
		t.Errorf("texts of the files are shown %d times, want at least 5", shown)
	}
}
