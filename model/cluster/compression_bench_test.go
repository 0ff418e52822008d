// A benchmark of the compression of conservative backfilling, per placement of a waiting job.

package cluster_test

import (
	"slices"
	"testing"

	"gridsweep/model/cluster"
)

// Compression by the user's estimates of a real trace: by definition one placement for each waiting
// job at each second in which a job ends.
func BenchmarkCompression(b *testing.B) {
	const procs = 338
	jobs := readJobs(b, "CTC-SP2-1996-3.1-cln.swf.gz", procs)
	policy, err := cluster.ParsePolicy("conservative")
	if err != nil {
		b.Fatal(err)
	}
	config := cluster.Config{Procs: procs, Policy: policy}
	placements := 0
	for b.Loop() {
		schedule, err := cluster.Simulate(b.Context(), config, jobs)
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		placements += placementsOf(jobs, schedule)
		b.StartTimer()
	}
	b.ReportMetric(float64(placements)/b.Elapsed().Seconds(), "placements/s")
	b.ReportMetric(float64(len(jobs)*b.N)/b.Elapsed().Seconds(), "jobs/s")
}

// placementsOf returns how many jobs wait at the seconds with an end, in sum.
func placementsOf(jobs []cluster.Job, schedule cluster.Schedule) int {
	starts, ends := slices.Sorted(slices.Values(schedule.Start)), slices.Sorted(slices.Values(schedule.End))
	sum, submitted, started := 0, 0, 0
	for _, end := range slices.Compact(ends) {
		for submitted < len(jobs) && jobs[submitted].Submit < end {
			submitted++
		}
		for started < len(starts) && starts[started] < end {
			started++
		}
		sum += submitted - started
	}
	return sum
}
