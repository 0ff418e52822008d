package trace_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model/trace"
	"gridsweep/pipeline/traces"
)

// Every job of the archive's logs is read, strictly, and is the same after it was written. How many jobs there are and
// on which machine is what the archive says.
func TestArchive(t *testing.T) {
	dir := os.Getenv("GRIDSWEEP_TRACES")
	if dir == "" {
		t.Skip("GRIDSWEEP_TRACES names no folder of traces")
	}
	for _, c := range []struct {
		file           string
		jobs           int
		procs          int64
		dropped        int
		load           float64 // of what is left; 0: no published value
		acknowledgment string
	}{
		{"CTC-SP2-1996-3.1-cln.swf.gz", 77_222, 338, 17, 0, "Dan Dwyer and Steve Hotovy"},
		{"SDSC-SP2-1998-4.2-cln.swf.gz", 59_715, 128, 5_681, 0, ""},
		{"NASA-iPSC-1993-3.1-cln.swf.gz", 18_239, 128, 173, 0, "Bill Nitzberg"},
		{"LCG-2005-1.swf.gz", 188_041, 24_515, 521, 0, "Hui Li"},
		{"lublin_256.swf.gz", 10_000, 256, 0, 1.06, "Uri Lublin, Hebrew University"},
	} {
		t.Run(c.file, func(t *testing.T) {
			file, err := traces.Open(filepath.Join(dir, c.file), nil)
			if errors.Is(err, fs.ErrNotExist) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			r := trace.NewReader(file, file.Name(), trace.Options{})
			jobs, err := r.ReadAll()
			if err != nil || len(jobs) != c.jobs {
				t.Fatalf("%d jobs, want %d; error %v", len(jobs), c.jobs, err)
			}
			if procs, _ := r.Header().Procs(); procs != c.procs {
				t.Errorf("%d processors, want %d", procs, c.procs)
			}
			if a := r.Header().Acknowledgement(); c.acknowledgment != "" && a != c.acknowledgment {
				t.Errorf("acknowledgement %q, want %q", a, c.acknowledgment)
			}
			var text bytes.Buffer
			w := trace.NewWriter(&text, trace.SWF, r.Header(), nil)
			for i := range jobs {
				if err := w.Write(&jobs[i]); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			r2 := trace.NewReader(&text, "written", trace.Options{Format: trace.SWF})
			again, err := r2.ReadAll()
			if err != nil || !cmp.Equal(r.Header(), r2.Header()) {
				t.Errorf("header %q became %q, error %v", r.Header().Lines, r2.Header().Lines, err)
			}
			for i := range jobs {
				if again[i] != jobs[i] {
					t.Fatalf("job %d: %s", i, cmp.Diff(jobs[i], again[i]))
				}
			}
			kept, report := trace.Clean(jobs, trace.Rules{Procs: c.procs})
			if len(kept) != c.jobs-c.dropped {
				t.Errorf("%d jobs kept: %+v", len(kept), report)
			}
			if s := trace.Describe(kept, r.Header(), c.procs); c.load > 0 && (*s.Load < c.load-0.005 || *s.Load > c.load+0.005) {
				t.Errorf("offered load %g, want %g", *s.Load, c.load)
			}
		})
	}
}
