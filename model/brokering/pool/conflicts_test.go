// Tests of conflicts: drawn resources one by one, and the order of what is lacking.

package pool

import (
	"testing"

	"pgregory.net/rapid"
)

// TestCountConflictsOneByOne counts the conflicts of a job with each resource by itself.
func TestCountConflictsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(what string) int64 { return rapid.Int64Range(0, 3).Draw(t, what) }
		amount := func() Amount { return Amount{CPUs: number("CPUs"), Memory: number("memory"), Disk: number("disk")} }
		job := Requirement{Clock: number("clock"), Needs: amount()}
		resources := make([]Resource, rapid.IntRange(0, 9).Draw(t, "resources"))
		var want Counts
		for i := range resources {
			resources[i] = Resource{Clock: number("clock"), Free: amount()}
			r := &resources[i]
			conflict := job.Needs.ConflictWith(&r.Free)
			if r.Clock >= job.Clock {
				want[conflict]++
			}
			if fits := r.Clock >= job.Clock && conflict == NoConflict; fits != r.Fits(&job) {
				t.Fatalf("%+v fits %+v: %t, want %t", *r, job, !fits, fits)
			}
		}
		if have := CountConflicts(resources, &job); have != want {
			t.Fatalf("%+v has the conflicts %v with %+v, want %v", job, have, resources, want)
		}
	})
}

// TestConflictIsTheFirstLack has jobs that lack one thing, or several.
func TestConflictIsTheFirstLack(t *testing.T) {
	free := Amount{CPUs: 4, Memory: 4, Disk: 4}
	for _, test := range []struct {
		needs Amount
		want  Conflict
	}{
		{Amount{CPUs: 4, Memory: 4, Disk: 4}, NoConflict},
		{Amount{CPUs: 5, Memory: 5, Disk: 5}, LacksCPUs},
		{Amount{CPUs: 4, Memory: 5, Disk: 5}, LacksMemory},
		{Amount{CPUs: 4, Memory: 4, Disk: 5}, LacksDisk},
	} {
		if have := test.needs.ConflictWith(&free); have != test.want {
			t.Errorf("%+v: conflict %d, want %d", test.needs, have, test.want)
		}
	}
}
