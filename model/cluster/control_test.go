// A driver resizes partitions and steps a site through its events: invariants on random workloads,
// and one schedule worked out by hand.

package cluster

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// until processes all events of the site before a second.
func (s *Site) until(now int64) {
	for s.Next() < now {
		at := s.Next()
		s.Finish(at)
		s.Pass(at)
	}
}

func submit(t interface{ Fatal(...any) }, s *Site, now int64, job Job) int {
	s.until(now)
	s.Finish(now)
	number, err := s.Submit(now, job)
	if err != nil {
		t.Fatal(err)
	}
	s.Pass(now)
	return number
}

// Whatever the partitions are resized to, no processor is used twice, reservations are honoured and
// every job runs.
func TestResizedPartitionsKeepTheInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reservations := []Reservation{{From: 30, To: 60, Procs: 4}, {From: 60, To: 90, Procs: 10}}
		order := Order{}
		if rapid.Bool().Draw(t, "priorities") {
			order, _ = ParseOrder("priority")
		}
		placement := rapid.SampledFrom([]Placement{Count, Fixed}).Draw(t, "placement")
		policy, _ := ParsePolicy("easy")
		s, err := New(Config{
			Procs: 10, Shares: []int32{5, 5}, Policy: policy, Pivot: Kept,
			Reservations: reservations, Order: order, Placement: placement,
		})
		if err != nil {
			t.Fatal(err)
		}
		now := int64(0)
		jobs := rapid.IntRange(1, 30).Draw(t, "jobs")
		for range jobs {
			now += rapid.Int64Range(0, 20).Draw(t, "gap")
			run := rapid.Int64Range(1, 40).Draw(t, "run")
			job := Job{
				Run: run, Estimate: run + rapid.Int64Range(0, 10).Draw(t, "early"),
				Procs: rapid.Int32Range(1, 10).Draw(t, "procs"), Partition: rapid.Int32Range(0, 1).Draw(t, "partition"),
			}
			job.Priority = 1 - job.Partition
			submit(t, s, now, job)
			resize := func() {
				first := rapid.Int32Range(0, 10).Draw(t, "share")
				s.Resize(now, []int32{first, 10 - first})
			}
			switch rapid.IntRange(0, 3).Draw(t, "then") {
			case 1:
				s.PlanAll(now, 0, 1)
				s.LimitPivots()
				resize()
			case 2:
				resize()
				s.PlanAll(now, 0)
				s.PlanAll(now, 1)
			case 3:
				s.LimitPivots()
			}
		}
		s.until(Never)
		used := slices.Repeat([]int32{0}, 4000)
		for _, r := range reservations {
			for at := r.From; at < r.To; at++ {
				used[at] += r.Procs
			}
		}
		for number, job := range s.jobs {
			start, end := s.Start(number)
			if start == Never || start < job.Submit || end != start+job.Run {
				t.Fatalf("job %d, submitted at %d for %d s, runs from %d to %d", number, job.Submit, job.Run, start, end)
			}
			for at := start; at < end; at++ {
				if used[at] += job.Procs; used[at] > 10 {
					t.Fatalf("at %d s %d processors are used", at, used[at])
				}
			}
		}
		for q := range 2 {
			present, running := int64(0), int64(0)
			for number, job := range s.jobs {
				if int(job.Partition) == q {
					start, end := s.Start(number)
					present += int64(job.Procs) * (end - job.Submit)
					running += int64(job.Procs) * (end - start)
				}
			}
			if have, ran := s.Work(s.now, q); have != present || ran != running {
				t.Fatalf("partition %d: work %d and %d of running jobs, want %d and %d", q, have, ran, present, running)
			}
		}
	})
}

// ArEbM of the paper by hand: three partitions of a processor each by estimate, each with a kept
// pivot; local jobs come before Grid jobs. Every job needs all three processors.
func TestHigherPriorityReplacesAPivot(t *testing.T) {
	policy, _ := ParsePolicy("easy")
	order, _ := ParseOrder("priority")
	s, err := New(Config{Procs: 3, Policy: policy, Order: order, Pivot: Kept, Boundaries: []int64{1000, 10000}})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		run      int64
		priority int32
		starts   []int64 // booked, of all jobs that have come
	}{
		{500, 1, []int64{0}},
		{400, 0, []int64{0, 500}},                            // the pivot of the first partition
		{2000, 0, []int64{0, 500, 900}},                      // the pivot of the second
		{300, 0, []int64{0, 500, 900, Never}},                // of the first, which has one
		{350, 1, []int64{0, Never, 900, Never, 500}},         // is ahead, and takes its place
		{2500, 0, []int64{0, Never, 900, Never, 500, Never}}, // the second partition has one
		{2600, 1, []int64{0, Never, Never, Never, 500, Never, 850}},
	} {
		submit(t, s, int64(i), Job{Run: c.run, Procs: 3, Priority: c.priority})
		if !slices.Equal(s.starts, c.starts) {
			t.Fatalf("after job %d the starts and bookings are %v, want %v", i, s.starts, c.starts)
		}
	}
	s.until(Never)
	// Job 4 ends at 850. Then jobs 1 and 3 fit nowhere before job 6, and it goes on in the order of
	// arrival.
	if want := []int64{0, 3450, 3850, 5850, 500, 6150, 850}; !slices.Equal(s.starts, want) {
		t.Errorf("the starts are %v, want %v", s.starts, want)
	}
}
