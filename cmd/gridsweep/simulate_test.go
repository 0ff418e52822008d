package main

import (
	"context"
	"os"
	"strings"
	"testing"
)

// An interrupted simulation says so and leaves no file.
func TestInterruptedSimulation(t *testing.T) {
	t.Chdir(t.TempDir())
	const log = "; MaxProcs: 2\n1 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n"
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, said strings.Builder
	err := run(ctx, []string{"simulate", "-", "--out", "s.csv"}, strings.NewReader(log), &out, &said)
	if exitCode(err) != exitInterrupted || !strings.Contains(said.String(), "interrupted") || out.Len() > 0 {
		t.Errorf("exit code %d, prints %q, says %q", exitCode(err), out.String(), said.String())
	}
	if _, err := os.Stat("s.csv"); err == nil {
		t.Error("a schedule was written")
	}
}
