package brokering

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLineIsAList lets jobs join and leave a line and a plain list. What is said of a chunk has to be true of its jobs and as
// tight as they allow, else jobs are passed over or looked at in vain.
func TestLineIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := line{spare: new([]chunk)}
		var list []queued
		number := int32(0)
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			for range rapid.IntRange(0, 3*perChunk).Draw(t, "join") {
				digits := rapid.Int64Range(0, 9999).Draw(t, "digits")
				j := queued{number: number, run: digits / 1000, need: need{digits / 100 % 10, digits / 10 % 10, digits % 10}}
				number++
				l.add(j)
				list = append(list, j)
			}
			checkLine(t, &l, list)
			shortest, least, most := rapid.Int64Range(0, 9).Draw(t, "shortest"), rapid.Int32Range(0, 4).Draw(t, "least"), rapid.IntRange(1, 200).Draw(t, "most")
			leaves := func(j queued) bool { return j.run >= shortest && j.number%5 >= least }
			left := most
			seen := int32(-1)
			l.each(func(c *chunk) (taken int, done bool) {
				var gone [perChunk]bool
				for i := 0; i < len(c.jobs) && left > 0; i++ {
					j := &c.jobs[i]
					if j.number <= seen {
						t.Fatalf("job %d comes after job %d", j.number, seen)
					}
					seen = j.number
					if leaves(*j) {
						gone[i] = true
						taken, left = taken+1, left-1
					}
				}
				c.remove(&gone)
				return taken, left == 0
			})
			left = most
			list = slices.DeleteFunc(list, func(j queued) bool {
				if left == 0 || !leaves(j) {
					return false
				}
				left--
				return true
			})
			checkLine(t, &l, list)
		}
	})
}

// checkLine requires a line to be a list.
func checkLine(t *rapid.T, l *line, list []queued) {
	var jobs []queued
	for _, c := range l.chunks {
		if len(c.jobs) == 0 || len(c.jobs) > perChunk {
			t.Fatalf("a chunk of %d jobs", len(c.jobs))
		}
		want := chunk{least: c.jobs[0].need, run: c.jobs[0].run}
		for _, j := range c.jobs {
			want.run = min(want.run, j.run)
			want.least.cpus = min(want.least.cpus, j.need.cpus)
			want.least.memory = min(want.least.memory, j.need.memory)
			want.least.disk = min(want.least.disk, j.need.disk)
		}
		if c.least != want.least || c.run != want.run {
			t.Fatalf("a chunk needs %+v for %d s at least, want %+v for %d", c.least, c.run, want.least, want.run)
		}
		jobs = append(jobs, c.jobs...)
	}
	if !slices.Equal(list, jobs) || l.jobs != len(list) {
		t.Fatalf("%d jobs:\n%v\nwant %d:\n%v", l.jobs, jobs, len(list), list)
	}
}
