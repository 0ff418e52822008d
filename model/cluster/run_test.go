package cluster

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A job that is run does to the plan what one does that is submitted where nobody waits, and is
// held no longer than it runs.
func TestRunIsASubmitThatStarts(t *testing.T) {
	started, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		config := Config{
			Procs:     rapid.SampledFrom([]int32{4, 10, 70}).Draw(t, "machine"),
			Placement: rapid.SampledFrom([]Placement{Count, Fixed}).Draw(t, "placement"),
			Overrun:   rapid.SampledFrom([]Overrun{Kill, Raise}).Draw(t, "overrun"),
		}
		if config.Placement == Count {
			config.Overrun = rapid.SampledFrom([]Overrun{Kill, RunOn, Raise}).Draw(t, "overrun")
		}
		if config.Overrun != RunOn {
			config.Boundaries = rapid.SampledFrom([][]int64{nil, {5}}).Draw(t, "boundaries")
			config.Reservations = []Reservation{{From: 10, To: 20, Procs: 1}}
		}
		var err error
		policy := rapid.SampledFrom([]string{"fcfs", "easy", "conservative"}).Draw(t, "policy")
		if config.Policy, err = ParsePolicy(policy); err != nil {
			t.Fatal(err)
		}
		queued, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		driven, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		now, most, ends := int64(0), 0, []int64{}
		for range rapid.IntRange(1, 30).Draw(t, "jobs") {
			now += rapid.Int64Range(0, 8).Draw(t, "gap")
			job := Job{
				Run: rapid.Int64Range(1, 20).Draw(t, "run"), Estimate: rapid.Int64Range(0, 25).Draw(t, "estimate"),
				Procs: rapid.Int32Range(1, config.Procs).Draw(t, "procs"),
			}
			for _, s := range []*Site{queued, driven} {
				s.until(now)
				s.Finish(now)
			}
			queued.Pass(now) // looks at what runs on, as a run does by itself
			end, err := driven.Run(now, job)
			if err != nil {
				if queued.EarliestSlot(now, job.Procs, job.planned(config.Overrun)) == now && len(config.Boundaries) == 0 {
					t.Fatalf("at %d: %v", now, err)
				}
				refused++
				continue
			}
			started++
			if start, want := queued.Start(submit(t, queued, now, job)); start != now || end != want {
				t.Fatalf("at %d it runs until %d, where it is submitted from %d until %d", now, end, start, want)
			}
			if diff := cmp.Diff(slices.Collect(queued.Slots(now, Never)), slices.Collect(driven.Slots(now, Never))); diff != "" {
				t.Fatalf("at %d, free (-submitted +run):\n%s", now, diff)
			}
			ends = append(slices.DeleteFunc(ends, func(end int64) bool { return end <= now }), end)
			if most = max(most, len(ends)); len(driven.jobs) > most {
				t.Fatalf("%d jobs are held, of which never more than %d ran", len(driven.jobs), most)
			}
		}
		if driven.Wanted() != 0 || driven.Next() != queued.Next() {
			t.Fatalf("%d processors are wanted, next is %d, want %d", driven.Wanted(), driven.Next(), queued.Next())
		}
	})
	if started == 0 || refused == 0 {
		t.Errorf("%d jobs started and %d did not fit: each of these ought to happen", started, refused)
	}
}

func TestWhatCannotBeRun(t *testing.T) {
	policy, _ := ParsePolicy("conservative")
	site := func() *Site {
		s, err := New(Config{Procs: 4, Policy: policy})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	queued, driven := site(), site()
	submit(t, queued, 0, Job{Run: 5, Procs: 1})
	if _, err := driven.Run(0, Job{Run: 5, Procs: 3}); err != nil {
		t.Fatal(err)
	}
	_, small := driven.Run(0, Job{Run: 5, Procs: 0})
	_, large := driven.Run(0, Job{Run: 5, Procs: 2})
	_, mixed := queued.Run(0, Job{Run: 5, Procs: 1})
	_, submitted := driven.Submit(0, Job{Run: 5, Procs: 1})
	_, adopted := driven.Adopt(0, Job{Run: 5, Procs: 1}, 0, nil)
	for _, c := range []struct {
		err  error
		want string
	}{
		{small, "want at least 1"}, {large, "2 processors are not free from 0 to 5 s"}, {mixed, "submit the job"},
		{submitted, "run the job"}, {adopted, "run the job"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("the error is %v, want one with %q", c.err, c.want)
		}
	}
	if len(driven.jobs) != 1 || len(queued.jobs) != 1 {
		t.Errorf("%d and %d jobs are held, want the first of each", len(driven.jobs), len(queued.jobs))
	}
}
