// Tests of the queues of local schedulers, compared with a plain list.

package brokering

import (
	"slices"
	"testing"

	"gridsweep/model/brokering/pool"
	"pgregory.net/rapid"
)

// TestLocalQueueIsAList adds jobs to a queue and to a plain list and removes them. The least needs
// of a chunk must be exactly those of its jobs, else passes skip jobs or visit chunks without need.
func TestLocalQueueIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q localQueue
		var list []queued
		number := int32(0)
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			for range rapid.IntRange(0, 3*perChunk).Draw(t, "join") {
				digits := rapid.Int64Range(0, 9999).Draw(t, "digits")
				j := queued{number: number, run: digits / 1000,
					needs: pool.Amount{CPUs: digits / 100 % 10, Memory: digits / 10 % 10, Disk: digits % 10}}
				number++
				q.add(j)
				list = append(list, j)
			}
			checkQueue(t, &q, list)
			shortest, least, most := rapid.Int64Range(0, 9).Draw(t, "shortest"), rapid.Int32Range(0, 4).Draw(t, "least"),
				rapid.IntRange(1, 200).Draw(t, "most")
			leaves := func(j queued) bool { return j.run >= shortest && j.number%5 >= least }
			left := most
			seen := int32(-1)
			q.each(func(c *chunk) (done bool) {
				var gone [perChunk]bool
				for i := 0; i < len(c.jobs) && left > 0; i++ {
					j := &c.jobs[i]
					if j.number <= seen {
						t.Fatalf("job %d comes after job %d", j.number, seen)
					}
					seen = j.number
					if leaves(*j) {
						gone[i] = true
						left--
					}
				}
				c.remove(&gone)
				return left == 0
			})
			left = most
			list = slices.DeleteFunc(list, func(j queued) bool {
				if left == 0 || !leaves(j) {
					return false
				}
				left--
				return true
			})
			checkQueue(t, &q, list)
		}
	})
}

// checkQueue compares a queue with a list.
func checkQueue(t *rapid.T, q *localQueue, list []queued) {
	var jobs []queued
	for _, c := range q.chunks {
		if len(c.jobs) == 0 || len(c.jobs) > perChunk {
			t.Fatalf("a chunk of %d jobs", len(c.jobs))
		}
		want := chunk{least: c.jobs[0].needs, run: c.jobs[0].run}
		for _, j := range c.jobs {
			want.run = min(want.run, j.run)
			want.least.CPUs = min(want.least.CPUs, j.needs.CPUs)
			want.least.Memory = min(want.least.Memory, j.needs.Memory)
			want.least.Disk = min(want.least.Disk, j.needs.Disk)
		}
		if c.least != want.least || c.run != want.run {
			t.Fatalf("a chunk needs %+v for %d s at least, want %+v for %d", c.least, c.run, want.least, want.run)
		}
		jobs = append(jobs, c.jobs...)
	}
	if !slices.Equal(list, jobs) || q.jobs != len(list) {
		t.Fatalf("%d jobs:\n%v\nwant %d:\n%v", q.jobs, jobs, len(list), list)
	}
}
