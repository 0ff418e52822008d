//go:build unix

// Benchmarks of whole processes, in processor time and memory.

package cli

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
)

// Whole processes, from start-up to the schedule on disk: the least processor time of ten, and the
// most memory.
func BenchmarkCommand(b *testing.B) {
	program := filepath.Join(b.TempDir(), "gridsweep")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	b.Run("version", func(b *testing.B) { benchmarkCommand(b, program, "version") })

	const nasa, ctc, sdsc = "NASA-iPSC-1993-3.1-cln.swf.gz", "CTC-SP2-1996-3.1-cln.swf.gz", "SDSC-SP2-1998-4.2-cln.swf.gz"
	for _, c := range []struct{ name, file, policy, estimates string }{
		{"NASA/easy", nasa, "easy", "exact"},
		{"NASA/conservative:fixed", nasa, "conservative:fixed", "exact"},
		{"lublin_256/conservative", "lublin_256.swf.gz", "conservative", "exact"},
		{"CTC/easy", ctc, "easy", "user"},
		{"CTC/conservative", ctc, "conservative", "user"},
		{"SDSC/easy", sdsc, "easy", "user"},
		{"SDSC/conservative", sdsc, "conservative", "user"},
		{"LCG/easy", "LCG-2005-1.swf.gz", "easy", "exact"},
	} {
		b.Run(c.name, func(b *testing.B) {
			file := filepath.Join(os.Getenv("GRIDSWEEP_TRACES"), c.file)
			if _, err := os.Stat(file); err != nil {
				b.Skip("GRIDSWEEP_TRACES names no folder that has the trace: ", err)
			}
			benchmarkCommand(b, program, "simulate", file, "--policy", c.policy, "--estimates", c.estimates,
				"--out", filepath.Join(b.TempDir(), "schedule.csv"))
		})
	}
	for _, load := range []float64{0.95, 1.2} {
		file := filepath.Join(b.TempDir(), "lublin.swf")
		for _, policy := range []string{"easy", "conservative:fixed"} {
			b.Run("million/load="+strconv.FormatFloat(load, 'g', -1, 64)+"/"+policy, func(b *testing.B) {
				if _, err := os.Stat(file); err != nil {
					process(b, program, "trace", "generate", "lublin", "--jobs", "1000000", "--procs", "1024",
						"--load", strconv.FormatFloat(load, 'g', -1, 64), "--out", file)
				}
				benchmarkCommand(b, program, "simulate", file, "--policy", policy, "--out", filepath.Join(b.TempDir(),
					"schedule.csv"))
			})
		}
	}
}

// benchmarkCommand runs the program ten times for each iteration.
func benchmarkCommand(b *testing.B, program string, args ...string) {
	least, memory := math.Inf(1), 0.0
	for b.Loop() {
		for range 10 {
			state := process(b, program, args...)
			least = min(least, (state.UserTime() + state.SystemTime()).Seconds())
			if usage, ok := state.SysUsage().(*syscall.Rusage); ok && runtime.GOOS == "linux" {
				memory = max(memory, float64(usage.Maxrss)/1024) // KiB there
			}
		}
	}
	b.ReportMetric(least, "cpu-s")
	b.ReportMetric(memory, "MiB")
}

// process runs the program to its end and returns what it used.
func process(b *testing.B, program string, args ...string) *os.ProcessState {
	b.Helper()
	c := exec.Command(program, args...)
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("%v: %v\n%s", args, err, out)
	}
	return c.ProcessState
}
