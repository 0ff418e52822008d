// A site that adopts the waiting and running jobs of another one is compared with that site, start
// by start, on random workloads.

package cluster

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model/profile"
)

// adoptAll makes a site of what is waiting or running on another one after its pass at now, with
// times counted from there. It returns the number that each job has there, -1 for those that have
// ended.
func adoptAll(t *rapid.T, s *Site, now int64) (fork *Site, numbers []int) {
	fork, err := New(s.config)
	if err != nil {
		t.Fatal(err)
	}
	for number, job := range s.jobs {
		numbers = append(numbers, -1)
		start, end := s.starts[number], s.ends[number]
		switch {
		case end <= now:
			continue
		case end != Never: // it runs
			job.Estimate -= now - start
			job.Run -= now - start
			start = now
		}
		if numbers[number], err = fork.Adopt(0, job, start-now, s.Processors(number)); err != nil {
			t.Fatalf("job %d at %d: %v", number, now, err)
		}
	}
	fork.Pass(0)
	return fork, numbers
}

// A simulation that begins in the middle of another one goes on like it, to the processor.
func TestAdoptedJobsGoOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := Config{
			Procs:     rapid.SampledFrom([]int32{4, 10, 70}).Draw(t, "machine"),
			Placement: rapid.SampledFrom([]Placement{Count, Fixed}).Draw(t, "placement"),
			Overrun:   rapid.SampledFrom([]Overrun{Kill, Raise}).Draw(t, "overrun"),
		}
		var err error
		policy := rapid.SampledFrom([]string{"conservative", "conservative:fixed"}).Draw(t, "policy")
		if config.Policy, err = ParsePolicy(policy); err != nil {
			t.Fatal(err)
		}
		order := rapid.SampledFrom([]string{"arrival", "shortest", "priority"}).Draw(t, "order")
		if config.Order, err = ParseOrder(order); err != nil {
			t.Fatal(err)
		}
		if config.Placement == Fixed {
			config.Boundaries = rapid.SampledFrom([][]int64{nil, {12}}).Draw(t, "boundaries")
		}
		whole, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		var fork *Site
		var numbers []int
		now, split := int64(0), int64(0)
		jobs := rapid.IntRange(1, 30).Draw(t, "jobs")
		at := rapid.IntRange(0, jobs-1).Draw(t, "fork after")
		for i := range jobs {
			now += rapid.Int64Range(0, 8).Draw(t, "gap")
			job := Job{
				Run: rapid.Int64Range(1, 20).Draw(t, "run"), Estimate: rapid.Int64Range(1, 25).Draw(t, "estimate"),
				Procs: rapid.Int32Range(1, config.Procs).Draw(t, "procs"), Priority: rapid.Int32Range(0, 1).Draw(t, "priority"),
			}
			// else what is left of an estimate makes a job another partition's
			if len(config.Boundaries) > 0 {
				job.Run, job.Estimate = min(job.Run, 11), min(job.Estimate, 11)
			}
			submit(t, whole, now, job)
			if fork != nil {
				numbers = append(numbers, submit(t, fork, now-split, job))
			}
			if i == at {
				split = now
				fork, numbers = adoptAll(t, whole, now)
			}
		}
		whole.until(Never)
		fork.until(Never)
		for number, n := range numbers {
			if n < 0 {
				continue
			}
			start, end := whole.Start(number)
			forkStart, forkEnd := fork.Start(n)
			if max(start, split) != split+forkStart || end != split+forkEnd ||
				!slices.Equal(whole.Processors(number), fork.Processors(n)) {
				t.Fatalf("job %d runs from %d to %d on %b, after the fork at %d from %d to %d on %b", number, start, end,
					whole.Processors(number), split, split+forkStart, split+forkEnd, fork.Processors(n))
			}
		}
	})
}

// A booking that is later than it could be is moved by the next compression, also where the last
// one has moved nothing.
func TestAdoptedJobsAreCompressed(t *testing.T) {
	policy, _ := ParsePolicy("conservative")
	s, err := New(Config{Procs: 4, Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	submit(t, s, 0, Job{Run: 5, Procs: 4})
	submit(t, s, 5, Job{Run: 5, Procs: 4})
	late, err := s.Adopt(5, Job{Run: 5, Procs: 4}, 50, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Pass(5)
	s.until(Never)
	if start, _ := s.Start(late); start != 10 {
		t.Errorf("it starts at %d, want 10", start)
	}
}

func TestWhatCannotBeAdopted(t *testing.T) {
	job, long := Job{Run: 5, Procs: 2}, Job{Run: 2, Estimate: 20, Procs: 2}
	fixed := Config{Procs: 4, Placement: Fixed}
	for name, c := range map[string]struct {
		config     Config
		policy     string
		job        Job
		start      int64
		processors profile.Set
		want       string // in the error
	}{
		"policy":     {Config{Procs: 4}, "easy", job, 10, nil, "policy easy does not book"},
		"overrun":    {Config{Procs: 4, Overrun: RunOn}, "conservative", job, 10, nil, "an overrun of kill or raise"},
		"job":        {Config{Procs: 4}, "conservative", Job{Run: 5, Procs: 5}, 10, nil, "the machine has 4"},
		"partitions": {Config{Procs: 4, Shares: []int32{2, 2}}, "conservative", job, 10, nil, "2 partitions"},
		"past":       {Config{Procs: 4}, "conservative", job, 2, nil, "booked to start at 2 s, want 3 to "},
		"never":      {Config{Procs: 4}, "conservative", job, Never - MaxSeconds, nil, "s, want 3 to "},
		"named":      {Config{Procs: 4}, "conservative", job, 30, profile.Set{0b11}, "name none"},
		"taken":      {Config{Procs: 4}, "conservative", job, 16, nil, "2 processors are not free from 16 to 21 s"},
		"unnamed":    {fixed, "conservative", job, 30, nil, "want 2 in 1"},
		"too many":   {fixed, "conservative", job, 30, profile.Set{0b111}, "want 2 in 1"},
		"two words":  {fixed, "conservative", job, 30, profile.Set{0b11, 0}, "in 2 words, want 2 in 1"},
		"foreign":    {fixed, "conservative", job, 30, profile.Set{0b10001}, "processor 4 is not"},
		"one is taken": {fixed, "conservative", job, 16, profile.Set{0b1100},
			"processor 2 is not free from 16 to 21 s"},
		"by estimate": {fixed, "conservative", long, 3, profile.Set{0b1100},
			"processor 2 is not free from 3 to 23 s"},
	} {
		t.Run(name, func(t *testing.T) {
			c.config.Policy, _ = ParsePolicy(c.policy)
			s, err := New(c.config)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Reserve(Reservation{20, 21, 3}); err != nil { // processors 0 to 2
				t.Fatal(err)
			}
			_, err = s.Adopt(3, c.job, c.start, c.processors)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want one with %q", err, c.want)
			}
			free := []profile.Slot{{From: 3, To: 20, Free: 4}, {From: 20, To: 21, Free: 1}, {From: 21, To: Never, Free: 4}}
			if diff := cmp.Diff(free, slices.Collect(s.Slots(3, Never))); diff != "" || len(s.jobs) > 0 {
				t.Errorf("it left something behind: %d jobs, %s", len(s.jobs), diff)
			}
		})
	}
}

// The last second in which a job may be booked leaves it an end, whatever its estimate.
func TestAdoptedLast(t *testing.T) {
	policy, _ := ParsePolicy("conservative:fixed")
	s, err := New(Config{Procs: 4, Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	number, err := s.Adopt(0, Job{Run: MaxSeconds, Procs: 4}, Never-MaxSeconds-1, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.until(Never)
	if _, end := s.Start(number); end != Never-1 {
		t.Errorf("it ends at %d, want %d", end, Never-1)
	}
}

// Only what has particular processors has any to show.
func TestProcessors(t *testing.T) {
	policy, _ := ParsePolicy("conservative")
	for placement, want := range []profile.Set{Count: nil, Fixed: {0b11}} {
		s, err := New(Config{Procs: 4, Policy: policy, Placement: Placement(placement)})
		if err != nil {
			t.Fatal(err)
		}
		number, err := s.Submit(0, Job{Run: 5, Procs: 2})
		if err != nil {
			t.Fatal(err)
		}
		if before := s.Processors(number); before != nil {
			t.Errorf("before the pass it has %b", before)
		}
		s.Pass(0)
		if have := s.Processors(number); !slices.Equal(want, have) {
			t.Errorf("it has %b, want %b", have, want)
		}
	}
}
