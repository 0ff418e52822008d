// Starts on two real logs are compared with those of pyss, a simulator by other authors.

package cluster_test

import (
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gridsweep/model/cluster"
	"gridsweep/model/trace"
)

// The schedules of pyss, a simulator in Python by other authors, start by start. Its schedulers
// EasySJBF and EasyPlusPlus made them, run unchanged. A checksum is the SHA-256 of the lines
// job,start of all jobs.
func TestSchedulesArePyssSchedules(t *testing.T) {
	const ctc, sdsc = "CTC-SP2-1996-3.1-cln.swf.gz", "SDSC-SP2-1998-4.2-cln.swf.gz"
	for _, c := range []struct {
		policy, file string
		procs        int32
		checksum     string
	}{
		{"sjbf", ctc, 338, "52d36f51de6e408957cb9f35aff9fc5b08b497bf91cd8ef6736a8dce4698a131"},
		{"sjbf", sdsc, 128, "c4bb0858e0774f683a1bd67b27d597e16321186028e0e73925497e44072a70ae"},
		{"easy++:estimate", ctc, 338, "a7cd2f0429b8c44a48fa74b7593d69c3a8090581956af61823ae4a72fd4717ab"},
		{"easy++:estimate", sdsc, 128, "ae54d61f682b8b11f5bd23c5753286ea78b61d459f0808f6766cb7a045e641c3"},
	} {
		t.Run(c.policy+"/"+c.file, func(t *testing.T) {
			policy, err := cluster.ParsePolicy(c.policy)
			if err != nil {
				t.Fatal(err)
			}
			config := cluster.Config{Procs: c.procs, Policy: policy, Instant: cluster.Each}
			schedule, err := cluster.Simulate(t.Context(), config, readJobsForPyss(t, c.file, c.procs))
			if err != nil {
				t.Fatal(err)
			}
			lines := sha256.New()
			for i, start := range schedule.Start {
				fmt.Fprintf(lines, "%d,%d\n", i+1, start)
			}
			if have := fmt.Sprintf("%x", lines.Sum(nil)); have != c.checksum {
				t.Errorf("the starts have the checksum %s, want %s", have, c.checksum)
			}
		})
	}
}

// readJobsForPyss reads a trace as pyss got it, so that cleaning plays no part: without the jobs
// that have no run time, no processors or more than the machine; in the order of (submit, line),
// the first submitted at 1 s; the processors are the requested ones, else the allocated ones;
// estimates are at least the run times.
func readJobsForPyss(t *testing.T, name string, procs int32) []cluster.Job {
	file, err := os.Open(filepath.Join(os.Getenv("GRIDSWEEP_TRACES"), name))
	if err != nil {
		t.Skip("GRIDSWEEP_TRACES names no folder that has the trace: ", err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	records, err := trace.NewReader(unpacked, name, trace.Options{}).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(records, func(a, b trace.Job) int { return cmp.Compare(a.Submit, b.Submit) })
	var jobs []cluster.Job
	for i := range records {
		r := &records[i]
		size := r.ReqProcs
		if size <= 0 {
			size = r.Procs
		}
		if r.Run > 0 && size > 0 && size <= procs {
			jobs = append(jobs, cluster.Job{
				Submit: r.Submit, Run: r.Run, Estimate: max(r.ReqTime, r.Run), Procs: size, User: r.User,
			})
		}
	}
	first := jobs[0].Submit
	for i := range jobs {
		jobs[i].Submit -= first - 1
	}
	return jobs
}
