package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkSimulateCommand runs the whole command but for the start of the process: reading, simulating, measuring,
// printing and writing the schedule as CSV.
func BenchmarkSimulateCommand(b *testing.B) {
	folder := os.Getenv("GRIDSWEEP_TRACES")
	if folder == "" {
		b.Skip("GRIDSWEEP_TRACES names no folder of traces")
	}
	const nasa, ctc, sdsc = "NASA-iPSC-1993-3.1-cln.swf.gz", "CTC-SP2-1996-3.1-cln.swf.gz", "SDSC-SP2-1998-4.2-cln.swf.gz"
	for _, c := range []struct{ name, file, policy, estimates string }{
		{"NASA/easy", nasa, "easy", "exact"},
		{"NASA/conservative:fixed", nasa, "conservative:fixed", "exact"},
		{"lublin_256/easy", "lublin_256.swf.gz", "easy", "exact"},
		{"lublin_256/conservative", "lublin_256.swf.gz", "conservative", "exact"},
		{"CTC/easy", ctc, "easy", "user"},
		{"CTC/conservative", ctc, "conservative", "user"},
		{"SDSC/easy", sdsc, "easy", "user"},
		{"SDSC/conservative", sdsc, "conservative", "user"},
		{"LCG/easy", "LCG-2005-1.swf.gz", "easy", "exact"},
	} {
		b.Run(c.name, func(b *testing.B) {
			file := filepath.Join(folder, c.file)
			if _, err := os.Stat(file); err != nil {
				b.Skip(err)
			}
			args := []string{
				"simulate", file, "--policy", c.policy, "--estimates", c.estimates, "--out", filepath.Join(b.TempDir(), "s.csv"),
			}
			for b.Loop() {
				if err := run(b.Context(), args, nil, io.Discard, io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
